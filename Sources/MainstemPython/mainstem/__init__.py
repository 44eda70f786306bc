# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Mainstem: one ordered stream of immutable events, from C, Python or Swift, in one process.

The seven words: a *context* is one stream; an *event* is what happened or what is asked; *send*
puts an event on the stream; *observe* looks at events as they pass; a *server* answers requests;
*request* asks and gets exactly one answer; *respond* gives the answer.
"""

# Only this file keeps to syntax that every Python reads, so that an old one shows the message.
import sys

if sys.version_info < (3, 8):
    raise ImportError(
        "mainstem needs Python 3.8 or newer, but this is Python %d.%d: run it with a newer python3."
        % sys.version_info[:2]
    )

from .aio import EventIterator
from .context import (
    AsyncContext,
    AsyncScope,
    Binding,
    BindingRow,
    Context,
    Limits,
    Scope,
    Timer,
    on_host,
    two_way,
)
from .events import (
    Event,
    EventType,
    Gap,
    MainstemActivity,
    MainstemDenied,
    MainstemFailure,
    MainstemJournalFailed,
    MainstemLimit,
    Notice,
    Request,
    Response,
    Retained,
    RowChange,
    Rows,
    RowSpan,
    event,
    json_form,
)
from .failure import Cancelled, Failure, MainstemError, RequestTimeout, Status
from .navigation import (
    Component,
    Match,
    Moves,
    Navigator,
    NavigatorRoute,
    OpenFirst,
    Redirect,
    Router,
    ViewModelMoves,
    intent,
)
from .navigation._hooks import After as After
from .observers import EventHeader, Mailbox, Scheduler, Stats, Subscription, SubscriptionStats
from .recording import (
    Difference,
    Different,
    Journal,
    JournalInfo,
    JournalStats,
    RecordedEvent,
    Replay,
    ReplayInfo,
    Salvaged,
    Secret,
    salvage,
)
from .servers import LATER, Later, Pending, handles, show_function
from .viewmodels import (
    PendingAnswer,
    Reactor,
    Run,
    ViewModel,
    action,
    child,
    child_ended,
    children,
    command,
    end,
    observes,
    on_changes,
    on_ended,
    on_write,
    open_child,
    pulse,
    retarget,
    shown,
    view,
    writable,
)

__version__ = "0.12.0"

__all__ = [
    "LATER",
    "AsyncContext",
    "AsyncScope",
    "Binding",
    "BindingRow",
    "Cancelled",
    "Component",
    "Context",
    "Difference",
    "Different",
    "Event",
    "EventHeader",
    "EventIterator",
    "EventType",
    "Failure",
    "Gap",
    "Journal",
    "JournalInfo",
    "JournalStats",
    "Later",
    "Limits",
    "Mailbox",
    "MainstemActivity",
    "MainstemDenied",
    "MainstemError",
    "MainstemFailure",
    "MainstemJournalFailed",
    "MainstemLimit",
    "Match",
    "Moves",
    "Navigator",
    "NavigatorRoute",
    "Notice",
    "OpenFirst",
    "Pending",
    "PendingAnswer",
    "Reactor",
    "RecordedEvent",
    "Redirect",
    "Replay",
    "ReplayInfo",
    "Request",
    "RequestTimeout",
    "Response",
    "Retained",
    "Router",
    "RowChange",
    "RowSpan",
    "Rows",
    "Run",
    "Salvaged",
    "Scheduler",
    "Scope",
    "Secret",
    "Stats",
    "Status",
    "Subscription",
    "SubscriptionStats",
    "Timer",
    "ViewModel",
    "ViewModelMoves",
    "action",
    "child",
    "child_ended",
    "children",
    "command",
    "end",
    "event",
    "handles",
    "intent",
    "json_form",
    "observes",
    "on_changes",
    "on_ended",
    "on_host",
    "on_write",
    "open_child",
    "pulse",
    "retarget",
    "salvage",
    "show_function",
    "shown",
    "two_way",
    "view",
    "writable",
]

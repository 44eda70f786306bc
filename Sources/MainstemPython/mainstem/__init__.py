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
from .context import AsyncContext, AsyncScope
from .context._context import Context
from .context._host import Limits
from .context._observing import Binding, BindingRow, on_host, two_way
from .context._scope import Scope, Timer
from .events._declaration import (
    MainstemActivity,
    MainstemDenied,
    MainstemFailure,
    MainstemJournalFailed,
    MainstemLimit,
    Notice,
    Request,
    Response,
    event,
)
from .events._payload import EventType
from .events._received import Event, Gap, Retained
from .events._wire import json_form
from .failure import Cancelled, Failure, MainstemError, RequestTimeout, Status
from .navigation._hooks import After as After
from .navigation._hooks import OpenFirst, Redirect, intent
from .navigation._moves import Component, Moves, ViewModelMoves
from .navigation._navigator import Navigator, NavigatorRoute
from .navigation._router import Match, Router
from .observers._calls import Scheduler, Stats, SubscriptionStats
from .observers._subscription import EventHeader, Mailbox, Subscription
from .recording import Difference, Different, JournalStats, Replay, ReplayInfo, Secret
from .recording._journal import Journal, JournalInfo, RecordedEvent, Salvaged, salvage
from .servers._requests import Pending
from .servers._server import LATER, Later, handles, show_function
from .viewmodels._declared import (
    child,
    child_ended,
    children,
    command,
    observes,
    on_write,
    pulse,
    shown,
    writable,
)
from .viewmodels._steps import PendingAnswer
from .viewmodels._view_model import Reactor, ViewModel, action
from .viewmodels._views import Run, end, on_changes, on_ended, open_child, retarget, view

__version__ = "0.11.0"

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

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""View models: what a program shows, and what it can be told to do; views of them, reactors."""

from ._declared import (
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
from ._steps import PendingAnswer
from ._view_model import Reactor, ViewModel, action
from ._views import Run, end, on_changes, on_ended, open_child, retarget, view

__all__ = [
    "PendingAnswer",
    "Reactor",
    "Run",
    "ViewModel",
    "action",
    "child",
    "child_ended",
    "children",
    "command",
    "end",
    "observes",
    "on_changes",
    "on_ended",
    "on_write",
    "open_child",
    "pulse",
    "retarget",
    "shown",
    "view",
    "writable",
]

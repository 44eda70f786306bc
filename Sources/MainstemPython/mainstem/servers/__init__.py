# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Servers: who answers requests, and how an answer is waited for."""

from ._requests import Pending
from ._resources import Resources
from ._server import LATER, Later, handles, show_function
from ._workflow import SKIP, Skip, Step, WorkflowRun

__all__ = [
    "LATER",
    "SKIP",
    "Later",
    "Pending",
    "Resources",
    "Skip",
    "Step",
    "WorkflowRun",
    "handles",
    "show_function",
]

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Navigation: routes, components, moves, guards, and the navigator that opens and closes them."""

from ._hooks import OpenFirst, Redirect, intent
from ._moves import Component, Moves, ViewModelMoves
from ._navigator import Navigator, NavigatorRoute
from ._router import Match, Router

__all__ = [
    "Component",
    "Match",
    "Moves",
    "Navigator",
    "NavigatorRoute",
    "OpenFirst",
    "Redirect",
    "Router",
    "ViewModelMoves",
    "intent",
]

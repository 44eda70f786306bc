# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The moves of a view model: what it asks of the navigator in its own methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from .moving import MOVE, Failed, Moving, Opened, Then, result_in, step_of
from .own_requests import ask_own

if TYPE_CHECKING:
    from .live import Live


class ViewModelMoves(Moving):
    """The moves of a view model: `self.navigator`. An async command awaits them."""

    __slots__ = ("_live",)

    def __init__(self, live: "Live") -> None:
        self._live = live

    def _ask(
        self,
        move: str,
        then: Then,
        failed: Failed,
        opened: Opened = None,
        timeout: Optional[float] = None,
    ) -> Any:
        return ask_own(
            self._live,
            MOVE,
            move,
            read=result_in,
            then=then,
            failed=failed,
            timeout=timeout,
            progress=None if opened is None else step_of(opened),
        )

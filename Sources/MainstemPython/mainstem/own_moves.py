# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The moves of a view model: what it asks of the navigator in its own methods."""

from __future__ import annotations

from typing import Any, Optional

from .events._catalogue import LiveLike
from .moving import MOVE, Failed, Moving, Opened, Then, result_in, step_of


class ViewModelMoves(Moving):
    """The moves of a view model: `self.navigator`. An async command awaits them."""

    __slots__ = ("_live",)

    def __init__(self, live: LiveLike) -> None:
        self._live = live

    def _ask(
        self,
        move: str,
        then: Then,
        failed: Failed,
        opened: Opened = None,
        timeout: Optional[float] = None,
    ) -> Any:
        return self._live.ask(
            MOVE,
            move,
            read=result_in,
            then=then,
            failed=failed,
            timeout=timeout,
            progress=None if opened is None else step_of(opened),
        )

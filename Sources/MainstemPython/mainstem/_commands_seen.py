# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What views see of the commands of a child, said together with its values."""

from __future__ import annotations

from typing import List, Optional, Tuple

from ._library import C
from ._library._header import VIEWMODEL_COMMAND
from ._slot import Slot
from .events._catalogue import Catalogue
from .failure import check
from .model import Model

_set = C.mainstem_value_set
_YES, _NO = b"\1", b"\0"


class CommandsSeen:
    """What views see of the commands of a child.

    The library says it after the child's own show function. A child's parent says earlier what the
    child shows, so that views find it ready: then this is part of that.
    """

    __slots__ = ("_commands", "_is_begun")

    def __init__(self, model: Model, catalogue: Catalogue, slots: List[Slot]) -> None:
        #: Of each: the value that enables it, and the types "enabled", "executing" and "error".
        self._commands: List[Tuple[Optional[Slot], int, int, int]] = []
        self._is_begun = False
        number_of = catalogue.number_of
        for row in model.rows.values():
            if row.kind == VIEWMODEL_COMMAND:
                enabler = row.member.enabled and model.rows[row.member.enabled].path
                slot = next((each for each in slots if each.path == enabler), None)
                whole = f"{model.name}.{row.name}"
                enabled, executing = number_of(f"{whole}.enabled"), number_of(f"{whole}.executing")
                self._commands.append((slot, enabled, executing, number_of(f"{whole}.error")))

    def say(self, handle: int) -> None:
        """Says which are enabled; the first time, too, that none is executing or has failed."""
        for slot, enabled, executing, error in self._commands:
            is_enabled = _YES if slot is None else slot.data or _NO
            check(_set(handle, enabled, is_enabled, 1))
            if not self._is_begun:
                check(_set(handle, executing, _NO, 1))
                check(_set(handle, error, b"", 0))
        self._is_begun = True

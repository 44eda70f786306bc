# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a live view model says in its turn: all values, then the pulses."""

from __future__ import annotations

import collections
from typing import Any, Deque, List, Optional, Tuple

from ._commands_seen import CommandsSeen
from ._library import C
from ._slot import Slot
from .failure import MainstemError, Status, check

#: With these, what was to be shown is shown later, or never.
_NO_ROOM = (Status.FULL, Status.NO_MEMORY, Status.STALE)


class Saying:
    """What a live view model says."""

    __slots__ = ("commands", "path", "pulses", "slots")

    def __init__(self) -> None:
        #: Its values, in the order of the rows.
        self.slots: List[Slot] = []
        #: The types and payloads of pulses that wait for the values.
        self.pulses: Deque[Tuple[int, bytes]] = collections.deque()
        #: Of a child: what views see of its commands.
        self.commands: Optional[CommandsSeen] = None
        #: The path of the value that is asked for now.
        self.path = ""

    def say(self, instance: Any, handle: int) -> None:
        """Sets all values, then tells the pulses. Of several values that fail, raises the first."""
        failures: List[BaseException] = []
        try:
            for slot in self.slots:
                self.path = slot.path
                try:
                    slot.show(instance, handle)
                except Exception as exception:
                    if isinstance(exception, MainstemError) and exception.status in _NO_ROOM:
                        raise
                    failures.append(exception)
        finally:
            self.path = ""
        if self.commands is not None:
            self.commands.say(handle)
        pulses = self.pulses
        while pulses:
            kind, data = pulses[0]
            check(C.mainstem_send(handle, kind, data, len(data)))
            pulses.popleft()
        if failures:
            del failures[1:]
            raise failures.pop()

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The cast of a journal: the parts of the program, the event types, and who reacts to which."""

from __future__ import annotations

from typing import Dict, List, Tuple

from .._escape import plain
from ..journal_file import Record

#: How a part reacts to an event type; the first that applies is shown.
ANSWERS, ASKED, REACTS = "answers", "asked", "reacts"


class Part:
    """One origin: a server, a view, the program itself."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.number = number
        self.sent = 0


class Kind:
    """One event type."""

    def __init__(self, number: int, event: Record) -> None:
        info = event.type_info
        self.number = number
        self.name = plain(event.name)
        self.role = info.role
        layer = event.session.layers.get(info.layer)
        self.layer = plain((layer or b"layer %d" % info.layer).decode("utf-8", "backslashreplace"))
        self.payload = info.payload
        self.count = self.failed = self.open = 0
        #: How often each part sent it, and how each part reacts to it.
        self.senders: Dict[int, int] = {}
        self.takers: Dict[int, str] = {}
        #: The types that its events caused, each with the part that sent it, and how often.
        self.effects: Dict[Tuple[int, int], int] = {}
        #: How long each answer took.
        self.durations: List[int] = []

    @property
    def sender(self) -> int:
        """The part that sends it most often."""
        return max(self.senders, key=lambda part: (self.senders[part], -part))

    def is_taken(self, part: int, how: str) -> None:
        """Notes that a part reacted to one."""
        order = (ANSWERS, ASKED, REACTS)
        before = self.takers.get(part, REACTS)
        self.takers[part] = min(before, how, key=order.index)


class Cast:
    """The cast of a journal, given all its events in order."""

    def __init__(self) -> None:
        self.parts: List[Part] = []
        self.kinds: List[Kind] = []
        self.events = self.failed = 0
        #: When each event was, who sent it, and whether it failed: for the timeline.
        self.times: List[Tuple[int, int, int, bool]] = []
        self._parts: Dict[str, int] = {}
        self._kinds: Dict[str, int] = {}
        self._seen: Dict[int, Tuple[int, int, int, bool]] = {}

    def take(self, event: Record) -> None:
        """Takes the next event."""
        part, kind = self._part(event), self._kind(event)
        failed = event.status != 0
        self.events += 1
        self.failed += failed
        part.sent += 1
        kind.count += 1
        kind.failed += failed
        kind.open += event.tracked
        kind.senders[part.number] = kind.senders.get(part.number, 0) + 1
        self.times.append((event.time, part.number, kind.number, failed))
        self._seen[event.position] = (kind.number, part.number, event.time, event.tracked)
        self._join(event, part, kind)

    def _join(self, event: Record, part: Part, kind: Kind) -> None:
        asked = self._seen.get(event.answers) if event.answers < event.position else None
        cause = self._seen.get(event.cause) if event.cause < event.position else None
        if cause:
            above = self.kinds[cause[0]]
            above.is_taken(part.number, REACTS)
            key = (kind.number, part.number)
            above.effects[key] = above.effects.get(key, 0) + 1
        if asked:
            question = self.kinds[asked[0]]
            question.is_taken(part.number, ANSWERS)
            kind.is_taken(asked[1], ASKED)
            if not event.is_progress:
                question.open -= asked[3]
                if event.time and asked[2]:
                    question.durations.append(event.time - asked[2])

    def _part(self, event: Record) -> Part:
        name = plain(event.origin_name)
        if name not in self._parts:
            self._parts[name] = len(self.parts)
            self.parts.append(Part(name or "the program", len(self.parts)))
        return self.parts[self._parts[name]]

    def _kind(self, event: Record) -> Kind:
        name = event.name
        if name not in self._kinds:
            self._kinds[name] = len(self.kinds)
            self.kinds.append(Kind(len(self.kinds), event))
        return self.kinds[self._kinds[name]]

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The cast of a journal: the parts of the program, the event types, and who reacts to which."""

from __future__ import annotations

from typing import Dict, List, Set, Tuple

from .._escape import plain
from .._journal.record import text_of
from ..journal_file import Record
from .line import REFUSALS, is_failure, role_of
from .owners import name_in

#: What the context and all views that write are called.
PROGRAM, VIEWS = "the program", "views"
#: How a part reacts to an event type; the first that applies is shown.
ANSWERS, ASKED, REACTS = "answers", "asked", "reacts"


class Part:
    """One origin: a server, a view, the program itself."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.number = number
        self.sent = 0


class Kind:
    """One event type; or the values that one owner shows, or that views write there."""

    def __init__(self, number: int, event: Record, name: str) -> None:
        self.number = number
        self.name = name
        self.role = role_of(event.type_info)
        self.count = self.failed = self.refused = self.open = 0
        self.layers: List[str] = []
        #: If it stands for values: their names, each with its count.
        self.values: Dict[str, int] = {}
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

    def note_layer(self, event: Record) -> None:
        """Notes the layer of one."""
        number = event.type_info.layer
        layer = plain(text_of(event.session.layers.get(number, b"layer %d" % number)))
        if layer not in self.layers:
            self.layers.append(layer)


class Cast:
    """The cast of a journal, given all its events in order."""

    def __init__(self) -> None:
        self.parts: List[Part] = []
        self.kinds: List[Kind] = []
        self.events = self.failed = 0
        #: The names of all event types.
        self.types: Set[str] = set()
        #: When each event was, who sent it, and whether it failed: for the timeline.
        self.times: List[Tuple[int, int, int, bool]] = []
        # Views that write are one part. Whatever an origin is called, it is another one.
        self._parts: Dict[Tuple[bool, str], int] = {}
        self._kinds: Dict[Tuple[str, str], int] = {}
        self._seen: Dict[int, Tuple[int, int, int, bool]] = {}

    def take(self, event: Record) -> None:
        """Takes the next event."""
        owner = self._part(event.origin_name)
        is_of_view = event.written or event.is_run
        part = self._part(VIEWS, is_views=True) if is_of_view else owner
        kind = self._kind(event, owner)
        refused = event.status in REFUSALS
        failed = is_failure(event)
        self.events += 1
        self.failed += failed
        part.sent += 1
        kind.count += 1
        kind.failed += failed
        kind.refused += refused
        kind.open += event.tracked
        kind.senders[part.number] = kind.senders.get(part.number, 0) + 1
        if is_of_view:
            kind.is_taken(owner.number, REACTS)
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

    def _part(self, origin: str, is_views: bool = False) -> Part:
        name = plain(origin)
        key = (is_views, name)
        if key not in self._parts:
            self._parts[key] = len(self.parts)
            self.parts.append(Part(name or PROGRAM, len(self.parts)))
        return self.parts[self._parts[key]]

    def _kind(self, event: Record, owner: Part) -> Kind:
        name = event.name
        self.types.add(name)
        is_value = event.type_info.role == "value"
        key, title = ("", name), plain(name)
        if is_value:
            # One kind for all of an owner: a view model of ten values does not fill the page.
            title = f"written to {owner.name}" if event.written else f"{owner.name} shows"
            key = ("written" if event.written else "shown", owner.name)
        if key not in self._kinds:
            self._kinds[key] = len(self.kinds)
            self.kinds.append(Kind(len(self.kinds), event, title))
        kind = self.kinds[self._kinds[key]]
        kind.note_layer(event)
        if is_value:
            short = plain(name_in(event.origin_name, name))
            kind.values[short] = kind.values.get(short, 0) + 1
        return kind

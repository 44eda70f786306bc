# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Values, the last event of each scope: a part of the stream (stream.py), law 13."""

from __future__ import annotations

from reference.declarations import d
from reference.flow.changes import Shown
from reference.flow.values import Event, EventType, Scope


class Present:
    """What was delivered last of each type and scope, while the scope lives."""

    def open_values(self) -> None:
        self.present: dict[tuple[int, str], Event] = {}
        self.ended_names: set[str] = set()
        self.versions = 0

    def is_value(self, known: EventType) -> bool:
        return known.contract & d.ROLE_MASK == d.ROLE_VALUE

    def change(self, event: Event) -> None:
        """A value changes before the first observer of its event is called."""
        if event.rows is not None:
            event.before = None if event.is_anew else self.list_before(event)
        if self.is_value(self.types[event.type - 1]) and self.keeps_values(event.origin):
            self.present[event.type, event.origin] = event.copy()

    def list_before(self, event: Event) -> Event | None:
        """The list that the changes of an event follow, when it is delivered."""
        return self.present.get((event.type, event.origin))

    def shown_list(self, event: Event) -> Shown | None:
        """The list of an event: its changes, or the whole, if what it follows is not known."""
        if event.rows is None:
            return None
        before = None if self.is_whole(event) else event.before.rows
        return Shown(event.rows, before, event.window)

    def is_whole(self, event: Event) -> bool:
        return not event.before or bool(event.flags & (d.EVENT_LATE | d.EVENT_WHOLE))

    def keeps_values(self, origin: str) -> bool:
        return origin not in self.ended_names

    def end_values(self, ended: list[Scope]) -> None:
        names = {each.name for each in ended}
        self.ended_names |= names
        self.present = {key: each for key, each in self.present.items() if key[1] not in names}

    def shows_something(self, scope: Scope) -> bool:
        """Whether it has a value, or will have."""
        if any(origin == scope.name for _, origin in self.present):
            return True
        waiting = [each for each in self.queue if isinstance(each, Event)]
        return any(
            each.origin == scope.name and self.is_value(self.types[each.type - 1])
            for each in waiting
        )

    def is_there(self, event: Event) -> bool:
        """Whether what is on its way, or was delivered last, has the same bytes, rows, window."""
        last = self.current(event)
        same = ("payload", "rows", "window")
        return last is not None and all(getattr(last, of) == getattr(event, of) for of in same)

    def current(self, event: Event) -> Event | None:
        """The event whose content is there where another one is sent."""
        if event.shower and event.shower.is_ending:
            return None
        last = self.last_output(event)
        if not self.sends_output() or event.flags & d.EVENT_OUTSIDE:
            last = self.last_input(event) or last
        return last or self.present.get((event.type, event.origin))

    def sends_output(self) -> bool:
        """Whether a callback of the delivery itself sends: a replay does the same again."""
        frame = self.process.frame(self)
        return frame is not None and frame.event is not None and not frame.is_outside

    def last_output(self, event: Event) -> Event | None:
        return self.last_waiting(event, 0)

    def last_input(self, event: Event) -> Event | None:
        return self.last_waiting(event, d.EVENT_OUTSIDE)

    def last_waiting(self, event: Event, outside: int) -> Event | None:
        found = [
            each
            for each in self.queue
            if isinstance(each, Event)
            and (each.type, each.origin) == (event.type, event.origin)
            and each.flags & d.EVENT_OUTSIDE == outside
        ]
        return found[-1] if found else None

    def newest(self, event: Event) -> Event | None:
        """The list that was accepted last, whoever sent it."""
        waiting = (self.last_output(event), self.last_input(event))
        found = [each for each in waiting if each]
        last = max(found, key=lambda each: each.position, default=None)
        return last or self.present.get((event.type, event.origin))

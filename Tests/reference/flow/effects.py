# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Effects, and what a fetch may not change: a part of the stream (stream.py)."""

from __future__ import annotations

from typing import Any

from reference.contract import EFFECTS
from reference.declarations import d
from reference.flow.process import Frame
from reference.flow.values import Event, Pending, Scope

#: How many fetches that ask each other are remembered, the innermost first.
MOST = 4


def said_by(name: str) -> int:
    """The effect that the name of a type says, with its first letter small or capital; 0: none."""
    last = name.rpartition(".")[2]
    last = last[7:] if last.startswith("Request") else last
    for word, effect in EFFECTS.items():
        if last[:1].lower() + last[1 : len(word)] == word and not last[len(word) :][:1].islower():
            return effect
    return 0


def is_refused(flags: int, name: str) -> bool:
    """Whether a row says two effects, or another one than the name of its type."""
    effects = [each for each in EFFECTS.values() if flags & each]
    return len(effects) > 1 or (bool(effects) and said_by(name) not in (0, *effects))


class Fetching:
    """In whose fetches something happens: a type for each origin, the innermost first."""

    def open_fetches(self) -> None:
        #: The last answer to what a fetch had asked: its position, and those fetches.
        self.answered: tuple[int, dict[str, int]] = (0, {})

    def note_asked(self, pending: Pending) -> None:
        """A request inherits the fetches of the callback that asks."""
        frame = self.process.frame(self)
        if frame and not frame.is_scheduled:
            pending.fetches = self.fetches_in(frame)

    def note_answer(self, event: Event) -> None:
        """So does its answer, for what is told and shown after the requester has got it."""
        if event.settles and event.settles.fetches:
            self.answered = (event.position, event.settles.fetches)

    def fetches_in(self, frame: Frame) -> dict[str, int]:
        """The fetches that a callback is part of."""
        if not frame.event:
            return {}
        inherited = self.inherited(frame.event)
        if not frame.row or not frame.row.effect & d.HANDLER_FETCH:
            return inherited
        origin = frame.row.scope.name
        outer = {each: type for each, type in inherited.items() if each is not origin}
        return dict([(origin, frame.event.type), *outer.items()][:MOST])

    def inherited(self, event: Event) -> dict[str, int]:
        """Those in which a request was asked; of an answer or a step of progress, its request's."""
        if event.answers and event.position == self.answered[0]:
            return self.answered[1]
        pending = self.undelivered.get(event.answers or event.position)
        return pending.fetches if pending else {}

    def broken_by(self, event: Event) -> int:
        """The type of the fetch in which a value changes that it may not change; 0: none."""
        frame = self.process.frame(self)
        if not self.sends_output():
            return 0
        if not frame.is_show:
            return self.fetches_in(frame).get(event.origin, 0)
        if self.shows_first(event):
            return 0
        if event.origin is frame.shows.name and self.fetches(frame.shows, frame.event.type):
            return frame.event.type
        return self.inherited(frame.event).get(event.origin, 0)

    def shows_first(self, event: Event) -> bool:
        """What is shown first is no change."""
        return (event.type, event.origin) not in self.present

    def fetches(self, server: Scope, number: int) -> bool:
        rows = [each for each in self.subscriptions if each.scope is server and each.is_handler]
        return any(
            each.effect & d.HANDLER_FETCH and each.filter.types == [number] and not each.cancelled
            for each in rows
        )

    def failing_show(self, frame: Frame, scope: Scope) -> Any:
        """What makes a show function fail before it returns."""

        def fail(code: int, message: str, number: int = 0) -> None:
            if not frame.has_failed:
                frame.has_failed = True
                scope.failures += 1
                self.report(
                    self.as_type(frame.event, number), scope, (code, message), scope.failures
                )

        return fail

    def failing_told(self, frame: Frame, scope: Scope) -> Any:
        """What makes a function fail that is told of an answer."""

        def fail(code: int, message: str, number: int = 0) -> None:
            if not frame.has_failed:
                frame.has_failed = True
                self.report(self.as_type(frame.event, number), scope, (code, message), 1)

        return fail

    def as_type(self, event: Event, number: int) -> Event:
        """An event as a report tells of it: by the type of the fetch, where one is broken."""
        told = event.copy()
        told.type = number or told.type
        return told

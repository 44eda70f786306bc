# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What has passed in a test, in order, and how it is shown."""

from __future__ import annotations

import dataclasses
from typing import Any, List, Optional, Set

from .events._declaration import Value, declaration_of
from .events._received import Event, event_of
from .failure import Failure

#: The number of links shown before a chain's end.
_LINKS = 12


class Transcript:
    """Every event that has passed; the test has expected the first of them."""

    __slots__ = ("events", "expected", "passing")

    def __init__(self) -> None:
        #: The events; the first has position 1.
        self.events: List[Event] = []
        #: How many were expected so far.
        self.expected = 0
        #: The positions of events that nobody has to expect: those of view models' own types.
        self.passing: Set[int] = set()

    def note(self, value: Any, passes: bool = False) -> None:
        """Adds an event."""
        event = event_of(value)
        self.events.append(event)
        if passes:
            self.passing.add(event.position)

    def take(self, name: str = "") -> Optional[Event]:
        """Takes the next event not expected so far; one that may pass only if it has this name."""
        while self.expected < len(self.events):
            event = self.events[self.expected]
            self.expected += 1
            if event.position not in self.passing or event.name == name:
                return event
        return None

    def take_rest(self) -> List[Event]:
        """Takes all events not expected so far, but for those that may pass."""
        rest = self.events[self.expected :]
        self.expected = len(self.events)
        return [event for event in rest if event.position not in self.passing]

    def open_requests(self) -> List[Event]:
        """Returns the tracked requests that have no answer."""
        answered = {event.answers for event in self.events if not event.is_progress}
        return [one for one in self.events if one.tracked and one.position not in answered]

    def told(self, event: Event) -> str:
        """Returns an event as a line, with the events that led to it below."""
        lines, links = [str(event)], self._chain(event)
        if len(links) > _LINKS + 1:
            links[_LINKS:-1] = ["…"]
        return "\n      ".join(lines + links)

    def _chain(self, event: Event) -> List[str]:
        links = []
        while 0 < event.cause <= len(self.events):
            event = self.events[event.cause - 1]
            links.append(f"caused by {event}")
        return links


def payload_of(event: Event, kind: type) -> Value:
    """Returns an event as an object of a class, even if the class was declared after it passed."""
    return declaration_of(kind).received(event)


def is_it(expected: Any, event: Event) -> bool:
    """Whether an event is the expected one: a value, a failure, or a name and bytes."""
    if isinstance(expected, Failure):
        return event.failed and event.error == expected
    if event.failed:
        return False
    if isinstance(expected, Value):
        declaration = type(expected).__mainstem__
        return event.name == declaration.name and payload_of(event, type(expected)) == expected
    return (event.name, event.data) == tuple(expected)


def difference(expected: Any, event: Event) -> List[str]:
    """Lists the fields in which an event of the same type differs."""
    if not isinstance(expected, Value) or event.failed:
        return []
    if event.name != type(expected).__mainstem__.name:
        return []
    was = payload_of(event, type(expected))
    if event.secret:
        return []
    pairs = (
        (field.name, getattr(expected, field.name), getattr(was, field.name))
        for field in dataclasses.fields(type(expected))
    )
    return [
        f"    {name}: {wanted!r} was expected, and it was {is_!r}"
        for name, wanted, is_ in pairs
        if wanted != is_
    ]


def shown(expected: Any) -> str:
    """The text of an expectation."""
    if isinstance(expected, Failure):
        return f"{expected.code} {str(expected)!r}"
    return repr(expected) if isinstance(expected, Value) else " ".join(map(str, expected))

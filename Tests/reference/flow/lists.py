# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Lists: a part of the calls (calls.py), lists.h."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence, Tuple

from reference.contract import PAYLOAD, keeps
from reference.declarations import d
from reference.flow.changes import Shown
from reference.flow.stream import Stream
from reference.flow.values import Event, EventType, Row, Scope

KEY = 255
#: Which part of a longer sequence a list is: offset, count and total; None: all of it.
Window = Tuple[int, int, int]


@dataclass
class Ends:
    """The rows at both ends that a set keeps, and the version of the list that has them."""

    version: int = 0
    first: int = 0
    last: int = 0
    #: Whether the version counts even if no row stays.
    is_strict: bool = False


class Listing:
    """The call that sets a list: a part of the calls (calls.py)."""

    def list_set(
        self,
        scope: Scope,
        number: int,
        rows: Sequence[Row],
        ends: Ends | None = None,
        window: Window | None = None,
    ) -> tuple[int, int]:
        """Status, and the version that the ends have then."""
        stream = scope.stream
        status = self.check(scope) or self.check_list(stream, number)
        status = status or stream.check_sending(scope, self.find(stream, number))
        event = Event(number, b"", scope.name, flags=d.EVENT_LIST, shower=scope)
        status = status or self.fill(stream, event, rows, ends, window)
        if not status and not stream.is_there(event):
            status = self.put_list(scope, event, rows, ends, window)
        if status:
            return status, ends.version if ends else 0
        return status, event.version if event.position else stream.current(event).version

    def put_list(
        self,
        scope: Scope,
        event: Event,
        rows: Sequence[Row],
        ends: Ends | None,
        window: Window | None,
    ) -> int:
        stream = scope.stream
        broken = stream.broken_by(event)
        if broken:
            self.process.frame(stream).fail(d.INVALID, "core", broken)
            return d.INVALID
        status = self.check_after_leftovers(scope)
        status = status or self.fill(stream, event, rows, ends, window)
        if status or stream.is_there(event):
            return status
        status = self.check_room(stream, event)
        if not status:
            stream.versions += 1
            event.version, event.is_anew = stream.versions, scope.is_ending
            stream.put(event)
        return status

    def check_list(self, stream: Stream, number: int) -> int:
        known = self.find(stream, number)
        return d.OK if known and known.is_list else d.INVALID

    def fill(
        self,
        stream: Stream,
        event: Event,
        rows: Sequence[Row],
        ends: Ends | None,
        window: Window | None,
    ) -> int:
        """Takes the rows between the ends of the list that is there."""
        first: Sequence[Row] = ()
        last: Sequence[Row] = ()
        if ends and (ends.first or ends.last or ends.is_strict):
            there = self.list_of_ends(stream, event)
            if self.is_stale(there, ends):
                return d.STALE
            known = there.rows if there else ()
            if ends.first + ends.last > len(known):
                return d.INVALID
            first, last = known[: ends.first], known[len(known) - ends.last :]
        event.rows = (*first, *rows, *last)
        offset, count, total = window or (0, len(event.rows), len(event.rows))
        if count != len(event.rows) or offset + count > total:
            return d.INVALID
        event.window = (offset, total)
        return self.check_rows(stream, self.find(stream, event.type), rows, event)

    def list_of_ends(self, stream: Stream, event: Event) -> Event | None:
        return stream.current(event)

    def is_stale(self, there: Event | None, ends: Ends) -> bool:
        if there is None:
            return bool(ends.version or ends.first or ends.last)
        return there.version != ends.version

    def check_rows(
        self, stream: Stream, known: EventType, rows: Sequence[Row], event: Event
    ) -> int:
        for key, data in rows:
            status = self.check_key(key)
            if len(data) > stream.limit("payload", PAYLOAD):
                status = status or d.TOO_BIG
            if status or not keeps(known.contract, data):
                return status or d.INVALID
        return d.INVALID if self.has_duplicates(event) else d.OK

    def check_key(self, key: bytes) -> int:
        try:
            key.decode("utf-8")
        except UnicodeDecodeError:
            return d.INVALID
        return d.OK if 1 <= len(key) <= KEY else d.INVALID

    def has_duplicates(self, event: Event) -> bool:
        return len({key for key, _ in event.rows}) < len(event.rows)

    def shown_list(self, event: Event) -> Shown | None:
        return event.context.stream.shown_list(event)

    def list_status(self, event: Event) -> int:
        """What reading a list says of an event."""
        return d.INVALID if event.rows is None else d.OK

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Lists: a part of the calls (calls.py), lists.h."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence

from reference.contract import PAYLOAD, keeps
from reference.declarations import d
from reference.flow.changes import Shown
from reference.flow.stream import Stream
from reference.flow.values import Event, EventType, Row, Scope

KEY = 255


@dataclass
class Ends:
    """The rows at both ends that a set keeps, and the version of the list that has them."""

    version: int = 0
    first: int = 0
    last: int = 0


class Listing:
    """The call that sets a list: a part of the calls (calls.py)."""

    def list_set(
        self, scope: Scope, number: int, rows: Sequence[Row], ends: Ends | None = None
    ) -> tuple[int, int]:
        """Status, and the version that the ends have then."""
        stream = scope.stream
        status = self.check(scope) or self.check_list(stream, number)
        status = status or stream.check_sending(scope, self.find(stream, number))
        event = Event(number, b"", scope.name, flags=d.EVENT_LIST)
        status = status or self.fill(stream, event, rows, ends)
        if not status and not stream.is_there(event):
            status = self.put_list(scope, event, rows, ends)
        if status:
            return status, ends.version if ends else 0
        return status, event.version if event.position else stream.current(event).version

    def put_list(self, scope: Scope, event: Event, rows: Sequence[Row], ends: Ends | None) -> int:
        stream = scope.stream
        broken = stream.broken_by(event)
        if broken:
            self.process.frame(stream).fail(d.INVALID, "core", broken)
            return d.INVALID
        status = self.check_after_leftovers(scope) or self.fill(stream, event, rows, ends)
        if status or stream.is_there(event):
            return status
        status = self.check_room(stream, event)
        if not status:
            stream.versions += 1
            event.version = stream.versions
            stream.put(event)
        return status

    def check_list(self, stream: Stream, number: int) -> int:
        known = self.find(stream, number)
        return d.OK if known and known.is_list else d.INVALID

    def fill(self, stream: Stream, event: Event, rows: Sequence[Row], ends: Ends | None) -> int:
        """Takes the rows between the ends of the list that is there."""
        first: Sequence[Row] = ()
        last: Sequence[Row] = ()
        if ends and (ends.first or ends.last):
            there = self.list_of_ends(stream, event)
            if self.is_stale(there, ends):
                return d.STALE
            if ends.first + ends.last > len(there.rows):
                return d.INVALID
            first = there.rows[: ends.first]
            last = there.rows[len(there.rows) - ends.last :]
        event.rows = (*first, *rows, *last)
        return self.check_rows(stream, self.find(stream, event.type), rows, event)

    def list_of_ends(self, stream: Stream, event: Event) -> Event | None:
        return stream.current(event)

    def is_stale(self, there: Event | None, ends: Ends) -> bool:
        return there is None or there.version != ends.version

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

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The lists of a journal as they were at an event."""

from __future__ import annotations

import struct
from typing import Any, Dict, List, Optional, Tuple

from ._changes import ListChange, ListChanges, ListRow
from ._record import LIST, SESSION, SKIPPED, Record

__all__ = ["Lists", "Source", "bytes_in", "source_of", "whole_list", "whole_number"]

#: What a list is of: a scope's number, or 0 and a name; the context has no name.
Source = Tuple[int, bytes]


def source_of(event: Record) -> Source:
    """What an event is of; the numbers of origins are others in the next file."""
    scope = event.session.scopes.get(event.origin, (0, 0))[0]
    return scope, b"" if scope else event.origin_bytes


_ENDED = b"MainstemEnded"
#: What a list record has before the list: the numbers of type and origin, and a position.
_LIST = struct.Struct("<2IQ")
#: A skipped record of this size does not say which event caused the positions: they are lost.
_LOST_SIZE = 16


def whole_list(record: Record) -> Record:
    """Returns what a list record says, as an event that has the whole list."""
    number, origin, position = _LIST.unpack_from(record.data)
    data = record.data[_LIST.size :]
    place = (record.path, record.offset, record.version)
    header = (position, 0, 0, 0, record.time, len(data), 0, number, 0, origin, 0)
    event = Record.checked(place, header, data)
    event.session = record.session
    return event


def whole_number(said: object) -> int:
    """Returns a number of an index; raises ValueError if it is none."""
    if type(said) is not int or not 0 <= said < 1 << 64:
        raise ValueError(said)
    return said


def bytes_in(said: object) -> bytes:
    """Returns bytes of an index, which are text of Latin-1; raises ValueError if they are none."""
    if not isinstance(said, str):
        raise ValueError(said)
    return said.encode("latin-1")


def _put(data: bytes) -> str:
    return data.decode("latin-1")


class _Known:
    """A list as far as it was read."""

    __slots__ = ("_counts", "_most", "position", "rows")

    def __init__(self, position: int) -> None:
        #: The position of its last event.
        self.position = position
        self.rows: List[ListRow] = []
        self._most = 0
        # How many rows have each key.
        self._counts: Dict[bytes, int] = {}

    def begin(self, rows: List[ListRow]) -> None:
        """Has these rows."""
        self.rows = rows
        for row in rows:
            self._counts[row.key] = self._counts.get(row.key, 0) + 1

    def apply(self, changes: ListChanges) -> bool:
        """Applies changes; False: they do not fit, and the list is no longer known."""
        # No sequence of removals before insertions ever has more.
        self._most = max(len(self.rows), changes.count)
        fits = all(self._apply(change, brought) for change, brought in changes.each())
        return fits and len(self.rows) == len(self._counts) == changes.count

    def _apply(self, change: ListChange, brought: Tuple[ListRow, ...]) -> bool:
        kind, index, count, to = change
        rows, end = self.rows, index + count
        if kind in ("reset", "insert"):
            if index > len(rows) or count > self._most - len(rows):
                return False
            rows[index:index] = brought
            for row in brought:
                self._counts[row.key] = self._counts.get(row.key, 0) + 1
            return True
        if end > len(rows):
            return False
        run = rows[index:end]
        if kind == "update":
            rows[index:end] = brought
            return [row.key for row in run] == [row.key for row in brought]
        del rows[index:end]
        if kind == "remove":
            self._forget(run)
            return True
        rows[to:to] = run
        return to <= len(rows) - count

    def _forget(self, run: List[ListRow]) -> None:
        for row in run:
            self._counts[row.key] -= 1
            if not self._counts[row.key]:
                del self._counts[row.key]


class Lists:
    """The lists of a journal as they were, given all its records in order.

    lists = Lists()
    for record in journal.records():
        lists.take(record)
        if record.is_event and record.type_info.is_list:
            print(lists.rows(record))
    """

    def __init__(self) -> None:
        # The lists of each, by the names of their types.
        self._known: Dict[Source, Dict[bytes, _Known]] = {}

    def take(self, record: Record) -> None:
        """Takes the next record. Events that are neither of lists nor ends need not be taken."""
        if record.is_event:
            self._take_event(record)
        elif record.kind == LIST:
            self._take_whole(whole_list(record))
        elif (record.kind == SESSION and not record.session.continues) or (
            record.kind == SKIPPED and record.size <= _LOST_SIZE
        ):
            self._known.clear()

    def rows(self, event: Record) -> Optional[Tuple[ListRow, ...]]:
        """Returns the list of an event's type and origin as it is now; None: it is not known."""
        return self._rows_of(source_of(event), event.type_info.name)

    # What an index keeps of them ------------------------------------------------------------------

    def _state(self) -> List[Any]:
        """Returns all lists, as JSON can hold them; bytes are text of Latin-1."""
        return [
            [
                scope,
                _put(name),
                _put(kind),
                one.position,
                [list(map(_put, row)) for row in one.rows],
            ]
            for (scope, name), lists in self._known.items()
            for kind, one in lists.items()
        ]

    def _restore(self, state: List[Any]) -> None:
        """Takes such a state; raises TypeError or ValueError if it is none."""
        for scope, name, kind, position, rows in state:
            known = _Known(whole_number(position))
            known.begin([ListRow(bytes_in(key), bytes_in(data)) for key, data in rows])
            lists = self._known.setdefault((whole_number(scope), bytes_in(name)), {})
            lists[bytes_in(kind)] = known

    # The lists -----------------------------------------------------------------------------------

    def _rows_of(self, source: Source, name: bytes) -> Optional[Tuple[ListRow, ...]]:
        """Returns the list of a type as it is now; None: it is not known."""
        known = self._known.get(source, {}).get(name)
        return None if known is None else tuple(known.rows)

    def _take_event(self, event: Record) -> None:
        info = event.type_info
        if info.is_list:
            if not event.status:
                self._change(event, event.list_changes)
        elif info.name == _ENDED and event.size == 8 and not event.marked and any(event.data):
            self._known.pop((int.from_bytes(event.data, "little"), b""), None)

    def _take_whole(self, event: Record) -> None:
        """Takes a list that is at the beginning of a file, unless it is known."""
        lists, name = self._of(event), event.type_info.name
        known, changes = lists.get(name), event.list_changes
        if changes is None or not changes.is_reset:
            return
        whole = _Known(event.position)
        if (known is None or known.position != event.position) and whole.apply(changes):
            lists[name] = whole

    def _change(self, event: Record, changes: Optional[ListChanges]) -> None:
        lists, name = self._of(event), event.type_info.name
        known = lists.pop(name, None)
        if changes is None:
            return
        if changes.is_reset:
            known = _Known(event.position)
        if known is not None and known.apply(changes):
            known.position = event.position
            lists[name] = known

    def _of(self, event: Record) -> Dict[bytes, _Known]:
        """The lists of the event's origin."""
        return self._known.setdefault(source_of(event), {})

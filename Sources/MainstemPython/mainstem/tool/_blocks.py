# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The blocks of an index: what it says of events that follow each other, in columns."""

from __future__ import annotations

import struct
from array import array
from typing import List, NamedTuple, Optional

from ._runs import Run

__all__ = ["ENTRY", "FAR", "ROW", "Block", "Entry", "NewBlock", "Row", "row_in"]

#: What is too much for a column of four bytes.
FAR = 0xFFFFFFFF
FAILED = 1 << 15
#: As many skipped positions have rows, which say nothing; where more are skipped, a block ends.
GAP = 8
#: The columns of a block: place in its file / 8, time since the block's first event in units of
#: 1,024 ns, how many positions earlier cause, root of the chain and request are (0: no cause, no
#: request, itself the root),
#: number of type and of origin; flags, with FAILED if the status is not 0.
_FIELDS = ("place", "time", "cause", "correlation", "answers", "type", "origin", "flags")
_FORMS = "IIIIIIIH"
ROW = 30


class Entry(NamedTuple):
    """A block."""

    #: The position before it, that of its first row, and the time of that.
    last: int
    first: int
    began: int
    #: Where it begins in the journal, and the checksum of the record before it there.
    offset: int
    file: int
    link: int
    #: The bytes of the journal before it.
    done: int
    #: Where it is in the index: first a state, or none, then its rows; and their checksums.
    place: int
    size: int
    rows: int
    sums: int
    row_sums: int
    #: The bytes of the records that the state names.
    weight: int


ENTRY = struct.Struct("=QQqQIIQQIIIIQ")


class Row(NamedTuple):
    """What an index says of an event."""

    file: int
    offset: int
    #: In nanoseconds, up to 1,024 too early.
    time: int
    #: Positions; 0: none. None: too far away, the event itself says it.
    cause: Optional[int]
    root: Optional[int]
    answers: Optional[int]
    type: int
    origin: int
    flags: int
    failed: bool


class Block:
    """What an index says of the events of a block."""

    def __init__(self, entry: Entry, data: bytes) -> None:
        self._entry, self._data = entry, data
        #: The position of the first event.
        self.first = entry.first

    def __len__(self) -> int:
        return self._entry.rows

    def column(self, name: str) -> array[int]:
        """One field of each event, as it is kept."""
        at, rows = _FIELDS.index(name), self._entry.rows
        begin = rows * sum(struct.calcsize(form) for form in _FORMS[:at])
        column = array(_FORMS[at])
        column.frombytes(self._data[begin : begin + rows * column.itemsize])
        return column

    def row(self, position: int) -> Optional[Row]:
        """What it says of an event; None: it was not kept."""
        return row_in(self._entry, self._data, position - self.first)


def row_in(entry: Entry, data: bytes, index: int) -> Optional[Row]:
    fields: List[int] = []
    begin, position = 0, entry.first + index
    for form in _FORMS:
        size = struct.calcsize(form)
        fields += struct.unpack_from("=" + form, data, begin + index * size)
        begin += entry.rows * size
    place, when, cause, root, answers, kind, origin, flags = fields
    if not place:
        return None
    return Row(
        entry.file,
        place << 3,
        entry.began + (when << 10),
        _back(position, cause) if cause else 0,
        _back(position, root),
        _back(position, answers) if answers else 0,
        kind,
        origin,
        flags & ~FAILED,
        bool(flags & FAILED),
    )


# A block that is being made -----------------------------------------------------------------------


class NewBlock:
    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self._columns = [array(form) for form in _FORMS]

    def __len__(self) -> int:
        return len(self._columns[0])

    def misses(self, position: int) -> bool:
        """Whether a position is too far behind its last one."""
        return position - self.entry.first - len(self) > GAP

    def take(self, events: Run) -> None:
        """Takes the next events; raises OverflowError if their places are too far in a file."""
        first, statuses = events.first, events.column("status")
        told = {name: events.column(name) for name in _FIELDS[1:]}
        if not len(self):
            self.entry = self.entry._replace(first=first, began=told["time"][0])
        began = self.entry.began
        told["place"] = [offset >> 3 for offset in events.offsets[:-1]]
        told["time"] = _near([at - began >> 10 for at in told["time"]])
        for name in ("cause", "answers"):
            told[name] = _distances(first, told[name])
        roots = enumerate(told["correlation"], first)
        told["correlation"] = _near([position - root for position, root in roots])
        if any(statuses):
            told["flags"] = [
                flags | FAILED if status else flags
                for flags, status in zip(told["flags"], statuses)
            ]
        skipped = [0] * (first - self.entry.first - len(self))
        for name, column in zip(_FIELDS, self._columns):
            column.extend(skipped)
            column.extend(told[name])

    def bytes(self) -> bytes:
        return b"".join(column.tobytes() for column in self._columns)


def _distances(first: int, positions: List[int]) -> List[int]:
    if not any(positions):
        return positions
    return _near([at - one if one else 0 for at, one in enumerate(positions, first)])


def _near(numbers: List[int]) -> List[int]:
    if min(numbers) >= 0 and max(numbers) < FAR:
        return numbers
    return [min(max(number, 0), FAR) for number in numbers]


def _back(position: int, distance: int) -> Optional[int]:
    return None if distance == FAR else position - distance

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Runs of events, as the library has told them: counted by their columns, or made one by one."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import AbstractSet, Dict, Iterator, List, Optional, Tuple

from ..journal_file import Record, Session, TypeInfo
from ..observers._subscription import Batch

__all__ = ["Page", "Positions", "Run", "run_of"]


class Page:
    """A batch of records of one file, and where they are in it."""

    __slots__ = (
        "_batch",
        "_columns",
        "_path",
        "_version",
        "offsets",
        "origins",
        "statuses",
        "types",
    )

    def __init__(self, batch: Batch, offsets: List[int], path: str, version: int) -> None:
        self._batch = batch
        self._path = path
        self._version = version
        #: Where each begins, and where the last one ends.
        self.offsets = offsets
        self.types = batch.column("type")
        self.statuses = batch.column("status")
        self.origins = batch.column("origin")
        self._columns: Dict[str, List[int]] = {}

    def __len__(self) -> int:
        return len(self.types)

    def others(self, begin: int) -> Iterator[int]:
        """Yields the indexes of the records that are not events, and then that of the end."""
        types = self.types
        for _ in range(types.count(0)):
            try:
                begin = types.index(0, begin)
            except ValueError:  # The header of the file is before `begin`.
                break
            yield begin
            begin += 1
        yield len(types)

    def column(self, name: str) -> List[int]:
        """One field of all records."""
        if name not in self._columns:
            self._columns[name] = self._batch.column(name)
        return self._columns[name]

    def record(self, index: int) -> Record:
        """Makes a record."""
        return Record.checked((self._path, self.offsets[index], self._version), *self._batch[index])


class _Single(Page):
    """A record of the reader in Python, as such a batch."""

    __slots__ = ("_record",)

    def __init__(self, record: Record) -> None:
        self._record = record
        self.offsets = [record.offset, record.offset + record.length]
        self.types, self.statuses = [record.type], [record.status]
        self.origins = [record.origin]

    def column(self, name: str) -> List[int]:
        return [getattr(self._record, name)]

    def record(self, index: int) -> Record:
        return self._record


class Run:
    """Events that follow each other with no other record between them."""

    __slots__ = ("_begin", "_end", "_page", "first", "session")

    def __init__(self, page: Page, begin: int, end: int, first: int, session: Session) -> None:
        self._page = page
        self._begin = begin
        self._end = end
        #: The position of the first event.
        self.first = first
        self.session = session

    def __len__(self) -> int:
        return self._end - self._begin

    @property
    def offset(self) -> int:
        """Where the first event begins in its file."""
        return self._page.offsets[self._begin]

    @property
    def length(self) -> int:
        """The bytes of all its events."""
        return self._page.offsets[self._end] - self._page.offsets[self._begin]

    @property
    def offsets(self) -> List[int]:
        """Where each event begins, and where the last one ends."""
        return self._page.offsets[self._begin : self._end + 1]

    @property
    def origins(self) -> List[int]:
        """The origin of each event."""
        return self._page.origins[self._begin : self._end]

    def column(self, name: str) -> List[int]:
        """One field of each event."""
        return self._page.column(name)[self._begin : self._end]

    def info(self, number: int) -> TypeInfo:
        """The description of a type; a made-up one if no record names it."""
        return self.session.info(number)

    def sender(self, number: int) -> Tuple[bytes, int]:
        """The name of an origin, and the number of its scope; 0: the context, or not known."""
        return self.session.origin(number), self.session.scopes.get(number, (0, 0))[0]

    def part(self, begin: int, end: int) -> "Run":
        """Some of the events, by their index."""
        page, first = self._page, self._begin
        return Run(page, first + begin, first + end, self.first + begin, self.session)

    def event(self, index: int) -> Record:
        """Makes an event."""
        return self._event(self._begin + index)

    def outcomes(self) -> Iterator[Tuple[int, int]]:
        """Yields the type and the status of each event."""
        page, part = self._page, slice(self._begin, self._end)
        return zip(page.types[part], page.statuses[part])

    def of_types(self, types: AbstractSet[int]) -> Iterator[Record]:
        """Yields the events of some types."""
        part = self._page.types[self._begin : self._end]
        if types.isdisjoint(part):
            return iter(())
        return map(self._event, [at for at, one in enumerate(part, self._begin) if one in types])

    def records(self) -> Iterator[Record]:
        """Yields the events."""
        return map(self._event, range(self._begin, self._end))

    def _event(self, index: int) -> Record:
        record = self._page.record(index)
        record.session = self.session
        return record


class Positions:
    """The positions of a journal's events, in eight bytes for each."""

    def __init__(self) -> None:
        self._all = array("Q")

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, index: int) -> int:
        return self._all[index]

    def add(self, first: int, many: int = 1) -> None:
        """Adds the next events."""
        self._all.extend(range(first, first + many))

    def index(self, position: int, end: Optional[int] = None) -> int:
        """Returns the index of an event, if that is below `end`; -1: it is not there."""
        positions = self._all
        end = len(positions) if end is None else end
        index = position - positions[0] if positions else -1
        if not 0 <= index < len(positions) or positions[index] != position:
            index = bisect_left(positions, position)
        return index if index < end and positions[index] == position else -1


def run_of(event: Record) -> Run:
    """An event that the reader in Python has read, as a run."""
    return Run(_Single(event), 0, 1, event.position, event.session)

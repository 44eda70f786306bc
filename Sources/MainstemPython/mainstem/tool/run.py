# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Runs of events, as the library has told them: counted by their columns, or made one by one."""

from __future__ import annotations

from typing import Iterator, List, Set, Tuple

from ..journal_file import Record, Session
from ..observers._subscription import Batch


class Page:
    """A batch of records of one file, and where they are in it."""

    __slots__ = ("_batch", "_path", "_version", "offsets", "origins", "statuses", "types")

    def __init__(self, batch: Batch, offsets: List[int], path: str, version: int) -> None:
        self._batch = batch
        self._path = path
        self._version = version
        #: Where each begins, and where the last one ends.
        self.offsets = offsets
        self.types = batch.column("type")
        self.statuses = batch.column("status")
        self.origins = batch.column("origin")

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

    def record(self, index: int) -> Record:
        """Makes a record."""
        return Record.checked((self._path, self.offsets[index], self._version), *self._batch[index])


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
    def origins(self) -> List[int]:
        """The origin of each event."""
        return self._page.origins[self._begin : self._end]

    def outcomes(self) -> Iterator[Tuple[int, int]]:
        """Yields the type and the status of each event."""
        page, part = self._page, slice(self._begin, self._end)
        return zip(page.types[part], page.statuses[part])

    def of_types(self, types: Set[int]) -> Iterator[Record]:
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

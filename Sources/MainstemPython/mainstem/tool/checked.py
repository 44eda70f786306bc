# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A journal as the tools read it: the library checks its records, and tells many with one call."""

from __future__ import annotations

from typing import Iterator, Optional, Union, cast

from .._journal.file_header import FILE_HEADER_SIZE
from .._journal.record import offsets_of
from ..failure import MainstemError
from ..journal_file import Journal, Record
from ..observers._subscription import Batch
from ..recording._journal import Journal as LibraryJournal
from .run import Page, Run


class CheckedJournal(Journal):
    """The same records and the same ending as in Python, many times as fast.

    The library reads ahead. Where it stops, be it at an end, at a torn tail or at damage, and where
    it has read what was appended since, the reader in Python goes on and says what is there.
    """

    # The library's reader, its batches, and the first one of the next file.
    _reader: Optional[LibraryJournal] = None
    _batches: Iterator[Batch] = iter(())
    _waiting: Optional[Batch] = None

    def close(self) -> None:
        """Closes the files."""
        self._drop()
        super().close()

    def records(self) -> Iterator[Record]:
        """Yields every record that counts, in order."""
        for piece in self.pieces():
            if isinstance(piece, Run):
                yield from piece.records()
            else:
                yield piece

    def pieces(self) -> Iterator[Union[Run, Record]]:
        """Yields the same, but events in runs: what only counts them needs no objects."""
        self._drop()
        try:
            self._reader = LibraryJournal(self.path)
            self._batches = self._reader.batches()
        except MainstemError:
            pass  # The reader in Python says what is wrong.
        return super().records()

    def _ahead(self, index: int) -> Iterator[Record]:
        file = self._files[index]
        for batch in self._batches_of(index):
            begin = int(_begins_file(batch))
            sizes = batch.column("size")[begin:]
            offsets = offsets_of(sizes, self._offset)
            if offsets[-1] > file.size:
                self._drop()
                break
            page = Page(batch, [0] * begin + offsets, file.path, self.version)
            # Runs are no records, but pass through what yields those.
            yield from cast(Iterator[Record], self._pieces_of(page, begin))
        if self._offset > FILE_HEADER_SIZE:
            self._link = int.from_bytes(file.read(self._offset - 4, 4), "little")

    def _pieces_of(self, page: Page, begin: int) -> Iterator[Union[Run, Record]]:
        for index in page.others(begin):
            if index > begin:
                run = Run(page, begin, index, self._last + 1, self._session)
                self._last += len(run)
                self._offset = page.offsets[index]
                self._progress(self._done + self._offset, self._size)
                yield run
            if index < len(page):
                record = page.record(index)
                self._count(record)
                yield record
                self._offset = page.offsets[index + 1]
            begin = index + 1

    # The library's batches -----------------------------------------------------------------------

    def _batches_of(self, index: int) -> Iterator[Batch]:
        """Yields the batches of a file, if the library reads the same one."""
        batch = self._fetch()
        if batch is None or batch[0][1] != self._files[index].read(0, FILE_HEADER_SIZE):
            return self._drop()
        while batch is not None:
            yield batch
            batch = self._fetch()
            if batch is not None and _begins_file(batch):
                self._waiting = batch
                return None
        return None

    def _fetch(self) -> Optional[Batch]:
        batch, self._waiting = self._waiting, None
        try:
            return batch or next(self._batches, None)
        except MainstemError:
            return None

    def _drop(self) -> None:
        reader, self._reader = self._reader, None
        self._batches, self._waiting = iter(()), None
        if reader is not None:
            reader.close()


def _begins_file(batch: Batch) -> bool:
    """Whether its first record is the header of a file."""
    header = batch[0][0]
    return header[7] == 0 and header[8] == 0

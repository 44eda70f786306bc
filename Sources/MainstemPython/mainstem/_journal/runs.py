# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Runs: intact records that follow each other in a file, each linked to the one before."""

from __future__ import annotations

from array import array
from typing import Iterator, List

from .file_bytes import FileBytes
from .file_header import FILE_HEADER_SIZE
from .record import Record
from .search import Search

#: How many runs are compared: a file could be forged to have only runs that are out of place.
_MOST_PASSED = 64


class Run:
    """The places of a run's records; they are read again, to keep the journal out of memory."""

    def __init__(self, path: str, record: Record) -> None:
        self.path = path
        #: The position of its first record if that is an event, else the one after it.
        self.first = record.position + (not record.is_event)
        self._offsets = array("Q")
        self._lengths = array("Q")

    def __len__(self) -> int:
        return len(self._offsets)

    def add(self, record: Record) -> None:
        """Adds the next record."""
        self._offsets.append(record.offset)
        self._lengths.append(record.length)

    def records(self, version: int) -> Iterator[Record]:
        """Yields its records."""
        file = FileBytes(self.path)
        try:
            for offset, length in zip(self._offsets, self._lengths):
                data, at = file.window(offset, length)
                yield Record(self.path, offset, data, at, version)
        finally:
            file.close()


def runs_of(path: str, key: int, version: int) -> List[Run]:
    """Returns all runs of a file."""
    runs: List[Run] = []
    file = FileBytes(path)
    end, link = -1, 0
    try:
        for record in Search(file, key, FILE_HEADER_SIZE, version).records(0):
            if record.offset != end or record.link != link:
                runs.append(Run(path, record))
            runs[-1].add(record)
            end, link = record.offset + record.length, record.checksum
    finally:
        file.close()
    return runs


def is_ahead(runs: List[Run], index: int, last: int) -> bool:
    """Whether a run is out of place: the next one that counts begins earlier and is no shorter."""
    run = runs[index]
    if run.first <= last + 1:
        return False
    for other in runs[index + 1 : index + 1 + _MOST_PASSED]:
        if other.first > last:
            return other.first <= run.first and len(other) >= len(run)
    return False

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Looks for intact records in unknown bytes."""

from __future__ import annotations

import struct
from typing import Iterator, Optional

from .checksum import PartChecksums
from .file_bytes import FileBytes
from .record import HEADER_SIZE, SMALLEST, Record, length_of
from .soundness import is_sound_header

_FIELDS = struct.Struct("<4Q")
_REST = struct.Struct("<I4xIiII")
_CHECKSUM = struct.Struct("<I")


class Search:
    """The intact records of a file from some offset on; links need not be right."""

    def __init__(self, file: FileBytes, key: int, offset: int, version: int) -> None:
        self._file = file
        self._version = version
        self._key = key
        self._begin = offset
        # A record ends at a multiple of 8, and its checksum may end in zeros.
        end = min(file.end_of_data(offset) + 15 & ~7, file.size)
        self._data = file.read(offset, end - offset)
        self._checksums = PartChecksums(self._data) if len(self._data) >= SMALLEST else None

    def records(self, position: int) -> Iterator[Record]:
        """Yields the records whose position is not below this one."""
        place = self._next(0, position)
        while place is not None:
            record = Record(self._file.path, self._begin + place, self._data, place, self._version)
            yield record
            place = self._next(place + record.length, position)

    def _next(self, place: int, position: int) -> Optional[int]:
        if self._checksums is None:
            return None
        last = len(self._data) - SMALLEST
        while place <= last:
            if self._is_intact(self._checksums, place, position):
                return place
            place += 8
        return None

    def _is_intact(self, checksums: PartChecksums, place: int, last: int) -> bool:
        # The cheapest checks come first: this runs at every eighth byte.
        position, cause, correlation, answers = _FIELDS.unpack_from(self._data, place)
        if position < last:
            return False
        size, *rest = _REST.unpack_from(self._data, place + 40)
        end, before = place + length_of(size), (cause, correlation, answers)
        if end > len(self._data) or not is_sound_header(position, before, *rest):
            return False
        checksum: int
        (checksum,) = _CHECKSUM.unpack_from(self._data, end - 4)
        return checksum == checksums.of(self._key, place, end - 4)


assert HEADER_SIZE + 8 == SMALLEST

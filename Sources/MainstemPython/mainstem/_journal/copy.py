# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Writes intact records into a new journal, each with a new link and checksum."""

from __future__ import annotations

import os
import struct
import time
from typing import BinaryIO, Optional, Tuple

from .checksum import crc32c
from .file_header import FILE_HEADER_SIZE, MAGIC, VERSION, key_of
from .record import (
    ANSWERED,
    CLOSING,
    DIGEST,
    END,
    ENDED,
    ORIGIN,
    READ_POINT,
    REFUSED,
    SESSION,
    SKIPPED,
    Record,
    named,
    scope_of,
)

_FILE_HEADER = struct.Struct("<8sII16sQQIIq60x")
_HEADER = struct.Struct("<4Qq3Ii2I")
_RANGE = struct.Struct("<QQ")
_ORIGIN = struct.Struct("<IIQQ")
_SESSION = struct.Struct("<qQQIIII")
_CONTINUES = 1


class Copy:
    """A new journal of one file, which must not exist yet. Only its owner may read it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._file: Optional[BinaryIO] = None
        self._id = os.urandom(16)
        self._key = key_of(self._id, 1)
        self._link = 0
        #: The last position; None before the first record.
        self._last = -1
        self._has_session = False
        self._can_prove = False
        #: How many records were written.
        self.records = 0

    def __enter__(self) -> "Copy":
        return self

    def __exit__(self, kind: object, *exception: object) -> None:
        # What is not whole does not stay: it would stand in the way of another try.
        if self._file is None:
            return
        is_whole = False
        try:
            with self._file:
                self._file.flush()
                os.fsync(self._file.fileno())
                is_whole = kind is None
        finally:
            if not is_whole:
                os.unlink(self._path)

    def missing_before(self, record: Record) -> "Optional[Tuple[int, int]]":
        """The range of positions missing between the last record and this one; None: none."""
        first = record.position
        if record.kind == SKIPPED:
            first = max(_RANGE.unpack_from(record.data)[0], self._last + 1)
        elif record.kind in (SESSION, DIGEST, END):
            first += 1
        elif not record.is_event:
            # The record that skips positions before it may come after it.
            return None
        return (self._last + 1, first - 1) if first > self._last + 1 > 0 else None

    def add(self, record: Record) -> None:
        """Adds the next record; an event that comes twice is written once."""
        if self._last < 0:
            self._begin(record.position if record.is_event else record.position + 1)
        if record.is_event and record.position <= self._last:
            return
        missing = self.missing_before(record)
        if missing:
            self._skip(missing[1])
        if record.kind == SKIPPED:
            last = _RANGE.unpack_from(record.data)[1]
            if last > self._last:
                self._skip(last)
            return
        if record.is_event:
            self._last = record.position
        self._write(record, _origin(record) if record.kind == ORIGIN else record.data)

    def _begin(self, first: int) -> None:
        # The file is created only when there is something to write.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
        self._file = os.fdopen(os.open(self._path, flags, 0o600), "wb")
        first = max(first, 1)
        header = _FILE_HEADER.pack(
            MAGIC, VERSION, FILE_HEADER_SIZE, self._id, 1, first, 0, 0, time.time_ns()
        )
        self._link = crc32c(0, header)
        self._file.write(header + struct.pack("<I", self._link))
        self._last = first - 1

    def _skip(self, last: int) -> None:
        data = _RANGE.pack(self._last + 1, last)
        self._last = last
        self._pack((last, 0, 0, 0, 0, len(data), self._link, 0, SKIPPED, 0, 0), data)

    def _write(self, record: Record, data: bytes) -> None:
        if record.kind == SESSION:
            self._has_session = self._can_prove = True
        elif not self._has_session:
            self._say_session(record)
        if (
            record.kind in (DIGEST, END, READ_POINT, CLOSING, REFUSED, ENDED, ANSWERED)
            and not self._can_prove
        ):
            # The beginning of its session is lost, so it cannot be compared with anything here.
            return
        fields = (record.position, record.cause, record.correlation, record.answers, record.time)
        kinds = (record.type, record.status, record.origin, record.flags)
        self._pack((*fields, len(data), self._link, *kinds), data)

    def _say_session(self, record: Record) -> None:
        """Writes an empty session, since a file begins with one and the original is lost."""
        self._has_session = True
        data = _SESSION.pack(record.time, 0, 0, 0, 0, _CONTINUES, 0)
        position = self._last - record.is_event
        self._pack((position, 0, 0, 0, record.time, len(data), self._link, 0, SESSION, 0, 0), data)

    def _pack(self, fields: "tuple[int, ...]", data: bytes) -> None:
        self.records += 1
        body = _HEADER.pack(*fields) + data
        body += bytes(-(len(body) + 4) % 8)
        self._link = crc32c(self._key, body)
        assert self._file is not None, "the first record creates it"
        self._file.write(body + struct.pack("<I", self._link))


def _origin(record: Record) -> bytes:
    """Returns an origin record's payload in the current format."""
    name: bytes
    number, name = named(record)
    return _ORIGIN.pack(number, 0, *scope_of(record)) + name

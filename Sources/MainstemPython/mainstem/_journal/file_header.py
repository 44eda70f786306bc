# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The first 128 bytes of a journal's file."""

from __future__ import annotations

import struct
from typing import NamedTuple

from .checksum import crc32c

MAGIC = b"\x89MSJ\r\n\x1a\n"
#: The version that is written; older ones can be read.
VERSION = 3
OLDEST_VERSION = 1
FILE_HEADER_SIZE = 128

_FILE_HEADER = struct.Struct("<8sII16sQQIIq60s")
_CHECKSUM = struct.Struct("<I")


class JournalError(Exception):
    """The reason a file is not a journal, or cannot be read."""


class VersionError(JournalError):
    """A file has a format version that this module does not read."""


class FileHeader(NamedTuple):
    """The first 128 bytes of a file."""

    journal: bytes
    number: int
    first: int
    link: int
    made: int
    checksum: int
    #: The format's version; 0: unknown, because the header is damaged.
    version: int = VERSION

    @property
    def key(self) -> int:
        """What the checksum of each record in the file begins with."""
        return key_of(self.journal, self.number)


def key_of(journal: bytes, number: int) -> int:
    """Returns the key of a file, given its journal's id and its number."""
    return crc32c(0, journal + struct.pack("<Q", number))


def file_header(data: bytes) -> FileHeader:
    """Reads a file header; raises JournalError if it is not one."""
    if data[:8] != MAGIC:
        raise JournalError("is not a journal: it does not begin like one")
    if len(data) < FILE_HEADER_SIZE:
        raise JournalError("is not a whole journal: its header is cut off")
    fields = _FILE_HEADER.unpack_from(data)
    (checksum,) = _CHECKSUM.unpack_from(data, FILE_HEADER_SIZE - 4)
    if checksum != crc32c(0, data[: FILE_HEADER_SIZE - 4]):
        raise JournalError("is damaged: the checksum of its header is wrong")
    if not OLDEST_VERSION <= fields[1] <= VERSION:
        raise VersionError(
            f"is a journal of version {fields[1]}, but this reads versions up to {VERSION}"
        )
    if fields[2] != FILE_HEADER_SIZE:
        raise JournalError(f"has a header of {fields[2]} bytes, but this reads {FILE_HEADER_SIZE}")
    if fields[4] == 0 or fields[5] == 0:
        raise JournalError("has a header that no journal has")
    return FileHeader(fields[3], fields[4], fields[5], fields[6], fields[8], checksum, fields[1])

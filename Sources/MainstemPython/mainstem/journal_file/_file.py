# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The files of a journal: their bytes, headers, checksums, and what they say of event types."""

from __future__ import annotations

import errno
import os
import stat
import struct
import time
from array import array
from functools import lru_cache
from typing import Callable, List, NamedTuple, Optional, Tuple, Type, TypeVar

__all__ = [
    "FILE_HEADER_SIZE",
    "MAGIC",
    "VERSION",
    "FileBytes",
    "FileHeader",
    "JournalError",
    "PartChecksums",
    "TypeInfo",
    "VersionError",
    "crc32c",
    "file_header",
    "files_of",
    "number_of",
]


# CRC-32C, eight bytes at a time; and of any part of some bytes without reading it again -----------

_CASTAGNOLI = 0x82F63B78
_ONES = 0xFFFFFFFF
_EIGHT = struct.Struct("8B")


def _make_tables() -> Tuple[List[int], ...]:
    tables = [[0] * 256 for _ in range(8)]
    for byte in range(256):
        rest = byte
        for _ in range(8):
            rest = rest >> 1 ^ (_CASTAGNOLI if rest & 1 else 0)
        tables[0][byte] = rest
    for place in range(1, 8):
        for byte in range(256):
            before = tables[place - 1][byte]
            tables[place][byte] = before >> 8 ^ tables[0][before & 255]
    return tuple(tables)


_T0, _T1, _T2, _T3, _T4, _T5, _T6, _T7 = _make_tables()


def crc32c(seed: int, data: bytes) -> int:
    """The checksum of bytes, continued from the checksum of those before them; 0: none.

    >>> hex(crc32c(0, b"123456789"))
    '0xe3069283'
    """
    state = seed ^ _ONES
    whole = len(data) & ~7
    for a, b, c, d, e, f, g, h in _EIGHT.iter_unpack(memoryview(data)[:whole]):
        state = (
            _T7[a ^ state & 255]
            ^ _T6[b ^ state >> 8 & 255]
            ^ _T5[c ^ state >> 16 & 255]
            ^ _T4[d ^ state >> 24]
            ^ _T3[e]
            ^ _T2[f]
            ^ _T1[g]
            ^ _T0[h]
        )
    for byte in data[whole:]:
        state = state >> 8 ^ _T0[(state ^ byte) & 255]
    return state ^ _ONES


class PartChecksums:
    """The checksum of any part of some bytes, in a time that does not grow with the part.

    A search for records asks at every eighth byte, and what it finds there may claim any size.
    Reading each part would take a time that grows with the square of the file's size.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        # The state after each eight bytes, begun with zero.
        self._states = array("I", [0])
        state = 0
        for a, b, c, d, e, f, g, h in _EIGHT.iter_unpack(memoryview(data)[: len(data) & ~7]):
            state = (
                _T7[a ^ state & 255]
                ^ _T6[b ^ state >> 8 & 255]
                ^ _T5[c ^ state >> 16 & 255]
                ^ _T4[d ^ state >> 24]
                ^ _T3[e]
                ^ _T2[f]
                ^ _T1[g]
                ^ _T0[h]
            )
            self._states.append(state)
        self._steps = [_tables_of([1 << bit for bit in range(32)], _one_zero)]

    def of(self, seed: int, begin: int, end: int) -> int:
        """The checksum of the bytes from `begin`, a multiple of 8, to `end`."""
        state = self._states[end >> 3]
        for byte in self._data[end & ~7 : end]:
            state = state >> 8 ^ _T0[(state ^ byte) & 255]
        return (
            self._after_zeros(seed ^ _ONES ^ self._states[begin >> 3], end - begin) ^ state ^ _ONES
        )

    def _after_zeros(self, state: int, count: int) -> int:
        step = 0
        while count:
            if step == len(self._steps):
                self._steps.append(self._twice(self._steps[-1]))
            if count & 1:
                state = _apply(self._steps[step], state)
            count >>= 1
            step += 1
        return state

    @staticmethod
    def _twice(tables: List[List[int]]) -> List[List[int]]:
        columns = [_apply(tables, 1 << bit) for bit in range(32)]
        return _tables_of(columns, lambda state: _apply(tables, state))


def _one_zero(state: int) -> int:
    return state >> 8 ^ _T0[state & 255]


def _apply(tables: List[List[int]], state: int) -> int:
    first, second, third, fourth = tables
    return (
        first[state & 255]
        ^ second[state >> 8 & 255]
        ^ third[state >> 16 & 255]
        ^ fourth[state >> 24]
    )


def _tables_of(columns: List[int], function: Callable[[int], int]) -> List[List[int]]:
    """Makes a table per byte for a linear function of 32 bits, from its values of the columns."""
    values = [function(column) for column in columns]
    tables = []
    for place in range(4):
        table = [0] * 256
        for byte in range(1, 256):
            low = byte & -byte
            table[byte] = table[byte ^ low] ^ values[8 * place + low.bit_length() - 1]
        tables.append(table)
    return tables


# The bytes of one file, read as they are needed ---------------------------------------------------

_WINDOW = 1 << 20
#: How long a write may be under way, in nanoseconds; how often it is waited for, and for how many
#: seconds at first.
_MOMENT, _TRIES, _PAUSE = 50_000_000, 8, 0.001

Found = TypeVar("Found")


class FileBytes:
    """A file read in windows: what its content claims never decides how much memory is used."""

    _descriptor = -1

    def __init__(self, path: str) -> None:
        self.path = path
        # Opening a pipe or a terminal must not block.
        self._descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        facts = os.fstat(self._descriptor)
        if not stat.S_ISREG(facts.st_mode):
            self.close()
            raise OSError(errno.EINVAL, "is not a file", path)
        #: Its size when it was opened; what is appended later does not count.
        self.size = facts.st_size
        #: What the system said of it then.
        self.facts = facts
        self._window = b""
        self._begin = 0

    def close(self) -> None:
        """Closes the file."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    # If a file turns out not to be a journal, nobody closes it.
    __del__ = close

    def measure(self) -> None:
        """Counts what was appended since, too."""
        self.size, self._window = max(self.size, os.fstat(self._descriptor).st_size), b""

    def read(self, offset: int, count: int) -> bytes:
        """Reads `count` bytes, or fewer at the end of the file."""
        data, at = self.window(offset, count)
        return data[at : at + count]

    def few(self, offset: int, count: int) -> bytes:
        """Reads the same, without a window: for records that are far from each other."""
        return self._read(offset, count)

    def window(self, offset: int, count: int) -> "tuple[bytes, int]":
        """Returns some bytes, and the index at which the requested ones begin in them."""
        end = min(offset + count, self.size)
        if offset < self._begin or end > self._begin + len(self._window):
            self._window = self._read(offset, max(_WINDOW, end - offset))
            self._begin = offset
        return self._window, offset - self._begin

    def later(self, read: Callable[[], Found], wrong: Type[Exception]) -> Optional[Found]:
        """Reads once more what was wrong, as it is now; None if it is wrong as before.

        Where the file was written a moment ago, it waits a little: a write may be under way. It
        waits longer where something was written since it was opened.
        """
        size = self.size
        for number in range(_TRIES):
            facts = os.fstat(self._descriptor)
            self.size, self._window = max(size, facts.st_size), b""
            try:
                return read()
            except wrong:
                is_old = abs(time.time_ns() - facts.st_mtime_ns) > _MOMENT
                opened = (self.facts.st_mtime_ns, self.facts.st_size)
                is_as_opened = (facts.st_mtime_ns, facts.st_size) == opened
                if is_old or (is_as_opened and number > 0):
                    break
            finally:
                self.size, self._window = size, b""
            time.sleep(_PAUSE * (number + 1))
        return None

    def end_of_data(self, offset: int) -> int:
        """The offset after the last byte that is not zero; at least `offset`."""
        end = offset
        while offset < self.size:
            # Skips holes, which were reserved and never written, if the system can tell.
            try:
                offset = max(offset, os.lseek(self._descriptor, offset, os.SEEK_DATA))
            except OSError as error:
                if error.errno == errno.ENXIO:
                    break
            data = self._read(offset, _WINDOW)
            if not data:
                break
            left = len(data.rstrip(b"\0"))
            end = offset + left if left else end
            offset += len(data)
        return end

    def _read(self, offset: int, count: int) -> bytes:
        parts = []
        count = min(count, self.size - offset)
        while count > 0:
            part = os.pread(self._descriptor, count, offset)
            if not part:
                break
            parts.append(part)
            offset += len(part)
            count -= len(part)
        return b"".join(parts) if len(parts) != 1 else parts[0]


# The first 128 bytes of a journal's file ----------------------------------------------------------

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


@lru_cache(maxsize=4)
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


# Finds the files of a journal: one, or numbered segments ------------------------------------------


def files_of(path: str) -> "tuple[List[str], List[str]]":
    """Returns the files of a journal, in order, and those after a gap in their numbers."""
    if os.path.lexists(path):
        return [path], []
    folder, name = os.path.split(path)
    try:
        names = os.listdir(folder or ".")
    except OSError:
        names = []
    numbers = sorted(
        int(each[len(name) + 1 :])
        for each in names
        if each.startswith(name + ".") and _is_number(each[len(name) + 1 :])
    )
    if not numbers:
        raise FileNotFoundError(2, "there is no such journal", path)
    paths = [f"{path}.{number:06}" for number in numbers]
    whole = 1
    while whole < len(numbers) and numbers[whole] == numbers[0] + whole:
        whole += 1
    return paths[:whole], paths[whole:]


def number_of(path: str) -> int:
    """Returns the number of a segment."""
    return int(path.rsplit(".", 1)[1])


def _is_number(text: str) -> bool:
    return len(text) >= 6 and text.isascii() and text.isdigit() and text == f"{int(text):06}"


# What a journal says about an event type ----------------------------------------------------------

_FORMS = {
    0: "none",
    1: "bytes",
    2: "text",
    3: "json",
    4: "struct",
    5: "bool",
    6: "integer",
    7: "number",
}
_ROLES = {1: "request", 2: "response", 3: "notice", 4: "value"}


class TypeInfo(NamedTuple):
    """What a journal says about an event type."""

    number: int
    contract: int
    name: bytes
    response: bytes

    @property
    def payload(self) -> str:
        """What its events carry."""
        return _FORMS.get(self.contract >> 32 & 15, "bytes")

    @property
    def role(self) -> str:
        """Its role: "request", "response", "notice" or "value"."""
        named = _ROLES.get(self.contract >> 36 & 15)
        if named:
            return named
        first = [word for word in (b"Request", b"Response") if self.name.startswith(word)]
        return first[0].decode().lower() if first else "notice"

    @property
    def is_command(self) -> bool:
        """Whether it is a command: a request `Owner.name`, whose answer is `Owner.name.done`."""
        return self.role == "request" and self.response == self.name + b".done"

    @property
    def is_secret(self) -> bool:
        """Whether its events are secrets: do not show or store their payloads."""
        return bool(self.contract >> 50 & 1)

    @property
    def is_list(self) -> bool:
        """Whether it is a list: its events carry changes, and the rows carry `payload`."""
        return bool(self.contract >> 51 & 1)

    @property
    def layer(self) -> int:
        """The number of its layer."""
        return self.contract >> 40 & 63

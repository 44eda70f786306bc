# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Many events in one buffer: headers from the front, then the payloads."""

from __future__ import annotations

import ctypes
import struct
from typing import Any, Iterator, List, NamedTuple, Tuple

from .failure import Status, check

#: mainstem_event_header, with only size, offset and type set.
_HEADER = struct.Struct("=40x3I12x")
#: mainstem_event_header in full.
_WHOLE_HEADER = struct.Struct("=4Qq3Ii2I")
#: Only its offset.
_OFFSET = struct.Struct("=44xI")
#: The address of the payload, which follows it in mainstem_event.
_ADDRESS = struct.Struct("=Q")
#: Padding to the next multiple of 8, so that structs are aligned in place.
_PADDING = tuple(b"\0" * (-size % 8) for size in range(8))


def pack(numbers: List[int], payloads: List[bytes]) -> Tuple[bytes, int]:
    """Packs events, given their type numbers and payloads. Returns the buffer and the count."""
    header = _HEADER.pack
    offset = len(numbers) * _HEADER.size
    parts = []
    for number, payload in zip(numbers, payloads):
        size = len(payload)
        parts.append(header(size, offset, number))
        offset += size + 7 & -8
    count = len(parts)
    for payload in payloads:
        parts.append(payload)
        if len(payload) & 7:
            parts.append(_PADDING[len(payload) & 7])
    return b"".join(parts), count


class EventHeader(NamedTuple):
    """The fields of a record's header: `EventHeader._make(header)`, or `header[7]` for the type."""

    position: int
    cause: int
    correlation: int
    answers: int
    time: int
    size: int
    offset: int
    type: int
    status: int
    origin: int
    flags: int


#: A header, as a plain tuple in the order of `EventHeader`, and the payload.
Record = Tuple[Tuple[int, ...], bytes]


def record_at(address: int) -> Record:
    """The header and the payload of an event in the library's memory."""
    header = _WHOLE_HEADER.unpack(ctypes.string_at(address, _WHOLE_HEADER.size))
    (data,) = _ADDRESS.unpack(ctypes.string_at(address + _WHOLE_HEADER.size, _ADDRESS.size))
    return header, ctypes.string_at(data, header[5])


class Batch:
    """Records that came with one call: a copy of their headers, and of their payloads.

    It is a sequence of them. What only counts reads the columns instead, and makes no objects.
    """

    __slots__ = ("_begin", "_heads", "_payloads")

    def __init__(self, heads: bytes, payloads: bytes, begin: int) -> None:
        self._heads = heads
        self._payloads = payloads
        # Where the payloads began in the library's buffer.
        self._begin = begin

    def __len__(self) -> int:
        return len(self._heads) // _WHOLE_HEADER.size

    def __iter__(self) -> Iterator[Record]:
        return zip(self.headers(), self.payloads())

    def __getitem__(self, index: int) -> Record:
        header = _WHOLE_HEADER.unpack_from(self._heads, index * _WHOLE_HEADER.size)
        return header, self._payload(header)

    def headers(self) -> Iterator[Tuple[int, ...]]:
        """The headers, each as a tuple in the order of `EventHeader`."""
        return _WHOLE_HEADER.iter_unpack(self._heads)

    def payloads(self) -> List[bytes]:
        """The payloads."""
        payloads, begin = self._payloads, self._begin
        sizes, places = self.column("size"), self.column("offset")
        return [payloads[at - begin : at - begin + size] for at, size in zip(places, sizes)]

    def column(self, name: str) -> List[int]:
        """One field of all headers: size, offset, type, status, origin or flags."""
        words = memoryview(self._heads)
        column = words.cast("i") if name == "status" else words.cast("I")
        return column[_COLUMNS[name] :: 16].tolist()

    def _payload(self, header: Tuple[int, ...]) -> bytes:
        at = header[6] - self._begin
        return self._payloads[at : at + header[5]]


#: Where a field is in a header, in words of four bytes.
_COLUMNS = {"size": 10, "offset": 11, "type": 12, "status": 13, "origin": 14, "flags": 15}
_NONE = Batch(b"", b"", 0)


class Buffer:
    """Memory that a function of the library fills with events."""

    __slots__ = ("_memory",)

    def __init__(self, size: int) -> None:
        self._memory = ctypes.create_string_buffer(size)

    @property
    def address(self) -> int:
        """Its address; valid until it is filled again."""
        return ctypes.addressof(self._memory)

    def fill(self, function: Any, *what: Any) -> Batch:
        """Fetches the next events; grows the buffer if not even one event fits.

        `what` comes before the buffer: a handle, and of a journal flags.
        """
        count, needed = ctypes.c_size_t(), ctypes.c_size_t()
        while True:
            memory = self._memory
            size = ctypes.sizeof(memory)
            status = function(*what, memory, size, ctypes.byref(count), ctypes.byref(needed))
            if status != Status.TOO_BIG:
                break
            self._memory = ctypes.create_string_buffer(needed.value)
        check(status)
        if not count.value:
            return _NONE
        # The last event's payload comes first in the buffer.
        heads = ctypes.string_at(memory, count.value * _WHOLE_HEADER.size)
        (begin,) = _OFFSET.unpack_from(heads, len(heads) - _WHOLE_HEADER.size)
        return Batch(heads, ctypes.string_at(self.address + begin, size - begin), begin)

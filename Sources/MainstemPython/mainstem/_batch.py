# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Many events in one buffer: headers from the front, then the payloads."""

from __future__ import annotations

import ctypes
import struct
from typing import Any, Iterator, List, NamedTuple, Tuple

from .failure import check
from .status import Status

#: mainstem_header, with only size, offset and type set.
_HEADER = struct.Struct("=40x3I12x")
#: mainstem_header in full.
_WHOLE_HEADER = struct.Struct("=4Qq3Ii2I")
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


class Header(NamedTuple):
    """The fields of a record's header: `Header._make(header)`, or `header[7]` for the type."""

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


#: A header, as a plain tuple in the order of `Header`, and the payload.
Record = Tuple[Tuple[int, ...], bytes]


def record_at(address: int) -> Record:
    """The header and the payload of an event in the library's memory."""
    header = _WHOLE_HEADER.unpack(ctypes.string_at(address, _WHOLE_HEADER.size))
    (data,) = _ADDRESS.unpack(ctypes.string_at(address + _WHOLE_HEADER.size, _ADDRESS.size))
    return header, ctypes.string_at(data, header[5])


class Buffer:
    """Memory that a function of the library fills with events."""

    __slots__ = ("_memory",)

    def __init__(self, size: int) -> None:
        self._memory = ctypes.create_string_buffer(size)

    @property
    def address(self) -> int:
        """Its address; valid until it is filled again."""
        return ctypes.addressof(self._memory)

    def fill(self, function: Any, handle: Any) -> Iterator[Record]:
        """Fetches the next events; grows the buffer if not even one event fits."""
        count, needed = ctypes.c_size_t(), ctypes.c_size_t()
        while True:
            memory = self._memory
            size = ctypes.sizeof(memory)
            status = function(handle, memory, size, ctypes.byref(count), ctypes.byref(needed))
            if status != Status.TOO_BIG:
                break
            self._memory = ctypes.create_string_buffer(needed.value)
        check(status)
        if not count.value:
            return iter(())
        # The last event's payload comes first in the buffer. A buffer over half full is copied
        # whole, so that offsets need no subtraction.
        heads = ctypes.string_at(memory, count.value * _WHOLE_HEADER.size)
        headers = list(_WHOLE_HEADER.iter_unpack(heads))
        begin = headers[-1][6]
        if begin - len(heads) < size >> 1:
            whole = ctypes.string_at(memory, size)
            return zip(headers, [whole[head[6] : head[6] + head[5]] for head in headers])
        rest = ctypes.string_at(self.address + begin, size - begin)
        return zip(headers, [rest[head[6] - begin : head[6] - begin + head[5]] for head in headers])

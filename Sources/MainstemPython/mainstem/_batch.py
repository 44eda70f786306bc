# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Many events as one buffer: headers from the front, payloads behind them."""

from __future__ import annotations

import ctypes
import struct
from typing import Any, Iterator, List, NamedTuple, Tuple

from .failure import check
from .status import Status

#: mainstem_header: all of it zero but size, offset and type.
_HEADER = struct.Struct("=40x3I12x")
#: All of it.
_WHOLE_HEADER = struct.Struct("=4Qq3Ii2I")
#: To the next multiple of 8, so that a struct is aligned where it lies.
_PADDING = tuple(b"\0" * (-size % 8) for size in range(8))


def pack(numbers: List[int], payloads: List[bytes]) -> Tuple[bytes, int]:
    """The buffer of events, of each the number of its type and its payload; and how many."""
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
    """The places of a record's header: `Header._make(header)`, or `header[7]` for the type."""

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


class Buffer:
    """Memory that a function of the library fills with events."""

    __slots__ = ("_memory",)

    def __init__(self, size: int) -> None:
        self._memory = ctypes.create_string_buffer(size)

    @property
    def address(self) -> int:
        """Where it begins, until it is filled again."""
        return ctypes.addressof(self._memory)

    def fill(self, function: Any, handle: Any) -> Iterator[Record]:
        """The next events; in a larger buffer where not even one has room."""
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
        # The last payload comes first. A full buffer is copied as a whole, so that offsets need no
        # subtraction.
        heads = ctypes.string_at(memory, count.value * _WHOLE_HEADER.size)
        headers = list(_WHOLE_HEADER.iter_unpack(heads))
        begin = headers[-1][6]
        if begin - len(heads) < size >> 1:
            whole = ctypes.string_at(memory, size)
            return zip(headers, [whole[head[6] : head[6] + head[5]] for head in headers])
        rest = ctypes.string_at(self.address + begin, size - begin)
        return zip(headers, [rest[head[6] - begin : head[6] - begin + head[5]] for head in headers])

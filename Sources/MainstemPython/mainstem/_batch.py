# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Many events as one buffer: headers from the front, payloads behind them."""

from __future__ import annotations

import struct
from typing import List, Tuple

#: mainstem_header: all of it zero but size, offset and type.
_HEADER = struct.Struct("=40x3I12x")
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

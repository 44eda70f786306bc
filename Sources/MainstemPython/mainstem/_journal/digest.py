# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""64 bits that show whether two runs had the same events."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Dict, Iterable, Tuple

if TYPE_CHECKING:
    from .record import Record

BEGIN = 0x9E3779B97F4A7C15
_FACTOR = 0x9FB21C651E98DF25
_ONES = 0xFFFFFFFFFFFFFFFF


def take(digest: int, words: Iterable[int]) -> int:
    """Returns a digest after taking in some words."""
    for word in words:
        digest = (digest ^ word) * _FACTOR & _ONES
        digest ^= digest >> 32
    return digest


def words_of(data: bytes) -> Tuple[int, ...]:
    """Returns bytes as words of eight bytes, the last one padded with zeros."""
    count = (len(data) + 7) // 8
    return struct.unpack(f"<{count}Q", data.ljust(8 * count, b"\0"))


def of_name(name: bytes) -> int:
    """The digest of a name."""
    return take(BEGIN, words_of(name))


class Digest:
    """The digest of a sequence of events."""

    __slots__ = ("_names", "bits")

    def __init__(self, bits: int = BEGIN) -> None:
        self.bits = bits
        self._names: Dict[bytes, int] = {}

    def take(self, event: Record, origin: bytes) -> None:
        """Takes in an event, with the name of its origin."""
        name = self._names.get(origin)
        if name is None:
            name = self._names.setdefault(origin, of_name(origin))
        words = (
            event.position,
            event.cause,
            event.correlation,
            event.answers,
            event.size | event.type << 32,
            event.status & 0xFFFFFFFF | (event.flags & 7) << 32,
            name,
        )
        self.bits = take(take(self.bits, words), words_of(event.data))

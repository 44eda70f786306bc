# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""CRC-32C, eight bytes at a time; and of any part of some bytes without reading it again."""

from __future__ import annotations

import struct
from array import array
from typing import Callable, List, Tuple

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

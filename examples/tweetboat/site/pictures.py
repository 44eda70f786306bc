# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The pictures of the site, drawn from a text when one is first asked for: each time the same."""

from __future__ import annotations

import random
import zlib
from colorsys import hls_to_rgb
from functools import lru_cache
from struct import pack
from typing import Iterable, List

AVATAR, CELLS = 48, 6
WIDTH, HEIGHT = 320, 180


def png(width: int, height: int, rows: Iterable[bytes]) -> bytes:
    """A picture of rows, whose pixels are three bytes each: red, green, blue."""
    header = pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND")


def chunk(kind: bytes, data: bytes = b"") -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))


def color(hue: float, light: float, strength: float = 0.5) -> bytes:
    return bytes(round(255 * part) for part in hls_to_rgb(hue % 1, light, strength))


@lru_cache(maxsize=None)
def avatar(name: str) -> bytes:
    """A pattern of squares, the same on both sides."""
    chance = random.Random(name)
    hue = chance.random()
    colors = [color(hue, 0.88), color(hue, 0.42), color(hue + 0.12, 0.6)]
    size, rows = AVATAR // CELLS, []
    for _ in range(CELLS):
        half = [chance.choice(colors) * size for _ in range(CELLS // 2)]
        rows += [b"".join(half + half[::-1])] * size
    return png(AVATAR, AVATAR, rows)


@lru_cache(maxsize=None)
def landscape(about: str) -> bytes:
    """The sky, the sun or the moon, and the sea."""
    chance = random.Random(about)
    hue, horizon = chance.random(), chance.randint(90, 130)
    x, y, radius = chance.randint(60, 260), chance.randint(30, 80), chance.randint(14, 30)
    rows: List[bytes] = []
    for line in range(HEIGHT):
        if line < horizon:
            row = bytearray(color(hue + line / 900, 0.35 + line / 300, 0.6) * WIDTH)
            half = int(max(0, radius**2 - (line - y) ** 2) ** 0.5)
            row[3 * (x - half) : 3 * (x + half)] = color(hue + 0.5, 0.88, 0.8) * (2 * half)
        else:
            row = bytearray(color(hue + 0.08, 0.5 - (line - horizon) / 250, 0.4) * WIDTH)
            for _ in range((line - horizon) // 12 + 1):
                at, length = chance.randrange(WIDTH - 30), chance.randint(8, 30)
                row[3 * at : 3 * (at + length)] = color(hue + 0.1, 0.66, 0.4) * length
        rows.append(bytes(row))
    return png(WIDTH, HEIGHT, rows)

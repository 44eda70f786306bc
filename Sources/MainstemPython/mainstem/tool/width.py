# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The greatest width a text can have, in any font a browser may use here."""

from __future__ import annotations

import math

_WIDEST, _CAPITAL, _USUAL, _NARROW = 1.14, 0.82, 0.72, 0.42


def width_of(text: str, size: float) -> float:
    """Returns the width in pixels, in bold; `size` is the font size."""
    # Exact, so that a picture is the same in each version of Python.
    return size * math.fsum(map(_letter, text))


def _letter(letter: str) -> float:
    if letter in "WMmw@%—…" or letter > "\u017f":
        return _WIDEST
    if letter in "ijltf.,:;'|!()[] ":
        return _NARROW
    return _CAPITAL if letter.isupper() else _USUAL


def fitted(text: str, size: float, room: float) -> str:
    """Returns as much of a text as fits."""
    if width_of(text, size) <= room:
        return text
    room -= width_of("…", size)
    end = 0
    while end < len(text) and room >= _letter(text[end]) * size:
        room -= _letter(text[end]) * size
        end += 1
    return text[:end] + "…"

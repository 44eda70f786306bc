# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Escapes text as the library does, for one line; Bytes.swift has the same table."""

from __future__ import annotations

import re

# Controls, separators and format characters; and halves of surrogate pairs, which only Python has.
_UNSEEN = (
    "\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff"
    "\ufff0-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e007f"
)
_FOUND = re.compile(f"[{_UNSEEN}]")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _escape(found: "re.Match[str]") -> str:
    unseen = found.group()
    return _SHORT.get(unseen) or _digits(ord(unseen))


def _escape_in_json(found: "re.Match[str]") -> str:
    return _digits(ord(found.group()))


def _digits(scalar: int) -> str:
    if scalar > 0xFFFF:
        rest = scalar - 0x10000
        return f"\\u{0xD800 | rest >> 10:04x}\\u{0xDC00 | rest & 0x3FF:04x}"
    return f"\\u{scalar:04x}"


def plain(text: str) -> str:
    """Escapes text: it cannot control a terminal, start another line, or read as something else."""
    return _FOUND.sub(_escape, text)


def plain_json(text: str) -> str:
    """Escapes JSON on one line, where such characters can only be inside strings."""
    return _FOUND.sub(_escape_in_json, text)


def shortened(data: bytes, longest: int) -> str:
    """Escapes the bytes of a text for one line, cut after a whole character."""
    if len(data) <= longest:
        return plain(data.decode("utf-8", "backslashreplace"))
    end = longest
    for start in range(longest - 3, longest):
        if start >= 0 and start + _length(data, start) > longest:
            end = start
            break
    return plain(data[:end].decode("utf-8", "backslashreplace")) + "…"


def _length(data: bytes, start: int) -> int:
    """The length of the character that begins there; 1 if none does."""
    first = data[start]
    length = 4 if first >= 0xF0 else 3 if first >= 0xE0 else 2 if first >= 0xC0 else 1
    try:
        data[start : start + length].decode("utf-8")
    except UnicodeDecodeError:
        return 1
    return length

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What differs between a value and the one before: of long ones, only that is shown."""

from __future__ import annotations

import json
from typing import Any, List, Optional, Tuple

from ..journal_file import Record
from ._dump import Owner, Owners
from ._reading import content_of, plain, value_of

__all__ = ["Value", "contrast", "words_in"]

#: Longer payloads are not taken apart, in bytes.
_MOST = 1 << 20
#: How much is shown before what differs; so short lists are shown whole.
_BEFORE, _SHORT = 12, 40

#: A value by its last event, and of whom: without that, the rows of a list are not known.
Value = Tuple[Optional[Owners], Optional[Owner], Record]


def contrast(old: Value, new: Value, longest: int) -> Tuple[str, str]:
    """Returns how a value was and how it is; if they are long, around what differs."""
    texts = _whole(old), _whole(new)
    most = max(map(len, texts))
    before, after = (None, None) if most <= _SHORT else (_elements(old), _elements(new))
    if before is not None and after is not None:
        return _rows(before, after, longest)
    return texts if most <= longest else _around(texts[0], texts[1], longest)


def _whole(value: Value) -> str:
    owners, owner, event = value
    if owners is None or owner is None:
        return value_of(event, _MOST)
    return owners.shown(owner, event, _MOST)


def _elements(value: Value) -> Optional[List[str]]:
    """The rows of a list, or the elements of a JSON array, as texts; None: it is neither."""
    owners, owner, event = value
    info = event.type_info
    if event.status or event.marked or info.is_secret or len(event.data) > _MOST:
        return None
    if info.is_list:
        rows = None if owners is None or owner is None else owners.rows(owner, event)
        return None if rows is None else [content_of(row.data, info, _MOST) or "" for row in rows]
    parsed = _parsed(event)
    if not isinstance(parsed, list):
        return None
    return [plain(json.dumps(each, ensure_ascii=False)) for each in parsed]


def _parsed(event: Record) -> Any:
    """What JSON is in a payload; None: none."""
    if event.type_info.payload != "json":
        return None
    try:
        return json.loads(event.data)
    except (ValueError, RecursionError):
        return None


def _rows(old: List[str], new: List[str], longest: int) -> Tuple[str, str]:
    """The elements that differ, without those at both ends that do not."""
    least, begin, end = min(len(old), len(new)), 0, 0
    while begin < least and old[begin] == new[begin]:
        begin += 1
    while end < least - begin and old[-1 - end] == new[-1 - end]:
        end += 1

    def told(rows: List[str], other: List[str]) -> str:
        some = rows[begin : len(rows) - end]
        parts = ["…"] * (begin > 0)
        if len(some) == 1 == len(other) - begin - end and len(some[0]) > longest:
            parts.append(_around(some[0], other[begin], longest)[0])
        elif some:
            text = ", ".join(some[:50])
            parts.append(text if len(text) <= longest and len(some) <= 50 else text[:longest] + "…")
        return f"[{', '.join(parts + ['…'] * (end > 0))}] of {len(rows)}"

    return told(old, new), told(new, old)


def _around(old: str, new: str, longest: int) -> Tuple[str, str]:
    """Two texts from shortly before the place where they begin to differ."""
    least, begin = min(len(old), len(new)), 0
    while begin < least and old[begin] == new[begin]:
        begin += 1
    begin = max(0, begin - _BEFORE)

    def told(text: str) -> str:
        cut = text[begin : begin + longest]
        after = "…" if begin + longest < len(text) else ""
        return f"{'…' if begin else ''}{cut}{after}"

    return told(old), told(new)


def words_in(event: Record, longest: int) -> str:
    """Returns what a JSON object of numbers and texts was given: `date, 5`; "": it is no such."""
    parsed = _parsed(event) if not (event.marked or event.type_info.is_secret) else None
    given = list(parsed.values()) if isinstance(parsed, dict) else []
    if any(isinstance(each, (dict, list)) for each in given):
        return ""
    text = ", ".join(each if isinstance(each, str) else json.dumps(each) for each in given)
    return plain(text if len(text) <= longest else text[:longest] + "…")

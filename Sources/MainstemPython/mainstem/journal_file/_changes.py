# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the event of a list says: its changes, and the rows that they bring."""

from __future__ import annotations

import struct
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

from ._file import TypeInfo

__all__ = ["ListChange", "ListChanges", "ListRow", "ListSpan", "changes_of"]


class ListRow(NamedTuple):
    """A row of a list."""

    key: bytes
    data: bytes


class ListChange(NamedTuple):
    """What happens to a run of rows: "reset", "remove", "move", "insert" or "update"."""

    kind: str
    #: The first row of the run when the change begins.
    index: int  # type: ignore[assignment]
    count: int  # type: ignore[assignment]
    #: Of a move: where the run goes, counted without it.
    to: int = 0


class ListSpan(NamedTuple):
    """All changes as one: from row `at` on, `removed` rows were replaced by `added` rows."""

    at: int
    removed: int
    added: int


_KINDS: Tuple[str, ...] = ("reset", "remove", "move", "insert", "update")
#: The kinds of changes that bring no rows.
_WITHOUT_ROWS = (1, 2)
_HEADER = struct.Struct("<6I")
#: Behind the header of a list that is a part of a longer sequence: its offset, and the total.
_WINDOW = struct.Struct("<2Q")
_CHANGE = struct.Struct("<4I")
_SIZES = struct.Struct("<2I")
_LONGEST_KEY = 255


class ListChanges:
    """The changes of one event, in the order in which they are applied."""

    __slots__ = ("changes", "count", "offset", "rows", "span", "total")

    def __init__(
        self,
        window: Tuple[int, int, int],
        span: ListSpan,
        changes: Tuple[ListChange, ...],
        rows: Tuple[ListRow, ...],
    ) -> None:
        #: Which part of a longer sequence the list is then: how many rows come before its rows, how
        #: many it has, and how many the sequence has. Of a list that is no part: 0, and twice the
        #: same.
        self.offset, self.count, self.total = window
        self.span = span
        self.changes = changes
        #: The rows of all insertions and updates, or of the whole list.
        self.rows = rows

    def __repr__(self) -> str:
        return f"<ListChanges: {self}>"

    def __str__(self) -> str:
        """How many rows came, went and changed, as the library's line says it."""
        counts: Dict[str, int] = dict.fromkeys(_KINDS, 0)
        for change in self.changes:
            counts[change.kind] += change.count
        sign = "=" if self.is_reset else "+"
        added, changed = counts["reset"] + counts["insert"], counts["move"] + counts["update"]
        return f"{sign}{added} -{counts['remove']} ~{changed} of {self.count}{self._part}"

    @property
    def _part(self) -> str:
        """Which part the list is, as a line says it; nothing if it is no part."""
        if self.count == self.total:
            return ""
        which = f"rows {self.offset}-{self.offset + self.count - 1}" if self.count else "no rows"
        return f", {which} of {self.total}"

    @property
    def is_reset(self) -> bool:
        """Whether the list is there as a whole."""
        return bool(self.changes) and self.changes[0].kind == "reset"

    def each(self) -> Iterator[Tuple[ListChange, Tuple[ListRow, ...]]]:
        """Yields each change with the rows that it brings."""
        begin = 0
        for change in self.changes:
            count = 0 if _KINDS.index(change.kind) in _WITHOUT_ROWS else change.count
            yield change, self.rows[begin : begin + count]
            begin += count


def changes_of(data: bytes, info: TypeInfo) -> Optional[ListChanges]:
    """Reads the payload of a list's event; None: it is not one that a writer makes."""
    if len(data) < _HEADER.size:
        return None
    rows_then, at, removed, added, count, is_part = _HEADER.unpack_from(data)
    start = _HEADER.size + (_WINDOW.size if is_part else 0)
    begin = start + count * _CHANGE.size
    if is_part > 1 or begin > len(data):
        return None
    offset, total = _WINDOW.unpack_from(data, _HEADER.size) if is_part else (0, rows_then)
    if offset + rows_then > total:
        return None
    changes, wanted = [], 0
    for kind, index, length, to in _CHANGE.iter_unpack(data[start:begin]):
        if kind >= len(_KINDS) or not (length or (kind == 0 and count == 1)):
            return None
        wanted += 0 if kind in _WITHOUT_ROWS else length
        changes.append(ListChange(_KINDS[kind], index, length, to))
    rows = _rows(data, begin, wanted, info)
    if rows is None:
        return None
    window = (offset, rows_then, total)
    return ListChanges(window, ListSpan(at, removed, added), tuple(changes), rows)


def _rows(data: bytes, begin: int, wanted: int, info: TypeInfo) -> Optional[Tuple[ListRow, ...]]:
    rows: List[ListRow] = []
    while wanted > len(rows):
        if begin + _SIZES.size > len(data):
            return None
        key_size, size = _SIZES.unpack_from(data, begin)
        middle = begin + _SIZES.size + key_size
        end = middle + size
        if end > len(data):
            return None
        row = ListRow(data[begin + _SIZES.size : middle], data[middle:end])
        if not (0 < key_size <= _LONGEST_KEY and _is_text(row.key) and _admits(info, row.data)):
            return None
        rows.append(row)
        begin = end
    return tuple(rows) if begin == len(data) else None


_BYTES, _TEXTS, _STRUCT, _BOOL = 1, (2, 3), 4, 5
#: The sizes of scalars, and of nothing.
_EXACT = {0: 0, _BOOL: 1, 6: 8, 7: 8}


def _admits(info: TypeInfo, data: bytes) -> bool:
    """Whether the payload of a row has the form that its contract says."""
    form = info.contract >> 32 & 15
    if form in _TEXTS:
        return _is_text(data)
    if form == _BOOL and data > b"\1":
        return False
    size = info.contract & 0xFFFFFFFF if form == _STRUCT else _EXACT.get(form)
    return form == _BYTES or len(data) == size


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True

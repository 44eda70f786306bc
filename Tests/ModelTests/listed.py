# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the log says of a list. Several selections of rows to move may be the fewest: how many rows
move is compared, and that all changes fit what an observer had.
"""

from __future__ import annotations

from typing import Any, Callable, Sequence

from reference.declarations import d
from reference.flow.changes import longest
from reference.flow.values import Row

WORDS = {
    d.LIST_RESET: "all",
    d.LIST_REMOVE: "-",
    d.LIST_MOVE: ">",
    d.LIST_INSERT: "+",
    d.LIST_UPDATE: "*",
}


def as_it_is(data: bytes) -> str:
    return data.decode("latin-1").strip()


def text_of(rows: Sequence[Row], named: Callable[[bytes], str] = as_it_is) -> str:
    return " ".join(f"{key[:3]!r}:{named(data)}" for key, data in rows)


def facts_of(shown: Any, named: Callable[[bytes], str]) -> tuple[str, ...]:
    """All that an event shows of a list; `named`: what a payload says."""
    moved = sum(count for kind, _, count, _ in shown.changes if kind == d.LIST_MOVE)
    changes = [
        f"{WORDS.get(kind, kind)}{index}+{count}"
        for kind, index, count, _ in shown.changes
        if kind != d.LIST_MOVE
    ]
    span = shown.span if shown.span.removed or shown.span.added else "empty"
    return (
        f"list {text_of(shown.rows, named)}, window {shown.window}",
        f"changes {changes}, {moved} moved, span {span}",
        shown.trouble,
    )


def fit(had: Sequence[Row] | None, shown: Any) -> str:
    """Whether the changes, applied to what an observer had, give the list: why not."""
    kinds = [kind for kind, *_ in shown.changes]
    if d.LIST_RESET in kinds:
        return "whole" if len(kinds) == 1 else "whole, and more"
    if kinds != sorted(kinds):
        return "in another order"
    if had is None:
        return "changes of what it never had"
    rows = list(had)
    for change in shown.changes:
        if not APPLIED[change[0]](rows, shown.rows, *change[1:]):
            return f"{change} does not fit"
    if rows != shown.rows:
        return f"gives {text_of(rows)}"
    return "fits" if moved(shown) <= fewest(had, shown.rows) else "moves too many"


def moved(shown: Any) -> int:
    return sum(count for kind, _, count, _ in shown.changes if kind == d.LIST_MOVE)


def fewest(old: Sequence[Row], new: Sequence[Row]) -> int:
    """How few rows can move."""
    keys = [key for key, _ in new]
    left = [keys.index(key) for key, _ in old if key in keys]
    return len(left) - len(longest(left))


def remove(rows: list[Row], _: list[Row], index: int, count: int, to: int) -> bool:
    is_there = 0 < count <= len(rows) - index and not to
    del rows[index : index + count]
    return is_there


def move(rows: list[Row], _: list[Row], index: int, count: int, to: int) -> bool:
    is_there = 0 < count <= len(rows) - index and to <= len(rows) - count and to != index
    run = rows[index : index + count]
    del rows[index : index + count]
    rows[to:to] = run
    return is_there


def insert(rows: list[Row], new: list[Row], index: int, count: int, to: int) -> bool:
    is_there = count > 0 and index <= len(rows) and not to
    rows[index:index] = new[index : index + count]
    return is_there


def update(rows: list[Row], new: list[Row], index: int, count: int, to: int) -> bool:
    """Only rows that differ."""
    pairs = list(zip(rows[index : index + count], new[index : index + count]))
    rows[index : index + count] = new[index : index + count]
    is_there = len(pairs) == count and not to
    return is_there and all(old[0] == row[0] and old != row for old, row in pairs)


APPLIED: dict[int, Callable[..., bool]] = {
    d.LIST_REMOVE: remove,
    d.LIST_MOVE: move,
    d.LIST_INSERT: insert,
    d.LIST_UPDATE: update,
}

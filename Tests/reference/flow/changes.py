# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What changes between two lists, in the simplest way (lists.h)."""

from __future__ import annotations

from typing import Any, List, NamedTuple, Sequence, Tuple

from reference.declarations import d
from reference.flow.values import Row

#: Kind, index, count, and where a run moves.
Change = Tuple[int, int, int, int]


class Span(NamedTuple):
    at: int
    removed: int
    added: int


class Shown:
    """The list that an event shows; `before` is the one that its changes follow, if they do."""

    def __init__(
        self, rows: Sequence[Row], before: Sequence[Row] | None, window: Tuple[int, int]
    ) -> None:
        self.rows, self.before, self.window = list(rows), before, window
        self.trouble = ""

    @property
    def changes(self) -> list[Change]:
        if self.before is None:
            return [(d.LIST_RESET, 0, len(self.rows), 0)]
        return changes_between(list(self.before), self.rows)

    @property
    def span(self) -> Span:
        if self.before is None:
            return Span(0, 0, len(self.rows))
        before = list(self.before)
        first = common(before, self.rows)
        last = common(before[first:][::-1], self.rows[first:][::-1])
        return Span(first, len(before) - first - last, len(self.rows) - first - last)


def common(one: Sequence[Any], other: Sequence[Any]) -> int:
    """How many are the same at the beginning."""
    differing = (index for index, (a, b) in enumerate(zip(one, other)) if a != b)
    return next(differing, min(len(one), len(other)))


def changes_between(old: list[Row], new: list[Row]) -> list[Change]:
    """Removals from behind, moves, insertions and updates from the front."""
    payloads, keys = dict(old), [key for key, _ in new]
    gone = [index for index, (key, _) in enumerate(old) if key not in keys]
    added = [index for index, key in enumerate(keys) if key not in payloads]
    other = [
        index for index, (key, data) in enumerate(new) if key in payloads and payloads[key] != data
    ]
    left = [key for key, _ in old if key in keys]
    return [
        *((d.LIST_REMOVE, *run, 0) for run in reversed(runs(gone))),
        *moves(left, [key for key in keys if key in payloads]),
        *((d.LIST_INSERT, *run, 0) for run in runs(added)),
        *((d.LIST_UPDATE, *run, 0) for run in runs(other)),
    ]


def runs(indices: Sequence[int]) -> List[Tuple[int, int]]:
    """Indices that follow each other: the first, and how many."""
    found: List[Tuple[int, int]] = []
    for index in indices:
        if found and sum(found[-1]) == index:
            found[-1] = (found[-1][0], found[-1][1] + 1)
        else:
            found.append((index, 1))
    return found


def moves(left: list[bytes], wanted: list[bytes]) -> list[Change]:
    """Moves what is outside of one longest increasing run, each behind its predecessor."""
    made: list[Change] = []
    staying = longest([wanted.index(key) for key in left])
    order = list(left)
    for to, key in enumerate(wanted):
        if to not in staying:
            index = order.index(key)
            del order[index]
            at = order.index(wanted[to - 1]) + 1 if to else 0
            order.insert(at, key)
            made.append((d.LIST_MOVE, index, 1, at))
    return made


def longest(numbers: list[int]) -> list[int]:
    """One of the longest increasing selections."""
    best: list[list[int]] = []
    for number in numbers:
        before = [each for each in best if each[-1] < number]
        best.append([*max(before, key=len, default=[]), number])
    return max(best, key=len, default=[])

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What an observer of a list has that only applies its changes."""

from __future__ import annotations

from typing import Any, List

import mainstem
from mainstem import Rows


class Applied:
    """An observer that only applies the changes."""

    def __init__(self) -> None:
        self.rows: List[Any] = []
        self.events = self.resets = 0

    def __call__(self, rows: Rows[Any]) -> None:
        before = list(self.rows)
        self.events += 1
        for change in rows.changes:
            self.apply(rows, change)
        assert self.rows == list(rows)
        if rows.changes and rows.changes[0].kind != "reset":
            at, removed, added = rows.span
            before[at : at + removed] = rows[at : at + added]
            assert before == self.rows

    def apply(self, rows: Rows[Any], change: mainstem.RowChange) -> None:
        kind, index, count, to = change
        run = slice(index, index + count)
        if kind == "reset":
            assert count == len(rows)
            self.resets += 1
            self.rows = list(rows)
        elif kind == "remove":
            del self.rows[run]
        elif kind == "move":
            moved = self.rows[run]
            del self.rows[run]
            self.rows[to:to] = moved
        elif kind == "insert":
            self.rows[index:index] = rows[run]
        else:
            self.rows[run] = rows[run]

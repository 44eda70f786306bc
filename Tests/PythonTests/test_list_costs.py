# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A row that is added to a long list costs what it costs in a short one."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Any, Callable, Tuple

import mainstem
import pytest
from mainstem import Context, Rows

ADDS = 2_000


@dataclasses.dataclass(frozen=True)
class Todo:
    id: int
    title: str
    done: bool = False


class Todos(mainstem.ViewModel):
    rows: Tuple[Todo, ...] = mainstem.shown((), key="id")

    @mainstem.command
    def add(self, title: str) -> None:
        self.rows += (Todo(len(self.rows), title),)


class Seen:
    """A view that reads what was inserted, and nothing else."""

    def __init__(self) -> None:
        self.read = 0

    def __call__(self, rows: Rows[Todo]) -> None:
        for change in rows.changes:
            self.read += len(rows[change.index : change.index + change.count])


def calls_of(work: Callable[[], Any]) -> int:
    """How many functions are called meanwhile, of Python and of C."""
    calls = 0

    def note(_: Any, event: str, __: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("is_watched", [False, True], ids=["alone", "with a view"])
def test_each_of_2000_adds_makes_as_many_calls(is_watched):
    with Context(raises=True) as context:
        seen = Seen()
        todos = context.open(Todos())
        view = todos.bind(rows=seen) if is_watched else todos.bind()

        def add(count: int) -> None:
            for _ in range(count):
                view.add("a title")

        add(100)
        first = calls_of(lambda: add(100))
        add(ADDS - 300)
        last = calls_of(lambda: add(100))

        assert len(view.rows) == ADDS
        assert first > 100
        assert last <= first * 1.02
        assert seen.read == (ADDS if is_watched else 0)


def recorded_bytes(path: Path, adds: int) -> int:
    with Context(raises=True) as context:
        context.record(str(path))
        view = context.open(Todos()).bind()
        for _ in range(adds):
            view.add("a title")
    return path.stat().st_size


def test_a_journal_of_adds_grows_with_their_number(tmp_path):
    half = recorded_bytes(tmp_path / "half", ADDS // 2)
    whole = recorded_bytes(tmp_path / "whole", ADDS)
    assert half > ADDS // 2 * 100
    assert whole <= 2.1 * half

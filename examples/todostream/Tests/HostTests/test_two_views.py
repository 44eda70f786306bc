# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Two windows, one session: views of one context show the same, and a second one may come later."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path
from typing import Any, List

import pytest
from hosts import ENVIRONMENT, VERIFIERS, mainstem, todo
from todostream import install

COMMANDS = ("add", "add", "edit", "toggle", "move", "delete", "undo", "restore", "purge", "list")
QUERIES = ("find 3", "sort title", "sort priority", "page 1", "page 2", "list")


class View(todo.View):
    """A view that keeps what it prints of changes."""

    def __init__(self, context: mainstem.Context, todos: mainstem.Scope, name: str) -> None:
        self.printed: List[str] = []
        super().__init__(context.scope(name, sends="viewmodel", observes="viewmodel"), todos)

    def print_row(self, sign: str, place: int, rows: mainstem.Rows[Any]) -> None:
        if sign:
            self.printed.append(f"{sign}{rows.offset + place + 1}. {rows[place]['title']}")

    def use(self, command: str, argument: str = "") -> None:
        self.obey(command, argument)
        self.settle()

    @property
    def content(self) -> Any:
        return list(self.rows), list(self.deleted), self.list


def test_what_one_window_does_the_other_shows(tmp_path: Path) -> None:
    with mainstem.Context() as context:
        todos = install(context, str(tmp_path / "todo.sqlite"))
        first = View(context, todos, "first")
        first.open()
        first.use("add", "Milk")
        second = View(context, todos, "second")
        assert second.content == first.content
        assert second.printed == []

        second.use("add", "Bread")
        first.use("toggle", "2")
        assert first.printed == ["+ 1. Milk", "+ 1. Bread", "* 2. Milk"]
        assert second.printed == first.printed[1:]
        assert second.content == first.content
        assert context.first_error() is None


def test_a_query_of_one_window_is_a_change_for_the_other(tmp_path: Path) -> None:
    with mainstem.Context() as context:
        todos = install(context, str(tmp_path / "todo.sqlite"))
        first, second = (View(context, todos, name) for name in ("first", "second"))
        first.open()
        for title in ("Milk", "Bread", "Tea"):
            first.use("add", title)
        first.printed, second.printed = [], []

        second.use("sort", "title")
        assert second.printed == []
        assert first.printed != []
        second.use("find", "EA")
        assert [row["title"] for row in first.rows] == ["Bread", "Tea"]
        second.use("page", "2")
        assert (len(first.rows), first.rows.offset, first.rows.total) == (0, 2, 2)
        second.use("list")
        first.printed, second.printed = [], []
        first.use("delete", "1")
        assert first.printed == second.printed == ["- 1. Tea"]


@pytest.mark.parametrize("seed", range(5))
def test_windows_that_come_and_go_stay_in_step(tmp_path: Path, seed: int) -> None:
    draw, queries = random.Random(seed), random.Random(seed)
    path = tmp_path / "session.journal"
    with mainstem.Context() as context:
        context.record(path)
        todos = install(context, str(tmp_path / "todo.sqlite"))
        views = [View(context, todos, "first")]
        views[0].open()
        for step in range(60):
            if draw.random() < 0.1:
                views.append(View(context, todos, f"view {step}"))
            elif draw.random() < 0.05 and len(views) > 1:
                views.pop(draw.randrange(len(views))).scope.end()
            number = draw.randint(1, 6)
            argument = f"{number} {draw.randint(1, 6)}" if step % 2 else f"{number}"
            view, command = draw.choice(views), draw.choice(COMMANDS)
            if queries.random() < 0.2:
                view.use(*queries.choice(QUERIES).split())
            view.use(command, argument)
            assert [view.content for view in views] == [views[0].content] * len(views)
        assert len(views) > 1
        assert context.first_error() is None
    for verifier in VERIFIERS.values():
        done = subprocess.run([*verifier, path], capture_output=True, text=True, env=ENVIRONMENT)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout

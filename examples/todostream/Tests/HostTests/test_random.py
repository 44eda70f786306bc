# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Random sessions: what was said to be saved is saved, and so is all that is shown; each verifies.

A session has some phases, each a context on the same file. In a phase, views come and go, and
another program holds the file, for a moment or for long, or it takes nothing more, or it is
read-only. A phase may end while the store is still asked. Hosts are killed in the middle, too.

TODOSTREAM_SESSIONS and TODOSTREAM_SEED choose how many sessions, and the first seed.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import resource
import sqlite3
from functools import partial
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

import pytest
from hosts import ENVIRONMENT, HOSTS, VERIFIERS, mainstem, make_read_only, make_writable, todo
from sessions import killed, verify
from todostream import install, verifier

SESSIONS = int(os.environ.get("TODOSTREAM_SESSIONS", "10"))
SEED = int(os.environ.get("TODOSTREAM_SEED", "1"))
PROVERS = (
    partial(verifier.prove, partial(install, path="/no/store")),
    VERIFIERS.get("Swift", VERIFIERS["Python"]),
)
COMMANDS = {
    "add": ("Milk", "Öl 🥛", "خبز", "  ", "x" * 300),
    "edit": ("Oat milk", " "),
    "subtitle": ("two litres", ""),
    **dict.fromkeys(("priority", "toggle", "delete", "restore", "purge", "undo", "list"), ("",)),
    "move": ("1", "2", "5"),
}
WEIGHTS = {"add": 4, "delete": 2}
LOCKED = "Another program is using the list. Please try again."
NO_ROW = "There is no such row."  # as the one before could not be added


class View(todo.View):
    """A view that prints nothing."""

    def print_row(self, sign: str, place: int, row: Any) -> None: ...

    @property
    def content(self) -> Tuple[List[Any], List[Any]]:
        return list(self.rows), list(self.deleted)


def view_of(context: mainstem.Context, todos: mainstem.Scope, name: str) -> View:
    return View(context.scope(name, sends="viewmodel", observes="viewmodel"), todos)


def kept(database: Path) -> Tuple[List[Any], List[Any]]:
    """What another process would read."""
    with mainstem.Context() as context:
        reader = view_of(context, install(context, str(database)), "reader")
        reader.open()
        return reader.content


@contextlib.contextmanager
def held(database: Path) -> Iterator[None]:
    """Another program holds the file."""
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("ROLLBACK")


@contextlib.contextmanager
def full(database: Path) -> Iterator[None]:
    """The store's log cannot grow; the journal, which is smaller, can."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with contextlib.closing(sqlite3.connect(database)) as other, other:
        other.execute("CREATE TABLE IF NOT EXISTS other (bytes BLOB)")
        other.execute("INSERT INTO other VALUES (zeroblob(1000000))")
    size = Path(f"{database}-wal").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextlib.contextmanager
def read_only(database: Path) -> Iterator[None]:
    make_read_only(database)
    yield
    make_writable(database)


#: What the store may meet in the middle of a phase; and "slow": another program holds the file
#: again and again, and the store waits.
TROUBLE = {"locked": held, "full": full}
KINDS = ("", "slow", *TROUBLE)


class Phase:
    """A context on the file, with views that come and go."""

    def __init__(
        self, draw: random.Random, context: mainstem.Context, database: Path, kind: str
    ) -> None:
        self.draw, self.context, self.database, self.kind = draw, context, database, kind
        patience = 60_000 if kind == "slow" else 1
        self.todos = install(context, str(database), patience)
        self.views = [view_of(context, self.todos, "first")]
        self.views[0].open()

    def step(self, number: int) -> None:
        draw = self.draw
        if draw.random() < 0.1:
            self.views.append(view_of(self.context, self.todos, f"view {number}"))
        elif draw.random() < 0.1 and len(self.views) > 1:
            self.views.pop(draw.randrange(len(self.views))).scope.end()
        weights = [WEIGHTS.get(command, 1) for command in COMMANDS]
        [command] = draw.choices(list(COMMANDS), weights)
        words = draw.choice(COMMANDS[command])
        view = draw.choice(self.views)
        view.obey(command, words if command == "add" else f"{draw.randint(1, 6)} {words}")

    def settle(self) -> None:
        self.views[0].settle()
        assert [view.content for view in self.views] == [self.views[0].content] * len(self.views)

    def go(self) -> None:
        for round_ in range(3):
            is_slow = round_ == 1 and self.kind == "slow"
            trouble = TROUBLE.get(self.kind) if round_ == 1 else None
            with trouble(self.database) if trouble else contextlib.nullcontext():
                for number in range(12):
                    with held(self.database) if is_slow else contextlib.nullcontext():
                        self.step(number)
                    if self.draw.random() < 0.7:  # or the next command comes first
                        self.settle()
                self.settle()
            assert self.views[0].content == kept(self.database)
        assert self.context.request_count() == 0
        assert self.context.first_error() is None

    def leave(self) -> None:
        """Some more commands, whose answers nobody waits for."""
        for number in range(self.draw.randrange(4)):
            self.step(number)


def recorded(journal: Path) -> List[mainstem.Event]:
    if not journal.exists():  # a host was killed before it made one
        return []
    with mainstem.Journal(journal) as events:
        return list(events)


def check_writes(journal: Path) -> None:
    """What is not an edit keeps the texts of the write before, which may not be answered yet."""
    names, written = {}, {}
    events = recorded(journal)
    failed = {event.answers for event in events if event.name == "ResponseTodo" and event.status}
    for event in events:
        names[event.position] = event.name
        if event.name != "RequestWriteTodo":
            continue
        todo = json.loads(event.data)["todo"]
        texts = todo["title"], todo["subtitle"], todo["priority"]
        before, position = written.get(todo["id"], (texts, 0))
        if names[event.cause] != "ResponseUpdateDetailViewModel" and position not in failed:
            assert texts == before, f"#{event.position} undoes #{position}"
        written[todo["id"]] = texts, event.position


def check_kept(journal: Path, database: Path) -> None:
    """What the store has answered is there. What it was asked last of all may be."""
    events = recorded(journal)
    answered = {event.answers: event.status for event in events if event.answers}
    may_be: Dict[str, List[Any]] = {}  # of each todo, None: it was purged
    for event in events:
        if event.name not in ("RequestWriteTodo", "RequestPurgeTodo"):
            continue
        asked = json.loads(event.data)
        todo = asked.get("todo")
        id = todo["id"] if todo else asked["id"]
        if todo:
            todo.pop("place", None)  # which only a move writes
        status = answered.get(event.position)
        if status in (None, mainstem.Status.CANCELLED):  # the context was closed
            may_be[id] = [*may_be.get(id, [None]), todo]
        elif not status:
            may_be[id] = [todo]
    rows, deleted = kept(database)
    there = {row["todo"]["id"]: row["todo"] for row in (*rows, *deleted)}
    assert set(there) <= set(may_be)
    for id, todos in may_be.items():
        assert there.get(id) in todos, f"{there.get(id)} is none of {todos}"


@pytest.mark.parametrize("seed", range(SEED, SEED + SESSIONS))
def test_a_session_loses_nothing_and_verifies(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    database, journal = tmp_path / "todo.sqlite", tmp_path / "session.journal"
    for number in range(3):
        is_read_only = bool(number) and draw.random() < 0.25
        kind = "" if is_read_only else draw.choice(KINDS)
        before = kept(database) if is_read_only else None
        mode = read_only(database) if is_read_only else contextlib.nullcontext()
        with mode, mainstem.Context(seed=seed) as context:
            context.record(journal)
            phase = Phase(draw, context, database, kind)
            phase.go()
            assert before in (None, phase.views[0].content)
            phase.leave()
        check_kept(journal, database)
    check_writes(journal)
    verify(journal, *PROVERS)


class Typed:
    """What one types, and the titles of the list after each command that was answered."""

    def __init__(self, draw: random.Random, titles: List[str]) -> None:
        self.commands, self.after = "", [titles]
        for _ in range(draw.randint(1, 8)):
            titles, place = list(self.after[-1]), draw.randint(1, max(1, len(self.after[-1])))
            command = draw.choice(("edit", "delete", "toggle")) if titles else "add"
            command = draw.choice(("add", command))
            title = f"Todo {draw.random()}"
            if command == "add":
                titles.insert(0, title)
            elif command == "edit":
                titles[place - 1] = title
            elif command == "delete":
                del titles[place - 1]
            self.commands += (
                f"add {title}\n" if command == "add" else f"{command} {place} {title}\n"
            )
            self.after.append(titles)


@pytest.mark.parametrize("seed", range(SEED, SEED + SESSIONS // 4))
def test_a_killed_host_loses_nothing_that_it_said(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    database, journal = tmp_path / "todo.sqlite", tmp_path / "session.journal"
    words = [*HOSTS[draw.choice(list(HOSTS))], "--db", str(database), "--record", str(journal)]
    titles: List[str] = []
    for is_held in (False, draw.choice((False, True)), False):
        typed = Typed(draw, titles)
        with held(database) if is_held else contextlib.nullcontext():
            patience = ["--patience", "1" if is_held else "60000"]
            count = draw.randrange(len(typed.after))
            said = killed([*words, *patience], typed.commands, count, ENVIRONMENT)
        titles = [row["title"] for row in kept(database)[0]]
        if is_held:
            assert (set(said) <= {LOCKED, NO_ROW}, titles) == (True, typed.after[0]), said
        else:  # the next command may have been done, too
            assert titles in typed.after[len(said) : len(said) + 2], said
    check_kept(journal, database)
    verify(journal, *PROVERS)

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The program of Tests/journals/lists-3.journal. It never changes: the journal must verify.

python kept_lists.py PATH records the session: lists of a view model, of scopes and of the context,
set outside and inside callbacks. With `flight` behind PATH, it is a flight recorder.
"""

from __future__ import annotations

import dataclasses
import sys
from typing import Any, Dict, List, Tuple

import mainstem


@dataclasses.dataclass(frozen=True)
class Todo:
    id: int
    title: str
    done: bool = False


class Todos(mainstem.ViewModel):
    rows: Tuple[Todo, ...] = mainstem.shown((), key="id")

    @mainstem.command
    def add(self, title: str) -> None:
        self.rows += (Todo(len(self.rows) + 1, title),)

    @mainstem.command
    def toggle(self, index: int) -> None:
        todo = self.rows[index]
        changed = dataclasses.replace(todo, done=not todo.done)
        self.rows = (*self.rows[:index], changed, *self.rows[index + 1 :])

    @mainstem.command
    def raise_up(self, index: int) -> None:
        rest = (*self.rows[:index], *self.rows[index + 1 :])
        self.rows = (self.rows[index], *rest)

    @mainstem.command
    def clear(self, done: bool) -> None:
        self.rows = tuple(row for row in self.rows if row.done is not done)


class Program:
    def __init__(self) -> None:
        self.context = context = mainstem.Context(deliver="host", clock="virtual", seed=3)
        context.add_type("Said", str)
        context.add_list("Words", str, key=str)
        context.add_list("Lengths", int, key=str)
        context.add_list("Given", bytes, key=lambda row: row.decode(), record="inputs")
        context.add_list("Marked", bool, key=str, record="mark")
        self.room = context.scope("Room")
        self.room.observe("Said", self.listen)
        self.said: List[str] = []
        self.todos = context.open(Todos())

    def listen(self, event: Any) -> None:
        """Sets lists twice in a callback, one of them to what it is."""
        self.said = [*self.said, event.text][-4:]
        lengths: Dict[int, None] = dict.fromkeys(map(len, self.said))
        self.room.set_list("Words", self.said)
        self.room.set_list("Lengths", sorted(lengths))
        self.room.set_list("Lengths", list(lengths))
        if event.text.startswith("word"):
            self.room.set_list("Given", [word.encode() for word in self.said])


def play(context: mainstem.Context, program: Program) -> None:
    view = program.todos.bind()
    for title in ("tea", "milk", "eggs", "6 pears"):
        view.add(title)
    context.drain()
    view.toggle(1)
    view.raise_up(3)
    context.drain()
    for word in ("one", "three", "two", "fourteen", "ten", "one"):
        context.send("Said", word)
        context.drain()
    context.set_list("Words", ["a", "b", "c"])
    context.set_list("Words", ["c", "a", "d"])
    context.set_list("Given", [b"1", b"2"])
    context.set_list("Given", [b"2"])
    context.drain()
    view.clear(True)
    context.drain()
    hall = context.scope("Hall")
    hall.set_list("Words", ["\u00e4", "\u20ac"])
    context.drain()
    hall.end()
    context.drain()


def record(path: str) -> None:
    program = Program()
    program.context.record(path)
    play(program.context, program)
    program.room.end()
    program.context.drain()
    program.context.set_list("Words", [])
    program.context.close()


def record_flight(path: str) -> None:
    """Also with lists of which the journal keeps marks."""
    program = Program()
    program.context.record(path, segment_size=4096, keep=2)
    play(program.context, program)
    program.context.set_list("Marked", [False, True])
    for number in range(60):
        program.context.send("Said", f"word {number}")
        program.context.drain()
    program.context.close()


if __name__ == "__main__":
    (record_flight if sys.argv[2:] == ["flight"] else record)(sys.argv[1])

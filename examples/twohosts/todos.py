# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The list that two hosts share, as list.c has it for the host in C, and its events.

There is no one order of what both hosts do, so the order does not matter: whoever gets the same
events has the same list.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from pathlib import Path
from typing import Callable, Dict, List, Optional

import mainstem

sys.path.append(str(Path(__file__).resolve().parents[1] / "lines"))
import lines  # noqa: E402

__all__ = ["OTHER", "Todo", "TodoAdded", "TodoTicked", "Todos", "lines"]


@mainstem.event(layer="view")
class TodoAdded(mainstem.Notice):
    id: str  # "tokyo.2": the second that tokyo added
    title: str


@mainstem.event(layer="view")
class TodoTicked(mainstem.Notice):
    id: str
    count: int  # how often it was ticked, as far as its host knew, with this time
    by: str
    done: bool


# What the other host does has another name, so that it is not sent back.
@mainstem.event(layer="view")
class OtherTodoAdded(TodoAdded):
    pass


@mainstem.event(layer="view")
class OtherTodoTicked(TodoTicked):
    pass


OTHER = {"TodoAdded": "OtherTodoAdded", "TodoTicked": "OtherTodoTicked"}


@dataclasses.dataclass
class Todo:
    id: str
    title: str = ""
    done: bool = False
    count: int = 0
    by: str = ""

    def __str__(self) -> str:
        return f"{self.id} [{'x' if self.done else ' '}] {self.title}"


class Todos:
    """The list; `changed` is called with each todo that shows something else."""

    def __init__(self, changed: Callable[[Todo], None]) -> None:
        self._todos: Dict[str, Todo] = {}
        self._changed = changed

    def __getitem__(self, id: str) -> Optional[Todo]:
        todo = self._todos.get(id)
        return todo if todo and todo.title else None

    def shown(self) -> List[Todo]:
        """By id. What was ticked before it was added is not there to be seen."""
        return [todo for _, todo in sorted(self._todos.items()) if todo.title]

    def add(self, event: TodoAdded) -> None:
        todo = self._todos.setdefault(event.id, Todo(event.id))
        if not todo.title:
            todo.title = event.title
            self._changed(todo)

    def tick(self, event: TodoTicked) -> None:
        """Whoever has seen more ticks is right; of two who have seen as many, the one whose name
        is later."""
        todo = self._todos.setdefault(event.id, Todo(event.id))
        if (event.count, event.by) > (todo.count, todo.by):
            todo.count, todo.by, todo.done = event.count, event.by, event.done
            if todo.title:
                self._changed(todo)

    def observe(self, context: mainstem.Context) -> None:
        """From here on the list follows the events of this host and of the other."""
        context.observe(TodoAdded, self.add)
        context.observe(TodoTicked, self.tick)
        context.observe(OtherTodoAdded, self.add)
        context.observe(OtherTodoTicked, self.tick)

    def remember(self, journal: str) -> None:
        """The list is what the journal says, from both hosts."""
        changed, self._changed = self._changed, lambda todo: None
        if os.path.exists(journal):
            with mainstem.Journal(journal) as events:
                for event in events:
                    if event.name.endswith("TodoAdded"):
                        self.add(TodoAdded(**event.value))
                    if event.name.endswith("TodoTicked"):
                        self.tick(TodoTicked(**event.value))
        self._changed = changed

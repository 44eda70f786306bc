#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""host.py NAME OTHER URL FOLDER: a host of the list, as host.c is one in C."""

import asyncio
import os
import sys

import mainstem
from mainstem import nats
from todos import OTHER, Todo, TodoAdded, Todos, TodoTicked


def show(todo: Todo) -> None:
    print(todo, flush=True)


class Host:
    """What its user says."""

    def __init__(self, name: str, context: mainstem.Context, todos: Todos) -> None:
        self._name, self._context, self._todos = name, context, todos
        own = [todo for todo in todos.shown() if todo.id.startswith(f"{name}.")]
        self._added = len(own)

    def command(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word == "add" and rest:
            self._added += 1
            self._context.send(TodoAdded(f"{self._name}.{self._added}", rest))
        elif word == "tick":
            self._tick(rest)
        elif word == "list":
            for todo in self._todos.shown():
                show(todo)
            print(len(self._todos.shown()), "todos", flush=True)
        else:
            print("add TITLE, tick ID, list", flush=True)

    def _tick(self, id: str) -> None:
        todo = self._todos[id]
        if todo is None:
            print(f"There is no {id}.", flush=True)
        else:
            self._context.send(TodoTicked(id, todo.count + 1, self._name, not todo.done))


async def main(name: str, other: str, url: str, folder: str) -> None:
    journal = os.path.join(folder, f"{name}.journal")
    todos = Todos(show)
    todos.remember(journal)
    async with mainstem.Context() as context:  # from here on this loop drains it
        context.record(journal)
        todos.observe(context)
        # What this host does goes to a stream of its own; what the other one does comes from its.
        mirror = nats.mirror(journal, url, prefix=f"twohosts.{name}")
        imported = nats.import_stream(context, f"twohosts_{other}", OTHER, url, journal=journal)
        with mirror, imported:
            host = Host(name, context, todos)
            read = asyncio.get_running_loop().run_in_executor
            while line := await read(None, sys.stdin.readline):
                host.command(line.rstrip("\n"))


asyncio.run(main(*sys.argv[1:]))

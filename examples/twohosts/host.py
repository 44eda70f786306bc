#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""host.py NAME OTHER URL FOLDER: a host of the list, as host.c is one in C."""

import asyncio
import os
import sys

import mainstem
from mainstem import nats
from todos import OTHER, Todo, TodoAdded, Todos, TodoTicked, lines


def show(todo: Todo) -> None:
    lines.say(str(todo))


class Host:
    """What its user says."""

    def __init__(self, name: str, context: mainstem.Context, todos: Todos) -> None:
        self._name, self._context, self._todos = name, context, todos
        own = [todo for todo in todos.shown() if todo.id.startswith(f"{name}.")]
        self._added = len(own)

    def command(self, word: str, rest: str) -> None:
        if word == "add" and rest:
            self._add(rest)
        elif word == "tick":
            self._tick(rest)
        elif word == "list":
            for todo in self._todos.shown():
                show(todo)
            lines.say(f"{len(self._todos.shown())} todos")
        else:
            lines.say("add TITLE, tick ID, list")

    def _add(self, title: str) -> None:
        try:
            self._context.send(TodoAdded(f"{self._name}.{self._added + 1}", title))
            self._added += 1
        except UnicodeError:
            lines.say("This is no text.")
        except mainstem.MainstemError as error:
            lines.say(str(error))

    def _tick(self, id: str) -> None:
        todo = self._todos[id]
        if todo is None:
            lines.say(f"There is no {id}.")
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
            while line := await read(None, lines.read, sys.stdin.buffer):
                host.command(*lines.command_of(line))


lines.run(lambda: asyncio.run(main(*sys.argv[1:])))

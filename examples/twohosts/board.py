#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""board.py URL FOLDER HOST HOST: draws what both hosts did, from their streams. It records what it
took in, so that it goes on where it was."""

import asyncio
import contextlib
import os
import sys
from typing import Sequence

import mainstem
from mainstem import nats
from todos import Todo, TodoAdded, Todos, TodoTicked, lines


def did(todo: Todo, host: str) -> str:
    """What a host did with a todo, last."""
    if todo.by == host:
        return "done" if todo.done else "not done"
    return "added" if todo.id.startswith(f"{host}.") else ""


def draw(todos: Todos, hosts: Sequence[str]) -> None:
    lines.say("".join(f"{host:12}" for host in hosts).rstrip())
    for todo in todos.shown():
        lines.say("".join(f"{did(todo, host):12}" for host in hosts) + str(todo))
    lines.say("")


async def main(url: str, folder: str, *hosts: str) -> None:
    journal = os.path.join(folder, "board.journal")
    todos = Todos(lambda todo: draw(todos, hosts))
    todos.remember(journal)
    types = [TodoAdded.__name__, TodoTicked.__name__]
    async with mainstem.Context() as context:
        context.record(journal)
        todos.observe(context)
        with contextlib.ExitStack() as imports:
            for host in hosts:
                imports.enter_context(
                    nats.import_stream(
                        context, f"twohosts_{host}", types, url, journal=journal, scope=host
                    )
                )
            await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


lines.run(lambda: asyncio.run(main(*sys.argv[1:])))

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Two hosts at once, in C and in Python, which are killed: in the end all three have one list.
TWOHOSTS names the host in C."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Dict, Iterator, List, Tuple, Union

import pytest
from todos import TodoAdded, Todos, TodoTicked
from twohosts import CHANGE, HOSTS, Stage, start_server

TODOS, TICKS = 40, 160
SEED = int(os.environ.get("MAINSTEM_TURN", "1"))


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """The programs, and a server."""
    server, url = start_server(tmp_path)
    made = Stage(os.environ["TWOHOSTS"], str(tmp_path), url)
    yield made
    made.end()
    server.kill()
    server.wait()


def shown(stage: Stage, name: str) -> List[str]:
    """The list of a host; what it says of changes meanwhile is passed over."""
    host = stage.programs[name]
    host.say("list")
    found: Dict[str, str] = {}
    line = host.next()
    while not line.endswith(" todos"):
        assert CHANGE.match(line) or line.startswith("There is no "), line
        if CHANGE.match(line):
            found[line.split()[0]] = line
        line = host.next()
    assert line == f"{len(found)} todos"
    return list(found.values())


def said(stage: Stage, name: str, command: str) -> None:
    """A command that is done, as far as this host goes."""
    stage.programs[name].say(command)
    shown(stage, name)


def random_commands(chance: random.Random) -> List[Tuple[str, str]]:
    """What both do, todos first; ids may not be there yet."""
    added = [(chance.choice(HOSTS), f"add {number}") for number in range(TODOS)]
    ids = [f"{chance.choice(HOSTS)}.{chance.randrange(1, TODOS // 3)}" for _ in range(TICKS)]
    ticked = [(chance.choice(HOSTS), f"tick {id}") for id in ids]
    return added + ticked


def test_all_have_one_list(stage: Stage) -> None:
    chance = random.Random(SEED)
    killed = 0
    for name, command in random_commands(chance):
        said(stage, name, command) if chance.random() < 0.5 else stage.programs[name].say(command)
        if chance.random() < 0.03:
            shown(stage, name)  # what it was told before is done
            stage.command(name, "kill")
            killed += 1
    berlin: List[str] = []
    tokyo: List[str] = []
    while berlin != tokyo or len(berlin) < TODOS:
        berlin, tokyo = (sorted(shown(stage, name)) for name in HOSTS)
    assert len(berlin) == TODOS and killed
    while sorted(board(stage)) != berlin:
        pass


def board(stage: Stage) -> List[str]:
    """What the board draws next, without what the hosts did."""
    return [line[24:] for line in list(iter(stage.board.next, ""))[1:]]


def test_the_order_of_what_both_did_does_not_matter() -> None:
    events: List[Union[TodoAdded, TodoTicked]] = [
        TodoAdded(f"{name}.{n}", f"{n}") for name in HOSTS for n in range(5)
    ]
    for name in HOSTS:
        for n in range(5):
            events += [TodoTicked(f"berlin.{n}", count, name, count % 2 == 1) for count in (1, 2)]
    lists = set()
    for turn in range(50):
        random.Random(turn).shuffle(events)
        todos = Todos(lambda todo: None)
        for event in events:
            todos.tick(event) if isinstance(event, TodoTicked) else todos.add(event)
        lists.add("\n".join(map(str, todos.shown())))
    assert len(lists) == 1


def test_what_is_typed_is_as_expected(tmp_path: Path) -> None:
    here = Path(__file__).resolve().parent
    command = [sys.executable, str(here / "twohosts.py"), os.environ["TWOHOSTS"], str(tmp_path)]
    with (here / "commands.txt").open() as commands:
        found = subprocess.run(command, stdin=commands, capture_output=True, text=True)
    assert (found.stdout, found.stderr) == ((here / "expected.txt").read_text(), "")

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`mainstem shown` at random: whatever a program does, it shows what the library has."""

from __future__ import annotations

import json
import random

import pytest
from mainstem.journal_file import Journal
from mainstem.tool import main
from random_options import Options
from random_outside import act_from_outside
from random_session import Program, add_types
from sessions import seeds

SEEDS = seeds(40, "")


def told_by_the_tool(path, capsys):
    """For each scope and type the position of the value, and the names of the owners."""
    main(["shown", path, "--json"])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    told = {
        (row["scope"], name): value["position"]
        for row in rows
        for name, value in row["values"].items()
    }
    return told, {row["scope"]: row["owner"] for row in rows}


def told_by_the_library(path, context):
    """The same, of the scopes in a journal that live."""
    with Journal(path) as journal:
        list(journal.records())
        session = journal.sessions[-1]
    scopes = {scope for scope, _ in session.scopes.values()}
    names = [info.name.decode() for info in session.types.values() if info.role == "value"]
    live = {scope: context.find_scope(scope) for scope in scopes}
    live[0] = context
    told = {
        (number, name): scope.get(name)
        for number, scope in live.items()
        for name in names
        if scope is not None
    }
    return {key: event.position for key, event in told.items() if event is not None}


def differences(path, context, capsys):
    """In what the tool and the library differ, once all is delivered."""
    while context.drain():
        pass
    told, owners = told_by_the_tool(path, capsys)
    known = told_by_the_library(path, context)
    # The end of a scope that the program made itself is not in the journal.
    gone = {scope for scope in owners if scope and not context.find_scope(scope)}
    if {owners[scope] for scope in gone} <= {"s"}:
        told = {key: position for key, position in told.items() if key[0] not in gone}
    return set(told.items()) ^ set(known.items())


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_shown_is_what_the_library_has(seed, tmp_path, capsys):
    path = str(tmp_path / "a.journal")
    chance = random.Random(seed)
    options = Options.drawn(chance)
    context = options.open()
    context.record(path)
    add_types(context)
    program = Program(context, options)
    act_from_outside(program, options, chance)
    # Callbacks on threads of their own may still send.
    for _ in range(100):
        found = differences(path, context, capsys)
        if not found:
            break
    program.end()

    assert not found, options

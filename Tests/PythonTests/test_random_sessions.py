# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 11, at random: whatever a program does and whatever is done to it, its journal proves it."""

import os
import random

import mainstem
import pytest
from random_session import QUIET, Options, Program, act_from_outside, add_types

SESSIONS = int(os.environ.get("MAINSTEM_RANDOM_SESSIONS", "200"))
#: Others from commit to commit, of the 10,000 that Tests/run long tries.
FIRST = SESSIONS * int(os.environ.get("MAINSTEM_TURN", "0")) % max(SESSIONS, 10_000)


def shown(lines):
    """Without the events of which no journal has all."""
    return [line for line in lines if line.split()[1].rstrip(":") not in QUIET]


def record(path, seed):
    """A random session in a journal: of what kind, and its lines."""
    chance = random.Random(seed)
    options = Options.drawn(chance)
    context = options.open()
    context.record(path)
    add_types(context)
    program = Program(context, options)
    act_from_outside(program, options, chance)
    program.end()
    with mainstem.Journal(path) as journal:
        return options, shown(map(str, journal))


def replay(path, options, verify):
    """What is seen of it again."""
    context = options.open()
    with context.replay(path, verify=verify) as again:
        add_types(context)
        program = Program(context, options)
        again.to_end()
        lines = shown(program.lines)
    program.end()
    return lines


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SESSIONS))
def test_a_random_session_verifies_and_comes_again(seed, tmp_path):
    path = tmp_path / "session.journal"
    options, lines = record(path, seed)

    assert replay(path, options, verify=True) == lines, options
    assert replay(path, options, verify=False) == lines, options

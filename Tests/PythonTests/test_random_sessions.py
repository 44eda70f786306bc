# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 11, at random: whatever a program does and whatever is done to it, its journal proves it."""

import os
import random

import mainstem
import pytest
from random_options import Options
from random_outside import act_from_outside
from random_session import QUIET, Program, add_types

SESSIONS = int(os.environ.get("MAINSTEM_RANDOM_SESSIONS", "100"))
#: Others from commit to commit, of the 10,000 that Tests/run long tries.
FIRST = SESSIONS * int(os.environ.get("MAINSTEM_TURN", "0")) % max(SESSIONS, 10_000)


def shown(lines):
    """Without the events of which no journal has all."""
    return [line for line in lines if line.split()[1].rstrip(":") not in QUIET]


def record(path, seed):
    """A random session in a journal: of what kind, its lines, and its last values, if they last."""
    chance = random.Random(seed)
    options = Options.drawn(chance)
    context = options.open()
    context.record(path)
    add_types(context)
    program = Program(context, options)
    is_settled = act_from_outside(program, options, chance)
    count = context.stats().events if is_settled else 0
    present = program.present() if is_settled else None
    program.end()
    with mainstem.Journal(path) as journal:
        lines = list(map(str, journal))
    return options, shown(lines), present if len(lines) == count else None


def replay(path, options, verify):
    """What is seen of it again, and the values at its end."""
    context = options.open()
    with context.replay(path, verify=verify) as again:
        add_types(context)
        program = Program(context, options)
        again.to_end()
        lines = shown(program.lines)
        present = program.present()
    program.end()
    return lines, present


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SESSIONS))
def test_a_random_session_verifies_and_comes_again(seed, tmp_path):
    path = tmp_path / "session.journal"
    options, lines, present = record(path, seed)

    for verify in (True, False):
        again, present_again = replay(path, options, verify)
        assert again == lines, options
        # Nobody ends what observes in a scope that goes on: there may be too many.
        assert None in (present, present_again) or present == present_again, options

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 11 for view models, at random: what they do is in the journal, and is done again."""

import os
import random

import mainstem
import pytest
from random_models import Program, act_from_outside
from random_options import Options

SESSIONS = int(os.environ.get("MAINSTEM_RANDOM_SESSIONS", "100"))
#: Others from commit to commit, of the 10,000 that Tests/run long tries.
FIRST = SESSIONS * int(os.environ.get("MAINSTEM_TURN", "0")) % max(SESSIONS, 10_000)


def record(path, seed):
    """A random session in a journal: of what kind, and its lines."""
    chance = random.Random(seed)
    options = Options.drawn(chance)
    limits = options.limits._replace(observers=0, events=chance.choice((0, 2, 3, 8, 20, 300)))
    options = options._replace(limits=limits)
    context = options.open()
    context.record(path)
    program = Program(context)
    act_from_outside(program, options, chance)
    program.end()
    with mainstem.Journal(path) as journal:
        return options, [str(event) for event in journal]


def replay(path, options, verify):
    """What is seen of it again."""
    context = options.open()
    with context.replay(path, verify=verify) as again:
        program = Program(context)
        again.to_end()
        lines = list(program.lines)
    program.end()
    return lines


#: Sessions that once differed.
FOUND = [212]


@pytest.mark.parametrize("seed", sorted({*FOUND, *range(FIRST, FIRST + SESSIONS)}))
def test_a_random_session_of_view_models_verifies_and_comes_again(seed, tmp_path):
    path = tmp_path / "session.journal"
    options, lines = record(path, seed)

    assert replay(path, options, verify=True) == lines, options
    assert replay(path, options, verify=False) == lines, options

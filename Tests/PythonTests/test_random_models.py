# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 11 for view models, at random: what they do is in the journal, and is done again."""

import random

import pytest
from random_models import Program, act_from_outside
from random_options import Options
from sessions import recorded, replayed, seeds

SEEDS = seeds(100)


def record(path, seed):
    """A random session in a journal: of what kind, its program and its lines."""
    chance = random.Random(seed)
    options = Options.drawn(chance)
    limits = options.limits._replace(observers=0, events=chance.choice((0, 2, 3, 8, 20, 300)))
    options = options._replace(limits=limits)
    act = lambda program: act_from_outside(program, options, chance)  # noqa: E731
    return options, *recorded(path, options, Program, act)


#: Sessions that once differed.
FOUND = [212, 3671, 3814, 6953, 6959]


@pytest.mark.parametrize("seed", sorted({*FOUND, *SEEDS}))
def test_a_random_session_of_view_models_verifies_and_comes_again(seed, tmp_path):
    path = tmp_path / "session.journal"
    options, program, lines = record(path, seed)

    for verify in (True, False):
        made = []
        make = lambda context: made.append(Program(context)) or made[0]  # noqa: B023, E731
        assert replayed(path, options, make, verify)[0] == lines, options
        assert made[0].shown() == program.shown(), options

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The navigator beside a reference, at random: moves, gestures, ends, late and failing stages."""

import pytest
from random_navigation import difference, play, smallest
from sessions import seeds
from wrong_navigators import WRONG, DialogsStay

SEEDS = seeds(50)

#: Sessions that see what few see: they are tried first, so that nobody has to search for them.
SEEN_BY = {
    "AnswersTwice": 74,
    "CoveredOnesAreHeard": 35,
    "DialogsStay": 21,
    "FlowsWaitForTheirOwn": 368,
    "GuardsAreAskedOnce": 19,
    "OwnersEndAlone": 15,
    "PopsEmbeds": 22,
    "QueuedOnesAreLost": 56,
    "SlotsHoldTwo": 313,
    "StrangersAreHeard": 94,
}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_session_agrees_with_the_reference_and_verifies(seed, tmp_path):
    play(seed, tmp_path)


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.__name__)
def test_a_wrong_navigator_is_seen(wrong, tmp_path):
    for seed in (SEEN_BY.get(wrong.__name__, 0), *range(1000)):
        if difference(seed, tmp_path, wrong):
            return
    raise AssertionError("1,000 sessions did not see it")


def test_a_difference_shrinks_to_few_steps(tmp_path):
    seed = SEEN_BY["DialogsStay"]
    steps, _ = smallest(seed, tmp_path, difference(seed, tmp_path, DialogsStay), DialogsStay)

    assert len(steps) <= 8
    assert difference(seed, tmp_path, DialogsStay, steps)

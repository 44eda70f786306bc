# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 11, at random: verify names the first event that a changed program makes another one."""

import pytest
from random_change import check
from sessions import seeds

SEEDS = seeds(20, "MAINSTEM_RANDOM_CHANGES")


@pytest.mark.parametrize("seed", SEEDS)
def test_verify_names_the_first_event_that_is_another_one(seed, tmp_path):
    case = check(tmp_path, seed)

    assert case.is_right, case


def test_many_changes_make_a_difference(tmp_path):
    cases = [check(tmp_path, seed) for seed in range(20)]

    assert sum(case.expected is not None for case in cases) >= 5

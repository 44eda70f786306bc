# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 11 for State, at random: a session verifies and comes again, wherever its journal is cut."""

import collections

import pytest
from random_plan import CARRIED, STEPS
from random_tables import check, record
from sessions import seeds

SEEDS = seeds(50)
#: What happens to a program besides, and must not be rare: in random_table.py and random_host.py.
SITUATIONS = (
    "act_bind",
    "act_point",
    "act_point_the_program",
    "act_unbind",
    "act_write",
    "act_run",
    "act_run_by_request",
    "act_open",
    "act_end",
    "act_give_up",
    "act_post",
    "change set",
    "factory refuses",
    "late answer",
    "owner ended",
    "refused DISABLED",
    "refused EXECUTING",
    "refused STALE",
    "row",
    "row of a view",
    "row on the host",
    "two-way row",
    "two-way row of a view",
    *(f"policy {policy}" for policy in range(4)),
)
LEAST = 3


def test_the_sessions_reach_the_deep_cases(tmp_path):
    counts = collections.Counter()
    for seed in range(150):
        counts += record(tmp_path / f"{seed}.journal", seed).counts

    rare = {what: counts[what] for what in (*STEPS, *CARRIED, *SITUATIONS) if counts[what] < LEAST}
    assert not rare, f"too rare in 150 sessions: {rare}"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_session_of_models_verifies_and_comes_again(seed, tmp_path):
    check(tmp_path, seed)

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Tests/run: what it runs, and what it leaves to another commit."""

import os
import re
import subprocess

from tree import ROOT

STEPS = {path.name for path in (ROOT / "Tests" / "steps").iterdir()}
# Other steps call these, or maintainers by hand.
BY_HAND = {"pythons", "swift-flavours", "long"}


def plan(*arguments, turn=0):
    """The steps that it would run."""
    command = [str(ROOT / "Tests" / "run"), "plan", *arguments]
    env = dict(os.environ, MAINSTEM_TURN=str(turn))
    made = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    assert made.returncode == 0, made.stderr
    return made.stdout.split()


def test_every_runs_every_step():
    assert set(plan("every")) == STEPS - BY_HAND


def test_the_parts_of_some_commits_in_a_row_are_every_step():
    source = (ROOT / "Tests" / "run").read_text()
    parts = re.search(r"^parts=\((.*)\)$", source, re.M)[1]
    count = len(re.findall(r'"[^"]*"|\S+', parts))
    runs = [set(plan(turn=turn)) for turn in range(count)]

    assert set.union(*runs) == set(plan("every"))
    assert all(run < set(plan("every")) for run in runs)


def test_quick_runs_some_steps_once():
    steps = plan("quick")
    assert set(steps) <= STEPS
    assert len(steps) == len(set(steps))
    assert {"format", "repository", "figures"} <= set(steps)

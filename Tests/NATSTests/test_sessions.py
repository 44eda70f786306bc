# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Random sessions of the bridge (sessions.py): journals, streams and contexts are as the model
says. MAINSTEM_NATS_SESSIONS says how many (12); they begin at another seed with each commit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import sessions
from session_script import write

COUNT = int(os.environ.get("MAINSTEM_NATS_SESSIONS", "12"))
FIRST = int(os.environ.get("MAINSTEM_TURN", "1")) * 100
#: Sessions that see planted faults, by name: bridge.sessions.NAME of Tests/faults. They are kept
#: whole, because a seed gives another session as soon as one more step can be drawn.
SEEN = json.loads((Path(__file__).parent / "seen.json").read_text())


def play(*words):
    """In a process that has no bridge: what is forked from one that has cannot have any."""
    command = [sys.executable, str(Path(sessions.__file__)), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True)


def expect_no_difference(first, count):
    played = play(first, count)
    if played.returncode:
        pytest.fail(played.stdout + played.stderr, pytrace=False)
    assert played.stdout == f"{count} sessions from seed {first}: no difference\n"


def test_random_sessions_are_as_the_model_says():
    expect_no_difference(FIRST, COUNT)


@pytest.mark.parametrize("name", SEEN)
def test_a_session_that_sees_a_fault_is_as_the_model_says(name, tmp_path):
    (tmp_path / "script.json").write_text(json.dumps(SEEN[name]))
    played = play(tmp_path / "script.json")
    assert played.stdout == "no difference\n", played.stdout + played.stderr


def test_the_same_seed_gives_the_same_session():
    assert write(7) == write(7)
    assert write(7) != write(8)

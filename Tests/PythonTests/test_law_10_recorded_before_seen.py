# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 10, beside the scenarios: no kill takes out of the file what an observer saw."""

from __future__ import annotations

import os
import random
import signal

import pytest
from interpreter import child
from mainstem.journal_file import Journal

CHILD = """
import sys, mainstem
path, threads = sys.argv[1:]
context = mainstem.Context(threads=threads)
context.add_type("Tick", bytes)
def seen(event):
    sys.stdout.write(f"{event.position}\\n")
    sys.stdout.flush()
context.observe("Tick", seen)
context.record(path)
while True:
    context.send("Tick", b"x" * 100)
"""


# The many kills are those of Tests/CTests/journal_kills.c.
@pytest.mark.parametrize("threads", ["one", "any"])
def test_nothing_that_was_seen_is_lost_by_a_kill(tmp_path, threads):
    randomness = random.Random(4)
    for number in range(5):
        path = tmp_path / f"{number}.journal"
        process = child(CHILD, str(path), threads)
        for line in range(1, 2 + randomness.randrange(300)):
            assert process.stdout.readline() == f"{line}\n"
        os.kill(process.pid, signal.SIGKILL)
        lines = process.stdout.read().splitlines(keepends=True)
        process.wait()
        process.stdout.close()
        process.stderr.close()
        seen = int(([one for one in lines if one.endswith("\n")] or [f"{line}"])[-1])
        with Journal(str(path)) as journal:
            positions = [event.position for event in journal.events()]
            assert journal.ending.kind in ("clean", "torn")
        assert positions == list(range(1, len(positions) + 1))
        assert len(positions) >= seen
        os.unlink(path)

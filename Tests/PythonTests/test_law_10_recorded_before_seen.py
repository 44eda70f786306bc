# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 10: no observer sees an event that is not in the file, and no kill takes it out again."""

from __future__ import annotations

import os
import random
import signal

import mainstem
import pytest
from interpreter import child
from mainstem.journal_file import Journal


@pytest.mark.parametrize("threads", ["one", "any"])
@pytest.mark.parametrize("deliver", ["immediate", "host"])
def test_an_observer_finds_its_own_event(tmp_path, threads, deliver):
    path = tmp_path / "own.journal"
    found = []

    def look(event):
        with Journal(str(path)) as journal:
            found.append([one.position for one in journal.events()][-1] >= event.position)
        if event.position < 3:
            context.send("Bytes", b"more")

    with mainstem.Context(threads=threads, deliver=deliver, raises=True) as context:
        context.add_type("Bytes", bytes)
        context.record(path)
        context.observe("Bytes", look)
        context.send("Bytes", b"first")
        context.post("Bytes", b"posted")
        context.flush()
    assert found == [True] * 4


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

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Recording: what a context writes, read by the second implementation of the format."""

from __future__ import annotations

import os
import random
import signal
import time

import mainstem
import pytest
from interpreter import child
from mainstem import MainstemError, Notice, Request, Response, Status
from mainstem.journal_file import Journal, Proof


@mainstem.event(layer="model")
class Noted(Notice):
    text: str


@mainstem.event
class ResponseLength(Response):
    length: int


@mainstem.event
class RequestLength(Request[ResponseLength]):
    text: str


def test_a_session_is_read_by_another_implementation(tmp_path):
    path = tmp_path / "a.journal"
    with mainstem.Context(seed=7) as context:
        context.record(path)
        context.register(Noted, RequestLength)
        scope = context.scope("Editor")
        context.server("Counter", {RequestLength: lambda ask: ResponseLength(len(ask.text))})
        scope.send(Noted("ä" * 300))
        assert context.request(RequestLength("four")).length == 4
        stats = context.journal_stats()
        assert (stats.status, stats.written, stats.events) == (Status.OK, 3, 3)

    with Journal(str(path)) as journal:
        events = list(journal.events())
        assert journal.ending.kind == "clean"
        assert journal.sessions[0].seed == 7
        assert [event.name for event in events] == ["Noted", "RequestLength", "ResponseLength"]
        assert [event.origin_name for event in events] == ["Editor", "", "Counter"]
        assert events[2].answers == 2
        assert os.stat(path).st_size == journal.size < 2000
        assert os.stat(path).st_mode & 0o777 == 0o600


def test_the_digest_that_is_written_is_that_of_the_events(tmp_path):
    path = tmp_path / "digest.journal"
    with mainstem.Context() as context:
        context.record(path)
        for number in range(1000):
            context.send(Noted(str(number)))

    proof = Proof()
    with Journal(str(path)) as journal:
        for one in journal.records():
            proof.take(one)
    assert (proof.findings, proof.agreed > 3, proof.events) == ([], True, 1000)


def test_a_context_that_has_begun_is_refused(tmp_path, context):
    context.send(Noted("x"))
    with pytest.raises(MainstemError) as caught:
        context.record(tmp_path / "late.journal")
    assert caught.value.status == Status.INVALID
    assert not list(tmp_path.iterdir())


CHILD = """
import sys, mainstem
path, threads = sys.argv[1:]
context = mainstem.Context(threads=threads)
context.type_add("Tick", bytes)
def seen(event):
    sys.stdout.write(f"{event.position}\\n")
    sys.stdout.flush()
context.observe("Tick", seen)
context.record(path)
while True:
    context.send("Tick", b"x" * 100)
"""


@pytest.mark.parametrize("threads", ["one", "any"])
def test_nothing_that_was_seen_is_lost_by_a_kill(tmp_path, threads):
    kills = int(os.environ.get("MAINSTEM_KILLS", "50"))
    randomness = random.Random(4)
    for number in range(max(1, kills // 2)):
        path = tmp_path / f"{number}.journal"
        process = child(CHILD, str(path), threads)
        assert process.stdout.readline() == "1\n"
        time.sleep(randomness.random() * 0.01)
        os.kill(process.pid, signal.SIGKILL)
        lines = process.stdout.read().splitlines(keepends=True)
        process.wait()
        process.stdout.close()
        process.stderr.close()
        seen = int(([one for one in lines if one.endswith("\n")] or ["1"])[-1])
        with Journal(str(path)) as journal:
            positions = [event.position for event in journal.events()]
            assert journal.ending.kind in ("clean", "torn")
        assert positions == list(range(1, len(positions) + 1))
        assert len(positions) >= seen
        os.unlink(path)

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Hosts, mirrors and servers are killed at random instants: nothing is lost, nothing is there
twice, and the order is the journal's. MAINSTEM_NATS_KILLS says how often (6)."""

from __future__ import annotations

import contextlib
import os
import random
import time

import mainstem
import pytest
import working
from compared import expect_fetched, expect_whole, files_of
from mainstem import MainstemError, nats

KILLS = int(os.environ.get("MAINSTEM_NATS_KILLS", "6"))
SEED = int(os.environ.get("MAINSTEM_TURN", "1"))
WAIT = 120


@pytest.fixture
def chance():
    print("seed", SEED)
    return random.Random(SEED)


def record(path, count):
    """A journal of so many events."""
    with mainstem.Context() as context:
        context.record(path)
        context.add_type("Tick", int)
        for number in range(count):
            context.send("Tick", number)


def wait_for(mirror, position):
    """Returns when the stream has that position."""
    while mirror.stats.done < position:
        with contextlib.suppress(MainstemError):
            mirror.flush(0.005)


def finish(path, server, prefix):
    """Mirrors what is left."""
    with nats.mirror(path, server.url, prefix=prefix) as mirror:
        mirror.flush(WAIT)
    return expect_back(path, server, prefix)


def expect_back(path, server, prefix="kills"):
    """The stream has each event once, in order, and what comes back is the journal, byte for byte.
    Returns how many."""
    with server.client() as client:
        count = expect_whole(path, client.entries(prefix))
    assert expect_fetched(path, server, prefix, timeout=WAIT).events == count
    return count


def test_a_server_is_killed(server, tmp_path, chance):
    count = KILLS * 2500
    record(tmp_path / "session", count)
    with nats.mirror(tmp_path / "session", server.url, prefix="kills") as mirror:
        for kill in range(KILLS):
            wait_for(mirror, kill * 2500 + chance.randrange(2500))
            server.kill()
            server.start()
        mirror.flush(WAIT)
        assert mirror.stats.begun > KILLS // 2
    assert expect_back(tmp_path / "session", server) == count


def test_a_server_that_hangs_is_left_and_found_again(server, tmp_path, chance):
    record(tmp_path / "session", 20_000)
    with nats.mirror(tmp_path / "session", server.url, prefix="kills") as mirror:
        wait_for(mirror, chance.randrange(15_000))
        server.stop()
        with pytest.raises(MainstemError, match="TIMEOUT"):
            mirror.flush(0.2)
        server.go_on()
        mirror.flush(WAIT)
    assert expect_back(tmp_path / "session", server) == 20_000


def test_a_mirror_is_killed(server, tmp_path, chance):
    record(tmp_path / "session", KILLS * 4000)
    for _ in range(KILLS):
        seconds = chance.uniform(0.005, 0.2)
        assert working.start("mirror", tmp_path / "session", server.url, seconds).wait() < 0
    assert finish(tmp_path / "session", server, "kills") == KILLS * 4000


def test_a_fetch_is_killed(server, tmp_path, chance):
    """What is at its path is nothing, or whole."""
    record(tmp_path / "session", 50_000)
    finish(tmp_path / "session", server, "kills")
    path, ended = tmp_path / "fetched", []
    began = time.monotonic()
    assert working.start("fetch", path, server.url, 0).wait() == 0
    whole = time.monotonic() - began
    path.unlink()
    while len(ended) < KILLS or min(ended) == 0:
        seconds = chance.uniform(0.01, whole)
        ended.append(working.start("fetch", path, server.url, seconds).wait())
        if ended[-1] == 0 or path.exists():
            assert files_of(path) == files_of(tmp_path / "session")
            path.unlink()


def test_host_mirror_and_server_are_killed(server, tmp_path, chance):
    journal = tmp_path / "session"
    count = KILLS * 3000
    host = working.start("host", journal, count, 0.3)
    while not list(tmp_path.glob("session.*")):
        assert host.poll() is None
    for _ in range(KILLS):
        if host.poll() is not None:
            host = working.start("host", journal, count, chance.uniform(0.05, 0.4))
        mirror = working.start("mirror", journal, server.url, chance.uniform(0.05, 0.4))
        if chance.random() < 0.5:
            host.wait()
            server.kill()
            server.start()
        mirror.wait()
    host.wait()
    assert working.start("host", journal, count, 0).wait() == 0
    assert finish(journal, server, "kills") == count


def test_two_mirrors_of_one_journal_do_not_double_it(server, tmp_path):
    record(tmp_path / "session", 5000)
    with nats.mirror(tmp_path / "session", server.url, prefix="kills") as one, nats.mirror(
        tmp_path / "session", server.url, prefix="kills"
    ) as two:
        one.flush(WAIT)
        two.flush(WAIT)
    assert expect_back(tmp_path / "session", server) == 5000


def test_others_add_to_the_stream_meanwhile(server, tmp_path):
    """Two journals, and somebody who knows nothing of places."""
    for name in ("one", "two"):
        record(tmp_path / name, 3000)
    with nats.mirror(tmp_path / "one", server.url, prefix="kills") as one, nats.mirror(
        tmp_path / "two", server.url, prefix="kills"
    ) as two, server.client() as client:
        for step in range(1, 11):
            wait_for(one, step * 300)
            client.publish("kills.stranger", b"whatever")
            wait_for(two, step * 300)
        assert one.stats.refused + two.stats.refused > 0
    with server.client() as client:
        entries = list(client.entries("kills"))
    for name in ("one", "two"):
        with mainstem.Journal(tmp_path / name) as journal:
            identity = journal.info.id.hex()
        own = [each for each in entries if each.headers.get("Nats-Msg-Id", "").startswith(identity)]
        assert expect_whole(tmp_path / name, iter(own)) == 3000
        expect_fetched(tmp_path / name, server, "kills", journal=identity)


def test_journals_go_on_one_after_the_other(server, tmp_path):
    """The stream's last entry is another journal's, so the mirror has to search for its own."""
    contexts = []
    for name in ("one", "two"):
        context = mainstem.Context()
        context.record(tmp_path / name)
        context.add_type("Tick", int)
        contexts.append(context)
    for turn in range(6):
        context, name = contexts[turn % 2], ("one", "two")[turn % 2]
        for number in range(turn * 100):
            context.send("Tick", number)
        with nats.mirror(tmp_path / name, server.url, prefix="kills") as mirror:
            mirror.flush(WAIT)
            assert mirror.stats.begun == 1
    with server.client() as client:
        entries = list(client.entries("kills"))
    for name, context in zip(("one", "two"), contexts):
        with mainstem.Journal(tmp_path / name) as journal:
            identity = journal.info.id.hex()
        own = [each for each in entries if each.headers["Nats-Msg-Id"].startswith(identity)]
        expect_whole(tmp_path / name, iter(own))
        expect_fetched(tmp_path / name, server, "kills", journal=identity)
        context.close()


def test_without_ids_and_places_there_are_doubles(server, tmp_path, chance):
    """The control: the same kills show what the tests above would see."""
    record(tmp_path / "session", 4000)
    with server.client() as client:
        client.ask("STREAM.CREATE.careless", {"name": "careless", "subjects": ["careless.>"]})
        ended = -14
        while ended == -14:
            seconds = chance.uniform(0.3, 0.5)
            ended = working.start("careless", tmp_path / "session", server.port, seconds).wait()
        assert ended == 7
        positions = [int(entry.data) for entry in client.entries("careless")]
    assert set(positions) == set(range(1, 4001))
    assert len(positions) > 4000

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Hosts, mirrors, importers and servers are killed at random instants: what a context has taken in
is each event once, in the order of its journal. MAINSTEM_NATS_KILLS says how often (6)."""

from __future__ import annotations

import contextlib
import random
import shutil

import mainstem
import pytest
import working
from client import Client
from imported import expect_same, taken
from mainstem import MainstemError, nats
from test_kills import KILLS, SEED, WAIT, record

TYPES = ("Tick", "Bulk.part")


@pytest.fixture
def chance():
    print("seed", SEED)
    return random.Random(SEED)


def flush(taken, url, stream):
    """Takes in the rest; if it does not come, what both sides know is shown."""
    try:
        taken.flush(WAIT)
    except MainstemError as error:
        with Client(int(url.rpartition(":")[2])) as client:
            consumers = client.ask(f"CONSUMER.LIST.{stream}")
            state = client.state(stream)
        pytest.fail(f"{error}\n{taken.stats()}\n{state}\n{consumers}")


def take_rest(path, url, *streams):
    """Takes in what is left, and closes the journal."""
    with mainstem.Context() as context, contextlib.ExitStack() as imports:
        context.record(path, segment_size=1 << 20)
        for stream in streams:
            context.add_type(f"{stream}.Tick", int)
            context.add_type(f"{stream}.Bulk.part", bytes)
        for stream in streams:
            types = {name: f"{stream}.{name}" for name in TYPES}
            each = nats.import_stream(context, stream, types, url, journal=path)
            imports.enter_context(each)
            flush(each, url, stream)


def mirror_rest(path, url, prefix, replicas=0):
    with nats.mirror(path, url, prefix=prefix, replicas=replicas) as mirror:
        mirror.flush(WAIT)


def test_an_importer_is_killed(server, tmp_path, chance):
    """Anywhere: while it reads its own journal, fetches, notes, sends, acknowledges."""
    record(tmp_path / "source", KILLS * 5000)
    mirror_rest(tmp_path / "source", server.url, "kills")
    for _ in range(KILLS):
        seconds = chance.uniform(0.01, 0.15)
        assert working.start("importer", tmp_path / "own", server.url, seconds, "kills").wait() < 0
    take_rest(tmp_path / "own", server.url, "kills")
    assert expect_same(tmp_path / "source", tmp_path / "own", "kills", "kills.") == KILLS * 5000


def make_shared(server):
    """A stream of two sources."""
    with server.client() as client:
        subjects = ["one.>", "two.>"]
        client.ask("STREAM.CREATE.kills", {"name": "kills", "subjects": subjects})


def test_a_server_is_killed_while_two_sources_come_in(server, tmp_path, chance):
    """It loses what it had not written, and the mirrors add it again, in another order."""
    sources, kills = [tmp_path / "one", tmp_path / "two"], max(2, KILLS // 3)
    for source in sources:
        record(source, kills * 2000)
    make_shared(server)
    with contextlib.ExitStack() as bridges, mainstem.Context() as context:
        context.record(tmp_path / "own")
        context.add_type("Tick", int)
        mirrors = [
            bridges.enter_context(
                nats.mirror(source, server.url, prefix=source.name, stream="kills")
            )
            for source in sources
        ]
        each = bridges.enter_context(
            nats.import_stream(context, "kills", ["Tick"], server.url, journal=tmp_path / "own")
        )
        for kill in range(kills):
            while each.stats.entries < (kill + chance.random()) * 2000:
                context.wait(0.01)
            server.kill()
            server.start()
        for mirror in mirrors:
            while not is_flushed(mirror):
                context.drain()
        each.flush(WAIT)
        assert each.stats.begun > kills // 2
    for source in sources:
        assert expect_same(source, tmp_path / "own", "kills") == kills * 2000


def is_flushed(bridge):
    try:
        bridge.flush(0.05)
    except MainstemError:
        return False
    return True


def test_host_mirror_importer_and_server_are_killed(server, tmp_path, chance):
    journal, own = tmp_path / "session", tmp_path / "own"
    count = KILLS * 3000
    programs = {
        "host": lambda: working.start("host", journal, count, chance.uniform(0.05, 0.4)),
        "mirror": lambda: working.start("mirror", journal, server.url, chance.uniform(0.05, 0.4)),
        "importer": lambda: working.start(
            "importer", own, server.url, chance.uniform(0.05, 0.4), "kills"
        ),
    }
    host = working.start("host", journal, count, 0.3)
    while not list(tmp_path.glob("session.*")):
        assert host.poll() is None
    running = {"host": host}
    for _ in range(KILLS):
        for name, start in programs.items():
            if name not in running or running[name].poll() is not None:
                running[name] = start()
        if chance.random() < 0.5:
            running["host"].wait()
            server.kill()
            server.start()
        running["importer"].wait()
    for each in running.values():
        each.wait()
    assert working.start("host", journal, count, 0).wait() == 0
    mirror_rest(journal, server.url, "kills")
    take_rest(own, server.url, "kills")
    assert expect_same(journal, own, "kills", "kills.") == count


def test_a_stream_that_lost_its_end_is_read_again(server, tmp_path):
    """Others took the places of what was lost: an entry's number alone would leave some out."""
    sources = [tmp_path / "one", tmp_path / "two"]
    for source in sources:
        record(source, 1000)
    make_shared(server)
    server.kill()
    shutil.copytree(server.folder / "store", tmp_path / "kept")
    server.start()

    def mirror(source):
        with nats.mirror(source, server.url, prefix=source.name, stream="kills") as each:
            each.flush(WAIT)

    mirror(sources[0])
    with mainstem.Context() as context:
        context.record(tmp_path / "own")
        context.add_type("Tick", int)
        with nats.import_stream(
            context, "kills", ["Tick"], server.url, journal=tmp_path / "own"
        ) as each:
            each.flush(WAIT)
            assert each.stats.entries == 1000
            server.kill()
            shutil.rmtree(server.folder / "store")
            shutil.copytree(tmp_path / "kept", server.folder / "store")
            server.start()
            mirror(sources[1])
            mirror(sources[0])
            each.flush(WAIT)
            assert (each.stats.entries, each.stats.repeated) == (2000, 1000)
    for source in sources:
        assert expect_same(source, tmp_path / "own", "kills") == 1000


def test_without_notes_there_are_doubles(server, tmp_path, chance):
    """The control: the same kills show what the tests above would see."""
    record(tmp_path / "source", 10_000)
    mirror_rest(tmp_path / "source", server.url, "kills")
    ended = -9
    while ended == -9:
        count = chance.randrange(1500, 8000)
        ended = working.start("forgetful", tmp_path / "own", server.port, count, "kills").wait()
    assert ended == 7
    with mainstem.Journal(tmp_path / "own") as journal:
        numbers = [int.from_bytes(payload, "little") for _, payload in journal.records()]
    assert set(numbers) == set(range(10_000))
    assert len(numbers) > 10_000
    assert not taken(tmp_path / "own", "kills")

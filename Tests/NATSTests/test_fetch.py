# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A stream back to a journal: byte for byte the one that was mirrored."""

from __future__ import annotations

import os
import random
import struct
import threading
from pathlib import Path

import mainstem
import pytest
from compared import expect_fetched, files_of, mirrored
from journal_writer import BYTES, VIEW, JournalWriter
from mainstem import MainstemError, Status, nats
from mainstem.journal_file import Journal, Proof

SEED = int(os.environ.get("MAINSTEM_TURN", "1"))
KEPT = sorted((Path(__file__).resolve().parents[1] / "journals").glob("*.journal"))


def proven(path):
    """The number of events in a journal whose digests are right."""
    proof, events = Proof(), 0
    with Journal(str(path)) as journal:
        for record in journal.records():
            proof.take(record)
            events += record.is_event
        assert journal.ending.kind == "clean"
    assert proof.findings == []
    return events


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_kept_journals_come_back(server, path):
    """Of each version of the format; the events of the example programs are in them."""
    mirrored(path, server, prefix="kept")
    expect_fetched(path, server, "kept")


def test_a_journal_of_several_sessions_and_odd_names_comes_back(server, tmp_path):
    path, names = tmp_path / "session", ("Größe", "a b*>%\u0007", ".a..b.", "%41")
    for turn in range(3):
        with mainstem.Context() as context:
            context.record(path)
            for name in names:
                context.add_type(name + str(turn), bytes, layer=f"layer {turn}.%")
            context.add_type("Hidden", str, record="none")
            context.add_type("Secret", str, secret=True)
            context.add_type("Marked", str, record="mark")
            scope = context.scope("a scope \u0007%41")
            for size in (0, 1, 7, 8, 9, 63, 300, 1000):
                for name in names:
                    (scope if size % 2 else context).send(name + str(turn), b"p" * size)
                for name in ("Hidden", "Secret", "Marked"):
                    context.send(name, "x")
    mirrored(path, server)
    fetched = expect_fetched(path, server, "session")
    assert fetched.events == proven(path) == 3 * 8 * 6
    assert (fetched.first, fetched.left_out, fetched.missing) == (1, 0, 0)


def test_a_flight_recorder_comes_back_with_its_lists(server, tmp_path):
    path = tmp_path / "session"
    with mainstem.Context() as context:
        context.record(path, segment_size=4096, keep=2)
        context.add_list("Rows", str, key=str)
        for number in range(60):
            context.set_list("Rows", [f"{each} " * 8 for each in range(number, number + 9)])
    mirrored(path, server)
    fetched = expect_fetched(path, server, "session")
    assert fetched.left_out == 0
    with Journal(str(path)) as journal:
        assert [record.kind for record in journal.records()].count(14) == 2


def test_a_list_that_is_larger_than_an_entry_is_left_out(server, tmp_path):
    """The record with which a file begins is counted like a payload, and the mirror goes on."""
    path = tmp_path / "session"
    with mainstem.Context() as context:
        context.record(path, segment_size=4096, keep=2)
        context.add_list("Rows", str, key=lambda row: row[:8])
        context.add_type("Bulk", bytes)
        rows = [f"{number:08}" + "x" * 1000 for number in range(1500)]
        context.set_list("Rows", rows)
        for _ in range(4):
            context.send("Bulk", bytes(4096))
    mirrored(path, server)
    fetched = nats.fetch(tmp_path / "fetched", server.url, prefix="session", timeout=60)
    assert (fetched.is_whole, fetched.left_out, fetched.events) == (False, 2, proven(path))


def test_each_kind_of_record_comes_back(server, tmp_path):
    """Also those that no reader knows, and names that no context takes."""
    writer = JournalWriter()
    writer.layer(6, "weather")
    writer.event("RequestRain", "Oslo", origin="Clouds")
    writer.say_digest()
    writer.skip(3)
    for kind in (8, 9, 12):
        writer.say(kind, struct.pack("<QQQ", 1, 1, 4))
    writer.say(10, struct.pack("<QQQQII", 1, 1, 1, 4, 5, 1))
    writer.say(11, struct.pack("<QQQQ", 2, 3, 1, 7))
    writer.say(99, b"whatever")
    writer.say(100, b"")
    writer.name_origin(9, "n" * 5000)
    writer.type("N" * 5000, BYTES | VIEW)
    writer.layer(7, "l" * 5000)
    writer.event("N" * 5000, b"x", origin="n" * 5000)
    writer.end().save(tmp_path / "kinds")
    mirrored(tmp_path / "kinds", server)
    assert expect_fetched(tmp_path / "kinds", server, "kinds").records == 17


def test_a_hundred_thousand_events_of_all_sizes_come_back(make_server, tmp_path):
    """In files, recorded by several sessions, mirrored from time to time."""
    server, chance = make_server("max_payload: 2MB"), random.Random(SEED)
    path, count = tmp_path / "large", 100_000
    large = iter([1 << 20, (1 << 20) - 1, 1_000_000, 500_000, 262_144, 262_000, 65_536, 65_535])
    for _ in range(4):
        with mainstem.Context() as context:
            context.record(path, segment_size=4 << 20)
            context.add_type("Large", bytes)
            context.add_type("Small", bytes, layer="view")
            scope = context.scope("Clouds")
            for number in range(count // 4):
                if number % 10_000 == 7:
                    context.send("Large", chance.randbytes(next(large, 100_000)))
                elif number % 3:
                    context.send("Small", b"s" * (number % 200))
                else:
                    scope.send("Small", b"")
        mirrored(path, server)
    assert len(files_of(path)) > 4
    assert expect_fetched(path, server, "large").events == count == proven(path)


def test_a_journal_that_is_being_recorded_comes_back_as_far_as_it_is(server, tmp_path):
    path = tmp_path / "session"
    with mainstem.Context() as context:
        context.record(path)
        context.add_type("Tick", int)
        for turn in range(1, 4):
            for number in range(300):
                context.send("Tick", number)
            mirrored(path, server)
            assert expect_fetched(path, server, "session").last == turn * 300


def test_a_lost_machine_goes_on(server, tmp_path):
    """Its journal is fetched on another one, recorded on and mirrored on, into the same stream."""
    for size in (0, 4096):
        for turn in range(4):
            path = tmp_path / f"machine-{size}-{turn}" / "session.journal"
            path.parent.mkdir()
            if turn:
                assert nats.fetch(path, server.url, prefix=f"lost{size}").is_whole
            with mainstem.Context() as context:
                context.record(path, **({"segment_size": size} if size else {}))
                context.add_type("Tick", int)
                for number in range(100):
                    context.send("Tick", number)
            stats = mirrored(path, server, prefix=f"lost{size}")
            assert (stats.entries, stats.done) == (100, (turn + 1) * 100)
            fetched = expect_fetched(path, server, f"lost{size}")
            assert fetched.events == proven(path) == (turn + 1) * 100


def test_one_file_with_a_number_keeps_it(server, tmp_path):
    with mainstem.Context() as context:
        context.record(tmp_path / "session", segment_size=1 << 20)
        context.add_type("Tick", int)
        context.send("Tick", 1)
    mirrored(tmp_path / "session", server)
    expect_fetched(tmp_path / "session", server, "session")


def test_a_flight_recorders_files_come_back(server, tmp_path):
    path = tmp_path / "flight"
    with mainstem.Context() as context:
        context.record(path, segment_size=4096, keep=2)
        context.add_type("Tick", int)
        for number in range(1000):
            context.send("Tick", number)
    mirrored(path, server)
    assert ".000001" not in files_of(path)
    expect_fetched(path, server, "flight")


def ticks(path, count):
    """A journal of so many events."""
    with mainstem.Context() as context:
        context.record(path)
        context.add_type("Tick", int)
        for number in range(count):
            context.send("Tick", number)


def test_several_journals_in_one_stream(server, tmp_path):
    ids = []
    for name in ("one", "two", "three"):
        ticks(tmp_path / name, 300)
        mirrored(tmp_path / name, server, prefix="shared")
        with server.client() as client:
            client.publish("shared.stranger", b"whatever")
        with mainstem.Journal(tmp_path / name) as journal:
            ids.append(journal.info.id.hex())
    with pytest.raises(MainstemError, match=f"several: {ids[0]}, {ids[1]}"):
        nats.fetch(tmp_path / "any", server.url, prefix="shared")
    with pytest.raises(MainstemError, match="nothing of " + "0" * 32):
        nats.fetch(tmp_path / "any", server.url, prefix="shared", journal="0" * 32)
    for name, each in zip(("one", "two", "three"), ids):
        expect_fetched(tmp_path / name, server, "shared", journal=each)


def test_only_entries_below_the_prefix_are_looked_at(server, tmp_path):
    with server.client() as client:
        client.ask("STREAM.CREATE.all", {"name": "all", "subjects": ["a.>"]})
    for name in ("one", "two"):
        ticks(tmp_path / name, 10)
        mirrored(tmp_path / name, server, prefix=f"a.{name}", stream="all")
        expect_fetched(tmp_path / name, server, f"a.{name}", stream="all")
    with pytest.raises(MainstemError, match="several"):
        nats.fetch(tmp_path / "any", server.url, stream="all")
    with pytest.raises(MainstemError, match="nothing of any"):
        nats.fetch(tmp_path / "any", server.url, prefix="a.three", stream="all")


def test_what_is_there_stays(server, tmp_path):
    ticks(tmp_path / "one", 10)
    mirrored(tmp_path / "one", server)
    (tmp_path / "two.000003").write_bytes(b"mine")
    (tmp_path / "three").write_bytes(b"mine")
    (tmp_path / "four").mkdir()
    for name in ("one", "two", "three", "four"):
        with pytest.raises(MainstemError, match="INVALID.*path: a file exists there"):
            nats.fetch(tmp_path / name, server.url, prefix="one")
    before = sorted(tmp_path.glob("*"))
    with pytest.raises(MainstemError, match="IO"):
        nats.fetch(tmp_path / "nowhere" / "one", server.url, prefix="one")
    assert sorted(tmp_path.glob("*")) == before
    assert (tmp_path / "three").read_bytes() == b"mine"


def test_the_file_is_its_owners(server, tmp_path):
    ticks(tmp_path / "one", 10)
    mirrored(tmp_path / "one", server)
    nats.fetch(tmp_path / "two", server.url, prefix="one")
    assert (tmp_path / "two").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("stream", ["nothing", "empty", "strange"])
def test_a_stream_without_a_journal(server, tmp_path, stream):
    with server.client() as client:
        for name in ("empty", "strange"):
            client.ask(f"STREAM.CREATE.{name}", {"name": name, "subjects": [f"{name}.>"]})
        client.publish("strange.x", b"whatever")
        assert client.state("strange")["messages"] == 1
    with pytest.raises(MainstemError) as raised:
        nats.fetch(tmp_path / "any", server.url, prefix=stream)
    assert raised.value.status == Status.INVALID
    assert list(tmp_path.glob("*any*")) == []


def test_a_server_that_is_killed_is_found_again(make_server, tmp_path):
    server = make_server("max_payload: 2MB")
    with mainstem.Context() as context:
        context.record(tmp_path / "session")
        context.add_type("Bulk", bytes)
        for number in range(400):
            context.send("Bulk", b"b" * (500_000 + number))
    mirrored(tmp_path / "session", server)

    def kill():
        for _ in range(3):
            server.kill()
            server.start()

    killer = threading.Thread(target=kill)
    killer.start()
    expect_fetched(tmp_path / "session", server, "session", timeout=60)
    killer.join()


def test_a_server_that_is_silent_is_left(make_server, tmp_path):
    server = make_server()
    ticks(tmp_path / "session", 10)
    mirrored(tmp_path / "session", server)
    server.stop()
    with pytest.raises(MainstemError, match="IO: fetch: no connection"):
        nats.fetch(tmp_path / "any", server.url, prefix="session", timeout=0)
    server.go_on()
    server.kill()
    with pytest.raises(MainstemError, match="IO: fetch: no connection"):
        nats.fetch(tmp_path / "any", server.url, prefix="session", timeout=0.3)
    assert list(tmp_path.glob("*any*")) == []


def test_what_it_verifies_as_is_what_the_journal_was(server, tmp_path):
    """A program gives the same outputs to the inputs of both."""
    path = tmp_path / "session"

    def program(context):
        context.add_type("RequestSum", int, response="ResponseSum")
        context.add_type("ResponseSum", int)
        total = [0]

        @context.serve("RequestSum")
        def add(request):
            total[0] += request.value
            return total[0]

    with mainstem.Context() as context:
        context.record(path)
        program(context)
        for number in range(1000):
            context.request("RequestSum", number)
    mirrored(path, server)
    nats.fetch(tmp_path / "fetched", server.url, prefix="session")
    for each in (path, tmp_path / "fetched"):
        with mainstem.Context() as context:
            program(context)
            with context.replay(each, verify=True) as replay:
                replay.to_end()
                assert (replay.info.matched, replay.info.whole) == (1000, True)

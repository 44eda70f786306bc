# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A journal in a stream: each event an entry, with its names, its bytes and its place."""

from __future__ import annotations

import contextlib
import re
from urllib.parse import unquote

import journal_writer
import mainstem
import pytest
from compared import HEADER, expect_whole, is_own
from journal_writer import JournalWriter
from mainstem import MainstemError, nats

WAIT = 60


@pytest.fixture
def session(tmp_path):
    """A context that is recorded, and its journal."""
    with mainstem.Context() as context:
        context.record(tmp_path / "session.journal")
        yield context, tmp_path / "session.journal"


def subjects(client, stream):
    return [entry.subject for entry in client.entries(stream) if not is_own(entry)]


def test_each_event_is_an_entry(server, session):
    context, path = session
    context.add_type("Clicked", str, layer="view")
    context.add_type("RequestRain", str, response="ResponseRain", layer="weather")
    context.add_type("ResponseRain", "json")
    context.send("Clicked", "here")
    context.send("RequestRain", "Oslo")
    context.scope("Clouds").send("ResponseRain", b"{}")

    with nats.mirror(path, server.url, prefix="todo.one", name="test") as mirror:
        mirror.flush(WAIT)
        stats = mirror.stats

    with server.client() as client:
        whole = list(client.entries("todo_one"))
        config = client.ask("STREAM.INFO.todo_one")["config"]
    assert expect_whole(path, iter(whole)) == 3
    entries = [entry for entry in whole if not is_own(entry)]
    identity = re.fullmatch("(.{32})-1", entries[0].headers["Nats-Msg-Id"]).group(1)
    assert [entry.subject for entry in entries] == [
        "todo.one.view.Clicked",
        "todo.one.weather.RequestRain",
        "todo.one.app.ResponseRain",
    ]
    assert {each.subject for each in whole if is_own(each)} == {f"todo.one._journal.{identity}"}
    assert "Mainstem-Origin" not in entries[0].headers
    assert entries[2].headers["Mainstem-Origin"] == "Clouds"
    contract = journal_writer.TEXT | journal_writer.NOTICE | journal_writer.VIEW
    assert entries[0].headers["Mainstem-Contract"] == f"{contract:016x}"
    assert config["subjects"] == ["todo.one.>"] and config["storage"] == "file"
    assert (stats.state, stats.read, stats.done, stats.entries) == ("running", 3, 3, 3)
    assert stats.bytes == sum(len(entry.data) for entry in entries)
    assert (stats.left_out, stats.refused, stats.lost) == (0, 0, 0)


def test_what_is_sent_while_it_works_follows(server, session):
    context, path = session
    context.add_type("Tick", int)
    with nats.mirror(path, server.url) as mirror:
        for number in range(20):
            context.send("Tick", number)
            mirror.flush(WAIT)
            assert mirror.stats.done == number + 1
    with server.client() as client:
        assert expect_whole(path, client.entries("session")) == 20


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("Counter.count", "Counter.count"),
        (".a..b.", "%2Ea.%2Eb%2E"),
        ("a b*>%\u0007", "a%20b%2A%3E%25%07"),
        ("Größe", "Größe"),
        ("50%25", "50%2525"),
    ],
)
def test_names_become_parts_that_nats_takes(server, session, name, part):
    context, path = session
    context.add_type(name, str, layer="a.b c")
    context.add_type("Other", str, layer="_journal")
    context.send(name, "x")
    context.send("Other", "x")
    with nats.mirror(path, server.url, prefix="p") as mirror:
        mirror.flush(WAIT)
    with server.client() as client:
        assert subjects(client, "p") == [f"p.a%2Eb%20c.{part}", "p.%5Fjournal.Other"]
        entry = next(entry for entry in client.entries("p") if not is_own(entry))
    written = entry.headers["Mainstem-Type"]
    assert unquote(written) == name and "\u0007" not in written


def test_only_chosen_layers_and_types_leave(server, session):
    context, path = session
    for name, layer in (("A", "view"), ("B", "view"), ("C", "model"), ("D", "model")):
        context.add_type(name, str, layer=layer)
    for name in "ABCDABCD":
        context.send(name, "x")
    with nats.mirror(path, server.url, prefix="layers", layers=["view"]) as mirror:
        mirror.flush(WAIT)
    with nats.mirror(path, server.url, prefix="types", types=["B", "D"]) as mirror:
        mirror.flush(WAIT)
    with nats.mirror(path, server.url, prefix="both", layers=["view"], types=["B", "D"]) as mirror:
        mirror.flush(WAIT)
        assert (mirror.stats.read, mirror.stats.done) == (8, 6)
    with server.client() as client:
        assert subjects(client, "layers") == ["layers.view.A", "layers.view.B"] * 2
        assert subjects(client, "types") == ["types.view.B", "types.model.D"] * 2
        assert subjects(client, "both") == ["both.view.B"] * 2


def test_a_secret_leaves_as_its_mark(server, session):
    context, path = session
    context.add_type("Password", str, secret=True)
    context.add_type("Moved", str, record="mark")
    context.send("Password", "correct horse")
    context.send("Moved", "battery staple")
    with nats.mirror(path, server.url) as mirror:
        mirror.flush(WAIT)
    with server.client() as client:
        entries = list(client.entries("session"))
    flags = [HEADER.unpack_from(entry.data)[10] for entry in entries if not is_own(entry)]
    assert flags == [journal_writer.WITHHELD | 1, journal_writer.MARKED | 1]
    for file in server.folder.rglob("*"):
        if file.is_file():
            assert b"horse" not in file.read_bytes() and b"battery" not in file.read_bytes()


def test_a_payload_that_the_server_does_not_take_is_left_out(make_server, session):
    server = make_server("max_payload: 2048")
    context, path = session
    context.add_type("Image", bytes)
    sizes = (*range(1700, 2060), 100_000)
    for size in sizes:
        context.send("Image", b"i" * size)
    with nats.mirror(path, server.url) as mirror:
        mirror.flush(WAIT)
        stats = mirror.stats
    with server.client() as client:
        entries = [entry for entry in client.entries("session") if not is_own(entry)]
    left_out = [entry for entry in entries if "Mainstem-Payload" in entry.headers]
    assert len(entries) == len(sizes) and stats.left_out == len(left_out)
    whole = len(sizes) - len(left_out)
    assert [len(entry.data) - 64 for entry in entries[:whole]] == list(sizes[:whole])
    assert [int(entry.headers["Mainstem-Payload"]) for entry in left_out] == list(sizes[whole:])
    assert 1700 < sizes[whole] < 1984
    for entry in left_out:
        header = HEADER.unpack_from(entry.data)
        assert (header[5], header[10]) == (0, journal_writer.MARKED | 1)


def test_a_journal_of_several_sessions_and_files_gets_the_names_of_each(server, tmp_path):
    writer = JournalWriter()
    writer.type("Old", journal_writer.TEXT)
    writer.event("Old", "one", origin="Scope")
    writer.rotate()
    writer.event("Old", "two")
    writer.end()
    writer.session()
    writer.type("New", journal_writer.BYTES | journal_writer.VIEW)
    writer.event("New", b"three", origin="Another")
    writer.skip(9)
    writer.event("New", b"four")
    writer.end().save(tmp_path / "many")
    with nats.mirror(tmp_path / "many", server.url) as mirror:
        mirror.flush(WAIT)
    with server.client() as client:
        assert expect_whole(tmp_path / "many", client.entries("many")) == 4
        assert subjects(client, "many") == ["many.app.Old"] * 2 + ["many.view.New"] * 2


def test_a_journal_that_is_not_begun_yet_is_waited_for(server, tmp_path):
    path = tmp_path / "early"
    path.write_bytes(b"")
    with nats.mirror(path, server.url) as mirror:
        with pytest.raises(MainstemError, match="the journal is not begun yet"):
            mirror.flush(0.1)
        with mainstem.Context() as context:
            context.record(path)
            context.add_type("Tick", int)
            context.send("Tick", 1)
        mirror.flush(WAIT)
    with server.client() as client:
        assert expect_whole(path, client.entries("early")) == 1


def test_several_windows_and_files_of_hundreds_of_megabytes_arrive_whole(server, tmp_path):
    """A million bytes at once, and more entries than two windows."""
    path = tmp_path / "large"
    with mainstem.Context() as context:
        context.record(path, segment_size=32 << 20)
        context.add_type("Large", bytes)
        context.add_type("Small", int)
        for number in range(120):
            context.send("Large", bytes([number]) * 1_000_000)
            for small in range(80):
                context.send("Small", small)
    assert len(list(tmp_path.glob("large.*"))) > 3
    with nats.mirror(path, server.url) as mirror:
        mirror.flush(WAIT)
        assert mirror.stats.left_out == 0
    with server.client() as client:
        assert expect_whole(path, client.entries("large")) == 9720


def test_every_ten_thousand_events_the_journal_says_so(server, tmp_path):
    """Where it has no records but events, or only its files' headers leave."""
    path = tmp_path / "session"
    with mainstem.Context() as context:
        context.record(path)
        context.add_type("Tick", int)
        for number in range(25_000):
            context.send("Tick", number)
    with nats.mirror(path, server.url, types=["Tick"]) as mirror:
        mirror.flush(WAIT)
    with server.client() as client:
        entries = list(client.entries("session"))
    own = [entry for entry in entries if is_own(entry)]
    ids = [entry.headers["Nats-Msg-Id"][33:] for entry in own]
    assert ids == ["0-1-0", "10000-0-0-mark", "20000-0-0-mark"]
    assert [entry.sequence for entry in own] == [1, 10002, 20003]
    assert [len(entry.data) for entry in own] == [64 + 128, 64, 64]
    assert expect_whole(path, iter(entries)) == 25_000


def test_a_flight_recorder_that_is_faster_says_what_was_lost(server, tmp_path):
    path = tmp_path / "flight"
    with mainstem.Context() as context:
        context.record(path, segment_size=4096, keep=2)
        context.add_type("Tick", int)
        for number in range(1000):
            context.send("Tick", number)
        first = next(iter(mainstem.Journal(path))).position
        with nats.mirror(path, server.url) as mirror:
            mirror.flush(WAIT)
            assert mirror.stats.lost == first - 1
            for number in range(1000):
                context.send("Tick", number)
                mirror.flush(WAIT)
            stats = mirror.stats
    with server.client() as client:
        positions = [
            HEADER.unpack_from(each.data)[0]
            for each in client.entries("flight")
            if not is_own(each)
        ]
    assert positions == sorted(set(positions)) and positions[0] == first and positions[-1] == 2000
    assert stats.lost == 2000 - len(positions)


def test_a_stream_that_is_there_is_used_as_it_is(server, session):
    context, path = session
    context.add_type("Tick", int)
    context.send("Tick", 1)
    with server.client() as client:
        config = {"name": "mine", "subjects": ["x.>"], "storage": "memory"}
        client.ask("STREAM.CREATE.mine", config)
        client.publish("x.other", b"not ours")
        assert client.state("mine")["messages"] == 1
        with nats.mirror(path, server.url, prefix="x.y", stream="mine") as mirror:
            mirror.flush(WAIT)
        assert client.ask("STREAM.INFO.mine")["config"]["storage"] == "memory"
        found = [entry.subject for entry in client.entries("mine")]
    assert found[0] == "x.other" and found.count("x.y.app.Tick") == 1


def test_a_subject_of_another_stream_gets_nothing(server, session):
    context, path = session
    context.add_type("Tick", int)
    context.send("Tick", 1)
    with server.client() as client:
        client.ask("STREAM.CREATE.mine", {"name": "mine", "subjects": ["mine.>"]})
        client.ask("STREAM.CREATE.theirs", {"name": "theirs", "subjects": ["x.>"]})
        with nats.mirror(path, server.url, prefix="x", stream="mine") as mirror:
            # A mirror that begins again keeps the message, but not the state.
            while "expected stream does not match" not in mirror.stats.message:
                with contextlib.suppress(MainstemError):
                    mirror.flush(0.01)
            assert mirror.stats.refused
        with nats.mirror(path, server.url, prefix="x") as mirror:
            while not mirror.stats.message:
                with contextlib.suppress(MainstemError):
                    mirror.flush(0.01)
            assert "overlap" in mirror.stats.message
        assert client.state("theirs")["messages"] == client.state("mine")["messages"] == 0


def test_a_stream_that_takes_less_than_the_server_is_asked(server, session):
    context, path = session
    context.add_type("Image", bytes)
    for size in (100, 5000):
        context.send("Image", b"i" * size)
    with server.client() as client:
        config = {"name": "session", "subjects": ["session.>"], "max_msg_size": 1000}
        client.ask("STREAM.CREATE.session", config)
        with nats.mirror(path, server.url) as mirror:
            mirror.flush(WAIT)
            assert (mirror.stats.entries, mirror.stats.left_out) == (2, 1)


def test_a_stream_that_was_emptied_gets_everything_again(server, session):
    """Once the server has forgotten the ids."""
    context, path = session
    context.add_type("Tick", int)
    for number in range(100):
        context.send("Tick", number)
    with server.client() as client:
        config = {"name": "session", "subjects": ["session.>"], "duplicate_window": 100_000_000}
        client.ask("STREAM.CREATE.session", config)
        for _ in range(2):
            with nats.mirror(path, server.url) as mirror:
                mirror.flush(WAIT)
            with server.client() as another:
                assert expect_whole(path, another.entries("session")) == 100
            client.ask("STREAM.PURGE.session")


@pytest.mark.parametrize(("what", "count"), [("PURGE", 100), ("DELETE", 200)])
def test_a_stream_that_is_emptied_or_deleted_meanwhile(server, session, what, count):
    """Emptied, it gets what follows; deleted, it is made again, and gets everything."""
    context, path = session
    context.add_type("Tick", int)
    with server.client() as client, nats.mirror(path, server.url) as mirror:
        for begin in (0, 100):
            for number in range(begin, begin + 100):
                context.send("Tick", number)
            mirror.flush(WAIT)
            if begin == 0:
                client.ask(f"STREAM.{what}.session")
                mirror.flush(WAIT)
        events = [each for each in client.entries("session") if not is_own(each)]
    assert [HEADER.unpack_from(each.data)[0] for each in events] == list(range(201 - count, 201))


def test_a_stream_that_forgets_gets_what_follows(server, session):
    """Its limit removes the journal's own entry and all but the last events, then all of them."""
    context, path = session
    context.add_type("Tick", int)
    with server.client() as client:
        config = {"name": "session", "subjects": ["session.>"], "max_msgs": 10}
        client.ask("STREAM.CREATE.session", config)
        for turn in range(1, 4):
            for number in range(100):
                context.send("Tick", number)
            with nats.mirror(path, server.url) as mirror:
                mirror.flush(WAIT)
            with server.client() as another:
                found = [HEADER.unpack_from(each.data)[0] for each in another.entries("session")]
            assert found == list(range(turn * 100 - 9, turn * 100 + 1))
            for _ in range(turn % 2 and 5):
                client.publish("session.stranger", b"x")
            assert client.state("session")["messages"] == 10
        assert client.state("session")["last_seq"] == 300 + 4 + 10

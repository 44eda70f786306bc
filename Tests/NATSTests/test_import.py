# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A stream in a context: each event of each journal once, in order, through a scope of its own."""

from __future__ import annotations

import contextlib
import json

import mainstem
import pytest
from compared import HEADER, is_own
from imported import expect_same, recorded, taken
from importing import WAIT, importing, mirror, record, ticks
from mainstem import Limits, nats

MODES = [{}, {"threads": "any"}, {"threads": "guarded"}, {"deliver": "host"}]
MODES += [{**mode, "is_recorded": False} for mode in MODES]


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_each_event_comes_once_in_order(server, tmp_path, mode):
    """At real sizes, in every thread mode."""
    sizes = [0, 1, 7, 8, 9, 1000, 65_536, 1_000_000]
    events = [
        ("Bulk", bytes([number % 251]) * sizes[number // 50 % len(sizes)])
        if number % 50 == 0
        else ("Tick", number)
        for number in range(3000)
    ]
    record(tmp_path / "one", events)
    mirror(tmp_path / "one", server, "all")
    seen = []
    with importing(server, tmp_path, **mode) as (context, each):
        context.observe("Tick", "Bulk")(lambda event: seen.append((event.name, event.data)))
        each.flush(WAIT)
        stats = each.stats
    assert (stats.entries, stats.refused, stats.repeated, stats.left_out) == (3000, 0, 0, 0)
    wanted = recorded(tmp_path / "one")
    assert seen == wanted
    if mode.get("is_recorded", True):
        assert expect_same(tmp_path / "one", tmp_path / "own", "all") == 3000


def test_a_hundred_thousand_events_of_three_sources_into_two_contexts(server, tmp_path):
    sources = [tmp_path / name for name in ("one", "two", "three")]
    with server.client() as client:
        subjects = [f"{source.name}.>" for source in sources]
        client.ask("STREAM.CREATE.all", {"name": "all", "subjects": subjects})
    for turn in range(2):
        for source in sources:
            with mainstem.Context() as context:
                context.record(source, durability="buffered")
                context.add_type("Tick", int)
                for number in range(17_000):
                    context.send("Tick", number + 17_000 * turn)
            mirror(source, server, "all")
    with contextlib.ExitStack() as contexts:
        both = [
            contexts.enter_context(importing(server, tmp_path, name=name))
            for name in ("here", "there")
        ]
        for _, each in both:
            each.flush(WAIT)
            assert each.stats.entries == 102_000
    for target in ("here", "there"):
        for source in sources:
            assert expect_same(source, tmp_path / target, "all") == 34_000


def test_what_comes_is_an_input_with_the_note_as_cause(server, tmp_path):
    record(tmp_path / "one", ticks(3))
    mirror(tmp_path / "one", server, "all")
    seen = []
    with importing(server, tmp_path, {"Tick": "Tick"}, scope="far") as (context, each):
        context.observe()(lambda event: seen.append(event))
        each.flush(WAIT)
        assert [(e.name, e.cause, e.origin) for e in seen] == [
            ("NATSImported", 0, "far"),
            ("Tick", 1, "far"),
            ("Tick", 1, "far"),
            ("Tick", 1, "far"),
        ]
    with mainstem.Journal(tmp_path / "own") as journal:
        header, payload = next(iter(journal.records()))
    with mainstem.Journal(tmp_path / "one") as journal:
        list(journal.records())
        identity = journal.info.id.hex()
    note = json.loads(payload)
    with server.client() as client:
        places = [entry.sequence for entry in client.entries("all") if not is_own(entry)]
        last = client.state("all")["last_seq"]
        time = client.ask("STREAM.MSG.GET.all", {"seq": last})["message"]["time"]
    assert note["stream"] == "all" and note["entries"] == [[identity, 1, places[0], 3]]
    assert note["sequence"] == last and str(note["time"])[-5:] in time.rstrip("Z").ljust(29, "0")


def test_a_type_may_have_another_name_here(server, tmp_path):
    record(tmp_path / "one", ticks(5))
    mirror(tmp_path / "one", server, "all")
    with mainstem.Context() as context:
        context.add_type("Remote.tick", int, layer="model")
        got = []
        context.observe("Remote.tick")(lambda event: got.append(event.value))
        with nats.import_stream(
            context, "all", {"Tick": "Remote.tick"}, server.url, durable="d"
        ) as each:
            each.flush(WAIT)
    assert got == list(range(5))


def test_what_does_not_fit_is_refused_and_told(server, tmp_path):
    """A type that carries something else here, or a payload that breaks the contract."""
    record(tmp_path / "one", [("Bulk", b"\xff"), ("Bulk", b"fine"), ("Tick", 1)])
    mirror(tmp_path / "one", server, "all")
    with mainstem.Context() as context:
        context.add_type("Tick", float)
        context.add_type("Bulk", bytes)
        with nats.import_stream(context, "all", ["Tick", "Bulk"], server.url, durable="d") as each:
            each.flush(WAIT)
            assert (each.stats.entries, each.stats.refused) == (2, 1)
            assert each.stats.message.endswith(
                " of the stream was refused: its type carries something else than here"
            )


def test_a_list_is_not_taken_for_the_payload_of_its_rows(server, tmp_path):
    """Its entries have only what changed."""
    with mainstem.Context() as context:
        context.record(tmp_path / "one")
        context.add_list("Bulk", bytes, key=lambda row: row.decode())
        context.set_list("Bulk", [b"a", b"b"])
    mirror(tmp_path / "one", server, "all")
    with importing(server, tmp_path) as (_, each):
        each.flush(WAIT)
        assert (each.stats.entries, each.stats.refused) == (0, 1)
        assert each.stats.message.endswith("its type carries something else than here")


def test_a_payload_over_the_contexts_limit_is_refused_alone(server, tmp_path):
    sizes = [10, 2000, 10, 3000, 10]
    record(tmp_path / "one", [("Bulk", b"b" * size) for size in sizes])
    mirror(tmp_path / "one", server, "all")
    with importing(server, tmp_path, limits=Limits(payload=1000)) as (_, each):
        each.flush(WAIT)
        assert (each.stats.entries, each.stats.refused) == (3, 2)
        assert "mainstem_send_many" in each.stats.message
    found = taken(tmp_path / "own", "all")
    assert [each.position for each in found] == [1, 3, 5]
    with importing(server, tmp_path, limits=Limits(payload=1000)) as (_, each):
        each.flush(WAIT)
        assert (each.stats.entries, each.stats.refused) == (0, 0)


def test_marks_are_left_out(server, tmp_path):
    with mainstem.Context() as context:
        context.record(tmp_path / "one")
        context.add_type("Password", str, secret=True)
        context.add_type("Image", bytes, record="mark")
        context.add_type("Tick", int)
        context.send("Password", "enigma")
        context.send("Image", b"i")
        context.send("Tick", 1)
    mirror(tmp_path / "one", server, "all")
    with mainstem.Context() as context:
        context.add_type("Password", str, secret=True)
        context.add_type("Image", bytes)
        context.add_type("Tick", int)
        types = ["Password", "Image", "Tick"]
        with nats.import_stream(context, "all", types, server.url, durable="d") as each:
            each.flush(WAIT)
            assert (each.stats.entries, each.stats.left_out, each.stats.refused) == (1, 2, 0)


def test_a_type_that_is_a_mark_here_comes_once_all_the_same(server, tmp_path):
    for turn in range(2):
        record(tmp_path / "one", ticks(100, 100 * turn))
        mirror(tmp_path / "one", server, "all")
        with mainstem.Context() as context:
            context.record(tmp_path / "own")
            context.add_type("Tick", int, record="mark")
            got = []
            context.observe("Tick")(lambda event, got=got: got.append(event.value))
            with nats.import_stream(
                context, "all", ["Tick"], server.url, journal=tmp_path / "own"
            ) as each:
                each.flush(WAIT)
                assert each.stats.repeated == 0
            assert got == list(range(100 * turn, 100 * turn + 100))


def test_the_entries_a_mirror_adds_for_itself_are_none(server, tmp_path):
    record(tmp_path / "one", ticks(10))
    mirror(tmp_path / "one", server, "all")
    with server.client() as client:
        assert any(is_own(entry) for entry in client.entries("all"))
        data = HEADER.pack(99, 0, 0, 0, 0, 8, 64, 1, 0, 0, 1) + b"\0" * 8
        client.publish("one.app.Tick", data, headers={"Nats-Msg-Id": "no id"})
        client.publish("one.app.Tick", b"anything")
    with importing(server, tmp_path) as (_, each):
        each.flush(WAIT)
        assert (each.stats.entries, each.stats.refused) == (10, 2)
        assert each.stats.message.endswith("no mirror made it")

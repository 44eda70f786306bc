# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Where an import goes on: behind what the journal has, or what was acknowledged; in a stream that
is not there yet, was emptied, or has other entries."""

from __future__ import annotations

import contextlib

import mainstem
import pytest
from compared import is_own
from imported import expect_same, taken
from importing import WAIT, identity, importing, mirror, record, ticks
from mainstem import MainstemError


def test_sessions_go_on_behind_what_is_in_the_journal(server, tmp_path):
    for turn in range(4):
        record(tmp_path / "one", ticks(500, turn * 500))
        mirror(tmp_path / "one", server, "all")
        with importing(server, tmp_path) as (_, each):
            each.flush(WAIT)
            assert (each.stats.entries, each.stats.repeated) == (500, 0)
    assert expect_same(tmp_path / "one", tmp_path / "own", "all") == 2000


def test_sessions_that_are_not_recorded_go_on_behind_what_is_acknowledged(server, tmp_path):
    for turn in range(3):
        record(tmp_path / "one", ticks(500, turn * 500))
        mirror(tmp_path / "one", server, "all")
        for count in (500, 0):
            with importing(server, tmp_path, is_recorded=False) as (_, each):
                each.flush(WAIT)
                assert each.stats.entries == count


@pytest.mark.parametrize("left", ["own-resume", "both"])
def test_a_place_that_a_crash_left_behind_is_found(server, tmp_path, left):
    """The consumer is made anew: between both steps the second one has the place."""
    record(tmp_path / "one", ticks(100))
    mirror(tmp_path / "one", server, "all")
    with importing(server, tmp_path, is_recorded=False) as (_, each):
        each.flush(WAIT)
        begin = each.stats.done + 1
    record(tmp_path / "one", ticks(100, 100))
    mirror(tmp_path / "one", server, "all")
    with server.client() as client:
        config = {"durable_name": "own-resume", "ack_policy": "all", "opt_start_seq": begin}
        config["deliver_policy"] = "by_start_sequence"
        where = "CONSUMER.DURABLE.CREATE.all.own-resume"
        assert "error" not in client.ask(where, {"stream_name": "all", "config": config})
        if left == "own-resume":
            client.ask("CONSUMER.DELETE.all.own")
        with importing(server, tmp_path, is_recorded=False) as (_, each):
            each.flush(WAIT)
            assert each.stats.entries == 100
            assert client.ask("CONSUMER.NAMES.all")["consumers"] == ["own"]
        floor = client.ask("CONSUMER.INFO.all.own")["ack_floor"]["stream_seq"]
        assert floor == client.state("all")["last_seq"]


def test_only_one_source_is_taken_if_that_is_wanted(server, tmp_path):
    with server.client() as client:
        client.ask("STREAM.CREATE.all", {"name": "all", "subjects": ["one.>", "two.>"]})
    identities = []
    for name in ("one", "two"):
        record(tmp_path / name, ticks(50))
        mirror(tmp_path / name, server, "all")
        with mainstem.Journal(tmp_path / name) as journal:
            list(journal.records())
            identities.append(journal.info.id.hex())
    with importing(server, tmp_path, source=identities[1]) as (_, each):
        each.flush(WAIT)
    assert {each.id for each in taken(tmp_path / "own", "all")} == {identities[1]}


def test_a_stream_that_is_not_there_is_waited_for(server, tmp_path):
    record(tmp_path / "one", ticks(10))
    with importing(server, tmp_path) as (context, each):
        while not each.stats.message:
            pass
        assert each.stats.state == "waiting" and each.stats.message == "the stream: Not Found"
        with server.client() as client:
            assert client.state("all") == {}
        mirror(tmp_path / "one", server, "all")
        each.flush(WAIT)
        assert each.stats.entries == 10


def test_a_stream_that_is_emptied_or_made_anew_gives_nothing_twice(server, tmp_path):
    record(tmp_path / "one", ticks(100))
    config = {"name": "all", "subjects": ["one.>"], "duplicate_window": 100_000_000}
    with server.client() as client, importing(server, tmp_path) as (_, each):
        client.ask("STREAM.CREATE.all", config)
        for step in ("STREAM.PURGE.all", "STREAM.DELETE.all", ""):
            mirror(tmp_path / "one", server, "all")
            each.flush(WAIT)
            if step:
                client.ask(step)
            if "DELETE" in step:
                client.ask("STREAM.CREATE.all", config)
        assert (each.stats.entries, each.stats.repeated) == (100, 200)


def test_a_flush_does_not_wait_for_what_was_removed(server, tmp_path):
    record(tmp_path / "one", ticks(100))
    mirror(tmp_path / "one", server, "all")
    with server.client() as client:
        places = [entry.sequence for entry in client.entries("all") if not is_own(entry)]
        last = client.state("all")["last_seq"]
        for sequence in (places[48], *range(places[-3], last + 1)):
            client.ask("STREAM.MSG.DELETE.all", {"seq": sequence})
    with importing(server, tmp_path) as (_, each):
        each.flush(WAIT)
        assert each.stats.entries == 96
    with server.client() as client:
        client.ask("STREAM.PURGE.all")
    with importing(server, tmp_path) as (_, each):
        each.flush(WAIT)
        assert each.stats.entries == 0


def test_long_stretches_of_other_types_are_not_read_again(server, tmp_path):
    record(tmp_path / "one", [("Bulk", b"")] * 25_000)
    mirror(tmp_path / "one", server, "all")
    for most in (25_200, 10_000):
        with importing(server, tmp_path, ["Tick"]) as (_, each):
            each.flush(WAIT)
            with server.client() as client:
                info = client.ask(f"CONSUMER.INFO.all.{identity(tmp_path / 'own')}")
            assert info["delivered"]["consumer_seq"] < most


def test_two_imports_with_one_consumer_notice_it(server, tmp_path):
    """They take entries from each other; still each gets everything, in order."""
    record(tmp_path / "one", ticks(3000))
    mirror(tmp_path / "one", server, "all")
    with importing(server, tmp_path, name="here", durable="same") as (_, here), importing(
        server, tmp_path, name="there", durable="same"
    ) as (_, there):
        for each in (here, there, here, there):
            with contextlib.suppress(MainstemError):
                each.flush(2)
        there.close()
        here.flush(WAIT)
    with importing(server, tmp_path, name="there", durable="same") as (_, there):
        there.flush(WAIT)
    for name in ("here", "there"):
        assert expect_same(tmp_path / "one", tmp_path / name, "all") == 3000


def test_an_import_whose_consumer_was_made_anew_at_the_end_notices_it(server, tmp_path):
    """Another import has taken everything through it: then it has nothing more, and never will."""
    record(tmp_path / "one", ticks(3000))
    mirror(tmp_path / "one", server, "all")
    with importing(server, tmp_path, durable="same", window=10) as (context, each):
        while each.stats.entries < 10:
            context.wait(1)
        with server.client() as client:
            last = client.state("all")["last_seq"]
            client.ask("CONSUMER.DELETE.all.same")
            config = {"durable_name": "same", "ack_policy": "all", "opt_start_seq": last + 1}
            config["deliver_policy"] = "by_start_sequence"
            question = {"stream_name": "all", "config": config}
            client.ask("CONSUMER.DURABLE.CREATE.all.same", question)
        each.flush(WAIT)
        assert each.stats.begun > 1
    assert expect_same(tmp_path / "one", tmp_path / "own", "all") == 3000

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The context that takes a stream in: full, slow, closed, recorded, replayed, of narrow rights."""

from __future__ import annotations

import contextlib
import threading

import mainstem
import pytest
from imported import expect_same, recorded, taken
from importing import WAIT, importing, in_a_thread, memory, mirror, record, ticks
from mainstem import Limits, MainstemError, Status, nats


def test_any_thread_may_drain(server, tmp_path):
    """While others send, drain and flush."""
    record(tmp_path / "one", ticks(20_000))
    mirror(tmp_path / "one", server, "all")
    with importing(server, tmp_path, threads="any") as (context, each):
        context.add_type("Local", int)
        is_done = threading.Event()

        def work():
            while not is_done.is_set():
                context.send("Local", 1)
                context.drain()

        workers = [threading.Thread(target=work) for _ in range(2)]
        for worker in workers:
            worker.start()
        each.flush(WAIT)
        is_done.set()
        for worker in workers:
            worker.join()
    assert expect_same(tmp_path / "one", tmp_path / "own", "all") == 20_000


def test_a_context_that_does_not_drain_gets_nothing_and_costs_little(server, tmp_path):
    record(tmp_path / "one", [("Bulk", b"b" * 100_000) for _ in range(600)])
    mirror(tmp_path / "one", server, "all")
    with importing(server, tmp_path) as (context, each):
        before = memory()
        while context.stats().waiting == 0:
            pass
        with pytest.raises(MainstemError, match="TIMEOUT"):
            in_a_thread(lambda: each.flush(1))
        assert each.stats.entries == 0
        assert memory() - before < 40 << 20
        each.flush(WAIT)
        assert memory() - before < 60 << 20
    assert expect_same(tmp_path / "one", tmp_path / "own", "all") == 600


@pytest.mark.parametrize("limits", [Limits(posts=1), Limits(events=64), Limits(bytes=500)], ids=str)
def test_a_full_context_slows_its_consumer(server, tmp_path, limits):
    """And nothing is lost, nothing twice: what had no room comes later."""
    record(tmp_path / "one", ticks(2000))
    mirror(tmp_path / "one", server, "all")
    with importing(server, tmp_path, deliver="host", limits=limits) as (context, each):
        context.add_type("Local", int)
        context.post("Local", 1)
        while each.stats.status != Status.FULL:
            if limits.posts != 1:
                context.drain()
        each.flush(WAIT)
        assert each.stats.state == "running"
    assert expect_same(tmp_path / "one", tmp_path / "own", "all") == 2000


def test_a_queue_that_refuses_slows_it_too(server, tmp_path):
    record(tmp_path / "one", ticks(1000))
    mirror(tmp_path / "one", server, "all")
    got = []
    with importing(server, tmp_path) as (context, each):
        context.observe("Tick", on="host", limit=10, policy="reject")(
            lambda event: got.append(event.value)
        )
        each.flush(WAIT)
        context.drain()
    assert got == list(range(1000))
    assert expect_same(tmp_path / "one", tmp_path / "own", "all") == 1000


def notes(path):
    """How many notes a journal has."""
    return [name for name, _ in recorded(path)].count("NATSImported")


def try_often(context, times=12):
    """Lets an import try so often to get a batch in."""
    rejected = context.stats().rejected
    while context.stats().rejected < rejected + times:
        context.wait(0.01)


def test_a_full_context_gets_few_notes(server, tmp_path):
    """However often a batch is tried: with it comes one, while it waits one more at most."""
    record(tmp_path / "one", ticks(100))
    mirror(tmp_path / "one", server, "all")
    with importing(server, tmp_path, window=20) as (context, each):
        box = context.mailbox("Tick", limit=10, policy="reject")
        try_often(context)
        assert each.stats.status == Status.FULL
        assert notes(tmp_path / "own") == 2
        for count in range(20, 100, 10):
            list(box.records())
            while each.stats.entries < count:
                context.wait(0.01)
            try_often(context, 4)
        assert notes(tmp_path / "own") <= 1 + 5
        box.cancel()
        each.flush(WAIT)
    assert expect_same(tmp_path / "one", tmp_path / "own", "all") == 100


def test_full_imports_of_one_context_wait_beside_each_other(server, tmp_path):
    """And a process that comes after reads notes of which a part was accepted later."""
    record(tmp_path / "one", ticks(200))
    mirror(tmp_path / "one", server, "all")
    journal = tmp_path / "own"
    for turn in range(3):
        with contextlib.ExitStack() as stack:
            context = stack.enter_context(mainstem.Context())
            context.record(journal)
            names = ("A", "B")
            for name in names:
                context.add_type(name, int)
            boxes = [context.mailbox(name, limit=30, policy="reject") for name in names]
            each = [
                stack.enter_context(
                    nats.import_stream(
                        context,
                        "all",
                        {"Tick": name},
                        server.url,
                        journal=journal,
                        window=50,
                        scope=name,
                        durable=name,
                    )  # fmt: skip
                )
                for name in names
            ]
            for _ in range(turn + 1):
                try_often(context)
                for box in boxes:
                    list(box.records())
            if turn == 2:
                for box in boxes:
                    box.cancel()
                for one in each:
                    one.flush(WAIT)
    found = [event for event in recorded(journal) if event[0] in names]
    for name in names:
        numbers = [int.from_bytes(payload, "little") for type, payload in found if type == name]
        assert numbers == list(range(200))
    assert notes(journal) < 60


def test_close_is_for_the_contexts_thread(server, tmp_path):
    record(tmp_path / "one", ticks(10))
    mirror(tmp_path / "one", server, "all")
    with importing(server, tmp_path) as (context, each):
        with pytest.raises(MainstemError, match="WRONG_THREAD: close: "):
            in_a_thread(each.close)
        found = []

        @context.observe("Tick")
        def look(event):
            for call in (each.close, lambda: each.flush(1)):
                with pytest.raises(MainstemError) as refused:
                    call()
                found.append(refused.value.status)

        each.flush(WAIT)
        assert found == [Status.BUSY] * 20
        scopes = context.stats().scopes
        each.close()
        each.close()
        assert context.stats().scopes == scopes - 1
        with pytest.raises(MainstemError, match="STALE"):
            each.flush(0)


def test_a_context_that_is_closed_first_stops_it(server, tmp_path):
    record(tmp_path / "one", ticks(10))
    mirror(tmp_path / "one", server, "all")
    with importing(server, tmp_path) as (context, each):
        each.flush(WAIT)
        context.close()
        with pytest.raises(MainstemError, match=r"STALE: flush: .*has ended"):
            each.flush(WAIT)
        assert (each.stats.state, each.stats.status) == ("stopped", Status.STALE)
        in_a_thread(each.close)


def test_a_scope_that_ends_in_a_callback_stops_it(server, tmp_path):
    """In the midst of a batch. What was not sent comes with the next import."""
    record(tmp_path / "one", ticks(1000))
    mirror(tmp_path / "one", server, "all")
    with mainstem.Context() as context:
        context.record(tmp_path / "own")
        context.add_type("Tick", int)
        for turn in range(3):
            part = context.scope("part")
            with nats.import_stream(
                part, "all", ["Tick"], server.url, journal=tmp_path / "own"
            ) as each:
                if turn < 2:
                    observing = context.observe("Tick", count=100)
                    observing(lambda event, part=part: event.value % 100 == 99 and part.end())
                    with pytest.raises(MainstemError, match="STALE"):
                        each.flush(WAIT)
                else:
                    each.flush(WAIT)
            if turn == 2:
                part.end()
    assert expect_same(tmp_path / "one", tmp_path / "own", "all") == 1000


def test_imports_that_are_closed_on_their_way_lose_nothing(server, tmp_path):
    record(tmp_path / "one", ticks(20_000))
    mirror(tmp_path / "one", server, "all")
    got = []
    with mainstem.Context() as context:
        context.record(tmp_path / "own")
        context.add_type("Tick", int)
        context.observe("Tick")(lambda event: got.append(event.value))
        while len(got) < 20_000:
            with nats.import_stream(
                context, "all", ["Tick"], server.url, journal=tmp_path / "own", window=100
            ) as each:
                while each.stats.entries < 1000 and len(got) < 20_000:
                    context.wait(0.01)
    assert got == list(range(20_000))
    assert expect_same(tmp_path / "one", tmp_path / "own", "all") == 20_000


def test_a_context_without_a_journal_remembers_what_it_took_in(server, tmp_path):
    """Imports are closed as soon as something came, when the server has not heard of it."""
    record(tmp_path / "one", ticks(1000))
    mirror(tmp_path / "one", server, "all")
    got = []
    with mainstem.Context() as context:
        context.add_type("Tick", int)
        context.observe("Tick")(lambda event: got.append(event.value))
        while len(got) < 1000:
            with nats.import_stream(context, "all", ["Tick"], server.url, durable="d", window=10):
                count = len(got)
                while len(got) == count:
                    context.drain()
                if count == 500:
                    server.kill()
            if count == 500:
                server.start()
    assert got == list(range(1000))


def test_a_note_and_its_events_may_be_in_different_files(server, tmp_path):
    """In each file of its journal, the import's scope has another number."""
    record(tmp_path / "one", [("Bulk", b"b" * 900) for _ in range(20)])
    mirror(tmp_path / "one", server, "all")
    for count in (20, 0):
        with mainstem.Context() as context:
            context.record(tmp_path / "own", segment_size=4096)
            context.add_type("Bulk", bytes)
            for name in ("first", "second"):
                context.scope(name).send("Bulk", b"own")
            with nats.import_stream(
                context, "all", ["Bulk"], server.url, journal=tmp_path / "own"
            ) as each:
                each.flush(WAIT)
                assert each.stats.entries == count
    assert expect_same(tmp_path / "one", tmp_path / "own", "all") == 20


def test_its_scope_has_rights_of_its_own(server, tmp_path):
    record(tmp_path / "one", [("Tick", 1), ("Bulk", b"b"), ("Tick", 2)], layer="model")
    mirror(tmp_path / "one", server, "all")
    with mainstem.Context() as context:
        context.add_type("Tick", int, layer="model")
        context.add_type("Bulk", bytes, layer="view")
        with nats.import_stream(
            context, "all", ["Tick", "Bulk"], server.url, durable="d", sends=["model"], observes=[]
        ) as each:
            each.flush(WAIT)
            assert (each.stats.entries, each.stats.refused) == (2, 1)
            assert "may not send" in each.stats.message or "DENIED" in each.stats.message
        assert context.stats().denied == 1
    with mainstem.Context() as context:
        context.add_type("Tick", int, layer="model")
        narrow = context.scope("narrow", sends=["model"])
        with pytest.raises(MainstemError, match="DENIED: import_stream"):
            nats.import_stream(narrow, "all", ["Tick"], server.url, durable="d")
        assert context.stats().scopes == 1


def test_two_imports_of_one_stream_have_two_scopes(server, tmp_path):
    """Each knows what it took in, whatever the other did."""
    record(tmp_path / "one", [("Tick", 1), ("Bulk", b"b"), ("Tick", 2), ("Bulk", b"c")])
    mirror(tmp_path / "one", server, "all")
    for count in (2, 0):
        with importing(server, tmp_path, ["Bulk"], scope="bulk", durable="bulk") as (context, bulk):
            bulk.flush(WAIT)
            with nats.import_stream(
                context, "all", ["Tick"], server.url, journal=tmp_path / "own", durable="tick"
            ) as tick:
                tick.flush(WAIT)
                assert (bulk.stats.entries, tick.stats.entries) == (count, count)


def test_two_imports_of_one_stream_in_one_scope_are_refused(server, tmp_path):
    """Each would take the other's notes for its own. Another stream, context or name is none."""

    def begin(place, stream="all", **options):
        return nats.import_stream(
            place, stream, ["Tick"], server.url, journal=tmp_path / "own", durable="d", **options
        )

    refused = 'INVALID: .*scope: "import.all" is that of another import of this stream'
    with importing(server, tmp_path) as (context, each):
        part = context.scope("part")
        for place in (context, part):
            with pytest.raises(MainstemError, match=refused):
                begin(place)
        begin(context, scope="two").close()
        begin(context, stream="other", scope="import.all").close()
        with mainstem.Context() as other:
            other.add_type("Tick", int)
            nats.import_stream(other, "all", ["Tick"], server.url, durable="e").close()
        each.close()
        begin(part).close()
        with begin(part):
            part.end()
            begin(context).close()


def test_the_journal_of_another_context_stops_it(server, tmp_path):
    record(tmp_path / "one", ticks(10))
    mirror(tmp_path / "one", server, "all")
    with importing(server, tmp_path, journal=tmp_path / "one") as (_, each):
        with pytest.raises(MainstemError, match="INVALID: .*not the journal of the context"):
            each.flush(WAIT)
        assert (each.stats.state, each.stats.entries) == ("stopped", 0)


def test_a_buffered_journal_is_written_before_it_counts(server, tmp_path):
    record(tmp_path / "one", ticks(100))
    mirror(tmp_path / "one", server, "all")
    with mainstem.Context() as context:
        context.record(tmp_path / "own", durability="buffered")
        context.add_type("Tick", int)
        with nats.import_stream(
            context, "all", ["Tick"], server.url, journal=tmp_path / "own"
        ) as each:
            while each.stats.entries < 100:
                context.wait(0.01)
            with pytest.raises(MainstemError, match="TIMEOUT"):
                each.flush(0.1)
            context.sync_journal()
            each.flush(WAIT)
    assert expect_same(tmp_path / "one", tmp_path / "own", "all") == 100


def test_a_flight_recorder_goes_on_where_the_consumer_is(server, tmp_path):
    """Its journal has lost the note."""
    record(tmp_path / "one", ticks(100))
    mirror(tmp_path / "one", server, "all")
    for count in (100, 0):
        with mainstem.Context() as context:
            context.record(tmp_path / "own", segment_size=1 << 16, keep=2)
            context.add_type("Tick", int)
            context.add_type("Local", bytes)
            with nats.import_stream(
                context, "all", ["Tick"], server.url, journal=tmp_path / "own"
            ) as each:
                each.flush(WAIT)
                assert each.stats.entries == count
            for _ in range(40):
                context.send("Local", b"l" * 10_000)


def test_an_import_begins_after_a_replay(server, tmp_path):
    record(tmp_path / "one", ticks(100))
    mirror(tmp_path / "one", server, "all")
    with importing(server, tmp_path) as (_, each):
        each.flush(WAIT)
    for verify in (False, True):
        got = []
        with mainstem.Context() as context:
            context.add_type("Tick", int)
            replay = context.replay(tmp_path / "own", verify=verify)
            context.observe("Tick")(lambda event, got=got: got.append(event.value))
            with pytest.raises(MainstemError, match="BUSY: .*replaying"):
                nats.import_stream(context, "all", ["Tick"], server.url, durable="d")
            replay.to_end()
            assert got == list(range(100))
            assert not verify or replay.info.ended
            replay.close()
            with nats.import_stream(context, "all", ["Tick"], server.url, durable="d") as each:
                each.flush(WAIT)
                assert each.stats.entries == (100 if verify is False else 0)


def test_the_journal_verifies(server, tmp_path):
    """What handlers make of what came in comes out again; no server is asked."""
    record(tmp_path / "one", ticks(1000))
    mirror(tmp_path / "one", server, "all")

    def install(context):
        context.add_type("Tick", int)
        context.add_type("Doubled", int)
        context.observe("Tick")(lambda event: context.send("Doubled", event.value * 2))

    with mainstem.Context() as context:
        context.record(tmp_path / "own")
        install(context)
        with nats.import_stream(
            context, "all", ["Tick"], server.url, journal=tmp_path / "own"
        ) as each:
            each.flush(WAIT)
    server.kill()
    with mainstem.Context() as context:
        replay = context.replay(tmp_path / "own", verify=True)
        install(context)
        replay.to_end()
        assert replay.info.ended and replay.info.matched >= 1000
        replay.close()
    server.start()


@pytest.mark.parametrize("limits", [Limits(), Limits(events=64)], ids=["none", "some"])
def test_a_note_is_believed_as_far_as_its_events_are_there(server, tmp_path, limits):
    """The context ends when none of them is there, or some."""
    record(tmp_path / "one", ticks(300))
    mirror(tmp_path / "one", server, "all")
    with importing(server, tmp_path, deliver="host", limits=limits) as (context, each):
        while context.stats().waiting == 0:
            pass
        if limits.events:
            while each.stats.status != Status.FULL:
                context.drain()
    assert len(taken(tmp_path / "own", "all")) < 300
    with importing(server, tmp_path) as (_, each):
        each.flush(WAIT)
    assert expect_same(tmp_path / "one", tmp_path / "own", "all") == 300

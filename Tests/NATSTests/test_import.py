# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A stream in a context: each event of each journal once, in order, through a scope of its own."""

from __future__ import annotations

import contextlib
import json
import os
import threading

import mainstem
import pytest
from compared import HEADER, is_own
from imported import expect_same, recorded, taken
from mainstem import Limits, MainstemError, Status, nats

WAIT = 60


def record(path, events, **type_options):
    """A journal of these (type, payload)."""
    with mainstem.Context() as context:
        context.record(path, level="buffered")
        context.add_type("Tick", int, **type_options)
        context.add_type("Bulk", bytes)
        for name, payload in events:
            context.send(name, payload)


def mirror(path, server, stream, prefix=None):
    """All of a journal in a stream."""
    with nats.mirror(path, server.url, stream=stream, prefix=prefix or path.name) as each:
        each.flush(WAIT)


@contextlib.contextmanager
def importing(server, tmp_path, types=("Tick", "Bulk"), name="own", is_recorded=True, **options):
    """A context with the types, and an import of the stream `all` into it."""
    own = {key: options.pop(key) for key in ("threads", "deliver", "limits") if key in options}
    with mainstem.Context(**own) as context:
        if is_recorded:
            context.record(tmp_path / name)
            options.setdefault("journal", tmp_path / name)
        else:
            options.setdefault("durable", name)
        context.add_type("Tick", int)
        context.add_type("Bulk", bytes)
        with nats.import_stream(context, "all", types, server.url, **options) as each:
            yield context, each


def ticks(count, begin=0):
    return [("Tick", number) for number in range(begin, begin + count)]


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


def test_a_hundred_thousand_events_of_three_sources_into_two_contexts(server, tmp_path):
    sources = [tmp_path / name for name in ("one", "two", "three")]
    with server.client() as client:
        subjects = [f"{source.name}.>" for source in sources]
        client.ask("STREAM.CREATE.all", {"name": "all", "subjects": subjects})
    for turn in range(2):
        for source in sources:
            with mainstem.Context() as context:
                context.record(source, level="buffered")
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
        time = client.ask("STREAM.MSG.GET.all", {"seq": 4})["message"]["time"]
    assert note["stream"] == "all" and note["entries"] == [[identity, 1, 2, 3]]
    assert note["sequence"] == 4 and str(note["time"])[-5:] in time.rstrip("Z").ljust(29, "0")


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
    record(tmp_path / "one", ticks(100, 100))
    mirror(tmp_path / "one", server, "all")
    with server.client() as client:
        config = {"durable_name": "own-resume", "ack_policy": "all", "opt_start_seq": 102}
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


def memory():
    """Bytes of this process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def in_a_thread(work):
    """Does it there, and raises here what it raises."""
    failures = []

    def run():
        try:
            work()
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failures:
        raise failures[0]


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


def test_close_is_for_the_contexts_thread(server, tmp_path):
    record(tmp_path / "one", ticks(10))
    mirror(tmp_path / "one", server, "all")
    with importing(server, tmp_path) as (context, each):
        with pytest.raises(MainstemError, match="WRONG_THREAD: mainstem_nats_close: "):
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
        with pytest.raises(MainstemError, match=r"STALE: mainstem_nats_flush: .*has ended"):
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
            assert "may not send" in each.stats.sentence or "DENIED" in each.stats.sentence
        assert context.stats().denied == 1
    with mainstem.Context() as context:
        context.add_type("Tick", int, layer="model")
        narrow = context.scope("narrow", sends=["model"])
        with pytest.raises(MainstemError, match="DENIED: mainstem_nats_import"):
            nats.import_stream(narrow, "all", ["Tick"], server.url, durable="d")
        assert context.stats().scopes == 1


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
            assert each.stats.sentence == (
                "entry 4 of the stream was refused: its type carries something else than here"
            )


def test_a_payload_over_the_contexts_limit_is_refused_alone(server, tmp_path):
    sizes = [10, 2000, 10, 3000, 10]
    record(tmp_path / "one", [("Bulk", b"b" * size) for size in sizes])
    mirror(tmp_path / "one", server, "all")
    with importing(server, tmp_path, limits=Limits(payload=1000)) as (_, each):
        each.flush(WAIT)
        assert (each.stats.entries, each.stats.refused) == (3, 2)
        assert "mainstem_send_many" in each.stats.sentence
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
        while not each.stats.sentence:
            pass
        assert each.stats.state == "waiting" and each.stats.sentence == "the stream: Not Found"
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
        for sequence in (50, 99, 100, 101):
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
    for most in (25_100, 10_000):
        with importing(server, tmp_path, ["Tick"]) as (_, each):
            each.flush(WAIT)
            with server.client() as client:
                info = client.ask(f"CONSUMER.INFO.all.{identity(tmp_path / 'own')}")
            assert info["delivered"]["consumer_seq"] < most


def identity(path):
    with mainstem.Journal(path) as journal:
        list(journal.records())
        return f"import-{journal.info.id.hex()}"


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
        context.record(tmp_path / "own", level="buffered")
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
        assert replay.info.ended and replay.info.same >= 1000
        replay.close()
    server.start()


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
        assert each.stats.sentence.endswith("no mirror made it")

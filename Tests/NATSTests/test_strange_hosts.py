# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Programs that do with bridges what no program should: nothing crashes or hangs, nothing is lost,
and each mistake has its status."""

from __future__ import annotations

import os
import random
import shutil

import mainstem
import pytest
from asking import PATIENCE, Asked, RequestTotal, context, echo, until
from imported import expect_same, recorded
from importing import WAIT, importing, in_a_thread, mirror, record, ticks
from mainstem import MainstemError, Status, nats

SEED = int(os.environ.get("MAINSTEM_NATS_SEED", random.randrange(1 << 30)))


@pytest.fixture
def chance():
    print("seed", SEED)
    return random.Random(SEED)


def begin_any(number, url, path, own):
    """One of the four kinds; `own` takes imports and requests."""
    kind = number % 4
    if kind == 0:
        return nats.mirror(path, url, prefix=f"p{number}", stream=f"p{number}")
    if kind == 1:
        return nats.import_stream(
            own, "all", ["Tick"], url, durable=f"d{number}", scope=f"s{number}"
        )
    begin = nats.serve if kind == 2 else nats.forward
    return begin(own, RequestTotal, url, prefix=f"p{number - kind % 2}")


def test_two_hundred_bridges_in_one_process(server, tmp_path, chance):
    """They all work, end in any order, and give everything back."""
    record(tmp_path / "one", ticks(50))
    mirror(tmp_path / "one", server, "all")
    with context() as own:
        own.add_type("Tick", int)
        own.serve(RequestTotal, echo, several=True)
        begin_any(2, server.url, tmp_path / "one", own).close()
        own.fileno()  # Opens what it waits with.
        threads, files = len(os.listdir("/proc/self/task")), []
        for _ in range(2):
            bridges = [
                begin_any(number, server.url, tmp_path / "one", own) for number in range(200)
            ]
            chance.shuffle(bridges)
            for each in bridges[:100]:
                each.flush(WAIT)
            assert all(each.stats.state == "running" for each in bridges[:100])
            for each in bridges:
                each.close()
            until(lambda: len(os.listdir("/proc/self/task")) <= threads, own)
            files.append(len(os.listdir("/proc/self/fd")))
        assert files[0] == files[1], "what a place keeps is used again"
        assert own.first_error() is None


@pytest.mark.parametrize("state", ["there", "stopped", "gone"])
def test_bridges_that_end_in_every_phase(server, tmp_path, chance, state):
    """Whether there is a server or not."""
    record(tmp_path / "one", ticks(2000))
    mirror(tmp_path / "one", server, "all")
    if state == "stopped":
        server.stop()
    if state == "gone":
        server.kill()
    with context() as own:
        own.add_type("Tick", int)
        own.serve(RequestTotal, echo, several=True)
        for turn in range(40 if state == "there" else 4 if state == "stopped" else 8):
            each = begin_any(turn, server.url, tmp_path / "one", own)
            own.wait(chance.choice([0, 0.0005, 0.002, 0.01, 0.05]))
            if turn % 4 > 1:
                own.send(RequestTotal(b"only sent"))
            each.close()
            with pytest.raises(MainstemError, match="STALE"):
                each.stats  # noqa: B018
        own.drain()
        assert own.first_error() is None
    if state == "stopped":
        server.go_on()


def test_contexts_that_end_under_all_their_bridges(server, tmp_path):
    """On any thread each call says so, and close works."""
    record(tmp_path / "one", ticks(50))
    mirror(tmp_path / "one", server, "all")
    for threads in ("one", "any", "guarded"):
        with context(threads=threads) as own:
            own.add_type("Tick", int)
            own.serve(RequestTotal, echo, several=True)
            bridges = [begin_any(number, server.url, tmp_path / "one", own) for number in (1, 2, 3)]
            for each in bridges:
                each.flush(WAIT)
            asked = [Asked(own, RequestTotal(b"%d" % number)) for number in range(10)]
            own.drain()
        assert all(each.answers for each in asked)

        def look(bridges=bridges):
            for each in bridges:
                with pytest.raises(MainstemError, match="STALE"):
                    each.flush(WAIT)
                assert (each.stats.state, each.stats.status) == ("stopped", Status.STALE)
                each.close()
                each.close()

        in_a_thread(look)


def test_handles_of_the_past_are_nobodys(server, tmp_path):
    """However often their place was used again, and whatever is in it."""
    record(tmp_path / "one", ticks(1))
    old = []
    for _ in range(50):
        with nats.mirror(tmp_path / "one", server.url) as each:
            old.append(each)
    with nats.mirror(tmp_path / "one", server.url) as last:
        for each in old:
            for call in (lambda each=each: each.stats, lambda each=each: each.flush(0)):
                with pytest.raises(MainstemError, match="STALE"):
                    call()
            each.close()
        last.flush(WAIT)


NAMES = ["a.b.c", "with space", "Größe", "日本語.イベント", "a*b>c%d", "x" * 240, "tab\tname"]
SIZES = [0, 1, 65536, (1 << 20) - 4096, (1 << 20) + 1, 3 << 20]


@pytest.mark.parametrize("name", NAMES)
def test_odd_names_and_sizes_come_whole(server, tmp_path, name):
    """From a journal into a context; what is too large is left out, and counted."""
    with mainstem.Context() as host:
        host.record(tmp_path / "one")
        host.add_type(name, bytes)
        for size in SIZES:
            host.send(name, b"x" * size)
    with nats.mirror(tmp_path / "one", server.url, stream="all", prefix="p") as each:
        each.flush(WAIT)
        left_out = each.stats.left_out
    assert left_out == sum(size >= 1 << 20 for size in SIZES)
    with mainstem.Context() as own:
        own.record(tmp_path / "own")
        own.add_type(name, bytes)
        with nats.import_stream(own, "all", [name], server.url, journal=tmp_path / "own") as each:
            each.flush(WAIT)
            assert (each.stats.entries, each.stats.left_out) == (len(SIZES) - left_out, left_out)
            assert each.stats.refused == 0
    came = [(type, len(payload)) for type, payload in recorded(tmp_path / "own") if type == name]
    assert came == [(name, size) for size in SIZES if size < 1 << 20]


@pytest.mark.parametrize("name", [name for name in NAMES if "\t" not in name])
def test_odd_names_and_sizes_are_asked_for(server, name):
    with mainstem.Context() as here, mainstem.Context() as there:
        for each in (here, there):
            each.add_type("R" + name, bytes, role="response")
            each.add_type(name, bytes, role="request", response="R" + name)
        there.serve(name, lambda event: bytes(event.data))
        with nats.serve(there, name, server.url) as serving, nats.forward(here, name, server.url):
            serving.flush(PATIENCE)
            for size in SIZES:
                answers = []
                note = answers.append
                here.request(name, b"x" * size, then=note, failed=note)
                until(lambda answers=answers: answers, here, there)
                (answer,) = answers
                if size + len(name) < 1 << 20:
                    assert bytes(answer.data) == b"x" * size
                else:
                    assert answer.status == Status.TOO_BIG


def test_a_stream_that_is_lost_again_and_again(server, tmp_path, chance):
    """While it is mirrored and taken in: in the end each event is there once."""
    record(tmp_path / "one", ticks(20_000))
    path = tmp_path / "one"
    with nats.mirror(path, server.url, stream="all", prefix="one") as each, importing(
        server, tmp_path
    ) as (own, taking):
        for turn in range(4):
            while taking.stats.entries < turn * 4000 + chance.randrange(2000):
                own.wait(0.01)
            server.kill()
            shutil.rmtree(server.folder / "store")
            server.start()
        while taking.stats.entries < 20_000:
            own.wait(0.05)
        each.flush(WAIT)
        taking.flush(WAIT)
        assert taking.stats.repeated > 0
    assert expect_same(path, tmp_path / "own", "all") == 20_000

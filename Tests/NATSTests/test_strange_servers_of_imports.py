# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Servers and publishers that lie to an import: what cannot be is refused and counted, nothing
comes twice or out of order, memory is bounded, and the host does not notice."""

from __future__ import annotations

import contextlib
import os
import random

import mainstem
import pytest
from compared import HEADER
from imported import taken
from importing import importing, memory, mirror, record, ticks
from mainstem import MainstemError, Status, nats
from strange import Mangler, Teller, nothing

WAIT = 60
SEED = int(os.environ.get("MAINSTEM_TURN", "1"))
ID = "0123456789abcdef0123456789abcdef"


def place(sequence, ordinal, deliveries=1):
    return f"$JS.ACK.all.own.{deliveries}.{sequence}.{ordinal}.1763971200000000000.0"


def entry(position=1, data=None, identity=None, size=8, offset=64, type_number=1, flags=0, **other):
    """The headers and data of an event; the arguments say what is not as it should be."""
    headers = {
        "Nats-Msg-Id": identity or f"{ID}-{position}",
        "Mainstem-Type": "Tick",
        "Mainstem-Layer": "app",
        "Mainstem-Contract": "0000033600000000",
    }
    headers.update({key.replace("_", "-"): value for key, value in other.items()})
    head = HEADER.pack(position, 0, 0, 0, 0, size, offset, type_number, 0, 0, flags)
    whole = head + b"\1" * 8 if data is None else data
    return {key: value for key, value in headers.items() if value is not None}, whole


@contextlib.contextmanager
def told(strange, tell, **options):
    """An import from a server that tells this, and its context."""
    server = strange(Teller(tell, **options).talk)
    with mainstem.Context() as context:
        context.add_type("Tick", int)
        with nats.import_stream(context, "all", ["Tick"], server.url, durable="own") as each:
            yield context, each


def until(context, each, happened):
    while not happened(each.stats):
        context.wait(0.01)
    return each.stats


FORGED = [
    entry(data=b""),
    entry(data=b"short"),
    entry(size=0),
    entry(size=9),
    entry(size=0xFFFFFFFF),
    entry(offset=0),
    entry(offset=0xFFFFFFFF),
    entry(type_number=0),
    entry(identity=f"{ID}-2"),
    entry(identity=f"{ID}-0", position=0),
    entry(identity=f"{ID}--1"),
    entry(identity=f"{ID}-0x1"),
    entry(identity=f"{ID}-99999999999999999999"),
    entry(identity=f"{ID}-1-journal"),
    entry(identity=ID.upper() + "-1"),
    entry(identity="x"),
    entry(identity="f" * 60_000),
    entry(Nats_Msg_Id=None),
    entry(Mainstem_Type=None),
    entry(Mainstem_Layer=None),
    entry(Mainstem_Layer="view"),
    entry(Mainstem_Layer="%"),
    entry(Mainstem_Layer="%4"),
    entry(Mainstem_Layer="%00"),
    entry(Mainstem_Layer="l" * 60_000),
    entry(Mainstem_Contract=None),
    entry(Mainstem_Contract="0000033700000000"),
    entry(Mainstem_Contract="3600000000"),
    entry(Mainstem_Contract="0x00033600000000"),
    entry(data=entry()[1] + b"more"),
]


@pytest.mark.parametrize("number", range(len(FORGED)))
def test_what_cannot_be_is_refused_and_the_next_one_comes(strange, number):
    good, data = entry()

    def tell(request, batch):
        if request > 1:
            return None
        return [(place(1, 1), *FORGED[number]), (place(2, 2), good, data), nothing()]

    with told(strange, tell) as (context, each):
        stats = until(context, each, lambda stats: stats.done >= 2)
    assert (stats.entries, stats.refused, stats.begun) == (1, 1, 1)
    assert stats.message.startswith("entry 1 of the stream was refused: ")
    assert stats.message.isprintable()


LIES = [
    [("", *entry())],
    [("whatever", *entry())],
    [("$JS.ACK.all.own.1.1.1", *entry())],
    [("$JS.ACK.all.own.1.x.1.1.0", *entry())],
    [("$JS.ACK.all.own.1.0.1.1.0", *entry())],
    [("$JS.ACK.all.own.1.-1.1.1.0", *entry())],
    [("$JS.ACK." + "a." * 1000, *entry())],
    [(place(1, 2), *entry())],
    [(place(1, 0), *entry())],
    [(place(1, 1, deliveries=2), *entry())],
    [("", b"NATS/1.0 409 Consumer Deleted\r\n\r\n", b"")],
    [("", b"NATS/1.0 999 \x1b[31mNo\r\n\r\n", b"")],
    [("", b"NATS/1.0 503\r\n\r\n", b"")],
    [("", b"NATS/1.0\r\n", b"")],
    [("", b"\r\n", b"")],
    [(place(1, 1), b"HTTP/1.1 200 OK\r\n\r\n", b"")],
]


@pytest.mark.parametrize("number", range(len(LIES)))
def test_a_server_that_lies_is_left(strange, number):
    """Nothing is taken from it; the import begins again, with another connection."""
    with told(strange, lambda request, batch: LIES[number]) as (context, each):
        stats = until(context, each, lambda stats: stats.begun > 1 and stats.message)
        assert stats.entries == 0 and stats.message.isprintable()
        assert stats.status in (Status.OK, Status.IO, Status.BUSY)


@pytest.mark.parametrize("second", [(1, 2), (2, 3), (2, 1), (3, 2)])
def test_entries_that_go_backwards_or_are_missing_are_not_taken(strange, second):
    """The last one skips an entry, and the consumer is not the one that was made."""

    def tell(request, batch):
        if request > 1:
            return None
        return [(place(1, 1), *entry(5)), (place(*second), *entry(6))]

    with told(strange, tell, is_kept=False) as (context, each):
        until(context, each, lambda stats: stats.begun > 1)
        assert each.stats.entries <= 1


def test_more_than_was_asked_for_is_not_taken(strange):
    def tell(request, batch):
        return [(place(n, n), *entry(n)) for n in range(1, 1000)]

    with told(strange, tell) as (context, each):
        stats = until(context, each, lambda stats: stats.begun > 1)
        assert stats.entries <= 999


def test_repeated_positions_come_once(strange):
    def tell(request, batch):
        if request > 1:
            return None
        return [(place(n, n), *entry(n % 7 + 1)) for n in range(1, 401)] + [nothing()]

    with told(strange, tell) as (context, each):
        got = []
        context.observe("Tick")(got.append)
        stats = until(context, each, lambda stats: stats.done == 400)
        assert stats.entries == len(got) == 6 and stats.repeated == 394


def test_journals_without_number_take_bounded_memory(strange):
    """Each entry is of another journal."""
    before, told_of = [], [0]

    def tell(request, batch):
        first = told_of[0]
        told_of[0] += batch
        return [
            (place(n, n), *entry(identity=f"{n:032x}-1"))
            for n in range(first + 1, first + batch + 1)
        ]

    with told(strange, tell) as (context, each):
        until(context, each, lambda stats: stats.done >= 5000)
        before.append(memory())
        stats = until(context, each, lambda stats: stats.done >= 50_000)
        assert stats.entries >= 50_000
        assert memory() - before[0] < 16 << 20


def test_bytes_are_turned_over(server, tmp_path, strange):
    """Whatever becomes of what the server says, positions come once and in order."""
    record(tmp_path / "one", ticks(2000))
    mirror(tmp_path / "one", server, "all")
    mangler = Mangler(server.port, random.Random(SEED), 0.2)
    between = strange(mangler.talk)
    while mangler.mangled < 25:
        with mainstem.Context() as context:
            context.record(tmp_path / "own")
            context.add_type("Tick", int)
            with nats.import_stream(
                context, "all", ["Tick"], between.url, journal=tmp_path / "own", window=16
            ) as each, contextlib.suppress(MainstemError):
                each.flush(0.5)
    found = taken(tmp_path / "own", "all")
    by_journal = {}
    for each in found:
        by_journal.setdefault(each.id, []).append(each.position)
    for positions in by_journal.values():
        assert positions == sorted(set(positions))


def test_a_host_does_not_wait_for_a_server_that_hangs(server, tmp_path):
    record(tmp_path / "one", ticks(1000))
    mirror(tmp_path / "one", server, "all")
    with importing(server, tmp_path) as (context, each):
        each.flush(WAIT)
        context.add_type("Local", int)
        server.stop()
        for number in range(10_000):
            context.send("Local", number)
            context.drain()
        server.go_on()
        record(tmp_path / "one", ticks(10))
        mirror(tmp_path / "one", server, "all")
        each.flush(WAIT)
        assert each.stats.entries == 1010


def test_a_full_context_leaves_others_alone(server, tmp_path):
    """Its consumer waits; the stream, its mirror and another import do not."""
    record(tmp_path / "one", ticks(5000))
    with importing(server, tmp_path, name="slow") as (_, slow), importing(
        server, tmp_path, name="own"
    ) as (_, each):
        mirror(tmp_path / "one", server, "all")
        each.flush(WAIT)
        assert (each.stats.entries, slow.stats.entries) == (5000, 0)
        slow.flush(WAIT)

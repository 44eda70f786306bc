# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Mailboxes: many events fetched with one call, from Python."""

from __future__ import annotations

import asyncio
import select

import mainstem
import pytest
from mainstem import EventHeader, Gap, MainstemError, Notice, Status


@mainstem.event
class Number(Notice):
    value: int


@pytest.fixture
def context(context):
    context.add_type("Bytes", bytes)
    return context


def test_records_are_headers_and_payloads_in_order(context):
    seen = []
    context.observe("Bytes")(lambda event: seen.append(event))
    mailbox = context.mailbox("Bytes")
    context.send_many("Bytes", [b"one", b"", b"a payload of more than eight bytes"])

    records = list(mailbox.records())

    assert [data for _, data in records] == [event.data for event in seen]
    for (header, _), event in zip(records, seen):
        named = EventHeader._make(header)
        assert (named.position, named.type, named.size) == (event.position, event.type, event.size)
        assert named.flags == mainstem._library._header.EVENT_OUTSIDE
    assert list(mailbox.records()) == []


def test_events_are_what_an_observer_gets(context):
    mailbox = context.mailbox(Number, "Bytes")
    context.send(Number(value=7))
    context.send("Bytes", b"seven")

    number, plain = mailbox.events()

    assert number == Number(value=7)
    assert number.event.position == 1
    assert plain.data == b"seven"
    assert str(plain) == "#2 Bytes <5 bytes>"


def test_many_buffers_and_one_event_larger_than_the_buffer(context):
    mailbox = context.mailbox("Bytes")
    payloads = [bytes([number % 256]) * 100 for number in range(5000)]
    payloads[2500] = b"x" * 1_000_000
    context.send_many("Bytes", payloads)

    assert [data for _, data in mailbox.records()] == payloads


def test_whoever_stops_early_goes_on_where_he_stopped(context):
    mailbox = context.mailbox("Bytes")
    context.send_many("Bytes", [b"a", b"b", b"c"])

    for _, data in mailbox.records():
        assert data == b"a"
        break
    context.send("Bytes", b"d")

    assert [data for _, data in mailbox.records()] == [b"b", b"c", b"d"]


def test_what_was_lost_is_a_gap(context):
    gaps = []
    mailbox = context.mailbox("Bytes", policy="drop-oldest", limit=1, on_gap=gaps.append)
    context.send_many("Bytes", [b"a", b"b", b"c"])

    (last,) = mailbox.events()

    assert gaps == [Gap(1, 2, 2)]
    assert last.data == b"c"


def test_a_full_mailbox_refuses(context):
    with context.mailbox("Bytes", limit=1) as mailbox:
        context.send("Bytes", b"a")
        with pytest.raises(MainstemError) as refused:
            context.send("Bytes", b"b")
        assert refused.value.status == Status.FULL
        assert len(list(mailbox.records())) == 1
    context.send("Bytes", b"c")
    with pytest.raises(MainstemError) as ended:
        list(mailbox.records())
    assert ended.value.status == Status.STALE


def test_the_descriptor_tells_until_the_host_drains_or_fetches(context):
    mailbox = context.mailbox("Bytes")
    descriptor = context.fileno()
    assert select.select([descriptor], [], [], 0)[0] == []
    context.send("Bytes", b"a")
    assert select.select([descriptor], [], [], 0)[0] == [descriptor]
    context.drain()
    assert select.select([descriptor], [], [], 0)[0] == []
    assert len(list(mailbox.events())) == 1
    context.send("Bytes", b"b")
    assert select.select([descriptor], [], [], 0)[0] == [descriptor]
    assert len(list(mailbox.events())) == 1
    assert select.select([descriptor], [], [], 0)[0] == []


def test_a_loop_is_not_kept_busy_by_what_nobody_fetches(monkeypatch):
    drains = []
    drain = mainstem.Context.drain
    monkeypatch.setattr(mainstem.Context, "drain", lambda self: drains.append(drain(self)))

    async def main():
        async with mainstem.Context() as context:
            context.add_type("Bytes", bytes)
            context.mailbox("Bytes")
            context.send("Bytes", b"a")
            for _ in range(20):
                await asyncio.sleep(0)

    asyncio.run(main())
    assert len(drains) < 5


def test_a_policy_that_is_none_and_a_limit_below_zero_are_told(context):
    with pytest.raises(ValueError, match="policy is one of reject, block"):
        context.mailbox("Bytes", policy="lose")
    with pytest.raises(ValueError, match="limit is -1"):
        context.mailbox("Bytes", limit=-1)


def test_inside_a_callback_it_is_busy(context):
    mailbox = context.mailbox("Bytes")
    seen = []

    @context.observe("Bytes")
    def look(event):
        with pytest.raises(MainstemError) as refused:
            list(mailbox.records())
        seen.append(refused.value.status)

    context.send("Bytes", b"a")

    assert seen == [Status.BUSY]

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 9: bounded (acceptance A-12)."""

from __future__ import annotations

import threading
from typing import Callable

import mainstem
import pytest
from mainstem import Gap, MainstemError, Notice, Status


@mainstem.event(layer="model")
class Ping(Notice):
    pass


@mainstem.event(layer="model")
class Pong(Notice):
    pass


def status_of(call: Callable[[], object]) -> Status:
    try:
        call()
    except MainstemError as error:
        return error.status
    return Status.OK


def bounded() -> mainstem.Context:
    context = mainstem.Context(raises=True)
    context.register(Ping, Pong)
    return context


def test_law_9_a_chain_that_feeds_itself_ends_before_it_looks_hung():
    with bounded() as context:
        last = []
        context.observe(Ping, lambda event: last.append(status_of(lambda: context.send(Ping()))))

        context.send(Ping())

        assert len(last) == 65536 + 1
        assert last[-1] == Status.LIMIT


def test_law_9_rights_only_narrow():
    with bounded() as context:
        child = context.scope("View", sends="view").scope("Child", sends=["view", "model"])

        assert status_of(lambda: child.send(Ping())) == Status.DENIED
        assert context.stats().denied == 1


def total(seen: list) -> int:
    """How many events an observer got, those it lost included."""
    return sum(event.count if isinstance(event, Gap) else 1 for event in seen)


def test_law_9_what_an_observer_does_not_get_takes_no_room():
    with bounded() as context:
        context.add_type("Bytes", bytes)
        failures = context.mailbox("Bytes", failed=True, limit=3)
        first = context.mailbox("Bytes", count=2, limit=3)
        for _ in range(100):
            context.send("Bytes", b"")

        assert list(failures.records()) == []
        assert len([row for _, row in zip(range(2), first.records())]) == 2


@pytest.mark.parametrize("policy", ["reject", "block", "drop-newest"])
def test_law_9_timers_do_not_overrun_a_queue(policy):
    with mainstem.Context(clock="virtual", raises=True) as context:
        context.add_type("Bytes", bytes)
        gaps: list = []
        mailbox = context.mailbox("Bytes", policy=policy, limit=4, on_gap=gaps.append)
        context.send_every(0.001, "Bytes", b"")
        context.advance(2)

        events = list(mailbox.events())
        assert [event.position for event in events] == [1, 2, 3, 4]
        assert gaps == [Gap(5, 2000, 1996)]
        assert context.stats().rejected == 0


@pytest.mark.parametrize("policy", ["reject", "drop-oldest", "drop-newest", "latest"])
def test_law_9_rejected_dropped_and_delivered_are_all_that_was_sent(policy):
    seen: list = []
    reached = threading.Semaphore(0)

    with mainstem.Context(threads="any", raises=True) as context:
        context.register(Ping, Pong)
        worker = context.serial("worker")
        context.observe(Ping, seen.append, on=worker, policy=policy, limit=5, on_gap=seen.append)
        context.observe(Pong, lambda event: reached.release(), on=worker)
        statuses = [status_of(lambda: context.send(Ping())) for _ in range(2000)]
        # Behind the first Pong nothing waits; so the last Ping has room.
        for event in (Pong(), Ping(), Pong()):
            context.send(event)
            assert not isinstance(event, Pong) or reached.acquire(timeout=30)
        assert context.stats().rejected == statuses.count(Status.FULL)

    positions = [event.last if isinstance(event, Gap) else event.event.position for event in seen]
    assert total(seen) == statuses.count(Status.OK) + 1
    assert statuses.count(Status.OK) + statuses.count(Status.FULL) == 2000
    assert positions == sorted(set(positions))
    if policy != "reject":
        assert statuses.count(Status.FULL) == 0


def test_law_9_a_blocked_sender_goes_on_when_there_is_room():
    with mainstem.Context(threads="any", raises=True) as context:
        context.register(Ping)
        seen: list = []
        context.observe(Ping, seen.append, on="host", policy="block", limit=10)
        sender = threading.Thread(target=lambda: [context.send(Ping()) for _ in range(500)])
        sender.start()
        while len(seen) < 500:
            context.wait(30)
        sender.join(30)

        assert [event.event.position for event in seen] == list(range(1, 501))
        assert context.stats().rejected == 0

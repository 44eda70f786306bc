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


def test_law_9_rights_only_narrow():
    with mainstem.Context(raises=True) as context:
        context.register(Ping, Pong)
        child = context.scope("View", sends="view").scope("Child", sends=["view", "model"])

        assert status_of(lambda: child.send(Ping())) == Status.DENIED
        assert context.stats().denied == 1


def total(seen: list) -> int:
    """How many events an observer got, those it lost included."""
    return sum(event.count if isinstance(event, Gap) else 1 for event in seen)


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

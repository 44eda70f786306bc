# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A queue of the program's that is full, and lets senders wait, holds up a bridge; not its end."""

from __future__ import annotations

import os

import pytest
from asking import PATIENCE, Asked, RequestTotal, ResponseTotal, context, echo, pair, until
from imported import expect_same
from importing import WAIT, importing, mirror, record, ticks
from mainstem import MainstemError, Status, nats


def threads():
    """How many this process has."""
    return len(os.listdir("/proc/self/task"))


def take(box):
    """Makes room."""
    list(box.records())
    return True


@pytest.fixture
def usual(server):
    """How many it has without a bridge: those of the client stay."""
    with pair(server.url, echo) as both:
        assert both.answer(b"x") == ResponseTotal(b"x")
    return threads()


@pytest.mark.parametrize("kind", ["one", "any"])
@pytest.mark.parametrize("then", ["fetched", "closed"])
def test_a_full_queue_does_not_hold_up_the_end_of_serving(server, usual, kind, then):
    """Who asked is told, and the bridge's thread ends when there is room, or the context ends."""
    with context() as here, context(threads=kind) as there:
        there.serve(RequestTotal, echo)
        with nats.serve(there, RequestTotal, server.url) as serving, nats.forward(
            here, RequestTotal, server.url
        ):
            serving.flush(PATIENCE)
            box = there.mailbox("Asked.RequestTotal", limit=1, policy="block")
            asked = [Asked(here, RequestTotal(b"%d" % number)) for number in range(20)]
            until(lambda: serving.stats.open > 1, here)
            serving.close()
            with pytest.raises(MainstemError, match="STALE"):
                serving.flush(0)
            if then == "fetched":
                until(lambda: take(box) and all(each.answers for each in asked), here, there)
            else:
                there.close()
                until(lambda: all(each.answers for each in asked), here)
            assert {each.failure.status for each in asked} <= {
                Status.CANCELLED,
                Status.UNHANDLED,
            }
    until(lambda: threads() <= usual)


def test_a_full_queue_does_not_hold_up_the_end_of_a_forward(server, usual):
    """The answers to what was only sent wait for room."""
    with context(threads="any") as here, context() as there:
        there.serve(RequestTotal, echo)
        with nats.serve(there, RequestTotal, server.url) as serving, nats.forward(
            here, RequestTotal, server.url
        ) as forward:
            serving.flush(PATIENCE)
            box = here.mailbox(ResponseTotal, limit=1, policy="block")
            for number in range(5):
                here.send(RequestTotal(b"%d" % number))
            until(lambda: forward.stats.entries == 2, here, there)
            forward.close()
            until(lambda: take(box) and threads() <= usual + 1, here)


def test_a_full_queue_does_not_hold_up_the_end_of_an_import(server, tmp_path):
    """What the host's drain empties is drained; for what it must fetch, close asks it to."""
    record(tmp_path / "one", ticks(3000))
    mirror(tmp_path / "one", server, "all")
    with importing(server, tmp_path, window=50) as (context, each):
        context.observe("NATSImported", on="host", limit=1, policy="block")(lambda note: None)
        while each.stats.entries < 1000:
            context.wait(0.01)
    is_busy = False
    while not is_busy:  # The next note may not be on its way yet.
        with importing(server, tmp_path, window=10) as (context, each):
            box = context.mailbox("NATSImported", limit=1, policy="block")
            while each.stats.entries == 0:
                context.wait(0.01)
            try:
                each.close()
            except MainstemError as error:
                is_busy = error.status == Status.BUSY and "full" in str(error)
                take(box)
                each.close()
    with importing(server, tmp_path) as (_, each):
        each.flush(WAIT)
    assert expect_same(tmp_path / "one", tmp_path / "own", "all") == 3000


STUCK = "BUSY: flush: the .* waits behind a queue .*: make room there"


@pytest.mark.parametrize("kind", ["one", "any"])
def test_a_flush_behind_a_full_queue_says_so(server, kind):
    """Who flushes may be the one who has to make room. Then it goes on."""
    with context() as here, context(threads=kind) as there:
        there.serve(RequestTotal, echo)
        with nats.serve(there, RequestTotal, server.url) as serving, nats.forward(
            here, RequestTotal, server.url
        ) as forward:
            serving.flush(PATIENCE)
            box = there.mailbox("Asked.RequestTotal", limit=1, policy="block")
            for number in range(5):
                here.send(RequestTotal(b"%d" % number))
            until(lambda: serving.stats.open > 1, here)
            with pytest.raises(MainstemError, match=STUCK):
                serving.flush(10)
            box.cancel()
            until(lambda: forward.stats.entries == 5, here, there)
            serving.flush(PATIENCE)


def test_a_flush_of_an_import_behind_a_full_queue_says_so(server, tmp_path):
    record(tmp_path / "one", ticks(100))
    mirror(tmp_path / "one", server, "all")
    with importing(server, tmp_path, window=10) as (context, each):
        box = context.mailbox("NATSImported", limit=1, policy="block")
        with pytest.raises(MainstemError, match=STUCK):
            each.flush(10)
        box.cancel()
        each.flush(WAIT)
        assert each.stats.entries == 100

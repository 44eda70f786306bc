# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 9: bounded (acceptance A-12)."""

from __future__ import annotations

import threading
from typing import Callable

import mainstem
import pytest
from mainstem import Gap, Limits, MainstemError, MainstemLimit, Notice, Request, Response, Status


@mainstem.event(layer="model")
class Ping(Notice):
    pass


@mainstem.event(layer="model")
class Pong(Notice):
    pass


@mainstem.event
class ResponseAgain(Response):
    pass


@mainstem.event
class RequestAgain(Request[ResponseAgain]):
    pass


def status_of(call: Callable[[], object]) -> Status:
    try:
        call()
    except MainstemError as error:
        return error.status
    return Status.OK


def bounded(**limits: int) -> mainstem.Context:
    context = mainstem.Context(raises=True, limits=Limits(**limits))
    context.register(Ping, Pong, RequestAgain)
    return context


def test_law_9_a_chain_that_feeds_itself_ends_before_it_looks_hung():
    with bounded() as context:
        last = []
        context.observe(Ping, lambda event: last.append(status_of(lambda: context.send(Ping()))))

        context.send(Ping())

        assert len(last) == 65536 + 1
        assert last[-1] == Status.LIMIT


def test_law_9_two_that_answer_each_other_stop_at_the_limit():
    with bounded(cascade=50) as context:
        told = []
        last = []
        context.observe(MainstemLimit, told.append)
        context.observe(Ping, lambda event: last.append(status_of(lambda: context.send(Pong()))))
        context.observe(Pong, lambda event: last.append(status_of(lambda: context.send(Ping()))))

        for _ in range(4):
            context.send(Ping())

        assert len(last) == 4 * 51
        assert last.count(Status.LIMIT) == 4
        assert [event.count for event in told] == [1, 2, 4]
        assert told[0].chain == ["Pong", "Ping"] * 4
        assert (told[0].type, told[0].limit) == ("Pong", 50)
        assert context.stats().rejected == 4


def test_law_9_what_waits_is_bounded_and_refusals_are_counted():
    with bounded(events=3) as context:
        seen = []
        statuses = []
        context.observe(Pong, seen.append)

        @context.observe(Ping)
        def flood(event):
            for _ in range(5):
                statuses.append(status_of(lambda: context.send(Pong())))

        context.send(Ping())

        assert statuses == [Status.OK] * 3 + [Status.FULL] * 2
        assert len(seen) == 3
        stats = context.stats()
        assert (stats.events, stats.rejected) == (4, 2)


def test_law_9_the_bytes_that_wait_are_bounded():
    with bounded(bytes=100) as context:
        context.type_add("Bytes", bytes)
        statuses = []

        @context.observe(Ping)
        def flood(event):
            for _ in range(4):
                statuses.append(status_of(lambda: context.send("Bytes", bytes(40))))

        context.send(Ping())
        assert statuses == [Status.OK] * 2 + [Status.FULL] * 2


def test_law_9_posts_are_bounded():
    with bounded(posts=2) as context:
        seen = []
        context.observe(Ping, seen.append)
        statuses = [status_of(lambda: context.post(Ping())) for _ in range(3)]

        assert statuses == [Status.OK, Status.OK, Status.FULL]
        assert context.drain() == 2
        assert len(seen) == 2
        context.post(Ping())


def test_law_9_an_accepted_request_has_its_answer():
    with bounded(events=2) as context:
        answers = []
        statuses = []

        @context.serve(RequestAgain)
        def again(request):
            for _ in range(3):
                statuses.append(status_of(lambda: context.send(Pong())))
            return ResponseAgain()

        context.request(RequestAgain(), then=answers.append)

        assert statuses == [Status.OK, Status.OK, Status.FULL]
        assert len(answers) == 1
        assert context.stats().requests == 0


def test_law_9_payloads_and_observers_are_bounded():
    with bounded(payload=3, observers=2) as context:
        context.type_add("Bytes", bytes)
        few = context.scope("Few", observers=1)
        few.observe(Ping, print)

        assert status_of(lambda: context.send("Bytes", b"1234")) == Status.TOO_BIG
        assert status_of(lambda: few.observe(Ping, print)) == Status.LIMIT
        context.observe(Pong, print)
        assert status_of(lambda: context.observe(Pong, print)) == Status.LIMIT


def test_law_9_rights_only_narrow():
    with bounded() as context:
        child = context.scope("View", sends="view").scope("Child", sends=["view", "model"])

        assert status_of(lambda: child.send(Ping())) == Status.DENIED
        assert context.stats().denied == 1


def total(seen: list) -> int:
    """How many events an observer got, those it lost included."""
    return sum(event.count if isinstance(event, Gap) else 1 for event in seen)


def fill(policy: str, **limits: int) -> list:
    """What an observer with a full queue gets, after the statuses of ten sends."""
    with bounded() as context:
        context.type_add("Bytes", bytes)
        seen: list = []
        context.observe("Bytes", seen.append, on="host", policy=policy, **limits)
        statuses = [status_of(lambda: context.send("Bytes", bytes(10))) for _ in range(9)]
        context.drain()
        statuses.append(status_of(lambda: context.send("Bytes", bytes(10))))
        context.drain()
        assert statuses.count(Status.OK) == total(seen)
        assert statuses.count(Status.FULL) == context.stats().rejected == 10 - total(seen)
        return [event if isinstance(event, Gap) else event.position for event in seen]


def test_law_9_a_full_queue_refuses_or_loses_as_its_policy_says():
    assert fill("reject", limit=3) == [1, 2, 3, 4]
    assert fill("block", limit=3) == [1, 2, 3, 4]
    assert fill("drop-oldest", limit=3) == [Gap(1, 6, 6), 7, 8, 9, 10]
    assert fill("drop-newest", limit=3) == [1, 2, 3, Gap(4, 9, 6), 10]
    assert fill("latest") == [Gap(1, 8, 8), 9, 10]


def test_law_9_the_bytes_that_wait_for_an_observer_are_bounded():
    assert fill("reject", limit_bytes=25) == [1, 2, 3]
    assert fill("drop-oldest", limit_bytes=25) == [Gap(1, 7, 7), 8, 9, 10]
    assert fill("drop-newest", limit_bytes=25) == [1, 2, Gap(3, 9, 7), 10]


def test_law_9_a_loss_at_the_end_of_a_burst_is_told_there():
    with bounded() as context:
        seen: list = []
        context.register(Ping)
        context.observe(seen.append, on="host", policy="drop-newest", limit=2)
        for _ in range(5):
            context.send(Ping())
        context.drain()

        assert [type(event) for event in seen] == [Ping, Ping, Gap]
        assert seen[2] == Gap(3, 5, 3)


def test_law_9_what_an_observer_does_not_get_takes_no_room():
    with bounded() as context:
        context.type_add("Bytes", bytes)
        failures = context.mailbox("Bytes", status="failed", limit=3)
        first = context.mailbox("Bytes", count=2, limit=3)
        for _ in range(100):
            context.send("Bytes", b"")

        assert list(failures.records()) == []
        assert len([row for _, row in zip(range(2), first.records())]) == 2


@pytest.mark.parametrize("policy", ["reject", "block", "drop-newest"])
def test_law_9_timers_do_not_overrun_a_queue(policy):
    with mainstem.Context(clock="virtual", raises=True) as context:
        context.type_add("Bytes", bytes)
        mailbox = context.mailbox("Bytes", policy=policy, limit=4)
        context.send_every(0.001, "Bytes", b"")
        context.advance(2)

        events = list(mailbox.events())
        assert [event.position for event in events[:4]] == [1, 2, 3, 4]
        assert events[4:] == [Gap(5, 2000, 1996)]
        assert context.stats().rejected == 0


def test_law_9_late_events_do_not_overrun_a_queue():
    with bounded() as context:
        context.type_add("Bytes", bytes)
        context.history_keep("Bytes", 10)
        for _ in range(10):
            context.send("Bytes", b"")
        mailbox = context.mailbox("Bytes", limit=3)

        events = list(mailbox.events())
        assert [event.position for event in events[:3]] == [1, 2, 3]
        assert events[3:] == [Gap(4, 10, 7)]


def test_law_9_an_observer_is_asked_in_the_callback_that_registered_it():
    with bounded() as context:
        context.register(Ping, Pong)
        seen: list = []
        statuses: list = []

        @context.observe(Pong)
        def start(event: Pong) -> None:
            context.observe(Ping, seen.append, on="host", limit=2)
            statuses.extend(status_of(lambda: context.send(Ping())) for _ in range(4))

        context.send(Pong())
        context.drain()

        assert statuses == [Status.OK, Status.OK, Status.FULL, Status.FULL]
        assert len(seen) == 2


@pytest.mark.parametrize("policy", ["reject", "drop-oldest", "drop-newest", "latest"])
def test_law_9_rejected_dropped_and_delivered_are_all_that_was_sent(policy):
    seen: list = []
    reached = threading.Semaphore(0)

    with mainstem.Context(threads="any", raises=True) as context:
        context.register(Ping, Pong)
        worker = context.serial("worker")
        context.observe(Ping, seen.append, on=worker, policy=policy, limit=5)
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

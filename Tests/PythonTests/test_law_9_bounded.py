# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 9: bounded (acceptance A-12)."""

from __future__ import annotations

from typing import Callable

import mainstem
from mainstem import Limits, MainstemError, MainstemLimit, Notice, Request, Response, Status


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

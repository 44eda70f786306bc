# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 8 across machines: each request has exactly one answer, whoever is killed, whoever gives up,
and whenever. MAINSTEM_NATS_KILLS says how often (6)."""

from __future__ import annotations

import collections
import os
import random
import signal

import pytest
import working
from asking import Asked, RequestTotal, ResponseTotal, context, until
from mainstem import Failure, Status, nats

KILLS = int(os.environ.get("MAINSTEM_NATS_KILLS", "6"))
SEED = int(os.environ.get("MAINSTEM_TURN", "1"))


@pytest.fixture
def chance():
    print("seed", SEED)
    return random.Random(SEED)


@pytest.fixture
def start():
    """Starts programs, which end with the test."""
    started = []

    def begin(*arguments):
        started.append(working.start(*arguments))
        return started[-1]

    yield begin
    for each in started:
        each.kill()
        each.wait()


def served(here):
    """Returns when somebody serves."""
    while True:
        asked = Asked(here, RequestTotal(b"hello"))
        until(lambda asked=asked: asked.answers, here)
        if isinstance(asked.answers[0], ResponseTotal):
            return asked.answers[0].what


def by(answer):
    """The number of the process that has answered."""
    return int(answer.what.split()[0])


def test_a_group_shares_the_load_and_goes_on_with_who_is_left(server, start):
    with context() as here, nats.forward(here, RequestTotal, server.url, timeout=1):
        pids = {start("serve", server.url, 0, number).pid for number in range(2)}
        shared = collections.Counter()
        while len(shared) < 2:
            shared[by(ResponseTotal(served(here)))] += 1
        shared.clear()
        for _ in range(20):
            asked = [Asked(here, RequestTotal(b"%d" % number)) for number in range(20)]
            until(lambda asked=asked: all(each.answers for each in asked), here)
            shared.update(by(each.answers[0]) for each in asked)
        assert set(shared) == pids and min(shared.values()) > 50, shared
        left = pids.pop()
        os.kill(pids.pop(), signal.SIGKILL)
        answers = []
        while len(answers) < 100:
            asked = Asked(here, RequestTotal(b"again"))
            until(lambda asked=asked: asked.answers, here)
            if isinstance(asked.answers[0], ResponseTotal):
                answers.append(by(asked.answers[0]))
            else:
                assert asked.failure.status == Status.TIMEOUT
        assert answers[-50:] == [left] * 50


def test_who_serves_is_killed_while_it_works(server, start):
    with context() as here, nats.forward(here, RequestTotal, server.url, timeout=1) as forward:
        holding = start("hold", server.url, 0)
        asked = None
        while not asked or not asked.steps:
            asked = Asked(here, RequestTotal(b""))
            until(lambda asked=asked: asked.answers or asked.steps, here)
        assert asked.steps == [holding.pid]
        holding.kill()
        until(lambda: asked.answers, here)
        assert asked.failure.status == Status.TIMEOUT
        assert "within 1000 ms" in str(asked.failure) and "may have ended" in str(asked.failure)
        start("serve", server.url, 0, 1)
        assert served(here).endswith(b" hello")
        assert forward.stats.open == 0


def test_a_server_is_killed_and_started_again(server, start, chance):
    """What was under way has an answer or none in time; what comes later is answered."""
    with context() as here, nats.forward(here, RequestTotal, server.url, timeout=2) as forward:
        start("serve", server.url, 0, 1)
        for _ in range(KILLS // 2):
            served(here)
            asked = [Asked(here, RequestTotal(b"l%d" % number)) for number in range(200)]
            until(lambda asked=asked: any(each.answers for each in asked), here)
            server.kill()
            asked += [Asked(here, RequestTotal(b"%d" % number)) for number in range(50)]
            here.drain()
            server.start()
            until(lambda asked=asked: all(each.answers for each in asked), here)
            ends = collections.Counter(
                answer.status if isinstance(answer, Failure) else Status.OK
                for each in asked
                for answer in each.answers
            )
            assert sum(ends.values()) == 250
            assert set(ends) <= {Status.OK, Status.TIMEOUT, Status.UNHANDLED, Status.CANCELLED}
        assert forward.stats.begun == KILLS // 2 + 1
        assert forward.stats.open == here.stats().requests == 0


ENDS = {
    b"s": {Status.OK},
    b"p": {Status.OK},
    b"l": {Status.OK},
    b"f": {1001},
    b"n": set(),
}


def check(kind, asked):
    """One answer, and one that this request may have; progress in order, from the beginning."""
    assert len(asked.answers) == 1, asked.answers
    answer = asked.answers[0]
    status = answer.status if isinstance(answer, Failure) else Status.OK
    allowed = {Status.TIMEOUT, Status.CANCELLED, Status.UNHANDLED, Status.FULL}
    assert status in ENDS[kind] | allowed, (kind, answer)
    assert asked.steps == list(range(len(asked.steps)))
    if status == Status.OK:
        assert len(asked.steps) == (3 if kind == b"p" else 0)
        assert answer.what.split()[1] == asked.what
    return status


def begin(here, chance, number):
    """A request of a random kind, that may have a limit or be given up."""
    kind = chance.choice(sorted(ENDS))
    what = kind + b"%d" % number
    limit = chance.uniform(0.001, 0.3) if chance.random() < 0.3 else None
    asked = Asked(here, RequestTotal(what), timeout=limit)
    asked.what = what
    return kind, asked


@pytest.mark.parametrize("threads", ["one", "any"])
def test_random_sessions(server, start, chance, threads):
    """Thousands of requests; askers give up, programs and servers are killed, bridges closed."""
    with context(threads=threads) as here:
        forward = nats.forward(here, RequestTotal, server.url, timeout=1.5, window=500)
        start("serve", server.url, 0, 1)
        everything, ends = [], collections.Counter()
        for kill in range(KILLS):
            served(here)
            start("serve", server.url, chance.uniform(0.2, 1.5), kill)
            for _ in range(10):
                for _ in range(chance.randrange(60)):
                    everything.append(begin(here, chance, len(everything)))
                for _, asked in chance.sample(everything, min(5, len(everything))):
                    asked.pending.cancel()
                until(lambda: True, here)
                here.wait(0.02)
            event = chance.random()
            if event < 0.3:
                server.kill()
                server.start()
            elif event < 0.6:
                forward.close()
                forward = nats.forward(here, RequestTotal, server.url, timeout=1.5, window=500)
        until(lambda: all(asked.answers for _, asked in everything), here)
        here.wait(0.1)
        ends.update(check(kind, asked) for kind, asked in everything)
        print(ends)
        assert forward.stats.open == here.stats().requests == 0
        assert ends[Status.CANCELLED] > 0 and sum(ends.values()) == len(everything)
        assert here.first_error() is None
        forward.close()

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Async handlers in a test: their time is the test's, and a test takes none."""

from __future__ import annotations

import asyncio
import threading
import time

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting, Said
from mainstem import Failure, Notice, Request, RequestTimeout
from mainstem.testing import After, TestContext, for_seeds


@mainstem.event
class Typing(Notice):
    words: int


async def slow(request: RequestGreet) -> ResponseGreeting:
    request.progress(Typing(1))
    await asyncio.sleep(5)
    return ResponseGreeting(request.name.upper())


@mainstem.event
class RequestTwice(Request[ResponseGreeting]):
    name: str


def told(call, *arguments):
    with pytest.raises(AssertionError) as error:
        call(*arguments)
    return str(error.value)


def test_a_sleep_passes_when_the_test_moves_time():
    with TestContext() as test:
        test.serve(RequestGreet, slow)
        test.send(RequestGreet("ada"))
        test.expect(RequestGreet("ada"))
        test.advance()
        test.expect(Typing(1))
        test.advance(4.999)
        test.expect_nothing()
        test.advance(0.001)
        test.expect(ResponseGreeting("ADA"))
        assert test.now() == 5


def test_a_request_that_waits_moves_the_loops_time():
    begun = time.monotonic()
    with TestContext() as test:
        test.serve(RequestGreet, slow)
        assert test.request(RequestGreet("ada")).text == "ADA"
        assert test.now() == 5
        test.skip()
    assert time.monotonic() - begun < 3


@for_seeds(3)
def test_a_handler_asks_another_and_both_take_their_time(test):
    async def twice(request: RequestTwice) -> ResponseGreeting:
        first = await test.request(RequestGreet(request.name))
        await asyncio.sleep(0.1)
        second = await test.request(RequestGreet(first.text))
        return ResponseGreeting(first.text + second.text)

    test.serve(RequestTwice, twice)
    test.stub(RequestGreet, [After(1, ResponseGreeting("a")), After(2, ResponseGreeting("b"))])
    assert test.request(RequestTwice("x")).text == "ab"
    assert test.now() == pytest.approx(3.1)
    test.expect(RequestTwice("x"))
    test.expect(RequestGreet("x"))
    test.expect(ResponseGreeting("a"))
    test.expect(RequestGreet("a"))
    test.expect(ResponseGreeting("b"))
    test.expect(ResponseGreeting("ab"))


def test_timers_stubs_and_sleeps_come_in_order_of_their_time():
    order = []

    async def wait(request: RequestGreet) -> ResponseGreeting:
        for _ in range(3):
            await asyncio.sleep(0.01)
            order.append(("slept", round(test.now(), 3)))
        return ResponseGreeting("x")

    with TestContext() as test:
        test.serve(RequestGreet, wait)
        test.observe(Said, lambda said: order.append((said.words, round(test.now(), 3))))
        test.keep()
        test.send(RequestGreet("x"))
        test.send_after(0.015, Said("a"))
        test.send_after(0.025, Said("b"))
        test.advance(1)
        test.skip()
    assert order == [
        ("slept", 0.01),
        ("a", 0.015),
        ("slept", 0.02),
        ("b", 0.025),
        ("slept", 0.03),
    ]


def test_a_timeout_cancels_the_handler():
    ended = []

    async def never(request: RequestGreet) -> ResponseGreeting:
        try:
            await asyncio.sleep(1000)
        except asyncio.CancelledError:
            ended.append(test.now())
            raise
        return ResponseGreeting("")

    with TestContext() as test:
        test.serve(RequestGreet, never)
        with pytest.raises(RequestTimeout):
            test.request(RequestGreet("x"), timeout=2)
        test.advance()
        assert ended == [2]
        test.skip()


def test_wait_for_and_gather_are_on_the_tests_clock():
    async def both(request: RequestGreet) -> ResponseGreeting:
        done = await asyncio.gather(asyncio.sleep(1, "a"), asyncio.sleep(2, "b"))
        try:
            await asyncio.wait_for(asyncio.sleep(10), timeout=3)
        except asyncio.TimeoutError:
            done.append("late")
        return ResponseGreeting(" ".join(done))

    with TestContext() as test:
        test.serve(RequestGreet, both)
        assert test.request(RequestGreet("x")).text == "a b late"
        assert test.now() == 5
        test.skip()


def test_what_fails_in_a_handler_is_raised_where_the_test_ran_it():
    async def bad(request: RequestGreet) -> ResponseGreeting:
        await asyncio.sleep(1)
        raise ValueError("oh")

    async def refuse(request: RequestTwice) -> ResponseGreeting:
        raise Failure("NO")

    with TestContext() as test:
        test.serve(RequestGreet, bad)
        test.serve(RequestTwice, refuse)
        test.send(RequestGreet("x"))
        with pytest.raises(ValueError, match="oh"):
            test.advance(1)
        with pytest.raises(Failure, match="NO"):
            test.request(RequestTwice("x"))
        test.skip()


def test_a_thread_that_a_handler_awaits_is_waited_for():
    async def ask(request: RequestGreet) -> ResponseGreeting:
        loop = asyncio.get_running_loop()
        return ResponseGreeting(await loop.run_in_executor(None, release.wait) and "x")

    release = threading.Event()
    with TestContext() as test:
        test.serve(RequestGreet, ask)
        timer = threading.Timer(0.05, release.set)
        timer.start()
        assert test.request(RequestGreet("x")).text == "x"
        assert test.now() == 0
        timer.join()
        test.skip()


def test_an_observer_and_an_iterator_may_be_async():
    seen = []

    async def look(said: Said) -> None:
        await asyncio.sleep(1)
        seen.append((said.words, test.now()))

    async def follow(request: RequestGreet) -> ResponseGreeting:
        async with test.events(Said) as events:
            async for said in events:
                return ResponseGreeting(said.words)
        raise AssertionError

    with TestContext() as test:
        observing = test.observe(Said, look)
        test.serve(RequestGreet, follow)
        test.send(RequestGreet("x"))
        test.advance()
        test.send(Said("a"))
        test.send(Said("b"))
        test.advance(2)
        assert seen == [("a", 1), ("b", 2)]
        observing.cancel()
        test.expect(RequestGreet("x"))
        test.expect(Said("a"))
        test.expect(Said("b"))
        test.expect(ResponseGreeting("a"))


def test_a_stage_may_be_async():
    class Stage:
        async def show(self, component):
            await asyncio.sleep(1)

        async def hide(self, numbers):
            await asyncio.sleep(1)

    with TestContext() as test:
        nav = mainstem.Navigator(test, stage=Stage())
        nav.route("home", None)
        nav.ready()
        opened = []
        nav.open("home", opened=lambda number: opened.append(test.now()))
        test.advance(5)
        assert opened == [1]


def test_a_handler_that_has_not_ended_is_told_and_cancelled():
    ended = []

    async def never(request: RequestGreet) -> ResponseGreeting:
        try:
            await asyncio.sleep(1000)
        finally:
            ended.append(True)
        return ResponseGreeting("")

    test = TestContext()
    test.serve(RequestGreet, never)
    test.send(RequestGreet("x"))
    test.advance(1)
    test.skip()
    assert told(test.close) == (
        "something is left at the end of the test\n"
        '  its handler has not ended: #1 RequestGreet {"name":"x"}'
    )
    assert ended == [True]


def test_what_can_go_on_is_told_when_nothing_has_happened():
    async def answer(request: RequestGreet) -> ResponseGreeting:
        return ResponseGreeting("x")

    test = TestContext()
    test.serve(RequestGreet, answer)
    test.send(RequestGreet("x"))
    test.expect(RequestGreet("x"))
    assert "an async function has not ended: test.advance()" in told(
        test.expect, ResponseGreeting("x")
    )
    test.close()


def test_another_loop_is_refused():
    async def main():
        with TestContext() as test, pytest.raises(TypeError, match="a test is a plain function"):
            test.serve(RequestGreet, slow)

    asyncio.run(main())

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a request leaves behind: nothing that only the cyclic collector could free.

So the failure of a request that nobody awaits is reported when it settles, on the thread and in the
call where that happens.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import gc
from typing import AsyncIterator

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting
from mainstem import Failure, MainstemError, Request
from mainstem.testing import RecordingStage, TestContext

COUNT = 1000
FEWER = 200


@mainstem.event
class RequestNobody(Request[ResponseGreeting]):
    pass


@mainstem.event
class RequestLate(Request[ResponseGreeting]):
    pass


@mainstem.event
class RequestBad(Request[ResponseGreeting]):
    pass


def bad(request):
    raise Failure("BAD")


def keep(request):
    kept = request.retain()
    request.on_settled(kept.release)
    return mainstem.LATER


def install(context):
    """Servers that answer, fail, and keep what they were asked."""
    context.serve(RequestGreet, lambda request: ResponseGreeting("x"))
    context.serve(RequestBad, bad)
    context.serve(RequestLate, keep)


class Asker(mainstem.ViewModel):
    """Asks in each way there is."""

    def __init__(self):
        self.given_up = None

    async def _asked(self, how):
        if how == "answered":
            await self.request(RequestGreet("x"))
        elif how == "named":
            asked = self.request(RequestGreet("x"))
            await self.sleep(0)
            await asked
        elif how == "failed":
            await self.request(RequestBad())
        elif how == "kept failed":
            asked = self.request(RequestBad())
            await asked
        elif how == "unhandled":
            await self.request(RequestNobody())
        elif how == "late":
            await self.request(RequestLate(), timeout=0.001)
        elif how == "opened":
            await self.navigator.open("nowhere")
        elif how == "slept":
            await self.sleep(0.001)
        elif how == "another":
            await self.other.fail()

    @mainstem.command
    async def go(self, how: str) -> None:
        with contextlib.suppress(Failure):
            await self._asked(how)

    @mainstem.command
    async def fail_with(self, how: str) -> None:
        await self._asked(how)

    @mainstem.command
    def leave(self, how: str) -> None:
        if how == "answered":
            self.request(RequestGreet("x"))
        elif how == "then":
            self.request(RequestGreet("x"), then=lambda answer: None)
        elif how == "then failed":
            self.request(RequestBad(), then=lambda answer: None, failed=lambda failure: None)
        elif how == "failed":
            self.request(RequestBad())
        elif how == "unhandled":
            self.request(RequestNobody())
        elif how == "late":
            self.request(RequestLate(), timeout=0.001)
        elif how == "cancelled":
            self.request(RequestLate()).cancel()
        elif how == "opened":
            self.navigator.open("nowhere")
        elif how == "opened then":
            self.navigator.open("nowhere", failed=lambda failure: None)
        elif how == "slept":
            self.sleep(0.001)
        elif how == "never slept":
            self.sleep(1).cancel()
        elif how == "another":
            self.other.fail()


class Other(mainstem.ViewModel):
    """A view model whose command fails."""

    @mainstem.command
    async def fail(self) -> None:
        await self.sleep(0)
        raise Failure("NOT ME")


@dataclasses.dataclass(frozen=True)
class Steps:
    """What `Stepping` shows."""

    count: int = 0


class Stepping(mainstem.Reactor):
    """A reactor whose action awaits."""

    state = Steps()

    @mainstem.action
    async def go(self, fails: bool) -> AsyncIterator[int]:
        yield 1
        await self.request(RequestBad() if fails else RequestGreet("x"))
        yield 2

    @staticmethod
    def reduce(state: Steps, by: int) -> Steps:
        return Steps(by)


def live_objects(do, count=COUNT):
    """How many more objects there are after `do`, if the collector never runs."""

    async def once():
        do()

    try:
        live_tasks(once, count).send(None)
    except StopIteration as counted:
        return counted.value


async def live_tasks(do, count):
    await do()
    gc.collect()
    gc.disable()
    try:
        before = len(gc.get_objects())
        for _ in range(count):
            await do()
        return len(gc.get_objects()) - before
    finally:
        gc.enable()


@pytest.fixture
def asker():
    thrown = []
    context = mainstem.Context(
        clock="virtual", on_exception=lambda exception, event: thrown.append(str(exception))
    )
    with context:
        install(context)
        mainstem.Navigator(context, stage=RecordingStage())
        asker = context.open(Asker())
        other = context.open(Other())
        asker.__dict__["other"] = other
        yield context, asker, thrown


AWAITED = [
    "answered",
    "named",
    "failed",
    "kept failed",
    "unhandled",
    "late",
    "opened",
    "slept",
    "another",
]
LEFT = {
    "answered": "",
    "then": "",
    "then failed": "",
    "failed": "BAD",
    "unhandled": "no server handles",
    "late": "TIMEOUT",
    "cancelled": "",
    "opened": "no route",
    "opened then": "",
    "slept": "",
    "never slept": "",
    "another": "NOT ME",
}


@pytest.mark.parametrize("how", AWAITED)
@pytest.mark.parametrize("command", ["go", "fail_with"])
def test_what_a_view_model_awaits_leaves_nothing(asker, command, how):
    context, asker, thrown = asker
    with asker.bind() as view:

        def do():
            run = getattr(view, command)(how)
            context.advance(0.002)
            with contextlib.suppress(MainstemError):
                run.result()

        assert live_objects(do, FEWER) < 100
    assert not thrown


@pytest.mark.parametrize("how, told", LEFT.items(), ids=LEFT)
def test_what_a_view_model_does_not_await_leaves_nothing_and_is_told(asker, how, told):
    context, asker, thrown = asker
    with asker.bind() as view:

        def do():
            view.leave(how).result()
            context.advance(0.002)
            said = thrown[:]
            thrown.clear()
            assert len(said) == bool(told) and all(told in one for one in said), said

        assert live_objects(do) < 100


@pytest.mark.parametrize("fails", [False, True])
def test_an_action_that_awaits_leaves_nothing(fails):
    with mainstem.Context(clock="virtual", on_exception=lambda *thrown: None) as context:
        install(context)
        view = context.open(Stepping()).bind()

        def do():
            with contextlib.suppress(Failure):
                view.go(fails).result()

        assert live_objects(do, FEWER) < 100


HOST = {
    "answered": lambda context: context.request(RequestGreet("x")),
    "failed": lambda context: context.request(RequestBad()),
    "unhandled": lambda context: context.request(RequestNobody()),
    "late": lambda context: context.request(RequestLate(), timeout=0.001),
    "shared": lambda context: context.request(RequestGreet("x"), share=True),
    "then": lambda context: context.request(RequestGreet("x"), then=lambda answer: None),
    "then failed": lambda context: context.request(RequestBad(), then=lambda answer: None),
    "then told": lambda context: context.request(
        RequestBad(), then=lambda answer: None, failed=lambda failure: None
    ),
    "cancelled": lambda context: context.request(RequestLate(), then=lambda answer: None).cancel(),
    "opened": lambda context: context.navigator.open("nowhere"),
    "opened then": lambda context: context.navigator.open("nowhere", then=lambda result: None),
    "owner": lambda context: context.open_instance("Nobody"),
}


@pytest.mark.parametrize("how", HOST)
@pytest.mark.parametrize(
    "made",
    [
        lambda: mainstem.Context(on_exception=lambda *thrown: None),
        lambda: mainstem.Context(threads="any", on_exception=lambda *thrown: None),
        lambda: mainstem.Context(raises=True),
    ],
    ids=["one", "any", "raises"],
)
def test_what_a_host_asks_leaves_nothing(made, how):
    with made() as context:
        install(context)
        mainstem.Navigator(context, stage=RecordingStage())

        def do():
            with contextlib.suppress(MainstemError):
                HOST[how](context)

        assert live_objects(do, 50 if how == "late" else FEWER) < 40


async def give_up(context):
    answer = context.request(RequestLate())
    answer.cancel()
    await asyncio.sleep(0)


@pytest.mark.parametrize("how", ["answered", "failed", "unhandled", "late", "shared", "opened"])
def test_what_a_loop_awaits_leaves_nothing(how):
    async def main():
        async with mainstem.Context(on_exception=lambda *thrown: None) as context:
            install(context)
            mainstem.Navigator(context, stage=RecordingStage())

            async def do():
                with contextlib.suppress(MainstemError):
                    await HOST[how](context)

            return await live_tasks(do, 50 if how == "late" else FEWER)

    assert asyncio.run(main()) < 100


def test_what_a_loop_gives_up_leaves_nothing():
    async def main():
        async with mainstem.Context() as context:
            install(context)
            return await live_tasks(lambda: give_up(context), FEWER)

    assert asyncio.run(main()) < 100


def test_a_move_to_nowhere_fails_the_test_that_makes_it():
    with TestContext() as test:
        install(test)
        mainstem.Navigator(test, stage=RecordingStage())
        asker = test.open(Asker())
        with pytest.raises(Failure, match="no route"):
            asker.bind().leave("opened").result()
        test.skip()


def test_a_failure_that_is_awaited_later_is_told_to_who_awaits(asker):
    context, asker, thrown = asker

    class Both(mainstem.ViewModel):
        said: str = mainstem.shown("")

        @mainstem.command
        async def go(self) -> None:
            bad = self.request(RequestBad())
            await self.sleep(1)
            for _ in range(2):
                try:
                    await bad
                except Failure as failure:
                    self.said += failure.message

    both = context.open(Both())
    run = both.bind().go()
    context.advance(2)
    run.result()

    assert (both.said, thrown) == ("BADBAD", [])

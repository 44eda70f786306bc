# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A context in an asyncio loop: async observers."""

from __future__ import annotations

import asyncio

import mainstem
import pytest
from greeting import Said
from in_loop import run


def test_async_observers_run_as_tasks_in_order():
    log = []

    async def main(context):
        @context.observe(Said)
        async def slow(event):
            log.append(f"{event.words} in")
            await asyncio.sleep(0)
            log.append(f"{event.words} out")

        for word in "abc":
            context.send(Said(word))
        assert log == []
        while len(log) < 6:
            await asyncio.sleep(0)

    run(main)
    assert log == ["a in", "a out", "b in", "b out", "c in", "c out"]


def test_an_async_observer_that_raises_goes_on_with_the_next_event():
    caught, seen = [], []

    async def main():
        async with mainstem.Context(on_exception=lambda e, event: caught.append(event)) as context:

            @context.observe(Said)
            async def fail_first(event):
                seen.append(event)
                if len(seen) == 1:
                    raise ValueError("it broke")

            context.send(Said("a"))
            context.send(Said("b"))
            while len(seen) < 2:
                await asyncio.sleep(0)

    asyncio.run(main())
    assert caught == [Said("a")]
    assert seen == [Said("a"), Said("b")]


def test_a_cancelled_async_observer_is_not_called_again():
    async def main(context):
        seen = []

        async def see(event):
            seen.append(event)
            subscription.cancel()

        subscription = context.observe(Said, see)
        for word in "abc":
            context.send(Said(word))
        others = context.events(Said)
        context.send(Said("d"))
        await others.__anext__()
        await asyncio.sleep(0)
        return seen, subscription.released

    assert run(main) == ([Said("a")], True)


def test_an_async_observer_gets_as_many_as_it_asked_for():
    async def main(context):
        seen = []

        @context.observe(Said, count=2)
        async def see(event):
            await asyncio.sleep(0)
            seen.append(event)

        for word in "abc":
            context.send(Said(word))
        while len(seen) < 2:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        return seen, context.stats().subscriptions

    assert run(main) == ([Said("a"), Said("b")], 0)


def test_an_async_observer_is_called_in_the_loop_and_nowhere_else():
    async def main(context):
        async def see(event):
            pass

        for on in ("immediate", context.serial("worker")):
            with pytest.raises(TypeError, match="an async def is called in the loop"):
                context.observe(Said, see, on=on)
        with pytest.raises(TypeError, match='on is "host"'):
            context.observe(Said, on="immediate")(see)
        return context.stats().subscriptions

    assert run(main) == 0

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A context in an asyncio loop: events as async iterators."""

from __future__ import annotations

import asyncio
import threading

import mainstem
import pytest
from greeting import Said, Tapped
from in_loop import run
from mainstem import Gap, MainstemError, Status


def test_events_are_subscribed_from_the_call_on():
    async def main(context):
        context.send(Said("before"))
        seen = []
        async with context.events(Said) as said:
            context.send(Said("a"))
            context.send(Tapped(1))
            context.send(Said("b"))
            async for event in said:
                seen.append((event, str(event)))
                if len(seen) == 2:
                    break
        subscriptions = context.stats().subscriptions
        return seen, subscriptions

    seen, subscriptions = run(main)
    assert seen == [(Said("a"), "#2 Said a"), (Said("b"), "#4 Said b")]
    assert subscriptions == 0


def test_events_are_bounded_and_a_gap_says_what_was_lost():
    async def main(context):
        gaps = []
        said = context.events(Said, limit=2, on_gap=gaps.append)
        for word in "abcde":
            context.send(Said(word))
        return [await said.__anext__() for _ in range(2)] + gaps

    lost = Gap(first=1, last=3, count=3)
    assert run(main) == [Said("d"), Said("e"), lost]


def test_a_loss_that_nobody_asked_to_hear_of_is_a_warning():
    async def main(context):
        said = context.events(Said, limit=2)
        for word in "abcde":
            context.send(Said(word))
        with pytest.warns(RuntimeWarning, match="lost events: 3, #1 to #3: .* Give on_gap="):
            return await said.__anext__()

    assert run(main) == Said("d")


def test_events_end_with_their_count_and_with_the_context():
    async def main(context):
        context.events(Said, count=1)
        return context.events(Said), context.events(Said, once=True)

    async def outer():
        async with mainstem.Context(raises=True) as context:
            open_end, once = await main(context)
            context.send(Said("a"))
            context.send(Said("b"))
            assert [event async for event in once] == [Said("a")]
        assert [event async for event in open_end] == [Said("a"), Said("b")]
        with pytest.raises(TypeError, match="events\\(\\) got an unexpected .* 'colour'"):
            async with mainstem.Context() as other:
                other.events(Said, colour="red")

    asyncio.run(outer())


def test_events_of_a_slow_consumer_wait_in_the_library_and_are_refused_there():
    async def main(context):
        statuses = []
        async with context.events(Said, limit=3, policy="reject") as said:
            for word in "abcde":
                try:
                    context.send(Said(word))
                except MainstemError as error:
                    statuses.append(error.status)
            seen = [await said.__anext__() for _ in range(3)]
        return statuses, seen

    statuses, seen = run(main)
    assert statuses == [Status.FULL, Status.FULL]
    assert seen == [Said("a"), Said("b"), Said("c")]


def test_events_that_nobody_asks_for_keep_to_their_bound_while_the_loop_runs():
    async def main(context):
        others = []
        context.observe(Said, others.append, on="host")
        gaps = []
        said = context.events(Said, limit=2, on_gap=gaps.append)
        for word in "abcde":
            context.send(Said(word))
            while len(others) < "abcde".index(word) + 1:
                await asyncio.sleep(0)
        return [await said.__anext__() for _ in range(2)] + gaps

    assert run(main) == [Said("d"), Said("e"), Gap(first=1, last=3, count=3)]


def test_the_latest_is_what_a_slow_consumer_gets():
    async def main(context):
        seen = []
        async with context.events(Said, policy="latest", on_gap=seen.append) as said:
            for word in "abc":
                context.send(Said(word))
            seen.append(await said.__anext__())
            for word in "def":
                context.send(Said(word))
                await asyncio.sleep(0)
            seen.append(await said.__anext__())
        return seen

    assert run(main) == [Gap(1, 2, 2), Said("c"), Gap(4, 5, 2), Said("f")]


def test_cancelled_events_are_dropped_and_the_iteration_stops():
    async def main(context):
        said = context.events(Said)
        context.send(Said("a"))
        context.send(Said("b"))
        first = await said.__anext__()
        said.cancel()
        return first, [event async for event in said], context.stats().subscriptions

    assert run(main) == (Said("a"), [], 0)


def test_no_event_is_lost_where_another_thread_waits_for_room():
    async def main():
        async with mainstem.Context(threads="any", raises=True) as context:
            context.register(Said)
            async with context.events(Said, limit=16, policy="block") as said:

                def send():
                    for number in range(1000):
                        context.send(Said(str(number)))

                thread = threading.Thread(target=send)
                thread.start()
                seen = [(await said.__anext__()).words for _ in range(1000)]
                thread.join(30)
        return seen

    assert asyncio.run(main()) == [str(number) for number in range(1000)]

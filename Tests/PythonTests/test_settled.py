# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A handler hears that nobody waits for its answer any more."""

from __future__ import annotations

import asyncio
import gc
import threading

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting, Said, keep_for_ever
from mainstem import Failure, MainstemError, Status
from mainstem._library import _callbacks


def working(context, log, name="working"):
    """A server that works on its requests and hears when it should stop."""
    kept = []

    @context.serve(RequestGreet, name=name, several=True)
    def work(request):
        kept.append(request.retain())
        request.on_settled(lambda: log.append(name))
        return mainstem.LATER

    return kept


def test_a_handler_hears_that_the_request_was_cancelled(context):
    log = []
    working(context, log)
    context.observe(ResponseGreeting, lambda response: log.append("answer"), failed=True)

    pending = context.request(
        RequestGreet("Ada"), then=print, failed=lambda _: log.append("requester")
    )
    assert log == []
    assert pending.cancel()

    assert log == ["answer", "requester", "working"]


def test_a_close_is_heard_and_nothing_is_kept():
    log, kept = [], _callbacks.kept()
    with mainstem.Context() as context:
        working(context, log)
        context.request(RequestGreet("Ada"), then=print, failed=lambda _: log.append("requester"))
        context.send(RequestGreet("Bob"))

    gc.collect()
    assert log == ["requester", "working"]
    assert _callbacks.kept() == kept


def test_what_it_sends_has_the_answer_as_its_cause(context):
    causes = []
    context.observe(Said, lambda said: causes.append((said.position, said.cause)))

    @context.serve(RequestGreet)
    def greet(request):
        request.on_settled(lambda: context.send(Said("stopped")))
        return keep_for_ever(request)

    context.request(RequestGreet("Ada"), then=lambda answer: None).cancel()

    assert causes == [(3, 2)]


def test_of_a_request_that_is_kept_it_is_known_whether_anybody_waits(context):
    log = []
    kept = working(context, log)
    pending = context.request(RequestGreet("Ada"), then=print, failed=log.append)

    assert not kept[0].value.is_settled
    pending.cancel()
    assert kept[0].value.is_settled


def test_a_handler_that_blocks_its_thread_hears_of_a_cancel(context):
    # Catches: a handler that works on for nobody. It counts, and sleeps nowhere.
    began, ended = threading.Event(), threading.Event()

    @context.serve(RequestGreet, on=context.serial("worker"))
    def greet(request):
        began.set()
        while not request.is_settled:
            pass
        ended.set()
        return mainstem.LATER

    for _ in range(3):
        pending = context.request(RequestGreet("Ada"), then=print, failed=lambda _: None)
        assert began.wait(60)
        began.clear()
        pending.cancel()
        assert ended.wait(60)
        ended.clear()


def test_what_is_no_request_is_never_settled(context):
    told = []

    @context.observe(Said)
    def said(event):
        with pytest.raises(MainstemError, match="INVALID: event_is_settled: event: is not a req"):
            _ = event.is_settled
        told.append(True)

    context.send(Said("word"))

    assert told == [True]


def test_an_exception_in_it_reaches_the_call_that_ran_it():
    with mainstem.Context(raises=True) as context:

        @context.serve(RequestGreet)
        def greet(request):
            request.on_settled(lambda: 1 / 0)
            return keep_for_ever(request)

        pending = context.request(RequestGreet("Ada"), then=lambda answer: None)
        with pytest.raises(ZeroDivisionError):
            pending.cancel()


def test_it_is_asked_for_inside_the_callback(context):
    kept = working(context, [])
    refused = []

    @context.observe(Said)
    def said(event):
        with pytest.raises(MainstemError) as error:
            event.on_settled(lambda: None)
        refused.append(error.value.status)

    context.request(RequestGreet("Ada"), then=lambda answer: None)
    context.send(Said("x"))

    assert refused == [Status.INVALID]
    with pytest.raises(RuntimeError, match="its callback is over"):
        kept[0].value.on_settled(lambda: None)


def test_an_async_handler_is_cancelled_with_its_request():
    log = []

    async def main():
        async with mainstem.Context(raises=True) as context:

            @context.serve(RequestGreet)
            async def greet(request):
                log.append("began")
                try:
                    await asyncio.Event().wait()
                finally:
                    log.append("cancelled")

            asked = context.request(RequestGreet("Ada"))
            while not log:
                await asyncio.sleep(0)
            asked.cancel()
            while "cancelled" not in log:
                await asyncio.sleep(0)
            return context.stats()

    stats = asyncio.run(asyncio.wait_for(main(), 30))
    assert log == ["began", "cancelled"]
    assert (stats.requests, stats.retained) == (0, 0)


def test_an_async_handler_that_nobody_waits_for_does_not_begin():
    log = []

    async def main():
        async with mainstem.Context(raises=True) as context:

            @context.serve(RequestGreet, name="First", several=True)
            async def first(request):
                log.append("began")

            @context.serve(RequestGreet, name="Second", several=True)
            def second(request):
                raise Failure("no")

            with pytest.raises(Failure):
                await context.request(RequestGreet("Ada"))
            while context.stats().retained:
                await asyncio.sleep(0)
            return context.stats().requests

    assert asyncio.run(asyncio.wait_for(main(), 30)) == 0
    assert log == []

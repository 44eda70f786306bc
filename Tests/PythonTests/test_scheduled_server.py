# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Servers on a scheduler: on the host's, or on a thread of their own."""

from __future__ import annotations

import asyncio
import threading

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting, Said
from mainstem import Failure, MainstemError, Status


def test_on_the_host_it_answers_in_a_drain(context):
    threads = []

    @context.serve(RequestGreet, on="host")
    def greet(request):
        threads.append(threading.get_ident())
        return ResponseGreeting(f"Hello, {request.name}!")

    answers = []
    context.request(RequestGreet("Ada"), then=lambda answer: answers.append(answer.text))
    assert answers == []
    context.drain()

    assert answers == ["Hello, Ada!"]
    assert threads == [threading.get_ident()]


@pytest.mark.parametrize("threads", ["one", "any"])
def test_on_a_thread_of_its_own_it_holds_up_nothing(threads):
    held, go, log = threading.Event(), threading.Event(), []
    with mainstem.Context(threads=threads) as context:

        @context.serve(RequestGreet, on=context.serial("store"))
        def greet(request):
            held.set()
            go.wait()
            log.append("answered")
            return ResponseGreeting("late")

        context.observe(Said, lambda said: log.append(said.words))
        context.request(RequestGreet("Ada"), then=lambda answer: log.append(answer.text))
        held.wait()
        context.send(Said("meanwhile"))
        go.set()
        assert context.request(RequestGreet("Bob")).text == "late"

    assert log[:2] == ["meanwhile", "answered"]
    assert sorted(log[2:]) == ["answered", "late"]


def test_a_failure_and_an_exception_are_answers_there_too():
    raised = []
    with mainstem.Context(
        on_exception=lambda exception, event: raised.append(exception)
    ) as context:

        @context.serve(RequestGreet, on="host")
        def greet(request):
            if request.name == "Ada":
                raise Failure("NO_NAME")
            raise ZeroDivisionError

        with pytest.raises(Failure, match="NO_NAME"):
            context.request(RequestGreet("Ada"))
        with pytest.raises(Failure, match="ZeroDivisionError"):
            context.request(RequestGreet("Bob"))

    assert [type(exception) for exception in raised] == [ZeroDivisionError]


def test_a_full_queue_refuses_the_request(context):
    context.serve(RequestGreet, lambda request: ResponseGreeting("x"), name="S", on="host", limit=1)

    context.request(RequestGreet("Ada"), then=lambda answer: None)
    with pytest.raises(MainstemError) as error:
        context.request(RequestGreet("Bob"), then=lambda answer: None)

    assert error.value.status == Status.FULL
    assert context.stats().requests == 1


def test_a_policy_that_drops_is_refused_with_a_sentence(context):
    with pytest.raises(MainstemError, match="a server has the policy"):
        context.serve(RequestGreet, print, on="host", policy="drop-oldest")
    with pytest.raises(TypeError, match="say on="):
        context.serve(RequestGreet, print, limit=1)


def test_an_async_handler_has_its_place(context):
    async def main():
        async with mainstem.Context() as context:

            async def greet(request):
                return ResponseGreeting("x")

            with pytest.raises(TypeError, match="leave out `on`"):
                context.serve(RequestGreet, greet, on="host")

    asyncio.run(main())


def test_a_session_verifies_with_it_and_without_it(tmp_path):
    class Store:
        def __init__(self):
            self.calls = 0

        @mainstem.handles(RequestGreet)
        def greet(self, request):
            self.calls += 1
            return ResponseGreeting("x")

    def watch(context):
        context.observe(ResponseGreeting, lambda response: context.send(Said(response.text)))

    path = str(tmp_path / "session.journal")
    with mainstem.Context() as context:
        context.record(path)
        context.install(Store(), on="host")
        watch(context)
        context.request(RequestGreet("Ada"))

    for has_store in (True, False):
        with mainstem.Context() as context, context.replay(path, verify=True) as replay:
            store = Store()
            if has_store:
                context.install(store, on="host")
            else:
                context.add_type("RequestGreet", "json", response="ResponseGreeting")
            watch(context)
            replay.to_end()
            assert replay.info.verified_until == 3
            assert store.calls == 0

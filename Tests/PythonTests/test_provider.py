# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A provider: a server on a scheduler that wraps an asynchronous API, which completes on a thread
of its own. Acceptance A-71."""

from __future__ import annotations

import threading

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting
from mainstem import Cancelled, MainstemError, Status
from mainstem.events._received import Retained


class Provider:
    """Hands each request to the API and keeps it until the API is done."""

    def __init__(self) -> None:
        self.begun, self.given_up = threading.Event(), threading.Event()
        self.kept: list[Retained[RequestGreet]] = []

    @mainstem.handles(RequestGreet)
    def begin(self, request: RequestGreet):
        self.kept.append(request.retain())
        request.on_settled(self.given_up.set)
        self.begun.set()
        return mainstem.LATER

    def complete(self) -> Status:
        """The API is done, on a thread that is not the context's. What the provider is told."""
        told = []

        def done():
            try:
                self.kept[-1].respond(ResponseGreeting("done"))
                told.append(Status.OK)
            except MainstemError as error:
                told.append(error.status)

        thread = threading.Thread(target=done)
        thread.start()
        thread.join()
        return told[0]


def ask(context, answers, **options):
    def take(answer):
        answers.append((answer, threading.get_ident()))

    return context.request(RequestGreet("Ada"), then=take, failed=take, **options)


@pytest.fixture(params=["one", "any"])
def provided(request):
    with mainstem.Context(threads=request.param) as context:
        provider = Provider()
        context.install(provider, on=context.serial("provider"))
        yield context, provider


def test_completed_elsewhere_it_is_delivered_where_it_is_wanted_a_71():
    with mainstem.Context() as context:
        provider, answers = Provider(), []
        context.install(provider, on=context.serial("provider"))
        ask(context, answers)
        provider.begun.wait()

        assert provider.complete() == Status.OK
        assert answers == []
        context.wait()

    assert answers == [(ResponseGreeting("done"), threading.get_ident())]
    assert not provider.given_up.is_set()


def test_completed_twice_the_second_is_refused_a_71(provided):
    context, provider = provided
    answers = []
    ask(context, answers)
    provider.begun.wait()

    assert provider.complete() == Status.OK
    assert provider.complete() == Status.STALE
    context.drain()
    assert provider.complete() == Status.STALE
    context.drain()

    assert [answer for answer, _ in answers] == [ResponseGreeting("done")]
    assert context.stats().events == 2


def test_completed_after_a_cancel_it_is_ignored_a_71(provided):
    context, provider = provided
    answers = []
    pending = ask(context, answers)
    provider.begun.wait()

    pending.cancel()
    provider.given_up.wait()
    assert provider.complete() == Status.STALE
    context.drain()

    assert [type(answer) for answer, _ in answers] == [Cancelled]
    assert answers[0][0].status == Status.CANCELLED
    assert context.stats().events == 2


def test_never_completed_it_times_out_a_71():
    with mainstem.Context(clock="virtual") as context:
        provider, answers = Provider(), []
        context.install(provider, on=context.serial("provider"))
        ask(context, answers, timeout=0.1)

        context.advance(0.099)
        assert provider.begun.is_set()
        assert answers == []
        context.advance(0.001)
        context.drain()

        assert [answer.status for answer, _ in answers] == [Status.TIMEOUT]
        assert provider.given_up.is_set()
        assert provider.complete() == Status.STALE

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Requests: waiting for the answer, time-outs, answers from elsewhere."""

from __future__ import annotations

import threading

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting, Said
from mainstem import Failure, MainstemError, RequestTimeout, Status
from raw import on_thread


def later(context):
    """A server that keeps its requests."""
    kept = []

    @context.serve(RequestGreet)
    def keep(request):
        kept.append(request.retain())
        return mainstem.LATER

    return kept


def test_a_request_returns_its_answer(context):
    context.serve(RequestGreet, lambda request: ResponseGreeting("x"), name="Greeter")

    assert context.request(RequestGreet("")) == ResponseGreeting("x")
    assert context.request(RequestGreet(""), timeout=1) == ResponseGreeting("x")


def test_a_request_that_nobody_handles_raises_a_failure(context):
    with pytest.raises(Failure) as failure:
        context.request(RequestGreet(""))
    assert failure.value.status == Status.UNHANDLED


def test_a_request_is_busy_inside_a_callback(context):
    context.serve(RequestGreet, lambda request: ResponseGreeting("x"), name="Greeter")
    errors = []

    def ask(event):
        try:
            context.request(RequestGreet(""))
        except MainstemError as error:
            errors.append(error)

    context.observe(Said, ask)
    context.send(Said("x"))

    assert [error.status for error in errors] == [Status.BUSY]
    assert context.stats().events == 1


def test_a_request_without_an_answer_in_time_is_cancelled_and_raises(context):
    kept = later(context)
    statuses = []
    context.observe(ResponseGreeting, lambda event: statuses.append(event.status))

    with pytest.raises(
        RequestTimeout, match="RequestGreet was not answered within 0.01 s"
    ) as error:
        context.request(RequestGreet(""), timeout=0.01)

    assert isinstance(error.value, TimeoutError)
    assert isinstance(error.value, MainstemError)
    assert error.value.status == Status.TIMEOUT
    assert statuses == [Status.CANCELLED]
    assert context.stats().requests == 0
    with pytest.raises(MainstemError) as late:
        kept[0].respond(ResponseGreeting("late"))
    assert late.value.status == Status.STALE


def test_an_answer_from_another_thread_ends_the_waiting(context):
    kept = later(context)
    called = threading.Event()
    context.observe(RequestGreet, lambda event: called.set())

    def answer():
        assert called.wait(30)
        kept[0].respond(ResponseGreeting("far"))

    thread = threading.Thread(target=answer)
    thread.start()
    assert context.request(RequestGreet(""), timeout=30).text == "far"
    thread.join(30)


def test_in_an_any_thread_context_the_answer_may_be_delivered_by_another_thread():
    with mainstem.Context(threads="any", raises=True) as context:
        kept = later(context)
        called = threading.Event()
        context.observe(RequestGreet, lambda event: called.set())

        def answer():
            assert called.wait(30)
            kept[0].respond(ResponseGreeting("far"))

        thread = threading.Thread(target=answer)
        thread.start()
        assert context.request(RequestGreet(""), timeout=30).text == "far"
        thread.join(30)


def test_in_an_any_thread_context_a_request_times_out_and_takes_in_posts():
    with mainstem.Context(threads="any", raises=True) as context:
        later(context)
        seen = []
        context.observe(Said, seen.append)
        on_thread(lambda: context.post(Said("posted")))

        with pytest.raises(RequestTimeout):
            context.request(RequestGreet(""), timeout=0.01)
        assert seen == [Said("posted")]


def test_with_then_nobody_waits_and_failures_arrive_as_events(context):
    kept, answers = later(context), []
    pending = context.request(RequestGreet("a"), then=answers.append)
    assert (pending.position, pending.answered, answers) == (1, False, [])

    assert pending.cancel()
    assert not pending.cancel()
    assert pending.answered
    assert [answer.status for answer in answers] == [Status.CANCELLED]
    assert answers[0].answers == 1
    with pytest.raises(MainstemError, match="STALE"):
        _ = pending.position
    assert len(kept) == 1


def test_a_request_without_an_answer_declared_is_refused(context):
    @mainstem.event
    class RequestNobody(mainstem.Request):
        pass

    with pytest.raises(MainstemError, match="INVALID"):
        context.request(RequestNobody())
    with pytest.raises(MainstemError, match="INVALID"):
        context.request(Said("x"))


def test_control_c_ends_a_request_and_gives_it_up(context, interrupt_soon):
    later(context)
    statuses = []
    context.observe(ResponseGreeting, lambda event: statuses.append(event.status))

    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        context.request(RequestGreet(""), timeout=30)
    assert statuses == [Status.CANCELLED]
    assert context.stats().requests == 0

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Requests: waiting for the answer, time-outs, answers from elsewhere."""

from __future__ import annotations

import threading

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting, Said
from mainstem import Failure, MainstemError, RequestTimeout, Status
from mainstem._library import _callbacks
from raw import on_thread


@mainstem.event
class RequestNobody(mainstem.Request):
    pass


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


def test_a_request_without_an_answer_in_time_raises_and_is_over(context):
    kept = later(context)
    statuses = []
    context.observe(ResponseGreeting, lambda event: statuses.append(event.status), failed=True)

    with pytest.raises(
        RequestTimeout, match="RequestGreet was not answered within 0.01 s"
    ) as error:
        context.request(RequestGreet(""), timeout=0.01)

    assert isinstance(error.value, TimeoutError)
    assert isinstance(error.value, MainstemError)
    assert error.value.status == Status.TIMEOUT
    assert statuses == [Status.TIMEOUT]
    assert context.stats().requests == 0
    with pytest.raises(MainstemError) as late:
        kept[0].respond(ResponseGreeting("late"))
    assert late.value.status == Status.STALE
    assert context.first_error() is None


@pytest.mark.parametrize("threads", ["one", "any"])
def test_an_answer_from_another_thread_ends_the_waiting(threads):
    with mainstem.Context(threads=threads, raises=True) as context:
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


def test_failed_and_observers_get_a_request_timeout_too(context):
    later(context)
    errors = []
    context.observe(ResponseGreeting, lambda event: errors.append(event.error), failed=True)
    context.request(RequestGreet(""), timeout=0.01, then=print, failed=errors.append)

    context.wait(30)

    assert [type(error) for error in errors] == [RequestTimeout, RequestTimeout]
    assert str(errors[1]) == "TIMEOUT: request: RequestGreet was not answered within 0.01 s"


def test_a_server_may_fail_with_a_time_out_of_its_own(context):
    @context.serve(RequestGreet)
    def greet(request):
        raise Failure("SLOW", code=Status.TIMEOUT)

    with pytest.raises(Failure) as error:
        context.request(RequestGreet(""), timeout=1)

    assert type(error.value) is Failure


def test_with_then_nobody_waits_and_failed_gets_the_error(context):
    kept, answers = later(context), []
    pending = context.request(RequestGreet("a"), then=print, failed=answers.append)
    assert (pending.position, pending.answered, answers) == (1, False, [])

    assert pending.cancel()
    assert not pending.cancel()
    assert pending.answered
    assert [answer.status for answer in answers] == [Status.CANCELLED]
    assert isinstance(answers[0], Failure)
    with pytest.raises(MainstemError, match="STALE"):
        _ = pending.position
    assert len(kept) == 1


def test_an_error_that_nobody_asked_to_hear_of_is_reported():
    caught = []
    with mainstem.Context(on_exception=lambda error, event: caught.append(error)) as context:
        kept = later(context)
        context.request(RequestGreet("a"), then=print)
        context.request(RequestGreet("b"), then=print).cancel()
        kept[0].respond(Failure("NO_NAME"))

    assert caught == [Failure("NO_NAME")]


def test_then_of_a_request_by_name_gets_events(context):
    kept, answers = later(context), []
    for _ in range(2):
        context.request("RequestGreet", '{"name":"a"}', then=answers.append)
    kept[0].respond(Failure("NO_NAME"))
    kept[1].respond(ResponseGreeting("x"))

    assert [answer.failed for answer in answers] == [True, False]
    assert (answers[0].error, answers[1].value) == (Failure("NO_NAME"), ResponseGreeting("x"))
    with pytest.raises(TypeError, match="failed= is for then="):
        context.request(RequestGreet("a"), failed=print)


def test_a_request_without_an_answer_declared_is_refused(context):
    with pytest.raises(MainstemError, match="INVALID"):
        context.request(RequestNobody())
    with pytest.raises(TypeError, match="Said is not a Request"):
        context.request(Said("x"))


def test_control_c_ends_a_request_and_gives_it_up(context, interrupt_soon):
    later(context)
    statuses = []
    context.observe(ResponseGreeting, lambda event: statuses.append(event.status), failed=True)

    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        context.request(RequestGreet(""), timeout=30)
    assert statuses == [Status.CANCELLED]
    assert context.stats().requests == 0


def test_progress_comes_before_the_answer_to_observers_and_to_who_asked(context):
    kept, calls = later(context), []
    context.observe(Said, lambda step: calls.append(("seen", step.words, step.is_progress)))
    context.observe(ResponseGreeting, lambda answer: calls.append(("answer", answer.is_progress)))
    context.request(
        RequestGreet(""),
        then=lambda answer: calls.append(("then", answer.text)),
        progress=lambda step: calls.append(("progress", step.words, step.answers)),
    )

    kept[0].progress(Said("half"))
    kept[0].respond(ResponseGreeting("x"))

    assert calls == [
        ("seen", "half", True),
        ("progress", "half", 1),
        ("answer", False),
        ("then", "x"),
    ]
    with pytest.raises(MainstemError, match="STALE"):
        kept[0].progress(Said("late"))
    context.request(RequestGreet(""), then=lambda answer: None)
    with pytest.raises(MainstemError, match="INVALID"):
        kept[1].progress(ResponseGreeting("no notice"))


def test_a_handler_tells_progress_while_somebody_waits(context):
    steps = []

    @context.serve(RequestGreet)
    def greet(request):
        request.progress(Said("one"))
        request.progress("Said", "two")
        return ResponseGreeting("x")

    assert context.request(RequestGreet(""), progress=lambda step: steps.append(step.words)).text
    assert steps == ["one", "two"]


def test_progress_that_raises_is_counted_and_the_answer_still_comes():
    with mainstem.Context() as context:
        context.on_exception = lambda exception, event: raised.append((exception, event.words))
        raised, kept, answers = [], later(context), []

        def fail(step):
            raise ValueError("no")

        context.request(RequestGreet(""), then=answers.append, progress=fail)
        kept[0].progress(Said("half"))
        kept[0].respond(ResponseGreeting("x"))

        assert [words for _, words in raised] == ["half"]
        assert answers == [ResponseGreeting("x")]
        assert context.stats().failures == 1


def test_a_request_that_is_answered_is_let_go():
    with mainstem.Context() as context:
        before = _callbacks.kept()
        kept = later(context)
        here = _callbacks.kept()
        context.request(RequestGreet(""), then=lambda answer: None)
        assert _callbacks.kept() == here + 1
        kept[0].respond(ResponseGreeting("x"))
        assert _callbacks.kept() == here
        with pytest.raises(MainstemError):
            context.request(RequestNobody(), then=lambda answer: None)
        assert _callbacks.kept() == here
    assert _callbacks.kept() == before


def test_the_end_of_a_scope_gives_up_what_was_asked_through_it(context):
    later(context)
    answers = []
    with context.scope("View") as view:
        view.request(RequestGreet("a"), then=print, failed=answers.append)
        context.request(RequestGreet("b"), then=lambda answer: None)

    assert [answer.status for answer in answers] == [Status.CANCELLED]
    assert "the scope that asked has ended" in str(answers[0])
    assert context.stats().requests == 1


def test_with_then_the_time_is_over_in_a_drain_and_the_answer_says_so():
    with mainstem.Context(clock="virtual") as context:
        later(context)
        answers = []
        context.request(RequestGreet(""), timeout=1.5, then=print, failed=answers.append)
        context.advance(1.4)
        assert answers == []
        context.advance(0.1)
        assert [answer.code for answer in answers] == [Status.TIMEOUT]


def test_a_server_that_says_time_out_itself_raises_its_own_failure(context):
    @context.serve(RequestGreet)
    def greet(request):
        raise Failure("the disk was too slow", code=Status.TIMEOUT)

    with pytest.raises(Failure, match="the disk was too slow"):
        context.request(RequestGreet(""), timeout=30)


def test_activity_is_busy_until_the_last_of_two_loads_has_ended(context):
    """A-26."""
    kept, told, read = later(context), [], []
    context.report_activity(RequestGreet)
    context.observe(mainstem.MainstemActivity, told.append)
    context.observe(
        lambda answer: read.append(context.request_count(RequestGreet)), role="response"
    )

    context.request(RequestGreet("a"), then=print, failed=lambda failure: None)
    context.request(RequestGreet("b"), then=lambda answer: None)
    assert (context.request_count(RequestGreet), context.request_count()) == (2, 2)
    kept[0].respond(Failure("lost"))
    assert [report.count for report in told] == [1]
    kept[1].respond(ResponseGreeting("b"))

    assert read == [1, 0]
    assert [(report.type, report.count) for report in told] == [
        ("RequestGreet", 1),
        ("RequestGreet", 0),
    ]


def test_the_activity_of_every_type_is_reported_without_a_name(context):
    told = []
    context.report_activity()
    context.observe(mainstem.MainstemActivity, told.append)
    later(context)
    context.request(RequestGreet("a"), then=lambda answer: None)

    assert [(report.type, report.count) for report in told] == [("RequestGreet", 1)]
    with pytest.raises(MainstemError, match="INVALID"):
        context.report_activity(Said)

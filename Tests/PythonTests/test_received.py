# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Events as they come, and kept ones."""

from __future__ import annotations

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting, Said, Started
from mainstem import Event, Failure, MainstemError, Status
from mainstem._library import C


def test_an_event_without_a_class_has_name_bytes_and_its_place(context):
    context.add_type("Raw", bytes)
    seen = []
    context.observe("Raw", seen.append)
    context.send("Raw", b"a\0b")

    (event,) = seen
    assert isinstance(event, Event)
    assert (event.name, event.data, event.size) == ("Raw", b"a\0b", 3)
    assert (event.position, event.cause, event.correlation, event.answers) == (1, 0, 1, 0)
    assert (event.status, event.origin, event.time, event.error) == (Status.OK, "", 0, None)
    assert event.outside
    assert not event.tracked
    assert not event.failed


def test_cause_correlation_and_origin_say_where_an_event_came_from(context):
    scope = context.scope("Echo")
    seen = []
    context.observe(Started, lambda event: scope.send(Said("hello")))
    context.observe(Said, seen.append)
    context.send(Said("first"))
    context.send(Started())

    assert [(e.position, e.cause, e.correlation, e.origin) for e in seen] == [
        (1, 0, 1, ""),
        (3, 2, 2, "Echo"),
    ]
    assert not seen[1].outside


def test_str_is_the_line_of_the_library_in_the_callback_and_after_it(context):
    lines, seen = [], []
    context.observe()(lambda event: lines.append(str(event)))
    context.observe()(seen.append)

    @context.serve(RequestGreet, name="Greeter")
    def greet(request):
        if request.name == "Ada":
            return ResponseGreeting(f"Hello, {request.name}")
        raise Failure("NO_NAME", user_message="Please tell me your name.")

    context.request(RequestGreet("Ada"))
    with pytest.raises(Failure):
        context.request(RequestGreet(""))
    with pytest.raises(Failure):
        greet_scope_ended(context)

    assert lines[:4] == [
        '#1 RequestGreet {"name":"Ada"}',
        '#2 ResponseGreeting ok ← #1 Greeter {"text":"Hello, Ada"}',
        '#3 RequestGreet {"name":""}',
        lines[3],
    ]
    assert lines[3].startswith('#4 ResponseGreeting 1000 ← #3 Greeter "')
    assert [str(event) for event in seen] == lines


def greet_scope_ended(context):
    """A request that nobody handles."""

    @mainstem.event
    class ResponseNothing(mainstem.Response):
        pass

    @mainstem.event
    class RequestNothing(mainstem.Request[ResponseNothing]):
        pass

    context.request(RequestNothing())


def test_a_long_payload_is_cut_in_the_line(context):
    lines = []
    context.observe()(lambda event: lines.append(str(event)))
    context.send(Said("ü" * 600))

    assert lines[0].startswith("#1 Said üü")
    assert lines[0].endswith("…")


def test_an_event_kept_beyond_the_close_still_has_its_values(context):
    seen = []
    other = mainstem.Context()
    other.observe(Said, seen.append)
    other.send(Said("hello"))
    other.close()

    assert seen[0].words == "hello"
    assert seen[0].name == "Said"
    assert str(seen[0]) == "#1 Said (its context is closed)"


def test_a_failed_response_is_an_event_with_its_error(context):
    seen = []
    context.observe(ResponseGreeting, seen.append, failed=True)

    @context.serve(RequestGreet)
    def greet(request):
        raise Failure("NO_NAME", user_message="Please.", code=1042, subject="name")

    with pytest.raises(Failure) as raised:
        context.request(RequestGreet(""))

    (event,) = seen
    assert not isinstance(event, ResponseGreeting)
    assert (event.name, event.status, event.failed) == ("ResponseGreeting", 1042, True)
    assert event.error == raised.value
    assert event.error == Failure("NO_NAME", user_message="Please.", code=1042, subject="name")
    assert event.text == "Please."


def test_a_kept_request_can_be_answered_after_its_callback(context):
    kept, answers = [], []

    @context.serve(RequestGreet)
    def greet(request):
        kept.append(request.retain())
        return mainstem.LATER

    context.request(RequestGreet("Ada"), then=answers.append)
    assert answers == []
    assert context.stats().retained == 1
    with kept[0] as request:
        assert request.value == RequestGreet("Ada")
        assert str(request.value) == '#1 RequestGreet {"name":"Ada"}'
        request.respond(ResponseGreeting("late"))
        with pytest.raises(MainstemError) as second:
            request.respond(ResponseGreeting("later"))

    assert answers == [ResponseGreeting("late")]
    assert second.value.status == Status.STALE
    assert context.stats().retained == 0
    kept[0].release()


def test_a_kept_event_that_is_let_go_is_released(context):
    context.observe(Said, lambda event: event.retain())
    context.send(Said("hello"))

    assert context.stats().retained == 0


def test_times_are_taken_where_they_are_asked_for():
    import time

    seen = []
    before = time.time_ns()
    with mainstem.Context(times=True) as context:
        context.observe(seen.append)
        context.send(Said("now"))
    slack = 10_000_000

    assert before - slack <= seen[0].time <= time.time_ns() + slack


def test_an_event_cannot_be_answered_when_its_callback_is_over(context):
    seen = []
    context.observe(RequestGreet, seen.append)
    context.send(RequestGreet("Ada"))

    with pytest.raises(RuntimeError, match="its callback is over"):
        seen[0].respond(ResponseGreeting("no"))


def test_a_kept_event_that_outlives_its_context_leaves_the_last_error_as_it_is(context):
    """It may be let go between another call and the reading of that call's error."""
    kept = []
    context.observe(Said, lambda event: kept.append(event.retain()))
    context.send(Said("hello"))
    context.close()
    with mainstem.Context() as other, pytest.raises(MainstemError):
        other.send("Unknown")
    message = C.mainstem_last_error()
    kept.clear()

    assert C.mainstem_last_error() == message

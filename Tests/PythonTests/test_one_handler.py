# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A request has one handler, unless all of its handlers say that there are several."""

from __future__ import annotations

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting, Said
from journal_writer import OUTSIDE, JournalWriter
from mainstem import MainstemError, Status, ViewModel, handles
from mainstem.testing import TestContext

REFUSED = (
    "INVALID: server: RequestGreet has a handler in the server greet, and both would run:"
    " end that server first, or say several=True for both"
)


def greet(request):
    return ResponseGreeting(f"Hello, {request.name}")


def test_a_second_server_of_a_request_is_refused_with_the_name_of_the_first(context):
    called = []
    context.serve(RequestGreet, greet)

    with pytest.raises(MainstemError) as refused:

        @context.serve(RequestGreet)
        def again(request):
            called.append(request)
            return ResponseGreeting("twice")

    assert refused.value.status == Status.INVALID
    assert str(refused.value) == REFUSED
    assert context.request(RequestGreet("Ada")).text == "Hello, Ada"
    assert called == []


def test_a_server_takes_the_place_of_one_that_has_ended(context):
    context.serve(RequestGreet, greet).end()
    context.serve(RequestGreet, lambda request: ResponseGreeting("new"), name="new")
    assert context.request(RequestGreet("Ada")).text == "new"


def test_several_handlers_on_purpose_are_all_called_and_the_first_answer_counts(context):
    called = []

    class Slow:
        @handles(RequestGreet, several=True)
        def greet(self, request):
            called.append("slow")
            return ResponseGreeting("slow")

    def quick(request):
        called.append("quick")
        return ResponseGreeting("quick")

    context.server("Quick", {RequestGreet: quick}, several=True)
    context.install(Slow())

    assert context.request(RequestGreet("Ada")).text == "quick"
    assert called == ["quick", "slow"]
    with pytest.raises(MainstemError, match="say several=True for both"):
        context.serve(RequestGreet, greet)


def test_an_own_handler_is_refused_beside_one_for_everybody(context):
    context.serve(RequestGreet, greet, own=True)
    context.serve(RequestGreet, greet, own=True, name="other")
    with pytest.raises(MainstemError, match="in the server greet"):
        context.serve(RequestGreet, greet, name="everybody")


def test_other_events_may_have_any_number_of_handlers(context):
    seen = []
    context.serve(Said, lambda said: seen.append(1), name="one")
    context.serve(Said, lambda said: seen.append(2), name="two")
    context.send(Said("hello"))
    assert seen == [1, 2]


def test_a_cell_of_a_notebook_that_runs_twice_is_told(context):
    def cell():
        global scope
        scope = context.scope("cell")

        @scope.serve(RequestGreet)
        def greet(request):
            return ResponseGreeting("cell")

    cell()
    with pytest.raises(MainstemError, match="end that server first"):
        cell()


def test_a_cell_that_ends_its_scope_first_runs_again(context):
    cell = None
    for text in ("first", "second"):
        if cell is not None:
            cell.end()
        cell = context.scope("cell")
        cell.serve(RequestGreet, lambda request, text=text: ResponseGreeting(text))
    assert context.request(RequestGreet("Ada")).text == "second"


class Greeter(ViewModel):
    @handles(RequestGreet)
    def greet(self, request: RequestGreet) -> ResponseGreeting:
        return ResponseGreeting("view model")


class AnyGreeter(ViewModel):
    @handles(RequestGreet, several=True)
    def greet(self, request: RequestGreet) -> ResponseGreeting:
        return ResponseGreeting("view model")


def test_two_view_models_that_answer_one_request_are_refused_unless_they_say_several(context):
    window = context.scope("window")
    window.open(Greeter())
    with pytest.raises(MainstemError, match="in the server Greeter"):
        context.open(Greeter())
    window.end()
    context.open(AnyGreeter())
    context.open(AnyGreeter())
    assert context.request(RequestGreet("Ada")).text == "view model"


def test_a_stub_beside_a_server_is_refused_and_leaves_nothing():
    with TestContext() as test:
        test.serve(RequestGreet, greet)
        with pytest.raises(MainstemError, match="in the server greet"):
            test.stub(RequestGreet, [ResponseGreeting("stub")])


def test_a_second_service_of_a_request_is_refused(context):
    class Store:
        @handles(RequestGreet)
        def greet(self, request):
            return ResponseGreeting("store")

    class Shop(Store):
        pass

    context.service(Store)
    with pytest.raises(MainstemError, match="RequestGreet has a handler in the server"):
        context.service(Shop)


def test_a_session_with_a_refused_server_verifies(tmp_path):
    told = []

    def play(context):
        context.serve(RequestGreet, greet)

        @context.observe(Said)
        def add(said):
            try:
                context.serve(RequestGreet, greet, name="second")
            except MainstemError as error:
                told.append(error.status)
                context.request(
                    RequestGreet(said.text), then=lambda answer: told.append(answer.text)
                )

    path = tmp_path / "session"
    with mainstem.Context() as context:
        play(context)
        context.record(path)
        context.send(Said("Ada"))
    with mainstem.Context() as context, context.replay(path, verify=True) as replay:
        play(context)
        replay.to_end()
    assert told == [Status.INVALID, "Hello, Ada"] * 2


def test_a_session_of_before_has_what_is_refused_now(tmp_path):
    made = JournalWriter()  # as 0.10.0 wrote it
    made.event("Tick", b"", flags=OUTSIDE)
    made.end()
    made.save(tmp_path / "old")

    with mainstem.Context() as context, context.replay(tmp_path / "old", verify=True) as replay:
        context.serve(RequestGreet, greet)
        context.serve(RequestGreet, greet, name="second")
        replay.to_end()

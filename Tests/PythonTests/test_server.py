# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Servers: tables, decorated functions, objects."""

from __future__ import annotations

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting, Said
from mainstem import Failure, Status, handles


def test_a_decorated_function_answers_and_stays_a_function(context):
    @context.serve(RequestGreet)
    def greet(request):
        return ResponseGreeting(f"Hello, {request.name}")

    answer = context.request(RequestGreet("Ada"))
    assert answer == ResponseGreeting("Hello, Ada")
    assert (answer.answers, answer.origin, answer.cause) == (1, "greet", 1)
    assert greet(RequestGreet("Bob")) == ResponseGreeting("Hello, Bob")


def test_a_server_is_a_table_and_a_scope_that_ends(context):
    heard = []
    server = context.server(
        "Greeter", {RequestGreet: lambda r: ResponseGreeting("x"), Said: heard.append}
    )
    assert context.request(RequestGreet("")).origin == "Greeter"
    context.send(Said("a"))
    assert heard == [Said("a")]
    assert context.stats().scopes == 1

    server.end()
    server.end()
    with pytest.raises(Failure) as unhandled:
        context.request(RequestGreet(""))
    assert unhandled.value.code == Status.UNHANDLED
    assert context.stats().scopes == 0


def test_an_object_with_marked_methods_is_a_server(context):
    class Greeter:
        def __init__(self):
            self.count = 0

        @handles(RequestGreet)
        def greet(self, request):
            self.count += 1
            return ResponseGreeting(f"guest {self.count}")

    server = context.install(Greeter())
    assert context.request(RequestGreet("")).text == "guest 1"
    assert context.request(RequestGreet("")).origin == server.name == "Greeter"
    with pytest.raises(TypeError, match="no method is marked"):
        context.install(object())


def test_a_handler_without_an_answer_is_an_error_and_not_a_request_for_ever():
    with mainstem.Context(on_exception=lambda e, event: None) as context:
        context.serve(RequestGreet, lambda request: None, name="Forgetful")

        with pytest.raises(Failure, match="returned None, not its answer"):
            context.request(RequestGreet(""))


def test_an_answer_of_a_wrong_class_is_an_error():
    with mainstem.Context(on_exception=lambda e, event: None) as context:
        context.serve(RequestGreet, lambda request: Said("x"), name="Wrong")

        with pytest.raises(Failure, match="expected ResponseGreeting as the answer, got Said"):
            context.request(RequestGreet(""))


def test_a_handler_may_answer_in_the_call_through_its_request(context):
    def greet(request):
        request.respond(ResponseGreeting("answered"))

    context.serve(RequestGreet, greet)
    assert context.request(RequestGreet("")).text == "answered"


def test_types_without_a_class_are_served_and_requested_by_name(context):
    context.add_type("RequestUpper", str, response="ResponseUpper")
    context.add_type("ResponseUpper", str)
    context.serve("RequestUpper", lambda request: request.text.upper(), name="Upper")

    answer = context.request("RequestUpper", "straße")
    assert (answer.name, answer.text) == ("ResponseUpper", "STRASSE")


def test_a_handler_may_ask_another_server_with_then(context):
    context.serve(
        RequestGreet, lambda request: ResponseGreeting(request.name.upper()), name="Upper"
    )

    @mainstem.event
    class ResponseTwice(mainstem.Response):
        text: str

    @mainstem.event
    class RequestTwice(mainstem.Request[ResponseTwice]):
        name: str

    @context.serve(RequestTwice)
    def twice(request):
        kept = request.retain()
        context.request(
            RequestGreet(request.name), then=lambda a: kept.respond(ResponseTwice(a.text * 2))
        )
        return mainstem.LATER

    assert context.request(RequestTwice("a")).text == "AA"


def test_a_request_that_is_only_sent_gets_a_plain_response(context):
    seen = []
    context.observe(ResponseGreeting, seen.append)
    context.serve(RequestGreet, lambda request: ResponseGreeting("x"), name="Greeter")
    context.send(RequestGreet(""))

    assert seen == [ResponseGreeting("x")]
    assert not seen[0].event.failed


def test_async_handlers_need_an_async_context(context):
    async def greet(request):
        return ResponseGreeting("x")

    with pytest.raises(RuntimeError, match="needs `async with mainstem.Context"):
        context.serve(RequestGreet)(greet)
    with pytest.raises(RuntimeError, match="needs `async with mainstem.Context"):
        context.observe(RequestGreet)(greet)
    with pytest.raises(RuntimeError, match="needs `async with mainstem.Context"):
        context.events(RequestGreet)

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A greeting server, tested. Run it with: python3 -m pytest hello_test.py"""

from typing import Union

import mainstem
from mainstem import Failure, Later, Request, Response
from mainstem.testing import After, TestContext, for_seeds


@mainstem.event
class ResponseGreeting(Response):
    text: str


@mainstem.event
class RequestGreet(Request[ResponseGreeting]):
    name: str


@mainstem.event
class ResponseLoudness(Response):
    mark: str


@mainstem.event
class RequestLoudness(Request[ResponseLoudness]):
    pass


class Greeter:
    """What is tested: a server that greets, and asks another one how loud."""

    @mainstem.handles(RequestGreet)
    def greet(self, request: RequestGreet) -> Union[ResponseGreeting, Later]:
        if not request.name:
            raise Failure("NO_NAME")
        kept = request.retain()

        def shout(loudness: ResponseLoudness) -> None:
            kept.respond(ResponseGreeting(f"Hello, {request.name}{loudness.mark}"))

        request.scope.request(RequestLoudness(), then=shout, failed=kept.respond)
        return mainstem.LATER


@for_seeds(10)
def test_a_greeting_is_as_loud_as_wanted(test: TestContext) -> None:
    test.install(Greeter())
    test.stub(RequestLoudness, After(0.5, ResponseLoudness("!")))

    test.send(RequestGreet("Ada"))
    test.expect(RequestGreet("Ada"))
    test.expect(RequestLoudness())
    test.advance(0.499)
    test.expect_nothing()
    test.advance(0.001)
    test.expect(ResponseLoudness("!"))
    test.expect(ResponseGreeting("Hello, Ada!"))


def test_nobody_is_greeted_without_a_name() -> None:
    with TestContext() as test:
        test.install(Greeter())
        test.send(RequestGreet(""))
        test.expect(RequestGreet(""))
        test.expect(Failure("NO_NAME"))

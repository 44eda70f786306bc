# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Hello: a server that greets, and two requests. Run it with: python3 hello.py"""

from typing import List

import mainstem
from mainstem import Failure, Request, Response


@mainstem.event  # a frozen dataclass; the class name is the event's name
class ResponseGreeting(Response):
    text: str


@mainstem.event
class RequestGreet(Request[ResponseGreeting]):
    name: str


with mainstem.Context() as context:
    greeted: List[str] = []

    @context.serve(RequestGreet)  # return = the response, raise Failure = the error response
    def greet(request: RequestGreet) -> ResponseGreeting:
        if not request.name:
            raise Failure("NO_NAME", user_message="Please tell me your name.")
        greeted.append(request.name)
        return ResponseGreeting(text=f"Hello, {request.name}, guest {len(greeted)}")

    for name in ("Ada", ""):
        try:
            print(context.request(RequestGreet(name=name)).text)
        except Failure as failure:
            print(f"failed: {failure.user_message}")

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0

import mainstem


@mainstem.event
class ResponseGreeting(mainstem.Response):
    text: str


@mainstem.event
class RequestGreet(mainstem.Request[ResponseGreeting]):
    name: str


with mainstem.Context() as context:

    @context.serve(RequestGreet)
    def greet(request):
        return ResponseGreeting(text=f"Hello, {request.name}")

    print(context.request(RequestGreet(name="Ada")).text)

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Hello on asyncio: the handler may await, so may who asks. Run it with: python3 hello_async.py"""

import asyncio
from typing import List

import mainstem
from mainstem import Failure, Request, Response


@mainstem.event
class ResponseGreeting(Response):
    text: str


@mainstem.event
class RequestGreet(Request[ResponseGreeting]):
    name: str


async def main() -> None:
    greeted: List[str] = []
    async with mainstem.Context() as context:  # tied to this loop through one file descriptor

        @context.serve(RequestGreet)
        # answered when it returns; cancelled if nobody waits
        async def greet(request: RequestGreet) -> ResponseGreeting:
            if not request.name:
                raise Failure("NO_NAME", user_message="Please tell me your name.")
            await asyncio.sleep(0)
            greeted.append(request.name)
            return ResponseGreeting(text=f"Hello, {request.name}, guest {len(greeted)}")

        for name in ("Ada", ""):
            try:
                print((await context.request(RequestGreet(name=name), timeout=1)).text)
            except Failure as failure:
                print(f"failed: {failure.user_message}")


asyncio.run(main())

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The provider: in place of a network, it knows that everybody's password is their name backwards.

It is slow; and it can fail, or hang. See account.c.
"""

from __future__ import annotations

import time
from typing import Any, Callable

import mainstem
from core import RequestLogIn, RequestLogOut, ResponseLogIn, ResponseLogOut
from mainstem import Failure

#: Calls a function later, and returns what takes that back.
After = Callable[[Callable[[], None]], Callable[[], None]]


class Account:
    def __init__(self, after: After, now: Callable[[], float]) -> None:
        """`now` is the time of the context's clock, in seconds since 1970."""
        self.after, self.now = after, now
        #: "up"; "down", each request fails; "hang", none is answered.
        self.mode = "up"

    @mainstem.handles(RequestLogIn)
    def log_in(self, request: Any) -> Any:
        name, _, password = request.credentials.partition("\n")
        is_right = password == name[::-1]
        wrong = Failure("WRONG", user_message="Name or password is wrong.")
        return self._later(request, self._welcome if is_right else lambda: wrong)

    @mainstem.handles(RequestLogOut)
    def log_out(self, request: Any) -> Any:
        return self._later(request, ResponseLogOut)

    def _welcome(self) -> ResponseLogIn:
        return ResponseLogIn(time.strftime("%H:%M", time.localtime(self.now())))

    def _later(self, request: Any, answer: Callable[[], Any]) -> Any:
        kept, down = request.retain(), Failure("DOWN", user_message="The server does not answer.")
        if self.mode == "down":
            answer = lambda: down  # noqa: E731
        stop = self.after(lambda: kept.respond(answer())) if self.mode != "hang" else None

        def settled() -> None:
            if stop:
                stop()
            kept.release()

        request.on_settled(settled)
        return mainstem.LATER

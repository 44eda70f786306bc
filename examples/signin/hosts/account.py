# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The provider: in place of a network, it knows that everybody's password is their name backwards.

It is slow; and it can fail, or hang. See account.c.
"""

from __future__ import annotations

from typing import Any, Callable

import mainstem
from core import RequestLogIn, RequestLogOut, ResponseLogIn, ResponseLogOut
from mainstem import Failure

#: Calls a function later, and returns what takes that back.
After = Callable[[Callable[[], None]], Callable[[], None]]


class Account:
    def __init__(self, after: After) -> None:
        self.after = after
        #: "up"; "down", each request fails; "hang", none is answered.
        self.mode = "up"

    @mainstem.handles(RequestLogIn)
    def log_in(self, request: Any) -> Any:
        name, _, password = request.credentials.partition("\n")
        is_right = password == name[::-1]
        wrong = Failure("WRONG", user_text="Name or password is wrong.")
        return self._later(request, ResponseLogIn("09:41") if is_right else wrong)

    @mainstem.handles(RequestLogOut)
    def log_out(self, request: Any) -> Any:
        return self._later(request, ResponseLogOut())

    def _later(self, request: Any, answer: Any) -> Any:
        kept = request.retain()
        if self.mode == "down":
            answer = Failure("DOWN", user_text="The server does not answer.")
        stop = self.after(lambda: kept.respond(answer)) if self.mode != "hang" else None

        def settled() -> None:
            if stop:
                stop()
            kept.release()

        request.on_settled(settled)
        return mainstem.LATER

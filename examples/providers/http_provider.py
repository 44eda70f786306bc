# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A provider: a server that asks the network, for services that know only its requests.

It is on a scheduler of the host, so what it answers are inputs: a replay does not call it, and
verifies without a network. Each request has a thread; the answer comes from there.

    context.install(Http(), on="host")
    context.request(RequestHttp("http://127.0.0.1:8000/entries")).body
"""

from __future__ import annotations

import threading
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import field
from typing import Any, Callable, Dict, Optional

import mainstem
from mainstem import Failure, MainstemError, Request, Response, Status

#: The codes of its failures: no answer came; the server has answered with an error.
UNREACHED, REFUSED = 1100, 1101


@mainstem.event
class ResponseHttp(Response):
    body: str


@mainstem.event
class RequestHttp(Request[ResponseHttp]):
    url: str
    #: Fields that are posted; without them it is a GET.
    form: Dict[str, str] = field(default_factory=dict)


class Http:
    """Asks the network. `seconds` is how long it waits for a server."""

    #: The name of its threads.
    THREAD = "http"

    def __init__(self, seconds: float = 10.0) -> None:
        self.seconds = seconds

    @mainstem.handles(RequestHttp)
    def begin(self, request: Any) -> Any:
        call = Call(request.url, request.form, self.seconds, request.retain())
        request.on_settled(call.stop)
        threading.Thread(target=call.run, name=self.THREAD, daemon=True).start()
        return mainstem.LATER


class Call:
    """One request on the network, on a thread of its own."""

    def __init__(
        self,
        url: str,
        form: Dict[str, str],
        seconds: float,
        asked: Any,
        answered: Callable[[Any], Any] = lambda answer: answer,
    ) -> None:
        self.url, self.form, self.seconds, self.asked = url, form, seconds, asked
        #: Makes the answer of what the server has said.
        self.answered = answered
        self.is_stopped = False

    def stop(self) -> None:
        """Nobody waits any more: what comes is dropped."""
        self.is_stopped = True

    def run(self) -> None:
        """Waits for the server, and answers."""
        answer = self.answered(self._ask())
        try:
            if not self.is_stopped:
                self.asked.respond(answer)
        except MainstemError as error:
            if error.status != Status.STALE:  # It was given up meanwhile.
                raise
        finally:
            self.asked.release()

    def _ask(self) -> Any:
        form: Optional[bytes] = urllib.parse.urlencode(self.form).encode() if self.form else None
        try:
            with urllib.request.urlopen(self.url, form, self.seconds) as answer:
                return ResponseHttp(answer.read().decode("utf-8"))
        except urllib.error.HTTPError as error:
            with error:
                message = f"{self.url}: {error.code} {error.reason}"
                return Failure(message, code=REFUSED, subject=str(error.code))
        except (OSError, ValueError) as error:
            return Failure(f"{self.url}: {error}", code=UNREACHED)

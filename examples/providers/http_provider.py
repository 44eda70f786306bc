# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A provider: a server that asks the network, for services that know only its requests.

It is on a scheduler of the host, so what it answers are inputs: a replay does not call it, and
verifies without a network. Each request has a thread; the answer comes from there. If nobody waits
for an answer any more, its connection ends.

    context.install(Http(), on="host")
    context.request(RequestHttp("http://127.0.0.1:8000/entries")).body

    pictures = context.resources("Pictures", RequestPicture, behind=RequestFetchPicture, drop=…)
    context.serve(RequestFetchPicture, HttpResources(pictures).begin, on="host")
"""

from __future__ import annotations

import socket
import threading
import urllib.error
import urllib.parse
import urllib.request
from contextlib import suppress
from dataclasses import field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, Callable, Dict, Optional, Type

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
        return Call(request.url, request.form, self.seconds, request.retain()).begin(request)


class HttpResources:
    """Asks the network for the bytes of resources; the key is their address, as a text."""

    def __init__(self, resources: mainstem.Resources, seconds: float = 10.0) -> None:
        self.resources, self.seconds = resources, seconds

    def begin(self, request: Any) -> Any:
        url = request.event.data.decode("utf-8")
        return ResourceCall(url, {}, self.seconds, request.retain(), self.resources).begin(request)


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
        self.socket: Optional[socket.socket] = None

    def begin(self, request: Any) -> Any:
        """Answers a request later."""
        request.on_settled(self.stop)
        threading.Thread(target=self.run, name=Http.THREAD, daemon=True).start()
        return mainstem.LATER

    def stop(self) -> None:
        """Nobody waits any more: the connection ends, and what has come is dropped."""
        self.is_stopped = True
        self._disconnect()

    def run(self) -> None:
        """Waits for the server, and answers."""
        answer = self.answered(self._ask())
        try:
            if not self.is_stopped:
                self._respond(answer)
        except MainstemError as error:
            if error.status != Status.STALE:  # It was given up meanwhile.
                raise
        finally:
            self.asked.release()

    def _respond(self, answer: Any) -> None:
        try:
            self._answer(answer)
        except MainstemError as error:
            if error.status == Status.STALE:
                raise
            # It is too big, or there is no room for it while much is in use.
            self.asked.respond(Failure(f"{self.url}: {error}", code=UNREACHED))

    def _answer(self, answer: Any) -> None:
        self.asked.respond(answer)

    def _read(self, body: bytes) -> Any:
        """What the body of an answer says."""
        return ResponseHttp(body.decode("utf-8"))

    def _ask(self) -> Any:
        form: Optional[bytes] = urllib.parse.urlencode(self.form).encode() if self.form else None
        network = urllib.request.build_opener(_Network(self, HTTPConnection, HTTPSConnection))
        try:
            with network.open(self.url, form, self.seconds) as answer:
                return self._read(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                message = f"{self.url}: {error.code} {error.reason}"
                return Failure(message, code=REFUSED, subject=str(error.code))
        except (OSError, ValueError, HTTPException) as error:
            return Failure(f"{self.url}: {error}", code=UNREACHED)

    def connected(self, connection: socket.socket) -> None:
        """It has a connection to the server now."""
        self.socket = connection
        if self.is_stopped:
            self._disconnect()

    def _disconnect(self) -> None:
        if self.socket:
            with suppress(OSError):  # It has ended by itself.
                self.socket.shutdown(socket.SHUT_RDWR)


class ResourceCall(Call):
    """One request for the bytes of resources."""

    def __init__(
        self,
        url: str,
        form: Dict[str, str],
        seconds: float,
        asked: Any,
        resources: mainstem.Resources,
    ) -> None:
        super().__init__(url, form, seconds, asked)
        self.resources = resources

    def _read(self, body: bytes) -> Any:
        return body

    def _answer(self, answer: Any) -> None:
        if isinstance(answer, bytes):
            self.resources.put(self.asked, answer)
        else:
            self.asked.respond(answer)


class _Network(urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
    """Opens connections, and tells a call which one is its own."""

    def __init__(self, call: Call, *kinds: Type[HTTPConnection]) -> None:
        super().__init__()
        self._plain, self._secure = (_telling(kind, call) for kind in kinds)

    def http_open(self, req: Any) -> Any:
        return self.do_open(self._plain, req)

    def https_open(self, req: Any) -> Any:
        return self.do_open(self._secure, req)


def _telling(kind: Type[HTTPConnection], call: Call) -> Any:
    class Connection(kind):  # type: ignore[misc,valid-type]
        def connect(self) -> None:
            super().connect()
            call.connected(self.sock)

    return Connection

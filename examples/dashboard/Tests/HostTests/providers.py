# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The two providers, for tests in which time stands still until the test moves it."""

from __future__ import annotations

import os
import threading
from ctypes import CDLL, byref, c_int, c_int64, c_void_p
from typing import Any

from dashboards import Http, mainstem
from http_provider import Call, RequestHttp

LIBRARY = CDLL(os.environ["DASHBOARD_LIBRARY"])
LIBRARY.http_provider_add.argtypes = [c_void_p, c_void_p]
LIBRARY.http_provider_wait.argtypes = [c_void_p, c_int64, c_int]


class InC:
    """The provider in C, on this thread."""

    def __init__(self, context: mainstem.Context) -> None:
        self.http = c_void_p()
        assert not LIBRARY.http_provider_add(context.handle, byref(self.http))

    def wait_for(self, most: int) -> None:
        """Waits for the network, milliseconds at most."""
        LIBRARY.http_provider_wait(self.http, most, -1)

    def end(self) -> None:
        """It has nothing that waits."""


class InPython:
    """The provider in Python, whose threads answer."""

    def __init__(self, context: mainstem.Context) -> None:
        self.context = context
        context.install(Http(1.0), on="host")

    def wait_for(self, most: int) -> None:
        """Waits for the network, milliseconds at most."""
        self.context.wait(most / 1000)

    def end(self) -> None:
        """A thread that hangs with the site keeps its request until then."""
        for thread in threading.enumerate():
            if thread.name == Http.THREAD:
                thread.join()


class Held(Http):
    """The provider in Python, which asks nobody until its gate is open."""

    def __init__(self, context: mainstem.Context) -> None:
        super().__init__()
        self.gate = threading.Event()
        context.install(self, on="host")

    @mainstem.handles(RequestHttp)
    def begin(self, request: Any) -> Any:
        call = Call(request.url, request.form, self.seconds, request.retain())
        request.on_settled(call.stop)
        threading.Thread(target=self.run, args=[call], name=self.THREAD, daemon=True).start()
        return mainstem.LATER

    def run(self, call: Call) -> None:
        self.gate.wait()
        call.run()

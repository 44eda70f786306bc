# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A small HTTP server for tests and examples: it can be slow, fail, hang, and break off.

    with Site({"/entries": lambda query: ["one", "two"]}) as site:
        site.delay = 0.05  # each answer comes after 50 ms
        site.fail(503, times=2)  # the next two requests fail
        site.hang(times=1)  # then one request gets no answer until the site is closed
        site.cut(times=1)  # the answer of the next one ends in its middle
        site.babble(b"\\xff")  # and that of the next one is this
        print(site.url("/entries"))

It listens on the machine itself only, on a port that is free. Each request has a thread, so a slow
one holds up no other. `asked` lists the requests in the order in which they came, and `left` those
whose asker has gone before the answer.
"""

from __future__ import annotations

import json
import math
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Union
from urllib.parse import parse_qsl, urlsplit

#: Returns what is answered, as JSON, or bytes: a PNG. It gets the query, and what was posted.
Page = Callable[[Dict[str, str]], Any]

#: In the list of what comes next: this request gets no answer, a part of one, these bytes.
_HANGS, _CUT = 0, -1
_Next = Union[int, bytes]


class Site:
    """Pages by path, served until it is closed."""

    def __init__(self, pages: Mapping[str, Page]) -> None:
        self.pages = dict(pages)
        #: How long each answer takes, in seconds.
        self.delay = 0.0
        #: And of some paths, by how they begin.
        self.slow: Dict[str, float] = {}
        #: The paths that were asked for, with their queries.
        self.asked: List[str] = []
        #: Those whose asker has not waited for the answer.
        self.left: List[str] = []
        self._next: List[_Next] = []
        self._lock = threading.Condition()
        self._closing = threading.Event()
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site._answer(self, "")

            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length", 0))
                site._answer(self, self.rfile.read(length).decode("utf-8"))

            def log_message(self, format: str, *_: object) -> None:
                """Says nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        # It looks every 20 ms whether it has been closed.
        self._thread = threading.Thread(target=self._server.serve_forever, args=[0.02], daemon=True)
        self._thread.start()

    def __enter__(self) -> "Site":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def url(self, path: str) -> str:
        """The address of a path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}{path}"

    def fail(self, status: int = 503, times: int = 1) -> None:
        """Lets the next requests fail with a status."""
        self._come(status, times)

    def hang(self, times: int = 1) -> None:
        """Lets the next requests wait until the site is closed."""
        self._come(_HANGS, times)

    def cut(self, times: int = 1) -> None:
        """Ends the connections of the next requests in the middle of their answers."""
        self._come(_CUT, times)

    def babble(self, answer: bytes, times: int = 1) -> None:
        """Answers the next requests with bytes that nobody has asked for."""
        self._come(answer, times)

    def recover(self) -> None:
        """Answers all requests from now on."""
        with self._lock:
            self._next.clear()
        self.delay = 0.0

    def _come(self, what: _Next, times: int) -> None:
        with self._lock:
            self._next += [what] * times

    def came(self, count: int) -> bool:
        """Waits until so many requests have come; false after ten seconds."""
        with self._lock:
            return self._lock.wait_for(lambda: len(self.asked) >= count, 10)

    def gone(self, count: int) -> bool:
        """Waits until so many askers have left; false after ten seconds."""
        with self._lock:
            return self._lock.wait_for(lambda: len(self.left) >= count, 10)

    def close(self) -> None:
        """Ends the server, and what hangs."""
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answer(self, request: BaseHTTPRequestHandler, body: str) -> None:
        with self._lock:
            self.asked.append(request.path)
            forced = self._next.pop(0) if self._next else None
            self._lock.notify_all()
        delays = [delay for path, delay in self.slow.items() if request.path.startswith(path)]
        if not self._wait(request, math.inf if forced == _HANGS else max([self.delay, *delays])):
            return
        if forced is None or forced == _CUT:
            status, answer = self._page(request.path, body)
        else:
            status, answer = (200, forced) if isinstance(forced, bytes) else (forced, None)
        is_picture = isinstance(answer, bytes)
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        try:
            request.send_response(status)
            request.send_header("Content-Type", "image/png" if is_picture else "application/json")
            request.send_header("Content-Length", str(len(data)))
            request.end_headers()
            request.wfile.write(data[: len(data) // 2] if forced == _CUT else data)
        except OSError:
            pass  # Who asked has gone.

    def _wait(self, request: BaseHTTPRequestHandler, seconds: float) -> bool:
        """Waits before an answer; false: there is none, since who asked has gone, or the site."""
        until = time.monotonic() + seconds
        while (rest := until - time.monotonic()) > 0:
            if self._closing.wait(min(rest, 0.01)):
                return False
            if _has_gone(request.connection):
                with self._lock:
                    self.left.append(request.path)
                    self._lock.notify_all()
                return False
        return not self._closing.is_set()

    def _page(self, path: str, body: str) -> Tuple[int, Any]:
        address = urlsplit(path)
        page: Optional[Page] = self.pages.get(address.path)
        if page is None:
            return 404, None
        query = dict(parse_qsl(address.query))
        if body:
            query.update(parse_qsl(body))
        try:
            return 200, page(query)
        except PermissionError:
            return 401, None
        except (KeyError, ValueError) as error:
            return 400, repr(error)


def _has_gone(connection: socket.socket) -> bool:
    """Whether the other end has closed a connection."""
    connection.setblocking(False)
    try:
        return connection.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        connection.setblocking(True)

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A small HTTP server for tests and examples: it can be slow, fail, and hang.

    with Site({"/entries": lambda query: ["one", "two"]}) as site:
        site.delay = 0.05  # each answer comes after 50 ms
        site.fail(503, times=2)  # the next two requests fail
        site.hang(times=1)  # then one request gets no answer until the site is closed
        print(site.url("/entries"))

It listens on the machine itself only, on a port that is free. Each request has a thread, so a slow
one holds up no other. `asked` lists the requests in the order in which they came.
"""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple
from urllib.parse import parse_qsl, urlsplit

#: Returns what is answered, as JSON; it gets the query, and what was posted.
Page = Callable[[Dict[str, str]], Any]

#: In the list of what comes next: this request gets no answer.
_HANGS = 0


class Site:
    """Pages by path, served until it is closed."""

    def __init__(self, pages: Mapping[str, Page]) -> None:
        self.pages = dict(pages)
        #: How long each answer takes, in seconds.
        self.delay = 0.0
        #: The paths that were asked for, with their queries.
        self.asked: List[str] = []
        self._next: List[int] = []
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
        with self._lock:
            self._next += [status] * times

    def hang(self, times: int = 1) -> None:
        """Lets the next requests wait until the site is closed."""
        self.fail(_HANGS, times)

    def came(self, count: int) -> bool:
        """Waits until so many requests have come; false after ten seconds."""
        with self._lock:
            return self._lock.wait_for(lambda: len(self.asked) >= count, 10)

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
        if forced == _HANGS or self._closing.wait(self.delay):
            self._closing.wait()
            return
        status, answer = (forced, None) if forced else self._page(request.path, body)
        data = json.dumps(answer).encode()
        try:
            request.send_response(status)
            request.send_header("Content-Type", "application/json")
            request.send_header("Content-Length", str(len(data)))
            request.end_headers()
            request.wfile.write(data)
        except OSError:
            pass  # Who asked has gone.

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

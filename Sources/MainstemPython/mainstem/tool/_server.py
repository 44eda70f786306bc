# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Serves the page and its answers to browsers of this machine, and to nobody else.

A request without the token in its address gets nothing. Pages of other sites cannot ask, because
the browser says where a request comes from, and Host must be this machine's address.
"""

from __future__ import annotations

import json
import secrets
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple, Type
from urllib.parse import parse_qs, urlsplit

from ..journal_file import JournalError
from ._answers import Answers, Wrong
from ._charts import Charts
from ._live import Live
from ._reading import plain
from ._state import Unfit

__all__ = ["Server"]

_FOLDER = Path(__file__).parent / "studio"
_KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}
#: Nothing is loaded from elsewhere, and no script runs that the page does not name.
_POLICY = (
    "default-src 'none'; script-src 'nonce-{0}'; style-src 'nonce-{0}'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = (
    ("Cache-Control", "no-store"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
)
#: The longest number of 64 bits, and the longest text that is looked for.
_DIGITS, _LONGEST = 20, 200

_Query = Dict[str, List[str]]


class Server(ThreadingHTTPServer):
    """A server on 127.0.0.1, at a port that was free."""

    daemon_threads = True
    #: So many connections may wait to be taken.
    request_queue_size = 128

    def __init__(self, live: Live, answers: Answers) -> None:
        #: What the address begins with, which nobody can guess.
        self.token = secrets.token_urlsafe(24)
        self.live = live
        self.charts = Charts(live.journal.path)
        self.said: Dict[str, Callable[[_Query], Dict[str, Any]]] = {
            "status": lambda query: answers.status(),
            "rows": lambda query: answers.rows(_number(query, "from", 0), _number(query, "count")),
            "band": lambda query: answers.band(),
            "moment": lambda query: answers.moment(
                _number(query, "time", 0), _number(query, "at", 0)
            ),
            "chain": lambda query: answers.chain(_number(query, "row"), _number(query, "at", 0)),
            "shown": lambda query: answers.shown(_number(query, "at"), _number(query, "row")),
            "why": lambda query: answers.why(_number(query, "at")),
            "event": lambda query: answers.event(_number(query, "at")),
            "search": lambda query: answers.search(_text(query), _number(query, "from", 0)),
            "proof": lambda query: answers.proved(),
        }
        #: What acts: asked for by POST only.
        self.done: Dict[str, Callable[[_Query], bool]] = {
            "prove": lambda query: answers.proof.begin(),
            "open": lambda query: answers.host.open(_number(query, "at")),
            "go": lambda query: answers.host.go(_number(query, "at")),
            "shut": lambda query: answers.host.shut(),
        }
        self.pages = {path.name: path for path in _FOLDER.iterdir() if path.suffix in _KINDS}
        super().__init__(("127.0.0.1", 0), _handler(self))

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://127.0.0.1:{self.server_port}/{self.token}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that has gone is no error."""

    def answer(self, name: str, query: _Query) -> Tuple[int, Dict[str, Any]]:
        """Answers a request: its status, and JSON."""
        try:
            if name == "map":  # It takes long, and reads the journal for itself.
                return HTTPStatus.OK, self.charts.map()
            if name in self.done:
                return HTTPStatus.OK, {"done": self.done[name](query)}
            with self.live.lock:
                return HTTPStatus.OK, self.said[name](query)
        except _Bad as bad:
            return HTTPStatus.BAD_REQUEST, {"error": str(bad)}
        except Wrong as wrong:
            return HTTPStatus.NOT_FOUND, {"error": str(wrong)}
        except (JournalError, OSError, Unfit, ValueError) as error:
            what = plain(str(error)) or "the journal was changed while it was read"
            return HTTPStatus.CONFLICT, {"error": what}
        except Exception as error:  # The page says so; without an answer, it could only wait.
            return HTTPStatus.INTERNAL_SERVER_ERROR, {"error": plain(f"no answer: {error!r}")}


class _Bad(Exception):
    """A request that cannot be understood."""


def _number(query: _Query, name: str, otherwise: int = -1) -> int:
    text = query.get(name, [""])[0]
    if not text and otherwise >= 0:
        return otherwise
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
        raise _Bad(f"{name} is not a number")
    return int(text)


def _text(query: _Query) -> str:
    text = query.get("q", [""])[0]
    if len(text) > _LONGEST:
        raise _Bad(f"a text of more than {_LONGEST} characters is not looked for")
    return text


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def _handler(server: Server) -> Type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        server_version, sys_version = "mainstem", ""
        protocol_version = "HTTP/1.1"
        #: A connection that says nothing for so many seconds is closed.
        timeout = 10

        def do_GET(self) -> None:
            """Answers a request; whatever is not right, without a word of what is there."""
            try:
                path, query = self._asked()
            except ValueError:
                self.send_error(HTTPStatus.BAD_REQUEST)
                return
            if not self._is_from_here():
                self.send_error(HTTPStatus.FORBIDDEN)
            elif path in server.said or path == "map":
                self._answer(path, query)
            elif path in server.pages:
                self._page(server.pages[path])
            else:
                self.send_error(HTTPStatus.NOT_FOUND)

        def do_POST(self) -> None:
            """Does what is asked for, which a page of another site or a link cannot ask."""
            try:
                path, query = self._asked()
            except ValueError:
                self.send_error(HTTPStatus.BAD_REQUEST)
                return
            # Nothing is read of what it brings.
            self.close_connection = True
            if not self._is_from_here():
                self.send_error(HTTPStatus.FORBIDDEN)
            elif path in server.done:
                self._answer(path, query)
            else:
                self.send_error(HTTPStatus.NOT_FOUND)

        def _asked(self) -> Tuple[str, _Query]:
            """The path behind the token, and the query; a path that is nowhere without a token."""
            parts = urlsplit(self.path)
            before = f"/{server.token}/"
            begin = parts.path[: len(before)]
            if not secrets.compare_digest(begin.encode(), before.encode()):
                return "/", {}
            query = parse_qs(parts.query, max_num_fields=8)
            return parts.path[len(before) :] or "page.html", query

        def _is_from_here(self) -> bool:
            host = f"127.0.0.1:{server.server_port}"
            sites = set(self.headers.get_all("Sec-Fetch-Site") or ())
            return self.headers.get_all("Host") == [host] and sites <= {"none", "same-origin"}

        def _answer(self, name: str, query: _Query) -> None:
            status, said = server.answer(name, query)
            self._send(status, "application/json", _json(said))

        def _page(self, path: Path) -> None:
            nonce = secrets.token_urlsafe(16)
            data = path.read_bytes()
            if path.suffix == ".html":
                data = data.replace(b"NONCE", nonce.encode())
            self._send(HTTPStatus.OK, _KINDS[path.suffix], data, _POLICY.format(nonce))

        def send_error(
            self, code: int, message: "str | None" = None, explain: "str | None" = None
        ) -> None:
            """Says what is wrong as all is said, and closes the connection."""
            data = HTTPStatus(code).phrase.encode() + b"\n"
            self.close_connection = True
            self._send(code, "text/plain; charset=utf-8", data)

        def _send(self, status: int, kind: str, data: bytes, policy: str = "") -> None:
            self.send_response(status)
            if self.close_connection:
                self.send_header("Connection", "close")
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Content-Security-Policy", policy or "default-src 'none'")
            for name, value in _HEADERS:
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)

        def log_message(self, format: str, *arguments: Any) -> None:
            """Says nothing: the address, with its token, is nobody's business."""

    return Handler

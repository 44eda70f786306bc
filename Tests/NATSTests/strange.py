# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Servers that are none: they say nothing, nonsense, or what is not so."""

from __future__ import annotations

import base64
import contextlib
import json
import random
import re
import socket
import threading
from typing import Any, Callable, Dict, List, Optional, Tuple

#: What a server says first.
INFO = {
    "server_id": "S",
    "version": "2.9.10",
    "headers": True,
    "max_payload": 1 << 20,
    "jetstream": True,
}


class Strange:
    """Listens on the loopback; each connection is a thread that runs `talk`."""

    def __init__(self, talk: Callable[[socket.socket], None], port: int = 0) -> None:
        self._talk = talk
        self._listener = socket.create_server(("127.0.0.1", port))
        self.url = f"nats://127.0.0.1:{self._listener.getsockname()[1]}"
        self._open: List[socket.socket] = []
        self.connections = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection = self._listener.accept()[0]
                self.connections += 1
                self._open.append(connection)
                threading.Thread(target=self._run, args=(connection,), daemon=True).start()

    def _run(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError, EOFError), connection:
            self._talk(connection)

    def close(self) -> None:
        """Hangs up everywhere."""
        for each in (self._listener, *self._open):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


def greet(connection: socket.socket, **more: Any) -> None:
    """Says what a server says first."""
    connection.sendall(b"INFO %s\r\n" % json.dumps({**INFO, **more}).encode())


def hear(connection: socket.socket) -> None:
    """Until the client hangs up."""
    while connection.recv(1 << 16):
        pass


def silent(connection: socket.socket) -> None:
    """A server that greets, and does nothing more."""
    greet(connection)
    hear(connection)


class Liar:
    """A JetStream of one stream, in so far as a mirror asks for it. What it answers to an entry
    is up to `acknowledge(count, sequence)`: JSON, bytes, or None for nothing."""

    def __init__(
        self,
        acknowledge: Callable[[int, int], Any],
        last: Optional[Tuple[Dict[str, str], bytes]] = None,
        first: int = 1,
        sequence: int = 0,
    ) -> None:
        self._acknowledge, self._last = acknowledge, last
        self._first, self.sequence = first, sequence
        self.count = 0

    def talk(self, connection: socket.socket) -> None:
        """Speaks with one client."""
        file = connection.makefile("rb")
        greet(connection)
        subscribed: Dict[str, str] = {}
        while True:
            line = file.readline()
            if not line:
                raise EOFError
            words = line.decode().split()
            if words[0] == "PING":
                connection.sendall(b"PONG\r\n")
            if words[0] == "SUB":
                subscribed[words[1]] = words[-1]
            if words[0] in ("PUB", "HPUB"):
                data = file.read(int(words[-1]) + 2)[:-2]
                if len(words) == (3 if words[0] == "PUB" else 4):
                    continue  # Nobody wants an answer.
                reply = words[2]
                number = next(
                    n
                    for s, n in subscribed.items()
                    if re.match(s.replace("*", "[^.]+").replace(">", ".+") + "$", reply)
                )
                self._say(connection, words[1], data, reply, number)

    def _say(
        self, connection: socket.socket, subject: str, data: bytes, reply: str, number: str
    ) -> None:
        answer = self._answer(subject, data)
        if answer is not None:
            raw = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            connection.sendall(f"MSG {reply} {number} {len(raw)}\r\n".encode() + raw + b"\r\n")

    def _answer(self, subject: str, data: bytes) -> Any:
        if "STREAM.INFO" in subject:
            state = {"messages": self.sequence, "first_seq": self._first, "last_seq": self.sequence}
            return {"config": {"name": "session", "max_msg_size": -1}, "state": state}
        if "MSG.GET" in subject:
            if b"last_by_subj" in data or self._last is None:
                return {
                    "error": {"code": 404, "err_code": 10037, "description": "no message found"}
                }
            headers = "".join(f"{key}: {value}\r\n" for key, value in self._last[0].items())
            block = base64.b64encode(f"NATS/1.0\r\n{headers}\r\n".encode()).decode()
            message = {"subject": "session.app.Tick", "seq": self.sequence, "hdrs": block}
            if self._last[1]:
                message["data"] = base64.b64encode(self._last[1]).decode()
            return {"message": message}
        if subject.startswith("$JS."):
            return {
                "error": {
                    "code": 500,
                    "err_code": 10003,
                    "description": "no\r\nsuch \u001b[31mthing",
                }
            }
        self.count += 1
        self.sequence += 1
        return self._acknowledge(self.count, self.sequence)


class Teller(Liar):
    """A JetStream of one stream and one consumer, in so far as an import asks for it. To the n-th
    request, for so many entries, it says `tell(n, batch)`: (subject to answer, headers, data) of
    each message; None: that there is nothing more. The consumer is there once it was made, unless
    `is_kept` is false."""

    def __init__(
        self, tell: Callable[[int, int], Any], is_kept: bool = True, sequence: int = 1000
    ) -> None:
        super().__init__(lambda count, sequence: None, sequence=sequence)
        self._tell, self.requests = tell, 0
        self._is_kept, self._is_made = is_kept, False

    def _say(
        self, connection: socket.socket, subject: str, data: bytes, reply: str, number: str
    ) -> None:
        if "MSG.NEXT" not in subject:
            super()._say(connection, subject, data, reply, number)
            return
        self.requests += 1
        for answer, headers, body in self._tell(self.requests, json.loads(data)["batch"]) or [
            nothing()
        ]:
            block = headers if isinstance(headers, bytes) else written(headers)
            size = f"{len(block)} {len(block) + len(body)}"
            start = f"HMSG one.app.Tick {number} {answer} {size}\r\n".encode()
            connection.sendall(start + block + body + b"\r\n")

    def _answer(self, subject: str, data: bytes) -> Any:
        if "CONSUMER.INFO" in subject and not self._is_made:
            return {"error": {"code": 404, "err_code": 10014, "description": "no consumer"}}
        if "CONSUMER.DELETE" in subject:
            return {"success": True}
        if "CONSUMER." in subject:
            self._is_made = self._is_kept
            return {"stream_name": "all", "name": "own", "config": {"durable_name": "own"}}
        if "$JS.ACK" in subject:
            return None
        return super()._answer(subject, data)


def written(headers: Dict[str, str]) -> bytes:
    """Headers as they travel."""
    lines = "".join(f"{key}: {value}\r\n" for key, value in headers.items())
    return f"NATS/1.0\r\n{lines}\r\n".encode()


def nothing(status: str = "408 Request Timeout") -> Any:
    """What a server says when it has no more."""
    return "", f"NATS/1.0 {status}\r\n\r\n".encode(), b""


class Mangler:
    """Between a mirror and a real server: turns over bytes of what the server says."""

    def __init__(self, port: int, chance: random.Random, rate: float) -> None:
        self._port, self._chance, self._rate = port, chance, rate
        self.mangled = 0

    def talk(self, connection: socket.socket) -> None:
        """Passes on both ways."""
        with socket.create_connection(("127.0.0.1", self._port)) as server:
            threading.Thread(target=self._pass, args=(connection, server), daemon=True).start()
            while True:
                data = bytearray(server.recv(1 << 16))
                if not data:
                    return
                if self._chance.random() < self._rate:
                    for _ in range(self._chance.randrange(1, 4)):
                        data[self._chance.randrange(len(data))] = self._chance.randrange(256)
                    self.mangled += 1
                connection.sendall(data)

    def _pass(self, connection: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                data = connection.recv(1 << 16)
                if not data:
                    server.shutdown(socket.SHUT_RDWR)
                    return
                server.sendall(data)

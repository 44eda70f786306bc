# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A client of NATS in a hundred lines, from its protocol alone: what checks the bridge shares no
code with it. https://docs.nats.io/reference/reference-protocols/nats-protocol
"""

from __future__ import annotations

import base64
import collections
import json
import secrets
import socket
from typing import Any, Deque, Dict, Iterator, NamedTuple, Optional


class Message(NamedTuple):
    """What arrived."""

    subject: str
    reply: str
    headers: Dict[str, str]
    data: bytes


class Entry(NamedTuple):
    """One entry of a stream."""

    sequence: int
    subject: str
    headers: Dict[str, str]
    data: bytes


def parsed(block: bytes) -> Dict[str, str]:
    """The headers of a message."""
    lines = block.decode().split("\r\n")[1:]
    return dict(line.split(": ", 1) for line in lines if line)


class Client:
    """One connection. Everything waits at most so many seconds."""

    def __init__(self, port: int, seconds: float = 10, **options: Any) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), seconds)
        self._file = self._socket.makefile("rb")
        self.info = json.loads(self._file.readline().split(b" ", 1)[1])
        self._subscriptions = 0
        # A consumer outlives who made it for a while, and would go on where somebody hears that.
        self._inbox = f"_INBOX.test.{secrets.token_hex(8)}"
        self._kept: Deque[Message] = collections.deque()
        whole = {"verbose": False, "headers": True, "no_responders": True, **options}
        self._write(b"CONNECT %s\r\nPING\r\n" % json.dumps(whole).encode())
        answer = self._file.readline()
        assert answer == b"PONG\r\n", answer

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()
        self._socket.close()

    def _write(self, data: bytes) -> None:
        self._socket.sendall(data)

    def publish(
        self, subject: str, data: bytes, reply: str = "", headers: Optional[Dict[str, str]] = None
    ) -> None:
        """Sends a message."""
        if headers is None:
            self._write(
                b"PUB %s %s %d\r\n%s\r\n" % (subject.encode(), reply.encode(), len(data), data)
            )
            return
        lines = "".join(f"{key}: {value}\r\n" for key, value in headers.items())
        block = f"NATS/1.0\r\n{lines}\r\n".encode()
        start = f"HPUB {subject} {reply} {len(block)} {len(block) + len(data)}\r\n".encode()
        self._write(start + block + data + b"\r\n")

    def subscribe(self, subject: str) -> None:
        """From here on, `next` returns what comes there."""
        self._subscriptions += 1
        self._write(f"SUB {subject} {self._subscriptions}\r\n".encode())

    def next(self) -> Message:
        """The next message."""
        return self._kept.popleft() if self._kept else self._arrived()

    def _arrived(self) -> Message:
        while True:
            line = self._file.readline()
            if not line:
                raise EOFError("the server has hung up")
            words = line.decode().split()
            if words[0] == "PING":
                self._write(b"PONG\r\n")
            if words[0] in ("MSG", "HMSG"):
                return self._message(words)

    def _message(self, words: Any) -> Message:
        has_headers = words[0] == "HMSG"
        numbers = int(words[-2]) if has_headers else 0, int(words[-1])
        whole = self._file.read(numbers[1] + 2)[:-2]
        reply = words[3] if len(words) == (6 if has_headers else 5) else ""
        headers = parsed(whole[: numbers[0]]) if has_headers else {}
        return Message(words[1], reply, headers, whole[numbers[0] :])

    def ask(self, subject: str, question: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        """Asks JetStream, and returns its answer."""
        inbox = f"{self._inbox}.{self._subscriptions}"
        self.subscribe(inbox)
        self.publish(
            f"$JS.API.{subject}", b"" if question is None else json.dumps(question).encode(), inbox
        )
        while True:
            message = self._arrived()
            if message.subject == inbox:
                answer: Dict[str, Any] = json.loads(message.data)
                return answer
            self._kept.append(message)

    def state(self, stream: str) -> Dict[str, Any]:
        """What a stream holds; empty: there is none of that name."""
        state: Dict[str, Any] = self.ask(f"STREAM.INFO.{stream}").get("state", {})
        return state

    def entries(self, stream: str) -> Iterator[Entry]:
        """All entries of a stream, in order."""
        state = self.state(stream)
        if not state.get("messages"):
            return
        inbox = f"{self._inbox}.{self._subscriptions}"
        self.subscribe(inbox)
        config = {"deliver_subject": inbox, "ack_policy": "none", "deliver_policy": "all"}
        self.ask(f"CONSUMER.CREATE.{stream}", {"stream_name": stream, "config": config})
        for _ in range(state["messages"]):
            message = self.next()
            sequence = int(message.reply.split(".")[5])
            yield Entry(sequence, message.subject, message.headers, message.data)

    def entry(self, stream: str, sequence: int) -> Entry:
        """One entry of a stream."""
        found = self.ask(f"STREAM.MSG.GET.{stream}", {"seq": sequence})["message"]
        headers = parsed(base64.b64decode(found.get("hdrs", "")))
        return Entry(found["seq"], found["subject"], headers, base64.b64decode(found["data"]))

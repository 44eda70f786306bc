# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Messages that others publish to a mirror's stream: they only look as if a mirror made them."""

from __future__ import annotations

import json
import random
import re
from typing import Any, Dict, List, Optional, Tuple

from client import Client, Entry
from compared import HEADER

#: Where a mirror puts an entry: behind the one of this number.
PLACE = "Nats-Expected-Last-Sequence"

#: A message: its subject, its headers if it has any, its data.
Message = Tuple[str, Optional[Dict[str, str]], bytes]

#: The kinds of them, by name. One more, "placed", looks to a fetch like an entry that is damaged.
KINDS = [
    "bare",
    "bare event",
    "bad mark",
    "bad record",
    "bad event",
    "far event",
    "short",
    "copy",
    "old place",
    "other id",
]


def is_foreign(entry: Entry) -> bool:
    """Whether an entry of a stream is one of these."""
    return "Nats-Msg-Id" not in entry.headers or "Foreign" in entry.headers


def header(position: int, kind: int, size: int = 0) -> bytes:
    """An event's header; kind 0: that of another record."""
    return HEADER.pack(position, 0, position, 0, 0, size, 64, kind, 0, 0, 0)


def message(kind: str, prefix: str, identity: str, entries: List[Entry], seed: int) -> Message:
    """One message. `entries` are those that the stream has of the journal."""
    chance = random.Random(seed)
    own, event = f"{prefix}._journal.{identity}", f"{prefix}.view.Clicked"
    far = 10_000_000 + seed
    data = bytes(chance.randrange(256) for _ in range(chance.choice([0, 1, 63, 64, 65, 300])))

    def named(text: str, **more: str) -> Dict[str, str]:
        return {"Nats-Msg-Id": f"{identity}-{text}", "Foreign": "1", **more}

    if kind == "bare":
        return own, None, data
    if kind == "bare event":
        return event, None, data
    if kind == "bad mark":
        return own, named(f"{far}-0-0-mark"), data
    if kind == "bad record":
        return own, named(f"{far}-1-{seed}"), data
    if kind == "bad event":
        return event, named(str(far)), data
    # Where a fetch has seen nothing else, a server that gathers streams would have the same.
    if kind == "far event" and entries:
        return event, named(str(far)), header(far, 7)
    if kind == "short":
        return event, named(str(far), **{"Mainstem-Type": "Clicked"}), b"short"
    if kind == "other id":
        return own, {"Nats-Msg-Id": f"{'0' * 32}-{seed}-1-0", "Foreign": "1"}, header(1, 0)
    if not entries:
        return own, None, b""
    if kind == "placed":  # It names the number before its own, and only its data give it away.
        placed = {PLACE: str(entries[-1].sequence)}
        unsound = chance.choice([b"", b"short", header(far + 1, 7), header(far, 0)])
        return event, named(str(far), **placed), unsound
    entry = chance.choice(entries)
    headers = {
        key: value for key, value in entry.headers.items() if not key.startswith("Nats-Expected-")
    }
    headers["Foreign"] = "1"
    if kind == "old place":
        headers["Nats-Msg-Id"] += f"{seed}"
    return entry.subject, headers, entry.data


def publish(client: Client, what: Message) -> bool:
    """Whether the stream has taken it; a server that has seen its id lately does not."""
    subject, headers, data = what
    answer = ask(client, subject, headers, data, f"{id(what)}")
    found = re.fullmatch(
        r"wrong last sequence: (\d+)", answer.get("error", {}).get("description", "")
    )
    if found and headers:
        placed = {**headers, PLACE: found[1]}
        answer = ask(client, subject, placed, data, f"{id(what)}")
    return "error" not in answer and not answer.get("duplicate", False)


def ask(
    client: Client, subject: str, headers: Optional[Dict[str, str]], data: bytes, name: str
) -> Dict[str, Any]:
    """What the server answers to a message."""
    inbox = f"_INBOX.foreign.{name}.{random.getrandbits(64)}"
    client.subscribe(inbox)
    client.publish(subject, data, inbox, headers)
    arrived = client.next()
    while arrived.subject != inbox:
        arrived = client.next()
    answer: Dict[str, Any] = json.loads(arrived.data)
    return answer

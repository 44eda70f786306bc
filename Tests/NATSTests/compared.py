# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a stream must have of a journal, made with the second implementation of the format."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple

import mainstem
from client import Entry

HEADER = struct.Struct("<4Qq3Ii2I")


class Event(NamedTuple):
    """An event as a stream has it."""

    id: str
    data: bytes
    type: str
    layer: str
    origin: str


def events(path: Path) -> Iterator[Event]:
    """The events of a journal."""
    with mainstem.Journal(path) as journal:
        for header, payload in journal.records():
            fields = list(header)
            fields[6] = HEADER.size
            type_info = journal.type(header[7])
            assert type_info
            yield Event(
                f"{journal.info.id.hex()}-{header[0]}",
                HEADER.pack(*fields) + payload,
                type_info.name,
                journal.layer(type_info.contract),
                journal._name_of_origin(header[9]),
            )


def is_own(entry: Entry) -> bool:
    """Whether an entry is a journal's own."""
    return "._journal." in entry.subject


def expect_whole(path: Path, entries: Iterator[Entry]) -> int:
    """A stream has each event of a journal once, in order. Returns how many."""
    wanted, count = events(path), 0
    found: Dict[str, Any]
    for entry in entries:
        if is_own(entry):
            continue
        event = next(wanted)
        found = entry.headers
        assert found["Nats-Msg-Id"] == event.id, (found["Nats-Msg-Id"], event.id)
        assert entry.data == event.data, event.id
        assert found["Mainstem-Type"] == event.type
        assert found["Mainstem-Layer"] == event.layer
        assert found.get("Mainstem-Origin", "") == event.origin
        count += 1
    left: List[Event] = list(wanted)
    assert not left, f"{len(left)} events are missing, from {left[0].id} on"
    return count

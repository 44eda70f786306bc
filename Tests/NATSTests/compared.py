# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a stream must have of a journal, made with the second implementation of the format."""

from __future__ import annotations

import os
import struct
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple

import mainstem
from client import Entry
from mainstem import nats
from servers import Server

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
                type_info.layer_name,
                journal._name_of_origin(header[9]),
            )


def mirrored(path: Path, server: Server, **options: Any) -> nats.BridgeStats:
    """Mirrors all that a journal has."""
    with nats.mirror(path, server.url, **options) as mirror:
        mirror.flush(60)
        return mirror.stats


def files_of(path: Path) -> Dict[str, bytes]:
    """The files of a journal, by what is behind its name, without zeros at their ends."""
    found = sorted([*path.parent.glob(path.name), *path.parent.glob(path.name + ".[0-9]*")])
    return {each.name[len(path.name) :]: each.read_bytes().rstrip(b"\0") for each in found}


def expect_fetched(path: Path, server: Server, prefix: str, **options: Any) -> nats.Fetched:
    """What comes back from a stream is the journal, byte for byte."""
    with tempfile.TemporaryDirectory() as folder:
        to = Path(folder) / "fetched"
        fetched = nats.fetch(to, server.url, prefix=prefix, **options)
        assert fetched.is_whole
        assert files_of(to) == files_of(path)
        assert all(name.startswith(to.name) for name in os.listdir(folder))
        with mainstem.Journal(to) as journal:
            assert sum(1 for _ in journal.records()) == fetched.events
            assert (journal.info.first, journal.info.last) == (fetched.first, fetched.last)
            assert journal.info.id == fetched.id
    return fetched


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

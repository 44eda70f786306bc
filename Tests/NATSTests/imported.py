# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a context has taken in, as its journal says: its events, and its notes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Tuple

import mainstem

OUTSIDE = 1


class Taken(NamedTuple):
    """An event that came in, and what the note before it says of it."""

    type: str
    payload: bytes
    id: str
    position: int


def named(note: Dict[str, Any]) -> Iterator[Tuple[str, int]]:
    """The journals and positions that a note names."""
    for identity, position, _, count in note["entries"]:
        for step in range(count):
            yield identity, position + step


def taken(path: Path, stream: str) -> List[Taken]:
    """All that an import of a stream has put into a journal, checked against its notes."""
    found = []
    cause, names = 0, iter(())
    with mainstem.Journal(path) as journal:
        for header, payload in journal.records():
            name = journal.type(header[7]).name
            if name == "NATSImported":
                note = json.loads(payload)
                if note["stream"] == stream:
                    cause, names = header[0], named(note)
            elif cause and header[1] == cause:
                assert header[10] & OUTSIDE
                identity, position = next(names)
                found.append(Taken(name, bytes(payload), identity, position))
    return found


def recorded(path: Path) -> List[Tuple[str, bytes]]:
    """The events of a journal: types and payloads."""
    with mainstem.Journal(path) as journal:
        return [
            (journal.type(header[7]).name, bytes(payload)) for header, payload in journal.records()
        ]


def expect_same(source: Path, target: Path, stream: str, prefix: str = "") -> int:
    """A context has each event of a journal once, in order. Returns how many."""
    wanted = [(prefix + name, payload) for name, payload in recorded(source)]
    with mainstem.Journal(source) as journal:
        list(journal.records())
        identity = journal.info.id.hex()
    found = [each for each in taken(target, stream) if each.id == identity]
    assert len({each.position for each in found}) == len(found), "one came twice"
    assert [each.position for each in found] == sorted(each.position for each in found)
    assert len(found) == len(wanted), f"{len(found)} of {len(wanted)} came"
    assert [(each.type, each.payload) for each in found] == wanted
    return len(found)

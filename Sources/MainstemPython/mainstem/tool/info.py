# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`info`: what is in a journal."""

from __future__ import annotations

import argparse
import os
from datetime import datetime, timezone
from typing import Any, Dict, List, Tuple

from .._escape import plain
from ..journal_file import Journal, Record, Session
from .reading import count, ending_of, opened, tell

_LEVELS = {0: "process", 1: "power", 2: "buffered"}
_KEPT = {0: "full", 1: "mark", 2: "none", 3: "inputs"}


def add(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "info",
        help="what is in it: sessions, event types, how it ended",
        description="Shows what is in a journal: its files, its sessions, the event types with "
        "their counts, and how it ended.",
    )
    own.add_argument("path", metavar="PATH", help="the journal")
    own.set_defaults(run=run)


class Part:
    """The counts of one session."""

    def __init__(self) -> None:
        self.first = self.last = self.failed = 0
        self.counts: Dict[int, int] = {}
        self.failures: Dict[int, int] = {}
        self.origins: Dict[int, int] = {}

    def take(self, event: Record) -> None:
        """Takes the next event."""
        self.first = self.first or event.position
        self.last = event.position
        self.counts[event.type] = self.counts.get(event.type, 0) + 1
        self.origins[event.origin] = self.origins.get(event.origin, 0) + 1
        if event.status:
            self.failures[event.type] = self.failures.get(event.type, 0) + 1


def run(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    parts: Dict[int, Part] = {}
    with opened(chosen.path) as journal:
        for event in journal.events():
            parts.setdefault(id(event.session), Part()).take(event)
        print("\n".join(_journal(journal, parts)))
        number = 0
        for session in journal.sessions:
            # The next file continues the session of the one before, and repeats its names.
            number += not session.continues or number == 0
            print("\n".join(["", *_session(number, session, parts.get(id(session), Part()))]))
        return tell(journal)


def moment(time: int) -> str:
    """Returns nanoseconds since 1970 as a date and a time of day."""
    try:
        when = datetime.fromtimestamp(time // 10**9, timezone.utc)
    except (ValueError, OverflowError, OSError):
        return f"{time} ns"
    return when.strftime("%Y-%m-%d %H:%M:%S UTC")


def _journal(journal: Journal, parts: Dict[int, Part]) -> List[str]:
    header, ending = journal.headers[0], ending_of(journal)
    events = sum(sum(part.counts.values()) for part in parts.values())
    failed = sum(sum(part.failures.values()) for part in parts.values())
    first = min((part.first for part in parts.values()), default=0)
    where = f", positions {first:,} to {ending.position:,}" if events else ""
    names = [plain(os.path.basename(path)) for path in journal.paths]
    files = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    closed = bool(journal.sessions) and journal.sessions[-1].ended
    how = "closed" if closed else "still being written, or its program was killed"
    if ending.kind == "torn":
        how += f"; a torn tail of {count(ending.torn, 'byte')} is dropped"
    if ending.kind == "damaged":
        how = f"DAMAGED at byte {ending.offset} of {plain(ending.path)}; what follows is not read"
    if not journal.is_begun:
        how = "none was begun: a crash came before its header was whole"
        return [f"journal  {how}", f"files    {count(journal.size, 'byte')}: {files}"]
    return [
        f"journal  {header.journal.hex()}",
        f"files    {count(len(names), 'file')}, {count(journal.size, 'byte')}: {files}",
        f"made     {moment(header.made)}",
        f"events   {events:,}{where}, {failed:,} failed",
        f"ending   {how}",
    ]


def _session(number: int, session: Session, part: Part) -> List[str]:
    again = ", continued in another file" if session.continues else ""
    level = _LEVELS.get(session.level, str(session.level))
    rows: List[Tuple[str, ...]] = [("events", "failed", "type", "role", "layer", "payload", "kept")]
    for type_number, much in sorted(part.counts.items(), key=lambda item: (-item[1], item[0])):
        rows.append(_row(session, type_number, much, part.failures.get(type_number, 0)))
    names = [
        f"{_origin(session, origin)} {much:,}"
        for origin, much in sorted(part.origins.items(), key=lambda item: -item[1])
    ]
    lines = [
        f"session {number}{again}: {moment(session.time)}, process {session.process}, "
        f"Mainstem {plain(session.version) or '?'}, level {level}, seed {session.seed}",
        f"  {count(sum(part.counts.values()), 'event')} sent by: {', '.join(names) or 'nobody'}",
    ]
    return lines + (_table(rows) if len(rows) > 1 else [])


def _origin(session: Session, number: int) -> str:
    name = session.origins.get(number, b"origin %d" % number)
    return plain(_text(name)) or "(the context)"


def _row(session: Session, number: int, much: int, failed: int) -> "tuple[str, ...]":
    info = session.types.get(number)
    if info is None:
        return (f"{much:,}", f"{failed:,}", f"type {number}", "?", "?", "?", "?")
    kept = "secret" if info.is_secret else _KEPT.get(info.contract >> 48 & 3, "?")
    form = info.payload
    if form == "struct":
        form = count(info.contract & 0xFFFFFFFF, "byte")
    layer = plain(_text(session.layers.get(info.layer, b"layer %d" % info.layer)))
    return (f"{much:,}", f"{failed:,}", plain(_text(info.name)), info.role, layer, form, kept)


def _text(name: bytes) -> str:
    return name.decode("utf-8", "backslashreplace")


def _table(rows: "List[tuple[str, ...]]") -> List[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if column < 2 else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths))
        ]
        lines.append(("  " + "  ".join(cells)).rstrip())
    return lines

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`info`: what is in a journal."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from datetime import datetime, timezone
from itertools import islice
from typing import Any, Dict, Iterable, List, Set, Tuple

from .._escape import plain
from .._journal.record import ORIGIN, SESSION, TYPE, named, text_of
from ..journal_file import Journal, Record, Session, TypeInfo
from .checked import CheckedJournal
from .line import REFUSALS, is_failed, role_of, value_of
from .owners import CONTEXT, Owner, Owners, name_in
from .reading import count, ending_of, opened, tell
from .run import Run
from .survey import Survey, summary_of

_LEVELS = {0: "process", 1: "power", 2: "buffered"}
#: How much is shown of a session's end: owners, values of each, and of a value.
_OWNERS, _VALUES, _VALUE = 20, 16, 40
_KEPT = {0: "full", 1: "mark", 2: "none", 3: "inputs"}


def add_info(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "info",
        help="what is in it: sessions, event types, how it ended",
        description="Shows what is in a journal: its files, its sessions, the event types with "
        "their counts, and how it ended.",
    )
    own.add_argument("path", metavar="PATH", help="the journal")
    own.set_defaults(run=run_info)


class Part:
    """The counts of one session, as far as it is in one file."""

    def __init__(self, session: Session, owners: Owners, navigation: Survey) -> None:
        self.session = session
        self.navigation = navigation
        #: What is shown; what was shown at the session's end, as lines.
        self.owners = owners
        self.shown: List[str] = []
        self.first = self.refused = 0
        self.counts: Dict[int, int] = {}
        self.failures: Dict[int, int] = {}
        #: Who sent how many events, the busiest first; set when it has ended.
        self.senders: List[Tuple[str, int]] = []
        # How many events of each type and status were not counted yet.
        self._outcomes: Counter[Tuple[int, int]] = Counter()
        # How many events each origin sent; those of numbers that now mean another, by name.
        self._origins: Counter[int] = Counter()
        self._names: Dict[int, bytes] = {}
        self._former: Dict[bytes, int] = {}
        # What its types are, and those whose events say more than how many there are.
        self._types: Dict[int, TypeInfo] = {}
        self._telling: Set[int] = set()
        self._choose()

    def take(self, event: Record) -> None:
        """Takes the next event."""
        self.first = self.first or event.position
        self._outcomes[event.type, event.status] += 1
        self._origins[event.origin] += 1
        self._tell([event] if event.type in self._telling else ())

    def take_run(self, run: Run) -> None:
        """Takes the next events: those that only count need not be made."""
        self.first = self.first or run.first
        self._outcomes.update(run.outcomes())
        self._origins.update(run.origins)
        self._tell(run.of_types(self._telling))

    def learn(self, record: Record) -> None:
        """Takes the next record, if that is no event."""
        self.owners.learn(record)
        self.navigation.learn(record)
        if record.kind == SESSION:
            self._choose()
        elif record.kind == TYPE:
            self._learn_type(*named(record))
        elif record.kind == ORIGIN:
            name: bytes
            number, name = named(record)
            former = self._names.get(number, name)
            self._former[former] = self._former.get(former, 0) + self._origins.pop(number, 0)
            self._names[number] = name

    def _learn_type(self, number: int, info: TypeInfo) -> None:
        if number in self._types:
            self._count()
        self._types[number] = info
        tells = number in self.owners.telling or number in self.navigation.telling
        (self._telling.add if tells else self._telling.discard)(number)

    def _tell(self, events: Iterable[Record]) -> None:
        for event in events:
            if event.type in self.owners.telling:
                self.owners.take(event)
            self.navigation.take(event)
        if self._is_settled is not self.navigation.is_settled:
            self._choose()

    def _choose(self) -> None:
        self._is_settled = self.navigation.is_settled
        self._telling = {*self.owners.telling, *self.navigation.telling}

    def _count(self) -> None:
        """Counts what there was, as long as the numbers of types mean the same."""
        for (number, status), much in self._outcomes.items():
            self.counts[number] = self.counts.get(number, 0) + much
            if status in REFUSALS:
                self.refused += much
            elif is_failed(status, self._types.get(number)):
                self.failures[number] = self.failures.get(number, 0) + much
        self._outcomes.clear()

    def _find_senders(self) -> List[Tuple[str, int]]:
        sent: Dict[str, int] = {}
        for each, much in self._former.items():
            sent[_name(each)] = sent.get(_name(each), 0) + much
        for number, much in self._origins.items():
            name = _name(self.session.origins.get(number, b"origin %d" % number))
            sent[name] = sent.get(name, 0) + much
        return sorted((item for item in sent.items() if item[1]), key=lambda item: -item[1])

    def end(self, is_last: bool) -> None:
        """Ends the part; of the last one of its session, notes what is shown then.

        A journal may have many files, and each many scopes: only their names are kept.
        """
        self._count()
        self.senders = self._find_senders()
        for each in (self._origins, self._names, self.session.origins, self.session.scopes):
            each.clear()
        if is_last:
            self.shown = summary_of(self.navigation) + _shown(self.owners)


def run_info(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    with opened(chosen.path) as journal:
        parts = _parts(journal)
        print("\n".join(_journal(journal, parts)))
        number, known = 0, {id(session) for session in journal.sessions}
        for part in parts:
            if id(part.session) in known:
                number += not part.session.continues or number == 0
                print("\n".join(["", *_session(number, part), *part.shown]))
        return tell(journal)


def _parts(journal: CheckedJournal) -> List[Part]:
    """Reads all records."""
    part = Part(Session(), Owners(), Survey())
    parts = [part]
    for record in journal.pieces():
        if isinstance(record, Run):
            part.take_run(record)
            continue
        if record.type:
            part.take(record)
            continue
        if record.kind == SESSION:
            # The next file continues the session of the one before, and repeats its names.
            part.end(is_last=not record.session.continues)
            former = (part.owners, part.navigation)
            here = former if record.session.continues else (Owners(), Survey())
            part = Part(record.session, *here)
            parts.append(part)
        part.learn(record)
    part.end(is_last=True)
    return parts


def moment(time: int) -> str:
    """Returns nanoseconds since 1970 as a date and a time of day."""
    try:
        when = datetime.fromtimestamp(time // 10**9, timezone.utc)
    except (ValueError, OverflowError, OSError):
        return f"{time} ns"
    return when.strftime("%Y-%m-%d %H:%M:%S UTC")


def _journal(journal: Journal, parts: List[Part]) -> List[str]:
    header, ending = journal.headers[0], ending_of(journal)
    events = sum(sum(part.counts.values()) for part in parts)
    failed = sum(sum(part.failures.values()) for part in parts)
    refused = sum(part.refused for part in parts)
    first = min((part.first for part in parts if part.first), default=0)
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
        f"events   {events:,}{where}, {failed:,} failed"
        + (f", {refused:,} refused" * (refused > 0)),
        f"ending   {how}",
    ]


def _session(number: int, part: Part) -> List[str]:
    session = part.session
    again = ", continued in another file" if session.continues else ""
    level = _LEVELS.get(session.level, str(session.level))
    rows: List[Tuple[str, ...]] = [("events", "failed", "type", "role", "layer", "payload", "kept")]
    for type_number, much in sorted(part.counts.items(), key=lambda item: (-item[1], item[0])):
        rows.append(_row(session, type_number, much, part.failures.get(type_number, 0)))
    names = [f"{name} {much:,}" for name, much in part.senders]
    lines = [
        f"session {number}{again}: {moment(session.time)}, process {session.process}, "
        f"Mainstem {plain(session.version) or '?'}, level {level}, seed {session.seed}",
        f"  {count(sum(part.counts.values()), 'event')} sent by: {', '.join(names) or 'nobody'}",
    ]
    return lines + (_table(rows) if len(rows) > 1 else [])


def _name(name: bytes) -> str:
    return plain(text_of(name)) or CONTEXT


def _row(session: Session, number: int, much: int, failed: int) -> "tuple[str, ...]":
    info = session.types.get(number)
    if info is None:
        return (f"{much:,}", f"{failed:,}", f"type {number}", "?", "?", "?", "?")
    kept = "secret" if info.is_secret else _KEPT.get(info.contract >> 48 & 3, "?")
    form = info.payload
    if form == "struct":
        form = count(info.contract & 0xFFFFFFFF, "byte")
    layer = plain(text_of(session.layers.get(info.layer, b"layer %d" % info.layer)))
    return (f"{much:,}", f"{failed:,}", plain(text_of(info.name)), role_of(info), layer, form, kept)


def _shown(owners: Owners) -> List[str]:
    """Returns a line for each owner: what it shows."""
    if not len(owners):
        return []
    lines = [f"  shown at its end by {count(len(owners), 'owner')}:"]
    lines += [
        f"    {_owner(owner, owners.names.of_scope(owner.scope))}"
        for owner in islice(owners, _OWNERS)
    ]
    more = len(owners) - _OWNERS
    return lines + ([f"    and {count(more, 'more owner')}"] if more > 0 else [])


def _owner(owner: Owner, which: str) -> str:
    pairs = [
        f"{plain(name_in(owner.name, event.name))} {value_of(event, _VALUE)}"
        for event in islice(owner.values.values(), _VALUES)
    ]
    if len(owner.values) > _VALUES:
        pairs.append(f"and {len(owner.values) - _VALUES:,} more")
    return f"{plain(owner.name) or CONTEXT}{which}: {', '.join(pairs)}"


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

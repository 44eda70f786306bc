# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`verify`: whether a journal is as it was written; if not, what is wrong and where."""

from __future__ import annotations

import argparse
from typing import Any, List, Set, Tuple

from .._escape import plain
from .._journal.record import SESSION
from ..journal_file import Journal, JournalError, Proof, Record
from .reading import CLEAN, DAMAGED, TORN, count, ending_of, messages, opened


def add_verify(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "verify",
        help="whether it is as it was written; if not, what is wrong and where",
        description="Checks every checksum, link and position, recomputes the digest from the "
        "events, and reports each thing that is wrong and where. "
        "Exit status: 0 clean, 1 damaged or inconsistent, 3 a torn tail and nothing else.",
    )
    own.add_argument("path", metavar="PATH", help="the journal")
    which = own.add_mutually_exclusive_group()
    which.add_argument(
        "--session", metavar="N", type=int, default=0, help="prove only session N, from 1"
    )
    which.add_argument("--all", action="store_true", help="prove all sessions: the default")
    own.set_defaults(run=run_verify)


class Names:
    """Types and origins that no record names."""

    def __init__(self) -> None:
        self.findings: List[str] = []
        self._told: Set[Tuple[int, str, int]] = set()

    def look(self, event: Record) -> None:
        """Takes the next event."""
        session = event.session
        for what, number, known in (
            ("type", event.type, session.types),
            ("origin", event.origin, session.origins),
        ):
            if number in known or (id(session), what, number) in self._told:
                continue
            self._told.add((id(session), what, number))
            self.findings.append(f"{place(event)}: no record says what {what} {number} is")


def place(record: Record) -> str:
    """Returns where a record is."""
    return f"{plain(record.path)}, byte {record.offset}, position {record.position}"


class Part:
    """A session: where it is, and what was proven of it."""

    def __init__(self, first: int, is_wanted: bool, agreed: int) -> None:
        self.first = self.last = first
        self.is_wanted = is_wanted
        self.events = 0
        #: How many digests agreed before it, and by its end.
        self.before = self.agreed = agreed

    def line(self, number: int) -> str:
        """What is said of it."""
        where = f", positions {self.first} to {self.last}" if self.events else ""
        line = f"session {number}{where}: {count(self.events, 'event')}, "
        if not self.is_wanted:
            return line + f"not proven: --session {number} does, or --all"
        return line + f"{count(self.agreed - self.before, 'digest')} recomputed"


def run_verify(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    proof, names, events = Proof(), Names(), 0
    parts: List[Part] = []
    with opened(chosen.path) as journal:
        for record in journal.records():
            if record.kind == SESSION and (not record.session.continues or not parts):
                is_wanted = chosen.session in (0, len(parts) + 1)
                parts.append(Part(record.position + 1, is_wanted, proof.agreed))
            part = parts[-1] if parts else Part(0, not chosen.session, 0)
            if part.is_wanted:
                proof.take(record)
                part.agreed = proof.agreed
            if record.is_event:
                events += 1
                part.events += 1
                part.last = record.position
                if part.is_wanted:
                    names.look(record)
        ending = ending_of(journal)
        if chosen.session and not 0 < chosen.session <= len(parts):
            raise JournalError(f"{chosen.path} has {count(len(parts), 'session')}")
        findings = [f"{place(record)}: {message}" for record, message in proof.findings]
        findings += names.findings + messages(ending)
        for finding in findings:
            print(finding)
        print(_summary(journal, ending.kind, events, proof))
        if len(parts) > 1:
            for number, part in enumerate(parts, 1):
                print(f"  {part.line(number)}")
        if ending.kind == "damaged" or proof.findings or names.findings:
            return DAMAGED
        return TORN if ending.kind == "torn" else CLEAN


def _summary(journal: Journal, kind: str, events: int, proof: Proof) -> str:
    what = f"{plain(journal.path)}: {kind}: {count(events, 'event')} in "
    what += f"{count(len(journal.headers), 'file')}; "
    what += f"{count(proof.agreed, 'digest')} recomputed, over {count(proof.events, 'event')}"
    if proof.open:
        what += f"; {proof.open} could not be, since not everything they cover is in the file"
    return what

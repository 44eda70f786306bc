# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`verify`: whether a journal is as it was written; if not, what is wrong and where."""

from __future__ import annotations

import argparse
from typing import Any, List, Set, Tuple

from .._escape import plain
from ..journal_file import Journal, Proof, Record
from .reading import CLEAN, DAMAGED, TORN, count, ending_of, opened, sentences


def add(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "verify",
        help="whether it is as it was written; if not, what is wrong and where",
        description="Checks every checksum, link and position, recomputes the digest from the "
        "events, and reports each thing that is wrong and where. "
        "Exit status: 0 clean, 1 damaged or inconsistent, 3 a torn tail and nothing else.",
    )
    own.add_argument("path", metavar="PATH", help="the journal")
    own.set_defaults(run=run)


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


def run(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    proof, names, events = Proof(), Names(), 0
    with opened(chosen.path) as journal:
        for record in journal.records():
            proof.take(record)
            if record.is_event:
                events += 1
                names.look(record)
        ending = ending_of(journal)
        findings = [f"{place(record)}: {sentence}" for record, sentence in proof.findings]
        findings += names.findings + sentences(ending)
        for finding in findings:
            print(finding)
        print(_summary(journal, ending.kind, events, proof))
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

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`salvage`: copies every intact record of a journal into a new one, and lists what is lost."""

from __future__ import annotations

import argparse
import os
from typing import Any, List, Optional, Tuple

from .._escape import plain
from .._journal.copy import Copy
from .._journal.file_bytes import FileBytes
from ..journal_file import FILE_HEADER_SIZE, Journal, JournalError, Record
from .progress import Progress
from .reading import CLEAN, DAMAGED, count


def add(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "salvage",
        help="every intact record of a damaged journal, in a new one",
        description="Writes every intact record of PATH to the new journal TO, and says what is "
        "lost between them. PATH is not changed; TO must not exist yet. In TO, lost positions "
        "count as skipped. Exit status: 0 nothing is lost, 1 something is, 2 nothing was written.",
    )
    own.add_argument("path", metavar="PATH", help="the damaged journal")
    own.add_argument("to", metavar="TO", help="where to write the new one")
    own.set_defaults(run=run)


class Losses:
    """What is lost between the intact records."""

    def __init__(self) -> None:
        self.lines: List[str] = []
        #: How many positions are missing.
        self.positions = 0
        self._path = ""
        self._end = FILE_HEADER_SIZE

    def look(self, record: Record, missing: "Optional[Tuple[int, int]]") -> None:
        """Takes the next intact record, and the positions missing before it."""
        if record.path != self._path:
            self.close()
            self._path, self._end = record.path, FILE_HEADER_SIZE
        if record.offset > self._end or missing:
            self._tell(record.offset, missing)
        self._end = record.offset + record.length

    def close(self) -> None:
        """Ends a file: what is left of it, up to the zeros at its end, is lost."""
        if self._path:
            file = FileBytes(self._path)
            end = file.end_of_data(self._end)
            file.close()
            if end > self._end:
                self._tell(end, None)

    def _tell(self, end: int, missing: "Optional[Tuple[int, int]]") -> None:
        line = f"lost: {plain(self._path)}, {count(end - self._end, 'byte')} from {self._end} on"
        if missing:
            much = missing[1] - missing[0] + 1
            self.positions += much
            line += f", positions {missing[0]} to {missing[1]} ({count(much, 'event')})"
        self.lines.append(line)


def run(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    progress = Progress("salvaging " + plain(os.path.basename(chosen.path)))
    losses, events = Losses(), 0
    with Journal(chosen.path, tolerant=True) as journal, Copy(chosen.to) as copy:
        for record in journal.intact():
            losses.look(record, copy.missing_before(record))
            copy.add(record)
            events += record.is_event
            progress(record.offset, journal.size)
        losses.close()
        progress.end()
        if not copy.records:
            raise JournalError(f"{chosen.path} holds no intact record")
    for line in losses.lines:
        print(line)
    lost = f"{count(losses.positions, 'event')} lost" if losses.lines else "nothing lost"
    print(f"{plain(chosen.to)}: {count(events, 'event')} kept, {lost}")
    return DAMAGED if losses.lines else CLEAN

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`salvage`: copies every intact event of a journal into a new one, and lists what is lost."""

from __future__ import annotations

import argparse
import re
from typing import Any, List

from .._escape import plain
from ..failure import MainstemError
from ..journal_file import Journal, JournalError
from ..recording._journal import Salvaged, salvage
from .reading import CLEAN, DAMAGED, count

_CALLED = re.compile(r"\A(?:mainstem_journal_)?salvage: (?:path: |to: )?")


def add_salvage(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "salvage",
        help="every intact event of a damaged journal, in a new one",
        description="Writes every intact event of PATH to the new journal TO, and says what is "
        "lost between them. PATH is not changed; TO must not exist yet. In TO, lost positions "
        "count as skipped, and there are no digests. Exit status: 0 nothing is lost, 1 something "
        "is, 2 nothing was written.",
    )
    own.add_argument("path", metavar="PATH", help="the damaged journal")
    own.add_argument("to", metavar="TO", help="where to write the new one")
    own.set_defaults(run=run_salvage)


def run_salvage(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    # It says what cannot be read in the words of the other commands.
    Journal(chosen.path, tolerant=True).close()
    try:
        kept = salvage(chosen.path, chosen.to)
    except MainstemError as error:
        # What was called, and with which argument, is not what was typed.
        raise JournalError(_CALLED.sub("", error.message)) from None
    for line in _lost(kept):
        print(line)
    is_whole = not (kept.lost_positions or kept.lost_bytes)
    lost = f"{count(kept.lost_positions, 'event')} and {count(kept.lost_bytes, 'byte')} lost"
    print(
        f"{plain(chosen.to)}: {count(kept.events, 'event')} kept, "
        f"{'nothing lost' if is_whole else lost}"
    )
    return CLEAN if is_whole else DAMAGED


def _lost(kept: Salvaged) -> List[str]:
    lines = [
        f"lost: position {each.first}"
        if each.first == each.last
        else f"lost: positions {each.first} to {each.last} ({count(each.count, 'event')})"
        for each in kept.lost
    ]
    more = kept.lost_positions - sum(each.count for each in kept.lost)
    return lines + ([f"lost: {count(more, 'more event')}"] if more > 0 else [])

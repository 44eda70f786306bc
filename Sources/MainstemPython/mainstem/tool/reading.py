# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What each command does first and last: opens a journal, and reports how it ended."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import Iterator

from .._escape import plain
from ..journal_file import Ending, Journal
from .checked import CheckedJournal
from .progress import Progress

CLEAN, DAMAGED, UNREADABLE, TORN = 0, 1, 2, 3


@contextmanager
def opened(path: str) -> Iterator[CheckedJournal]:
    """Opens a journal, with progress on a terminal."""
    progress = Progress("reading " + plain(os.path.basename(path)))
    try:
        with CheckedJournal(path, progress) as journal:
            yield journal
    finally:
        progress.end()


def say(message: str) -> None:
    """Writes a message to standard error."""
    sys.stdout.flush()
    sys.stderr.write(f"mainstem: {message}\n")


def tell(journal: Journal) -> int:
    """Says on standard error what is wrong at the end, and returns the exit status."""
    ending = journal.ending
    if ending is None or ending.kind == "clean":
        return CLEAN
    for message in messages(ending):
        say(message)
    return DAMAGED if ending.kind == "damaged" else CLEAN


def ending_of(journal: Journal) -> Ending:
    """Returns how reading ended; all records must have been read."""
    assert journal.ending is not None
    return journal.ending


def messages(ending: Ending) -> "list[str]":
    """Describes how reading ended."""
    place = f"{plain(ending.path)}, byte {ending.offset}, after position {ending.position}"
    if ending.kind == "torn":
        what = "1 byte" if ending.torn == 1 else f"{ending.torn} bytes"
        return [f"{place}: a torn tail of {what}, left by a crash, is dropped: {ending.message}"]
    if ending.kind != "damaged":
        return []
    follows = ""
    if ending.next_offset:
        follows = f"; an intact record follows at byte {ending.next_offset}"
        follows += f" of {plain(ending.next_path)}, position {ending.next_position}"
    return [f"{place}: damaged: {ending.message}{follows}. What follows is not read"]


def count(number: int, one: str, many: str = "") -> str:
    """Returns a number with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"

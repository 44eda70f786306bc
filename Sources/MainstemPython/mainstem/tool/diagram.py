# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`diagram`: who sends and who handles each event type, as one page for a browser."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from .._escape import plain
from .cast import Cast
from .page import page_of
from .places import Places
from .reading import UNREADABLE, count, opened, say, tell


def add_diagram(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "diagram",
        help="who sends and who handles each event type, as a page for a browser",
        description="Draws which part of the program sends each type of event, which parts react "
        "to it, and when: one HTML page that needs no network. Parts that only observe and send "
        "nothing leave no trace in a journal.",
    )
    own.add_argument("path", metavar="PATH", help="the journal")
    own.add_argument(
        "-o", dest="to", metavar="FILE.html", required=True, help="the page to write; - to print it"
    )
    own.set_defaults(run=run_diagram)


def run_diagram(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    with opened(chosen.path) as journal:
        if chosen.to != "-" and _is_one_of(chosen.to, journal.paths):
            say(f"{plain(chosen.to)} is the journal itself: choose another name for the page")
            return UNREADABLE
        cast, places = Cast(), Places()
        for record in journal.records():
            places.take(record)
            if record.is_event:
                cast.take(record)
        places.end()
        text = page_of(plain(os.path.basename(journal.path)), cast, places, journal)
        if chosen.to == "-":
            sys.stdout.write(text)
        else:
            with open(chosen.to, "w", encoding="utf-8") as file:
                file.write(text)
            what = f"{count(len(cast.types), 'event type')} of {count(len(cast.parts), 'part')}"
            print(f"{plain(chosen.to)}: {count(cast.events, 'event')}, {what}")
        return tell(journal)


def _is_one_of(path: str, journal: "list[str]") -> bool:
    return os.path.exists(path) and any(os.path.samefile(path, each) for each in journal)

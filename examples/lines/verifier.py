# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A program that verifies sessions, but for the app: a file to copy. verifier.swift is the same."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from typing import Callable

import lines
import mainstem

#: Proves a session of a journal, from 1.
Prove = Callable[[str, int], mainstem.ReplayInfo]


def run(install: Callable[[mainstem.Context], object]) -> None:
    """Runs the program, to its end; `install` installs the app in a context."""

    def program() -> None:
        arguments = parser()
        arguments.add_argument("--muted", action="store_true", help="read it, and call no server")
        is_muted = arguments.parse_args().muted
        main(arguments, partial(prove, install, verify=not is_muted))

    lines.run(program)


def prove(
    install: Callable[[mainstem.Context], object], journal: str, session: int, verify: bool = True
) -> mainstem.ReplayInfo:
    """Feeds a session to the app, which `install` installs."""
    context = mainstem.Context()
    with context, context.replay(journal, verify=verify, session=session) as replay:
        install(context)
        replay.to_end()
        return replay.info


def parser() -> argparse.ArgumentParser:
    """The arguments of such a program."""
    made = argparse.ArgumentParser(description="Feed a recorded session to the app again.")
    made.add_argument("journal")
    which = made.add_mutually_exclusive_group()
    which.add_argument(
        "--session", metavar="N", type=int, help="session N, from 1; else the newest"
    )
    which.add_argument("--all", action="store_true", help="all sessions of the journal")
    return made


def main(arguments: argparse.ArgumentParser, prove: Prove) -> None:
    """Proves what was asked for, and says which sessions there are and which were proven."""
    chosen = arguments.parse_args()
    with mainstem.Journal(chosen.journal) as journal:
        sessions = journal.sessions()
    newest = len(sessions) if chosen.session is None else chosen.session
    if not 0 < newest <= len(sessions):
        sys.exit(f"{chosen.journal} has {len(sessions)} sessions")
    for number, (first, last) in enumerate(sessions, 1):
        name = f"session {number} of {len(sessions)}, positions {first} to {last}: "
        name = name if len(sessions) > 1 else ""
        if not chosen.all and number != newest:
            lines.say(f"{name}not proven: --session {number} does, or --all")
            continue
        try:
            lines.say(name + said(prove(chosen.journal, number)))
        except mainstem.MainstemError as error:
            sys.exit(f"{name}{error}")


def said(info: mainstem.ReplayInfo) -> str:
    """What a replay has proven."""
    return f"{info.last - info.first + 1} events, digest {info.digest:016x}"

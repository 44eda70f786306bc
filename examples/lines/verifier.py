# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A program that verifies sessions, but for the app: a file to copy. verifier.swift is the same."""

from __future__ import annotations

import argparse
from typing import Callable

import lines
import mainstem


def run(install: Callable[[mainstem.Context], object]) -> None:
    """Runs the program, to its end; `install` installs the app in a context."""

    def main() -> None:
        parser = argparse.ArgumentParser(description="Feed a recorded session to the app again.")
        parser.add_argument("journal")
        journal = parser.parse_args().journal
        with mainstem.Context() as context, context.replay(journal, verify=True) as replay:
            install(context)
            replay.to_end()
            tell(replay.info)

    lines.run(main)


def tell(info: mainstem.ReplayInfo) -> None:
    """Prints what a replay has proven."""
    lines.say(f"{info.last} events, digest {info.digest:016x}")

#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Proves a recorded session of a todo host: feeds what views and store sent to its servers again.

    todo --record session.journal
    verify.py session.journal

No store is needed: its answers are in the journal.
"""

from __future__ import annotations

import argparse

from todostream import install, lines, mainstem


def main() -> None:
    parser = argparse.ArgumentParser(description="Feed a recorded session to the servers again.")
    parser.add_argument("journal")
    parser.add_argument("--muted", action="store_true", help="call no server")
    options = parser.parse_args()
    with mainstem.Context() as context:
        with context.replay(options.journal, verify=not options.muted) as replay:
            install(context, "/no/store")
            replay.to_end()
            info = replay.info
        lines.say(f"{info.last} events, digest {info.digest:016x}")


if __name__ == "__main__":
    lines.run(main)

#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Proves a recorded session of a todo host: feeds what views and store sent to its servers again.

    todo --record session.journal
    verify.py session.journal

No store is needed: its answers are in the journal.
"""

from __future__ import annotations

from todostream import install, lines, mainstem, verifier


def main() -> None:
    parser = verifier.parser()
    parser.add_argument("--muted", action="store_true", help="call no server")
    is_muted = parser.parse_args().muted

    def prove(journal: str, session: int) -> mainstem.ReplayInfo:
        context = mainstem.Context()
        with context, context.replay(journal, verify=not is_muted, session=session) as replay:
            install(context, "/no/store")
            replay.to_end()
            return replay.info

    verifier.main(parser, prove)


if __name__ == "__main__":
    lines.run(main)

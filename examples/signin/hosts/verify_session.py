#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Proves a recorded session of a host: feeds what views and provider sent to the app again.

    signin --record session.journal
    verify_session.py session.journal

The journal has no passwords. Of each it has whether there was one: nothing else follows from it.
"""

from __future__ import annotations

import argparse
from typing import Dict

import core
import mainstem


def stand_ins(path: str) -> Dict[int, bytes]:
    """For each secret of a journal, by position, what may stand in for it."""
    with mainstem.Journal(path) as journal:
        typed = [event for event in journal if event.name == "SignIn.typed"]
    return {event.cause: b"*" if event.data == b"\1" else b"" for event in typed}


def verify(path: str) -> str:
    """Verifies a session, and returns what it is."""
    with mainstem.Context() as context:
        with context.replay(path, verify=True) as replay:
            core.install(context)
            secrets = stand_ins(path)
            replay.on_secret(lambda event: secrets.get(event.position))
            replay.to_end()
            info = replay.info
        return f"{info.last} events, digest {info.digest:016x}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Feed a recorded session to the app again.")
    parser.add_argument("journal")
    core.lines.say(verify(parser.parse_args().journal))


if __name__ == "__main__":
    core.lines.run(main)

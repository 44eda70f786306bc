#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Proves a recorded session of a host: feeds what views and provider sent to the app again.

    signin --record session.journal
    verify_session.py session.journal

The journal has no passwords. Of each it has whether there was one: nothing else follows from it.
"""

from __future__ import annotations

from typing import Dict

import core
import mainstem
import verifier


def stand_ins(path: str) -> Dict[int, bytes]:
    """For each secret of a journal, by position, what may stand in for it."""
    with mainstem.Journal(path) as journal:
        typed = [event for event in journal if event.name == "SignIn.typed"]
    return {event.cause: b"*" if event.data == b"\1" else b"" for event in typed}


def prove(path: str, session: int) -> mainstem.ReplayInfo:
    """Verifies a session."""
    context = mainstem.Context()
    with context, context.replay(path, verify=True, session=session) as replay:
        core.install(context)
        secrets = stand_ins(path)
        replay.on_secret(lambda event: secrets.get(event.position))
        replay.to_end()
        return replay.info


def verify(path: str) -> str:
    """Verifies the newest session, and returns what it is."""
    return verifier.said(prove(path, 0))


if __name__ == "__main__":
    core.lines.run(lambda: verifier.main(verifier.parser(), prove))

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Sessions in the tests of each app: a host that is killed, and a journal that verifies."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from typing import List, Mapping, Optional, Sequence

import mainstem
import verifier


def killed(
    words: Sequence[str], commands: str, count: int, environment: Optional[Mapping[str, str]] = None
) -> List[str]:
    """Types commands, kills the host once it has printed so many lines, and returns its lines.

    All that it has started is killed with it. If there are fewer lines, it ends by itself.
    """
    pipe = subprocess.PIPE
    with subprocess.Popen(
        words, stdin=pipe, stdout=pipe, env=environment, start_new_session=True
    ) as process:
        assert process.stdin and process.stdout
        process.stdin.write(commands.encode())
        process.stdin.close()
        said = b"".join(process.stdout.readline() for _ in range(count))
        os.killpg(process.pid, signal.SIGKILL)
        # What it had printed by then was seen, too; the last line may be a part of one.
        said += process.stdout.read()
    return said[: said.rfind(b"\n") + 1].decode().splitlines()


def verify(journal: Path, prove: verifier.Prove, program: Sequence[str]) -> None:
    """All sessions of a journal verify here, and in the program in Swift, which says the same."""
    if not journal.exists():  # a host was killed before it made one
        return
    with mainstem.Journal(str(journal)) as events:
        count = len(events.sessions())
    said = [verifier.said(prove(str(journal), number)) for number in range(1, count + 1)]
    done = subprocess.run([*program, "--all", str(journal)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert [line.rpartition(": ")[2] for line in done.stdout.splitlines()] == said

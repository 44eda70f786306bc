# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Plays random sessions of the bridge beside the model, and shrinks the first that differs.

sessions.py FIRST COUNT        these seeds
sessions.py FILE               a script that was shown"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Iterator, List, Optional

from servers import Server
from session_player import Player
from session_script import Script, write

#: How many smaller sessions are tried.
TRIES = int(os.environ.get("MAINSTEM_NATS_SHRINKS", "40"))


def difference(script: Script, server: Server, folder: Path) -> Optional[str]:
    """What differs in a session; None: nothing."""
    folder.mkdir()
    try:
        Player(script, server, folder).play()
    except Exception:
        return traceback.format_exc()
    return None


def place(what: str) -> List[str]:
    """Where it was found: the lines of the traceback that say so."""
    return [line for line in what.splitlines() if line.startswith("  File")]


def smaller(script: Script) -> Iterator[Script]:
    """The same with fewer steps, the largest parts first."""
    steps = script["steps"]
    size = len(steps)
    while size:
        for start in range(0, len(steps), size):
            yield {**script, "steps": steps[:start] + steps[start + size :]}
        size //= 2


def shrunk(script: Script, what: str, folder: Path) -> Script:
    """The smallest session found that differs, too."""
    tries, goes_on, wanted = 0, True, place(what)
    while goes_on:
        goes_on = False
        for each in smaller(script):
            tries += 1
            if tries > TRIES:
                return script
            server = Server(folder / f"server-{tries}")
            is_different = difference(each, server, folder / f"try-{tries}")
            server.close()
            if is_different and place(is_different) == wanted:
                script, goes_on = each, True
                break
    return script


def report(script: Script, what: str) -> str:
    """A script, a step a line."""
    steps = "\n".join(f"  {json.dumps(step)}" for step in script["steps"])
    rest = {key: value for key, value in script.items() if key != "steps"}
    return f"{what}\n{json.dumps(rest)}\n{steps}\n{json.dumps(script)}"


def play_again(path: str) -> int:
    """A script that was shown."""
    script = json.loads(Path(path).read_text())
    with tempfile.TemporaryDirectory() as name:
        server = Server(Path(name) / "server")
        what = difference(script, server, Path(name) / "session")
        server.close()
    print(what or "no difference")
    return what is not None


def play(first: int, count: int) -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = Server(folder / "server")
        try:
            for seed in range(first, first + count):
                began = time.monotonic()
                what = difference(write(seed), server, folder / f"session-{seed}")
                if what:
                    print(f"seed {seed} differs\n{what}", flush=True)
                    print(report(shrunk(write(seed), what, folder), f"seed {seed}, shrunk:"))
                    return 1
                if "-v" in sys.argv:
                    print(seed, round(time.monotonic() - began, 2), flush=True)
        finally:
            server.close()
    print(f"{count} sessions from seed {first}: no difference")
    return 0


if __name__ == "__main__":
    words = sys.argv[1:]
    sys.exit(play_again(*words) if len(words) == 1 else play(int(words[0]), int(words[1])))

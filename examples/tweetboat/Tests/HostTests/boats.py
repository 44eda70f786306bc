# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests run: the app in this process, and its hosts.

TWEETBOAT_LIBRARY   libTweetboatCore.so, with the programs in C and Swift beside it
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Tuple

HERE = Path(__file__).resolve().parents[2]
sys.path += [str(HERE / "hosts"), str(HERE / "site")]
from tweetboat import (  # noqa: E402
    Http,
    Lookup,
    Profile,
    TweetCell,
    add_pictures,
    install,
    mainstem,
    verifier,
)
from tweets import serve  # noqa: E402

__all__ = ["Http", "Lookup", "Profile", "TweetCell", "add_pictures", "install", "mainstem", "serve"]
__all__ += ["HERE", "HOSTS", "PROGRAMS", "VERIFIERS", "run", "verifier"]

PROGRAMS = Path(os.environ["TWEETBOAT_LIBRARY"]).parent
HOSTS = {
    "C": [str(PROGRAMS / "boat")],
    "Python": [sys.executable, str(HERE / "hosts" / "boat.py")],
}
VERIFIERS = {
    "Swift": [str(PROGRAMS / "boat-verify")],
    "Python": [sys.executable, str(HERE / "hosts" / "boat_verify.py")],
}


def run(*words: str, commands: str = "", limit: float = 60) -> Tuple[int, str]:
    """Runs a program to its end, within some seconds. Returns its status, and all that it said."""
    done = subprocess.run(
        words,
        input=commands.encode(errors="surrogateescape"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=limit,
    )
    return done.returncode, done.stdout.decode()

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The hosts in C and in Python, as programs that a test uses by lines, with or without windows."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import IO, List

from world import BUILT, SIGNIN

HOSTS = {
    "c": [str(BUILT / "signin")],
    "python": ["/usr/bin/python3", str(SIGNIN / "hosts/signin.py")],
}
#: The verifier in Swift.
SWIFT = [os.environ.get("SIGNIN_VERIFY", "build/package/debug/signin-verify")]


def command(host: str, is_window: bool, *words: object) -> List[str]:
    """What starts a host; a window is on a display of its own."""
    display = ["xvfb-run", "--auto-servernum"] if is_window else []
    return [*display, *HOSTS[host], "--script", "--delay", "20", *map(str, words)]


def environment(is_window: bool) -> "dict[str, str]":
    """Without the display of whoever runs the tests."""
    left = {"GSETTINGS_BACKEND": "memory", "GTK_A11Y": "none", "GSK_RENDERER": "cairo"}
    left.update({name: value for name, value in os.environ.items() if "DISPLAY" not in name})
    return left


class Host:
    """A host that runs: lines go in, what it shows comes out."""

    def __init__(self, host: str, is_window: bool, *words: object, **variables: str) -> None:
        self.process = subprocess.Popen(
            command(host, is_window, *words),
            env={**environment(is_window), **variables},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def say(self, *lines: str) -> str:
        """Says lines, and returns what is shown then."""
        to, back = self._pipes()
        to.write("".join(f"{line}\n" for line in (*lines, "show")).encode())
        to.flush()
        return back.readline().decode().rstrip("\n")

    def end(self) -> str:
        """Ends it, and returns what it said on standard error."""
        _, errors = self.process.communicate(timeout=60)
        assert self.process.returncode == 0, errors
        return errors.decode()

    def _pipes(self) -> "tuple[IO[bytes], IO[bytes]]":
        assert self.process.stdin and self.process.stdout
        return self.process.stdin, self.process.stdout


def play(
    host: str, is_window: bool, script: Path, *words: object
) -> "subprocess.CompletedProcess[str]":
    """Runs a host on a script to its end."""
    with script.open() as lines:
        return subprocess.run(
            command(host, is_window, *words),
            env=environment(is_window),
            stdin=lines,
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )

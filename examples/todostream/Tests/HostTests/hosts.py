# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The two hosts as a test runs them.

TODOSTREAM_LIBRARY   libtodostream.so, with the host in C beside it
MAINSTEM_LIBRARY     libmainstem.so, for the Python host
TODOSTREAM_VERIFY    the program of hosts/verify.swift; without it, only verify.py proves sessions
"""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parents[2]
BUILT = HERE.parents[1] / "build" / "examples" / "examples" / "todostream"
LIBRARY = Path(os.environ.get("TODOSTREAM_LIBRARY") or BUILT / "libtodostream.so")
HOSTS = {
    "C": [str(LIBRARY.parent / "todo")],
    "Python": [sys.executable, str(HERE / "hosts" / "todo.py")],
}
VERIFIERS = {"Python": [sys.executable, str(HERE / "hosts" / "verify.py")]}
if "TODOSTREAM_VERIFY" in os.environ:
    VERIFIERS["Swift"] = [os.environ["TODOSTREAM_VERIFY"]]
os.environ.setdefault("MAINSTEM_LIBRARY", str(BUILT.parents[1] / "libmainstem.so"))
ENVIRONMENT = dict(os.environ, TODOSTREAM_LIBRARY=str(LIBRARY))
os.environ.update(ENVIRONMENT)
sys.path.append(str(HERE / "hosts"))
import todo  # noqa: E402, F401
from todo import mainstem  # noqa: E402, F401


def make_read_only(database: Path) -> None:
    """The superuser can write to any file, so the file says it too: SQLite opens a file read-only
    if its write version is later than SQLite knows."""
    with open(database, "r+b") as file:
        file.seek(18)
        file.write(b"\3")
    database.chmod(0o400)


def make_writable(database: Path) -> None:
    """Takes that back."""
    database.chmod(0o600)
    with open(database, "r+b") as file:
        file.seek(18)
        file.write(b"\2")


def ask(process: subprocess.Popen, command: bytes) -> bytes:
    process.stdin.write(command)
    process.stdin.flush()
    return process.stdout.readline()


class Run:
    """One run of a host with a script, to its end."""

    def __init__(self, host: str, database: Path, script: bytes, *options: str) -> None:
        done = subprocess.run(
            [*HOSTS[host], "--db", str(database), *options],
            input=script,
            capture_output=True,
            env=ENVIRONMENT,
            timeout=60,
        )
        self.output, self.errors, self.code = done.stdout, done.stderr.decode(), done.returncode


class Terminal:
    """A host in a terminal, where a command can be typed before the last one is answered."""

    def __init__(self, host: str, database: Path, *options: str) -> None:
        self._keys, terminal = pty.openpty()
        self.process = subprocess.Popen(
            [*HOSTS[host], "--db", str(database), *options],
            stdin=terminal,
            stdout=subprocess.PIPE,
            env=ENVIRONMENT,
        )
        os.close(terminal)

    def type(self, command: str) -> None:
        os.write(self._keys, command.encode() + b"\n")

    def read_line(self) -> str:
        return self.process.stdout.readline().decode().rstrip("\n")

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._keys)
        self.process.__exit__(None, None, None)


class Screen:
    """A host whose input and output are a terminal."""

    def __init__(self, host: str, database: Path, *options: str) -> None:
        self._keys, terminal = pty.openpty()
        words = [*HOSTS[host], "--db", str(database), *options]
        self.process = subprocess.Popen(
            words, stdin=terminal, stdout=terminal, env=dict(ENVIRONMENT, TERM="dumb")
        )
        os.close(terminal)
        self._read = b""

    def type(self, command: str) -> None:
        os.write(self._keys, command.encode() + b"\n")

    def read_until(self, sign: str) -> None:
        """Reads until something is there, which is not read again."""
        while sign.encode() not in self._read:
            self._read += os.read(self._keys, 4096)
        self._read = self._read.split(sign.encode(), 1)[1]

    def __enter__(self) -> Screen:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._keys)


class HostTest(unittest.TestCase):
    maxDiff = None

    def setUp(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = Path(self._folder.name)

    def run_all(self, script: bytes, *options: str) -> dict:
        return {host: Run(host, self.folder / f"{host}.db", script, *options) for host in HOSTS}

    def run_both(self, script: bytes, *options: str) -> bytes:
        """What both hosts print. They end without an error and print nothing else."""
        runs = self.run_all(script, *options)
        for run in runs.values():
            self.assertEqual((run.code, run.errors), (0, ""))
        self.assertEqual(runs["C"].output, runs["Python"].output)
        return runs["C"].output

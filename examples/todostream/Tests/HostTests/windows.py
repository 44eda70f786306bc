# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The hosts in windows as a test uses them: by keys, on a display of their own.

What they do is read from the events that they print (--trace). No other line may be there.
"""

from __future__ import annotations

import signal
import subprocess
import threading
from pathlib import Path
from typing import Iterator, List

import pytest
from hosts import ENVIRONMENT, HERE, LIBRARY

#: The Python of the system is that which has GTK.
SYSTEM_PYTHON = "/usr/bin/python3"
LONGEST_S = 60
WINDOWS = {
    "C": [str(LIBRARY.parent / "todo_window")],
    "Python": [SYSTEM_PYTHON, str(HERE / "hosts" / "todo_window.py")],
}


def environment(display: str) -> "dict[str, str]":
    """Without the settings of whoever runs the tests."""
    left = {name: value for name, value in ENVIRONMENT.items() if "DISPLAY" not in name}
    settings = {"GSETTINGS_BACKEND": "memory", "GTK_A11Y": "none", "GSK_RENDERER": "cairo"}
    return {**left, **settings, "DISPLAY": display}


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """A display of its own."""
    words = ["Xvfb", "-displayfd", "1", "-screen", "0", "1000x700x24"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdout
        yield f":{server.stdout.readline().decode().strip()}"
        server.terminate()


class Window:
    """A host with a window that has the keys."""

    def __init__(self, host: str, display: str, *words: object) -> None:
        self.environment = environment(display)
        self.process = subprocess.Popen(
            [*WINDOWS[host], "--trace", *map(str, words)],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        self.said: List[str] = []
        # Then a test that waits in vain says what it has read.
        self.watch = threading.Timer(LONGEST_S, self.process.kill)
        self.watch.daemon = True
        self.watch.start()

    def take_keys(self, which: int = 0) -> None:
        """Gives the keys to a window: 0 is the first one that was opened."""
        words = ["xdotool", "search", "--sync", "--onlyvisible", "--name", "Todos"]
        found: List[str] = []
        while len(found) <= which:
            done = subprocess.run(words, env=self.environment, capture_output=True, check=True)
            found = sorted(done.stdout.decode().split(), key=int)
        self.xdotool("windowfocus", "--sync", found[which])

    def xdotool(self, *words: str) -> None:
        subprocess.run(["xdotool", *words], env=self.environment, check=True)

    def keys(self, *names: str) -> None:
        self.xdotool("key", "--delay", "20", *names)

    def type(self, text: str) -> None:
        # A letter that the keyboard lacks is on a key for that long: a window must read it then.
        self.xdotool("type", "--delay", "20" if text.isascii() else "200", text)

    def add(self, title: str) -> None:
        self.keys("ctrl+n")
        self.until("ResponseTodoDetailViewModel ok")
        self.type(title)
        self.keys("Return")
        self.until("ResponseTodoViewModel ok")

    def until(self, *signs: str) -> str:
        """Reads events until there is one with these words, and returns its position as #N."""
        assert self.process.stderr
        while True:
            line = self.process.stderr.readline().decode()
            assert line, "".join(self.said)
            self.said.append(line)
            if all(sign in line for sign in signs):
                return line.split()[0]

    def end(self) -> None:
        """Waits for its end, which is a good one, without a warning."""
        assert self.process.stderr
        self.said += self.process.stderr.read().decode().splitlines(True)
        assert self.process.wait() == 0, "".join(self.said)
        self.watch.cancel()
        assert [line for line in self.said if not line.startswith("#")] == []

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.end()


def run_python(display: str, program: str, *words: object) -> str:
    """Runs a program with the Python that has GTK, and returns what it prints."""
    done = subprocess.run(
        [SYSTEM_PYTHON, str(Path(__file__).with_name(program)), *map(str, words)],
        env=environment(display),
        capture_output=True,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, b""), done.stderr.decode()
    return done.stdout.decode()

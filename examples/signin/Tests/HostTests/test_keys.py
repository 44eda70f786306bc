# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The window, used by the keyboard alone: what is typed next goes where it belongs."""

from __future__ import annotations

import re
import subprocess
import threading
from pathlib import Path
from typing import Iterator

import mainstem
import pytest
from hosts import HOSTS, environment, play
from sessions import follow_in_window


@pytest.fixture
def display() -> Iterator[str]:
    """A display of its own."""
    words = ["Xvfb", "-displayfd", "1", "-screen", "0", "800x600x24"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdout
        yield f":{server.stdout.readline().decode().strip()}"
        server.terminate()


HERE = Path(__file__).parent
#: A line of the trace; all else on standard error is a warning.
EVENT = re.compile(r" *#\d+ ")


class Window:
    def __init__(self, host: str, display: str, *words: str) -> None:
        self.environment = {**environment(False), "DISPLAY": display}
        self.process = subprocess.Popen(
            [*HOSTS[host], "--delay", "20", "--trace", *words],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        self.said = ""
        self.end_late = threading.Timer(60, self.process.kill)  # then it has not said a sign
        self.end_late.start()
        self.until("SignIn.state")
        self.xdotool(
            "search", "--sync", "--onlyvisible", "--name", "^Sign in", "windowfocus", "--sync"
        )

    def xdotool(self, *words: str) -> None:
        subprocess.run(["xdotool", *words], env=self.environment, check=True)

    def type(self, text: str) -> None:
        self.xdotool("type", "--delay", "20", text)

    def keys(self, *names: str) -> None:
        self.xdotool("key", "--delay", "20", *names)

    def until(self, sign: str) -> None:
        """Reads events until there is one."""
        assert self.process.stderr
        while True:
            line = self.process.stderr.readline().decode()
            assert line, self.said
            self.said += line
            if sign in line:
                return

    def end(self) -> str:
        """Ends it, and returns the warnings that it has printed."""
        self.end_late.cancel()
        self.process.terminate()
        assert self.process.stderr
        self.said += self.process.stderr.read().decode()
        self.process.wait()
        return "".join(line for line in self.said.splitlines(True) if not EVENT.match(line))


@pytest.mark.parametrize("host", HOSTS)
def test_after_a_wrong_password_the_next_one_is_typed(host: str, display: str) -> None:
    window = Window(host, display)
    window.type("jack")
    window.until("SignIn.passwordInputEnable ← ")
    window.keys("Tab")
    window.type("wrong")
    window.keys("Return")
    window.until("Name or password is wrong.")
    window.type("kcaj")
    window.keys("Return")
    window.until("signed in at")
    window.keys("Return")  # the button has the keys
    window.until("You are signed out.")
    assert window.end() == ""


@pytest.mark.parametrize("host", HOSTS)
def test_escape_cancels(host: str, display: str) -> None:
    window = Window(host, display, "--delay", "60000")
    window.type("jack")
    window.until("SignIn.passwordInputEnable ← ")
    window.keys("Tab")
    window.type("kcaj")
    window.keys("Return")
    window.until("SignIn.cancel.enabled ← ")
    window.keys("Escape")
    window.until("SignIn.submit.done cancelled")
    assert window.end() == ""


def closed(window: Window) -> str:
    """The user closes the window; returns its warnings."""
    window.keys("ctrl+w")
    assert window.process.wait(30) == 0
    return window.end()


@pytest.mark.parametrize("host", HOSTS)
def test_a_session_is_played_by_keys(host: str, display: str, tmp_path: Path) -> None:
    """Paused at its first event, stepped, to its end, and back to its beginning."""
    journal = tmp_path / "session.journal"
    play("c", False, HERE / "commands.txt", "--record", journal)
    window = Window(host, display, "--replay", str(journal), "--speed", "0.01")
    window.keys("space", "Home")
    for position in (1, 2, 3):
        window.keys("Right")
        window.until(f"#{position} ")
    window.keys("End")
    window.until("SignIn.submit.done")
    window.keys("Home", "Right")
    window.until("#1 ")
    window.keys("space")
    window.until("#2 ")
    assert closed(window) == ""


@pytest.mark.parametrize("host", HOSTS)
def test_a_window_is_closed_in_the_middle_of_a_request(
    host: str, display: str, tmp_path: Path
) -> None:
    journal = tmp_path / "session.journal"
    window = Window(host, display, "--delay", "60000", "--record", str(journal))
    window.type("jack")
    window.until("SignIn.passwordInputEnable ← ")
    window.keys("Tab")
    window.type("kcaj")
    window.keys("Return")
    window.until("SignIn.cancel.enabled ← ")
    assert closed(window) == ""
    with mainstem.Journal(journal) as read:
        assert sum(1 for _ in read) and read.info.is_clean


@pytest.mark.parametrize("host", HOSTS)
def test_a_session_is_stepped_by_another_process(host: str, display: str, tmp_path: Path) -> None:
    journal = tmp_path / "session.journal"
    play("c", False, HERE / "commands.txt", "--record", journal)
    shown_on = {**environment(False), "DISPLAY": display}
    follow_in_window(HOSTS[host], journal, shown_on)

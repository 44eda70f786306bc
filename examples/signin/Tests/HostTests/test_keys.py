# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The window, used by the keyboard alone: what is typed next goes where it belongs."""

from __future__ import annotations

import subprocess
from typing import Iterator

import pytest
from hosts import HOSTS, environment


@pytest.fixture
def display() -> Iterator[str]:
    """A display of its own."""
    words = ["Xvfb", "-displayfd", "1", "-screen", "0", "800x600x24"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdout
        yield f":{server.stdout.readline().decode().strip()}"
        server.terminate()


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
        self.process.terminate()
        assert self.process.stderr
        self.said += self.process.stderr.read().decode()
        self.process.wait()
        return "".join(line for line in self.said.splitlines(True) if "Gtk" in line)


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
    warnings = [line for line in window.end().splitlines() if "session bus" not in line]
    assert warnings == []


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
    window.end()

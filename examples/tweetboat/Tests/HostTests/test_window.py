# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The host in a window: by the keyboard alone, shown again, and closed at any moment."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path
from subprocess import PIPE
from typing import Any, Iterator, List, Tuple

import pytest
from boats import HERE, HOSTS, VERIFIERS, run, serve
from sessions import follow_in_window

#: The Python of the system is that which has GTK.
PYTHON = "/usr/bin/python3"
FIRST = int(os.environ.get("MAINSTEM_SEED", "0"))

BY_KEYS = """Go: False | Type a name to see tweets
Go: False []
Jack Tar | Fog so thick this morning that I said good day to a buoy.
20 then 40
@jack | 1203 followers
the list has the keys: True
The site is out of order. Try again later.
['The site is out of order. Try again later.']
the picture is there; the list has the keys: True
the list is empty: True No tweets yet
closed by its user
"""


@pytest.fixture(name="display")
def fixture_display() -> Iterator[str]:
    """A display of its own."""
    words = ["Xvfb", "-displayfd", "1", "-screen", "0", "1200x900x24"]
    with subprocess.Popen(words, stdout=PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdout
        yield f":{server.stdout.readline().decode().strip()}"
        server.terminate()


def environment(display: str, **more: str) -> Any:
    kept = {name: value for name, value in os.environ.items() if name != "WAYLAND_DISPLAY"}
    return {**kept, "DISPLAY": display, **more}


def warnings(said: str) -> List[str]:
    """What the window has printed, but for events, and for a machine without a session bus."""
    lines = [line for line in said.splitlines() if line and not line.startswith("#")]
    return [line for line in lines if "session bus" not in line]


def keys(display: str, *words: str, **more: str) -> Tuple[str, List[str]]:
    """Uses the window by keys; returns what is printed, and the warnings."""
    session = str(HERE / "Tests" / "HostTests" / "window_keys.py")
    done = subprocess.run(
        [PYTHON, session, *words],
        env=environment(display, **more),
        stdout=PIPE,
        stderr=PIPE,
        timeout=110,
    )
    return done.stdout.decode(), warnings(done.stderr.decode())


@pytest.mark.parametrize("theme", ["Adwaita", "Adwaita:dark"])
def test_by_the_keyboard_alone(theme: str, display: str) -> None:
    assert keys(display, GTK_THEME=theme) == (BY_KEYS, [])


def test_a_session_is_shown_again_and_takes_no_keys(tmp_path: Path, display: str) -> None:
    journal = str(tmp_path / "session.journal")
    with serve() as site:
        words = ["--record", journal, site.url("")]
        commands = "name jack\ngo\ndown 30\nprofile\nclose\nname mary\ngo\n"
        assert run(*HOSTS["Python"], *words, commands=commands)[0] == 0
        asked = len(site.asked)
        assert keys(display, "--replay", journal) == ("Mary Wolf | mary\n", [])
        assert len(site.asked) == asked


def test_a_session_is_stepped_by_another_process(tmp_path: Path, display: str) -> None:
    journal = tmp_path / "session.journal"
    with serve() as site:
        words = ["--record", str(journal), site.url("")]
        commands = "name jack\ngo\ndown 30\nprofile\nclose\nname mary\ngo\n"
        assert run(*HOSTS["Python"], *words, commands=commands)[0] == 0
    window = [PYTHON, str(HERE / "hosts" / "boat_window.py")]
    quiet = {"GSETTINGS_BACKEND": "memory", "GTK_A11Y": "none", "GSK_RENDERER": "cairo"}
    follow_in_window(window, journal, environment(display, **quiet))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + 6))
def test_a_window_may_be_closed_at_any_moment(seed: int, tmp_path: Path, display: str) -> None:
    chance, journal = random.Random(seed), str(tmp_path / "session.journal")
    window = str(HERE / "hosts" / "boat_window.py")
    with serve() as site:
        site.delay = chance.choice([0, 0, 0.02])
        site.slow["/picture/"] = chance.choice([0, 60])
        site.fail(chance.choice([401, 503]), chance.randint(0, 1))
        words = [PYTHON, window, "--trace", "--record", journal, site.url("")]
        with subprocess.Popen(words, env=environment(display), stderr=PIPE) as process:
            said = use(process, chance, display)
        assert (process.returncode, warnings(said)) == (0, [])
    assert {run(*verifier, journal)[0] for verifier in VERIFIERS.values()} == {0}


def use(process: Any, chance: random.Random, display: str) -> str:
    """Types a name and goes on, closes the window after some event, and returns what was said."""

    def press(*words: str) -> None:
        subprocess.run(["xdotool", *words], env=environment(display), check=True)

    said = process.stderr.readline().decode()
    press("search", "--sync", "--onlyvisible", "--name", "^Tweet", "windowfocus", "--sync")
    press("type", "--delay", "5", "jack")
    press("key", "Return", "Tab", "Tab", *["Page_Down"] * chance.randint(0, 4))
    for _ in range(chance.randint(1, 14)):
        said += process.stderr.readline().decode()
    press("key", "ctrl+w")
    return said + process.stderr.read().decode()

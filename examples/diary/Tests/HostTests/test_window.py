# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The host in a window: by lines it shows the same, and its widgets do what they are tied to."""

from __future__ import annotations

import subprocess
from pathlib import Path

from diaries import HERE, HOSTS, VERIFIERS, run

#: The Python of the system is that which has GTK.
DISPLAY = ["xvfb-run", "--auto-servernum", "/usr/bin/python3"]

SAID = """Please enter your name.
Write one entry a day, and open an old one now and then.
What did you hear today?
Whom did you meet?
What was new?
Ada's diary: 3 entries
Fog. The bell buoy was the only one talking. Rain. I read all day. Sun.
Leave without saving?
2 pages
1 page
Ada, 3 written

Ada
"""

BY_KEYS = """Please agree to the terms.
behind the dialog: False Ada's diary: 1 entry
typed behind it: False
and the entry: [1]
The diary's file cannot be used. | Rain.
Leave without saving?
closed: False
closed: True
the drawer is away
nothing is asked where all is saved
"""


def said(*words: str, commands: str = "") -> str:
    """Runs a program with a display to its end, and returns what it printed."""
    done = subprocess.run(
        [*DISPLAY, *words],
        input=commands.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=100,
        check=True,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return done.stdout.decode()


def test_a_window_shows_what_is_expected(tmp_path: Path) -> None:
    journal = str(tmp_path / "session.journal")
    words = ["--script", "--db", str(tmp_path / "diary.sqlite"), "--day", "2026-11-23"]
    commands = (HERE / "commands.txt").read_text("utf-8")
    window = str(HERE / "hosts" / "diary_window.py")
    shown = said(window, *words, "--record", journal, commands=commands)
    assert shown == (HERE / "expected.txt").read_text("utf-8")
    assert {run(*verifier, journal)[0] for verifier in VERIFIERS.values()} == {0}


def test_widgets_do_what_they_are_tied_to(tmp_path: Path) -> None:
    session = str(HERE / "Tests" / "HostTests" / "window_session.py")
    assert said(session, str(tmp_path / "diary.sqlite")) == SAID


def test_by_the_keyboard_alone(tmp_path: Path) -> None:
    """Focus, Enter and Escape; a dialog that keeps the page from the user; errors; closing."""
    session = str(HERE / "Tests" / "HostTests" / "window_keys.py")
    assert said(session, str(tmp_path / "diary.sqlite")) == BY_KEYS


def test_a_window_that_shows_a_session_again_stays(tmp_path: Path) -> None:
    journal = str(tmp_path / "session.journal")
    words = ["--db", str(tmp_path / "diary.sqlite"), "--record", journal]
    commands = "agree\nsignin Ada\nunderstood\nnew\nedit Rain.\nsave\nlist\n"
    assert run(*HOSTS["Python"], *words, commands=commands)[0] == 0
    session = str(HERE / "Tests" / "HostTests" / "window_keys.py")
    shown = said(session, "--replay", journal)
    assert shown == "Diary, shown again | False | Ada's diary: 1 entry\nclosed by its user\n"

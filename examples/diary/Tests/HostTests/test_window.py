# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The host in a window: by lines it shows the same, and its widgets do what they are tied to."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import subprocess
from pathlib import Path

from diaries import HERE, HOSTS, VERIFIERS, run
from sessions import follow, follow_in_window

#: The Python of the system is that which has GTK.
DISPLAY = ["xvfb-run", "--auto-servernum", "/usr/bin/python3"]

#: Without the desktop of whoever runs the tests.
QUIET = {"GSETTINGS_BACKEND": "memory", "GTK_A11Y": "none", "GSK_RENDERER": "cairo"}
#: GTK 4.8 says so now and then of a scroll bar whose window changes its height.
WARNED = re.compile(".*Trying to snapshot GtkGizmo .* without a current allocation")

SAID = """Please enter your name.
Write one entry a day, and open an old one now and then.
What did you hear today?
Whom did you meet?
What was new?
Ada's diary: 3 entries
Today: Fog. The bell buoy was the only one talking. Today: Rain. I read all day. Today: Sun.
Leave without saving?
2 pages
1 page
Ada, 3 written

Ada
"""

#: What items-changed said of each event, what is selected, and whether that is where it was.
IN_A_LIST = """60 entries, selected: None
RequestCreateEntry [(0, 0, 1)] 30 True
RequestUpdateEntry [(30, 1, 1)] 30 True
RequestDeleteEntry [(29, 1, 0)] 30 True
RequestUpdateEntry [(30, 1, 1)] 30 True
refresh [(10, 50, 0)] None
60 entries
"""

BY_KEYS = """Please agree to the terms. as wide: True
Nothing is written yet. |
the text has the keys: 23 November 2026
behind the dialog: False Ada's diary: 1 entry
typed behind it: False
and the entry: [1]
The diary's file cannot be used. | Rain.
failed again: The text is still here. Try again.
Leave without saving?
closed: False
closed: True
the drawer is away
nothing is asked where all is saved
"""

AGAIN = """Diary, shown again | False | Ada's diary: 1 entry
nothing yet: True True
as before: True 3
closed by its user
"""


def said(*words: str, commands: str = "") -> str:
    """Runs a program with a display to its end, and returns what it printed."""
    done = subprocess.run(
        [*DISPLAY, *words],
        input=commands.encode(),
        env={**os.environ, **QUIET},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=100,
        check=True,
    )
    assert not WARNED.sub("", done.stderr.decode()).strip()
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


def test_a_long_list_changes_and_what_is_selected_and_in_sight_stays(tmp_path: Path) -> None:
    session = str(HERE / "Tests" / "HostTests" / "window_list.py")
    file = tmp_path / "diary.sqlite"
    assert (
        run(*HOSTS["Python"], "--db", str(file), commands="agree\nsignin Ada\nunderstood\n")[0] == 0
    )
    with contextlib.closing(sqlite3.connect(str(file), isolation_level=None)) as opened:
        entries = [(id, "Ada", "2026-11-23", f"Entry {id}.") for id in range(1, 61)]
        opened.executemany("INSERT INTO entry VALUES (?, ?, ?, ?)", entries)
    assert said(session, str(file)) == IN_A_LIST


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
    assert shown == AGAIN


def test_a_session_is_stepped_by_another_process(tmp_path: Path) -> None:
    """By what the widgets show, with --script; and by what a window is fed."""
    journal = tmp_path / "session.journal"
    words = ["--db", str(tmp_path / "diary.sqlite"), "--record", str(journal)]
    commands = "agree\nsignin Ada\nunderstood\nnew\nedit Rain.\nsave\nlist\n"
    assert run(*HOSTS["Python"], *words, commands=commands)[0] == 0
    window = [*DISPLAY, str(HERE / "hosts" / "diary_window.py")]
    follow([*window, "--script"], journal, {**os.environ, **QUIET})
    follow_in_window(window, journal, {**os.environ, **QUIET})

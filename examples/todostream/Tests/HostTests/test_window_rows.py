# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Long lists in a window, two windows, and what a replay shows: see window_rows.py."""

from __future__ import annotations

import subprocess
from pathlib import Path

from hosts import ENVIRONMENT, LIBRARY, VERIFIERS
from windows import display, environment, run_python  # noqa: F401

LONG = """rows: 10000 told: 1
told as often as something has changed: True True
made no more than some screens: True
"""

LOCKED = """the dialog: False
the dialog: False
Saving … 0
rows: 2
True Another program is using the list. Please try again. Retry
False 1 Deleted “Bread”
"""

CHANGES = """add: []
add: ['Bread inserted']
add: ['Tea inserted']
toggle: ['Bread changed']
down: ['Tea changed']
delete: []
undo: ['Milk inserted']
read: []
searched: ['Milk inserted']
another page: []
hidden: []
switched off: []
a second window: []
in both: ['Bread changed', 'Bread changed']
over
"""

AGAIN = """the same, in this order: True True
said: {'Please add a title.'}
again from its beginning: True 2
stepped by another process: True True True True to its end
asked: 0
"""


def test_a_long_list_costs_what_is_on_the_screen(display: str, tmp_path: Path) -> None:  # noqa: F811
    """One signal for each change, and widgets for some screens, however many rows there are."""
    assert run_python(display, "window_rows.py", "long", tmp_path / "db") == LONG


def test_a_locked_file_is_not_waited_for(display: str, tmp_path: Path) -> None:  # noqa: F811
    """An add does not wait for the disk; what fails is said, and can be tried again."""
    assert run_python(display, "window_rows.py", "locked", tmp_path / "db") == LOCKED


def test_what_has_changed_is_animated(display: str, tmp_path: Path) -> None:  # noqa: F811
    """Not what is loaded, found again, or shown on another page or in another window."""
    assert run_python(display, "window_rows.py", "changes", tmp_path / "db") == CHANGES


def test_a_session_in_two_windows_is_shown_again(display: str, tmp_path: Path) -> None:  # noqa: F811
    assert run_python(display, "window_rows.py", "again", tmp_path / "db") == AGAIN
    for verifier in VERIFIERS.values():
        words = [*verifier, tmp_path / "db.journal"]
        done = subprocess.run(words, capture_output=True, env=ENVIRONMENT)
        assert (done.returncode, done.stderr) == (0, b""), done.stdout


def test_a_long_list_in_c_costs_the_same(display: str) -> None:  # noqa: F811
    program = LIBRARY.parent / "todo_window_rows"
    done = subprocess.run([program], capture_output=True, env=environment(display), timeout=100)
    assert (done.stdout, done.stderr, done.returncode) == (b"rows\n", b"", 0)

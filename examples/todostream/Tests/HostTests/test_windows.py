# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The hosts in windows, by the keyboard alone."""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
from pathlib import Path
from typing import Any, List

import pytest
from hosts import ENVIRONMENT, VERIFIERS, Run
from sessions import follow_in_window
from windows import WINDOWS, Window, display, environment  # noqa: F401

pytestmark = pytest.mark.parametrize("host", WINDOWS)


def kept(database: Path, what: str) -> List[Any]:
    with sqlite3.connect(database) as file:
        return sorted(file.execute(f"SELECT {what} FROM todo").fetchall())


def verify(journal: Path) -> None:
    for verifier in VERIFIERS.values():
        done = subprocess.run([*verifier, journal], capture_output=True, env=ENVIRONMENT)
        assert (done.returncode, done.stderr) == (0, b""), done.stdout


def opened(host: str, display: str, folder: Path, *words: object) -> Window:  # noqa: F811
    """A window that has read its list."""
    window = Window(
        host,
        display,
        "--db",
        folder / "db",
        "--record",
        folder / "journal",
        "--list",
        "home",
        *words,
    )
    window.until("ResponseTodoViewModels ok")
    window.take_keys()
    return window


def test_all_of_it_by_keys(host: str, display: str, tmp_path: Path) -> None:  # noqa: F811
    window = opened(host, display, tmp_path)
    for title in ("Milk", "日本語", "שלום", "Zoë"):
        window.add(title)
    window.keys("Home", "space")  # the first one is what was added last
    window.until("ResponseTodoViewModel ok", '"complete":true')
    window.keys("alt+Down")
    window.until("ResponseTodoViewModel ok", "Zoë")
    window.keys("Return")  # the moved row still has the keys
    window.until("ResponseTodoDetailViewModel ok", "Zoë")
    window.keys("End")
    window.type("!")
    window.keys("Tab", "Tab", "space", "shift+Tab", "Return")
    window.until("ResponseTodoViewModel ok", "Zoë!", "HIGH")
    window.keys("Delete")
    window.until("ResponseTodoViewModel ok", '"deleted":true')
    window.keys("ctrl+z")
    window.until("ResponseTodoViewModel ok", '"deleted":false')
    window.keys("End", "Delete")  # Milk
    window.until("ResponseTodoViewModel ok", "Milk")
    window.keys("Delete")  # and the keys are with the row before it
    window.until("ResponseTodoViewModel ok", '"deleted":true')
    window.keys("ctrl+d", "Delete", "Tab", "Return")
    window.until("ResponsePurgedTodoViewModel ok")
    window.keys("Return")
    window.until("ResponseTodoViewModel ok", '"deleted":false')
    window.keys("ctrl+d", "ctrl+l")
    window.type("work")
    window.keys("Return")
    window.until("ResponseTodoViewModels ok", "work")
    window.add("Report")
    window.keys("ctrl+w")
    window.end()
    rows = kept(tmp_path / "db", "title, list, deleted")
    assert {("Report", "work", 0), ("Zoë!", "home", 0)} <= set(rows)
    assert len(rows) == 4
    verify(tmp_path / "journal")


def test_what_is_wrong_is_said_in_the_dialog(
    host: str,
    display: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    window = opened(host, display, tmp_path)
    window.keys("ctrl+n", "Return")
    window.until("ResponseUpdateDetailViewModel 1001")
    window.type("Milk")  # the keys are still there
    window.keys("Return")
    window.until("ResponseTodoViewModel ok", "Milk")
    window.keys("ctrl+n", "Escape")
    window.until("RequestCancelDetailViewModel")
    window.stop()
    assert kept(tmp_path / "db", "title") == [("Milk",)]


def test_what_cannot_be_kept_comes_back(host: str, display: str, tmp_path: Path) -> None:  # noqa: F811
    """Closing waits for what is open; what fails then is shown, and nothing is lost."""
    window = opened(host, display, tmp_path, "--patience", 1)
    window.add("Milk")
    other = sqlite3.connect(tmp_path / "db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    window.keys("ctrl+n")
    window.type("Bread")
    window.keys("ctrl+w")
    window.until("ResponseTodoDetailViewModel ok", '"error"')
    other.execute("ROLLBACK")
    window.keys("Return")
    window.until("ResponseTodoViewModel ok", "Bread")
    other.execute("BEGIN IMMEDIATE")
    window.keys("Home", "Delete")
    window.until("ResponseTodoViewModel 1010")
    other.execute("ROLLBACK")
    window.keys("Tab", "shift+Tab", "ctrl+w")
    window.end()
    assert kept(tmp_path / "db", "title, deleted") == [("Bread", 0), ("Milk", 0)]
    verify(tmp_path / "journal")


@pytest.mark.parametrize("seed", range(3))
def test_closed_in_the_middle_nothing_is_lost(
    host: str,
    display: str,  # noqa: F811
    tmp_path: Path,
    seed: int,
) -> None:
    draw = random.Random(seed)
    window = opened(host, display, tmp_path)
    titles: List[str] = []
    for step in range(draw.randint(1, 6)):
        titles.append(f"title{step}")
        window.keys("ctrl+n")
        window.type(titles[-1])
        window.keys(*["Return"] * draw.randint(0, 1) or ["Tab"])
        if draw.random() < 0.5:
            window.keys("Return")
            window.keys(draw.choice(["space", "alt+Down", "Up", "Escape"]))
    window.keys("ctrl+w")
    window.end()
    typed = "".join(map("".join, kept(tmp_path / "db", "title, subtitle")))
    assert [title for title in titles if title not in typed] == []
    verify(tmp_path / "journal")


def test_what_was_done_is_told(host: str, display: str, tmp_path: Path) -> None:  # noqa: F811
    window = opened(host, display, tmp_path, "--analytics", tmp_path / "told")
    window.add("Milk")
    window.keys("space")
    window.until("ResponseTodoViewModel ok", '"complete":true')
    window.keys("ctrl+w")
    window.end()
    (batch,) = map(json.loads, (tmp_path / "told").read_text().splitlines())
    assert [record["event"] for record in batch["records"]] == [
        "RequestTodoViewModels",
        "ResponseUpdateDetailViewModel",
        "RequestToggleCompleteTodoViewModel",
    ]
    verify(tmp_path / "journal")


def test_an_edit_that_came_back_is_saved_by_closing(
    host: str,
    display: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    window = opened(host, display, tmp_path, "--patience", "50")
    with sqlite3.connect(tmp_path / "db", isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        window.keys("ctrl+n")
        window.type("Milk")
        window.keys("Return")
        window.until("ViewModelServer.detail", "Another program")
        window.keys("ctrl+w")  # which tries it once more
        window.until("ViewModelServer.detail", "Another program")
    window.keys("ctrl+a")
    window.type("Bread")
    window.keys("ctrl+w")
    window.end()
    assert kept(tmp_path / "db", "title") == [("Bread",)]
    verify(tmp_path / "journal")


def test_closing_again_gives_up_what_cannot_be_saved(
    host: str,
    display: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    window = opened(host, display, tmp_path)
    window.keys("ctrl+n")
    window.type("  ")
    window.keys("ctrl+w")
    window.until("ResponseUpdateDetailViewModel", "emptyTitle")
    window.keys("ctrl+w")
    window.end()
    verify(tmp_path / "journal")


def test_two_windows_one_session(host: str, display: str, tmp_path: Path) -> None:  # noqa: F811
    window = opened(host, display, tmp_path)
    window.add("Milk")
    window.keys("ctrl+shift+n")
    window.take_keys(1)
    window.add("Bread")
    window.keys("space")
    window.until("ResponseTodoViewModel ok", '"complete":true')
    window.take_keys(0)
    window.keys("Delete")
    window.until("ResponseTodoViewModel ok", '"deleted":true')
    window.keys("ctrl+w")
    window.take_keys(0)  # the other one
    window.keys("ctrl+z")
    window.until("ResponseTodoViewModel ok", '"deleted":false')
    window.keys("ctrl+w")
    window.end()
    assert kept(tmp_path / "db", "title, deleted") == [("Bread", 0), ("Milk", 0)]
    verify(tmp_path / "journal")


def test_a_replay_takes_no_keys_but_its_own(
    host: str,
    display: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    window = opened(host, display, tmp_path)
    window.add("Milk")
    window.keys("space")
    window.until("ResponseTodoViewModel ok", '"complete":true')
    window.keys("ctrl+w")
    window.end()
    last = max(int(line.split()[0][1:]) for line in window.said)

    again = Window(host, display, "--replay", tmp_path / "journal", "--speed", "0")
    again.until(f"#{last} ")
    again.take_keys()
    again.keys("ctrl+n", "ctrl+z", "ctrl+d", "Delete", "Return", "F5", "Home")
    again.keys("End")  # it is shown again from its beginning
    again.until(f"#{last} ")
    again.keys("ctrl+w")
    again.end()
    played = [line for line in again.said if not line.startswith("#0 ")]
    once = len(set(played))
    assert last <= once and len(played) <= 2 * once, "".join(played)
    assert kept(tmp_path / "db", "title, deleted") == [("Milk", 0)]


def test_a_session_is_stepped_by_another_process(
    host: str,
    display: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    journal = tmp_path / "journal"
    run = Run("C", tmp_path / "db", b"add Milk\nadd Bread\ntoggle 1\n", "--record", str(journal))
    assert run.code == 0
    follow_in_window(WINDOWS[host], journal, environment(display))


def test_a_search_shows_what_it_finds(host: str, display: str, tmp_path: Path) -> None:  # noqa: F811
    window = opened(host, display, tmp_path)
    for title in ("Milk", "Bread"):
        window.add(title)
    window.xdotool("key", "--delay", "0", "ctrl+f", "m")  # nobody waits for the field
    for typed, text in (("i", '"mi"'), ("l", '"mil"')):  # what is found does not disturb typing
        window.type(typed)
        asked = window.until("RequestTodoViewModels view", text)
        window.until("ResponseTodoViewModels ok", f"answers {asked} ")
    window.keys("Return", "Home", "Delete")  # the first row of what is found
    window.until("ResponseTodoViewModel ok", '"deleted":true')
    window.keys("ctrl+f", "Escape")
    window.until("ResponseTodoViewModels ok")
    window.keys("Home", "space")
    window.until("ResponseTodoViewModel ok", '"complete":true')
    window.keys("ctrl+w")
    window.end()
    rows = kept(tmp_path / "db", "title, deleted, completed_at IS NOT NULL")
    assert rows == [("Bread", 0, 1), ("Milk", 1, 0)]
    verify(tmp_path / "journal")


def test_a_row_is_dragged_and_its_box_clicked(host: str, display: str, tmp_path: Path) -> None:  # noqa: F811
    window = opened(host, display, tmp_path)
    window.xdotool("getwindowfocus", "windowmove", "0", "0", "windowsize", "--sync", "600", "600")
    for title in ("third", "second", "first"):
        window.add(title)
    for _ in range(2):
        window.keys("Home", "space")
        window.until("ResponseTodoViewModel ok", "first")
    window.xdotool("mousemove", "34", "142", "click", "1")  # the box of the first row
    window.until("ResponseTodoViewModel ok", "first", '"complete":true')
    window.xdotool("mousemove", "300", "142", "mousedown", "1")
    for y in range(150, 262, 8):  # to below the third one
        window.xdotool("mousemove", "300", str(y))
    window.xdotool("mousemove", "300", "264", "mouseup", "1")
    window.until("RequestMoveTodoViewModel view", "first")
    window.until("ResponseTodoViewModel ok", "first")
    window.keys("ctrl+w")
    window.end()
    run = Run("Python", tmp_path / "db", b"list\n")
    assert [line[-6:].strip() for line in run.output.decode().splitlines()[:3]] == [
        "second",
        "third",
        "first",
    ]

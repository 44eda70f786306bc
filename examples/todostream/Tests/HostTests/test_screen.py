# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The full screen: each key, as it is typed and as it looks."""

from __future__ import annotations

from pathlib import Path

import pytest
from hosts import Run, make_read_only
from screens import Window, fill, kept, locked, write

LOCKED = "Another program is using the list."


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "todo.sqlite"


# The list


def test_a_todo_is_added_and_selected(database: Path) -> None:
    write(database, "Bread")
    with Window(database) as window:
        window.rows("[ ] Bread")
        window.press("n", "Milk", "tab", "Of oats", "tab", " ", "enter")
        window.rows("[ ] Milk", "[ ] Bread")
        window.select("[ ] Milk")
        assert "2 of 2 to do" in window.see("Priority: HIGH")[0]
    assert kept(database, "title, subtitle, priority") == ["Bread  normal", "Milk Of oats high"]


def test_the_selection_is_moved_by_arrows_and_letters(database: Path) -> None:
    fill(database, 30)
    with Window(database, lines=12) as window:
        for key, place in [
            ("down", 2),
            ("j", 3),
            ("up", 2),
            ("k", 1),
            ("k", 1),
            ("page down", 10),
            ("G", 30),
            ("down", 30),
            ("page up", 21),
            ("home", 1),
            ("end", 30),
            ("g", 1),
        ]:
            window.press(key)
            window.select(f"[ ] Todo {place}")


def test_a_toggle_is_done_and_to_do(database: Path) -> None:
    write(database, "Milk", "Bread")
    with Window(database) as window:
        window.rows("[ ] Milk", "[ ] Bread")
        window.press("down", " ")
        window.rows("[ ] Milk", "[x] Bread")
        window.see("1 of 2 to do")
        window.press("t")
        window.rows("[ ] Milk", "[ ] Bread")


def test_a_delete_is_undone_with_each_key(database: Path) -> None:
    write(database, "Milk", "Bread", "Call")
    with Window(database) as window:
        window.press("down", "d")
        window.rows("[ ] Milk", "[ ] Call")
        window.select("[ ] Call")
        window.press("delete")
        window.rows("[ ] Milk")
        window.press("u")
        window.rows("[ ] Milk", "[ ] Call")
        window.press("undo")
        window.rows("[ ] Milk", "[ ] Bread", "[ ] Call")
        window.select("[ ] Bread")
        window.press("u")
        window.see("There is nothing to undo.")


def test_what_is_deleted_is_restored_or_purged_once_confirmed(database: Path) -> None:
    write(database, "Milk", "Bread")
    with Window(database) as window:
        window.press("d")
        window.rows("[ ] Bread")
        window.press("d")
        window.see("Nothing to do.")
        window.press("tab")
        assert "2 deleted" in window.rows("[ ] Milk", "[ ] Bread")[0]
        window.press("p")
        window.see("Purge? y: yes  Milk")
        window.press("n")
        window.see("It stays.")
        window.press("p")
        window.see("Purge? y: yes  Milk")
        window.press("y")
        window.rows("[ ] Bread")
        window.press("r")
        window.see("Nothing is deleted.")
        window.press("D")
        window.rows("[ ] Bread")
    assert kept(database) + kept(database, deleted=1) == ["Bread"]


def test_a_todo_is_moved_by_each_key_and_stays_selected(database: Path) -> None:
    write(database, "one", "two", "three")
    with Window(database) as window:
        for key, *order in [
            ("J", "two", "one", "three"),
            ("alt down", "two", "three", "one"),
            ("K", "two", "one", "three"),
            ("alt up", "one", "two", "three"),
        ]:
            window.press(key)
            window.rows(*[f"[ ] {title}" for title in order])
            window.select("[ ] one")


def test_moves_go_on_from_each_other_before_they_are_kept(database: Path) -> None:
    fill(database, 6)
    with Window(database, "--patience", "60000") as window:
        window.see("Todo 6")
        with locked(database):
            window.press("J", "J", "J", "K")
            window.see("Saving …")
        window.rows(*[f"[ ] Todo {n}" for n in (2, 3, 1, 4, 5, 6)])
        window.miss("Saving")
        window.press("J")
        window.rows(*[f"[ ] Todo {n}" for n in (2, 3, 4, 1, 5, 6)])


def test_another_list_is_shown_by_its_name(database: Path) -> None:
    write(database, "Milk")
    with Window(database) as window:
        window.see("home", "Milk")
        window.press("l", "enter")
        window.see("Type the name of a list")
        window.press("wörk", "enter")
        window.see("wörk", "Nothing to do.")
        window.press("n", "Report", "enter")
        window.rows("[ ] Report")
        window.press("l", "ho", "me", "enter")
        window.rows("[ ] Milk")
    assert kept(database, "list, title") == ["home Milk", "wörk Report"]


def test_todos_are_found_by_a_text(database: Path) -> None:
    write(database, "Oat milk", "Bread", "MILK 100%")
    with Window(database) as window:
        window.rows("[ ] Oat milk", "[ ] Bread", "[ ] MILK 100%")
        window.press("/", "milk", "enter")
        window.rows("[ ] Oat milk", "[ ] MILK 100%")
        window.press("/", '"$text %', "enter")
        window.rows()
        window.press("/", "enter")
        window.rows("[ ] Oat milk", "[ ] Bread", "[ ] MILK 100%")
        window.press("/", "100", "escape")
        window.miss("Find:")


def test_the_help_names_the_keys_and_scrolls(database: Path) -> None:
    with Window(database, lines=10) as window:
        window.see("Nothing to do.")
        window.press("?")
        window.see("Space, t", "toggle")
        window.press(*["down"] * 40)
        window.see("quit, when everything is saved")
        window.press("x")
        window.see("Nothing to do.")


def test_a_key_that_does_nothing_says_what_to_press(database: Path) -> None:
    write(database, "Milk")
    with Window(database) as window:
        for key, said in [
            ("x", "This key does nothing here. Press ? for help."),
            ("\033[99;99~", "This key does nothing here. Press ? for help."),
            ("r", "Only what is deleted. Press Tab to see it."),
            ("tab", "Nothing is deleted."),
            ("d", "Not what is deleted."),
            ("p", "There is no such row."),
        ]:
            window.press(key)
            window.see(said)


def test_quit_waits_for_what_is_saved(database: Path) -> None:
    write(database, "Milk")
    with Window(database, "--patience", "60000") as window:
        window.see("Milk")
        with locked(database):
            window.press(" ", "q")
            window.see("Saving …", "Quits when everything is saved")
        assert window.end() == 0
    assert kept(database, "title, completed_at IS NULL") == ["Milk 0"]


def test_a_second_quit_does_not_wait(database: Path) -> None:
    write(database, "Milk")
    with Window(database, "--patience", "60000") as window:
        window.see("Milk")
        with locked(database):
            window.press(" ", "q", "q")
            assert window.end() == 1
        assert window.process.stderr.read() == b"Not everything was saved.\n"


# What other programs do


def test_the_selection_stays_on_its_row(database: Path) -> None:
    fill(database, 40)
    with Window(database, lines=12) as window:
        window.press(*["down"] * 20)
        window.select("[ ] Todo 21")
        before = window.seen(window.lines)
        write(database, "new", "newer")
        Run("C", database, b"list\ndelete 4\n")
        window.press("R")
        window.see("41 of 41 to do")
        window.select("[ ] Todo 21")
        assert window.seen(window.lines) == before
        Run("C", database, b"list\nmove 22 1\n")
        window.press("F5", "g")
        window.select("[ ] Todo 21")


def test_a_row_that_is_gone_leaves_its_place_to_the_next(database: Path) -> None:
    fill(database, 3)
    with Window(database) as window:
        window.press("down")
        window.select("[ ] Todo 2")
        Run("C", database, b"list\ndelete 2\n")
        window.press("R")
        window.select("[ ] Todo 3")
        Run("C", database, b"list\ndelete 2\n")
        window.press("R")
        window.select("[ ] Todo 1")


# Edits


def test_an_edit_is_typed_and_saved(database: Path) -> None:
    write(database, "Milk")
    with Window(database) as window:
        window.rows("[ ] Milk")
        window.press("enter", " 日本é", "left", "left", "left", "backspace", " x", "home", "Oat ")
        window.see("Title     Oat Milk x日本é")
        window.press("delete", "m", "down", "sub", "back tab", "end", "!", "enter")
        window.rows("[ ] Oat milk x日本é!")
    assert kept(database, "title, subtitle") == ["Oat milk x日本é! sub"]


def test_a_mark_is_one_character_with_its_letter(database: Path) -> None:
    with Window(database) as window:
        window.press(
            "n", "e\u0301a", "left", "left", "x", "end", "backspace", "backspace", "y", "enter"
        )
        window.rows("[ ] xy")


def test_a_refused_edit_says_why_and_stays_open(database: Path) -> None:
    write(database, "Milk")
    with Window(database) as window:
        window.press("e", "\x15", "enter")
        window.see("Please add a title.", "Title")
        window.press("Bread")
        window.miss("Please add a title.")
        window.press("enter")
        window.rows("[ ] Bread")


def test_escape_cancels_an_edit(database: Path) -> None:
    write(database, "Milk")
    with Window(database) as window:
        window.press("e", " and more")
        window.see("Title     Milk and more")
        window.press("escape")
        window.miss("Title")
        window.press("e")
        window.see("Title     Milk")
        window.press("escape")
        window.rows("[ ] Milk")
    assert kept(database) == ["Milk"]


def test_an_edit_that_could_not_be_kept_is_open_again(database: Path) -> None:
    """And the text of another one, which is typed meanwhile, is there when it is over."""
    write(database, "Milk")
    with Window(database, "--patience", "1000") as window:
        window.rows("[ ] Milk")
        with locked(database):
            window.press("n", "Bread", "enter")
            window.see("Saving …")
            window.press("e", " of oats")
            window.see("Title     Milk of oats")
            window.see(LOCKED, "Title     Bread")
        window.press("!", "enter")
        window.see("Title     Milk of oats")
        window.press("enter")
        window.rows("[ ] Bread!", "[ ] Milk of oats")


def test_what_is_pasted_is_text_and_no_command(database: Path) -> None:
    write(database, "Milk")
    with Window(database) as window:
        window.rows("[ ] Milk")
        window.press("\033[200~dq\n\033[201~", "n", "\033[200~two\nlines\t\x01\033[201~", "enter")
        window.rows("[ ] two lines", "[ ] Milk")


# The store


def test_a_locked_file_refuses_a_change_and_the_next_one_works(database: Path) -> None:
    write(database, "Milk")
    with Window(database) as window:
        window.rows("[ ] Milk")
        with locked(database):
            window.press(" ")
            window.see("Saving …")
            window.see(LOCKED)
            window.miss("Saving")
        window.press(" ")
        window.rows("[x] Milk")
        window.miss(LOCKED)


def test_a_file_that_cannot_be_changed_or_opened_is_said(database: Path, tmp_path: Path) -> None:
    write(database, "Milk")
    make_read_only(database)
    with Window(database) as window:
        window.rows("[ ] Milk")
        window.press("d")
        window.see("The list cannot be changed: its file is read-only.")
    with Window(tmp_path / "no" / "folder.sqlite", until="") as window:
        window.see("The list cannot be opened. Press R to try again.")
        window.press("n", "Bread", "enter")
        window.see("The list cannot be opened.", "Title     Bread")
        window.press("escape", "q")
        assert window.end() == 0

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`mainstem screens`: what a navigator says is believed, and nothing else is."""

from __future__ import annotations

import json
import struct

import pytest
from journal_writer import MARKED, OUTSIDE, TRACKED, JournalWriter
from navigator_writer import HOME, NavigatorWriter
from screens_told import screens, tree

__all__ = ["screens", "tree"]


def test_a_change_of_which_only_a_mark_was_kept_is_counted(screens, tree):
    made = NavigatorWriter()
    made.opens(11, "home")
    made.tree(made.move("diary"), flags=MARKED)
    made.opens(13, "about", parent=12)

    assert tree(made) == ["home", "about"]
    assert "\n  1 change cannot be read: the tree may have been another\n" in screens(made)


def test_a_move_of_which_only_a_mark_was_kept_still_opens(screens):
    made = NavigatorWriter()
    move = made.event("MainstemMove", flags=OUTSIDE | TRACKED | MARKED)
    made.tree(move, component=11, url="home")

    assert "+ screen home  by #1 move" in screens(made)


def test_what_others_say_is_not_believed(screens, tree):
    made = NavigatorWriter()
    made.name_origin(2, "View", 8)
    made.opens(11, "home")
    fake = {"component": 12, "url": "fake"}
    made.tree(1, **fake, origin="View")
    made.tree(1, **fake, origin="")
    made.tree(1, **fake, flags=OUTSIDE, cause=0)
    made.tree(1, [11], origin="View")
    assert tree(made) == ["home"]
    # Another scope of the name, which comes later.
    made.origins.pop("Navigator")
    made.name_origin(3, "Navigator", HOME + 1)
    made.tree(1, **fake)
    made.tree(1, [11])
    assert tree(made) == ["home"]
    assert "cannot be read" not in screens(made)
    # The navigator itself, whose number is another one now.
    made.name_origin(4, "Navigator", HOME)
    made.tree(1, [11])
    assert tree(made) == []


def test_others_are_not_believed_before_the_navigator_has_spoken_either(tree):
    made = NavigatorWriter()
    made.name_origin(2, "View", 8)
    move = made.move("home")
    made.tree(move, component=12, url="fake", origin="View")
    assert tree(made) == []
    made.tree(move, component=11, url="home")
    assert tree(made) == ["home"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"component": 0},
        {"component": -1},
        {"component": 1 << 64},
        {"component": "12"},
        {"component": True},
        {"component": 12.0},
        {"component": None},
        {"component": 11},
        {"kind": "window"},
        {"kind": 3},
        {"url": 5},
        {"route": None},
        {"slot": []},
        {"parent": "x"},
        {"closed": None},
        {"closed": [11, "11"]},
        {"closed": {"11": 1}},
        {"top": "x"},
        {"move": -1},
    ],
    ids=str,
)
def test_what_is_not_as_the_navigator_writes_it_changes_nothing(screens, tree, wrong):
    made = NavigatorWriter()
    made.opens(11, "home")
    said = {"move": 1, "top": 0, "closed": [11], "component": 12, "parent": 0, "owner": 0}
    said.update(kind="screen", name="", url="fake", route="fake", slot="")
    said.update(wrong)
    made.event("MainstemTree", json.dumps(said), cause=1, origin="Navigator")

    assert tree(made) == ["home"]
    assert "1 change cannot be read" in screens(made)


@pytest.mark.parametrize(
    "data", [b"", b"null", b"[]", b"{", b'"x"', b"[" * 100_000, b'{"move":1e400}', b"\xff", b"{}"]
)
def test_what_is_no_object_changes_nothing(tree, data):
    made = NavigatorWriter()
    made.opens(11, "home")
    made.event("MainstemTree", data, cause=1, origin="Navigator")

    assert tree(made) == ["home"]


def test_what_stands_on_itself_or_on_nothing_known_is_shown_once(screens, tree):
    made = NavigatorWriter()
    made.opens(11, "a", parent=11)
    made.opens(12, "b", parent=13)
    made.opens(13, "c", parent=12)

    assert tree(made) == ["a", "b", "c"]
    assert all(screens(made, "--at", 99).count(f"screen {url}  #") == 1 for url in "abc")


def test_what_closes_and_was_never_open_is_ignored(tree):
    made = NavigatorWriter()
    made.opens(11, "home")
    made.tree(made.gone(12), [12, 12, 99])
    assert tree(made) == ["home"]
    made.tree(made.gone(11), [11, 11])
    assert tree(made) == []


def test_a_type_of_the_name_in_another_layer_says_nothing(screens):
    made = JournalWriter()
    made.type("MainstemTree", 3 << 32)
    made.name_origin(1, "Navigator", HOME)
    made.event("MainstemTree", '{"move":0,"top":0,"closed":[]}', origin="Navigator")

    assert screens(made) == "a.journal: no navigator\n"


def test_a_further_file_continues_what_is_shown_and_a_session_does_not(tree):
    made = NavigatorWriter()
    made.opens(11, "home")
    made.rotate()
    made.name_all()
    made.opens(12, "diary", parent=11)
    assert tree(made) == ["home", "diary"]
    made.session()
    made.types = {}
    made.name_all()
    made.opens(21, "about")
    assert tree(made) == ["about"]
    assert tree(made, 4) == ["home", "diary"]


def test_text_in_a_journal_cannot_control_the_terminal(screens):
    made = NavigatorWriter()
    evil = "a\x1b[2J\n\u202e\ud800"
    made.tree(made.move(evil), component=11, url=evil, kind="embed", slot=evil, parent=11)
    made.event("MainstemFinish", b"\x1b\xff\0x", origin="")
    for arguments in ((), ("--json",), ("--at", 9)):
        said = screens(made, *arguments)
        assert not [letter for letter in said if ord(letter) < 32 and letter != "\n"]
        assert "\u202e" not in said


def test_a_deep_tree_of_five_thousand_components(screens, tree):
    made = NavigatorWriter()
    move = made.move("x")
    for number in range(5000):
        made.tree(move, component=number + 100, url=f"u{number}", parent=number + 99)
    assert len(tree(made)) == 5000
    said = screens(made).splitlines()

    assert sum("covered" in line for line in said) == 4999
    assert max(map(len, said)) < 120


def test_many_that_close_together_are_a_short_line(screens):
    made = NavigatorWriter()
    for number in range(300):
        made.opens(number + 100, f"u{number}")
    made.tree(made.gone(100), [number + 100 for number in range(300)])
    line = next(line for line in screens(made).splitlines() if "− " in line)

    assert line.endswith("a gesture  #601  and with it u1, u2, u3, u4, u5, u6 and 293 more")


def test_numbers_of_gestures_may_have_any_size(tree):
    made = NavigatorWriter()
    made.opens(11, "home")
    for data in (b"", b"\x0b", struct.pack("<QQ", 11, 12)):
        made.event("MainstemGone", data, flags=OUTSIDE)
    assert tree(made) == ["home"]

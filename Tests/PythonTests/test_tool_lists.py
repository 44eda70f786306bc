# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the commands show of lists."""

from __future__ import annotations

import json

import mainstem
import pytest
from journal_writer import (
    INSERT,
    INTEGER,
    JSON,
    LIST,
    MARKED,
    MOVE,
    OUTSIDE,
    REMOVE,
    RESET,
    TEXT,
    UPDATE,
    VALUE,
    JournalWriter,
    list_changes,
    whole,
)
from mainstem.tool import main


def row(number, title):
    return str(number), f'{{"id":{number},"title":"{title}"}}'.encode()


def shopping(form=JSON):
    """A list of a scope, which is set, changed, and longer than a line."""
    made = JournalWriter()
    made.type("Shop.items", form | VALUE | LIST)
    made.event("Shop.items", whole(row(1, "tea"), row(2, "milk"), row(3, "eggs")), origin="Shop")
    changes = [(REMOVE, 1, 1), (MOVE, 1, 1, 0), (INSERT, 2, 1), (UPDATE, 0, 1)]
    rows = [row(4, "oil"), row(3, "6 eggs")]
    made.event("Shop.items", list_changes(3, changes, rows, (0, 3, 3)), origin="Shop")
    many = [row(number, "x" * 30) for number in range(10, 10007)]
    made.event("Shop.items", list_changes(10000, [(INSERT, 3, 9997)], many), origin="Shop")
    return made


@pytest.fixture
def shown(tmp_path, capsys):
    def get(made, command, *arguments):
        path = made.save(tmp_path / "a.journal")
        assert main([command, str(path), *map(str, arguments)]) == 0
        return capsys.readouterr().out

    return get


def test_a_line_says_how_many_rows_came_went_and_changed(shown, tmp_path):
    made = shopping()
    made.event("Shop.items", flags=OUTSIDE | MARKED, origin="Shop")
    made.event("Shop.items", b"no changes", origin="Shop")
    lines = shown(made, "dump").splitlines()

    assert lines == [
        "#1 Shop.items Shop =3 -0 ~0 of 3",
        "#2 Shop.items Shop +1 -1 ~2 of 3",
        "#3 Shop.items Shop +9997 -0 ~0 of 10000",
        "#4 Shop.items Shop <marked>",
        "#5 Shop.items Shop",
    ]
    assert lines == [str(event) for event in mainstem.Journal(tmp_path / "a.journal")]


def test_json_has_each_change_with_its_rows(shown):
    made = shopping()
    made.type("Names", TEXT | VALUE | LIST)
    made.event("Names", whole(("a\n", b"\xc2\x9b"), ("b", b"")))
    made.event("Names", b"no changes")
    rows = [json.loads(line) for line in shown(made, "dump", "--json").splitlines()]

    eggs = {"key": "3", "json": {"id": 3, "title": "eggs"}}
    assert rows[0]["role"] == "value"
    assert rows[0]["total"] == 3
    assert rows[0]["changes"][0]["kind"] == "reset"
    assert rows[0]["changes"][0]["rows"][2] == eggs
    assert rows[1]["changes"] == [
        {"kind": "remove", "index": 1, "count": 1},
        {"kind": "move", "index": 1, "count": 1, "to": 0},
        {
            "kind": "insert",
            "index": 2,
            "count": 1,
            "rows": [{"key": "4", "json": {"id": 4, "title": "oil"}}],
        },
        {
            "kind": "update",
            "index": 0,
            "count": 1,
            "rows": [{"key": "3", "json": {"id": 3, "title": "6 eggs"}}],
        },
    ]
    assert len(rows[2]["changes"][0]["rows"]) == 9997
    assert rows[3]["changes"][0]["rows"] == [
        {"key": "a\n", "text": "\x9b"},
        {"key": "b", "text": ""},
    ]
    assert (rows[4]["base64"], "changes" in rows[4]) == ("bm8gY2hhbmdlcw==", False)


def test_the_tree_has_changes_and_no_former_value(shown):
    lines = shown(shopping(), "tree").splitlines()
    assert [line.split("#", 1)[1] for line in lines if "#" in line] == [
        "1 Shop.items  =3 -0 ~0 of 3",
        "2 Shop.items  +1 -1 ~2 of 3",
        "3 Shop.items  +9997 -0 ~0 of 10000",
    ]


VALUES = [
    (1, '[{"id":1,"title":"tea"}, {"id":2,"title":"milk"}, {"id":3,"title":"eggs"}]'),
    (2, '[{"id":3,"title":"6 eggs"}, {"id":1,"title":"tea"}, {"id":4,"title":"oil"}]'),
    (3, '[{"id":3,"title":"6 eggs"}, {"id":1,"title":"tea"}, {"id":4,"title":"oil"}, … of 10000]'),
]


@pytest.mark.parametrize(("at", "value"), VALUES)
def test_an_owner_shows_the_first_rows(shown, at, value):
    assert f"  items = {value}  #{at}\n" in shown(shopping(), "shown", "--at", at)


def test_an_owner_is_json_with_all_rows(shown):
    (owner,) = map(json.loads, shown(shopping(), "shown", "--json").splitlines())
    items = owner["values"]["Shop.items"]
    assert (items["position"], items["total"], len(items["rows"])) == (3, 10000, 10000)
    assert items["rows"][0] == {"key": "3", "json": {"id": 3, "title": "6 eggs"}}


def value_of(text):
    return text.split(" = ")[1].split("  #")[0]


def test_rows_are_shown_by_their_kind(shown):
    def value(form, *rows):
        made = JournalWriter()
        made.type("Rows", form | VALUE | LIST)
        made.event("Rows", whole(*rows))
        return value_of(shown(made, "shown"))

    assert value(TEXT, ("a", b"tea"), ("b", b"")) == '["tea", ""]'
    assert value(TEXT, ("a", b"\x1b" * 100), ("b", b"")).startswith('["\\u001b\\u001b')
    assert value(INTEGER, ("a", b"\2" + bytes(7)), ("b", b"\3" + bytes(7))) == "[2, 3]"
    assert value(JSON) == "[]"


def test_a_list_that_is_not_known_shows_how_many_rows_it_has(shown):
    made = shopping()
    made.skip(1)
    made.event("Shop.items", list_changes(9999, [(REMOVE, 0, 1)]), origin="Shop")
    assert value_of(shown(made, "shown")) == "[… of 9999]"
    (owner,) = map(json.loads, shown(made, "shown", "--json").splitlines())
    assert owner["values"]["Shop.items"] == {"position": 5, "flags": ["outside"], "total": 9999}


def test_a_mark_of_a_list_shows_nothing(shown):
    made = shopping()
    made.event("Shop.items", flags=OUTSIDE | MARKED, origin="Shop")
    assert value_of(shown(made, "shown")) == "<marked>"
    (owner,) = map(json.loads, shown(made, "shown", "--json").splitlines())
    assert owner["values"]["Shop.items"] == {"position": 4, "flags": ["outside", "marked"]}


def test_a_flight_recorder_shows_the_lists_that_its_files_begin_with(shown):
    made = JournalWriter(first=10)
    made.type("Shop.items", JSON | VALUE | LIST)
    made.say_list("Shop.items", 7, row(1, "tea"), origin="Shop")
    made.event("Noted", "something else")
    assert '  items = [{"id":1,"title":"tea"}]  #7\n' in shown(made, "shown")
    made.event("Shop.items", list_changes(2, [(INSERT, 1, 1)], [row(2, "milk")]), origin="Shop")
    value = value_of(shown(made, "shown"))
    assert value == '[{"id":1,"title":"tea"}, {"id":2,"title":"milk"}]'


def test_the_summary_says_what_rows_carry_and_what_was_shown(shown):
    lines = shown(shopping(), "info").splitlines()
    assert any(line.endswith("list of json  full") for line in lines)
    shown_at_end = '    Shop: items [{"id":3,"title":"6 eggs"}, … of 10000]'
    assert lines[-1] == shown_at_end
    assert "items" in shown(shopping(), "diagram", "-o", "-")


def test_a_part_of_a_longer_list_says_which(shown, tmp_path):
    made = JournalWriter()
    made.type("Names", TEXT | VALUE | LIST)
    names = [(RESET, 0, 2)], [("a", b"Ada"), ("b", b"Bob")], (0, 0, 2)
    made.event("Names", list_changes(2, *names, (20, 10000)))
    made.event("Names", list_changes(2, [], window=(20, 9999)))
    made.event("Names", list_changes(0, [(REMOVE, 0, 2)], window=(30, 30)))
    made.event("Names", list_changes(2, [], window=(20, 21)))

    assert shown(made, "dump").splitlines() == [
        "#1 Names =2 -0 ~0 of 2, rows 20-21 of 10000",
        "#2 Names +0 -0 ~0 of 2, rows 20-21 of 9999",
        "#3 Names +0 -2 ~0 of 0, no rows of 30",
        "#4 Names",
    ]
    rows = [json.loads(line) for line in shown(made, "dump", "--json").splitlines()]
    assert (rows[1]["offset"], rows[1]["count"], rows[1]["total"]) == (20, 2, 9999)
    assert [str(event) for event in mainstem.Journal(tmp_path / "a.journal")] == shown(
        made, "dump"
    ).splitlines()

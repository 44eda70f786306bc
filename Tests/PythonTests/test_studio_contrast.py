# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What `mainstem studio` shows of long values that changed, and of gestures that overlap."""

from __future__ import annotations

import json

import pytest
from journal_writer import (
    JSON,
    LIST,
    NOTICE,
    TEXT,
    UPDATE,
    VALUE,
    JournalWriter,
    list_changes,
    whole,
)
from mainstem.tool._contrast import words_in
from studio_asked import Asked


@pytest.fixture
def ask(tmp_path):
    opened = []

    def get(made):
        opened.append(Asked(made.save(tmp_path / "a.journal")))
        return opened[-1]

    yield get
    for asked in opened:
        asked.close()


class Page(JournalWriter):
    """A page that shows a value, which gestures set."""

    def __init__(self, contract):
        super().__init__()
        self.type("Page.shown", contract | VALUE)
        self.presses = 0
        self.name_origin(5, "Page", 5, 0)

    def press(self, text="", sets=None):
        self.presses += 1
        self.type(f"Pressed{self.presses}", TEXT | NOTICE)
        root = self.event(f"Pressed{self.presses}", text)
        self.correlations[root] = root
        if sets is not None:
            self.set(root, sets)
        return root

    def set(self, root, data):
        return self.event("Page.shown", data, cause=root, correlation=root, origin="Page")


def changed(asked, at, row):
    (value,) = asked.owner("Page", at, row)["values"]
    return value["old"], value["text"]


ROWS = [{"name": f"name {number}", "count": number} for number in range(20)]


@pytest.mark.parametrize(
    ("after", "old", "new"),
    [
        (ROWS[:7] + ROWS[8:], '[…, {"name": "name 7", "count": 7}, …] of 20', "[…, …] of 19"),
        (ROWS[1:], '[{"name": "name 0", "count": 0}, …] of 20', "[…] of 19"),
        (ROWS[:-1], '[…, {"name": "name 19", "count": 19}] of 20', "[…] of 19"),
        (
            [*ROWS[:5], {"name": "name 5", "count": 6}, *ROWS[6:]],
            '[…, {"name": "name 5", "count": 5}, …] of 20',
            '[…, {"name": "name 5", "count": 6}, …] of 20',
        ),
        (
            [*ROWS[:2], ROWS[3], ROWS[2], *ROWS[4:]],
            '[…, {"name": "name 2", "count": 2}, {"name": "name 3", "count": 3}, …] of 20',
            '[…, {"name": "name 3", "count": 3}, {"name": "name 2", "count": 2}, …] of 20',
        ),
    ],
)
def test_of_a_long_array_what_differs_is_shown(ask, after, old, new):
    made = Page(JSON)
    made.press(sets=json.dumps(ROWS))
    made.press(sets=json.dumps(after))
    assert changed(ask(made), 4, 1) == (old, new)


def test_the_history_of_a_value_says_what_it_was(ask):
    made = Page(JSON)
    made.press(sets=json.dumps(ROWS))
    made.press(sets=json.dumps(ROWS[1:]))
    made.press(sets="[]")
    found = ask(made).search("value:page.shown", 0)["found"]
    assert [each["payload"] for each in found[1:]] == [
        '[{"name": "name 0", "count": 0}, …] of 20 → […] of 19',
        f"[{', '.join(map(json.dumps, ROWS[1:]))[:120]}…] of 19 → [] of 0",
    ]


def test_of_a_long_text_what_differs_is_shown(ask):
    made = Page(TEXT)
    made.press(sets="a" * 300 + "old" + "b" * 300)
    made.press(sets="a" * 300 + "new" + "b" * 300)
    old, new = changed(ask(made), 4, 1)
    assert old.startswith("…aaaa") and "aold" in old and old.endswith("b…")
    assert new.startswith("…aaaa") and "anew" in new and len(new) < 130


def test_of_a_list_the_rows_that_differ_are_shown(ask):
    made = Page(TEXT | LIST)
    rows = [(f"key {number}", b"text of row %d" % number) for number in range(40)]
    made.press(sets=whole(*rows))
    made.press(sets=list_changes(40, [(UPDATE, 30, 1)], [("key 30", b"another text")]))
    old, new = changed(ask(made), 4, 1)
    assert old == "[…, text of row 30, …] of 40"
    assert new == "[…, another text, …] of 40"


def test_of_an_array_that_is_not_short_what_differs_is_shown(ask):
    made = Page(JSON)
    made.press(sets=json.dumps(ROWS[:3]))
    made.press(sets=json.dumps(ROWS[1:3]))
    assert changed(ask(made), 4, 1) == ('[{"name": "name 0", "count": 0}, …] of 3', "[…] of 2")


def test_what_is_short_is_whole(ask):
    made = Page(JSON)
    made.press(sets="[1,2]")
    made.press(sets="[1]")
    assert changed(ask(made), 4, 1) == ("[1,2]", "[1]")


def test_what_an_older_gesture_sets_late_was_set_by_a_newer_one(ask):
    made = Page(TEXT)
    made.press(sets="before")
    older = made.press("older")
    made.press("newer", sets="new")
    made.set(older, "late")
    asked = ask(made)

    assert changed(asked, 6, 1) == ('"new"', '"late"')
    assert changed(asked, 5, 2) == ('"before"', '"new"')
    assert asked.chain(1)["say"][-1] == (
        "2 events of other gestures came in between, from #4 to #5."
    )
    assert "between" not in asked.chain(2)["say"][-1]


def test_what_a_gesture_was_given_is_in_its_row(ask):
    made = JournalWriter()
    made.type("Page.pick", JSON | NOTICE)
    made.event("Page.pick", '{"name":"date","count":5,"sure":true,"by":null}')
    made.event("Page.pick", '{"names":["a"]}')
    made.event("Page.pick", "[1,")
    asked = ask(made)

    assert [row["text"] for row in asked.all_rows()] == ["[1,"]  # one row, of the last
    assert words_in(asked.live.event(1), 80) == "date, 5, true, null"
    assert words_in(asked.live.event(1), 6) == "date, …"
    assert words_in(asked.live.event(2), 80) == words_in(asked.live.event(3), 80) == ""

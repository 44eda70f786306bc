# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What `mainstem studio` says of a journal: what happened, what followed, what was shown, why."""

from __future__ import annotations

import json
import random
import struct

import pytest
from conftest import ROOT
from counter_session import FIRST, SECOND, Session, counter_session
from diary_session import diary_session
from journal_writer import (
    INTEGER,
    LIST,
    MARKED,
    MS,
    OUTSIDE,
    RESET,
    TEXT,
    TRACKED,
    VALUE,
    WITHHELD,
    WRITTEN,
    JournalWriter,
    list_changes,
    whole,
)
from mainstem.tool import _index, main
from mainstem.tool._answers import Wrong
from navigator_writer import NavigatorWriter
from studio_asked import Asked, differences
from test_tool_index import drawn
from todo_session import todo_session


@pytest.fixture
def ask(tmp_path):
    opened = []

    def get(made, name="a.journal"):
        asked = Asked(made.save(tmp_path / name))
        opened.append(asked)
        return asked

    yield get
    for asked in opened:
        asked.close()


def positions(chain):
    return [(int(event["at"]), event["depth"]) for event in chain["events"]]


# What happened ------------------------------------------------------------------------------------


def test_rows_are_what_came_from_outside(ask):
    asked = ask(counter_session())

    assert asked.titles() == [
        "asked RequestOpen.Counter View",
        "pressed up Counter",
        "typed eggs Counter.label",
        "pressed save Counter",
        "sent KeyPressed Ctrl+S",
    ]
    assert [row["at"] for row in asked.all_rows()] == ["1", "12", "17", "18", "21"]
    assert [row["events"] for row in asked.all_rows()] == [11, 5, 1, 6, 3]
    assert [row["values"] for row in asked.all_rows()] == [9, 3, 1, 2, 0]
    times = [row["time"] for row in asked.all_rows()]
    assert times == [0, 510 * MS, 1214 * MS, 1714 * MS, 1736 * MS]


def test_status_says_what_the_journal_is(ask):
    status = ask(todo_session()).status()

    assert (status["events"], status["rows"], status["first"], status["last"]) == (
        "15",
        4,
        "1",
        "15",
    )
    assert (status["name"], status["library"], status["sessions"]) == ("a.journal", "0.1.0", 1)
    assert (status["done"], status["reading"], status["live"], status["closed"]) == (
        1,
        False,
        False,
        True,
    )
    assert (status["duration"], status["failure"], status["notes"]) == (8622 * MS, 2, [])


def test_a_row_in_which_something_failed_says_so(ask):
    asked = ask(todo_session())

    assert [row["failed"] for row in asked.all_rows()] == [False, False, True, False]
    assert [event["failed"] for event in asked.chain(2)["events"]] == [False, False, True, True]
    assert 'failed with 1000: "No row with this id."' in asked.chain(2)["say"][-1]


def test_a_refused_run_is_no_failure(ask):
    assert ask(counter_session()).status()["failure"] == -1


def test_writes_of_one_value_are_one_row(ask):
    made = Session()
    made.open(FIRST)
    for length in range(1, 6):
        made.write("label", "eggs!"[:length])
    made.write("isDirty", b"\1")
    made.write("label", "ham")
    asked = ask(made)

    assert asked.titles()[1:] == [
        "typed eggs! Counter.label",
        "switched isDirty true Counter.isDirty",
        "typed ham Counter.label",
    ]
    assert [row["count"] for row in asked.all_rows()] == [1, 5, 1, 1]
    assert (asked.all_rows()[1]["at"], asked.all_rows()[1]["last"]) == ("12", "16")
    assert asked.chain(1)["say"] == [
        "“eggs!” was typed into Counter.label, 5 times. Nothing followed."
    ]
    assert [int(event["at"]) for event in asked.chain(1)["events"]] == [12, 13, 14, 15, 16]


def test_each_press_is_a_row(ask):
    made = Session()
    made.open(FIRST)
    made.run("up")
    made.run("up")

    assert ask(made).titles()[1:] == ["pressed up Counter"] * 2


def test_writes_of_another_owner_or_session_are_other_rows(ask):
    made = Session()
    made.open(FIRST)
    made.open(SECOND, origin=9)
    made.write("label", "a")
    made.origins["Counter"] = 2
    made.write("label", "b")
    made.session()
    made.name_origin(2, "Counter", FIRST)
    made.write("label", "c")
    asked = ask(made)

    assert asked.titles()[2:] == [
        "typed a Counter[2].label",
        "typed b Counter.label",
        "typed c Counter.label",
    ]
    assert [row["session"] for row in asked.all_rows()] == [1, 1, 1, 1, 2]


def test_a_row_goes_on_in_the_next_file(ask):
    made = Session()
    made.open(FIRST)
    made.write("label", "a")
    made.rotate()
    made.name_origin(5, "Counter", FIRST)
    made.write("label", "b")
    asked = ask(made)

    assert asked.titles()[1:] == ["typed b Counter.label"]
    assert asked.all_rows()[1]["count"] == 2
    assert asked.status()["sessions"] == 1


def test_a_row_has_a_bound(ask, monkeypatch):
    monkeypatch.setattr("mainstem.tool._gestures._FOLDED", 3)
    made = JournalWriter()
    for number in range(8):
        made.event("Moved", f"{number}")

    assert [row["count"] for row in ask(made).all_rows()] == [3, 3, 2]


def test_what_a_navigator_is_told_is_in_its_words(tmp_path):
    asked = Asked(diary_session(str(tmp_path / "d.journal")))

    titles = asked.titles()
    assert titles[:5] == [
        "ready",
        "open app",
        "open diary",
        "open drawer",
        "pressed pick 3 DiaryList",
    ]
    assert titles[9] == "pressed delete DiaryPage[2]"
    assert titles[-1] == "gone app"
    assert asked.titles()[asked.status()["failure"]] == "pressed unlock DiaryList"
    assert differences(asked, tmp_path / "d.journal") == []
    asked.close()


def test_a_wrong_navigator_is_no_crash(ask):
    made = NavigatorWriter()
    made.opens(12, "a")
    made.event("MainstemMove", "no json", flags=OUTSIDE | TRACKED)
    made.gone(99)

    assert len(ask(made).titles()) == 3


def test_numbers_below_and_beyond_are_no_rows(ask):
    asked = ask(counter_session())

    assert (
        asked.rows(5, 10)["rows"] == asked.rows(2**70, 1)["rows"] == asked.rows(0, 0)["rows"] == []
    )
    assert [row["row"] for row in asked.rows(3, 2**70)["rows"]] == [3, 4]
    for row in (5, -1, 2**70):
        with pytest.raises(Wrong, match=f"there is no row {row}"):
            asked.chain(row)


# What followed ------------------------------------------------------------------------------------


def test_a_chain_is_a_tree(ask):
    chain = ask(todo_session()).chain(1)

    assert positions(chain) == [(5, 0), (6, 1), (7, 2), (9, 3), (8, 2), (10, 3)]
    first = chain["events"][0]
    assert (first["name"], first["by"], first["layer"]) == (
        "RequestToggleTodo",
        "View",
        "viewmodel",
    )
    assert (first["kind"], first["payload"], first["cause"]) == ("request", '{"id":1}', "")
    assert [(event["begin"], event["end"]) for event in chain["events"][:3]] == [
        (0, 15 * MS),
        (MS, 13 * MS),
        (13 * MS, 13 * MS),
    ]
    assert chain["say"] == [
        "RequestToggleTodo was asked. 5 events followed, 0 values changed, in 16 ms.",
        "12 ms of it ModelServer took to answer RequestSaveTodo.",
    ]


def test_a_request_without_an_answer_ends_where_it_begins(ask):
    chain = ask(todo_session()).chain(3)

    assert chain["say"] == ["RequestTodoList was asked. Nothing followed."]
    assert (chain["events"][0]["begin"], chain["events"][0]["end"]) == (0, 0)


def test_what_comes_late_is_told_apart(ask):
    made = JournalWriter()
    asked = made.event("RequestSave", "")
    made.event("Tick", "", cause=asked)
    made.event("ResponseSave", "", cause=0, answers=asked, after=60_000 * MS, flags=OUTSIDE)
    chain = ask(made).chain(0)

    assert chain["say"] == [
        "RequestSave was asked. 2 events followed, 0 values changed, in 1 ms.",
        "1 event came later, 60 s after it.",
    ]
    assert positions(chain) == [(1, 0), (2, 1), (3, 1)]


def test_what_another_gesture_caused_is_below_the_request_that_it_answers(ask):
    made = JournalWriter()
    first = made.event("RequestSave", "")
    second = made.event("Pressed", "")
    made.correlations[second] = second
    made.event("ResponseSave", "", cause=second, answers=first, correlation=first)
    asked = ask(made)

    assert positions(asked.chain(0)) == [(1, 0), (3, 1)]
    assert positions(asked.chain(1)) == [(2, 0)]
    assert [step["text"] for step in asked.why(3)["steps"]] == ["Pressed", "(the context) answered"]


def test_a_chain_is_cut_off_and_says_so(ask, monkeypatch):
    monkeypatch.setattr("mainstem.tool._followed._CHAIN", 3)
    chain = ask(todo_session()).chain(1)

    assert (len(chain["events"]), chain["left_out"]) == (3, 3)
    assert " in " not in chain["say"][0]


def test_of_what_is_much_the_chain_has_what_is_asked_for(ask, monkeypatch):
    monkeypatch.setattr("mainstem.tool._followed._CHAIN", 3)
    made = JournalWriter()
    for _ in range(20):
        root = made.event("Pressed", "")
        made.correlations[root] = root
        for _ in range(4):
            made.event("Moved", "", cause=root, correlation=root)
    asked = ask(made)
    for at in range(1, 101):
        chain = asked.chain(0, at)
        there = [int(event["at"]) for event in chain["events"]]
        assert at in there and len(there) == min(3, 101 - there[0])
        assert chain["left_out"] == 100 - len(there)
        root = at - (at - 1) % 5
        assert there[0] == (1 if at <= 3 else root if at < root + 3 else at)


@pytest.mark.parametrize("seed", range(12))
def test_each_event_is_in_the_chain_of_one_row(seed, tmp_path, monkeypatch):
    monkeypatch.setattr(_index, "_EVENTS", 4)
    made = drawn(random.Random(seed))
    asked = Asked(made.save(tmp_path / "a.journal"))

    assert differences(asked, tmp_path / "a.journal") == []
    asked.close()


# What was shown -----------------------------------------------------------------------------------


def values_of(owner):
    return {
        value["name"]: (value["text"], value["old"])
        for value in owner["values"]
        if value["changed"]
    }


def test_changed_values_come_first_with_what_was_there(ask):
    asked = ask(counter_session())
    owner = asked.owner("Counter of #11", 16, 1)

    assert [value["name"] for value in owner["values"]][:4] == [
        "count",
        "isDirty",
        "save.enabled",
        "label",
    ]
    assert values_of(owner) == {
        "count": ("1", "0"),
        "isDirty": ("true", "false"),
        "save.enabled": ("true", "false"),
    }
    assert (owner["isNew"], owner["isGone"], owner["changes"]) == (False, False, 3)
    # Half of it: only what was there by then.
    assert values_of(asked.owner("Counter of #11", 13, 1)) == {"count": ("1", "0")}
    assert values_of(asked.owner("Counter of #11", 26, 1)) == values_of(owner)


def test_an_event_before_the_gesture_shows_nothing_of_it(ask):
    asked = ask(counter_session())
    owners = asked.shown(11, 3)["owners"]

    assert [(owner["isNew"], owner["isGone"], owner["changes"]) for owner in owners] == [
        (False, False, 0)
    ]


def two_counters():
    made = Session()
    made.open(FIRST)
    made.open(SECOND, origin=9)
    made.close(SECOND)
    return made


def test_an_owner_that_the_gesture_opened_is_new_and_one_that_it_ended_is_gone(ask):
    made = two_counters()
    made.origins["Counter"] = 2
    made.write("label", "x")
    asked = ask(made)

    assert not asked.owner("Counter of #11", 22, 1)["isNew"]
    assert asked.owner("Counter of #22", 22, 1)["isNew"]
    assert asked.owner("Counter of #22", 23, 2)["isGone"]
    # What came and went since is not the doing of the gesture.
    assert [owner["which"] for owner in asked.shown(24, 0)["owners"]] == [" of #11"]
    assert [owner["isGone"] for owner in asked.shown(24, 3)["owners"]] == [False]
    assert len(asked.shown(24, 1)["owners"]) == 1


def test_what_another_gesture_ended_is_not_gone_by_this_one(ask):
    made = Session()
    made.open(FIRST)
    made.open(SECOND, origin=9)
    asked_for = made.event("RequestSave", struct.pack("<q", 1), origin="View")
    made.close(SECOND)
    made.event("ResponseSaved", cause=0, answers=asked_for, origin="View")
    asked = ask(made)

    assert [owner["which"] for owner in asked.shown(25, 2)["owners"]] == [" of #11"]
    assert asked.owner("Counter of #22", 25, 3)["isGone"]


def test_what_an_owner_below_had_is_gone_with_it(ask):
    made = JournalWriter()
    made.type("Cell.number", INTEGER | VALUE)
    made.type("MainstemEnded", INTEGER)
    for scope, parent in ((5, 0), (55, 5), (6, 0)):
        made.name_origin(scope, f"Cell{scope}", scope, parent)
        made.event("Cell.number", struct.pack("<q", scope), origin=f"Cell{scope}")
    made.event("MainstemEnded", struct.pack("<q", 5), origin="Cell5")
    asked = ask(made)
    owners = asked.shown(4, asked.why(4)["row"])["owners"]

    assert {owner["owner"]: owner["isGone"] for owner in owners} == {
        "Cell5": True,
        "Cell55": True,
        "Cell6": False,
    }


def test_the_first_gesture_of_a_session_has_nothing_before_it(ask):
    made = Session()
    made.open(FIRST)
    made.session()
    made.name_origin(2, "Counter", FIRST)
    made.write("label", "x")
    owner, *more = ask(made).shown(12, 1)["owners"]

    assert more == []
    assert (owner["isGone"], values_of(owner)) == (False, {"label": ('"x"', None)})


def lists():
    made = JournalWriter()
    made.type("Page.rows", TEXT | VALUE | LIST)
    made.event("Page.rows", whole(("a", b"Milk"), ("b", b"Bread")), origin="Page")
    made.event("Page.rows", list_changes(1, [(1, 0, 1)]), origin="Page")
    window = list_changes(1, [(RESET, 0, 1)], [("c", b"Ham")], (0, 0, 1), window=(7, 9))
    made.event("Page.rows", window, origin="Page")
    return made


def test_a_list_shows_its_rows_before_and_after(ask):
    made = lists()
    made.event("Pressed", "")
    asked = ask(made)
    # All three are one row, as writes of one value are: nothing was there before it.
    assert asked.all_rows()[0]["count"] == 3
    assert [values_of(asked.owner("Page", at, 0))["rows"][0] for at in (1, 2, 3)] == [
        '["Milk", "Bread"]',
        '["Bread"]',
        '["Ham"], rows 7-7 of 9',
    ]


def test_a_list_shows_what_it_was(ask):
    made = JournalWriter()
    made.type("Page.rows", TEXT | VALUE | LIST)
    made.event("Page.rows", whole(("a", b"Milk"), ("b", b"Bread")), origin="Page")
    pressed = made.event("Pressed", "")
    made.event("Page.rows", list_changes(1, [(1, 0, 1)]), origin="Page", cause=pressed)

    assert values_of(ask(made).owner("Page", 3, 1)) == {"rows": ('["Bread"]', '["Milk", "Bread"]')}


def test_scopes_of_one_name_are_told_apart(ask):
    made = JournalWriter()
    made.type("Cell.text", TEXT | VALUE)
    for scope in (11, 12, 13):
        made.name_origin(scope, "Cell", scope)
        made.event("Cell.text", f"{scope}", origin="Cell")
    asked = ask(made)

    assert [row["by"] for row in asked.all_rows()] == ["Cell", "Cell[2]", "Cell[3]"]
    owners = asked.shown(3, 0)["owners"]
    assert [(owner["which"], owner["values"][0]["text"]) for owner in owners] == [
        ("", '"11"'),
        ("[2]", '"12"'),
        ("[3]", '"13"'),
    ]
    assert asked.event(3)["line"] == "#3 Cell.text Cell[3] 13"


SECRET = 1 << 50


def test_neither_secrets_nor_marks_are_ever_shown(ask):
    made = JournalWriter()
    made.type("Form.pin", TEXT | VALUE | SECRET)
    made.type("Form.name", TEXT | VALUE)
    made.event("Form.pin", "4711", origin="Form", flags=OUTSIDE | WRITTEN)
    made.event("Form.pin", "", origin="Form", flags=OUTSIDE | WITHHELD)
    made.event("Form.name", "", origin="Form", flags=OUTSIDE | MARKED)
    asked = ask(made)
    told = [
        asked.rows(0, 9),
        asked.shown(3, 0),
        *map(asked.event, (1, 2, 3)),
        *map(asked.why, (1, 3)),
    ]
    told += [asked.chain(row) for row in range(asked.status()["rows"])] + [asked.search("form", 0)]

    assert "4711" not in json.dumps(told)
    assert "<secret>" in json.dumps(told)
    assert "<marked>" in json.dumps(told)
    assert asked.find("4711") == []


@pytest.mark.parametrize("seed", range(3))
def test_shown_is_what_the_command_shows(seed, tmp_path, capsys, monkeypatch):
    """After each event of a random session, in blocks that are short."""
    for name, size in (("_EVENTS", 4), ("_SPACING", 0)):
        monkeypatch.setattr(_index, name, size)
    made = drawn(random.Random(seed))
    path = made.save(tmp_path / "a.journal")
    asked = Asked(path)
    for at in range(asked.live.first, asked.live.last + 1):
        assert main(["shown", str(path), "--json", "--at", str(at)]) == 0
        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        expected = [
            (
                row["owner"] or "(the context)",
                row["scope"],
                {(name, value["position"]) for name, value in row["values"].items()},
            )
            for row in rows
        ]
        for row in (0, len(asked.live.gestures) // 2):
            told = [
                (
                    owner["owner"],
                    int(owner["scope"]),
                    {(value["type"], int(value["at"])) for value in owner["values"]},
                )
                for owner in asked.shown(at, row)["owners"]
                if not owner["isGone"]
            ]
            assert sorted(told, key=str) == sorted(expected, key=str), at
    asked.close()


# Why, and an event whole --------------------------------------------------------------------------


def test_why_leads_from_the_gesture_to_the_value(ask):
    asked = ask(counter_session())

    assert asked.why(26) == {
        "at": "26",
        "row": 3,
        "time": 1_780_000_000,
        "name": "Counter.save.executing",
        "isValue": True,
        "text": "false",
        "steps": [
            {"at": "18", "text": "pressed save"},
            {"at": "19", "text": "RequestSave"},
            {"at": "24", "text": "Store answered"},
            {"at": "25", "text": "Counter answered"},
            {"at": "26", "text": "Counter.save.executing"},
        ],
    }
    assert asked.why(1)["steps"] == [{"at": "1", "text": "asked RequestOpen.Counter"}]
    for at in (0, 27, 2**64):
        with pytest.raises(Wrong, match="not in the journal"):
            asked.why(at)


def test_an_event_is_told_whole(ask):
    made = JournalWriter()
    made.event("Said", "x" * 70_000)
    made.event("Said", 'two\nlines \u202eand "quotes"')
    failed = made.event("RequestSave", "")
    made.fail("ResponseSave", "No room.", "Disk full.", "disk", cause=failed, answers=failed)
    asked = ask(made)

    assert len(asked.event(1)["payload"]) in range(65_536, 65_540)
    assert asked.event(2)["payload"] == 'two\\nlines \\u202eand "quotes"'
    told = asked.event(4)
    assert told["payload"] == "No room.\nDisk full.\ndisk"
    assert dict(told["fields"])["status"] == "1000"
    assert dict(told["fields"])["answers"] == "#3"
    assert told["line"] == '#4 ResponseSave 1000 ← #3 "No room."'


# Search -------------------------------------------------------------------------------------------


def test_search_finds_names_payloads_layers_status_and_values(ask):
    asked = ask(counter_session())

    assert asked.find("keypressed") == asked.find("CTRL+s") == [21]
    assert asked.find("Store") == [24]
    assert asked.find("model")[0] == 2
    assert asked.find("executing already") == [23]
    assert asked.find("value:counter.count") == [2, 13]
    assert asked.find("value:") == asked.find("  ") == asked.find("nowhere") == []
    assert asked.find("failed") == []
    # A number is found in a payload that is no text.
    assert 13 in asked.find("1")
    assert asked.find("true") == [5, 14, 15, 20]


def test_search_finds_a_status_and_what_failed(ask):
    asked = ask(todo_session())

    assert asked.find("failed") == [13, 14]
    assert asked.find("1000") == [13, 14]
    made = JournalWriter()
    request = made.event("RequestSave", "")
    made.fail("ResponseSave", "left", cause=request, answers=request, status=14)
    asked = ask(made)
    assert asked.event(2)["fields"][2][1] == asked.chain(0)["events"][1]["status"]
    assert asked.find(asked.chain(0)["events"][1]["status"].upper()) == [2]


def test_search_knows_small_letters_and_capitals_of_all_tongues(ask):
    made = JournalWriter()
    for text in ("Äpfel", "ÄPFEL", "äpfel", "Apfel", "ΣΊΣΥΦΟΣ", "Ёлка"):
        made.event("Said", text)
    asked = ask(made)

    assert asked.find("äpfel") == asked.find("ÄPFEL") == [1, 2, 3]
    assert asked.find("ёлка") == asked.find("ЁЛКА") == [6]
    assert asked.find("\ud800") == []


def test_search_finds_no_text_across_two_records(ask):
    made = JournalWriter()
    made.event("Said", "one two")
    made.event("Said", "three")
    asked = ask(made)

    assert asked.find("two") == [1]
    data = made.bytes
    between = data[data.index(b"two") : data.index(b"three") + 5].decode("latin-1")
    assert asked.find(between) == asked.find("twothree") == []


def test_search_knows_the_names_of_each_moment(ask):
    made = JournalWriter()
    made.name_origin(1, "Old", 11)
    made.event("Said", "", origin="Old")
    made.name_origin(1, "New", 12)
    made.event("Said", "", origin="New")
    made.session()
    made.type("Other", TEXT, number=1)
    made.types["Said"] = (2, TEXT, "")
    made.event("Other", "")
    made.event("Said", "")
    asked = ask(made)

    assert (asked.find("old"), asked.find("new")) == ([1], [2])
    assert (asked.find("other"), asked.find("said")) == ([3], [1, 2, 4])


def test_search_finds_rows_of_a_list(ask):
    assert ask(lists()).find("bread") == [1]
    assert ask(lists(), "b.journal").find("ham") == [3]


def test_search_goes_on_where_it_stopped(ask, monkeypatch):
    monkeypatch.setattr(_index, "_EVENTS", 4)
    made = JournalWriter()
    for number in range(250):
        made.event("Said", f"{number}")
    asked = ask(made)

    assert asked.search("said", 0)["next"] == "101"
    assert asked.find("said") == list(range(1, 251))
    monkeypatch.setattr("mainstem.tool._answers._PATIENCE", -1)
    assert asked.find("said") == list(range(1, 251))
    assert asked.search("said", 2**70) == {"found": [], "next": ""}


def test_search_says_in_which_row_it_is(ask):
    found = ask(counter_session()).search("executing already", 0)["found"]

    assert [(each["at"], each["row"], each["by"]) for each in found] == [("23", 4, "Counter")]


# All journals -------------------------------------------------------------------------------------


def test_an_empty_journal_has_nothing(ask, tmp_path):
    asked = ask(JournalWriter())

    assert asked.rows(0, 10) == {"rows": [], "rows_in_all": 0}
    assert asked.status()["failure"] == -1
    assert (asked.status()["first"], asked.status()["events"], asked.status()["duration"]) == (
        "0",
        "0",
        0,
    )
    assert asked.search("x", 0) == {"found": [], "next": ""}
    with pytest.raises(Wrong):
        asked.shown(0, 0)
    (tmp_path / "blank").write_bytes(b"")
    blank = Asked(tmp_path / "blank")
    assert (blank.status()["events"], blank.status()["done"]) == ("0", 1)
    blank.close()


def test_a_journal_without_times_has_no_waterfall(ask):
    made = JournalWriter()
    made.time = 0
    request = made.event("RequestSave", "", after=0)
    made.event("ResponseSave", "", cause=request, answers=request, after=0)
    asked = ask(made)

    assert asked.status()["duration"] == asked.all_rows()[0]["time"] == 0
    chain = asked.chain(0)
    assert chain["say"] == ["RequestSave was asked. 1 event followed, 0 values changed."]
    assert {(event["begin"], event["end"]) for event in chain["events"]} == {(0, 0)}


def test_positions_that_were_skipped_are_nothing(ask):
    made = JournalWriter()
    made.event("Said", "a")
    made.skip(3)
    made.event("Said", "b", cause=3, correlation=3)
    made.skip(50)
    made.event("Told", "c")
    asked = ask(made)

    assert asked.titles() == ["sent Said a", "sent Told c"]
    assert [row["at"] for row in asked.all_rows()] == ["1", "56"]
    assert asked.why(5)["row"] == -1
    assert asked.find("said") == [1, 5]
    with pytest.raises(Wrong):
        asked.event(3)
    assert asked.shown(30, 0)["at"] == "30"


def test_a_first_position_beyond_one_is_right(ask):
    made = JournalWriter(first=1 << 40)
    made.event("Said", "a")
    asked = ask(made)

    assert asked.status()["first"] == asked.status()["last"] == str(1 << 40)
    assert asked.shown(0, 0)["at"] == str(1 << 40)


@pytest.mark.parametrize(
    "path", sorted((ROOT / "Tests" / "journals").glob("*.journal")), ids=lambda path: path.stem
)
def test_journals_of_older_versions_are_shown(path):
    asked = Asked(path)
    for at in range(asked.live.first, asked.live.last + 1):
        row = asked.why(at)["row"]
        asked.shown(at, max(row, 0))
        asked.event(at)

    assert differences(asked, path) == []
    assert asked.status()["notes"] == []
    asked.close()

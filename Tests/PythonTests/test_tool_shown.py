# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`python3 -m mainstem shown`: what every owner showed after an event."""

from __future__ import annotations

import json
import struct

import pytest
from counter_session import FIRST, SECOND, WINDOW, Session, counter_session
from journal_writer import (
    BYTES,
    INTEGER,
    JSON,
    MARKED,
    NONE,
    OUTSIDE,
    TEXT,
    VALUE,
    WRITTEN,
    JournalWriter,
)
from mainstem.tool import main

SHOWN = """\
counter.journal after #20, 2026-09-21 14:13:22 UTC: 1 owner with values

Counter of #11
  count          = 1  #13
  label          = "eggs"  #17  written by a view
  isDirty        = true  #14
  up.enabled     = true  #5
  up.executing   = false  #6
  up.error       = ""  #7
  save.enabled   = true  #15
  save.executing = true  #20
  save.error     = ""  #10
"""


@pytest.fixture
def shown(tmp_path, capsys):
    def get(made, *arguments, name="a.journal", status=0):
        path = made.save(tmp_path / name)
        assert main(["shown", str(path), *map(str, arguments)]) == status
        return capsys.readouterr().out

    return get


@pytest.fixture
def values(shown):
    """The owners, each with what it shows."""

    def get(made, *arguments):
        rows = [json.loads(line) for line in shown(made, "--json", *arguments).splitlines()]
        return [
            (row["owner"], {name: _value(one) for name, one in row["values"].items()})
            for row in rows
        ]

    return get


def _value(row):
    return next((row[key] for key in ("value", "text", "json", "base64") if key in row), None)


def said(*numbers):
    """A journal in which scopes say numbers; 0 tells that the scope before has ended."""
    made = JournalWriter()
    made.type("Cell.number", INTEGER | VALUE)
    made.type("MainstemEnded", INTEGER)
    for scope, number in numbers:
        if scope not in made.origins.values():
            made.name_origin(scope, f"Cell{scope}" if scope < 50 else "Cell", scope, scope // 10)
        name = next(name for name, each in made.origins.items() if each == scope)
        if number:
            made.event("Cell.number", struct.pack("<q", number), origin=name)
        else:
            made.event("MainstemEnded", struct.pack("<q", scope), origin=name)
    return made


def test_what_a_counter_showed_in_the_middle_of_a_session(shown):
    assert shown(counter_session(), "--at", 20, name="counter.journal") == SHOWN


def test_the_end_is_what_is_shown_without_a_position(shown, values):
    made = counter_session()

    assert "  save.executing = false  #26\n" in shown(made)
    assert shown(made, "--at", 26) == shown(made) == shown(made, "--at", 10**6)
    assert values(made, "--at", 12) == values(made, "--at", 11)


def test_before_the_first_event_nothing_is_shown(shown):
    assert shown(counter_session(), "--at", 0) == "a.journal: no events\n"
    assert shown(counter_session(), "--at", 0, "--json") == ""
    assert shown(counter_session(), "--at", 1).endswith(" UTC: 0 owners with values\n")


def test_an_owner_is_json_with_whole_values(shown):
    made = JournalWriter()
    made.type("Pages.items", JSON | VALUE)
    made.name_origin(1, "Pages", SECOND, WINDOW)
    data = '["' + "x" * 500 + '", 123456789012345678901]'
    made.event("Pages.items", data, origin="Pages", flags=OUTSIDE | WRITTEN)
    line = shown(made, "--json")

    assert line.endswith(f'"json": {data}}}}}}}\n')
    assert json.loads(line) == {
        "owner": "Pages",
        "scope": SECOND,
        "parent": WINDOW,
        "values": {
            "Pages.items": {
                "position": 1,
                "flags": ["outside", "written"],
                "json": ["x" * 500, 123456789012345678901],
            }
        },
    }
    assert '"opened": 11, ' in shown(counter_session(), "--json")


def test_an_owner_that_has_ended_shows_nothing(values):
    made = Session()
    made.open(FIRST)
    made.open(SECOND, origin=9)
    made.close(SECOND)

    assert [name for name, _ in values(made)] == ["Counter"]
    assert len(values(made, "--at", 22)) == 2
    made.name_origin(2, "Counter", FIRST, WINDOW)
    made.close(FIRST)
    assert values(made) == []


def test_what_is_below_an_owner_ends_with_it(values):
    made = said((5, 1), (55, 2), (50, 3), (6, 4), (5, 0))

    assert values(made) == [("Cell6", {"Cell.number": 4})]


def test_a_child_ends_when_no_list_of_its_parent_has_it_any_longer(values):
    made = JournalWriter()
    for name, form in (("Feed.cells", BYTES), ("Feed.chosen", BYTES), ("Cell.likes", INTEGER)):
        made.type(name, form | VALUE)
    made.type("Feed.profile.ended", INTEGER)
    made.name_origin(1, "Feed", 10)
    for number in (11, 12, 13, 14):
        made.name_origin(number, f"Cell{number}", number, 10 if number < 14 else 99)
        made.event("Cell.likes", struct.pack("<q", number), origin=f"Cell{number}")

    def show(name, *numbers):
        made.event(name, struct.pack(f"<{len(numbers)}Q", *numbers), origin="Feed")
        return [owner for owner, _ in values(made) if owner != "Feed"]

    assert len(show("Feed.cells", 11, 12, 13, 14)) == 4
    assert len(show("Feed.chosen", 11)) == 4
    assert len(show("Feed.chosen", 12)) == 4
    assert show("Feed.cells", 11, 13) == ["Cell11", "Cell12", "Cell13", "Cell14"]
    assert show("Feed.chosen", 11) == ["Cell11", "Cell13", "Cell14"]
    assert show("Feed.profile.ended", 13) == ["Cell11", "Cell14"]
    assert show("Feed.profile.ended", 14) == ["Cell11", "Cell14"]


def test_an_owner_below_another_has_an_end_of_its_own(values):
    made = Session()
    made.name_origin(8, "Window", WINDOW)
    made.open(FIRST)
    made.event("MainstemEnded", struct.pack("<Q", WINDOW), origin="Window")
    made.show(0, count=7)

    assert values(made)[0][1]["Counter.count"] == 7
    assert len(values(made)[0][1]) == 9


def test_what_an_owner_had_sent_before_its_end_shows_nothing_after_it(values):
    made = Session()
    made.open(FIRST)
    made.close(FIRST)
    made.show(11, count=7)
    made.rotate()
    made.name_origin(2, "Counter", FIRST, WINDOW)
    made.show(11, count=7)
    assert values(made) == values(made, "--at", 13) == []
    made.name_origin(2, "Counter", SECOND, WINDOW)
    made.show(0, count=8)
    assert values(made) == [("Counter", {"Counter.count": 8})]


def test_an_open_that_fails_leaves_nothing(values):
    made = Session()
    asked = made.event("RequestOpen.Counter", origin="View")
    made.name_origin(2, "Counter", FIRST, WINDOW)
    made.show(asked, count=7)
    made.name_origin(3, "Part", SECOND, FIRST)
    made.event("Counter.count", bytes(8), cause=asked, origin="Part")
    assert [name for name, _ in values(made)] == ["Counter", "Part"]
    made.fail("ResponseOpen.Counter", "No room.", cause=asked, answers=asked)
    made.show(asked, count=8)
    assert values(made) == []


def test_a_number_given_to_another_scope_means_an_owner_without_values(values):
    made = said((5, 1), (6, 2))
    made.name_origin(5, "Cell5", 77)
    assert values(made) == [("Cell6", {"Cell.number": 2})]
    made.name_origin(9, "Cell6", 6)
    assert values(made) == []


def test_each_session_begins_with_nothing(values):
    made = said((5, 1), (6, 2))
    made.session()
    made.types, made.described = {}, {}
    made.type("Counter.count", INTEGER | VALUE)
    made.event("Counter.count", struct.pack("<q", 9), origin="Counter")

    assert values(made, "--at", 2) == [
        ("Cell5", {"Cell.number": 1}),
        ("Cell6", {"Cell.number": 2}),
    ]
    assert values(made) == [("Counter", {"Counter.count": 9})]


def test_a_further_file_continues_what_is_shown(values):
    made = said((5, 1), (6, 2))
    made.rotate()
    made.name_origin(6, "Cell6", 6)
    made.event("Cell.number", struct.pack("<q", 3), origin="Cell6")

    assert values(made) == [("Cell5", {"Cell.number": 1}), ("Cell6", {"Cell.number": 3})]


def test_a_further_file_may_give_other_numbers(values):
    made = said((5, 1), (6, 2))
    made.rotate()
    made.name_origin(6, "Cell5", 5)
    made.name_origin(5, "Cell7", 7)
    made.event("Cell.number", struct.pack("<q", 3), origin="Cell5")
    made.event("Cell.number", struct.pack("<q", 4), origin="Cell7")

    assert values(made) == [
        ("Cell5", {"Cell.number": 3}),
        ("Cell6", {"Cell.number": 2}),
        ("Cell7", {"Cell.number": 4}),
    ]


def test_values_without_a_payload_are_named_too(shown):
    made = JournalWriter()
    for name, contract in (("A.mark", TEXT), ("A.empty", NONE), ("other", TEXT), ("A.key", TEXT)):
        made.type(name, contract | VALUE | (name == "A.key") << 50)
    made.event("A.mark", flags=OUTSIDE | MARKED, origin="A")
    made.event("A.empty", origin="A")
    made.event("other", "é\x1b[2J", origin="A")
    made.event("A.key", "swordfish", origin="A")
    made.event("other", "", origin="")

    assert shown(made).splitlines()[2:] == [
        "A",
        "  mark  = <marked>  #1",
        "  empty = set  #2",
        '  other = "é\\u001b[2J"  #3',
        "  key   = <secret>  #4",
        "",
        "(the context)",
        '  other = ""  #5',
    ]
    assert "swordfish" not in shown(made, "--json")


def test_what_precedes_damage_is_shown(shown, tmp_path, capsys):
    made = said((5, 1), (5, 2), (5, 3))
    data = bytearray(made.bytes)
    data[made.offsets[-1]] ^= 1
    path = tmp_path / "hurt.journal"
    path.write_bytes(data + bytes(made.bytes[-8:]))

    assert main(["shown", str(path)]) == 0
    assert "  Cell.number = 2  #2" in capsys.readouterr().out


def test_of_a_wall_of_cells_the_last_is_left(tmp_path, capsys):
    count = 4000
    made = JournalWriter()
    made.type("Cell.number", INTEGER | VALUE)
    made.type("MainstemEnded", INTEGER)
    for number in range(1, count + 1):
        made.origins = {}
        made.name_origin(number, "Cell", number, 1 << 40)
        made.event("Cell.number", struct.pack("<q", number), origin="Cell")
    for number in range(1, count):
        made.origins = {"Cell": number}
        made.event("MainstemEnded", struct.pack("<q", number), origin="Cell")
    path = made.save(tmp_path / "a.journal")

    assert main(["shown", str(path)]) == 0
    left = ["", f"Cell[{count}]", f"  number = {count}  #{count}"]
    assert capsys.readouterr().out.splitlines()[1:] == left

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Lists in journals: the reader of the page folds them as a muted replay shows them."""

from __future__ import annotations

import random
from typing import Any, Dict

import mainstem
import pytest
from journal_writer import (
    BOOL,
    BYTES,
    INSERT,
    INTEGER,
    JSON,
    LIST,
    MARKED,
    MOVE,
    NONE,
    OUTSIDE,
    REMOVE,
    RESET,
    STRUCT,
    SYSTEM,
    TEXT,
    UPDATE,
    VALUE,
    JournalWriter,
    list_changes,
    whole,
)
from mainstem import Context
from mainstem.journal_file import Journal, Lists, Proof
from mainstem.journal_file._record import LIST as LIST_RECORD

ROWS = [("a", b"1"), ("b", b"2"), ("c", b"3")]


def by_the_page(path):
    """The rows of each event of a list, by its position; None: the list is not known."""
    lists, found = Lists(), {}
    with Journal(str(path)) as journal:
        for record in journal.records():
            lists.take(record)
            if record.is_event and record.type_info.is_list:
                rows = lists.rows(record)
                found[record.position] = None if rows is None else [tuple(row) for row in rows]
        assert journal.ending.kind == "clean"
    return found


class Seen:
    """The same, of a context that an observer looks at."""

    def __init__(self, context, names):
        self.found = {}
        self._names = names
        context.observe(self._show)

    def _show(self, event):
        if event.name in self._names:
            rows = event.value
            whole = None if rows is None else rows._read_raw(range(len(rows)))
            self.found[event.position] = whole


def by_a_replay(path):
    """The same, as a muted replay shows it."""
    with mainstem.Journal(path) as journal:
        names = {event.name for event in journal if event.type_info.contract & LIST}
    with Context(raises=True) as context, context.replay(str(path)) as replay:
        seen = Seen(context, names)
        replay.to_end()
    return seen.found


# Journals that were recorded ----------------------------------------------------------------------

OBJECT = Dict[str, Any]
KINDS = {
    "Texts": str,
    "Numbers": int,
    "Words": OBJECT,
    "Parts": bytes,
    "Marked": str,
    "Given": str,
}


class Program:
    """Sets lists at random, outside and inside callbacks; its scopes come and end."""

    def __init__(self, seed, path, **options):
        self.draw = random.Random(seed)
        with Context(raises=True, seed=seed) as self.context:
            self.context.record(str(path), **options)
            seen = Seen(self.context, KINDS)
            for name, kind in KINDS.items():
                record = {"Marked": "mark", "Given": "inputs"}.get(name, "full")
                self.context.add_list(name, kind, key=self.key, record=record)
            self.context.add_type("Go", int)
            self.context.observe("Go", lambda event: self.set())
            # Each with its lists.
            self.scopes = [(each, {}) for each in (self.context, self.context.scope("Shop"))]
            for _ in range(self.draw.randrange(40, 120)):
                self.act()
        #: The rows of each event, as an observer saw them.
        self.seen = seen.found

    def key(self, row):
        return str(row["id"]) if isinstance(row, dict) else str(row)[:40]

    def act(self):
        what = self.draw.randrange(12)
        if what == 0:
            self.scopes.append((self.context.scope(self.draw.choice(("Shop", "Till"))), {}))
        elif what == 1 and len(self.scopes) > 2:
            self.scopes.pop(self.draw.randrange(1, len(self.scopes)))[0].end()
        elif what < 5:
            self.context.send("Go", what)
        else:
            self.set()

    def set(self):
        (scope, lists), name = self.draw.choice(self.scopes), self.draw.choice(list(KINDS))
        lists[name] = self.changed(KINDS[name], lists.get(name, []))
        scope.set_list(name, lists[name])

    def changed(self, kind, former):
        rows = list(former)
        for _ in range(self.draw.randrange(1, 4)):
            at = self.draw.randrange(len(rows) + 1)
            what = self.draw.randrange(4)
            if what == 0:
                del rows[at : at + 2]
            elif what == 1:
                moved = rows[at : at + 3]
                del rows[at : at + 3]
                rows += moved
            else:
                rows[at:at] = [self.row(kind) for _ in range(self.draw.randrange(4))]
        return list({self.key(row): row for row in rows}.values())

    def row(self, kind):
        number = self.draw.randrange(30)
        if kind is OBJECT:
            return {"id": number, "title": "x" * self.draw.randrange(40)}
        return str(number).encode() if kind is bytes else kind(number)


#: One file, several files, a flight recorder.
FILES = {"one": {}, "several": {"segment_size": 4096}, "last": {"segment_size": 4096, "keep": 2}}


def expect_seen(page, seen):
    """What is known is what an observer saw; how many events of lists there are, known or not."""
    known = [position for position, rows in page.items() if rows is not None]
    assert {each: page[each] for each in known} == {each: seen[each] for each in known}
    return len(known), len(page) - len(known)


@pytest.mark.parametrize("files", FILES)
def test_what_is_folded_is_what_an_observer_saw(tmp_path, files):
    for seed in range(20):
        path = tmp_path / f"{seed}.journal"
        seen = Program(seed, path, **FILES[files]).seen
        page = by_the_page(path)
        expect_seen(page, seen)
        with Journal(str(path)) as journal:
            records, proof = list(journal.records()), Proof()
            # Only what a journal has not kept is unknown, and what comes behind that.
            for record in records:
                if record.is_event and page.get(record.position, ()) is None:
                    assert record.name in ("Marked", "Given")
            has_lists = [record.kind for record in records].count(LIST_RECORD) > 0
            assert has_lists is (files == "last" and len(journal.headers) > 1)
            for record in records:
                proof.take(record)
        assert not proof.findings


@pytest.mark.parametrize("files", FILES)
def test_what_is_folded_is_what_a_replay_shows(tmp_path, files):
    for seed in range(20):
        path = tmp_path / f"{seed}.journal"
        Program(seed, path, **FILES[files])
        assert by_the_page(path) == by_a_replay(path)


@pytest.mark.parametrize("files", FILES)
def test_what_is_folded_of_a_salvaged_journal_with_a_hole_is_what_was_seen(tmp_path, files):
    known = unknown = 0
    for seed in range(20):
        path, to = tmp_path / f"{seed}.journal", tmp_path / f"{seed}.salvaged"
        seen = Program(seed, path, **FILES[files]).seen
        hurt(path, random.Random(seed))
        assert mainstem.salvage(path, to).lost_positions > 0
        page = by_the_page(to)
        some, not_known = expect_seen(page, seen)
        known, unknown = known + some, unknown + not_known
        if files == "one":
            assert page == by_a_replay(to)
    # The files of a flight recorder make lists known again.
    assert known > 0 < unknown
    assert files != "last" or known > 2 * unknown


def hurt(path, draw):
    """Destroys a record of an event in the middle."""
    with Journal(str(path)) as journal:
        places = [(record.path, record.offset) for record in journal.events()]
    name, offset = draw.choice(places[len(places) // 4 : len(places) // 2])
    with open(name, "r+b") as file:
        file.seek(offset)
        file.write(b"\xff" * 8)


# Journals that were written by hand ---------------------------------------------------------------


def lists_made(form=BYTES, position=0):
    made = JournalWriter(first=position + 1)
    made.type("Rows", form | VALUE | LIST)
    made.name_origin(1, "Shop", scope=7)
    return made


def told(tmp_path, made):
    """The keys of the rows after each event, as both see it."""
    path = made.save(tmp_path / "a.journal")
    page = by_the_page(path)
    assert page == by_a_replay(path)
    return [rows if rows is None else b"".join(key for key, _ in rows) for rows in page.values()]


def test_an_event_says_its_changes_and_the_rows_that_they_bring(tmp_path):
    made = lists_made()
    changes = [(REMOVE, 1, 1), (MOVE, 1, 1, 0), (INSERT, 2, 1), (UPDATE, 0, 1)]
    made.event("Rows", whole(*ROWS))
    made.event("Rows", list_changes(3, changes, [("d", b""), ("c", b"4")], (0, 3, 3)))
    made.event("Rows", b"no changes")
    made.event("Rows", flags=OUTSIDE | MARKED)
    made.event("Noted", "no list")
    with Journal(str(made.save(tmp_path / "a.journal"))) as journal:
        first, second, *others = [event.list_changes for event in journal.events()]

    assert str(first) == "=3 -0 ~0 of 3"
    assert (first.total, first.is_reset, first.rows) == (3, True, tuple(row_bytes(ROWS)))
    assert str(second) == "+1 -1 ~2 of 3"
    assert (second.total, second.span, second.is_reset) == (3, (0, 3, 3), False)
    assert list(second.each()) == [
        (("remove", 1, 1, 0), ()),
        (("move", 1, 1, 0), ()),
        (("insert", 2, 1, 0), ((b"d", b""),)),
        (("update", 0, 1, 0), ((b"c", b"4"),)),
    ]
    assert others == [None, None, None]


def row_bytes(rows):
    return [(key.encode(), data) for key, data in rows]


CHANGES = {
    "insert at the end": ([(INSERT, 3, 1)], [("d", b"")], 4, b"abcd"),
    "remove from behind": ([(REMOVE, 2, 1), (REMOVE, 0, 1)], [], 1, b"b"),
    "move back": ([(MOVE, 0, 1, 2)], [], 3, b"bca"),
    "move to the front": ([(MOVE, 1, 2, 0)], [], 3, b"bca"),
    "update": ([(UPDATE, 1, 1)], [("b", b"9")], 3, b"abc"),
    "nothing": ([], [], 3, b"abc"),
    "reset": ([(RESET, 0, 1)], [("z", b"")], 1, b"z"),
    "reset to nothing": ([(RESET, 0, 0)], [], 0, b""),
    "another total": ([(INSERT, 3, 1)], [("d", b"")], 5, None),
    "insert beyond the end": ([(INSERT, 4, 1)], [("d", b"")], 4, None),
    "remove beyond the end": ([(REMOVE, 2, 2)], [], 1, None),
    "move beyond the end": ([(MOVE, 0, 1, 3)], [], 3, None),
    "move from beyond the end": ([(MOVE, 3, 1, 0)], [], 3, None),
    "update beyond the end": ([(UPDATE, 3, 1)], [("d", b"")], 3, None),
    "update of another key": ([(UPDATE, 1, 1)], [("c", b"")], 3, None),
    "two rows of one key": ([(INSERT, 0, 1)], [("a", b"")], 4, None),
    "two rows of one key in a reset": ([(RESET, 0, 2)], [("a", b""), ("a", b"")], 2, None),
    "more than it ever has": ([(INSERT, 0, 2), (REMOVE, 0, 2)], [("x", b""), ("y", b"")], 3, None),
}


@pytest.mark.parametrize("what", CHANGES)
def test_changes_lead_to_the_list_or_leave_it_unknown(tmp_path, what):
    changes, rows, total, keys = CHANGES[what]
    made = lists_made()
    made.event("Rows", whole(*ROWS))
    made.event("Rows", list_changes(total, changes, rows))
    made.event("Rows", list_changes(total, []))
    made.event("Rows", whole(("again", b"")))
    assert told(tmp_path, made) == [b"abc", keys, keys, b"again"]


UNSOUND = {
    "too short": (BYTES, whole(*ROWS)[:23]),
    "a word that is not 0": (BYTES, whole(*ROWS)[:20] + b"\1" + whole(*ROWS)[21:]),
    "more changes than bytes": (BYTES, list_changes(0, [])[:16] + b"\1\0\0\0\0\0\0\0"),
    "an unknown kind": (BYTES, list_changes(0, [(5, 0, 1)])),
    "a run of nothing": (BYTES, list_changes(0, [(REMOVE, 0, 0)])),
    "a reset to nothing and more": (BYTES, list_changes(0, [(RESET, 0, 0), (REMOVE, 0, 1)])),
    "a row too few": (BYTES, list_changes(2, [(RESET, 0, 2)], ROWS[:1])),
    "a row too many": (BYTES, list_changes(1, [(RESET, 0, 1)], ROWS[:2])),
    "a row that is cut": (BYTES, whole(*ROWS)[:-1]),
    "an empty key": (BYTES, whole(("", b"1"))),
    "a long key": (BYTES, whole(("k" * 256, b"1"))),
    "a key that is no text": (BYTES, whole((b"\xff", b"1"))),
    "text that is none": (TEXT, whole(("k", b"\xff"))),
    "JSON that is no text": (JSON, whole(("k", b"\xed\xa0\x80"))),
    "another size": (INTEGER, whole(("k", b"1234567"))),
    "a struct of another size": (STRUCT | 4, whole(("k", b"12345"))),
    "neither true nor false": (BOOL, whole(("k", b"\2"))),
    "a row with a payload that has none": (NONE, whole(("k", b"1"))),
    "a form that nobody knows": (9 << 32, whole(("k", b"1"))),
}
SOUND = {
    "bytes": (BYTES, whole(("k", b""))),
    "the longest key": (BYTES, whole(("k" * 255, b"1"))),
    "an integer": (INTEGER, whole(("k", b"12345678"))),
    "a struct": (STRUCT | 4, whole(("k", b"1234"))),
    "true": (BOOL, whole(("k", b"\1"))),
    "nothing": (BYTES, whole()),
}


@pytest.mark.parametrize("what", [*UNSOUND, *SOUND])
def test_what_no_list_is_has_no_changes(tmp_path, what):
    form, data = {**UNSOUND, **SOUND}[what]
    made = lists_made(form)
    made.event("Rows", data)
    path = made.save(tmp_path / "a.journal")

    with Journal(str(path)) as journal:
        (event,) = journal.events()
        assert (event.list_changes is None) is (what in UNSOUND)
    with mainstem.Journal(path) as journal:
        (line,) = map(str, journal)
        assert (" of " in line) is (what in SOUND)


def test_changes_without_the_list_before_are_not_the_list(tmp_path):
    made = lists_made()
    made.event("Rows", list_changes(3, [(INSERT, 0, 3)], ROWS))
    made.event("Rows", whole(*ROWS))
    made.event("Rows", list_changes(2, [(REMOVE, 0, 1)]))
    assert told(tmp_path, made) == [None, b"abc", b"bc"]


def test_a_mark_leaves_only_its_list_unknown(tmp_path):
    made = lists_made()
    for origin in ("", "Shop"):
        made.event("Rows", whole(*ROWS), origin=origin)
    made.event("Rows", flags=OUTSIDE | MARKED)
    for origin in ("", "Shop"):
        made.event("Rows", list_changes(2, [(REMOVE, 0, 1)]), origin=origin)
    assert told(tmp_path, made) == [b"abc", b"abc", None, None, b"bc"]


def test_lost_positions_leave_all_lists_unknown_and_others_none(tmp_path):
    made = lists_made()
    made.event("Rows", whole(*ROWS))
    made.skip(2, cause=0)
    made.event("Rows", list_changes(2, [(REMOVE, 0, 1)]))
    made.skip(2)
    made.event("Rows", list_changes(1, [(REMOVE, 0, 1)]))
    assert told(tmp_path, made) == [b"abc", b"bc", None]


def test_a_file_that_begins_with_the_list_makes_it_known(tmp_path):
    made = lists_made(position=9)
    made.say_list("Rows", 8, *ROWS, origin="Shop")
    made.event("Rows", list_changes(2, [(REMOVE, 0, 1)]), origin="Shop")
    made.event("Rows", list_changes(1, [(REMOVE, 0, 1)]), origin="Shop")
    assert told(tmp_path, made) == [b"bc", b"c"]


def test_a_list_that_is_known_already_stays(tmp_path):
    made = lists_made()
    made.event("Rows", whole(*ROWS))
    made.say_list("Rows", made.position, ("other", b""))
    made.event("Rows", list_changes(2, [(REMOVE, 0, 1)]))
    assert told(tmp_path, made) == [b"abc", b"bc"]


def test_behind_a_loss_the_next_file_makes_a_list_known(tmp_path):
    made = lists_made()
    made.event("Rows", whole(*ROWS))
    made.skip(2)
    made.say_list("Rows", made.position, *ROWS[:2])
    made.event("Rows", list_changes(1, [(REMOVE, 0, 1)]))
    assert told(tmp_path, made) == [b"abc", b"b"]


def test_a_list_ends_with_its_scope(tmp_path):
    made = lists_made()
    made.type("MainstemEnded", INTEGER | SYSTEM)
    made.event("Rows", whole(*ROWS), origin="Shop")
    made.event("MainstemEnded", (7).to_bytes(8, "little"), origin="Shop")
    made.event("Rows", list_changes(2, [(REMOVE, 0, 1)]), origin="Shop")
    assert told(tmp_path, made) == [b"abc", None]


def test_a_number_given_to_another_scope_has_none_of_the_lists_of_before(tmp_path):
    made = lists_made()
    made.event("Rows", whole(*ROWS), origin="Shop")
    made.name_origin(1, "Shop", scope=8)
    made.event("Rows", list_changes(2, [(REMOVE, 0, 1)]), origin="Shop")
    assert told(tmp_path, made) == [b"abc", None]


def test_each_session_begins_without_lists(tmp_path):
    made = lists_made()
    made.event("Rows", whole(*ROWS))
    made.end()
    made.session()
    made.event("Rows", whole(*ROWS[:1]))
    made.event("Rows", list_changes(2, [(INSERT, 1, 1)], ROWS[1:2]))
    assert told(tmp_path, made) == [b"abc", b"a", b"ab"]


@pytest.mark.parametrize("size", [0, 39])
def test_a_list_record_that_is_too_short_is_damage(tmp_path, size):
    made = lists_made()
    made.event("Rows", whole(*ROWS))
    made.say(14, bytes(size))
    path = made.save(tmp_path / "a.journal")
    with Journal(str(path)) as journal:
        assert [event.position for event in journal.events()] == [1]
        assert "a list record is too short" in journal.ending.message
    with pytest.raises(mainstem.MainstemError), mainstem.Journal(path) as journal:
        list(journal)


def test_a_list_record_of_a_later_event_is_damage(tmp_path):
    made = lists_made()
    made.event("Rows", whole(*ROWS))
    made.say_list("Rows", 2, *ROWS)
    path = made.save(tmp_path / "a.journal")
    with Journal(str(path)) as journal:
        assert [event.position for event in journal.events()] == [1]
        assert "a list that comes later" in journal.ending.message
    with pytest.raises(mainstem.MainstemError), mainstem.Journal(path) as journal:
        list(journal)


def test_a_mark_behind_the_list_of_a_file_leaves_it_unknown(tmp_path):
    made = lists_made(position=9)
    made.say_list("Rows", 8, *ROWS)
    made.event("Rows", flags=OUTSIDE | MARKED)
    made.event("Rows", list_changes(2, [(REMOVE, 0, 1)]))
    assert told(tmp_path, made) == [None, None]


def test_the_next_file_leaves_the_values_of_scopes_whose_numbers_it_gives_to_others(tmp_path):
    path = tmp_path / "values.journal"
    with mainstem.Context() as context:
        context.record(path, segment_size=4096)
        context.add_type("V", str, role="value")
        context.add_type("Go", bytes)
        one, two = context.scope("One"), context.scope("Two")
        one.set("V", "1")
        two.set("V", "2")
        for _ in range(2):
            context.send("Go", bytes(4000))
        two.set("V", "3")
        one.set("V", "4")
    seen = []
    with mainstem.Context() as context, context.replay(path) as replay:
        replay.to_end()
        context.observe("V", lambda event: seen.append((event.origin, event.text)))
    assert seen == [("Two", "3"), ("One", "4")]


def test_a_replay_refuses_a_list_record_whose_rows_do_not_fit_its_type(tmp_path):
    made = lists_made(INTEGER, position=9)
    made.say_list("Rows", 8, ("a", b"no integer"))
    made.event("Rows", whole(("a", bytes(8))))
    path = made.save(tmp_path / "a.journal")
    raised = pytest.raises(mainstem.MainstemError)
    with mainstem.Context() as context, raised as refused, context.replay(path) as replay:
        replay.to_end()
    assert "a list whose rows do not fit its type" in str(refused.value)

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Journals that were recorded once stay readable: Tests/journals, NAME-VERSION.journal.

They are never recorded anew: a new version of the format adds a file, and so did the numbers of
scopes, which have 53 bits since 0.11 (NAME-VERSION-narrow). The last files of a flight recorder are
in flight-VERSION.
"""

from __future__ import annotations

import gzip

import kept_children
import kept_lists
import kept_navigation
import kept_reactors
import kept_windows
import mainstem
import pytest
from conftest import ROOT
from mainstem.journal_file import Journal, Lists, Proof
from mainstem.journal_file._record import ENDED
from mainstem.tool._reading import line_of

KEPT = sorted((ROOT / "Tests" / "journals").glob("*.journal"))


def lines_of(path):
    return path.with_suffix(".txt").read_text(encoding="utf-8").split("\n")[:-1]


def test_there_is_one_of_each_version():
    assert [path.stem for path in KEPT] == [
        "children-3",
        "lists-3",
        "navigation-3-narrow",
        "navigation-3",
        "reactors-3-narrow",
        "reactors-3",
        "state-3",
        "todo-1",
        "todo-2",
        "todo-3",
        "windows-3",
        "written-3-narrow",
        "written-3",
        "written-swift-3-narrow",
        "written-swift-3",
    ]


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_the_reader_of_the_page_reads_it(path):
    proof = Proof()
    lines = []
    with Journal(str(path)) as journal:
        for record in journal.records():
            proof.take(record)
            if record.is_event:
                lines.append(line_of(record))
        assert journal.ending.kind == "clean"
        assert journal.sessions[-1].ended

    assert lines == lines_of(path)
    assert (proof.findings, proof.open, proof.events) == ([], 0, len(lines))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_the_library_reads_it(path):
    with mainstem.Journal(str(path)) as journal:
        assert [str(event) for event in journal] == lines_of(path)
        assert journal.info.is_clean


JOURNALS = ROOT / "Tests" / "journals"
REACTORS = [JOURNALS / "reactors-3.journal", JOURNALS / "reactors-3-narrow.journal"]
NAVIGATION = [JOURNALS / "navigation-3.journal", JOURNALS / "navigation-3-narrow.journal"]
CHILDREN = JOURNALS / "children-3.journal"
LISTS = JOURNALS / "lists-3.journal"
WINDOWS = JOURNALS / "windows-3.journal"


@pytest.mark.parametrize(
    ("path", "kept"),
    [(path, kept_reactors) for path in REACTORS]
    + [(path, kept_navigation) for path in NAVIGATION]
    + [(CHILDREN, kept_children), (LISTS, kept_lists), (WINDOWS, kept_windows)],
    ids=lambda path: getattr(path, "stem", ""),
)
def test_it_verifies(path, kept):
    program, lines = kept.Program(), []
    program.context.observe(lambda event: lines.append(str(event)))
    with program.context.replay(path, verify=True) as replay:
        replay.to_end()
        info = replay.info
    program.context.close()

    assert info.ended
    assert info.verified_until == info.last
    assert lines == lines_of(path)


@pytest.mark.parametrize("path", REACTORS, ids=["wide", "narrow"])
def test_it_has_mutations_a_service_that_was_made_twice_and_a_record_of_ends(path):
    with Journal(str(path)) as journal:
        kinds = [each.status for each in journal.records() if not each.type]
    lines = lines_of(path)

    assert kinds.count(ENDED) >= 1
    assert sum("Feed.mutation" in line for line in lines) >= 6
    # It has forgotten thursday, and friday was not heard where the scope had ended.
    assert [line.split(" ")[-1] for line in lines if "ok" in line and "Diary" in line][-1] == (
        '{"entries":["monday","tuesday"]}'
    )
    assert sum("RequestUpdateEntries" in line for line in lines) == 1


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        (REACTORS[-1], kept_reactors),
        (NAVIGATION[-1], kept_navigation),
        (CHILDREN, kept_children),
        (LISTS, kept_lists),
        (WINDOWS, kept_windows),
    ],
    ids=["reactors", "navigation", "children", "lists", "windows"],
)
def test_the_program_still_records_the_same(path, kept, tmp_path):
    again = tmp_path / "again.journal"
    kept.record(str(again))
    with mainstem.Journal(again) as journal:
        assert [str(event) for event in journal] == lines_of(path)


@pytest.mark.parametrize("path", NAVIGATION, ids=["wide", "narrow"])
def test_a_muted_replay_shows_the_screens_of_then(path):
    program = kept_navigation.Program()
    with program.context.replay(path) as replay:
        replay.to_end()
        program.context.drain()
    # What is shown is told to the stage; the last change is what was there at the end.
    assert program.windows.shown == ["page/1"]
    program.context.close()


@pytest.mark.parametrize("path", NAVIGATION, ids=["wide", "narrow"])
def test_scopes_have_the_numbers_that_their_session_gives(path):
    """Also those that the program has made before it opens the session, and theirs below."""
    program = kept_navigation.Program()
    outer = program.context.scope("outer")
    scopes = [outer, outer.scope("inner"), outer.scope("inner"), program.context.scope("outer")]
    numbers = [scope.number for scope in scopes]
    with program.context.replay(path, verify=True) as replay:
        found = [scope.number for scope in scopes]
        assert [program.context.find_scope(number).name for number in found] == [
            "outer",
            "inner",
            "inner",
            "outer",
        ]
        scopes += [outer.scope("inner"), program.context.scope("outer")]
        found += [scope.number for scope in scopes[4:]]
        replay.to_end()
        shown = [each.number for each in program.nav.tree]
    program.context.close()

    is_narrow = path is NAVIGATION[-1]
    assert max(numbers) < 2**53
    assert (found[:4] == numbers) is is_narrow
    assert (max(found) < 2**53, max(shown) < 2**53) == (is_narrow, is_narrow)
    assert len(set(found)) == 6


# Lists --------------------------------------------------------------------------------------------

#: The last files of a flight recorder: the lists with which they begin are known nowhere else.
FLIGHT = JOURNALS / "flight-3"


def rows_of(path):
    """The rows of each event of a list, as the reader of the page folds them."""
    lists, found = Lists(), {}
    with Journal(str(path)) as journal:
        for record in journal.records():
            lists.take(record)
            if record.is_event and record.type_info.is_list:
                rows = lists.rows(record)
                found[record.position] = None if rows is None else [row.data for row in rows]
    return found


def shown_in(path):
    """The same, as a muted replay shows them."""
    program, found = kept_lists.Program(), {}

    def show(event):
        if isinstance(event.value, mainstem.Rows):
            found[event.position] = [
                data for _, data in event.value._read_raw(range(len(event.value)))
            ]
        elif event.name in ("Given", "Marked"):
            found[event.position] = event.value

    program.context.observe(show)
    with program.context.replay(path) as replay:
        replay.to_end()
        program.context.drain()
    program.context.close()
    return found


@pytest.fixture
def flight(tmp_path):
    for path in FLIGHT.glob("*.gz"):
        (tmp_path / path.stem).write_bytes(gzip.decompress(path.read_bytes()))
    return tmp_path / "lists.journal"


def test_a_muted_replay_shows_the_lists_of_then(flight):
    for path in (LISTS, flight):
        rows = rows_of(path)
        assert rows == shown_in(path)
        assert (None in rows.values()) is (path is flight)


def test_the_lists_of_a_flight_recorder_are_those_of_its_program(flight):
    words = [rows for rows in rows_of(flight).values() if rows is not None]
    assert words[0][:-1] == words[0][:3]
    assert words[-1] == [b"word 56", b"word 57", b"word 58", b"word 59"]
    lines = lines_of(FLIGHT / "lists")
    with mainstem.Journal(flight) as journal:
        assert [str(event) for event in journal] == lines
    with Journal(str(flight)) as journal:
        assert [line_of(event) for event in journal.events()] == lines

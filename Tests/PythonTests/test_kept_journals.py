# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Journals that were recorded once stay readable: Tests/journals, NAME-VERSION.journal.

They are never recorded anew: a new version of the format adds a file.
"""

from __future__ import annotations

import kept_navigation
import kept_reactors
import mainstem
import pytest
from conftest import ROOT
from mainstem._journal.record import ENDED
from mainstem.journal_file import Journal, Proof
from mainstem.tool.line import line_of

KEPT = sorted((ROOT / "Tests" / "journals").glob("*.journal"))


def lines_of(path):
    return path.with_suffix(".txt").read_text(encoding="utf-8").split("\n")[:-1]


def test_there_is_one_of_each_version():
    assert [path.stem for path in KEPT] == [
        "navigation-3",
        "reactors-3",
        "state-3",
        "todo-1",
        "todo-2",
        "todo-3",
        "written-3",
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


REACTORS = ROOT / "Tests" / "journals" / "reactors-3.journal"


NAVIGATION = ROOT / "Tests" / "journals" / "navigation-3.journal"

VERIFIED = pytest.mark.parametrize(
    ("path", "kept"),
    [(REACTORS, kept_reactors), (NAVIGATION, kept_navigation)],
    ids=["reactors", "navigation"],
)


@VERIFIED
def test_it_verifies(path, kept):
    program, lines = kept.Program(), []
    program.context.observe(lambda event: lines.append(str(event)))
    with program.context.replay(path, verify=True) as replay:
        replay.to_end()
        info = replay.info
    program.context.close()

    assert info.ended
    assert info.proves_until == info.last
    assert lines == lines_of(path)


def test_it_has_mutations_a_service_that_was_made_twice_and_a_record_of_ends():
    with Journal(str(REACTORS)) as journal:
        kinds = [each.status for each in journal.records() if not each.type]
    lines = lines_of(REACTORS)

    assert kinds.count(ENDED) >= 1
    assert sum("Feed.mutation" in line for line in lines) >= 6
    # It has forgotten thursday, and friday was not heard where the scope had ended.
    assert [line.split(" ")[-1] for line in lines if "ok" in line and "Diary" in line][-1] == (
        '{"entries":["monday","tuesday"]}'
    )
    assert sum("RequestUpdateEntries" in line for line in lines) == 1


@VERIFIED
def test_the_program_still_records_the_same(path, kept, tmp_path):
    again = tmp_path / "again.journal"
    kept.record(str(again))
    with mainstem.Journal(again) as journal:
        assert [str(event) for event in journal] == lines_of(path)


def test_a_muted_replay_shows_the_screens_of_then():
    program = kept_navigation.Program()
    with program.context.replay(NAVIGATION) as replay:
        replay.to_end()
        program.context.drain()
    # What is shown is told to the stage; the last change is what was there at the end.
    assert program.windows.shown == ["page/1"]
    program.context.close()

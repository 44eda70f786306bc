# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Journals that were recorded once stay readable: Tests/journals, NAME-VERSION.journal.

They are never recorded anew: a new version of the format adds a file.
"""

from __future__ import annotations

import mainstem
import pytest
from conftest import ROOT
from mainstem.journal_file import Journal, Proof
from mainstem.tool.line import line_of

KEPT = sorted((ROOT / "Tests" / "journals").glob("*.journal"))


def lines_of(path):
    return path.with_suffix(".txt").read_text(encoding="utf-8").split("\n")[:-1]


def test_there_is_one_of_each_version():
    assert [path.stem for path in KEPT] == ["state-3", "todo-1", "todo-2", "todo-3"]


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

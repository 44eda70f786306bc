# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Each planted fault can be planted: a run plays a part of them, and would not notice."""

from __future__ import annotations

import re
import sys

import pytest
from tree import ROOT

sys.path.insert(0, str(ROOT / "Tests" / "faults"))
import rows  # noqa: E402

FAULTS = rows.all_faults()
C_TESTS = {path.stem for path in (ROOT / "Tests" / "CTests").glob("*.c")}
SWIFT_TESTS = "\n".join(path.read_text() for path in (ROOT / "Tests").rglob("*Tests/**/*.swift"))


def test_each_fault_can_be_planted():
    assert rows.unfit(FAULTS) == ()


def is_seen_by_something(name):
    """Whether there is a test of that name."""
    first, _, rest = name.partition(".")
    word = rest.partition(".")[0]
    if re.fullmatch(r"\d\d[a-z]?", name) or first == "walk":
        return True
    if first in ("Swift", "Signals"):
        return f"struct {word} " in SWIFT_TESTS or f"class {word} " in SWIFT_TESTS
    if first in ("Python", "Core"):
        return (ROOT / f"Tests/PythonTests/test_{word}.py").exists()
    if first == "bridge":
        return (ROOT / f"Tests/NATSTests/test_{word}.py").exists()
    return first in C_TESTS


def test_the_tests_that_must_see_a_fault_are_there():
    assert [name for name in FAULTS if not is_seen_by_something(name)] == []


def written(lines):
    return rows.fault_of("x\nSomething is wrong.\n@@\n" + lines)


def test_a_row_says_what_is_there_and_what_comes():
    fault = written(" a\n-b\n+c\n@@\n\n-d\n")
    assert fault.edits == [rows.Edit("a\nb\n", "a\nc\n"), rows.Edit("\nd\n", "\n")]


def test_a_fault_changes_one_place():
    path = ROOT / "one.c"
    fault = written("-b\n+c\n")
    assert rows.planted(fault, {path: "a\nb\n"}) == {path: "a\nc\n"}
    assert rows.planted(fault, {path: "bb\nb\nb b"}) == {path: "bb\nc\nb b"}


@pytest.mark.parametrize("text", ["a\n", "b\nb\n"])
def test_a_fault_of_no_place_or_of_two_is_refused(text):
    with pytest.raises(rows.Unfit, match="in one place"):
        rows.planted(written("-b\n+c\n"), {ROOT / "one.c": text})


@pytest.mark.parametrize("lines", ["+c\n", " b\n", "b\n"])
def test_an_edit_that_changes_nothing_is_refused(lines):
    with pytest.raises(rows.Unfit):
        written(lines)


def test_a_field_that_is_none_is_refused():
    with pytest.raises(rows.Unfit, match="no such field"):
        rows.fault_of("x\nSomething is wrong.\nonly C\n@@\n-b\n")

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Forty children of one name: each command tells them apart, and in the same way."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Tuple

import mainstem
import pytest
from mainstem.tool import main

COUNT = 40


class Row(mainstem.ViewModel):
    number: int = mainstem.shown(0)

    def __init__(self, number: int) -> None:
        self.number = number

    @mainstem.command
    def up(self) -> None:
        self.number += 100


@dataclasses.dataclass(frozen=True)
class Entry:
    id: int


class Table(mainstem.ViewModel):
    entries: Tuple[Entry, ...] = mainstem.shown(())

    @mainstem.command
    def fill(self) -> None:
        self.entries = tuple(Entry(number) for number in range(1, COUNT + 1))

    @mainstem.children("entries")
    def rows(self, entry: Entry) -> Row:
        return Row(entry.id)


@pytest.fixture
def recorded(tmp_path):
    """A session of a table, whose seventh row goes up."""
    path = str(tmp_path / "a.journal")
    with mainstem.Context() as context:
        context.record(path)
        table = context.open(Table())
        view = table.bind()
        view.fill().result()
        rows = view.rows
        assert len(rows) == COUNT
        rows[6].bind().up().result()
    return path


def output(capsys, *arguments):
    assert main(list(arguments)) == 0
    return capsys.readouterr().out.splitlines()


def names(prefix=""):
    return [f"{prefix}Row", *(f"{prefix}Row[{number}]" for number in range(2, COUNT + 1))]


def test_shown_tells_them_apart(recorded, capsys):
    lines = output(capsys, "shown", recorded)
    assert [line for line in lines if line.startswith("Row")] == names()
    at = lines.index("Row[7]")
    assert re.match("  number += 107 ", lines[at + 1])


def test_info_tells_them_apart(recorded, capsys):
    lines = output(capsys, "info", recorded)
    shown = [line.split(":")[0] for line in lines if line.startswith("    Row")]
    assert shown == names("    ")[: len(shown)] and len(shown) > 10


def test_dump_tells_them_apart(recorded, capsys):
    lines = output(capsys, "dump", recorded, "--type", "Row.number")
    origins = [line.split()[-2] for line in lines]
    assert sorted(origins[:COUNT], key=len) == sorted(names(), key=len)
    assert origins[COUNT:] == ["Row[7]"]
    assert lines[COUNT].endswith("107")


def test_json_has_the_number_of_each_scope(recorded, capsys):
    rows = [json.loads(one) for one in output(capsys, "dump", "--json", recorded)]
    scopes = [row["scope"] for row in rows if row["type"] == "Row.number"]
    assert len(set(scopes[:COUNT])) == COUNT and scopes[COUNT] == scopes[6]
    shown = [json.loads(one) for one in output(capsys, "shown", "--json", recorded)]
    assert {row["scope"] for row in shown if row["owner"] == "Row"} == set(scopes)


def test_the_tree_tells_them_apart(recorded, capsys):
    lines = output(capsys, "tree", recorded)
    set_by = [re.search(r"by (Row\S*)", line) for line in lines if "Row.number = " in line]
    told = [found.group(1) for found in set_by if found]
    assert set(told) == set(names()[1:]) and told[-1] == "Row[7]"
    assert any("Row.up  run on Row[7] by a view" in line for line in lines)

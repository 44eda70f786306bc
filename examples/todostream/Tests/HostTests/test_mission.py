# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Acceptance rows of the mission, from both hosts: what is typed, and the events that it makes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import List

import pytest
from hosts import HOSTS, Run, mainstem

HOST = pytest.mark.parametrize("host", HOSTS)


def events(run: Run, first: str) -> List[str]:
    """The names of the events of a trace, without values, from the last one of a name on."""
    assert (run.code, run.errors.startswith("#")) == (0, True), run.errors
    names = re.findall(r"^#\d+ (\S+)(?: (ok|failed))?", run.errors, re.M)
    names = [name + (" failed" if how == "failed" else "") for name, how in names]
    return [name for name in names[len(names) - names[::-1].index(first) - 1 :] if "." not in name]


def use(host: str, folder: Path, script: str) -> Run:
    return Run(host, folder / "todo.sqlite", script.encode(), "--trace")


@HOST
def test_a_05_a_list_is_read_and_shown(host: str, tmp_path: Path) -> None:
    use(host, tmp_path, "add Old\nadd Gone\nadd New\ndelete 2\n")
    journal = tmp_path / "session.journal"
    run = Run(host, tmp_path / "todo.sqlite", b"list\n", "--trace", "--record", str(journal))
    assert run.output.decode() == "1. [ ] New\n2. [ ] Old\n2 of 2 to do\n"
    assert events(run, "RequestTodoViewModels") == [
        "RequestTodoViewModels",
        "RequestReadTodos",
        "ResponseTodos",
        "ResponseTodoViewModels",
    ]
    with mainstem.Journal(journal) as recorded:
        answers = [json.loads(event.data) for event in recorded if event.name == "ResponseTodos"]
    titles = [(todo["title"], todo["deleted"]) for todo in answers[-1]["todos"]]
    assert titles == [("New", False), ("Gone", True), ("Old", False)]


@HOST
def test_a_21_an_empty_title_is_refused_and_writes_nothing(host: str, tmp_path: Path) -> None:
    run = use(host, tmp_path, "add  \n")
    assert run.output.decode() == "Please add a title.\n"
    assert "RequestWriteTodo" not in run.errors

    run = use(host, tmp_path, "add Milk\n")
    assert events(run, "RequestUpdateDetailViewModel") == [
        "RequestUpdateDetailViewModel",
        "ResponseUpdateDetailViewModel",
        "RequestWriteTodo",
        "ResponseTodo",
        "ResponseTodoViewModel",
    ]


@HOST
@pytest.mark.parametrize("command", ("add  ", "edit 1  "))
def test_a_22_a_cancelled_edit_is_over(host: str, command: str, tmp_path: Path) -> None:
    use(host, tmp_path, "add Milk\n")
    run = use(host, tmp_path, f"{command}\nlist\n")
    names = events(run, "RequestCancelDetailViewModel")
    assert names[:2] == ["RequestCancelDetailViewModel", "ResponseUpdateDetailViewModel"]
    assert "RequestWriteTodo" not in run.errors
    assert run.output.decode().endswith("1. [ ] Milk\n1 of 1 to do\n")


@HOST
def test_a_23_a_view_prints_the_changes(host: str, tmp_path: Path) -> None:
    use(host, tmp_path, "add Old\nadd Middle\nadd New\n")
    for script, printed in (
        ("add Newest\n", "+ 1. [ ] Newest\n"),
        ("toggle 2\n", "* 2. [x] New\n"),
        ("toggle 2\n", "* 2. [ ] New\n"),
        ("delete 3\n", "- 3. [ ] Middle\n"),
        ("restore 1\n", "+ 3. [ ] Middle\n"),
        ("edit 4 Oldest\n", "* 4. [ ] Oldest\n"),
        ("move 1 4\n", "> 4. [ ] Newest\n"),
        ("delete 1\ntoggle 1\n", "- 1. [ ] New\n* 1. [x] Middle\n"),
    ):
        assert use(host, tmp_path, script).output.decode() == printed

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`python3 -m mainstem tree`: what caused what."""

from __future__ import annotations

import pytest
from journal_writer import MS, OUTSIDE, PROGRESS, JournalWriter
from mainstem.tool.command import main
from todo_session import todo_session

TREE = """\
todo.journal: 15 events in 4 chains. What came from outside, and indented below it what that caused:

  0:00.000  #1 RequestTodoList  by View  answered by #4 after 3 ms  {"order":"due"}
     +1 ms  └─ #2 RequestTodos  by ViewModelServer  answered by #3 after 1 ms  {}
     +2 ms     └─ #3 ResponseTodos  by ModelServer  answers #2  {"todos":[{"id":1,"title":"Milk"},{"id":2,"title":"Bread"}]}
     +3 ms        └─ #4 ResponseTodoList  by ViewModelServer  answers #1  {"rows":["Milk","Bread"]}

  0:02.303  #5 RequestToggleTodo  by View  answered by #9 after 15 ms  {"id":1}
     +1 ms  └─ #6 RequestSaveTodo  by ViewModelServer  answered by #7 after 12 ms  {"id":1,"done":true}
    +13 ms     ├─ #7 ResponseTodo  by ModelServer  answers #6  {"id":1,"done":true}
    +15 ms     │  └─ #9 ResponseTodoRow  by ViewModelServer  answers #5  {"title":"Milk","done":true}
    +14 ms     └─ #8 TodoChanged  by ModelServer  {"id":1}
    +16 ms        └─ #10 ListChanged  by ViewModelServer  {"row":0}

  0:04.619  #11 RequestToggleTodo  by View  ✗ failed by #14 after 3 ms  {"id":2}
     +1 ms  └─ #12 RequestSaveTodo  by ViewModelServer  ✗ failed by #13 after 1 ms  {"id":2,"done":true}
     +2 ms     └─ ✗ #13 ResponseTodo  by ModelServer  answers #12 with error 1000  "No row with this id."
     +3 ms        └─ ✗ #14 ResponseTodoRow  by ViewModelServer  answers #11 with error 1000  "No row with this id."

  0:08.622  #15 RequestTodoList  by View  ✗ no answer  {"order":"name"}
"""  # noqa: E501


def tree_of(made, path, capsys, *arguments):
    assert main(["tree", str(made.save(path)), *arguments]) == 0
    return capsys.readouterr().out


def shape(text):
    """The lines below the heading, without their times."""
    return [line[12:] for line in text.splitlines()[1:] if line]


def test_the_session_of_a_todo_list(tmp_path, capsys):
    assert tree_of(todo_session(), tmp_path / "todo.journal", capsys) == TREE


def test_chains_are_chosen_by_the_position_of_what_came_from_outside(tmp_path, capsys):
    text = tree_of(todo_session(), tmp_path / "a.journal", capsys, "--from", "2", "--to", "10")

    assert [line.split()[0] for line in shape(text) if line.startswith("#")] == ["#5"]


def test_an_answer_that_came_later_hangs_on_its_request(tmp_path, capsys):
    made = JournalWriter()
    asked = made.event("RequestFile")
    made.event("Step", "half", cause=asked, answers=asked, flags=PROGRESS)
    made.event("Other")
    made.event("ResponseFile", "whole", answers=asked, flags=OUTSIDE, after=2500 * MS)

    assert shape(tree_of(made, tmp_path / "a.journal", capsys)) == [
        "#1 RequestFile  answered by #4 after 2.5 s",
        "├─ #2 Step  progress of #1  half",
        "└─ #4 ResponseFile  answers #1  later  whole",
        "#3 Other",
    ]


def test_what_is_not_kept_begins_a_chain(tmp_path, capsys):
    made = JournalWriter(first=10)
    made.event("Effect", cause=4)
    made.event("Effect", cause=10)

    assert shape(tree_of(made, tmp_path / "a.journal", capsys)) == [
        "#10 Effect  caused by #4, which is not kept",
        "└─ #11 Effect",
    ]


def test_a_journal_without_times_shows_none(tmp_path, capsys):
    made = JournalWriter()
    made.event("First", time=0)
    made.event("Second", cause=1, time=0)

    assert tree_of(made, tmp_path / "a.journal", capsys).splitlines()[2:] == [
        "#1 First",
        "└─ #2 Second",
    ]


@pytest.mark.parametrize("count", [30000])
def test_a_chain_of_any_length_is_shown_in_lines_of_bounded_length(tmp_path, capsys, count):
    made = JournalWriter()
    made.event("Begin")
    for position in range(1, count):
        made.event("Next", cause=position)
    lines = tree_of(made, tmp_path / "a.journal", capsys).splitlines()

    assert len(lines) == count + 2
    assert max(map(len, lines)) < 120


def test_an_event_that_claims_to_be_its_own_cause_is_no_endless_chain(tmp_path, capsys):
    for wrong in ({"cause": 2}, {"cause": 9}, {"answers": 2}, {"correlation": 3}):
        made = JournalWriter()
        made.event("Right")
        made.event("Wrong", **wrong)
        path = made.save(tmp_path / "a.journal")

        assert main(["tree", str(path)]) == 1
        said = capsys.readouterr()
        assert "Wrong" not in said.out
        assert "damaged: a record has a header that no journal has" in said.err

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`python3 -m mainstem tree`: what caused what."""

from __future__ import annotations

import pytest
from counter_session import FIRST, SECOND, Session, counter_session
from journal_writer import (
    DISABLED,
    INTEGER,
    MS,
    OUTSIDE,
    PROGRESS,
    SHARED,
    TEXT,
    TRACKED,
    VALUE,
    WRITTEN,
    JournalWriter,
)
from mainstem.tool import main
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

#: From the first run on.
COUNTER = """\
counter.journal: 26 events in 5 chains. What came from outside, and indented below it what that caused:

  0:00.510  #12 Counter.up  run by a view  answered by #16 after 4 ms
     +1 ms  ├─ #13 Counter.count = 1 (was 0)
     +2 ms  ├─ #14 Counter.isDirty = true (was false)
     +3 ms  ├─ #15 Counter.save.enabled = true (was false)
     +4 ms  └─ #16 Counter.up.done  answers #12

  0:01.214  #17 Counter.label = "eggs" (was "")  written by a view

  0:01.714  #18 Counter.save  run by a view  answered by #25 after 65 ms
     +1 ms  ├─ #19 RequestSave  by Counter  answered by #24 after 63 ms  1
    +64 ms  │  └─ #24 ResponseSaved  by Store  answers #19  later
    +65 ms  │     └─ #25 Counter.save.done  answers #18
    +66 ms  │        └─ #26 Counter.save.executing = false (was true)
     +2 ms  └─ #20 Counter.save.executing = true (was false)

  0:01.736  #21 KeyPressed  Ctrl+S
     +1 ms  └─ #22 Counter.save  run by a view  refused by #23 after 1 ms: executing
     +2 ms     └─ #23 Counter.save.done  refuses #22: executing  "is executing already"
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


def test_what_was_skipped_has_a_cause_before_it(tmp_path, capsys):
    for cause, wanted in ((0, 0), (1, 0), (2, 1), (3, 1), (4, 1)):
        made = JournalWriter()
        made.event("Right")
        made.skip(3, cause)
        path = made.save(tmp_path / "a.journal")

        assert main(["tree", str(path)]) == wanted, cause
        assert (
            "a skipped record has a cause that comes later" in capsys.readouterr().err
        ) == wanted


def test_the_session_of_a_counter(tmp_path, capsys):
    path = tmp_path / "counter.journal"

    assert tree_of(counter_session(), path, capsys, "--from", "12") == COUNTER


def test_of_several_owners_each_is_told_by_what_opened_it(tmp_path, capsys):
    made = Session()
    made.open(FIRST)
    made.show(0, count=3)
    made.open(SECOND, origin=9)
    made.run("up")
    made.write("label", "x")
    made.close(SECOND)
    made.event("Told", cause=26, origin="Counter")
    lines = shape(tree_of(made, tmp_path / "a.journal", capsys, "--from", "12"))

    assert lines[:2] == [
        "#12 Counter.count = 3 (was 0)  by Counter of #11",
        "#13 RequestOpen.Counter  by View  answered by #23 after 10 ms",
    ]
    assert lines[11] == "└─ #23 ResponseOpen.Counter  opened Counter  answers #13"
    assert lines[-4:] == [
        "#24 Counter.up  run on Counter of #23 by a view  ✗ no answer",
        '#25 Counter.label = "x" (was "")  written to Counter of #23 by a view',
        "#26 MainstemEnded  ended Counter of #23",
        "└─ #27 Told  by Counter of #23",
    ]


def test_an_open_that_fails_opened_nothing(tmp_path, capsys):
    made = Session()
    made.event("RequestOpen.Counter", origin="View")
    fields = {"cause": 1, "answers": 1, "origin": "RequestOpen.Counter"}
    made.fail("ResponseOpen.Counter", "No room.", **fields)

    assert shape(tree_of(made, tmp_path / "a.journal", capsys)) == [
        "#1 RequestOpen.Counter  by View  ✗ failed by #2 after 1 ms",
        "└─ ✗ #2 ResponseOpen.Counter  by RequestOpen.Counter  answers #1 with error 1000"
        '  "No room."',
    ]


def test_a_run_of_a_disabled_command_is_refused(tmp_path, capsys):
    made = Session()
    made.refuse("save", made.run("save"), DISABLED, "the command is disabled")

    assert shape(tree_of(made, tmp_path / "a.journal", capsys)) == [
        "#1 Counter.save  run by a view  refused by #2 after 1 ms: disabled",
        '└─ #2 Counter.save.done  refuses #1: disabled  "the command is disabled"',
    ]


def test_a_former_value_is_shown_if_it_is_short_and_another(tmp_path, capsys):
    made = JournalWriter()
    made.type("Page.text", TEXT | VALUE)
    made.type("Page.size", INTEGER | VALUE)
    for text in ("a", "a", "b" * 23, "ä" * 22, "", "c" * 300):
        made.event("Page.text", text, origin="Page")
    made.event("Page.size", bytes(8), origin="Page")
    made.event("Page.size", bytes(8), origin="Other", flags=OUTSIDE | WRITTEN)

    assert shape(tree_of(made, tmp_path / "a.journal", capsys)) == [
        '#1 Page.text = "a"',
        '#2 Page.text = "a"',
        '#3 Page.text = "' + "b" * 23 + '" (was "a")',
        '#4 Page.text = "' + "ä" * 22 + '"',
        '#5 Page.text = "" (was "' + "ä" * 22 + '")',
        '#6 Page.text = "' + "c" * 78 + '… (was "")',
        "#7 Page.size = 0",
        "#8 Page.size = 0  written to Other by a view",
    ]


def test_shared_requests_and_copies_say_so(tmp_path, capsys):
    made = JournalWriter()
    first = made.event("RequestFile", flags=OUTSIDE | TRACKED | SHARED)
    asked = made.event("RequestFile", cause=first, flags=TRACKED)
    second = made.event("RequestFile", flags=OUTSIDE | TRACKED | SHARED)
    step = made.event("Step", cause=asked, answers=asked, flags=PROGRESS, origin="Store")
    made.event("Step", cause=step, answers=first, flags=PROGRESS | SHARED)
    answer = made.event("ResponseFile", "whole", cause=asked, answers=asked, origin="Store")
    for asker in (first, second):
        made.event("ResponseFile", "whole", cause=answer, answers=asker, flags=SHARED)

    assert shape(tree_of(made, tmp_path / "a.journal", capsys)) == [
        "#1 RequestFile  shared  answered by #7 after 6 ms",
        "└─ #2 RequestFile  answered by #6 after 4 ms",
        "   ├─ #4 Step  by Store  progress of #2",
        "   │  └─ #5 Step  a copy of #4  progress of #1",
        "   └─ #6 ResponseFile  by Store  answers #2  whole",
        "      ├─ #7 ResponseFile  a copy of #6  answers #1  whole",
        "      └─ #8 ResponseFile  a copy of #6  answers #3  whole",
        "#3 RequestFile  shared  answered by #8 after 5 ms",
    ]

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`python3 -m mainstem info`: what is in a journal."""

from __future__ import annotations

from counter_session import FIRST, SECOND, Session, counter_session
from diary_session import diary_session
from journal_writer import BYTES, INTEGER, STRUCT, VALUE, JournalWriter
from mainstem.tool import main
from navigator_writer import NavigatorWriter
from todo_session import todo_session

INFO = """\
journal  000102030405060708090a0b0c0d0e0f
files    1 file, 3,096 bytes: todo.journal
made     2026-09-21 14:13:20 UTC
events   15, positions 1 to 15, 2 failed
ending   closed

session 1: 2026-09-21 14:13:20 UTC, process 4711, Mainstem 0.1.0, level process, seed 7
  15 events sent by: ViewModelServer 7, View 4, ModelServer 4
  events  failed  type               role      layer      payload  kept
       2       0  RequestTodoList    request   viewmodel  json     full
       2       0  RequestToggleTodo  request   viewmodel  json     full
       2       1  ResponseTodoRow    response  viewmodel  json     full
       2       0  RequestSaveTodo    request   model      json     full
       2       1  ResponseTodo       response  model      json     full
       1       0  ResponseTodoList   response  viewmodel  json     full
       1       0  RequestTodos       request   model      json     full
       1       0  ResponseTodos      response  model      json     full
       1       0  TodoChanged        notice    model      json     full
       1       0  ListChanged        notice    viewmodel  json     full
"""


def info_of(capsys, path, status=0):
    assert main(["info", str(path)]) == status
    return capsys.readouterr().out


def test_the_session_of_a_todo_list(tmp_path, capsys):
    assert info_of(capsys, todo_session().save(tmp_path / "todo.journal")) == INFO


def test_sessions_and_segments_are_told_apart(tmp_path, capsys):
    made = JournalWriter()
    made.event("One")
    made.rotate()
    made.event("Two", cause=1)
    made.session()
    made.event("Three")
    lines = info_of(capsys, made.save(tmp_path / "a.journal")).splitlines()

    assert lines[1].endswith(" bytes: a.journal.000001 to a.journal.000002")
    assert lines[4] == "ending   still being written, or its program was killed"
    heads = [line.split(":")[0] for line in lines if line.startswith("session")]
    assert heads == ["session 1", "session 1, continued in another file", "session 2"]


def test_layers_payloads_and_what_is_kept_have_their_names(tmp_path, capsys):
    made = JournalWriter()
    made.layer(9, "billing")
    made.type("Bill", STRUCT | 16 | 9 << 40 | 1 << 48)
    made.type("Key", BYTES | 1 << 50)
    made.event("Bill", bytes(16))
    made.event("Key", b"")
    made.event("Unknown", b"", type=77)
    text = info_of(capsys, made.save(tmp_path / "a.journal"))

    assert "Bill     notice  billing  16 bytes  mark" in text
    assert "Key      notice  app      bytes     secret" in text
    assert "type 77  ?       ?        ?         ?" in text
    assert "3 events sent by: (the context) 3" in text


def test_a_journal_without_events_and_one_of_an_odd_time_can_be_shown(tmp_path, capsys):
    made = JournalWriter()
    made.time = -(1 << 63)
    made.session()

    assert "events   0, 0 failed" in info_of(capsys, made.save(tmp_path / "a.journal"))


def test_damage_is_said(tmp_path, capsys):
    made = todo_session()
    data = bytearray(made.bytes)
    data[made.offsets[-3]] ^= 1
    path = tmp_path / "a.journal"
    path.write_bytes(data)

    assert f"ending   DAMAGED at byte {made.offsets[-3]}" in info_of(capsys, path, status=1)


def test_values_and_commands_have_their_roles_and_the_end_is_shown(tmp_path, capsys):
    lines = info_of(capsys, counter_session().save(tmp_path / "a.journal")).splitlines()

    assert lines[3] == "events   26, positions 1 to 26, 0 failed, 1 refused"
    rows = {row[2]: (row[1], *row[3:]) for row in (line.split() for line in lines[8:-2])}
    assert rows["Counter.count"] == ("0", "value", "viewmodel", "integer", "full")
    assert rows["Counter.save"] == ("0", "command", "view", "none", "full")
    assert rows["Counter.save.done"] == ("0", "response", "viewmodel", "none", "full")
    assert rows["RequestSave"][1] == "request"
    assert lines[-2:] == [
        "  shown at its end by 1 owner:",
        '    Counter: count 1, label "eggs", isDirty true, up.enabled true, up.executing false, '
        'up.error "", save.enabled true, save.executing false, save.error ""',
    ]


def test_each_session_has_its_end(tmp_path, capsys):
    made = Session()
    made.open(FIRST)
    made.open(SECOND, origin=9)
    made.rotate()
    made.name_origin(9, "Counter", SECOND)
    made.close(SECOND)
    made.session()
    made.types = {}
    made.type("Counter.count", INTEGER | VALUE)
    made.event("Counter.count", b"\x07" + bytes(7), origin="Counter")
    lines = info_of(capsys, made.save(tmp_path / "a.journal")).splitlines()
    heads = ("session", "  shown", "    Counter:")

    assert [line.split(":")[0] for line in lines if line.startswith(heads)] == [
        "session 1",
        "session 1, continued in another file",
        "  shown at its end by 1 owner",
        "    Counter",
        "session 2",
        "  shown at its end by 1 owner",
        "    Counter",
    ]
    assert lines[-1] == "    Counter: count 7"


def test_what_is_long_is_cut_and_counted(tmp_path, capsys):
    made = JournalWriter()
    for number in range(20):
        made.type(f"Wide.value{number}", VALUE | INTEGER)
        made.event(f"Wide.value{number}", bytes(8), origin="Wide")
    made.type("Cell.text", VALUE | 2 << 32)
    for number in range(1, 31):
        made.origins.pop("Cell", None)
        made.name_origin(number + 1, "Cell", number)
        made.event("Cell.text", "x" * 50, origin="Cell")
    lines = info_of(capsys, made.save(tmp_path / "a.journal")).splitlines()

    assert "  50 events sent by: Cell 30, Wide 20" in lines
    assert lines[-22] == "  shown at its end by 31 owners:"
    assert lines[-21].startswith("    Wide: value0 0, ")
    assert lines[-21].endswith(", value15 0, and 4 more")
    names = ["Cell", *(f"Cell[{number}]" for number in range(2, 20))]
    assert lines[-20:-1] == [f'    {name}: text "' + "x" * 40 + '…"' for name in names]
    assert lines[-1] == "    and 11 more owners"


def test_a_number_given_to_another_name_is_counted_apart(tmp_path, capsys):
    made = JournalWriter()
    made.name_origin(3, "One", 30)
    made.event("Told", origin="One")
    made.name_origin(3, "Two", 31)
    made.event("Told", origin="Two")
    made.event("Told", origin="Two")

    text = info_of(capsys, made.save(tmp_path / "a.journal"))
    assert "  3 events sent by: Two 2, One 1" in text


def test_moves_and_what_they_opened_are_counted(tmp_path, capsys):
    text = info_of(capsys, diary_session(str(tmp_path / "diary.journal")))

    assert "\nevents   340, positions 1 to 340, 3 failed\n" in text
    assert (
        "\n  24 moves (open 18, pop 5, link 1) opened 17 components "
        "(screen 7, dialog 7, flow 1, embed 1, overlay 1); at the end there is nothing\n" in text
    )
    made = NavigatorWriter()
    made.opens(11, "home")
    made.rotate()
    made.name_all()
    made.opens(12, "diary", parent=11)
    text = info_of(capsys, made.save(tmp_path / "a.journal"))
    assert text.count(" moves (") == 1
    assert text.endswith(
        "\n  2 moves (open 2) opened 2 components (screen 2); at the end there is home, diary\n"
    )

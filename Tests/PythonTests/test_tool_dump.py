# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`python3 -m mainstem dump`: the line of the library, and lines of JSON."""

from __future__ import annotations

import itertools
import json
import math
import random
import struct
import unicodedata

import mainstem
import pytest
from journal_writer import BYTES, JSON, MARKED, OUTSIDE, STRUCT, TEXT, WITHHELD, JournalWriter
from journal_writer import NONE as NOTHING
from mainstem.tool import main
from mainstem.tool._reading import LONGEST, plain, shortened
from todo_session import todo_session

LINES = """\
#1 RequestTodoList View {"order":"due"}
#2 RequestTodos ← #1 ViewModelServer {}
#3 ResponseTodos ok ← #2 ModelServer {"todos":[{"id":1,"title":"Milk"},{"id":2,"title":"Bread"}]}
#4 ResponseTodoList ok ← #3 answers #1 ViewModelServer {"rows":["Milk","Bread"]}
#5 RequestToggleTodo View {"id":1}
#6 RequestSaveTodo ← #5 ViewModelServer {"id":1,"done":true}
#7 ResponseTodo ok ← #6 ModelServer {"id":1,"done":true}
#8 TodoChanged ← #6 ModelServer {"id":1}
#9 ResponseTodoRow ok ← #7 answers #5 ViewModelServer {"title":"Milk","done":true}
#10 ListChanged ← #8 ViewModelServer {"row":0}
#11 RequestToggleTodo View {"id":2}
#12 RequestSaveTodo ← #11 ViewModelServer {"id":2,"done":true}
#13 ResponseTodo 1000 ← #12 ModelServer "No row with this id."
#14 ResponseTodoRow 1000 ← #13 answers #11 ViewModelServer "No row with this id."
#15 RequestTodoList View {"order":"name"}
"""
HOSTILE = (
    "\x1b[2J\x1b]0;owned\x07\r\n#9 Faked ok\t\x7f\x9b31m\u2028\u2029\x85"
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
    "\u200b\u200c\u200d\u2060\ufeff\xad\U000e0041"
)


@pytest.fixture
def journal(tmp_path):
    return str(todo_session().save(tmp_path / "todo.journal"))


def dumped(capsys, *arguments):
    assert main(["dump", *map(str, arguments)]) == 0
    return capsys.readouterr().out


def test_each_event_is_a_line(journal, capsys):
    assert dumped(capsys, journal) == LINES


def test_a_part_is_chosen_by_positions_and_types(journal, capsys):
    lines = LINES.splitlines(keepends=True)

    assert dumped(capsys, journal, "--from", 4, "--to", 6) == "".join(lines[3:6])
    assert dumped(capsys, journal, "--type", "TodoChanged", "--type", "ListChanged") == (
        lines[7] + lines[9]
    )
    assert dumped(capsys, journal, "--from", 16) == ""


_draw = random.Random(7)
_SPECIAL = (0.5, -0.0, 0.1, 100.0, 1e22, 5e-324, 1 / 3, math.inf, -math.inf, math.nan)
NUMBERS = [struct.pack("<d", each) for each in _SPECIAL]
NUMBERS += [_draw.getrandbits(64).to_bytes(8, "little") for _ in range(300)]
NUMBERS += [
    struct.pack("<d", round(_draw.uniform(-1e6, 1e6), _draw.randrange(12))) for _ in range(300)
]

FORMS = {
    "Text": (TEXT, str, ["plain", "", HOSTILE, "ä" * 200, "x" * 241, "€" * 90]),
    "Json": (JSON, "json", ['{"a":"b"}']),
    "Some": (BYTES, bytes, [b"", b"\xff", b"1234"]),
    "Fixed": (STRUCT | 3, struct.Struct("3s"), [b"abc"]),
    "Nothing": (NOTHING, None, [b""]),
    "Ready": (5 << 32, bool, [b"\0", b"\1"]),
    "Counted": (6 << 32, int, [struct.pack("<q", each) for each in (0, -42, -(2**63))]),
    "Alpha": (7 << 32, float, NUMBERS),
    "ResponseText": (TEXT, str, ["yes"]),
}


def test_the_line_is_that_of_the_library(context, tmp_path, capsys):
    seen = []
    context.observe()(lambda event: seen.append(str(event.event)))
    made = JournalWriter()
    for name, (contract, payload, examples) in FORMS.items():
        made.type(name, contract)
        context.add_type(name, payload)
        for data in examples:
            made.event(name, data)
            context.send(name, data)

    assert len(seen) == sum(len(examples) for _, _, examples in FORMS.values())
    assert dumped(capsys, made.save(tmp_path / "a.journal")).split("\n")[:-1] == seen


def test_a_scalar_is_a_value_in_json(tmp_path, capsys):
    made = JournalWriter()
    for name, data in (
        ("Ready", b"\1"),
        ("Counted", struct.pack("<q", -42)),
        ("Alpha", struct.pack("<d", 0.5)),
        ("Alpha", struct.pack("<d", math.nan)),
        ("Alpha", b"short"),
    ):
        made.type(name, FORMS[name][0])
        made.event(name, data)
    path = made.save(tmp_path / "a.journal")

    rows = [json.loads(line) for line in dumped(capsys, path, "--json").splitlines()]
    assert [row.get("value") for row in rows] == [True, -42, 0.5, "nan", None]
    assert rows[4]["base64"] == "c2hvcnQ="
    values = [event.value for event in itertools.islice(mainstem.Journal(path), 4)]
    assert values[:3] == [True, -42, 0.5]
    assert math.isnan(values[3])


def test_nothing_in_a_journal_commands_the_terminal_or_fakes_a_line(tmp_path, capsys):
    made = JournalWriter()
    made.event("Name" + HOSTILE, HOSTILE, origin=HOSTILE)
    made.fail("Response" + HOSTILE, HOSTILE, HOSTILE, HOSTILE, cause=1, answers=1)
    path = made.save(tmp_path / "a.journal")
    for command in (["dump"], ["dump", "--json"], ["tree"], ["info"]):
        main([*command, str(path)])
        shown = capsys.readouterr().out
        assert not [letter for letter in shown if ord(letter) < 32 and letter != "\n"]
        assert not [letter for letter in shown if 127 <= ord(letter) < 160]
        kinds = ("Cc", "Cf", "Zl", "Zp", "Cs")
        assert {unicodedata.category(letter) for letter in shown}.isdisjoint(kinds) or {
            letter for letter in shown if unicodedata.category(letter) in kinds
        } == {"\n"}
        if command[0] == "dump":
            assert shown.count("\n") == 2


def test_every_character_is_as_in_the_line_of_the_library(context):
    lines = []
    context.trace(lines.append)
    context.add_type("T", str)
    points = [each for each in range(0x110000) if not 0xD800 <= each < 0xE000]
    texts = ["".join(map(chr, points[at : at + 40])) for at in range(0, len(points), 40)]
    context.send_many("T", texts)

    shown = [f"#{at} T {shortened(text.encode(), LONGEST)}" for at, text in enumerate(texts, 1)]
    assert lines == shown


def test_what_python_calls_format_is_escaped_or_can_be_seen():
    """Prepended marks of numbers and verses: they are seen."""
    seen = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
    for point in range(0x110000):
        if unicodedata.category(chr(point)) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            assert (plain(chr(point)) == chr(point)) == (point in seen), hex(point)


def test_what_was_not_kept_is_not_shown(tmp_path, capsys):
    made = JournalWriter()
    made.type("Secret", TEXT | 1 << 50)
    made.event("Changed", flags=MARKED | OUTSIDE)
    made.event("Secret", flags=WITHHELD | OUTSIDE)
    made.event("Secret", "swordfish")
    path = made.save(tmp_path / "a.journal")

    lines = "#1 Changed <marked>\n#2 Secret <secret>\n#3 Secret <secret>\n"
    assert dumped(capsys, path) == lines
    assert "swordfish" not in dumped(capsys, path, "--json")


def test_json_lines_have_everything(journal, capsys):
    rows = [json.loads(line) for line in dumped(capsys, journal, "--json").splitlines()]

    assert len(rows) == 15
    assert rows[6] == {
        "position": 7,
        "type": "ResponseTodo",
        "role": "response",
        "status": "ok",
        "cause": 6,
        "correlation": 5,
        "answers": 6,
        "time": 1790000002317000000,
        "origin": "ModelServer",
        "flags": [],
        "json": {"id": 1, "done": True},
    }
    assert rows[0]["flags"] == ["outside", "tracked"]
    assert rows[12]["status"] == "1000"
    assert rows[12]["error"] == {
        "message": "No row with this id.",
        "user_message": "It is gone.",
        "subject": "2",
    }


def test_json_payloads_stay_what_they_are(tmp_path, capsys):
    made = JournalWriter()
    made.type("Json", JSON)
    made.type("Some", BYTES)
    big = "123456789012345678901234567890.10"
    for data in (f'{{"n":\n\t{big}}}', "NaN", "{", "[" * 100000, '"\x9b\x7f"', "1e999"):
        made.event("Json", data)
    made.event("Json", b"\xff\xfe")
    made.event("Text", "a\nb\x00")
    made.event("Some", b"\x00\xff")
    lines = dumped(capsys, made.save(tmp_path / "a.journal"), "--json").splitlines()
    rows = [json.loads(line) for line in lines]

    assert f'"json": {{"n":  {big}}}' in lines[0]
    assert [row.get("text") for row in rows[1:3]] == ["NaN", "{"]
    assert rows[3]["text"] == "[" * 100000
    assert rows[4]["json"] == "\x9b\x7f"
    assert '"json": 1e999' in lines[5]
    assert (rows[6]["base64"], rows[8]["base64"]) == ("//4=", "AP8=")
    assert rows[7]["text"] == "a\nb\x00"

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`mainstem sqlite`: the database has what the other commands show, and is whole or not there."""

from __future__ import annotations

import base64
import json
import math
import re
import signal
import sqlite3
import struct

import pytest
from conftest import ROOT
from counter_session import FIRST, SECOND, counter_session
from diary_session import diary_session
from journal_writer import (
    BOOL,
    BYTES,
    INTEGER,
    JSON,
    MARKED,
    NUMBER,
    OUTSIDE,
    PROGRESS,
    TEXT,
    VALUE,
    WITHHELD,
    JournalWriter,
    flipped,
)
from mainstem.tool import _sqlite, main
from mixed_session import mixed_session
from navigator_writer import NavigatorWriter
from test_tool_kept import JOURNALS, journals
from test_tool_sizes import most_memory, recorded
from todo_session import todo_session
from tool import run, start

KEPT = dict(journals())
FLAGS = ("outside", "tracked", "progress", "timer", "written", "shared", "marked")


@pytest.fixture
def database(tmp_path, capsys):
    """Makes the database of a journal."""
    made = []

    def get(path, status=0):
        to = tmp_path / f"{len(made)}.sqlite"
        assert main(["sqlite", str(path), str(to)]) == status
        capsys.readouterr()
        made.append(sqlite3.connect(f"{to.as_uri()}?mode=ro", uri=True))
        made[-1].row_factory = sqlite3.Row
        assert made[-1].execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        return made[-1]

    yield get
    for each in made:
        each.close()


@pytest.fixture
def said(capsys):
    """The lines of JSON that a command prints."""

    def get(command, path, *arguments):
        assert main([command, str(path), "--json", *map(str, arguments)]) in (0, 1)
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return get


def rows(database, query, *arguments):
    return [tuple(row) for row in database.execute(query, arguments)]


# It has what the other commands show -------------------------------------------------------------


def _check_events(database, lines):
    found = database.execute("SELECT * FROM events ORDER BY position").fetchall()
    assert len(found) == len(lines)
    for row, line in zip(found, lines):
        for name in ("position", "type", "role", "status", "origin"):
            assert row[name] == line[name]
        for name in ("cause", "correlation", "answers"):
            assert (row[name] or 0) == line[name]
        assert int(row["scope"] or 0) == line.get("scope", 0)
        assert [name for name in FLAGS if row[name]] == [
            name for name in FLAGS if name in line["flags"] or name == _as_mark(name, line)
        ]
        assert row["time"] == line["time"] or (row["time"] is None and not line["time"])
        error = line.get("error", {})
        assert row["error"] == error.get("message")
        assert (row["user_message"], row["subject"]) == (
            error.get("user_message"),
            error.get("subject"),
        )
        _check_payload(row, line)


def _as_mark(name, line):
    return "marked" if "withheld" in line["flags"] else ""


def _check_payload(row, line):
    payload = row["payload"]
    if "json" in line:
        assert json.loads(payload) == line["json"]
    elif "text" in line:
        assert payload == line["text"]
    elif "value" in line:
        assert payload == line["value"]
    elif "base64" in line:
        assert payload == base64.b64decode(line["base64"])
    elif "changes" in line:
        assert json.loads(payload)["changes"] == line["changes"]
    else:
        assert payload is None


def _check_values(database, said, path):
    """What is shown after an event is what `shown --at` shows, at many of them."""
    positions = [row[0] for row in database.execute("SELECT position FROM events")]
    query = (
        "SELECT * FROM shown_values WHERE position <= ? AND (until IS NULL OR until > ?) "
        "ORDER BY position"
    )
    for at in [*positions[:: max(len(positions) // 15, 1)], positions[-1]]:
        expected = []
        for owner in said("shown", path, "--at", at):
            for name, value in owner["values"].items():
                expected.append((owner["owner"], owner["scope"], name, value["position"]))
        found = [
            (row["owner"], int(row["scope"] or 0), row["type"], row["position"])
            for row in database.execute(query, (at, at))
        ]
        assert sorted(found) == sorted(expected), at


def _check_screens(database, said, path):
    opened, closed, there = [], [], []
    for line in said("screens", path):
        if "shown" in line:
            there.append(line["shown"]["component"])
        if "opened" in line:
            one = line["opened"]
            opened.append((line["position"], line["session"], one["component"], one["url"]))
        for one in line.get("closed", []):
            closed.append((line["position"], one["component"], one["why"], one["along"]))
    query = "SELECT opened, session, component, url FROM screens ORDER BY 1"
    assert [(*row[:2], int(row[2]), row[3]) for row in rows(database, query)] == opened
    query = "SELECT closed, component, coalesce(why, ''), along FROM screens WHERE closed"
    found = [(row[0], int(row[1]), *row[2:]) for row in rows(database, query)]
    assert sorted(found) == sorted(closed)
    last = rows(database, "SELECT max(session) FROM events")[0][0]
    query = "SELECT component FROM screens WHERE closed IS NULL AND why IS NULL AND session = ?"
    assert [int(row[0]) for row in rows(database, query, last)] == there


def _check_requests(database, lines):
    answers = {}
    for line in lines:
        if line["answers"] and "progress" not in line["flags"]:
            answers.setdefault(line["answers"], line)
    for position, answer, by, status in rows(
        database, "SELECT position, answer, answered_by, status FROM requests"
    ):
        line = answers.pop(position, None)
        assert (answer, by, status) == (
            (line["position"], line["origin"], line["status"]) if line else (None, None, None)
        )
    assert answers == {}
    tracked = {line["position"] for line in lines if "tracked" in line["flags"]}
    assert tracked <= {row[0] for row in rows(database, "SELECT position FROM requests")}


@pytest.mark.parametrize("name", KEPT)
def test_a_kept_journal(database, said, tmp_path, name):
    path = tmp_path / f"{name}.journal"
    path.write_bytes(KEPT[name])
    made, lines = database(path), said("dump", path)

    _check_events(made, lines)
    _check_requests(made, lines)
    _check_values(made, said, path)
    _check_screens(made, said, path)


def test_a_flight_recorder_begins_with_its_lists(database, said, tmp_path):
    import gzip

    for file in (JOURNALS / "flight-3").glob("*.gz"):
        (tmp_path / file.name[:-3]).write_bytes(gzip.decompress(file.read_bytes()))
    path = tmp_path / "lists.journal"
    made = database(path)

    _check_values(made, said, path)
    query = "SELECT count(*) FROM shown_values WHERE position NOT IN (SELECT position FROM events)"
    assert rows(made, query)[0][0] > 0
    assert rows(made, "SELECT DISTINCT session FROM shown_values") == [(1,)]


def test_what_was_recorded(database, said, tmp_path):
    """Requests, progress, failures, cancellations, secrets, scopes, values and lists."""
    path = tmp_path / "mixed.journal"
    mixed_session(str(path))
    made = database(path)

    columns = "position, answer, answered_by, status, failed, progress, duration"
    assert rows(made, f"SELECT {columns} FROM requests ORDER BY 1") == [
        (8, 11, "read", "ok", 0, 2, 0),
        (12, 13, "read", "1000", 1, 0, 0),
        (14, 15, "", "cancelled", 1, 0, 2_000_000_000),
        (16, None, None, None, None, 0, None),  # A journal does not say what a secret answers.
        (18, 38, "", "cancelled", 1, 0, 0),
        (20, 28, "Shelf", "ok", 0, 0, 0),
        (29, 37, "Shelf", "ok", 0, 0, 0),
    ]
    assert rows(made, "SELECT error, user_message, subject FROM events WHERE position = 13") == [
        ("GONE", "It is gone.", "none")
    ]
    secrets = "SELECT position, time, payload, marked FROM events WHERE secret"
    assert rows(made, secrets) == [(each, None, None, 1) for each in (16, 17, 19)]
    query = "SELECT position, until, before, after FROM shown_values WHERE name = ? ORDER BY 1"
    assert rows(made, query, "ratio") == [
        (3, 27, None, 0.0),
        (27, 36, 0.0, 0.375),
        (36, None, 0.375, 0.25),
    ]
    assert [row[:2] for row in rows(made, query, "rows")] == [(2, 26), (26, 35), (35, None)]
    assert rows(made, query, "text")[:2] == [(21, 32, None, "1"), (22, 33, None, "2")]
    changes = json.loads(rows(made, query, "rows")[1][3])["changes"]
    assert [row["json"]["text"] for row in changes[0]["rows"]] == ["1", "2", "3"]
    whole = b"".join(path.read_bytes() for path in tmp_path.glob("*.sqlite"))
    for secret in (b"hunter2", b"t0ken", b"1234"):
        assert secret not in whole
    _check_events(made, said("dump", path))


def test_what_screens_shows_of_a_diary(database, said, tmp_path):
    path = diary_session(str(tmp_path / "diary.journal"))
    made = database(path)

    _check_screens(made, said, path)
    query = "SELECT kind, url, opened, closed, closed_by, why, result FROM screens WHERE opened = ?"
    assert rows(made, query, 52) == [("dialog", "confirm", 52, 58, 55, "result", "Confirmed")]


def test_sessions_and_files_are_one_database(database, said, tmp_path):
    made = counter_session()
    made.rotate()
    made.name_origin(1, "View", 0x42)
    made.name_origin(2, "Counter", FIRST, 0x42)
    made.write("label", "milk")
    made.session()
    made.name_origin(1, "View", 0x42)
    made.open(SECOND)
    path = made.save(tmp_path / "a.journal")
    shown = database(path)

    assert rows(shown, "SELECT session, count(*), max(position) FROM events GROUP BY 1") == [
        (1, 27, 27),
        (2, 11, 38),
    ]
    query = "SELECT position, until FROM shown_values WHERE name = 'label' ORDER BY 1"
    assert rows(shown, query) == [(3, 17), (17, 27), (27, 28), (30, None)]
    _check_values(shown, said, path)
    _check_events(shown, said("dump", path))


def test_the_first_session_may_have_begun_before_the_journal(database, tmp_path):
    made = JournalWriter(session=False, first=7)
    made.session(continues=True)
    made.event("Noted")
    made.session()
    made.event("Noted")
    shown = database(made.save(tmp_path / "a.journal"))

    assert rows(shown, "SELECT position, session FROM events") == [(7, 1), (8, 2)]


# What is in a column -----------------------------------------------------------------------------


def test_each_payload_has_its_own_type(database, tmp_path):
    made = JournalWriter()
    payloads = [
        (TEXT, b"tea"),
        (TEXT, b"\xff\xfe"),
        (JSON, b'{"number": 18446744073709551615}'),
        (JSON, b"no JSON"),
        (BYTES, b"\x00\x01"),
        (BYTES, b""),
        (BOOL, b"\x01"),
        (INTEGER, struct.pack("<q", -5)),
        (INTEGER, b"short"),
        (NUMBER, struct.pack("<d", 0.1)),
        (NUMBER, struct.pack("<d", math.inf)),
        (NUMBER, struct.pack("<d", math.nan)),
    ]
    for place, (form, data) in enumerate(payloads):
        made.type(f"Type{place}", form)
        made.event(f"Type{place}", data)
    shown = database(made.save(tmp_path / "a.journal"))

    assert rows(shown, "SELECT payload, typeof(payload), form FROM events") == [
        ("tea", "text", "text"),
        (b"\xff\xfe", "blob", "text"),
        ('{"number": 18446744073709551615}', "text", "json"),
        ("no JSON", "text", "json"),
        (b"\x00\x01", "blob", "bytes"),
        (b"", "blob", "bytes"),
        (1, "integer", "bool"),
        (-5, "integer", "integer"),
        (b"short", "blob", "integer"),
        (0.1, "real", "number"),
        (math.inf, "real", "number"),
        ("nan", "text", "number"),
    ]


def test_marks_and_secrets_say_so(database, tmp_path):
    made = JournalWriter()
    made.type("A.value", TEXT | VALUE)
    made.event("A.value", "tea", origin="A")
    made.event("A.value", flags=OUTSIDE | MARKED, origin="A")
    made.event("Password", flags=OUTSIDE | WITHHELD, time=0)
    shown = database(made.save(tmp_path / "a.journal"))

    assert rows(shown, "SELECT time IS NULL, secret, marked, payload FROM events") == [
        (0, 0, 0, "tea"),
        (0, 0, 1, None),
        (1, 1, 1, None),
    ]
    assert rows(shown, "SELECT until, before, after, kept FROM shown_values") == [
        (2, None, "tea", 1),
        (None, "tea", None, 0),
    ]


def test_numbers_of_scopes_that_sqlite_cannot_hold_are_text(database, tmp_path):
    made = counter_session()
    made.close(FIRST)
    made.open(SECOND)
    shown = database(made.save(tmp_path / "a.journal"))

    query = "SELECT DISTINCT scope, typeof(scope) FROM events WHERE origin = 'Counter'"
    assert rows(shown, query) == [(str(FIRST), "text"), (SECOND, "integer")]
    assert rows(shown, "SELECT DISTINCT scope FROM shown_values ORDER BY position") == [
        (str(FIRST),),
        (SECOND,),
    ]
    view = "SELECT DISTINCT typeof(scope) FROM events WHERE origin = 'RequestOpen.Counter'"
    assert rows(shown, view) == [("null",)]


def test_positions_that_sqlite_cannot_hold_are_refused(tmp_path):
    made = JournalWriter(first=(1 << 63) - 1)
    made.event("Noted")
    path, to = made.save(tmp_path / "a.journal"), tmp_path / "a.sqlite"
    assert run("sqlite", path, to)[0] == 0
    to.unlink()
    made.event("Noted")
    made.save(path)
    status, output, said = run("sqlite", path, to)

    assert (status, output) == (2, "")
    assert said == (
        "mainstem: position 9223372036854775808 is larger than any number that SQLite holds\n"
    )
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_navigator_says_need_not_be_utf_8_or_small(database, tmp_path):
    made = NavigatorWriter()
    made.opens((1 << 64) - 1, "a/\ud800", parent=1 << 63)
    shown = database(made.save(tmp_path / "a.journal"))

    assert rows(shown, "SELECT component, parent, url FROM screens") == [
        (str((1 << 64) - 1), str(1 << 63), "a/\\ud800")
    ]


def test_progress_is_counted_and_only_the_first_answer_counts(database, tmp_path):
    made = JournalWriter()
    asked = made.event("RequestLoad", origin="View")
    for _ in range(3):
        made.event("Loaded", answers=asked, cause=asked, flags=PROGRESS, origin="Disk")
    made.fail("ResponseLoad", "no", status=13, answers=asked, cause=asked, origin="Disk")
    made.event("ResponseLoad", answers=asked, cause=asked, origin="Disk")
    look = made.event("RequestLook", flags=OUTSIDE)
    made.event("ResponseLook", answers=look, cause=look)
    made.event("RequestLook", flags=OUTSIDE)
    open_ = made.event("RequestLoad", origin="View")
    made.session()
    made.event("ResponseLoad", answers=open_)
    shown = database(made.save(tmp_path / "a.journal"))

    columns = "position, answer, failed, progress, duration"
    assert rows(shown, f"SELECT {columns} FROM requests ORDER BY 1") == [
        (asked, 5, 1, 3, 4_000_000),
        (look, look + 1, 0, 0, 1_000_000),
        (open_, None, None, 0, None),
    ]


def test_every_column_says_what_it_is(database, tmp_path):
    shown = database(todo_session().save(tmp_path / "a.journal"))
    schema = "\n".join(row[0] or "" for row in rows(shown, "SELECT sql FROM sqlite_master"))

    assert "-- nanoseconds since 1970" in schema
    tables = [row[0] for row in rows(shown, "SELECT name FROM sqlite_master WHERE type = 'table'")]
    assert tables == ["events", "shown_values", "requests", "screens"]


# Whole or not there ------------------------------------------------------------------------------


def test_it_says_what_it_wrote(tmp_path):
    path, to = counter_session().save(tmp_path / "a.journal"), tmp_path / "a.sqlite"

    assert run("sqlite", path, to) == (
        0,
        f"{to}: 26 events, 15 shown values, 5 requests, 0 screens\n",
        "",
    )
    assert to.stat().st_mode & 0o777 == 0o600
    assert sorted(tmp_path.iterdir()) == [path, to]


def test_a_file_that_is_there_is_refused(tmp_path):
    path, to = counter_session().save(tmp_path / "a.journal"), tmp_path / "a.sqlite"
    to.write_text("mine")
    (tmp_path / "link").symlink_to("nothing")
    before = path.read_bytes()
    for each in (to, path, tmp_path / "link"):
        status, output, said = run("sqlite", path, each)
        assert (status, output) == (2, "")
        assert said == f"mainstem: {each} exists already: remove it, or choose another name\n"

    assert (to.read_text(), path.read_bytes()) == ("mine", before)


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError, sqlite3.DatabaseError])
def test_a_run_that_fails_leaves_nothing(tmp_path, monkeypatch, capsys, error):
    path = counter_session().save(tmp_path / "a.journal")

    def fail(self, table, row, size=0):
        assert len(list(tmp_path.iterdir())) == 2
        raise error("the disk is full")

    monkeypatch.setattr(_sqlite.Tables, "add", fail)
    status = main(["sqlite", str(path), str(tmp_path / "a.sqlite")])

    assert status == (130 if error is KeyboardInterrupt else 2)
    assert list(tmp_path.iterdir()) == [path]
    if error is not KeyboardInterrupt:
        assert "the disk is full" in capsys.readouterr().err


def test_ctrl_c_leaves_nothing(tmp_path):
    """In the middle of a journal of a size that takes seconds."""
    path = recorded(tmp_path / "many", 200_000)
    folder = tmp_path / "out"
    folder.mkdir()
    process = start("sqlite", path, folder / "a.sqlite")
    while not any(file.stat().st_size for file in folder.iterdir()):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)

    assert process.communicate(timeout=60) == (b"", b"")
    assert process.returncode == 130
    assert list(folder.iterdir()) == []


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    path = counter_session().save(tmp_path / "a.journal")
    status, output, said = run("sqlite", path, tmp_path / "none" / "a.sqlite")

    assert (status, output) == (2, "")
    assert said.startswith(f"mainstem: {tmp_path}/none") and "No such file" in said


def test_of_damage_it_has_what_comes_before(database, tmp_path):
    made = counter_session()
    path = tmp_path / "a.journal"
    path.write_bytes(flipped(made.bytes, (made.offsets[-8] + 70) * 8))
    assert 0 < rows(database(path, status=1), "SELECT count(*) FROM events")[0][0] < 26

    path.write_bytes(made.bytes[:-9])
    assert rows(database(path), "SELECT max(position) FROM events") == [(25,)]


def test_a_journal_without_events_has_empty_tables(database, tmp_path):
    shown = database(JournalWriter().save(tmp_path / "a.journal"))

    for table in ("events", "shown_values", "requests", "screens"):
        assert rows(shown, f"SELECT * FROM {table}") == []


def test_many_events_take_no_more_memory_than_few(tmp_path):
    few, many = recorded(tmp_path / "few", 10_000), recorded(tmp_path / "many", 100_000)
    less = most_memory("sqlite", few, tmp_path / "few.sqlite")
    assert most_memory("sqlite", many, tmp_path / "many.sqlite") < less + (3 << 20)


# The queries of the page -------------------------------------------------------------------------


def queries():
    """The queries of docs/tools.md, each with the result that it has there."""
    text = (ROOT / "docs" / "tools.md").read_text(encoding="utf-8")
    return re.findall(r"```sql\n(.*?)```\n+```text\n(.*?)```", text, re.S)


def shown_as_list(cursor):
    """What the program sqlite3 prints of a result, with .headers on."""
    lines = [[column[0] for column in cursor.description], *cursor]
    return ["|".join("" if each is None else str(each) for each in line) for line in lines]


def test_the_queries_of_the_page_have_their_results(database, tmp_path):
    path = tmp_path / "diary.journal"
    path.write_bytes(KEPT["diary"])
    made = database(path)
    made.row_factory = None
    found = queries()

    assert len(found) == 4
    for query, result in found:
        assert shown_as_list(made.execute(query)) == result.splitlines()

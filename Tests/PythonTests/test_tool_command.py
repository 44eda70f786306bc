# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`python3 -m mainstem`: what every command keeps."""

from __future__ import annotations

import os
import pty

import pytest
from journal_writer import JournalWriter
from mainstem.tool import _reading
from todo_session import todo_session
from tool import run, start

COMMANDS = ("info", "dump", "tree", "shown", "diagram", "trace", "verify", "sqlite", "salvage")
#: And one that reads routes, not a journal.
ROUTES = "routes"


@pytest.fixture
def journal(tmp_path):
    return todo_session().save(tmp_path / "todo.journal")


def test_help_names_every_command():
    status, output, said = run("--help")

    assert (status, said) == (0, "")
    for command in (*COMMANDS, ROUTES):
        assert f"\n    {command} " in output
        assert run(command, "--help")[0] == 0
    assert run()[0] == 2


def test_what_cannot_be_read_is_one_line_and_two(tmp_path):
    (tmp_path / "text").write_text("no journal")
    (tmp_path / "folder").mkdir()
    for command in COMMANDS:
        more = {
            "diagram": ["-o", tmp_path / "d.html"],
            "salvage": [tmp_path / "to"],
            "sqlite": [tmp_path / "to"],
        }.get(command, [])
        for name, message in (
            ("none", "there is no such journal"),
            ("text", "is not a journal"),
            ("folder", "is not a file"),
        ):
            status, output, said = run(command, tmp_path / name, *more)
            assert (status, output) == (2, ""), command
            assert said.count("\n") == 1
            assert said.startswith(f"mainstem: {tmp_path}/{name}") and message in said
    assert not (tmp_path / "to").exists()


def test_wrong_arguments_are_two():
    assert run("dump")[0] == 2
    assert run("nothing", "x")[0] == 2


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path):
    made = JournalWriter()
    for _ in range(5000):
        made.event("Noted", "x" * 100)
    path = made.save(tmp_path / "a.journal")
    process = start("dump", path)
    assert process.stdout.readline().startswith(b"#1 Noted xxx")
    process.stdout.close()

    assert process.stderr.read() == b""
    assert process.wait(60) == 0


def test_output_is_utf_8_where_the_locale_can_write_little(journal):
    status, output, _ = run("dump", journal, env={"PYTHONIOENCODING": "ascii", "LC_ALL": "C"})

    assert status == 0
    assert "#2 RequestTodos \\u2190 #1 ViewModelServer" in output


def test_progress_is_for_terminals(journal, monkeypatch):
    """A pipe gets none; a terminal gets one line, which is taken away."""
    made = JournalWriter()
    for _ in range(3000):
        made.event("Noted")
    path = made.save(journal.with_name("many.journal"))
    assert run("verify", path)[2] == ""

    outer, inner = pty.openpty()
    monkeypatch.setattr(_reading, "_PATIENCE", 0)
    with os.fdopen(os.dup(inner), "w") as terminal:
        monkeypatch.setattr("sys.stderr", terminal)
        shown = _reading.Progress("reading")
        for done in range(1025):
            shown(done, 2048)
        shown.end()
    text = ""
    while "\x1b" not in text:
        text += os.read(outer, 1000).decode()
    os.close(inner)
    os.close(outer)

    assert text.startswith("\rreading:  12 %")
    assert text.endswith("\r\x1b[K")


def test_a_page_never_overwrites_the_journal(journal):
    before = journal.read_bytes()
    status, _, said = run("diagram", journal, "-o", journal)

    assert status == 2
    assert "is the journal itself" in said
    assert journal.read_bytes() == before


@pytest.mark.parametrize("command", ["fetch", "mirror"])
def test_without_its_servers_the_bridge_does_nothing(journal, tmp_path, command):
    status, _, said = run(command, journal if command == "mirror" else tmp_path / "new.journal")

    assert status == 2
    assert "the following arguments are required: --" in said


@pytest.mark.parametrize("command", ["info", "dump", "tree", "trace", "verify"])
def test_output_that_is_closed_is_read_by_nobody(journal, tmp_path, command):
    """The exit status says what it always says: 1 would mean damage."""
    (tmp_path / "text").write_text("no journal")
    assert run(command, journal, preexec_fn=lambda: os.close(1)) == (0, "", "")
    for wrong in ([tmp_path / "text"], []):
        assert run(command, *wrong, preexec_fn=lambda: os.close(2)) == (2, "", "")

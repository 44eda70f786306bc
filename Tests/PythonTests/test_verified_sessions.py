# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A journal of several sessions, one of them another app's: what is proven of it is said."""

from __future__ import annotations

import subprocess
import sys

import mainstem
import pytest
from conftest import ROOT
from greeting import RequestGreet, ResponseGreeting, Said
from mainstem.tool import main

PROGRAM = """
import sys
sys.path[:0] = [{lines!r}, {tests!r}, {package!r}]
import verifier
from greeting import RequestGreet, ResponseGreeting
verifier.run(lambda context: context.serve(RequestGreet, lambda asked: ResponseGreeting("x")))
"""


def record(path, text, count, **options):
    with mainstem.Context() as context:
        context.record(path, **options)
        context.serve(RequestGreet, lambda request: ResponseGreeting(text))
        context.register(Said)
        for _ in range(count):
            context.request(RequestGreet("a"))


@pytest.fixture
def journal(tmp_path):
    """Its first and third session are the app's, the second one of another."""
    path = str(tmp_path / "a.journal")
    record(path, "x", 3)
    record(path, "another", 2)
    record(path, "x", 1)
    return path


def verify(path, *options):
    folders = {
        "lines": str(ROOT / "examples" / "lines"),
        "tests": str(ROOT / "Tests" / "PythonTests"),
        "package": str(ROOT / "Sources" / "MainstemPython"),
    }
    program = [sys.executable, "-c", PROGRAM.format(**folders), path, *options]
    ran = subprocess.run(program, capture_output=True, text=True)
    return ran.returncode, ran.stdout.splitlines(), ran.stderr


def test_sessions_are_listed(journal, tmp_path):
    with mainstem.Journal(journal) as read:
        assert read.sessions() == [(1, 6), (7, 10), (11, 12)]
    one = str(tmp_path / "one.journal")
    record(one, "x", 0)
    with mainstem.Journal(one) as read:
        assert read.sessions() == [(1, 0)]


def test_files_that_go_on_are_one_session(tmp_path):
    path = str(tmp_path / "a.journal")
    for _ in range(2):
        record(path, "x" * 300, 300, segment_size=1 << 16)
    with mainstem.Journal(path) as read:
        assert read.sessions() == [(1, 600), (601, 1200)]
        assert read.info.files > 3


def test_the_program_says_what_was_proven_and_what_was_not(journal):
    status, lines, _ = verify(journal)
    assert status == 0
    assert lines[:2] == [
        "session 1 of 3, positions 1 to 6: not proven: --session 1 does, or --all",
        "session 2 of 3, positions 7 to 10: not proven: --session 2 does, or --all",
    ]
    assert lines[2].startswith("session 3 of 3, positions 11 to 12: 2 events, digest ")
    assert len(lines) == 3


def test_a_session_is_chosen(journal):
    status, lines, _ = verify(journal, "--session", "1")
    assert status == 0
    assert lines[0].startswith("session 1 of 3, positions 1 to 6: 6 events, digest ")
    assert "not proven" in lines[1] and "not proven" in lines[2]
    for number in ("0", "4"):
        status, _, said = verify(journal, "--session", number)
        assert (status, "has 3 sessions" in said) == (1, True)


def test_all_sessions_are_proven_and_another_apps_is_not(journal):
    status, lines, said = verify(journal, "--all")
    assert status == 1
    assert "6 events" in lines[0]
    assert said.startswith("session 2 of 3, positions 7 to 10: DIFFERENT: #8 ResponseGreeting")
    status, _, said = verify(journal, "--session", "2")
    assert (status, "DIFFERENT" in said) == (1, True)


def test_a_journal_of_one_session_has_one_line(tmp_path):
    path = str(tmp_path / "a.journal")
    record(path, "x", 2)
    status, lines, _ = verify(path)
    assert status == 0
    assert len(lines) == 1 and lines[0].startswith("4 events, digest ")


def test_the_command_says_which_sessions_there_are(journal, capsys):
    assert main(["verify", journal]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "  session 1, positions 1 to 6: 6 events, 1 digest recomputed",
        "  session 2, positions 7 to 10: 4 events, 1 digest recomputed",
        "  session 3, positions 11 to 12: 2 events, 1 digest recomputed",
    ]
    assert main(["verify", "--all", journal]) == 0
    capsys.readouterr()
    assert main(["verify", "--session", "2", journal]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "  session 1, positions 1 to 6: 6 events, not proven: --session 1 does, or --all",
        "  session 2, positions 7 to 10: 4 events, 1 digest recomputed",
        "  session 3, positions 11 to 12: 2 events, not proven: --session 3 does, or --all",
    ]
    assert main(["verify", "--session", "4", journal]) == 2

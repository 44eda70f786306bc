# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The hosts show the same, and each session is proven in both languages."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from dashboards import HERE, HOSTS, VERIFIERS, environment, run, serve
from sessions import follow, follow_in_window

ALL = pytest.mark.parametrize("host", HOSTS)


@ALL
def test_a_host_shows_what_is_expected(host: str, tmp_path: Path) -> None:
    journal = str(tmp_path / "session.journal")
    with serve() as site:
        site.fail()
        commands = (HERE / "commands.txt").read_text()
        ended = run(HOSTS[host], "--record", journal, site.url(""), commands=commands)
        assert site.asked == ["/users"] * 2
    assert ended == (0, (HERE / "expected.txt").read_text("utf-8"))
    words = {run(verifier, journal) for verifier in VERIFIERS.values()}
    assert len(words) == 1, words
    assert words.pop()[0] == 0


def test_a_session_whose_site_has_said_something_else_does_not_verify(tmp_path: Path) -> None:
    """The verifiers can fail."""
    journal, changed = tmp_path / "session.journal", tmp_path / "changed.journal"
    with serve() as site:
        run(HOSTS["C"], "--record", str(journal), site.url(""), commands="find 1\n")
    changed.write_bytes(journal.read_bytes().replace(b"Clark Kent", b"Clark Bent"))
    assert all(run(verifier, str(changed))[0] for verifier in VERIFIERS.values())


@ALL
def test_a_recorded_session_is_shown_again_by_every_host(host: str, tmp_path: Path) -> None:
    """What there was to see each time somebody did something, and at the end."""
    journal = str(tmp_path / "session.journal")
    with serve() as site:
        site.fail(times=2)
        commands = "retry\nretry\nfind 1\nfind\nretry\nfind 9\nfind 2\n"
        code, said = run(HOSTS[host], "--record", journal, site.url(""), commands=commands)
    assert (code, said.count("Dashboard\n")) == (0, 6)
    for other in HOSTS.values():
        assert run(other, "--replay", journal) == (0, said)


def recorded(journal: Path) -> Path:
    with serve() as site:
        site.fail()
        words = ["--record", str(journal), site.url("")]
        assert run(HOSTS["C"], *words, commands="retry\nfind 1\nfind\nfind 2\n")[0] == 0
    return journal


@ALL
def test_a_session_is_stepped_by_another_process(host: str, tmp_path: Path) -> None:
    follow(HOSTS[host], recorded(tmp_path / "session.journal"), environment())


def test_a_session_in_a_window_is_stepped_by_another_process(tmp_path: Path) -> None:
    window = [word for word in HOSTS["Python in a window"] if word != "--script"]
    follow_in_window(window, recorded(tmp_path / "session.journal"), environment())


@ALL
def test_who_closes_the_screen_ends_the_program(host: str, tmp_path: Path) -> None:
    journal = str(tmp_path / "session.journal")
    seen = "Dashboard\n  The system has 2 users\n  [] ---\n"
    with serve() as site:
        words = ["--record", journal, site.url("")]
        assert run(HOSTS[host], *words, commands="back\nfind 1\n") == (0, seen)
    assert {run(other, "--replay", journal) for other in HOSTS.values()} == {(0, seen)}
    words_of_all = {run(verifier, journal) for verifier in VERIFIERS.values()}
    assert [code for code, _ in words_of_all] == [0]


@ALL
def test_a_site_that_hangs_or_is_not_there(host: str) -> None:
    with serve() as site:
        site.hang()
        code, said = run(HOSTS[host], "--patience", "1000", site.url(""), commands="retry\n")
    failed = "Dashboard\n  The site does not answer. [Retry]\n"
    assert (code, said) == (0, failed + "Dashboard\n  The system has 2 users\n  [] ---\n")
    code, said = run(HOSTS[host], site.url(""), commands="retry\n")
    assert (code, said) == (0, "Dashboard\n  The site cannot be reached. [Retry]\n")


@ALL
def test_odd_lines(host: str) -> None:
    """No text, a zero byte, nothing, a word that is none, and no end of the line."""
    with serve() as site:
        commands = "find \udcff\nfind 1\0x\n\nfly\nfind 9"
        code, said = run(HOSTS[host], site.url(""), commands=commands)
    seen = "Dashboard\n  The system has 2 users\n"
    found = "  [1] I found Clark Kent aka Superman\n"
    helped = "find ID, retry, back, quit\n"
    lines = f"{seen}  [] ---\n{seen}{found}{helped}{seen}  [9] User not found\n"
    assert (code, said) == (0, lines)


@ALL
@pytest.mark.parametrize("word", ["--no-option", "http://another.site"])
def test_a_word_that_means_nothing_is_refused(host: str, word: str) -> None:
    assert run(HOSTS[host], word, "http://localhost:1", commands="quit\n") == (2, "")


@ALL
def test_a_journal_that_cannot_be_recorded_is_one_line(
    host: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--record", str(tmp_path / "no" / "a"), "http://localhost:1"]
    assert run(HOSTS[host], *words) == (1, "")
    said = capsys.readouterr().err
    assert "create it first" in said and "Traceback" not in said


@pytest.mark.parametrize("verifier", VERIFIERS)
def test_what_is_no_session_is_one_line(
    verifier: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (journal := tmp_path / "text").write_text("no journal")
    for path, message in ((tmp_path / "none", "No such file"), (journal, "is not a journal")):
        assert run(VERIFIERS[verifier], str(path)) == (1, "")
        said = capsys.readouterr().err.strip()
        assert message in said and "\n" not in said
    assert run(VERIFIERS[verifier])[0] == 2


def windowed(*words: str) -> "subprocess.CompletedProcess[str]":
    """Runs a program with a display; it may say nothing on standard error."""
    quiet = {"GSETTINGS_BACKEND": "memory", "GTK_A11Y": "none", "GSK_RENDERER": "cairo"}
    done = subprocess.run(
        ["xvfb-run", "--auto-servernum", "/usr/bin/python3", *words],
        env={**os.environ, **quiet},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done


def test_a_window_that_shows_a_session_again_stays(tmp_path: Path) -> None:
    journal = str(tmp_path / "session.journal")
    with serve() as site:
        words = ["--record", journal, site.url("")]
        assert run(HOSTS["C"], *words, commands="find 1\nback\n")[0] == 0
    script = str(HERE / "Tests" / "HostTests" / "window_again.py")
    done = windowed(script, journal)
    seen = "Dashboard\n  The system has 2 users\n  [1] I found Clark Kent aka Superman\n"
    assert done.stdout == f"{seen}refused: False\nis there: True False\nclosed by its user\n"


def test_the_window_is_used_by_the_keyboard_alone() -> None:
    """What is to be used next has the keys."""
    script = str(HERE / "Tests" / "HostTests" / "window_keys.py")
    with serve() as site:
        site.fail()
        done = windowed(script, site.url(""))
    assert done.stdout.splitlines() == [
        "[Retry]",
        "[] ---",
        "[1] I found Clark Kent aka Superman",
        "User not found",
        "wider than it was: False",
        "closed by its user",
    ]

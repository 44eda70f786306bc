# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The hosts show the same; each session is proven in both languages, and shown again by both."""

from __future__ import annotations

from pathlib import Path
from typing import List

import pytest
from diaries import HERE, HOSTS, VERIFIERS, mainstem, run

BOTH = pytest.mark.parametrize("host", HOSTS)
SIGN_IN = "agree\nsignin Ada\nunderstood\n"


@BOTH
def test_a_host_shows_what_is_expected(host: str, tmp_path: Path) -> None:
    journal, file = str(tmp_path / "session.journal"), tmp_path / "diary.sqlite"
    words = ("--db", str(file), "--day", "2026-11-23", "--record", journal)
    commands = (HERE / "commands.txt").read_text("utf-8")
    ended = run(*HOSTS[host], *words, commands=commands)
    assert ended == (0, (HERE / "expected.txt").read_text("utf-8"))
    file.unlink()  # Verifying needs no store.
    said = {run(*verifier, journal) for verifier in VERIFIERS.values()}
    assert len(said) == 1, said
    assert said.pop()[0] == 0


def shown(journal: str) -> List[str]:
    """The names of the screens that a session has shown, in their order."""
    with mainstem.Journal(journal) as events:
        trees = [event.value for event in events if event.name == "MainstemTree"]
    hidden = ("flow", "group")
    return [tree["name"] for tree in trees if tree.get("kind", "flow") not in hidden]


@BOTH
def test_a_session_is_shown_again_by_either_host(host: str, tmp_path: Path) -> None:
    journal, words = str(tmp_path / "session.journal"), ("--db", str(tmp_path / "diary.sqlite"))
    commands = (HERE / "commands.txt").read_text("utf-8")
    live = run(*HOSTS[host], *words, "--record", journal, commands=commands)
    again = {run(*HOSTS[other], "--replay", journal) for other in HOSTS}
    assert len(again) == 1, again
    code, said = again.pop()
    assert code == 0
    signs = {"SignIn": "Who is it?", "Guide": "(understood)", "Confirm": "(confirm, refuse)"}
    for name, sign in signs.items():
        assert said.count(sign) >= shown(journal).count(name) > 0
    # What was seen last is seen last.
    assert said.splitlines()[-1] in live[1].splitlines()


@BOTH
def test_what_is_no_session_is_not_shown(host: str, tmp_path: Path) -> None:
    journal = tmp_path / "session.journal"
    for text in (None, "no journal"):
        if text:
            journal.write_text(text)
        assert run(*HOSTS[host], "--replay", str(journal))[0] == 1


@BOTH
def test_the_next_visit_finds_what_was_left(host: str, tmp_path: Path) -> None:
    words = (*HOSTS[host], "--db", str(tmp_path / "diary.sqlite"), "--day", "2026-11-23")
    first = f"{SIGN_IN}new\nedit Rain — all day.\nsave\n"
    assert run(*words, commands=first)[0] == 0
    list_ = "Ada's diary: 1 entry\n   1 2026-11-23 Rain — all day.\n"
    assert run(*words) == (0, list_)
    assert run(*words, commands="drawer\nsignout\nconfirm\n")[1].endswith("Who is it? [Ada]\n")
    assert run(*words, commands="signin\n") == (0, f"Who is it? [Ada]\n{list_}")


@BOTH
def test_a_link_at_launch(host: str, tmp_path: Path) -> None:
    words = (*HOSTS[host], "--db", str(tmp_path / "diary.sqlite"), "--day", "2026-11-23")
    code, said = run(
        *words, "--link", "diary/1", commands=f"{SIGN_IN}back\nnew\nedit Rain.\nsave\n"
    )
    assert (code, said.count("Who is it?"), said.count("This entry is gone.")) == (0, 2, 1)
    page = "1 2026-11-23\nRain.\n"
    list_ = "Ada's diary: 1 entry\n   1 2026-11-23 Rain.\n"
    assert run(*words, "--link", "diary/1", commands="back\n") == (0, page + list_)
    code, said = run(*words, "--link", "diary/seven")
    assert (code, said.count("!"), said.endswith(list_)) == (0, 1, True)


@BOTH
def test_a_file_that_cannot_be_used(host: str, tmp_path: Path) -> None:
    file = tmp_path / "diary.sqlite"
    file.write_text("This is no database, and is long enough to be looked at as one.\n" * 20)
    code, said = run(*HOSTS[host], "--db", str(file), commands="refresh\n")
    assert (code, said.count("! The diary's file cannot be used.\n")) == (0, 2)


@BOTH
@pytest.mark.parametrize(
    "day", ["x", "", "2026-13-45", "2026-02-29", "2026-11-23\x1b[2J", "\udcff"]
)
def test_what_is_no_day_is_one_line(host: str, day: str, tmp_path: Path) -> None:
    code, said = run(*HOSTS[host], "--db", str(tmp_path / "diary.sqlite"), "--day", day)
    assert (code, said.count("\n"), "\x1b" in said) == (2, 1, False)
    assert said.startswith("--day: there is no day ") and said.endswith(
        "; its form is YYYY-MM-DD\n"
    )
    assert not list(tmp_path.iterdir())


@BOTH
def test_odd_lines(host: str, tmp_path: Path) -> None:
    """No text, a zero byte, nothing, a word that is none, a number too large, and no end."""
    words = (*HOSTS[host], "--db", str(tmp_path / "diary.sqlite"), "--day", "2026-11-23")
    commands = f"signin \udcff\n{SIGN_IN}new\nedit Rain.\0x\n\nfly\nedit \udcff\nsave\nlist\nopen "
    code, said = run(*words, commands=f"{commands}{'9' * 5000}\nback")
    assert (code, said.count("Who is it?"), said.count("This entry is gone.")) == (0, 3, 1)
    assert "edit, save, " in said
    assert said.endswith("   1 2026-11-23 Rain.\n")


@BOTH
def test_a_journal_that_cannot_be_recorded_is_one_line(host: str, tmp_path: Path) -> None:
    words = ("--db", str(tmp_path / "diary.sqlite"), "--record", str(tmp_path / "no/a"))
    code, said = run(*HOSTS[host], *words)
    assert code == 1 and said.splitlines()[-1].endswith("create it first")
    assert "Traceback" not in said


@pytest.mark.parametrize("verifier", VERIFIERS)
def test_what_is_no_session_is_one_line(verifier: str, tmp_path: Path) -> None:
    (journal := tmp_path / "text").write_text("no journal")
    for path, message in ((tmp_path / "none", "No such file"), (journal, "is not a journal")):
        code, said = run(*VERIFIERS[verifier], str(path))
        assert (code, said.count("\n")) == (1, 1) and message in said
    assert run(*VERIFIERS[verifier])[0] == 2

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The hosts show the same; each session is proven in both languages, and shown again by both."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, List

import pytest
from diaries import HERE, HOSTS, VERIFIERS, mainstem, run
from sessions import follow

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
def test_a_session_is_stepped_by_another_process(host: str, tmp_path: Path) -> None:
    journal, words = str(tmp_path / "session.journal"), ("--db", str(tmp_path / "diary.sqlite"))
    commands = (HERE / "commands.txt").read_text("utf-8")
    assert run(*HOSTS["C"], *words, "--record", journal, commands=commands)[0] == 0
    follow(HOSTS[host], Path(journal))


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
    list_ = "Ada's diary: 1 entry\n   1  Today: Rain — all day.\n"
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
    page = "1 23 November 2026\nRain.\n"
    list_ = "Ada's diary: 1 entry\n   1  Today: Rain.\n"
    assert run(*words, "--link", "diary/1", commands="back\n") == (0, page + list_)
    code, said = run(*words, "--link", "diary/seven")
    assert (code, said.count("!"), said.endswith(list_)) == (0, 1, True)


@BOTH
def test_a_list_has_words_for_days_and_says_what_has_changed(host: str, tmp_path: Path) -> None:
    words = (*HOSTS[host], "--db", str(tmp_path / "diary.sqlite"), "--day")
    commands = "new\nedit Rain.\nsave\nlist\n"
    for day in ("2024-03-12", "2026-03-12", "2026-11-22", "2026-11-27"):
        prefix = "" if (tmp_path / "diary.sqlite").exists() else SIGN_IN
        assert run(*words, day, commands=f"{prefix}{commands}")[0] == 0
    code, said = run(*words, "2026-11-28", commands=f"{commands}open 3\ndelete\nconfirm\nlist\n")
    before = "   4  Yesterday: Rain.\n   3  Sunday: Rain.\n"
    after = "   2  12 March: Rain.\n   1  12 March 2024: Rain.\n"
    assert code == 0 and said.startswith(f"Ada's diary: 4 entries\n{before}{after}")
    assert "Ada's diary: 5 entries\n+  5  Today: Rain.\n" in said
    assert "Ada's diary: 4 entries\n-  3  Sunday: Rain.\n" in said
    rest = "   5  Today: Rain.\n   4  Yesterday: Rain.\n"
    assert said.endswith(f"Ada's diary: 4 entries\n{rest}{after}")


@BOTH
def test_a_day_is_that_of_the_place(host: str, tmp_path: Path, monkeypatch: Any) -> None:
    words = (*HOSTS[host], "--db", str(tmp_path / "diary.sqlite"))
    monkeypatch.setenv("TZ", "<+14>-14")
    commands = f"{SIGN_IN}new\nedit East.\nsave\nlist\n"
    assert run(*words, commands=commands)[1].endswith("+  1  Today: East.\n")
    monkeypatch.setenv("TZ", "<-12>12")  # where that day is to come
    code, said = run(*words, commands="new\nedit West.\nsave\nlist\n")
    east = datetime.now(timezone(timedelta(hours=14)))
    assert said.splitlines()[1] == f"   1  {east.day} {east:%B}: East."
    assert (code, said.endswith("+  2  Today: West.\n")) == (0, True)


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
    assert "+  1  Today: Rain.\n" in said
    assert said.endswith("Ada's diary: 1 entry\n")


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

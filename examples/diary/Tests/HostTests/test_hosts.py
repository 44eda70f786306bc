# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The two hosts: they show the same, and each session is proven in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest
from diaries import HERE, HOSTS, VERIFIERS, run

BOTH = pytest.mark.parametrize("host", HOSTS)


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


@BOTH
def test_the_next_visit_finds_what_was_left(host: str, tmp_path: Path) -> None:
    words = (*HOSTS[host], "--db", str(tmp_path / "diary.sqlite"), "--day", "2026-11-23")
    first = "drawer\nsignin\nagree\nsignin Ada\nunderstood\nnew\nedit Rain — all day.\nsave\n"
    assert run(*words, commands=first)[0] == 0
    shown = "Ada's diary: 1 entry\n   1 2026-11-23 Rain — all day.\n"
    assert run(*words) == (0, shown)
    assert run(*words, commands="drawer\nsignout\n")[1].endswith("Who is it? [Ada]\n")
    again = run(*words, commands="drawer\nsignin\nsignin\n")[1]
    assert again.startswith("! Please sign in.\n")
    assert again.endswith(shown)


@BOTH
def test_a_file_that_cannot_be_used(host: str, tmp_path: Path) -> None:
    file = tmp_path / "diary.sqlite"
    file.write_text("This is no database, and is long enough to be looked at as one.\n" * 20)
    code, said = run(*HOSTS[host], "--db", str(file), commands="refresh\n")
    assert (code, said.count("! The diary's file cannot be used.\n")) == (0, 2)

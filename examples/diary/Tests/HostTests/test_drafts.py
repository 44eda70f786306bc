# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What is typed and not saved is there again: after a kill, or the end of the input."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from typing import List

import pytest
from diaries import HERE, HOSTS, VERIFIERS, Confirm, DiaryList, DiaryPage, World, run

SIGN_IN = "agree\nsignin Ada\nunderstood\n"
WINDOW = ["xvfb-run", "--auto-servernum", "/usr/bin/python3"]
WINDOW += [str(HERE / "hosts" / "diary_window.py"), "--script"]
ALL = {**HOSTS, "window": WINDOW}
EACH = pytest.mark.parametrize("host", ALL)


def killed(words: List[str], commands: str, sign: str) -> None:
    """Runs a host until it says something, and kills it and all that it has started."""
    process = subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert process.stdin and process.stdout
    process.stdin.write(commands.encode())
    process.stdin.flush()
    said = b""
    while sign not in said.decode():
        line = process.stdout.readline()
        assert line, said.decode()
        said += line
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


@EACH
def test_a_kill_loses_nothing_that_was_typed(host: str, tmp_path: Path) -> None:
    words = [*ALL[host], "--db", str(tmp_path / "diary.sqlite"), "--day", "2026-11-23"]
    killed(words, f"{SIGN_IN}new\nedit Rain.\nsave\nedit Rain, and wind.\n", "Rain, and wind.\n")
    code, said = run(*words, commands="open 1\n")
    assert (code, said.endswith("1 23 November 2026 (edited)\nRain, and wind.\n")) == (0, True), (
        said
    )
    killed(words, "new\nedit Sun.\n", "Sun.\n")
    code, said = run(*words, commands="new\nsave\nlist\nnew\n")
    assert "A new entry (edited)\nSun.\n" in said
    assert said.endswith("A new entry\n\n* What was new?\n"), said


@EACH
def test_the_end_of_the_input_loses_nothing(host: str, tmp_path: Path) -> None:
    words = [*ALL[host], "--db", str(tmp_path / "diary.sqlite"), "--day", "2026-11-23"]
    for end in ("", "quit\n"):
        assert run(*words, commands=f"{SIGN_IN}new\nedit Rain.{end!r}\n{end}")[0] == 0
        code, said = run(*words, commands="new\n")
        assert f"(edited)\nRain.{end!r}" in said, said


@EACH
def test_who_leaves_without_saving_finds_nothing(host: str, tmp_path: Path) -> None:
    words = [*ALL[host], "--db", str(tmp_path / "diary.sqlite"), "--day", "2026-11-23"]
    assert run(*words, commands=f"{SIGN_IN}new\nedit Rain.\nback\nconfirm\n")[0] == 0
    assert run(*words, commands="new\n")[1].endswith("A new entry\n\n* What did you hear today?\n")


def test_a_draft_is_of_its_entry_and_its_user() -> None:
    with World(entries=3) as world:
        world.start()
        world.answer()
        world.do(world.view(DiaryList).pick, 2)
        world.view(DiaryPage).text = "Two."
        world.answer()
        assert world.shelf.drafts == {("Ada", 2): "Two."}
        world.view(DiaryPage).text = "Day 2."  # as it is kept
        world.answer()
        assert world.shelf.drafts == {}
        world.view(DiaryPage).text = "Two."
        world.answer()
        world.do(world.view(DiaryPage).save)
        assert (world.shelf.drafts, world.shelf.kept["Ada"][2]) == ({}, "Two.")


def test_what_is_typed_while_a_new_entry_is_saved_is_a_draft_of_that_entry() -> None:
    with World(entries=3) as world:
        world.start()
        world.answer()
        world.do(world.view(DiaryList).write)
        page = world.view(DiaryPage)
        page.text = "Rain."
        page.save()
        page.text = "Rain, and wind."
        world.answer()
        assert world.shelf.drafts == {("Ada", 4): "Rain, and wind."}
        world.nav.pop(failed=print)
        world.answer()
        world.do(world.view(Confirm).confirm)
        assert (world.shelf.drafts, world.shelf.kept["Ada"][4]) == ({}, "Rain.")


def test_a_draft_that_cannot_be_kept_is_told_once() -> None:
    with World(entries=3) as world:
        world.start()
        world.answer()
        world.do(world.view(DiaryList).write)
        world.shelf.mode = "down"
        for text in ("R", "Ra", "Rai"):
            world.view(DiaryPage).text = text
            world.answer()
        told = world.screens(DiaryList)[0].told
        assert told == ["What you type is not kept yet. No disk."]
        world.shelf.mode = "up"
        world.view(DiaryPage).text = "Rain"
        world.answer()
        assert world.shelf.drafts == {("Ada", 0): "Rain"}


@pytest.mark.parametrize("verifier", VERIFIERS)
def test_a_session_of_version_0_10_0_is_read(verifier: str) -> None:
    """Its events are not those of today, so the app is not called."""
    journal = HERE / "Tests" / "HostTests" / "session-0.10.0.journal"
    code, said = run(*VERIFIERS[verifier], "--muted", str(journal))
    assert (code, "digest" in said) == (0, True), said


@pytest.mark.parametrize("host", HOSTS)
def test_a_session_of_version_0_10_0_is_shown_again_but_for_its_list(host: str) -> None:
    journal = HERE / "Tests" / "HostTests" / "session-0.10.0.journal"
    code, said = run(*HOSTS[host], "--replay", str(journal))
    assert (code, "Write one entry a day" in said, "Traceback" in said) == (0, True, False), said

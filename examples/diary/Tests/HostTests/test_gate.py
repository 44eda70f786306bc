# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the user asks waits while nobody is signed in, and while the session is renewed."""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
from pathlib import Path
from typing import Any, Iterator, List

import pytest
from diaries import HOSTS, VERIFIERS, Confirm, DiaryList, DiaryPage, SignIn, World, ids, run

SIGN_IN = "agree\nsignin Ada\nunderstood\n"
BOTH = pytest.mark.parametrize("host", HOSTS)
ENDED = "Your session has ended. Please sign in again.\n"


def started(entries: int = 12) -> World:
    world = World(entries=entries)
    world.start()
    world.answer()
    world.shelf.asked.clear()
    return world


def test_many_that_meet_the_end_of_a_session_need_one_other_and_are_asked_again() -> None:
    with started() as world:
        for id in (3, 4, 5):
            world.go(world.nav.link, f"diary/{id}")
            world.answer()
        world.shelf.session = ""
        world.shelf.asked.clear()
        for number, page in enumerate(world.screens(DiaryPage)):
            page.view.text = f"Text {number}."
            page.view.save()
        world.view(DiaryList).refresh()
        world.answer()
        assert world.shelf.asked.count("RequestRenewSession") == 1
        texts = [world.shelf.kept["Ada"][id] for id in (3, 4, 5)]
        assert texts == ["Text 0.", "Text 1.", "Text 2."]
        assert ids(world.view(DiaryList)) == list(range(12, 2, -1))
        assert world.screens(DiaryList)[0].told == []
        # Each of them met the end once, and was asked once more.
        assert world.shelf.asked.count("RequestWriteEntry") in range(3, 7)


def test_without_another_session_the_sign_in_is_shown_and_says_why() -> None:
    with started() as world:
        told = world.screens(DiaryList)[0].told
        world.do(world.view(DiaryList).write)
        world.view(DiaryPage).text = "Rain."
        world.answer()
        world.shelf.session, world.shelf.is_revoked = "", True
        world.view(DiaryPage).save()
        world.answer()
        assert world.tree() == ["app", "signin", "signin/name"]
        assert world.view(SignIn).hint == ENDED.strip()
        assert told == []  # the page was told
        world.do(world.view(SignIn).sign_in)
        assert world.tree() == ["app", "diary"]
        world.do(world.view(DiaryList).write)
        assert world.view(DiaryPage).text == "Rain."
        assert not world.screens(Confirm)


def test_what_the_list_asks_is_refused_with_a_message() -> None:
    with started() as world:
        told = world.screens(DiaryList)[0].told
        world.shelf.session, world.shelf.is_revoked = "", True
        world.do(world.view(DiaryList).more)
        assert told == ["Sign in again."]
        assert world.tree() == ["app", "signin", "signin/name"]


def test_what_waits_for_a_sign_in_is_not_done_for_another_user() -> None:
    with started() as world:
        world.do(world.view(DiaryList).write)
        world.shelf.session, world.shelf.is_revoked = "", True
        for text in ("R", "Ra", "Rai"):  # the first one meets the end, the others wait
            world.view(DiaryPage).text = text
            world.settle()
        world.answer()
        screen = world.view(SignIn)
        screen.nickname = "Ben"
        world.do(screen.sign_in)
        assert (world.tree(), ids(world.view(DiaryList))) == (["app", "diary"], [])
        assert [key for key in world.shelf.drafts if key[0] == "Ben"] == []


def test_a_session_that_ends_while_a_question_is_open_asks_nothing_more() -> None:
    with started() as world:
        world.do(world.view(DiaryList).write)
        world.view(DiaryPage).text = "Rain."
        world.answer()
        world.do(world.view(DiaryPage).close)
        assert [screen.view.text for screen in world.screens(Confirm)] == ["Leave without saving?"]
        world.shelf.session, world.shelf.is_revoked = "", True
        world.do(world.view(DiaryList).refresh)
        assert world.tree() == ["app", "signin", "signin/name"]
        assert world.shelf.drafts == {("Ada", 0): "Rain."}


def test_a_hanging_store_renews_no_session_and_signs_nobody_out() -> None:
    with started() as world:
        told = world.screens(DiaryList)[0].told
        world.shelf.session = ""
        world.view(DiaryList).refresh()
        world.settle()
        world.shelf.mode = "hang"
        world.answer()
        world.context.advance(10)
        world.settle()
        assert (told, world.tree()) == (["The diary does not open."], ["app", "diary"])
        world.shelf.mode = "up"
        world.do(world.view(DiaryList).refresh)
        assert ids(world.view(DiaryList)) == list(range(12, 2, -1))


# The hosts


@contextlib.contextmanager
def typed(words: List[str]) -> Iterator[Any]:
    """A host that is asked line by line: `ask(command, sign)` returns what it says up to a sign."""
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe) as process:
        assert process.stdin and process.stdout

        def ask(commands: str, sign: str) -> str:
            process.stdin.write(commands.encode())  # type: ignore[union-attr]
            process.stdin.flush()  # type: ignore[union-attr]
            said = ""
            while not said.endswith(sign):
                line = process.stdout.readline().decode()  # type: ignore[union-attr]
                assert line, said
                said += line
            return said

        yield ask
        process.stdin.close()
        assert process.wait(60) == 0


def tokens(file: Path) -> List[bytes]:
    with contextlib.closing(sqlite3.connect(str(file))) as opened:
        rows = opened.execute("SELECT token FROM account UNION SELECT token FROM session")
        return [token.encode() for (token,) in rows]


def change(file: Path, script: str) -> None:
    with contextlib.closing(sqlite3.connect(str(file), isolation_level=None)) as opened:
        opened.executescript(script)


@BOTH
def test_a_session_ends_while_a_host_runs(host: str, tmp_path: Path) -> None:
    file, journal = tmp_path / "diary.sqlite", tmp_path / "session.journal"
    words = [*HOSTS[host], "--db", str(file), "--day", "2026-11-23", "--record", str(journal)]
    with typed(words) as ask:
        ask(
            f"{SIGN_IN}new\nedit Rain.\nsave\n",
            "1 23 November 2026\nRain.\n* What did you hear today?\n",
        )
        kept = tokens(file)
        change(file, "UPDATE session SET ends = 0")
        said = ask("list\nrefresh\n", "Rain.\nAda's diary: 1 entry\n")
        assert said == "Ada's diary: 1 entry\n+  1  Today: Rain.\nAda's diary: 1 entry\n"
        kept += tokens(file)
        assert len(set(kept)) == 3  # the account has kept its key, and there is another session
        change(file, "UPDATE account SET token = ''; DELETE FROM session")
        said = ask("open 1\n", ENDED)
        assert said == f"Who is it? [Ada]\n{ENDED}"
        list_ = "Ada's diary: 1 entry\n   1  Today: Rain.\n"
        assert ask("signin\n", list_) == list_
        kept += tokens(file)
    recorded = journal.read_bytes()
    assert b"RequestRenewSession" in recorded
    assert [token for token in kept if token and token in recorded] == []
    said = {run(*verifier, str(journal)) for verifier in VERIFIERS.values()}
    assert [code for code, _ in said] == [0], said


@BOTH
def test_the_next_visit_begins_a_session_of_its_own(host: str, tmp_path: Path) -> None:
    file = tmp_path / "diary.sqlite"
    words = [*HOSTS[host], "--db", str(file), "--day", "2026-11-23"]
    assert run(*words, commands=f"{SIGN_IN}new\nedit Rain.\nsave\n")[0] == 0
    list_ = "Ada's diary: 1 entry\n   1  Today: Rain.\n"
    assert run(*words) == (0, list_)
    with typed(words) as ask:
        ask("", list_)
        assert run(*words, commands="drawer\nsignout\nconfirm\n")[1].endswith("Who is it? [Ada]\n")
        assert ask("refresh\n", f"[Ada]\n{ENDED}") == f"! {ENDED}Who is it? [Ada]\n{ENDED}"

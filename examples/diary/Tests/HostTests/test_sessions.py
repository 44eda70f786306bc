# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Random sessions of taps, gestures and links, on a store that is slow, fails and hangs.

The session of the user may end at any time, for a while or for good, and days are short. Others
are on a file, which another program holds, which is full or read-only, and hosts are killed.

    MAINSTEM_SESSIONS=1000 MAINSTEM_SEED=7 python3 -m pytest test_sessions.py

None leaves anything behind, and what was said to be saved is there. Each is told by its seed. Time
is virtual, and the store answers when the session says so.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import resource
import sqlite3
from collections import Counter
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

import pytest
from diaries import (
    HOSTS,
    SCREENS,
    VERIFIERS,
    Confirm,
    DiaryList,
    DiaryPage,
    Drawer,
    Guide,
    Idea,
    SignIn,
    Stage,
    World,
    ids,
    install,
    mainstem,
    run,
    verifier,
)
from mainstem import MainstemError
from sessions import killed, verify

SESSIONS = int(os.environ.get("MAINSTEM_SESSIONS", "40"))
FIRST = int(os.environ.get("MAINSTEM_SEED", "0"))
STEPS = 80
PROVERS = partial(verifier.prove, install), VERIFIERS["Swift"]
PATIENCE = 10.0


class Answers:
    """Counts the answers of each move, of which there is one, and notes failed calls."""

    def __init__(self, context: mainstem.Context) -> None:
        self.moves: Counter[int] = Counter()
        context.observe("MainstemMove", self.moved)
        context.observe("MainstemResult", self.answered)
        self.failures: List[str] = []
        context.observe("MainstemFailure", lambda event: self.failures.append(str(event)))

    def moved(self, event: Any) -> None:
        self.moves[event.position] = 0

    def answered(self, event: Any) -> None:
        self.moves[event.answers] += 1

    @property
    def open(self) -> int:
        assert all(count <= 1 for count in self.moves.values()), self.moves
        return sum(1 for count in self.moves.values() if not count)


class Session:
    """What a user does, and what the store does."""

    def __init__(self, world: World, seed: int) -> None:
        self.world, self.chance = world, random.Random(seed)
        #: What became of each move from outside.
        self.told: List[List[Any]] = []
        #: What was to be saved, how much the store had kept by then, and what became of it.
        self.saves: List[Tuple[str, int, Any]] = []
        #: How often each text was to be saved, and how many were typed.
        self.saved: Counter[str] = Counter()
        self.typed = 0

    def run(self, steps: int) -> None:
        acts = [self.tap] * 10 + [self.answer] * 8 + [self.write] * 6
        acts += [self.back, self.swipe, self.link, self.sign_in, self.trouble, self.wait]
        acts += [self.expire, self.revoke]
        for _ in range(steps):
            self.chance.choice(acts)()
            self.world.settle()
            if not self.world.nav.tree:
                self.open()
            self.check()

    def ask(self, move: Any, *arguments: Any) -> None:
        told: List[Any] = []
        move(*arguments, then=told.append, failed=lambda failure: told.append(failure.status))
        self.told.append(told)
        self.world.settle()

    def open(self) -> None:
        self.ask(self.world.nav.open, "app")

    def taps(self, screen: Any) -> List[Any]:
        """What can be tapped on a screen."""
        view = screen.view
        if screen.kind is DiaryList:
            pick = (view.pick, self.chance.randint(1, 30))
            return [(view.more,), (view.refresh,), pick, (view.write,), (view.menu,)]
        if screen.kind is DiaryPage:
            return [(self.save, view), (view.ask_delete,), (view.close,)]
        taps = {
            Idea: ["another"],
            Confirm: ["confirm", "refuse"],
            SignIn: ["sign_in"],
            Guide: ["understand"],
            Drawer: ["sign_out"],
        }
        return [(getattr(view, name),) for name in taps[screen.kind]]

    def tap(self) -> None:
        seen = self.world.stage.seen
        if not seen:
            return
        command, *arguments = self.chance.choice(self.taps(self.chance.choice(seen)))
        with suppress(MainstemError):  # it is off, or under way
            command(*arguments)

    def save(self, page: Any) -> None:
        text, before = page.text, len(self.world.shelf.saved)
        self.saves.append((text, before, page.save()))
        self.saved[text] += 1

    def write(self) -> None:
        for screen in self.world.stage.seen:
            if screen.kind is DiaryPage:
                self.typed += 1
                texts = [f"Rain {self.typed}.", f"Two\nlines {self.typed}.", ""]
                screen.view.text = self.chance.choice(texts)
                with suppress(MainstemError):
                    if self.chance.random() < 0.7:
                        self.save(screen.view)

    def sign_in(self) -> None:
        for screen in self.world.stage.seen:
            if screen.kind is SignIn:
                screen.view.nickname = self.chance.choice(["Ada", "Ada", "Ben", "?"])
                screen.view.has_agreed = True
                with suppress(MainstemError):
                    screen.view.sign_in()

    def back(self) -> None:
        self.ask(self.world.nav.pop)

    def swipe(self) -> None:
        if self.world.stage.screens:
            shown = list(self.world.stage.screens.values())
            self.world.swipe(self.chance.choice([shown[-1], self.chance.choice(shown)]))

    def link(self) -> None:
        urls = [f"diary/{self.chance.randint(1, 30)}", "compose", "diary/seven", "drawer"]
        self.ask(self.world.nav.link, self.chance.choice(urls))

    def trouble(self) -> None:
        self.world.shelf.mode = self.chance.choice(["up", "up", "up", "down", "hang"])

    def expire(self) -> None:
        self.world.shelf.session = ""

    def revoke(self) -> None:
        """Another program signs the user out."""
        if not self.chance.randrange(4):
            self.world.shelf.session, self.world.shelf.is_revoked = "", True

    def answer(self) -> None:
        if self.world.shelf.waiting:
            self.world.answer_one()

    def wait(self) -> None:
        self.world.context.advance(self.chance.choice([0.1, 3, PATIENCE]))

    def check(self) -> None:
        """What holds at any time."""
        tree = self.world.nav.tree
        numbers = {component.number: component for component in tree}
        shown = [one.number for one in tree if one.kind not in ("flow", "group")]
        assert sorted(self.world.stage.screens) == sorted(shown)
        assert all(not one.parent or one.parent in numbers for one in tree)
        assert all(one.number != one.parent and one.owner for one in tree if one.kind != "group")
        assert Counter(one.url for one in tree)["signin"] <= 1
        assert all(len(told) <= 1 for told in self.told)
        for screen in self.world.screens(DiaryList):
            items = ids(screen.view) or []
            assert items == sorted(set(items), reverse=True)
            assert len({row.day for row in screen.view.rows}) <= 1  # all are of one day
            assert not (screen.view.is_loading and screen.view.is_more_loading)
        self.check_saves()

    def check_saves(self) -> None:
        """What was said to be saved was given to the store, and no more often than it was said."""
        written = self.world.shelf.saved
        for save in [save for save in self.saves if save[2].is_over]:
            self.saves.remove(save)
            text, before, run = save
            with suppress(MainstemError):
                run.result()
                assert text in written[before:], f"{text} is lost"
        assert all(count <= self.saved[text] for text, count in Counter(written).items())

    def settle(self) -> None:
        """The store is well again, and what hangs is late."""
        self.world.shelf.mode = "up"
        for _ in range(4):
            self.world.answer()
            self.world.context.advance(PATIENCE)
            self.world.settle()
        self.world.answer()

    def finish(self) -> None:
        """The user sees all that the store has of them, signed in again if need be, and leaves."""
        self.settle()
        self.world.leave()
        self.open()
        self.settle()
        for screen in self.world.screens(SignIn):
            screen.view.nickname, screen.view.has_agreed = "Ada", True
            screen.view.sign_in()
            self.settle()
        for screen in self.world.screens(Guide):
            screen.view.understand()
            self.settle()
        user = self.world.shelf.account["nickname"]
        shown = self.world.screens(DiaryList)[0].view
        assert self.world.shelf.session == user
        assert shown.title.startswith(f"{user}'s diary: {len(self.world.shelf.kept[user])} entr")
        assert ids(shown) == sorted(self.world.shelf.kept[user], reverse=True)[: len(shown.rows)]
        self.world.leave()
        assert (self.world.nav.tree, self.world.stage.screens) == ([], {})


def counted(context: mainstem.Context) -> Dict[str, int]:
    """What must not grow."""
    stats = context.stats()
    names = ("scopes", "subscriptions", "types", "requests", "retained", "timers", "waiting")
    return {name: getattr(stats, name) for name in names}


def warm(world: World) -> None:
    """Makes the services, and what else is made once."""
    list_ = world.start()
    world.answer()
    world.do(list_.pick, 3)
    world.do(world.view(DiaryPage).ask_delete)
    world.do(world.view(Confirm).refuse)
    world.do(world.view(DiaryPage).close)
    world.do(list_.write)
    world.do(world.view(DiaryPage).close)
    world.do(list_.menu)
    world.do(world.view(Drawer).sign_out)
    world.do(world.view(Confirm).confirm)
    world.do(world.view(SignIn).sign_in)
    world.leave()


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SESSIONS))
def test_a_session_leaves_nothing_behind_and_verifies(seed: int, tmp_path: Path) -> None:
    journal = tmp_path / "session.journal"
    with World(journal, entries=25, seed=seed + 1) as world:
        answers = Answers(world.context)
        world.shelf.day = 60
        warm(world)
        before, session = counted(world.context), Session(world, seed)
        session.open()
        session.run(STEPS)
        left = [component.number for component in world.nav.tree]
        position = world.context.stats().events
        session.finish()
        session.check_saves()
        assert counted(world.context) == before
        assert (answers.failures, world.context.stats().failures) == ([], 0)
        assert (answers.open, session.saves) == (0, [])
        assert all(len(told) == 1 for told in session.told)
        calls = len(world.shelf.asked)
    verify(journal, *PROVERS)
    assert len(world.shelf.asked) == calls
    shown_again(journal, position, left)


def shown_again(journal: Path, position: int, left: List[int]) -> None:
    """A muted replay shows what was there."""
    with mainstem.Context() as context, context.replay(journal) as replay:
        nav = mainstem.Navigator(context)
        install(context)
        stage = Stage(context, SCREENS)
        nav.stage(stage)
        replay.seek(position)
        context.drain()
        assert set(stage.screens) <= set(left)
        assert all(screen.view is not None for screen in stage.screens.values())
        replay.to_end()
        context.drain()
        assert stage.screens == {}


# On a file


@contextlib.contextmanager
def opened(file: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(str(file), isolation_level=None)) as connection:
        yield connection


@contextlib.contextmanager
def held(file: Path) -> Iterator[None]:
    """Another program holds the file."""
    with opened(file) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("ROLLBACK")


@contextlib.contextmanager
def full(file: Path) -> Iterator[None]:
    """The file cannot grow; the journal, which is smaller, can."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with opened(file) as other:
        other.execute("CREATE TABLE IF NOT EXISTS other (bytes BLOB)")
        other.execute("INSERT INTO other VALUES (zeroblob(8000000))")
    resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextlib.contextmanager
def changed(script: str, file: Path) -> Iterator[None]:
    """Another program changes who is signed in."""
    with opened(file) as other:
        other.executescript(script)
    yield


@contextlib.contextmanager
def read_only(file: Path) -> Iterator[None]:
    """The superuser can write to any file, so the file itself says that it is of a later SQLite."""
    for version in b"\3\1":
        with open(file, "r+b") as bytes:
            bytes.seek(18)
            bytes.write(bytearray([version]))
        if version == 3:
            yield


#: What the store may meet while something is saved. "slow": another program holds the file for a
#: moment; "locked": for longer than the store waits, which is a second.
TROUBLE: Dict[str, Any] = {
    "": contextlib.nullcontext,
    "slow": held,
    "locked": held,
    "full": full,
    "expired": partial(changed, "UPDATE session SET ends = 0"),
    "revoked": partial(changed, "UPDATE account SET token = ''; DELETE FROM session"),
}
WEIGHTS = [4, 4, 1, 4, 4, 2]


class Visit:
    """One run of the app on a file. `kept` is what was said to be there, by id."""

    def __init__(self, world: World, file: Path, chance: random.Random, kept: Dict[int, str]):
        self.world, self.file, self.chance, self.kept = world, file, chance, kept
        world.nav.open("app", failed=lambda failure: None)
        world.nav.ready()
        world.answer()

    def sign_in(self) -> None:
        if screens := self.world.screens(SignIn):
            screens[0].view.nickname, screens[0].view.has_agreed = "Ada", True
            self.world.do(screens[0].view.sign_in)
        for screen in self.world.screens(Guide):
            self.world.do(screen.view.understand)

    def page(self, id: int) -> Any:
        """Opens an entry; 0: a new one. What was typed and not saved is there again."""
        list_ = self.world.view(DiaryList)
        self.world.do(list_.pick, id) if id else self.world.do(list_.write)
        return self.world.view(DiaryPage)

    def write(self, text: str, id: int = 0) -> Any:
        """Types a text into an entry."""
        page = self.page(id)
        page.text = text
        self.world.answer()
        return page

    def save(self, page: Any) -> bool:
        """Whether it is said to be saved."""
        text, run = page.text, page.save()
        self.world.answer()
        with suppress(MainstemError):
            run.result()
            self.kept[page.id] = text
            return True
        return False

    def step(self, text: str) -> None:
        """Saves something in trouble; once that is over, it is saved."""
        [kind] = self.chance.choices(list(TROUBLE), WEIGHTS)
        id = self.chance.choice([0, 0, *self.kept])
        page = self.write(text, id)
        if kind == "slow":
            with held(self.file):
                run = page.save()
                self.world.settle()
            self.world.answer()
            run.result()
            self.kept[page.id] = text
        else:
            with TROUBLE[kind](self.file):
                is_saved = self.save(page)
            assert is_saved if kind in ("", "expired") else not is_saved or kind == "full", kind
            self.check()
            if kind == "revoked":
                self.sign_in()
                page = self.page(id)
                assert page.text == text
            assert is_saved or self.save(page)
        self.world.do(page.close)
        self.check()

    def check(self) -> None:
        """What was said to be saved is there, and nothing else; so it is shown."""
        assert stored(self.file) == self.kept
        for list_ in self.world.screens(DiaryList):
            if list_.view.is_known:
                assert ids(list_.view) == sorted(self.kept, reverse=True)[:10]
        assert self.world.context.first_error() is None


def stored(file: Path) -> Dict[int, str]:
    with opened(file) as connection:
        return dict(connection.execute("SELECT id, text FROM entry"))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SESSIONS // 4))
def test_a_file_keeps_what_was_said_to_be_saved(seed: int, tmp_path: Path) -> None:
    chance, kept = random.Random(seed), {}
    file, journal = tmp_path / "diary.sqlite", tmp_path / "session.journal"
    for number in range(3):
        is_read_only = bool(number) and chance.random() < 0.25
        mode = read_only(file) if is_read_only else contextlib.nullcontext()
        with mode, World(journal, seed=seed, file=file) as world:
            visit = Visit(world, file, chance, kept)
            visit.sign_in()
            if is_read_only:
                assert not visit.save(visit.write("Never."))  # nor can a session begin
                visit.check()
                assert world.screens(DiaryList)[0].told
                continue
            assert world.view(DiaryList).is_known
            for step in range(2):
                visit.step(f"{number}, {step}. " * chance.choice([1, 5000]))
            if chance.random() < 0.5:  # it is closed in the middle of a save
                visit.write(f"{number}, last.").save()
                if chance.random() < 0.5:
                    world.settle()
            else:
                world.leave()
                assert world.context.request_count() == 0
        now = stored(file)
        changed = {id for id in {*kept, *now} if kept.get(id) != now.get(id)}
        assert [now.get(id) for id in changed] in ([], [f"{number}, last."])
        kept = now
    verify(journal, *PROVERS)


MORE = " And more."
SIGN_IN = "agree\nsignin Ada\nunderstood\n"


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SESSIONS // 4))
def test_a_killed_host_loses_nothing_that_it_said(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    file, journal = tmp_path / "diary.sqlite", tmp_path / "session.journal"
    words = [*HOSTS[chance.choice(list(HOSTS))], "--db", str(file), "--day", "2026-11-23"]
    assert run(*words, commands=SIGN_IN)[0] == 0
    words += ["--record", str(journal)]
    for number in range(3):
        before, commands = stored(file), ""
        for place in range(5):  # each is saved, and changed
            text = f"{number}, {place}."
            commands += f"new\nedit {text}\nsave\nedit {text}{MORE}\nsave\nlist\n"
        said = killed(words, commands, chance.randrange(70))
        with opened(file) as connection:
            drafts = {text for (text,) in connection.execute("SELECT text FROM draft")}
        kept = stored(file)
        assert before.items() <= kept.items()
        for head, line in zip(said, said[1:]):
            if not line.startswith(f"{number}, "):
                continue  # such as the draft of the visit before
            later = {line, line + MORE}
            if re.match(r"A new entry \(edited\)|\d+ [\d-]+ \(edited\)", head):
                assert later & {*drafts, *kept.values()}, line
            elif found := re.match(r"(\d+) [\d-]+$", head):
                assert kept[int(found[1])] in later, line
    verify(journal, *PROVERS)

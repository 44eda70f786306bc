# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Random sessions of taps, gestures and links, on a store that is slow, fails and hangs.

    MAINSTEM_SESSIONS=1000 MAINSTEM_SEED=7 python3 -m pytest test_sessions.py

None leaves anything behind. Each is told by its seed. Time is virtual, and the store answers when
the session says so.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, Dict, List

import pytest
from diaries import (
    SCREENS,
    Confirm,
    DiaryList,
    DiaryPage,
    Drawer,
    Guide,
    Idea,
    SignIn,
    Stage,
    World,
    install,
    mainstem,
)
from mainstem import MainstemError

SESSIONS = int(os.environ.get("MAINSTEM_SESSIONS", "40"))
FIRST = int(os.environ.get("MAINSTEM_SEED", "0"))
STEPS = 80
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

    def run(self, steps: int) -> None:
        acts = [self.tap] * 10 + [self.answer] * 6 + [self.write] * 2
        acts += [self.back, self.swipe, self.link, self.sign_in, self.trouble, self.wait]
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
        taps = {
            DiaryPage: ["save", "ask_delete", "close"],
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

    def write(self) -> None:
        for screen in self.world.stage.seen:
            if screen.kind is DiaryPage:
                screen.view.text = self.chance.choice(["Rain.", "Sun.", "", "Two\nlines."])

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
            items = screen.view.items or []
            assert items == sorted(set(items), reverse=True)
            assert not (screen.view.is_loading and screen.view.is_more_loading)

    def settle(self) -> None:
        """The store is well again, and what hangs is late."""
        self.world.shelf.mode = "up"
        for _ in range(4):
            self.world.answer()
            self.world.context.advance(PATIENCE)
            self.world.settle()
        self.world.answer()

    def leave(self) -> None:
        """The user closes the window: all that is there goes."""
        for component in self.world.nav.tree:
            if not component.parent:
                self.world.nav.gone(component.number)
        for number in list(self.world.stage.screens):
            if number not in {component.number for component in self.world.nav.tree}:
                self.world.stage.hide([number])
        self.world.settle()

    def finish(self) -> None:
        """Ada sees all that the store has of her, and leaves."""
        self.settle()
        self.leave()
        self.world.shelf.account.update(token="Ada", nickname="Ada", hasSeenGuide=True)
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
    Session(world, 0).leave()


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SESSIONS))
def test_a_session_leaves_nothing_behind_and_verifies(seed: int, tmp_path: Path) -> None:
    journal = tmp_path / "session.journal"
    with World(journal, entries=25, seed=seed + 1) as world:
        answers = Answers(world.context)
        warm(world)
        before, session = counted(world.context), Session(world, seed)
        session.open()
        session.run(STEPS)
        left = [component.number for component in world.nav.tree]
        position = world.context.stats().events
        session.finish()
        assert counted(world.context) == before
        assert (answers.failures, world.context.stats().failures) == ([], 0)
        assert answers.open == 0
        assert all(len(told) == 1 for told in session.told)
        calls = len(world.shelf.asked)
    with mainstem.Context() as again, again.replay(journal, verify=True) as replay:
        install(again)
        replay.to_end()
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

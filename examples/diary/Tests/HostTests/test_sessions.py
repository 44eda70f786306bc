# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Random sessions on a store that is slow, fails and hangs: none leaves anything behind.

    MAINSTEM_SESSIONS=1000 MAINSTEM_SEED=7 python3 -m pytest test_sessions.py

Each is told by its seed. Time is virtual, and the store answers when the session says so.
"""

from __future__ import annotations

import os
import random
from contextlib import suppress
from pathlib import Path
from typing import Any, Dict, List

import pytest
from diaries import Confirm, DiaryList, DiaryPage, Drawer, SignIn, World, install, mainstem
from mainstem import MainstemError

SESSIONS = int(os.environ.get("MAINSTEM_SESSIONS", "40"))
FIRST = int(os.environ.get("MAINSTEM_SEED", "0"))
STEPS = 60
PATIENCE = 10.0


class Window:
    """A window with a screen in it."""

    def __init__(self, world: World, kind: Any, data: Any = None) -> None:
        self.told: List[Any] = []
        self.scope = world.window()
        rows = {"picked": self.told.append} if kind is DiaryList else {}
        self.view = world.open(kind, data, self.scope, **rows)


class Session:
    """What a user does in up to six windows, and what the store does."""

    def __init__(self, world: World, seed: int) -> None:
        self.world, self.chance = world, random.Random(seed)
        self.windows: Dict[Any, List[Window]] = {kind: [] for kind in KINDS}

    def run(self, steps: int) -> None:
        acts = [self.more, self.more, self.refresh, self.pick, self.write, self.save, self.delete]
        acts += [
            self.question,
            self.sign,
            self.trouble,
            self.wait,
            self.open,
            self.open,
            self.close,
        ]
        acts += [self.answer] * 6
        for _ in range(steps):
            self.chance.choice(acts)()
            self.check()

    def one(self, kind: Any) -> Any:
        """A screen of a kind, which is opened if there is none."""
        if not self.windows[kind]:
            self.add(kind)
        return self.chance.choice(self.windows[kind])

    def add(self, kind: Any) -> None:
        data = {DiaryPage: self.chance.randint(0, 30), Confirm: "Really?"}.get(kind)
        self.windows[kind].append(Window(self.world, kind, data))

    def tell(self, command: Any, *arguments: Any) -> None:
        with suppress(MainstemError):  # it is off, or under way
            command(*arguments)
        self.world.context.drain()

    def more(self) -> None:
        for _ in range(self.chance.randint(1, 4)):
            self.tell(self.one(DiaryList).view.more)

    def refresh(self) -> None:
        self.tell(self.one(DiaryList).view.refresh)

    def pick(self) -> None:
        window, id = self.one(DiaryList), self.chance.randint(1, 30)
        self.tell(window.view.pick, id)
        assert window.told.pop() == id

    def write(self) -> None:
        self.one(DiaryPage).view.text = self.chance.choice(["Rain.", "Sun.", "", "Two\nlines."])

    def save(self) -> None:
        self.tell(self.one(DiaryPage).view.save)

    def delete(self) -> None:
        page = self.one(DiaryPage).view
        self.tell(page.ask_delete)
        self.tell(page.delete)

    def question(self) -> None:
        dialog = self.one(Confirm).view
        self.tell(self.chance.choice([dialog.confirm, dialog.refuse]))
        assert not dialog.can_answer

    def sign(self) -> None:
        if self.chance.random() < 0.5:
            self.tell(self.one(Drawer).view.sign_out)
        else:
            screen = self.one(SignIn).view
            screen.nickname = self.chance.choice(["Ada", "Ada", "Ben", "?"])
            self.tell(screen.sign_in)

    def trouble(self) -> None:
        self.world.shelf.mode = self.chance.choice(["up", "up", "up", "down", "hang"])

    def answer(self) -> None:
        if self.world.shelf.waiting:
            self.world.shelf.waiting.pop(0)()
        self.world.context.drain()

    def wait(self) -> None:
        self.world.context.advance(self.chance.choice([0.1, 3, PATIENCE]))
        self.world.context.drain()

    def open(self) -> None:
        kind = self.chance.choice(KINDS)
        if len(self.windows[kind]) < 3:
            self.add(kind)

    def close(self) -> None:
        windows = self.windows[self.chance.choice(KINDS)]
        if windows:
            windows.pop(self.chance.randrange(len(windows))).scope.end()
            self.world.context.drain()

    def lists(self) -> List[Any]:
        return [window.view for window in self.windows[DiaryList]]

    def check(self) -> None:
        """What holds at any time: no entry twice, the newest first, and one page on its way."""
        for view in self.lists():
            items = view.items or []
            assert items == sorted(set(items), reverse=True)
            assert len(view.rows) == 8 * len(items)
            assert not (view.is_loading and view.is_more_loading)
            assert view.can_more == (
                view.items is not None and not (view.no_more or view.is_loading)
            )

    def settle(self) -> None:
        """The store is well again, and what hangs is late."""
        self.world.shelf.mode = "up"
        for _ in range(4):
            self.world.answer()
            self.world.context.advance(PATIENCE)
        self.world.answer()

    def finish(self) -> None:
        """Ada is there, and each list shows all that the store has of her."""
        screen = self.one(SignIn).view
        screen.nickname = "Ada"
        self.tell(screen.sign_in)
        self.settle()
        for view in self.lists():
            self.tell(view.refresh)
            self.settle()
            while view.can_more:
                self.tell(view.more)
                self.settle()
            kept = self.world.shelf.kept["Ada"]
            assert view.items == sorted(kept, reverse=True)
            assert (
                view.title == f"Ada's diary: {len(kept)} {'entry' if len(kept) == 1 else 'entries'}"
            )


KINDS = [DiaryList, DiaryPage, Confirm, SignIn, Drawer]


def counted(context: mainstem.Context) -> Dict[str, int]:
    """What must not grow."""
    stats = context.stats()
    names = ("scopes", "subscriptions", "types", "requests", "retained", "timers", "waiting")
    return {name: getattr(stats, name) for name in names}


def warm(world: World) -> None:
    """Makes the services, and what else is made once."""
    session = Session(world, 0)
    for kind in KINDS:
        session.add(kind)
        session.settle()
    session.finish()
    for windows in session.windows.values():
        for window in windows:
            window.scope.end()
    world.context.drain()


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SESSIONS))
def test_a_session_leaves_nothing_behind_and_verifies(seed: int, tmp_path: Path) -> None:
    journal = tmp_path / "session.journal"
    with World(journal, entries=25, seed=seed + 1) as world:
        warm(world)
        before, session = counted(world.context), Session(world, seed)
        session.add(DiaryList)
        session.run(STEPS)
        session.settle()
        session.finish()
        for windows in session.windows.values():
            for window in windows:
                window.scope.end()
        world.context.drain()
        assert counted(world.context) == before
        assert world.context.stats().failures == 0
        calls = len(world.shelf.asked)
    with mainstem.Context() as again, again.replay(journal, verify=True) as replay:
        install(again)
        replay.to_end()
    assert len(world.shelf.asked) == calls

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Random sessions against a provider that is slow, fails and hangs; screens that come and go.

SIGNIN_SESSIONS says how many (40), SIGNIN_SEED where to begin.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any, List

import mainstem
from mainstem import MainstemError, Status
from world import BUILT, SIGNIN, World

sys.path.append(str(SIGNIN / "hosts"))
from verify_session import verify  # noqa: E402

SESSIONS = int(os.environ.get("SIGNIN_SESSIONS", "40"))
SEED = int(os.environ.get("SIGNIN_SEED", "1"))
NAMES = ["", "ja", "jack", "jill", "somebody"]


class Session:
    """One random session: what users do in up to three windows, and what the provider does."""

    def __init__(self, world: World, seed: int) -> None:
        self.world, self.chance = world, random.Random(seed)
        self.windows: List[Any] = [(world.window, world.form)]

    def run(self, steps: int) -> None:
        acts = [self.type, self.type, self.submit, self.submit, self.cancel, self.provider]
        acts += [self.answer, self.answer, self.wait, self.open, self.close]
        for _ in range(steps):
            self.chance.choice(acts)()
            self.check()

    def form(self) -> Any:
        return self.chance.choice(self.windows)[1]

    def type(self) -> None:
        form, name = self.form(), self.chance.choice(NAMES)
        form.username = name
        form.password = self.chance.choice([name[::-1], "wrong", ""])

    def submit(self) -> None:
        self.tell("submit", (Status.DISABLED, Status.EXECUTING))

    def cancel(self) -> None:
        self.tell("cancel", (Status.DISABLED,))

    def tell(self, command: str, refusals: Any) -> None:
        try:
            getattr(self.form(), command)()
        except MainstemError as error:
            assert error.status in refusals
        self.world.context.drain()

    def provider(self) -> None:
        self.world.account.mode = self.chance.choice(["up", "up", "down", "hang"])

    def answer(self) -> None:
        self.world.answer()

    def wait(self) -> None:
        self.world.context.advance(self.chance.choice([0.1, 3, 10]))
        self.world.context.drain()

    def open(self) -> None:
        if len(self.windows) < 3:
            window = self.world.scope("Window")
            self.windows.append((window, self.world.open(window)))

    def close(self) -> None:
        if len(self.windows) > 1:
            window, _ = self.windows.pop(self.chance.randrange(len(self.windows)))
            window.end()
            self.world.context.drain()

    def check(self) -> None:
        """What holds at any time: screens agree, and the table holds."""
        signed = {form.submit_title for _, form in self.windows}
        busy = {form.indicator_animating for _, form in self.windows}
        assert len(signed) == len(busy) == 1
        for _, form in self.windows:
            assert form.indicator_hidden is not form.indicator_animating
            assert not (form.submit_enable and form.indicator_animating)
            assert form.username_input_enable == ((signed, busy) == ({"Submit"}, {False}))


def test_random_sessions_leave_nothing_open_and_verify(tmp_path: Path) -> None:
    for seed in range(SEED, SEED + SESSIONS):
        path = tmp_path / f"{seed}.journal"
        with World(path) as world:
            session = Session(world, seed)
            session.run(40)
            world.context.advance(60)  # Patience ends what hangs.
            world.context.drain()
            for window, _ in session.windows:
                window.end()
            world.context.drain()
            stats = world.context.stats()
            left = (world.context.request_count(), stats.retained, stats.waiting, stats.timers)
            assert (seed, left, stats.failures) == (seed, (0, 0, 0, 0), 0)
        assert "events, digest" in verify(str(path)), seed
        path.unlink()


def test_a_thousand_screens_leave_nothing_in_c() -> None:
    done = subprocess.run([BUILT / "screens", "1000"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def resident() -> int:
    """The most memory that this process has had, in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def test_a_thousand_screens_leave_nothing_in_python() -> None:
    def screens(world: World, count: int) -> mainstem.Stats:
        for _ in range(count):
            window = world.scope("Window")
            form = world.open(window)
            form.username, form.password = "jack", "kcaj"
            form.submit()
            window.end()  # In the middle of signing in.
            world.context.drain()
        return world.context.stats()

    with World(mode="hang") as world:
        before, memory = screens(world, 100), resident()
        after = screens(world, 1000)
        grown = resident() - memory
        print(f"1000 screens: {grown} KiB more")
        assert grown < 1024
        for name in (
            "scopes",
            "subscriptions",
            "requests",
            "retained",
            "timers",
            "waiting",
            "types",
        ):
            assert getattr(before, name) == getattr(after, name), name
        assert after.failures == 0
        assert world.context.request_count() == 0

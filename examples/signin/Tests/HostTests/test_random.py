# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Random sessions against a provider that is slow, refuses, fails and hangs; windows come and go.

Some sessions end in the middle of that, and hosts are killed. What was typed as a password is in no
journal.

SIGNIN_SESSIONS says how many (40), SIGNIN_SEED where to begin.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
from pathlib import Path
from typing import Any, List

import mainstem
import pytest
from hosts import HOSTS, SWIFT, environment
from mainstem import MainstemError, Status
from sessions import killed, verify
from verify_session import prove
from world import BUILT, World

SESSIONS = int(os.environ.get("SIGNIN_SESSIONS", "40"))
SEED = int(os.environ.get("SIGNIN_SEED", "1"))
NAMES = ["", "ja", "jack", "jill", "somebody"]


class Session:
    """One random session: what users do in up to three windows, and what the provider does."""

    def __init__(self, world: World, seed: int) -> None:
        self.world, self.chance = world, random.Random(seed)
        self.windows: List[Any] = [(world.window, world.form)]
        #: Whether the provider has said so last.
        self.is_signed = False
        world.context.observe("ResponseLogIn", lambda event: self.heard(event, True))
        world.context.observe("ResponseLogOut", lambda event: self.heard(event, False))

    def run(self, steps: int) -> None:
        acts = [self.type, self.type, self.submit, self.submit, self.cancel, self.provider]
        acts += [self.answer, self.answer, self.wait, self.open, self.close]
        for _ in range(steps):
            self.chance.choice(acts)()
            self.check()

    def heard(self, event: Any, is_signed: bool) -> None:
        if not event.failed:
            self.is_signed = is_signed

    def form(self) -> Any:
        return self.chance.choice(self.windows)[1]

    def type(self) -> None:
        form, name = self.form(), self.chance.choice(NAMES)
        form.username = name
        form.password = self.chance.choice([name[::-1], "wrong", ""])

    def submit(self) -> None:
        form = self.form()
        if self.chance.random() < 0.7:  # who knows what to type
            form.username, form.password = "jack", "kcaj"
        self.tell(form, "submit", (Status.DISABLED, Status.EXECUTING))
        if self.chance.random() < 0.5:
            self.answer()

    def cancel(self) -> None:
        self.tell(self.form(), "cancel", (Status.DISABLED,))

    def tell(self, form: Any, command: str, refusals: Any) -> None:
        try:
            getattr(form, command)()
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

    def recover(self) -> None:
        """The provider is well again: who knows what to type signs in, and out if need be."""
        self.world.context.advance(60)  # Patience ends what hangs.
        self.world.context.drain()
        self.world.account.mode = "up"
        form = self.form()
        for _ in range(1 + self.is_signed):
            form.username, form.password = "jack", "kcaj"
            form.submit()
            self.world.context.drain()
            self.answer()
            self.check()
        assert form.state == "jack, signed in at 09:41"

    def check(self) -> None:
        """What holds at any time: screens agree, and the table holds."""
        signed = {form.submit_title for _, form in self.windows}
        busy = {form.indicator_animating for _, form in self.windows}
        assert len(signed) == len(busy) == 1
        assert busy == {True} or signed == {"Sign out" if self.is_signed else "Submit"}
        for _, form in self.windows:
            assert form.indicator_hidden is not form.indicator_animating
            assert not (form.submit_enable and form.indicator_animating)
            assert form.username_input_enable == ((signed, busy) == ({"Submit"}, {False}))


def verify_without_passwords(path: Path) -> None:
    recorded = path.read_bytes() if path.exists() else b""  # a host was killed before it made one
    assert [name for name in NAMES[2:] if name[::-1].encode() in recorded] == []
    verify(path, prove, SWIFT)


@pytest.mark.parametrize("seed", range(SEED, SEED + SESSIONS))
def test_a_random_session_leaves_nothing_open_and_verifies(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "session.journal"
    with World(path) as world:
        session = Session(world, seed)
        session.run(40)
        session.recover()
        for window, _ in session.windows:
            window.end()
        world.context.drain()
        stats = world.context.stats()
        left = (world.context.request_count(), stats.retained, stats.waiting, stats.timers)
        assert (left, stats.failures) == ((0, 0, 0, 0), 0)
    verify_without_passwords(path)


@pytest.mark.parametrize("seed", range(SEED, SEED + SESSIONS // 4))
def test_a_random_session_may_end_at_any_moment(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "session.journal"
    with World(path) as world:
        session = Session(world, seed)
        session.run(session.chance.randint(1, 40))
        assert world.context.stats().failures == 0
    verify_without_passwords(path)


@pytest.mark.parametrize("seed", range(SEED, SEED + SESSIONS // 4))
def test_a_killed_host_leaves_sessions_that_verify(seed: int, tmp_path: Path) -> None:
    chance, path = random.Random(seed), tmp_path / "session.journal"
    host = HOSTS[chance.choice(list(HOSTS))]
    words = [*host, "--script", "--delay", str(chance.choice([0, 1, 20])), "--record", str(path)]
    for _ in range(2):
        lines = [f"account {chance.choice(['up', 'up', 'down', 'hang'])}"]
        for _ in range(6):
            name = chance.choice(NAMES[2:])
            password = chance.choice([name[::-1], "wrong"])
            lines += [f"username {name}", f"password {password}", "submit", "show"]
            lines += chance.choice([["show"], ["cancel", "show"]])
        killed(words, "\n".join(lines), chance.randrange(13), environment(False))
    verify_without_passwords(path)


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

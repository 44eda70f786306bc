# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Random sessions, against a site that is slow, fails and hangs: none leaves anything behind.

    MAINSTEM_SESSIONS=1000 MAINSTEM_SEED=7 python3 -m pytest test_sessions.py

Each is told by its seed. The provider is the one in C, on this thread, or the one in Python, whose
threads answer. The clock stands still until nothing else moves, so a test waits for the site but
never for a timeout.
"""

from __future__ import annotations

import json
import os
import random
import resource
import threading
import time
from contextlib import suppress
from ctypes import CDLL, byref, c_int, c_int64, c_void_p
from pathlib import Path
from struct import iter_unpack
from typing import Any, Dict, List, Optional

import pytest
from boats import PROGRAMS, Http, Lookup, Profile, TweetCell, install, mainstem, run, serve
from mainstem import MainstemError

SESSIONS = int(os.environ.get("MAINSTEM_SESSIONS", "40"))
FIRST = int(os.environ.get("MAINSTEM_SEED", "0"))
STEPS = 30
PATIENCE = 10.0
NAMES = ["jack", "mary", "ines", "olaf", "new", "tides", "nobody", "no one", "ab", ""]

LIBRARY = CDLL(os.environ["TWEETBOAT_LIBRARY"])
LIBRARY.http_provider_add.argtypes = [c_void_p, c_void_p]
LIBRARY.http_provider_wait.argtypes = [c_void_p, c_int64, c_int]


class Screen:
    """A screen, as a view has it."""

    def __init__(self, context: mainstem.Context, site: str) -> None:
        self.window = context.scope("Window")
        owner = self.window.open_instance("Lookup", site)
        self.lookup = mainstem.view(self.window, Lookup, owner)
        self.cell = mainstem.view(self.window, TweetCell)
        self.profile = mainstem.view(self.window, Profile)

    @property
    def cells(self) -> List[int]:
        return [number for (number,) in iter_unpack("Q", self.lookup.cells)]


class Asked:
    """What the network was asked, seen on the stream: no page and no picture twice."""

    def __init__(self, context: mainstem.Context) -> None:
        self.open: Dict[int, str] = {}
        self.pictures: Dict[str, int] = {}
        self.pages = self.loads = 0
        context.observe("RequestHttp", self.request)
        context.observe("ResponseHttp", self.answer)
        context.observe("RequestFetchTimeline", self.page)
        context.observe("Lookup.loadMore", self.load)
        context.observe("Lookup.go", self.load)
        context.observe("Lookup.loadMore.done", self.loaded)
        context.observe("Lookup.go.done", self.loaded)

    def request(self, event: Any) -> None:
        url = json.loads(event.data)["url"]
        if "/avatar/" in url:
            assert url not in self.open.values(), f"{url} is on its way"
            assert url not in self.pictures, f"{url} is known"
        self.open[event.position] = url

    def answer(self, event: Any) -> None:
        url = self.open.pop(event.answers)
        if "/avatar/" in url and not event.failed:
            self.pictures[url] = event.position

    def page(self, event: Any) -> None:
        self.pages += 1

    def load(self, event: Any) -> None:
        self.loads += 1

    def loaded(self, event: Any) -> None:
        refused = (mainstem.Status.DISABLED, mainstem.Status.EXECUTING)
        self.loads -= event.status in refused


class InC:
    """The provider in C."""

    def __init__(self, context: mainstem.Context) -> None:
        self.http = c_void_p()
        assert not LIBRARY.http_provider_add(context.handle, byref(self.http))

    def wait_for(self, most: int) -> None:
        LIBRARY.http_provider_wait(self.http, most, -1)

    def end(self) -> None:
        """It has nothing that waits."""


class InPython:
    """The provider in Python."""

    def __init__(self, context: mainstem.Context) -> None:
        self.context = context
        context.install(Http(1.0), on="host")

    def wait_for(self, most: int) -> None:
        self.context.wait(most / 1000)

    def end(self) -> None:
        """A thread that hangs with the site keeps its request until then."""
        for thread in threading.enumerate():
            if thread.name == Http.THREAD:
                thread.join()


class Session:
    """Random steps on some screens."""

    def __init__(self, seed: int, journal: Path, provider: Any = InC) -> None:
        self.chance = random.Random(seed)
        self.site = serve()
        self.context = mainstem.Context(clock="virtual", seed=seed + 1)
        self.context.record(journal)
        install(self.context, int(PATIENCE * 1000))
        self.provider = provider(self.context)
        self.screens: List[Screen] = []
        self.asked: Optional[Asked] = None

    def close(self) -> None:
        self.site.close()
        self.context.close()

    def open(self) -> Screen:
        screen = Screen(self.context, self.site.url(""))
        self.screens.append(screen)
        return screen

    def step(self) -> None:
        steps = [self.type, self.go, self.more, self.reuse, self.profile, self.wait, self.trouble]
        weights = [4, 5, 6, 2, 2, 6, 2]
        if len(self.screens) < 3 or self.chance.random() < 0.05:
            steps.append(self.open_or_close)
            weights.append(2)
        self.chance.choices(steps, weights)[0](self.chance.choice(self.screens))

    def type(self, screen: Screen) -> None:
        screen.lookup.username = self.chance.choice(NAMES)

    def go(self, screen: Screen) -> None:
        if self.chance.random() < 0.7:
            screen.lookup.username = self.chance.choice(NAMES[:6])
        with suppress(MainstemError):
            screen.lookup.go()

    def more(self, screen: Screen) -> None:
        for _ in range(self.chance.randint(1, 5)):
            with suppress(MainstemError):
                screen.lookup.load_more()

    def reuse(self, screen: Screen) -> None:
        for cell in self.chance.sample(screen.cells, min(5, len(screen.cells))):
            mainstem.retarget(screen.cell, cell)
            assert screen.cell.author and screen.cell.text

    def profile(self, screen: Screen) -> None:
        if screen.cells:
            mainstem.retarget(screen.cell, self.chance.choice(screen.cells))
            number = mainstem.open_child(screen.cell, "profile").result()
            mainstem.retarget(screen.profile, number)
            assert screen.profile.full_name == screen.cell.author

    def wait(self, screen: Screen) -> None:
        self.wait_for(self.chance.choice([0, 2, 20]))

    def trouble(self, screen: Screen) -> None:
        times = self.chance.randint(1, 3)
        trouble = self.chance.randrange(4)
        if trouble == 0:
            self.site.fail(self.chance.choice([404, 500, 503]), times)
        elif trouble == 1:
            self.site.hang(times)
        elif trouble == 2:
            self.site.delay = self.chance.choice([0, 0.001, 0.01])
        else:
            self.context.advance(self.chance.choice([1, PATIENCE]))

    def open_or_close(self, screen: Screen) -> None:
        if len(self.screens) > 1 and self.chance.random() < 0.5:
            self.screens.remove(screen)
            screen.window.end()
        else:
            self.open()

    def wait_for(self, most: int) -> None:
        """Waits for the network, milliseconds at most."""
        self.provider.wait_for(most)

    def settle(self, hangs: bool = True) -> None:
        """Until nothing moves; then what hangs is late."""
        events, since = 0, time.monotonic()
        while self.context.request_count() or self.context.drain():
            self.wait_for(100)
            if events != self.context.stats().events:
                events, since = self.context.stats().events, time.monotonic()
            elif hangs and time.monotonic() - since > 0.1:
                self.context.advance(PATIENCE)


def check(screen: Screen) -> None:
    """What is there at the end: nothing loads, and the list has no holes and no repeats."""
    lookup = screen.lookup
    assert not lookup.is_loading and not lookup.go.executing and not lookup.load_more.executing
    shown = [mainstem.view(screen.window, TweetCell, number).text for number in screen.cells]
    written = WRITTEN.get(lookup.full_name, [])
    assert shown == written[: len(shown)]
    assert lookup.can_load_more == (len(shown) < len(written))
    assert bool(lookup.loading_row) == lookup.can_load_more
    assert len(shown) == len(written) or len(shown) % 20 == 0


def written() -> Dict[str, List[str]]:
    """What each user has written, as the site tells it."""
    all_of: Dict[str, List[str]] = {}
    with serve() as site:
        for path, page in site.pages.items():
            number, is_last = 0, "/avatar/" in path
            while not is_last:
                number += 1
                answer = page({"page": str(number)})
                is_last = answer["isLast"]
                texts = all_of.setdefault(answer["user"]["fullName"], [])
                texts += [tweet["text"] for tweet in answer["tweets"]]
    return all_of


WRITTEN = written()


def counted(context: mainstem.Context) -> Dict[str, int]:
    """What must not grow."""
    stats = context.stats()
    names = ("scopes", "subscriptions", "types", "requests", "retained", "timers", "waiting")
    return {name: getattr(stats, name) for name in names}


@pytest.mark.parametrize("provider", [InC, InPython])
@pytest.mark.parametrize("seed", range(FIRST, FIRST + SESSIONS))
def test_a_session_leaves_nothing_behind(seed: int, provider: Any, tmp_path: Path) -> None:
    journal = tmp_path / "session.journal"
    session = Session(seed, journal, provider)
    try:
        warm(session)
        session.provider.end()
        before = counted(session.context)
        session.asked = Asked(session.context)
        more = counted(session.context)["subscriptions"] - before["subscriptions"]
        session.open()
        for _ in range(STEPS):
            session.step()
        session.settle()
        for screen in session.screens:
            check(screen)
            screen.window.end()
        session.settle()
        before["subscriptions"] += more
        session.provider.end()
        assert counted(session.context) == before
        assert session.context.stats().failures == 0
        assert session.asked.open == {}
        assert session.asked.pages == session.asked.loads
    finally:
        session.close()
    with mainstem.Context() as again, again.replay(journal, verify=True) as replay:
        install(again)
        replay.to_end()


def warm(session: Session) -> None:
    """Makes the services, and what else is made once."""
    screen = session.open()
    screen.lookup.username = "olaf"
    screen.lookup.go()
    session.settle(hangs=False)
    session.profile(screen)
    session.settle(hangs=False)
    session.screens.remove(screen)
    screen.window.end()


SCREENS = int(os.environ.get("MAINSTEM_SCREENS", "1000"))


def test_screens_that_come_and_go_leave_the_context_flat_in_python(tmp_path: Path) -> None:
    session = Session(0, tmp_path / "session.journal")
    try:
        for _ in range(100):
            warm(session)
        before, memory = counted(session.context), resident()
        for _ in range(SCREENS):
            warm(session)
        assert counted(session.context) == before
        grown = resident() - memory
        print(f"{SCREENS} screens: {grown} KiB more")
        assert grown < 2048
    finally:
        session.close()


def resident() -> int:
    """The most memory that this process has had, in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def test_screens_that_come_and_go_leave_the_context_flat_in_c() -> None:
    with serve() as site:
        # 15 seconds of work, which is over a minute where other programs have the processors.
        code, said = run(str(PROGRAMS / "screens"), site.url(""), str(SCREENS), limit=600)
    assert code == 0, said
    print(said)

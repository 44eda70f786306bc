# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Random sessions, against a site that is slow, fails, hangs, breaks off and answers nonsense.

    MAINSTEM_SESSIONS=1000 MAINSTEM_SEED=7 python3 -m pytest test_sessions.py

None leaves anything behind. Each is told by its seed. The provider is the one in C, on this thread,
or the one in Python, whose threads answer. The clock stands still until nothing else moves, so a
test waits for the site but never for a timeout. Rows come into sight and go out of it; of the
pictures, fewer are kept than there are. Some sessions end in the middle of all that, and hosts are
killed.
"""

from __future__ import annotations

import json
import os
import random
import resource
import threading
import time
from contextlib import suppress
from ctypes import CDLL, byref, c_char_p, c_int, c_int64, c_void_p
from functools import partial
from pathlib import Path
from typing import Any, Dict, List, Optional, Set

import pytest
from boats import (
    HOSTS,
    PROGRAMS,
    VERIFIERS,
    Http,
    Lookup,
    Profile,
    TweetCell,
    add_pictures,
    install,
    mainstem,
    run,
    serve,
    verifier,
)
from mainstem import MainstemError
from sessions import killed, verify

SESSIONS = int(os.environ.get("MAINSTEM_SESSIONS", "40"))
FIRST = int(os.environ.get("MAINSTEM_SEED", "0"))
STEPS = 30
PATIENCE = 10.0
PROVERS = partial(verifier.prove, install), VERIFIERS["Swift"]
#: What the site may say instead.
NONSENSE = [b"", b"{}", b'{"error": "none"}', b"[1]", b"\xff", b"[" * 1000]
NAMES = ["jack", "mary", "ines", "olaf", "new", "tides", "nobody", "no one", "ab", ""]
LONG = ["jack", "tides"]  # who have written several pages

LIBRARY = CDLL(os.environ["TWEETBOAT_LIBRARY"])
LIBRARY.http_provider_add.argtypes = [c_void_p, c_void_p]
LIBRARY.http_provider_wait.argtypes = [c_void_p, c_int64, c_int]
LIBRARY.http_provider_load.argtypes = [c_void_p, c_void_p, c_char_p, c_char_p, c_void_p]
#: The bytes of pictures that are kept, which are not all; each counts with so many more, at least.
LIMIT, EXTRA = 8000, 128


class Screen:
    """A screen, as a view has it."""

    def __init__(self, context: mainstem.Context, site: str) -> None:
        self.window = context.scope("Window")
        owner = self.window.open_instance("Lookup", site)
        self.lookup = mainstem.view(self.window, Lookup, owner)
        self.cell = mainstem.view(self.window, TweetCell)
        self.profile = mainstem.view(self.window, Profile)
        self.is_profile = False
        #: What is in sight, and which cells.
        self.rows = [mainstem.view(self.window, TweetCell) for _ in range(3)]
        self.seen: List[Optional[int]] = [None] * 3

    @property
    def cells(self) -> List[int]:
        return list(self.lookup.cells)


class Asked:
    """What the network was asked, seen on the stream: no page twice, no picture that is there."""

    def __init__(self, context: mainstem.Context, pictures: mainstem.Resources) -> None:
        self.pictures = pictures
        self.open: Dict[int, str] = {}
        #: The requests for pictures, which a cancel settles before their answers come.
        self.fetches: Dict[int, Any] = {}
        self.kept: Set[str] = set()
        self.pages = self.loads = 0
        context.observe("RequestHttp", self.request)
        context.observe("ResponseHttp", self.answer)
        context.observe("RequestFetchPicture", self.fetch)
        context.observe("ResponsePicture", self.fetched)
        context.observe("PictureDropped", self.drop)
        context.observe("RequestFetchTimeline", self.page)
        context.observe("Lookup.loadMore", self.load)
        context.observe("Lookup.go", self.load)
        context.observe("Lookup.loadMore.done", self.loaded)
        context.observe("Lookup.go.done", self.loaded)

    def request(self, event: Any) -> None:
        self.open[event.position] = json.loads(event.data)["url"]

    def answer(self, event: Any) -> None:
        del self.open[event.answers]

    def fetch(self, event: Any) -> None:
        url = event.data.decode()
        before = [fetch for number, fetch in self.fetches.items() if self.open[number] == url]
        assert all(fetch.event.is_settled for fetch in before), f"{url} is on its way"
        assert url not in self.kept, f"{url} is kept"
        self.open[event.position], self.fetches[event.position] = url, event.retain()

    def fetched(self, event: Any) -> None:
        url = self.open.pop(event.answers, None)  # or the answer of the resources to a view model
        if url:
            self.fetches.pop(event.answers).release()
        # Of what came when nobody waited any more, nothing is kept.
        if url and not event.failed and self.pictures.get(url) is not None:
            self.kept.add(url)

    def drop(self, event: Any) -> None:
        self.kept.discard(event.data.decode())

    def page(self, event: Any) -> None:
        self.pages += 1

    def load(self, event: Any) -> None:
        self.loads += 1

    def loaded(self, event: Any) -> None:
        refused = (mainstem.Status.DISABLED, mainstem.Status.EXECUTING)
        self.loads -= event.status in refused


class InC:
    """The provider in C."""

    def __init__(self, context: mainstem.Context, pictures: mainstem.Resources) -> None:
        self.http = c_void_p()
        assert not LIBRARY.http_provider_add(context.handle, byref(self.http))
        names = (b"PictureSite", b"RequestFetchPicture")
        handle = pictures._handle
        assert not LIBRARY.http_provider_load(self.http, context.handle, *names, handle)

    def wait_for(self, most: int) -> None:
        LIBRARY.http_provider_wait(self.http, most, -1)

    def end(self) -> None:
        """It has nothing that waits."""


class InPython:
    """The provider in Python."""

    def __init__(self, context: mainstem.Context, pictures: mainstem.Resources) -> None:
        self.context = context
        context.install(Http(1.0), on="host")
        add_pictures(context, pictures, 1.0)

    def wait_for(self, most: int) -> None:
        self.context.wait(most / 1000)

    def end(self) -> None:
        """A thread that hangs with the site keeps its request until then."""
        for thread in threading.enumerate():
            if thread.name == Http.THREAD:
                thread.join()


def trouble(site: Any, chance: random.Random) -> None:
    """What the site does next."""
    times = chance.randint(1, 3)
    chance.choice(
        [
            lambda: site.fail(chance.choice([401, 403, 404, 500, 503]), times),
            lambda: site.hang(times),
            lambda: site.cut(times),
            lambda: site.babble(chance.choice(NONSENSE), times),
            lambda: setattr(site, "delay", chance.choice([0, 0.001, 0.01])),
        ]
    )()


class Session:
    """Random steps on some screens."""

    def __init__(self, seed: int, journal: Path, provider: Any = InC) -> None:
        self.chance = random.Random(seed)
        self.site = serve()
        self.context = mainstem.Context(clock="virtual", seed=seed + 1)
        self.context.record(journal)
        self.pictures = install(self.context, int(PATIENCE * 1000), LIMIT)
        self.provider = provider(self.context, self.pictures)
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
        steps += [self.scroll, self.retry]
        weights = [2, 6, 12, 2, 2, 4, 5, 6, 3]
        if len(self.screens) < 3 or self.chance.random() < 0.05:
            steps.append(self.open_or_close)
            weights.append(2)
        self.chance.choices(steps, weights)[0](self.chance.choice(self.screens))

    def type(self, screen: Screen) -> None:
        screen.lookup.username = self.chance.choice(NAMES)

    def go(self, screen: Screen) -> None:
        if self.chance.random() < 0.7:
            screen.lookup.username = self.chance.choice(NAMES[:6] + LONG * 4)
        self.unless_ended(screen.lookup.go)
        self.look(screen)

    def more(self, screen: Screen) -> None:
        for _ in range(self.chance.randint(1, 5)):
            self.unless_ended(screen.lookup.load_more)
        self.look(screen)

    def look(self, screen: Screen) -> None:
        """Perhaps the user sees what comes, unless it hangs, before they do something else."""
        for _ in range(self.chance.choice([0, 20])):
            if screen.lookup.is_loading:
                self.wait_for(5)

    def reuse(self, screen: Screen) -> None:
        for cell in self.chance.sample(screen.cells, min(5, len(screen.cells))):
            mainstem.retarget(screen.cell, cell)
            assert screen.cell.author and screen.cell.text

    def profile(self, screen: Screen) -> None:
        if screen.cells:
            mainstem.retarget(screen.cell, self.chance.choice(screen.cells))
            number = mainstem.open_child(screen.cell, "profile").result()
            self.unless_ended(screen.profile.disappear, screen.is_profile)
            mainstem.retarget(screen.profile, number)
            screen.profile.appear()
            screen.is_profile = True
            assert screen.profile.full_name == screen.cell.author

    def scroll(self, screen: Screen) -> None:
        """Other cells come into sight."""
        for place, row in enumerate(screen.rows):
            self.unless_ended(row.disappear, screen.seen[place] is not None)
        cells = self.chance.sample(screen.cells, min(3, len(screen.cells)))
        screen.seen = [*cells, None, None, None][:3]
        for row, cell in zip(screen.rows, screen.seen):
            mainstem.retarget(row, cell)
            self.unless_ended(row.appear, cell is not None)

    def retry(self, screen: Screen) -> None:
        self.unless_ended(screen.lookup.appear)
        for row, cell in zip(screen.rows, screen.seen):
            self.unless_ended(row.appear, cell is not None)

    def unless_ended(self, run: Any, is_there: bool = True) -> None:
        """Runs a command; what it belongs to may have ended, or execute it already."""
        with suppress(MainstemError):
            if is_there:
                run()

    def wait(self, screen: Screen) -> None:
        self.wait_for(self.chance.choice([0, 2, 20]))

    def trouble(self, screen: Screen) -> None:
        if self.chance.randrange(6):
            trouble(self.site, self.chance)
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


def check_pictures(session: Session, screen: Screen) -> None:
    """What is in sight has its pictures, or says why not. What is kept is not too much."""
    for row, cell in zip(screen.rows, screen.seen):
        if cell in screen.cells:
            wanted = [row.avatar, row.picture] if row.picture_about else [row.avatar]
            assert not row.appear.executing
            assert all(wanted) or row.picture_problem
    assert session.asked
    kept = {url: session.pictures.get(url) for url in session.asked.kept}
    assert None not in kept.values()
    assert sum(len(url) + len(data or b"") + EXTRA for url, data in kept.items()) <= LIMIT


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
            number, is_last = 0, path.endswith(".png")
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
        session.asked = Asked(session.context, session.pictures)
        more = counted(session.context)["subscriptions"] - before["subscriptions"]
        session.open()
        for _ in range(STEPS):
            session.step()
        session.settle()
        for screen in session.screens:
            check(screen)
            check_pictures(session, screen)
        session.site.recover()
        for screen in session.screens:
            while screen.lookup.can_load_more:  # to its end, whatever has failed
                screen.lookup.load_more()
                session.settle(hangs=False)
            check(screen)
            screen.window.end()
        session.settle(hangs=False)
        before["subscriptions"] += more
        session.provider.end()
        assert counted(session.context) == before
        assert session.context.stats().failures == 0
        assert session.asked.open == {}
        assert session.asked.pages == session.asked.loads
    finally:
        session.close()
    verify(journal, *PROVERS)


@pytest.mark.parametrize("provider", [InC, InPython])
@pytest.mark.parametrize("seed", range(FIRST, FIRST + SESSIONS // 4))
def test_a_session_may_end_at_any_moment(seed: int, provider: Any, tmp_path: Path) -> None:
    journal = tmp_path / "session.journal"
    session = Session(seed, journal, provider)
    try:
        session.open()
        for _ in range(session.chance.randint(1, STEPS)):
            session.step()
        assert session.context.stats().failures == 0
        session.context.close()
    finally:
        session.close()
    session.provider.end()
    verify(journal, *PROVERS)


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SESSIONS // 4))
def test_a_killed_host_leaves_sessions_that_verify(seed: int, tmp_path: Path) -> None:
    chance, journal = random.Random(seed), tmp_path / "session.journal"
    host = HOSTS[chance.choice(["C", "Python"])]
    for _ in range(2):
        with serve() as site:
            for _ in range(chance.randrange(4)):
                trouble(site, chance)
            words = [*host, "--record", str(journal), "--patience", "50", site.url("")]
            commands = [f"name {chance.choice(NAMES[:6])}", "go", "down 30", "profile", "close"]
            commands = ["name jack", "go", *chance.choices([*commands, "retry", "up 9"], k=8)]
            killed(words, "\n".join(commands), chance.randrange(60))
    verify(journal, *PROVERS)


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

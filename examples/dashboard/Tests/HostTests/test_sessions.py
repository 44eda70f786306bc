# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Random sessions, against a site that is slow, fails, hangs, breaks off and answers nonsense.

    MAINSTEM_SESSIONS=1000 MAINSTEM_SEED=7 python3 -m pytest test_sessions.py

Each is told by its seed. The app is opened several times, on one stage; a user goes back from any
screen by a gesture, and the host closes some. A model says which components are there. The clock
stands still until nothing else moves, so a test waits for the site but never for a timeout. Some
sessions end in the middle of all that, and hosts are killed.
"""

from __future__ import annotations

import json
import os
import random
import resource
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Dict, List, Optional, Set

import pytest
from dashboards import (
    HOSTS,
    VERIFIERS,
    App,
    Dashboard,
    Stage,
    UsersWidget,
    environment,
    install,
    mainstem,
    serve,
    verifier,
)
from mainstem import MainstemError
from mainstem.testing import tree_text
from providers import InC, InPython
from sessions import killed, verify

SESSIONS = int(os.environ.get("MAINSTEM_SESSIONS", "40"))
FIRST = int(os.environ.get("MAINSTEM_SEED", "0"))
SCREENS = int(os.environ.get("MAINSTEM_SCREENS", "1000"))
STEPS = 30
PATIENCE = 10.0
PROVERS = partial(verifier.prove, install), VERIFIERS["Swift"]

#: Who there is at the sites, of which one only serves to make the service.
USERS: Dict[str, List[Dict[str, Any]]] = {
    "/warm": [],
    "/few": [{"id": 1, "name": "Ada", "username": "ada"}],
    "/many": [{"id": id, "name": f"Name {id}", "username": f"user{id}"} for id in range(100)],
    **{f"/{id}": [{"id": id, "name": f"Name {id}", "username": "only"}] for id in range(6)},
}
#: What the site may say instead.
NONSENSE = [b"", b"{}", b'{"error": "none"}', b"[1]", b"\xff", b"[" * 1000]
QUERIES = ["", "0", "1", "2", "99", "100", "-1", "abc", "1 ", "1.0", "9" * 30]


def expected(query: str, users: List[Dict[str, Any]]) -> str:
    """Who is found."""
    if not query:
        return "---"
    names = [f"{u['name']} aka {u['username']}" for u in users if str(u["id"]) == query]
    return f"I found {names[0]}" if names else "User not found"


class NotingStage(Stage):
    """The stage of the host in Python; it notes what it has shown."""

    def __init__(self, context: mainstem.Context, navigator: mainstem.Navigator) -> None:
        super().__init__(context, navigator, {"Dashboard": View, "UsersWidget": View})
        self.noted: List[int] = []

    def show(self, component: mainstem.Component) -> None:
        super().show(component)
        self.noted.append(component.number)


class View:
    """What a host shows of a component."""

    def __init__(self, stage: Stage, component: mainstem.Component) -> None:
        self.name, self.scope, self.parent = component.name, stage.scope(), component.parent
        kind = Dashboard if self.name == "Dashboard" else UsersWidget
        owner = stage.owner(component)
        #: A widget is bound twice.
        self.views: List[Any] = [mainstem.view(self.scope, kind, owner) for _ in range(2)]

    def close(self) -> None:
        """There is no window."""


class Screen:
    """An app that was opened: what a model knows of it."""

    def __init__(self, session: Session, path: str) -> None:
        self.path, self.app, self.stage = path, session.app, session.stage
        #: How it was closed, once.
        self.closed: List[mainstem.Failure] = []
        #: Whether its widget is wanted, and there.
        self.is_wanted, self.is_filled = False, False
        self.site = session.site.url("") + path
        self.number = self.app.open(self.site, self.closed.append)

    @property
    def dashboard(self) -> Any:
        return self.stage.shown[self.number].views[0]

    @property
    def views(self) -> List[Any]:
        """The views of its widget."""
        of_slot = [view for view in self.stage.shown.values() if view.parent == self.number]
        return [view for one in of_slot if one.name == "UsersWidget" for view in one.views]

    def tree(self) -> List[str]:
        """Its components, each below the other."""
        url = mainstem.Router.write("app", site=self.site)
        return [url, "  dashboard", *["    users"][: self.is_filled]]

    def check(self) -> None:
        """What holds at any time."""
        assert self.closed == []
        assert self.dashboard.title == "Dashboard"
        for view in self.views:
            assert view.load in ("loading", "loaded", "failed")
            assert view.is_loading == (view.load == "loading")
            assert view.can_retry == (view.load == "failed") == bool(view.problem)
            assert view.is_search_shown == (view.load == "loaded")
            users = USERS[self.path]
            assert view.count == (f"The system has {len(users)} users" * view.is_search_shown)
            query = view.query if view.is_search_shown else ""
            assert view.found == expected(query, users)


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
    """Random steps. The last of its screens is the top; each stands on the one before."""

    def __init__(self, seed: int, journal: Optional[Path], provider: Any = InC) -> None:
        self.chance = random.Random(seed)
        self.site = serve()
        self.site.pages = {f"{path}/users": partial(self.page, path) for path in USERS}
        self.context = mainstem.Context(clock="virtual", seed=seed + 1)
        if journal:
            self.context.record(journal)
        self.app = App(self.context, NotingStage, provider, int(PATIENCE * 1000))
        self.stage: NotingStage = self.app.stage
        self.provider = self.app.network
        self.screens: List[Screen] = []
        self.opened: List[Screen] = []

    def close(self) -> None:
        self.site.close()
        self.context.close()

    @staticmethod
    def page(path: str, query: Any) -> Any:
        return USERS[path]

    def open(self, *paths: str) -> Screen:
        screen = Screen(self, self.chance.choice(paths or list(USERS)[1:]))
        self.screens.append(screen)
        self.opened.append(screen)
        return screen

    def step(self) -> None:
        steps = [self.load, self.find, self.retry, self.wait, self.trouble, self.open_or_close]
        self.chance.choices(steps, [4, 3, 6, 8, 5, 4])[0](self.chance.choice(self.screens))

    def check(self) -> None:
        """The tree is as the model says, each closed app has had one answer, all others none."""
        lines: List[str] = []
        for depth, screen in enumerate(self.screens):
            screen.check()
            lines += [line.rjust(len(line) + 4 * depth) for line in screen.tree()]
        assert sorted(tree_text(self.app.navigator).split("\n")) == sorted(lines or [""])
        for screen in self.opened:
            wanted = [] if screen in self.screens else [mainstem.Status.CANCELLED]
            assert [failure.status for failure in screen.closed] == wanted

    def load(self, screen: Screen) -> None:
        screen.dashboard.did_load()
        screen.is_wanted = True
        self.fill()

    def fill(self) -> None:
        """What is on top has its widget, if that is wanted."""
        self.app.drain()
        if self.screens:
            self.screens[-1].is_filled |= self.screens[-1].is_wanted

    def back(self, screen: Screen) -> None:
        """The user goes back from a screen, and from all that stands on it."""
        self.stage.gone(screen.number)
        self.closed(screen)

    def end(self, screen: Screen) -> None:
        """The host closes it."""
        self.app.navigator.close(screen.number, then=lambda _: None)
        self.closed(screen)

    def closed(self, screen: Screen) -> None:
        del self.screens[self.screens.index(screen) :]
        self.fill()

    def find(self, screen: Screen) -> None:
        if screen.views:
            self.chance.choice(screen.views).query = self.chance.choice(QUERIES)

    def retry(self, screen: Screen) -> None:
        for view in screen.views:
            with suppress(MainstemError):
                view.retry()

    def wait(self, screen: Screen) -> None:
        self.provider.wait_for(self.chance.choice([0, 2, 20]))

    def trouble(self, screen: Screen) -> None:
        if self.chance.randrange(6):
            trouble(self.site, self.chance)
        else:
            self.context.advance(self.chance.choice([1, PATIENCE]))

    def open_or_close(self, screen: Screen) -> None:
        if len(self.screens) > 3 or (len(self.screens) > 1 and self.chance.random() < 0.5):
            self.chance.choice([self.back, self.end])(screen)
        if not self.screens or self.chance.random() < 0.5:
            self.open()

    def settle(self, hangs: bool = True) -> None:
        """Until nothing moves; then what hangs is late."""
        events, since = 0, time.monotonic()
        while (waits := self.context.request_count("RequestHttp")) or self.context.drain():
            if waits:
                self.provider.wait_for(50)
            if events != self.context.stats().events:
                events, since = self.context.stats().events, time.monotonic()
            elif hangs and time.monotonic() - since > 0.05:
                self.context.advance(PATIENCE)


class Asked:
    """What is asked, seen on the stream: of a site whose users are known, the network nothing."""

    def __init__(self, context: mainstem.Context) -> None:
        self.open: Dict[int, str] = {}
        self.known: Set[str] = set()
        context.observe("RequestFetchUsers", self.fetch)
        context.observe("ResponseUsers", self.answer)
        context.observe("RequestHttp", self.request)

    def fetch(self, event: Any) -> None:
        self.open[event.position] = json.loads(event.data)["site"]

    def answer(self, event: Any) -> None:
        site = self.open.pop(event.answers)
        if not event.failed:
            self.known.add(f"{site}/users")

    def request(self, event: Any) -> None:
        url = json.loads(event.data)["url"]
        assert url not in self.known, f"{url} is known"


def counted(context: mainstem.Context) -> Dict[str, int]:
    """What must not grow."""
    stats = context.stats()
    names = ("scopes", "subscriptions", "types", "requests", "retained", "timers", "waiting")
    return {name: getattr(stats, name) for name in names}


def warm(session: Session) -> None:
    """Makes the service, and what else is made once; and closes what it has opened."""
    screen = session.open("/warm")
    session.load(screen)
    session.settle(hangs=False)
    screen.check()
    assert screen.views[0].load == "loaded"
    session.back(screen)
    session.opened.clear()


@pytest.mark.parametrize("provider", [InC, InPython])
@pytest.mark.parametrize("seed", range(FIRST, FIRST + SESSIONS))
def test_a_session_leaves_nothing_behind(seed: int, provider: Any, tmp_path: Path) -> None:
    journal = tmp_path / "session.journal"
    session = Session(seed, journal, provider)
    try:
        warm(session)
        session.provider.end()
        before = counted(session.context)
        asked = Asked(session.context)
        before["subscriptions"] = counted(session.context)["subscriptions"]
        session.open()
        for _ in range(STEPS):
            session.step()
            session.check()
        session.settle()
        session.check()
        session.site.recover()
        for screen in session.screens:
            session.retry(screen)
        session.settle(hangs=False)
        session.check()
        assert {view.load for screen in session.screens for view in screen.views} <= {"loaded"}
        session.back(session.screens[0])
        session.settle(hangs=False)
        session.check()
        assert session.stage.shown == {}
        session.site.close()  # and what hangs there
        session.provider.end()
        assert counted(session.context) == before
        assert session.context.stats().failures == 0
        assert asked.open == {}
    finally:
        session.close()
    verify(journal, *PROVERS)
    with mainstem.Context() as again, again.replay(journal) as replay:
        stage = App(again, NotingStage, provider).stage
        while replay.step():
            again.drain()
        assert (stage.noted, stage.shown) == (session.stage.noted, {})


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
    finally:
        session.context.close()
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
            commands = chance.choices(["find 1", "find 9", "find", "retry", "retry", "fly"], k=8)
            killed(words, "\n".join(commands), chance.randrange(20), environment())
    verify(journal, *PROVERS)


def test_a_52_screens_that_come_and_go_leave_the_context_flat() -> None:
    session = Session(0, None)
    try:
        for _ in range(100):
            warm(session)
        before, memory = counted(session.context), resident()
        for _ in range(SCREENS):
            warm(session)
        assert counted(session.context) == before
        assert len(session.site.asked) == 1
        grown = resident() - memory
        print(f"{SCREENS} screens: {grown} KiB more")
        assert grown < 1024
    finally:
        session.close()


def resident() -> int:
    """The most memory that this process has had, in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

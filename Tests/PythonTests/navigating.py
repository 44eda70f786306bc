# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""An app with a route of each kind, and sessions of it that are recorded and verified."""

from __future__ import annotations

import contextlib

import mainstem
from mainstem import Failure, Notice
from mainstem.testing import RecordingStage, TestContext

TEXT = str


@mainstem.event
class Colour(Notice):
    name: str


class Home(mainstem.ViewModel):
    picked: str = mainstem.shown("")

    @mainstem.command
    async def pick(self) -> None:
        try:
            self.picked = (await self.navigator.open("pick/colour")).name
        except mainstem.Cancelled:
            self.picked = "none"

    @mainstem.command
    def go(self, url: str) -> None:
        self.navigator.open(url, then=lambda result: None, failed=lambda failure: None)

    @mainstem.command
    async def leave(self) -> None:
        await self.navigator.pop()


class Page(mainstem.ViewModel):
    id: int = mainstem.shown(0)

    def __init__(self, id):
        self.id = id

    @mainstem.command
    def done(self) -> None:
        self.finish()


class Picker(mainstem.ViewModel):
    what: str = mainstem.shown("")

    @mainstem.command
    def choose(self, name: str) -> None:
        self.finish(Colour(name))

    @mainstem.command
    def choose_text(self, name: str) -> None:
        self.finish("Word", name)


class App:
    """The app, and how a test speaks to it."""

    def __init__(self, context, stage=None, **options):
        self.context, self.stage = context, stage
        context.add_type("Word", TEXT)
        context.register(Colour)
        self.nav = nav = mainstem.Navigator(context, stage=stage, **options)
        self.broken = 0

        @nav.route("home")
        def home(route) -> Home:
            return Home()

        @nav.route("diary/<int:id>")
        def page(route) -> Page:
            return Page(route["id"])

        @nav.route("pick/<what>", kind="dialog")
        def pick(route):
            picker = Picker()
            picker.what = route["what"]
            return picker

        @nav.route("broken")
        def broken(route):
            raise Failure("BROKEN", code=1001)

        nav.route("diary", None)
        nav.route("signin", None, kind="dialog")
        nav.route("info", None, kind="present")
        nav.route("toast", None, kind="overlay")
        nav.route("users", None, kind="embed", slot="users")
        nav.route("drawer", None, kind="embed", slot="left")
        nav.route("toolbar", None, kind="embed", slot="top")
        nav.group("compose", ["drawer", "toolbar"])
        nav.flow("onboarding", None)

    # In a test

    def open(self, url, **options):
        """Opens a URL for what is at the top, and returns what becomes of it."""
        top = self.nav.top
        asker = self.nav if top is None else self.nav.of(self.context.find_scope(top.number))
        return self.ask(asker.open, url, **options)

    def ask(self, move, *arguments, **options):
        """Asks for a move, and returns the list of what it is told: numbers, results, statuses."""
        told = []
        if move.__name__ in ("open", "link", "replace"):
            options["opened"] = lambda number: told.append(("opened", number))
        move(
            *arguments, then=told.append, failed=lambda error: told.append(error.status), **options
        )
        self.context.advance()
        return told

    def number(self, url):
        """The number of the last component of a URL."""
        return next(one.number for one in reversed(self.nav.tree) if one.url == url)

    def of(self, url):
        """The moves of the component of a URL."""
        return self.nav.of(self.context.find_scope(self.number(url)))

    def view(self, url):
        """A view of the view model behind a URL."""
        return next(one for one in reversed(self.nav.tree) if one.url == url).view_model.bind()


def opened(told):
    """The number that was told, and nothing else."""
    assert len(told) == 1 and told[0][0] == "opened", told
    return told[0][1]


@contextlib.contextmanager
def session(folder, *installs, answers=(), is_ready=True, after=None, **options):
    """A session of the app with a recording stage: recorded, and verified when it has ended."""
    path = str(folder / "session.journal")
    with TestContext() as test:
        test.record(path)
        app = App(test, RecordingStage(*answers), **options)
        for install in installs:
            install(app.nav)
        if is_ready:
            app.nav.ready()
        yield app
        test.advance()
        test.skip()
    if after is not None:
        after()
    verified(path, *installs, **options)


def verified(path, *installs, **options):
    """Verifies a session of the app: its stage is not called."""
    stage = RecordingStage()
    context = mainstem.Context(clock="virtual", seed=1, on_exception=lambda *thrown: None)
    with context, context.replay(path, verify=True) as replay:
        app = App(context, stage, **options)
        for install in installs:
            install(app.nav)
        replay.to_end()
        assert replay.info.position == context.stats().events
    assert (stage.shown, stage.hidden) == ([], [])

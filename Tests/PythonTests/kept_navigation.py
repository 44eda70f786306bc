# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The program of Tests/journals/navigation-3.journal. It never changes: the journal must verify.

python kept_navigation.py PATH records the session: components of each kind, results, guards, a
link, gestures, and a flow that decides where to go.
"""

from __future__ import annotations

import sys
from typing import Dict, List

import mainstem
from mainstem import Cancelled, Component, Failure, Match, Notice, OpenFirst, Redirect


@mainstem.event
class Chosen(Notice):
    colour: str


class Home(mainstem.ViewModel):
    colour: str = mainstem.shown("white")

    @mainstem.command
    async def paint(self) -> None:
        try:
            self.colour = (await self.navigator.open("pick/colour")).colour
        except Cancelled:
            self.colour = "none"


class Page(mainstem.ViewModel):
    id: int = mainstem.shown(0)

    def __init__(self, id: int) -> None:
        self.id = id


class Picker(mainstem.ViewModel):
    @mainstem.command
    def choose(self, colour: str) -> None:
        self.finish(Chosen(colour))


@mainstem.event
class SignedIn(Notice):
    name: str


class SignIn(mainstem.ViewModel):
    @mainstem.command
    def enter(self, name: str) -> None:
        self.context.send(SignedIn(name))
        self.finish()


class Windows:
    """The stage. It has no room for page 13."""

    def __init__(self) -> None:
        self._urls: Dict[int, str] = {}

    @property
    def shown(self) -> List[str]:
        return list(self._urls.values())

    def show(self, component: Component) -> None:
        if component.url == "page/13":
            raise Failure("NO_ROOM", code=1013)
        self._urls[component.number] = component.url

    def hide(self, components: List[int]) -> None:
        for number in components:
            self._urls.pop(number, None)


class Program:
    def __init__(self) -> None:
        self.context = context = mainstem.Context(clock="virtual", seed=3)
        context.register(Chosen)
        context.observe(SignedIn, self.sign_in)
        self.windows = Windows()
        self.nav = nav = mainstem.Navigator(context, stage=self.windows, scheme="kept")
        self.is_signed_in = False
        self.answers: List[str] = []

        @nav.route("home")
        def home(route: Match) -> Home:
            return Home()

        @nav.route("page/<int:id>")
        def page(route: Match) -> Page:
            return Page(route["id"])

        @nav.route("pick/<what>", kind="dialog")
        def pick(route: Match) -> Picker:
            return Picker()

        @nav.route("signin", kind="present")
        def signin(route: Match) -> SignIn:
            return SignIn()

        nav.route("toast", None, kind="overlay")
        nav.route("users", None, kind="embed", slot="left")
        nav.route("news", None, kind="embed", slot="left")
        nav.group("compose", ["users", "pick/size"])
        nav.flow("tour", None)

        @nav.guard("page/<int:id>")
        def is_known(route: Match) -> object:
            if route["id"] == 12:
                return Redirect("page/11")
            if route["id"] > 90:
                return self.is_signed_in or OpenFirst("signin")
            return route["id"] != 66

        @nav.guard("page/<int:id>", leaving=True)
        def is_written(route: Match) -> bool:
            return route["id"] != 5

    def sign_in(self, event: SignedIn) -> None:
        self.is_signed_in = True

    def ask(self, verb: str, *arguments: object, asker: int = 0) -> None:
        moves = self.nav.of(self.context.find_scope(asker)) if asker else self.nav
        getattr(moves, verb)(
            *arguments,
            then=lambda result: self.answers.append(f"{verb} {result}"),
            failed=lambda failure: self.answers.append(f"{verb} {failure}"),
        )
        self.context.drain()

    def number(self, url: str) -> int:
        return next(each.number for each in self.nav.tree if each.url == url)

    def view(self, url: str, model: type) -> object:
        owner = next(each.owner for each in self.nav.tree if each.url == url)
        return mainstem.view(self.context, model, owner)


def record(path: str) -> List[str]:
    program = Program()
    context, nav = program.context, program.nav
    context.record(path)
    program.ask("link", "KEPT://toast")
    program.ask("open", "home")
    nav.ready()
    context.drain()
    home = program.number("home")
    for _ in range(2):
        program.view("home", Home).paint()
        context.drain()
        if nav.top is not None and nav.top.url == "pick/colour":
            program.view("pick/colour", Picker).choose("red")
        context.drain()
    program.view("home", Home).paint()
    context.drain()
    nav.gone(program.number("pick/colour"))
    for url in ("users", "news", "compose", "page/12", "page/66", "page/13", "page/99", "nowhere"):
        program.ask("open", url, asker=home)
        context.advance(0.5)
    program.view("signin", SignIn).enter("Ada")
    context.drain()
    program.ask("pop")
    program.ask("open", "page/5")
    program.ask("pop")
    program.ask("pop_to", home)
    program.ask("dismiss")
    program.ask("open", "tour")
    program.ask("open", "page/7", asker=program.number("tour"))
    nav.gone(program.number("page/7"))
    program.ask("replace_root", "page/1")
    context.close()
    return program.answers


if __name__ == "__main__":
    print("\n".join(record(sys.argv[1])))

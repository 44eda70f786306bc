# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Scenes of kept_written.py: navigation."""

from __future__ import annotations

import json
from typing import Any, List

import mainstem
from kept_scene import Scene
from mainstem import Component, Failure, Match, Notice, OpenFirst, Redirect
from mainstem._library import C
from mainstem._library import _header as d
from mainstem.failure import check


@mainstem.event
class Chosen(Notice):
    colour: str


class Stage:
    """Has no room for page 13."""

    def show(self, component: Component) -> None:
        if component.url == "page/13":
            raise Failure("own: no room", code=1013)

    def hide(self, components: List[int]) -> None:
        pass


class Moves(Scene):
    """Every verb and kind, guards, results, and what is refused."""

    def prepare(self) -> None:
        context = self.context
        context.register(Chosen)
        self.nav = nav = mainstem.Navigator(context, stage=Stage(), scheme="kept")
        nav.route("home", None)
        nav.route("page/<int:id>", None)
        nav.route("ask", None, kind="dialog")
        nav.route("sheet", None, kind="present")
        nav.route("toast", None, kind="overlay")
        nav.route("left", None, kind="embed", slot="left")
        nav.group("both", ["page/1", "left"])
        nav.group("nested", ["both"])
        nav.flow("tour", None)

        @nav.guard("page/<int:id>", name="Enter")
        def enter(route: Match) -> object:
            number = route["id"]
            if number == 20:
                return Redirect("page/20")
            if number == 21:
                return OpenFirst("ask")
            if number == 25:
                nav.gone(self.number("page/6"))
            if number == 23:
                raise Failure("own: not now", user_message="Later.", subject="page", code=1007)
            return {22: Redirect("page/2"), 24: Redirect("%")}.get(number, number != 66)

        for name, flags in ((b"Raw", 0), (b"Raw2", d.GUARD_LEAVING)):
            check(C.mainstem_guard_add(context.handle, b"raw/<what>", name, flags))
        context.serve("RequestGuard.Raw", self.raw, name="Raw")
        context.serve("RequestGuard.Raw2", lambda event: "redirect home", name="Raw2")
        nav.route("raw/<what>", None)

        @nav.guard("page/<int:id>", name="Leave", leaving=True)
        def leave(route: Match) -> bool:
            return route["id"] != 5

    def raw(self, event: Any) -> str:
        return "sideways home" if event.text == "raw/sideways" else ""

    def move(self, verb: str, through: Any = None, **members: Any) -> Any:
        return self.ask("MainstemMove", json.dumps({"verb": verb, **members}), through)

    def number(self, url: str) -> int:
        return next(each.number for each in self.nav.tree if each.url == url)

    def scope(self, url: str) -> Any:
        return self.context.find_scope(self.number(url))

    def act(self) -> None:
        self.before_anything_is_open()
        self.opens()
        self.guards()
        self.closes()
        self.what_no_move_is()

    def before_anything_is_open(self) -> None:
        context, nav = self.context, self.nav
        self.move("link", url="KEPT://toast")
        self.move("pop")
        self.move("dismiss")
        self.move("replace", url="home")
        self.move("open", url="left")
        nav.ready()
        context.drain()

    def opens(self) -> None:
        context, nav = self.context, self.nav
        self.move("open", url="home")
        home = self.scope("home")
        self.move("open", through=home, url="left", slot="right")
        self.move("open", url="ask")
        nav.of(self.scope("ask")).finish(Chosen("red"))
        context.drain()
        for url in ("toast", "sheet", "both", "nested", "page/13", "nowhere"):
            self.move("open", url=url)
        self.move("open", url="tour")
        self.move("open", through=self.scope("tour"), url="page/7")
        self.move("link", url="page/8", all=1)
        self.move("open", url="page/3", how="dialog")
        self.move("replace", url="toast")
        self.move("replace", url="page/4")

    def guards(self) -> None:
        for number in (20, 22, 23, 24, 66):
            self.move("open", url=f"page/{number}")
        self.move("open", url="page/21")
        self.nav.gone(self.number("ask"))
        self.context.drain()
        self.move("open", url="raw/sideways")
        self.move("open", url="raw/stays")
        self.move("pop")
        self.nav.gone(self.number("raw/stays"))
        self.context.drain()
        self.move("open", url="page/6")
        self.move("open", url="page/25", component=self.number("page/6"))

    def closes(self) -> None:
        nav, context = self.nav, self.context
        self.move("open", url="page/5")
        self.move("pop")
        nav.gone(self.number("page/5"))
        context.drain()
        self.move("pop")
        self.move("close", component=self.number("home"))
        self.move("open", url="home")
        self.move("pop-to", component=self.number("home"))
        self.move("dismiss")
        self.move("close", component=7)
        self.move("pop-to", component=7)
        self.move("replace-root", url="page/9")
        self.scope("page/9").end()
        context.drain()

    def what_no_move_is(self) -> None:
        self.move("open")
        self.move("fly", url="home")
        self.move("open", url="home", how="window")
        for url in (
            "page/%",
            "page/a%2Fb",
            "page/%00",
            "page/..",
            "page/%FF",
            "page/\0",
            "x" * 9000,
        ):
            self.move("open", url=url)
        self.context.send("MainstemMove", '{"verb":"pop"}')
        self.context.drain()


SCENES = [Moves]

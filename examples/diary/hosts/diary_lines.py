# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The screens in lines: how each looks, and what can be typed on it. None knows another one."""

from __future__ import annotations

from struct import iter_unpack
from typing import Any, Callable, Dict

from diary_app import (
    Confirm,
    DiaryList,
    DiaryPage,
    Drawer,
    EntryRow,
    Guide,
    Idea,
    SignIn,
    lines,
    mainstem,
)

#: What can be typed, and what it does with the rest of its line.
Commands = Dict[str, Callable[[str], object]]


class Screen:
    """A window with a view of a component's owner."""

    kind: Any

    def __init__(self, context: mainstem.Context, component: mainstem.Component) -> None:
        self.context, self.component = context, component
        self.window = context.scope("Window", sends="view", observes=["view", "viewmodel"])
        owner = context.find_scope(component.owner)
        self.view = mainstem.view(self.window, self.kind, owner, **self.rows())

    def rows(self) -> Dict[str, Any]:
        return {}

    def close(self) -> None:
        self.window.end()

    def draw(self) -> None:
        raise NotImplementedError

    def commands(self) -> Commands:
        raise NotImplementedError


class ListScreen(Screen):
    kind = DiaryList

    def rows(self) -> Dict[str, Any]:
        self.row = mainstem.view(self.window, EntryRow)
        return {"alert_message": lambda text: lines.say(f"! {text}")}

    def draw(self) -> None:
        lines.say(self.view.title)
        for (number,) in iter_unpack("Q", self.view.rows):
            mainstem.retarget(self.row, self.context.find_scope(number))
            lines.say(f"{self.row.id:4} {self.row.day} {self.row.title}")
        mainstem.retarget(self.row, None)
        if self.view.footer:
            lines.say(self.view.footer)

    def commands(self) -> Commands:
        view = self.view
        return {
            "more": lambda _: view.more(),
            "refresh": lambda _: view.refresh(),
            "open": lambda id: view.pick(int(id[:18]) if id.isdecimal() else 0),
            "new": lambda _: view.write(),
            "drawer": lambda _: view.menu(),
        }


class PageScreen(Screen):
    kind = DiaryPage

    def draw(self) -> None:
        page = self.view
        words = [str(page.id or "A new entry"), page.day, "(edited)" if page.is_edited else ""]
        lines.say(" ".join(filter(None, words)))
        lines.say(page.text)
        for line in (page.problem, page.save.error):
            if line:
                lines.say(line)

    def commands(self) -> Commands:
        return {
            "edit": lambda text: setattr(self.view, "text", text),
            "save": lambda _: self.view.save(),
            "delete": lambda _: self.view.ask_delete(),
            "list": lambda _: self.view.close(),
        }


class IdeaScreen(Screen):
    kind = Idea

    def draw(self) -> None:
        lines.say(f"* {self.view.text}")

    def commands(self) -> Commands:
        return {"idea": lambda _: self.view.another()}


class ConfirmScreen(Screen):
    kind = Confirm

    def draw(self) -> None:
        lines.say(f"{self.view.text} (confirm, refuse)")

    def commands(self) -> Commands:
        return {"confirm": lambda _: self.view.confirm(), "refuse": lambda _: self.view.refuse()}


class SignInScreen(Screen):
    kind = SignIn

    def draw(self) -> None:
        lines.say(f"Who is it? [{self.view.nickname}]")
        for line in (self.view.hint, self.view.sign_in.error):
            if line:
                lines.say(line)

    def commands(self) -> Commands:
        return {"agree": lambda _: setattr(self.view, "has_agreed", True), "signin": self.sign_in}

    def sign_in(self, nickname: str) -> None:
        if nickname:
            self.view.nickname = nickname
        self.view.sign_in()


class GuideScreen(Screen):
    kind = Guide

    def draw(self) -> None:
        lines.say(f"{self.view.text} (understood)")

    def commands(self) -> Commands:
        return {"understood": lambda _: self.view.understand()}


class DrawerScreen(Screen):
    kind = Drawer

    def draw(self) -> None:
        lines.say(f"= {self.view.summary}")

    def commands(self) -> Commands:
        return {"signout": lambda _: self.view.sign_out()}


ALL = [ListScreen, PageScreen, IdeaScreen, ConfirmScreen, SignInScreen, GuideScreen, DrawerScreen]
SCREENS: Dict[str, Any] = {screen.kind.__name__: screen for screen in ALL}

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The screens in lines: how each looks, and what can be typed on it. None knows another one."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Sequence

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
    """The list: all of it first, and then what has changed since it was drawn."""

    kind = DiaryList

    def rows(self) -> Dict[str, Any]:
        self.shown: Sequence[EntryRow] = ()
        self.changes: List[str] = []
        self.is_whole = True
        return {"rows": self.note, "alert_message": lambda text: lines.say(f"! {text}")}

    def note(self, rows: mainstem.Rows[EntryRow]) -> None:
        """Notes what has changed. What is removed is in the rows of before; entries do not move."""
        signs = {"remove": "-", "move": ">", "insert": "+", "update": "*"}
        for kind, index, count, _ in rows.changes:
            if kind == "reset":
                self.is_whole = True
            else:
                run = (self.shown if kind == "remove" else rows)[index : index + count]
                self.changes += [line_of(signs[kind], row) for row in run]
        self.shown = rows

    def draw(self) -> None:
        lines.say(self.view.title)
        drawn = [line_of(" ", row) for row in self.shown] if self.is_whole else self.changes
        for line in drawn:
            lines.say(line)
        self.changes, self.is_whole = [], False
        if self.view.footer:
            lines.say(self.view.footer)

    def draw_all(self) -> None:
        self.is_whole = True

    def commands(self) -> Commands:
        view = self.view
        return {
            "more": lambda _: view.more(),
            "refresh": lambda _: view.refresh(),
            "list": lambda _: self.draw_all(),
            "open": lambda id: view.pick(int(id[:18]) if id.isdecimal() else 0),
            "new": lambda _: view.write(),
            "drawer": lambda _: view.menu(),
        }


def line_of(sign: str, row: EntryRow) -> str:
    return f"{sign}{row.id:3}  {row.day}: {row.title}"


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

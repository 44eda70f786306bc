#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The diary in lines: a view of libDiaryCore.so, and nothing else."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from contextlib import suppress
from functools import partial
from struct import iter_unpack
from typing import Any, Callable, Dict, List, Optional, Tuple

from diary_app import (
    Confirm,
    DiaryList,
    DiaryPage,
    Drawer,
    EntryRow,
    SignIn,
    add_store,
    install,
    mainstem,
)


class Screen:
    """A window with a view model. It draws, passes on commands, and opens nothing."""

    kind: Any

    def __init__(self, app: App, data: Any = None) -> None:
        self.context = app.context
        self.window = app.context.scope("Window", sends="view", observes=["view", "viewmodel"])
        owner = self.window.open_owner(self.kind.__name__, data)
        wishes = app.wishes(self.kind)
        self.view = mainstem.view(self.window, self.kind, self.found(owner), **wishes)

    def found(self, number: int) -> Optional[mainstem.Scope]:
        return self.context.find_scope(number)

    def draw(self) -> None:
        raise NotImplementedError

    def commands(self) -> Dict[str, Callable[[str], object]]:
        raise NotImplementedError


class ListScreen(Screen):
    kind = DiaryList

    def __init__(self, app: App, data: Any = None) -> None:
        super().__init__(app, data)
        self.row = mainstem.view(self.window, EntryRow)

    def draw(self) -> None:
        print(self.view.title)
        for (number,) in iter_unpack("Q", self.view.rows):
            mainstem.point(self.row, self.found(number))
            print(f"{self.row.id:4} {self.row.day} {self.row.title}")
        mainstem.point(self.row, None)
        for line in (self.view.footer, self.view.guide):
            if line:
                print(line)

    def commands(self) -> Dict[str, Callable[[str], object]]:
        view = self.view
        return {
            "more": lambda _: view.more(),
            "refresh": lambda _: view.refresh(),
            "open": lambda id: view.pick(int(id) if id.isdecimal() else 0),
            "new": lambda _: view.write(),
            "drawer": lambda _: view.menu(),
            "understood": lambda _: view.understand(),
        }


class PageScreen(Screen):
    kind = DiaryPage

    def draw(self) -> None:
        page = self.view
        words = [str(page.id or "A new entry"), page.day, "(edited)" if page.is_edited else ""]
        print(*filter(None, words))
        print(page.text)
        for line in (page.problem, page.save.error, page.delete.error):
            if line:
                print(line)

    def commands(self) -> Dict[str, Callable[[str], object]]:
        return {
            "edit": self.edit,
            "save": lambda _: self.view.save(),
            "delete": lambda _: self.view.ask_delete(),
            "list": lambda _: self.view.close(),
        }

    def edit(self, text: str) -> None:
        self.view.text = text


class ConfirmScreen(Screen):
    kind = Confirm

    def draw(self) -> None:
        print(f"{self.view.text} (confirm, refuse)")

    def commands(self) -> Dict[str, Callable[[str], object]]:
        return {"confirm": lambda _: self.view.confirm(), "refuse": lambda _: self.view.refuse()}


class SignInScreen(Screen):
    kind = SignIn

    def draw(self) -> None:
        print(f"Who is it? [{self.view.nickname}]")
        for line in (self.view.hint, self.view.sign_in.error):
            if line:
                print(line)

    def commands(self) -> Dict[str, Callable[[str], object]]:
        return {"agree": self.agree, "signin": self.sign_in}

    def agree(self, _: str) -> None:
        self.view.has_agreed = True

    def sign_in(self, nickname: str) -> None:
        if nickname:
            self.view.nickname = nickname
        self.view.sign_in()


class DrawerScreen(Screen):
    kind = Drawer

    def draw(self) -> None:
        print(f"= {self.view.summary}")

    def commands(self) -> Dict[str, Callable[[str], object]]:
        return {
            "signout": lambda _: self.view.sign_out(),
            "signin": lambda _: self.view.sign_in(),
        }


class App:
    """The one place that opens and closes screens: view models only say what has happened."""

    WISHES = {
        DiaryList: ("alert_message", "picked", "write_pressed", "menu_pressed"),
        DiaryPage: ("delete_pressed", "close_pressed", "is_gone"),
        Confirm: ("answered",),
        SignIn: ("signed_in",),
        Drawer: ("signed_out", "sign_in_pressed"),
    }

    def __init__(self, context: mainstem.Context) -> None:
        self.context = context
        self.stack: List[Screen] = []
        self.wished: List[Tuple[str, Any]] = []
        self.open(ListScreen)

    # What happened

    def wishes(self, kind: Any) -> Dict[str, Callable[[Any], None]]:
        """Notes what view models say: it is done when nothing is being delivered."""
        return {name: partial(self.wish, name) for name in self.WISHES[kind]}

    def wish(self, name: str, value: Any) -> None:
        self.wished.append((name, value))

    def fulfil(self, name: str, value: Any) -> None:
        if name == "alert_message":
            print(f"! {value}")
        elif name == "picked":
            self.open(PageScreen, value)
        elif name == "write_pressed":
            self.open(PageScreen, 0)
        elif name == "menu_pressed":
            self.open(DrawerScreen)
        elif name == "delete_pressed":
            self.open(ConfirmScreen, "Delete this entry?")
        elif name == "answered":
            self.close(ConfirmScreen)
            if value:
                self.top.view.delete()
        elif name == "close_pressed" or (name == "is_gone" and value):
            self.close(PageScreen)
        elif name == "signed_in":
            self.close(ListScreen)
            self.open(ListScreen)
        elif name in ("signed_out", "sign_in_pressed"):
            self.close(DrawerScreen)
            self.open(SignInScreen)

    # Screens

    @property
    def top(self) -> Screen:
        return self.stack[-1]

    def open(self, kind: Callable[..., Screen], data: Any = None) -> None:
        self.stack.append(kind(self, data))

    def close(self, kind: Any) -> None:
        """Closes a screen, and what is above it."""
        while any(isinstance(screen, kind) for screen in self.stack):
            self.stack.pop().window.end()

    # Commands

    def settle(self) -> None:
        """Waits until the store has answered all, and nothing is left to do."""
        while (waits := self.context.activity()) or self.context.drain() or self.wished:
            if self.wished:
                with suppress(mainstem.MainstemError):
                    self.fulfil(*self.wished.pop(0))
            elif waits:
                self.context.wait()

    def obey(self, command: str, argument: str) -> None:
        commands = self.top.commands()
        if command in commands:
            with suppress(mainstem.MainstemError):  # a button that is off does nothing
                commands[command](argument)
        elif command == "back" and len(self.stack) > 1:
            self.stack.pop().window.end()
        else:
            print(", ".join([*commands, "back, quit" if len(self.stack) > 1 else "quit"]))


def main() -> None:
    parser = argparse.ArgumentParser(prog="diary")
    parser.add_argument("--db", default="diary.sqlite", metavar="PATH")
    parser.add_argument("--day", metavar="YYYY-MM-DD")
    parser.add_argument("--record", metavar="PATH")
    parser.add_argument("--trace", action="store_true")
    options = parser.parse_args()
    prompt = "diary> " if sys.stdin.isatty() else ""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # closed output ends it, as any filter
    sys.stdout = os.fdopen(1, "w", 1, encoding="utf-8", newline="\n")
    with mainstem.Context() as context:
        if options.record:
            context.record(options.record)
        if options.trace:
            context.trace()
        install(context)
        add_store(context, options.db, options.day)
        app = App(context)
        app.settle()
        app.top.draw()
        while line := print(prompt, end="", flush=True) or sys.stdin.readline():
            command, _, argument = line.rstrip("\n").partition(" ")
            if command == "quit":
                break
            if command:
                app.obey(command, argument)
                app.settle()
                app.top.draw()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The diary in lines: a view of libDiaryCore.so. It opens one URL, and shows what is opened."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from typing import Any, Callable, Dict, Iterator, Optional

from diary_app import activity, add_store, install, is_day, lines, mainstem, playing
from diary_lines import SCREENS
from diary_stage import Stage


class App:
    def __init__(self, context: mainstem.Context, screens: Dict[str, Any] = SCREENS) -> None:
        self.context, self.nav = context, mainstem.Navigator(context)
        install(context)
        self.stage = Stage(context, screens)
        self.nav.stage(self.stage)

    def open(self, link: str) -> None:
        self.nav.open("app", failed=lambda failure: None)
        if link:
            self.nav.link(link, failed=link_failed)
        self.nav.ready()

    def settle(self) -> None:
        """Waits until the store has answered all, and nothing is left to do."""
        while (waits := activity(self.context)) or self.context.drain():
            if waits:
                self.context.wait()

    def draw(self) -> None:
        for screen in self.stage.seen:
            screen.draw()

    def back(self) -> None:
        """A dialog or a drawer goes by a gesture; a screen may have something to say first."""
        top = self.stage.tops[-1]
        if top.component.kind == "screen":
            self.nav.pop(failed=lambda failure: None)
        else:
            self.stage.hide([top.component.number])
            self.nav.gone(top.component.number)

    @property
    def is_edited(self) -> bool:
        """Whether a page has something that is not saved."""
        return any(getattr(each.view, "is_edited", False) for each in self.stage.tops)

    def go_home(self, then: Callable[[Any], None], failed: Callable[[Any], None]) -> None:
        """Closes all but the first screen; each may have something to say first."""
        while self.stage.tops[-1].component.kind != "screen":
            self.back()
        self.nav.pop_to(self.stage.tops[0].component, then=then, failed=failed)

    def obey(self, command: str, argument: str) -> None:
        commands = {}
        for screen in self.stage.seen:
            commands.update(screen.commands())
        if len(self.stage.tops) > 1:
            commands["back"] = lambda _: self.back()
        if command in commands:
            # A button that is off does nothing, nor does what is no text.
            with suppress(mainstem.MainstemError, UnicodeError):
                commands[command](argument)
        else:
            lines.say(", ".join([*commands, "quit"]))

    def run(self) -> None:
        """Obeys lines of the standard input, to its end."""
        self.settle()
        self.draw()
        for command, argument in lines.commands("diary> "):
            self.obey(command, argument)
            self.settle()
            self.draw()

    def replay(self, fed: Iterator[bool]) -> None:
        """Draws what a session has shown, each time that something came or went, and its end."""
        drawn = 0
        for stays in fed:
            self.context.drain()
            if self.stage.changes > drawn or stays:
                drawn = self.stage.changes
                self.draw()


def link_failed(failure: mainstem.Failure) -> None:
    if failure.status != mainstem.Status.CANCELLED:
        lines.say(f"! {failure.message}")


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="diary")
    parser.add_argument("--db", default="diary.sqlite", metavar="PATH")
    parser.add_argument("--day", metavar="YYYY-MM-DD")
    parser.add_argument("--link", metavar="URL", default="")
    parser.add_argument("--record", metavar="PATH")
    parser.add_argument("--script", action="store_true", help="lines, also in a window")
    parser.add_argument("--trace", action="store_true")
    given = playing.parsed(parser)
    if given.day is not None and not is_day(given.day):
        day = lines.printable(given.day)
        print(f"--day: there is no day {day}; its form is YYYY-MM-DD", file=sys.stderr)
        sys.exit(2)
    return given


def main(
    given: argparse.Namespace,
    make: Callable[[mainstem.Context], App] = App,
    loop: Optional[Callable[[], None]] = None,
) -> None:
    """Runs a host, in the loop of its window if it has one."""
    if given.replay:
        for context, fed in playing.contexts(given):
            if given.trace:
                context.trace()
            make(context).replay(fed)
        return
    with mainstem.Context() as context:
        if given.trace:
            context.trace()
        if given.record:
            context.record(given.record)
        app = make(context)
        add_store(context, given.db, given.day)
        app.open(given.link)
        if loop:
            loop()
        else:
            app.run()


if __name__ == "__main__":
    lines.run(lambda: main(options()))

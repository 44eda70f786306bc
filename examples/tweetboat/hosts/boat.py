#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Tweetboat in lines: a view of libTweetboatCore.so, and nothing else."""

from __future__ import annotations

import argparse
from contextlib import suppress
from typing import Any, Callable, Iterator, List, Optional, Sequence, Tuple

from tweetboat import (
    Http,
    Lookup,
    Profile,
    TweetCell,
    add_pictures,
    install,
    lines,
    mainstem,
    playing,
    size_of,
)

ROWS = 5
#: That something comes into sight, or goes out of it, follows what a user does.
LOOKS = ("TweetCell.appear", "TweetCell.disappear", "Profile.appear")
HELP = "name TEXT, go, down [N], up [N], profile, close, retry, quit"


class Pictured:
    """What is seen of a view model with pictures."""

    def __init__(
        self,
        pictures: mainstem.Resources,
        window: mainstem.Scope,
        kind: Any,
        *names: str,
        **rows: Any,
    ) -> None:
        self.pictures, self.texts = pictures, dict.fromkeys(names, "")
        self.number = 0
        self.view: Any = mainstem.view(window, kind, **{n: self.shows(n) for n in names}, **rows)

    def shows(self, name: str) -> Callable[[str], None]:
        """A row of a picture: its bytes are there when its key comes, and may be dropped later."""

        def show(key: str) -> None:
            self.texts[name] = self.read(key) if key else ""

        return show

    def read(self, key: str) -> str:
        picture = self.pictures.get(key)
        if picture is None:
            return "[picture]"  # of a session that is shown again
        size = size_of(picture)
        return f"[picture {size[0]} × {size[1]}]" if size else "[not a picture]"

    def picture(self, name: str = "avatar") -> str:
        """What is shown of a picture: itself, or why it is not there."""
        return self.texts[name] or ("[no picture]" if self.view.picture_problem else "[…]")

    def run(self, command: str) -> None:
        with suppress(mainstem.MainstemError):  # it shows nothing, or that has ended
            getattr(self.view, command)()

    def retry(self) -> None:
        if self.view.picture_problem:
            self.run("appear")


class Screen:
    def __init__(
        self,
        window: mainstem.Scope,
        pictures: mainstem.Resources,
        site: Optional[str],
        owner: Optional[mainstem.Scope] = None,
    ) -> None:
        """On a site; without one, on what is opened in a replay.

        A window with few rights needs an `owner`, which opens the screen, and finds what it shows.
        """
        self.app, self.window, self.owner = window.context, window, owner or window
        self.cells: Tuple[int, ...] = ()
        self.top = self.selected = 0
        self.is_reached = False  # whether the end of the list has come into sight
        self.is_profile = False
        rows = range(ROWS)
        self.rows = [Pictured(pictures, window, TweetCell, "avatar", "picture") for _ in rows]
        self.profile = Pictured(pictures, window, Profile, "avatar")
        mainstem.on_ended(self.profile.view, self.close)
        self.head = Pictured(pictures, window, Lookup, "avatar", cells=self.show_cells)
        self.lookup: Any = None
        if site:
            self.bind(self.owner.open_instance("Lookup", site))
        else:
            watch(window, self.bind, self.show_profile, self.close)

    def bind(self, lookup: int) -> None:
        self.lookup = self.head.view
        mainstem.retarget(self.lookup, self.owner.find_scope(lookup))

    def show_cells(self, numbers: Sequence[int]) -> None:
        before, self.cells = self.cells, tuple(numbers)
        self.move(0 if before[:1] == self.cells[:1] else -self.selected)  # another list: to its top

    def move(self, by: int) -> None:
        """Selects another row, and has the rows show what has come into sight."""
        self.selected = max(0, min(self.selected + by, len(self.cells) - 1))
        self.top = max(self.selected - ROWS + 1, min(self.top, self.selected))
        self.fill([*self.cells[self.top : self.top + ROWS], *[0] * ROWS][:ROWS])
        self.is_reached = self.top + ROWS >= len(self.cells)

    def fill(self, now: List[int]) -> None:
        """What comes into sight asks for its pictures; what goes out of sight cancels them."""
        before = [row.number for row in self.rows]
        for row in self.rows:
            if row.number and row.number not in now:
                row.run("disappear")
        for row, cell in zip(self.rows, now):
            if row.number != cell:
                row.number = cell
                mainstem.retarget(row.view, self.owner.find_scope(cell) if cell else None)
            if cell and cell not in before:
                row.run("appear")

    def open(self) -> None:
        row = self.rows[self.selected - self.top].view
        self.show_profile(mainstem.open_child(row, "profile").result())

    def show_profile(self, profile: int) -> None:
        mainstem.retarget(self.profile.view, self.owner.find_scope(profile))
        self.profile.run("appear")
        self.is_profile = True

    def close(self) -> None:
        if self.is_profile:
            self.profile.run("disappear")
        self.is_profile = False
        mainstem.retarget(self.profile.view, None)

    def retry(self) -> None:
        """Asks again for the pictures that have not come."""
        rows = [row for row in self.rows if row.number]
        for shown in (self.head, *[self.profile][: self.is_profile], *rows):
            shown.retry()

    def settle(self) -> None:
        """Waits until all has come."""
        while (waits := self.app.request_count()) or self.app.drain() or self.load_more():
            if waits:
                self.app.wait()

    def load_more(self) -> bool:
        """Tells that the end is in sight, until that is heard."""
        with suppress(mainstem.MainstemError):  # that is all, or it is under way
            if self.is_reached and self.lookup.load_more():
                self.is_reached = False
                return True
        return False

    def draw(self) -> None:
        for line in self.lines():
            lines.say(line)

    def lines(self) -> Iterator[str]:
        lookup, profile = self.lookup, self.profile.view
        go = "on" if lookup.go.enabled else "off"
        yield f"[{lookup.username}] Go {go} {lookup.go_alpha:.1f}"
        if lookup.full_name:
            yield f"{self.head.picture()} {lookup.full_name}"
        seen = self.cells[self.top : self.top + ROWS]
        for place, (row, _) in enumerate(zip(self.rows, seen), self.top):
            mark = ">" if place == self.selected else " "
            yield f"{mark} {row.picture()} {row.view.author}: {row.view.text}"
            if row.view.picture_about:
                yield f"    {row.picture('picture')} {row.view.picture_about}"
        if lookup.loading_row and self.top + ROWS >= len(self.cells):
            yield lookup.loading_row
        if lookup.go.error:
            yield lookup.go.error
        if self.is_profile:
            face = self.profile.picture()
            yield f"{face} {profile.full_name} {profile.name}: {profile.about}"
            yield profile.followers

    def print_again(self, fed: Iterator[bool]) -> None:
        """Prints a session: what there is to see each time a user did something, and at its end."""
        actions: List[int] = []

        @self.app.observe
        def notice(event: Any) -> None:
            is_inside = not event.outside or event.cause or event.answers
            if not is_inside and event.name not in LOOKS:
                actions.append(event.position)

        seen: List[str] = []
        for stays in fed:
            for line in seen if actions or stays else ():
                lines.say(line)
            actions.clear()
            self.app.drain()
            with suppress(mainstem.MainstemError):  # what is shown has ended
                seen = list(self.lines()) if self.lookup else []

    def obey(self, command: str, argument: str) -> None:
        count = int(argument[:18]) if argument.isdecimal() else 1
        # A button that is off does nothing, nor does what is no text.
        with suppress(mainstem.MainstemError, UnicodeError):
            if command == "name":
                self.lookup.username = argument
            elif command == "go":
                self.lookup.go()
            elif command == "down":
                self.move(count)
            elif command == "up":
                self.move(-count)
            elif command == "profile" and self.cells:
                self.open()
            elif command == "close":
                self.close()
            elif command == "retry":
                self.retry()
            elif command != "profile":
                lines.say(HELP)


def watch(
    window: mainstem.Scope,
    show: Callable[[int], object],
    show_profile: Callable[[int], object],
    close_profile: Callable[[], object],
) -> None:
    """In a replay, what was opened in the session is shown.

    An observer of all: of what the session has never done, there is no type.
    """

    @window.observe
    def notice(event: Any) -> None:
        if event.name == "ResponseOpen.Lookup":
            show(number(event))
        elif event.name == "TweetCell.profile.done":
            show_profile(number(event))
        elif event.name == "Profile.disappear":
            close_profile()


def number(event: Any) -> int:
    """The number of a scope that was opened, which the stream has as a signed one."""
    return int(event.value) % 2**64


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="boat")
    parser.add_argument("--record", metavar="PATH")
    parser.add_argument("--trace", action="store_true")
    parser.add_argument("--patience", type=int, default=10_000, metavar="MS")
    parser.add_argument("--cache", type=count, default=0, metavar="BYTES")
    parser.add_argument("site", nargs="?")
    given = playing.parsed(parser)
    if not given.site and not given.replay:
        parser.error("a site, or --replay PATH")
    return given


def count(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(text)
    return int(text)


def prepare(context: mainstem.Context, given: argparse.Namespace) -> None:
    """What comes before all else."""
    if given.record:
        context.record(given.record)
    if given.trace:
        context.trace()


def opened(context: mainstem.Context, given: argparse.Namespace) -> Screen:
    prepare(context, given)
    pictures = install(context, given.patience, given.cache)
    context.install(Http(), on="host")
    add_pictures(context, pictures)
    return Screen(context.scope("Window"), pictures, None if given.replay else given.site)


def run(given: argparse.Namespace) -> None:
    if given.replay:
        for context, fed in playing.contexts(given):
            opened(context, given).print_again(fed)
        return
    with mainstem.Context() as context:
        screen = opened(context, given)
        for command, argument in lines.commands("boat> "):
            screen.obey(command, argument)
            screen.settle()
            screen.draw()


if __name__ == "__main__":
    lines.run(lambda: run(options()))

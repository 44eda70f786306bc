#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Tweetboat in lines: a view of libTweetboatCore.so, and nothing else."""

from __future__ import annotations

import argparse
from contextlib import suppress
from struct import iter_unpack
from typing import Any, Iterator, List, Optional, Tuple

from tweetboat import Http, Lookup, Profile, TweetCell, install, lines, mainstem

ROWS = 5
HELP = "name TEXT, go, down [N], up [N], profile, close, quit"


class Screen:
    def __init__(
        self, window: mainstem.Scope, site: Optional[str], owner: Optional[mainstem.Scope] = None
    ) -> None:
        """On a site; without one, on what is opened in a replay.

        A window with few rights needs an `owner`, which opens the screen, and finds what it shows.
        """
        self.app, self.window, self.owner = window.context, window, owner or window
        self.cells: Tuple[int, ...] = ()
        self.top = self.selected = 0
        self.is_reached = False  # whether the end of the list has come into sight
        self.is_profile = False
        self.rows = [mainstem.view(window, TweetCell) for _ in range(ROWS)]
        self.profile = mainstem.view(window, Profile)
        mainstem.on_ended(self.profile, self.close)
        self.lookup: Any = None
        if site:
            self.bind(self.owner.open_instance("Lookup", site))
        else:
            window.observe("ResponseOpen.Lookup", lambda event: self.bind(number(event)))
            window.observe("TweetCell.profile.done", lambda event: self.show_profile(number(event)))

    def bind(self, lookup: int) -> None:
        found = self.owner.find_scope(lookup)
        self.lookup = mainstem.view(self.window, Lookup, found, cells=self.show_cells)

    def show_cells(self, numbers: bytes) -> None:
        before, self.cells = self.cells, tuple(n for (n,) in iter_unpack("Q", numbers))
        self.move(0 if before[:1] == self.cells[:1] else -self.selected)  # another list: to its top

    def move(self, by: int) -> None:
        """Selects another row, and has the rows show what has come into sight."""
        self.selected = max(0, min(self.selected + by, len(self.cells) - 1))
        self.top = max(self.selected - ROWS + 1, min(self.top, self.selected))
        seen = self.cells[self.top : self.top + ROWS]
        for row, cell in zip(self.rows, (*seen, *[None] * ROWS)):
            mainstem.retarget(row, cell and self.owner.find_scope(cell))
        self.is_reached = self.top + ROWS >= len(self.cells)

    def open(self) -> None:
        row = self.rows[self.selected - self.top]
        self.show_profile(mainstem.open_child(row, "profile").result())

    def show_profile(self, profile: int) -> None:
        mainstem.retarget(self.profile, self.owner.find_scope(profile))
        self.is_profile = True

    def close(self) -> None:
        self.is_profile = False
        mainstem.retarget(self.profile, None)

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
        lookup, profile = self.lookup, self.profile
        go = "on" if lookup.go.enabled else "off"
        yield f"[{lookup.username}] Go {go} {lookup.go_alpha:.1f}"
        if lookup.full_name:
            yield f"{lookup.avatar} {lookup.full_name}"
        seen = self.cells[self.top : self.top + ROWS]
        for place, (row, _) in enumerate(zip(self.rows, seen), self.top):
            mark = ">" if place == self.selected else " "
            yield f"{mark} {row.avatar} {row.author}: {row.text}"
        if lookup.loading_row and self.top + ROWS >= len(self.cells):
            yield lookup.loading_row
        if lookup.go.error:
            yield lookup.go.error
        if self.is_profile:
            yield f"{profile.avatar} {profile.full_name} {profile.name}: {profile.about}"
            yield profile.followers

    def print_again(self, replay: mainstem.Replay, speed: float) -> None:
        """Prints a session: what there was to see each time a user did something, and last."""
        actions: List[int] = []

        @self.app.observe
        def notice(event: Any) -> None:
            if event.outside and not event.cause and not event.answers:
                actions.append(event.position)

        seen: List[str] = []
        was_profile = False
        for _ in lines.replayed(replay, speed):
            if actions:
                for line in seen:
                    lines.say(line)
                # That a user closes a profile is in no journal: whatever they do next, they have.
                if was_profile:
                    self.close()
            actions.clear()
            self.app.drain()
            was_profile = self.is_profile
            with suppress(mainstem.MainstemError):  # what is shown has ended
                seen = list(self.lines()) if self.lookup else []
        for line in seen:
            lines.say(line)

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
            elif command != "profile":
                lines.say(HELP)


def number(event: Any) -> int:
    """The number of a scope that was opened, which the stream has as a signed one."""
    return int(event.value) % 2**64


def main() -> None:
    parser = argparse.ArgumentParser(prog="boat")
    parser.add_argument("--record", metavar="PATH")
    parser.add_argument("--trace", action="store_true")
    parser.add_argument("--patience", type=int, default=10_000, metavar="MS")
    parser.add_argument("site", nargs="?")
    lines.add_replay(parser)
    options = parser.parse_args()
    if not options.site and not options.replay:
        parser.error("a site, or --replay PATH")
    with mainstem.Context() as context:
        if options.record:
            context.record(options.record)
        if options.trace:
            context.trace()
        replay = context.replay(options.replay) if options.replay else None
        install(context, options.patience)
        context.install(Http(), on="host")
        screen = Screen(context.scope("Window"), None if replay else options.site)
        if replay:
            screen.print_again(replay, options.speed or 0)
            return
        for command, argument in lines.commands("boat> "):
            screen.obey(command, argument)
            screen.settle()
            screen.draw()


if __name__ == "__main__":
    lines.run(main)

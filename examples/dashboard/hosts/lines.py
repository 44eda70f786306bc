# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Uses a screen as lines of the standard input say, and prints what it shows; in any GLib loop.

Without a display the screen is `Lines`: the same values, without widgets.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, List, Optional

from dashboard_core import Dashboard, UsersWidget, mainstem
from gi.repository import GLib  # type: ignore

HELP = "find ID, retry, quit"


class Lines:
    def __init__(self, scope: mainstem.Scope) -> None:
        self.scope = scope
        self.dashboard: Optional[Any] = None
        self.users: Optional[Any] = None

    def show(self, dashboard: mainstem.Scope) -> None:
        self.dashboard = mainstem.view(self.scope, Dashboard, dashboard)
        self.dashboard.did_load()

    def embed(self, slot: str, widget: mainstem.Scope) -> None:
        self.users = mainstem.view(self.scope, UsersWidget, widget)

    def find(self, query: str) -> None:
        if self.users and self.users.is_search_shown:
            self.users.query = query

    def retry(self) -> None:
        with suppress(mainstem.MainstemError):  # a button that is off does nothing
            if self.users:
                self.users.retry()

    def shown(self) -> List[str]:
        """What there is to see, line by line."""
        lines, users = [self.dashboard.title if self.dashboard else ""], self.users
        if users and users.is_loading:
            lines.append("Loading …")
        if users and users.count:
            lines.append(users.count)
        if users and users.is_search_shown:
            lines.append(f"[{users.query}] {users.found}")
        if users and users.can_retry:
            lines.append(f"{users.problem} [Retry]")
        return lines


class Script:
    def __init__(self, context: mainstem.Context, screen: Any, loop: Any) -> None:
        self.context, self.screen, self.loop = context, screen, loop
        self.input = open(0, "rb", buffering=0, closefd=False)  # noqa: SIM115

    def begin(self) -> None:
        """Reads lines in the main loop; the end of the input ends it."""
        self.settle()
        self.draw()
        condition = GLib.IOCondition.IN | GLib.IOCondition.HUP
        GLib.unix_fd_add_full(GLib.PRIORITY_DEFAULT, 0, condition, self.read)

    def read(self, *unused: object) -> bool:
        line = self.input.readline().decode()
        command, _, argument = line.rstrip("\n").partition(" ")
        if not line or command == "quit":
            self.loop.quit()
            return False
        try:
            if command:
                self.obey(command, argument)
        except BaseException:
            self.loop.quit()
            raise
        return True

    def obey(self, command: str, argument: str) -> None:
        if command == "find":
            self.screen.find(argument)
        elif command == "retry":
            self.screen.retry()
        else:
            print(HELP)
        self.settle()
        self.draw()

    def settle(self) -> None:
        """Waits until all has come."""
        main = GLib.MainContext.default()
        while (waits := self.context.activity()) or self.context.drain():
            if waits:
                main.iteration(True)
        while main.iteration(False):
            pass

    def draw(self) -> None:
        title, *rest = self.screen.shown()
        print("\n  ".join([title, *rest]), flush=True)

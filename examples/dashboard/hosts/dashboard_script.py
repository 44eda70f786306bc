# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Uses a stage as lines of the standard input say, and prints what it shows; in a GLib loop."""

from __future__ import annotations

import signal
import sys
from contextlib import suppress
from typing import Any

from dashboard_core import lines, mainstem
from gi.repository import GLib  # type: ignore

HELP = "find ID, retry, back, quit"


class Script:
    def __init__(self, context: mainstem.Context, stage: Any, loop: Any) -> None:
        self.context, self.stage, self.loop = context, stage, loop
        self.is_interrupted = False
        self.input = open(0, "rb", buffering=0, closefd=False)  # noqa: SIM115

    def run(self) -> None:
        """Obeys lines until their end, or that of the app."""
        self.begin()
        self.loop.run()
        if self.is_interrupted:
            raise KeyboardInterrupt

    def begin(self) -> None:
        """Reads lines in the main loop; the end of the input ends it."""
        self.settle()
        if sys.stdin.isatty() and sys.stdout.isatty():
            GLib.idle_add(self.read_terminal)
            return
        condition = GLib.IOCondition.IN | GLib.IOCondition.HUP
        GLib.unix_fd_add_full(GLib.PRIORITY_DEFAULT, 0, condition, self.read)

    def read_terminal(self) -> bool:
        """Commands that are typed, and can be edited."""
        signal.signal(signal.SIGINT, signal.default_int_handler)  # GLib's does not end a line
        try:
            for command, argument in lines.commands("dashboard> "):
                self.obey(command, argument)
                if not self.loop.is_running():
                    break
        except KeyboardInterrupt:
            self.is_interrupted = True
        finally:
            self.loop.quit()
        return False

    def read(self, *unused: object) -> bool:
        try:
            line = lines.read(self.input)
            command, argument = lines.command_of(line)
            if command and command != "quit":
                self.obey(command, argument)
        except BaseException:
            self.loop.quit()
            raise
        if not line or command == "quit":
            self.loop.quit()
            return False
        return True

    def obey(self, command: str, argument: str) -> None:
        screen, users = self.stage.view("Dashboard"), self.stage.view("UsersWidget")
        if command == "back" and screen:
            screen.leave()
        elif command not in ("find", "retry"):
            lines.say(HELP)
        elif users and command == "find":
            with suppress(UnicodeError):  # what is no text changes nothing
                users.find(argument)
        elif users:
            users.retry()
        self.settle()

    def settle(self) -> None:
        """Waits until all has come."""
        main = GLib.MainContext.default()
        while (waits := self.context.request_count("RequestHttp")) or self.context.drain():
            if waits:
                main.iteration(True)
        while main.iteration(False):
            pass
        self.stage.print(self.stage.lines())

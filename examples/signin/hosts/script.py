# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Uses a screen as lines of the standard input say: see script.h. Without a display, its values."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import mainstem
from core import SignIn, lines
from gi.repository import GLib  # type: ignore

#: Bytes of a line, as in C.
LONGEST = 255


class Lines:
    """Without a display: the same values."""

    def __init__(self, scope: mainstem.Scope, owner: mainstem.Scope) -> None:
        self.form = mainstem.view(scope, SignIn, owner)

    def type(self, field: str, text: str) -> None:
        if getattr(self.form, f"{field}_input_enable"):
            setattr(self.form, field, text)

    def press(self, button: str) -> None:
        try:
            getattr(self.form, button)()
        except mainstem.MainstemError as error:
            if error.status not in (mainstem.Status.DISABLED, mainstem.Status.EXECUTING):
                raise

    def shown(self) -> Any:
        form = self.form
        enabled = (form.username_input_enable, form.password_input_enable, form.submit_enable)
        says = "" if form.state_hidden else form.state
        return (*enabled, form.submit_title, form.indicator_animating, says)


class Script:
    def __init__(self, context: mainstem.Context, account: Any, screen: Any, loop: Any) -> None:
        self.context, self.account, self.screen, self.loop = context, account, screen, loop
        self.input = open(0, "rb", buffering=0, closefd=False)  # noqa: SIM115

    def begin(self) -> None:
        """Reads lines in the main loop; the end of the input ends it."""
        condition = GLib.IOCondition.IN | GLib.IOCondition.HUP
        GLib.unix_fd_add_full(GLib.PRIORITY_DEFAULT, 0, condition, self.read)

    def read(self, *unused: object) -> bool:
        try:
            line = lines.read(self.input)
            if len(line.rstrip(b"\n")) > LONGEST:
                lines.say("the line is too long")
            elif line:
                self.obey(*lines.command_of(line))
        except BaseException:
            self.loop.quit()
            raise
        if not line:
            self.loop.quit()
        return bool(line)

    def obey(self, word: str, rest: str) -> None:
        if word in ("username", "password"):
            with suppress(ValueError):  # what is no text changes nothing
                self.screen.type(word, rest)
        elif word in ("submit", "cancel"):
            self.screen.press(word)
        elif word == "account":
            self.account.mode = rest
        elif word == "wait":
            while self.context.request_count():
                GLib.MainContext.default().iteration(True)
        elif word == "show":
            show(self.screen.shown())
        elif word:
            lines.say(f"unknown: {word}")
        while GLib.MainContext.default().iteration(False):
            pass


def show(shown: Any) -> None:
    """Prints what a screen shows."""
    name, password, submit, title, is_busy, says = shown
    on = ("off", "on")
    done = ("busy" if is_busy else "idle") + (f": {says}" if says else "")
    lines.say(f"name {on[name]}, password {on[password]}, [{title}] {on[submit]}, {done}")

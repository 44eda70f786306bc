#!/usr/bin/python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A sign-in window of libsignin.so. Without a display it is used by lines: see script.py."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Callable, List, Optional

import core
import gi  # type: ignore
import mainstem

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from account import Account  # noqa: E402
from gi.repository import Gdk, GLib, Gtk  # type: ignore  # noqa: E402
from mainstem_gtk import attach, runs, shows, writes  # noqa: E402
from script import Lines, Script, show  # noqa: E402


class Window:
    """Which value is which property, and nothing else."""

    def __init__(
        self, scope: mainstem.Scope, owner: mainstem.Scope, close: Callable[[], None]
    ) -> None:
        at = Gtk.Builder.new_from_file(str(Path(__file__).with_name("signin.ui"))).get_object
        self.at, self.had_focus = at, None
        at("submit").connect("clicked", lambda _: self.take_focus())
        empty: Callable[[], None]
        form = mainstem.view(
            scope,
            core.SignIn,
            owner,
            username=mainstem.two_way(shows(at("username"), "text")),
            username_input_enable=shows(at("username"), "sensitive"),
            password_input_enable=shows(at("password"), "sensitive"),
            submit_enable=shows(at("submit"), "sensitive"),
            submit_title=shows(at("submit"), "label"),
            cancel_enabled=shows(at("cancel"), "sensitive"),
            indicator_hidden=shows(at("indicator"), "!visible"),
            indicator_animating=shows(at("indicator"), "spinning"),
            state=shows(at("state"), "label"),
            state_hidden=shows(at("state"), "!visible"),
            forget=lambda _: empty(),
        )
        writes(form, "username", at("username"), "text")
        empty = writes(form, "password", at("password"), "text")
        runs(form.submit, at("submit"), "clicked")
        runs(form.cancel, at("cancel"), "clicked")
        for name in ("username", "password", "submit"):
            at(name).connect("notify::sensitive", self.give_focus_later)
        at("window").connect("close-request", lambda _: close())
        at("window").present()

    def rest(self) -> None:
        """The window takes no keys and clicks any more: a session is shown again."""
        self.at("window").set_title("Sign in, shown again")
        for change in ("can-target", "can-focus"):
            self.at("window").get_child().set_property(change, False)

    def take_focus(self) -> None:
        """Before the form waits: a field that is turned off with the keys in it warns."""
        window = self.at("window")
        focus = window.get_focus()
        self.had_focus = focus if isinstance(focus, Gtk.Text) else None
        window.set_focus(None)
        self.give_focus_later()

    def give_focus_later(self, *_: object) -> None:
        """When all that is turned on or off has been, and before the next key."""
        GLib.idle_add(self.give_focus, priority=GLib.PRIORITY_HIGH)

    def give_focus(self) -> None:
        """The keys go to what had them, or to what is to be typed next."""
        if self.at("window").get_focus():
            return
        fields = [self.at(name) for name in ("password", "username", "submit")]
        for widget in filter(None, [self.had_focus, *fields]):
            if widget.is_sensitive():
                widget.grab_focus()
                return

    def type(self, field: str, text: str) -> None:
        """Types into a field, as a user does, key by key."""
        entry = self.at(field)
        if entry.is_sensitive():
            entry.delete_text(0, -1)
            for place, key in enumerate(text):
                entry.insert_text(key, place)

    def press(self, button: str) -> None:
        if self.at(button).is_sensitive():
            self.at(button).emit("clicked")

    def shown(self) -> Any:
        """What a user sees."""
        at = self.at
        busy = at("indicator").get_visible() and at("indicator").get_property("spinning")
        says = at("state").get_text() if at("state").get_visible() else ""
        sensitive = [at(name).is_sensitive() for name in ("username", "password", "submit")]
        return (*sensitive, at("submit").get_label(), busy, says)


def after(delay_ms: int) -> Any:
    """Later, for the provider: by a timer of the main loop."""

    def later(call: Callable[[], None]) -> Callable[[], None]:
        timers: List[int] = []

        def ring() -> bool:
            timers.clear()
            call()
            return False

        def stop() -> None:
            for timer in timers:
                GLib.source_remove(timer)

        timers.append(GLib.timeout_add(delay_ms, ring))
        return stop

    return later


def show_again(
    context: mainstem.Context,
    replay: mainstem.Replay,
    loop: Any,
    in_lines: bool,
    speed: Optional[float],
) -> None:
    """In a window as fast as it was, until the user closes it; in lines at once."""
    scope = context.scope("Window", sends="view", observes=["view", "viewmodel"])
    seen: List[Any] = []
    shown: List[Any] = []  # what it has shown last

    def notice(event: Any) -> None:
        if event.outside and not event.cause and not event.answers:
            for last in shown:
                show(last)

    def opened(event: Any) -> None:
        form = context.find_scope(event.value % 2**64)  # on the stream, it is a signed one
        if seen or not form:
            return
        if Gdk.Display.get_default() is None:
            seen.append(Lines(scope, form))
            return
        seen.append(Window(scope, form, loop.quit))
        seen[0].rest()

    if in_lines:
        context.observe(notice)
    scope.observe("ResponseOpen.SignIn", opened)
    if not in_lines:
        replay.run(1 if speed is None else speed)
        loop.run()
        return
    for _ in core.lines.replayed(replay, speed or 0):
        while GLib.MainContext.default().iteration(False):
            pass
        with suppress(mainstem.MainstemError):  # what is shown has ended
            shown[:] = [screen.shown() for screen in seen]
    for last in shown:
        show(last)


def main() -> None:
    parser = argparse.ArgumentParser(prog="signin")
    parser.add_argument("--delay", type=int, default=800, metavar="MS")
    parser.add_argument("--record", metavar="PATH")
    parser.add_argument("--script", action="store_true")
    core.lines.add_replay(parser)
    parser.add_argument("--trace", action="store_true")
    options = parser.parse_args()
    with mainstem.Context() as context:
        account = Account(after(options.delay), context.now)
        replay = context.replay(options.replay) if options.replay else None
        if options.trace:
            context.trace()
        core.install(context)
        context.install(account, on="host")
        if options.record:
            context.record(options.record)
        loop = GLib.MainLoop()
        attach(context)
        has_display = Gdk.Display.get_default() is not None
        if replay:
            in_lines = options.script or not has_display
            show_again(context, replay, loop, in_lines, options.speed)
            return
        scope = context.scope("Window", sends="view", observes=["view", "viewmodel"])
        form = context.find_scope(scope.open_instance("SignIn"))
        assert form
        screen: Any = Window(scope, form, loop.quit) if has_display else Lines(scope, form)
        if options.script or not has_display:
            Script(context, account, screen, loop).begin()
        loop.run()
        scope.end()  # and with it the form
        if failed := context.first_error():
            sys.exit(str(failed))


if __name__ == "__main__":
    core.lines.run(main)

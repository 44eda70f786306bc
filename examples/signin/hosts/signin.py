#!/usr/bin/python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A sign-in window of libsignin.so. Without a display it is used by lines: see script.py."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Callable, Iterator, List

import core
import gi  # type: ignore
import mainstem

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from account import Account  # noqa: E402
from gi.repository import Gdk, GLib, Gtk  # type: ignore  # noqa: E402
from mainstem_bars import Bars  # noqa: E402
from mainstem_gtk import attach, runs, shows, writes  # noqa: E402
from script import Lines, Script, show  # noqa: E402


def built(name: str) -> Callable[[str], Any]:
    """A part of signin.ui: its widgets by their ids."""
    builder = Gtk.Builder()
    builder.add_objects_from_file(str(Path(__file__).with_name("signin.ui")), [name])
    return builder.get_object  # type: ignore[no-any-return]


class Window:
    """The window around the form."""

    def __init__(self, close: Callable[[], None]) -> None:
        self.window = built("window")("window")
        self.bars = Bars(self.window)
        self.window.connect("close-request", lambda _: close())


class Form:
    """Which value is which property, and nothing else."""

    def __init__(self, scope: mainstem.Scope, owner: mainstem.Scope, window: Window) -> None:
        self.window, self.had_focus = window.window, None
        self.at = at = built("form")
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
        window.bars.show(at("form"))
        self.window.set_default_widget(at("submit"))
        if not self.window.get_visible():
            self.window.present()

    def take_focus(self) -> None:
        """Before the form waits: a field that is turned off with the keys in it warns."""
        focus = self.window.get_focus()
        self.had_focus = focus if isinstance(focus, Gtk.Text) else None
        self.window.set_focus(None)
        self.give_focus_later()

    def give_focus_later(self, *_: object) -> None:
        """When all that is turned on or off has been, and before the next key."""
        GLib.idle_add(self.give_focus, priority=GLib.PRIORITY_HIGH)

    def give_focus(self) -> None:
        """The keys go to what had them, or to what is to be typed next."""
        if self.window.get_focus():
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


def view_scope(context: mainstem.Context) -> mainstem.Scope:
    """The scope of a window, with the rights of one."""
    return context.scope("Window", sends="view", observes=["view", "viewmodel"])


def when_opened(context: mainstem.Context, call: Callable[..., object]) -> None:
    """Calls with a scope and the form when a session that is replayed opens the form."""
    scope = view_scope(context)

    def opened(event: Any) -> None:
        form = context.find_scope(event.value % 2**64)  # on the stream, it is a signed one
        if form:
            call(scope, form)

    scope.observe("ResponseOpen.SignIn", opened)


def play(options: argparse.Namespace, loop: Any) -> None:
    """Plays a session in a window, until the user closes it."""
    window = Window(loop.quit)
    window.window.set_title("Sign in, shown again")

    def open_form(context: mainstem.Context) -> Callable[[], None]:
        if options.trace:
            context.trace()
        core.install(context)
        when_opened(context, lambda scope, form: Form(scope, form, window))
        return lambda: window.bars.show(None)

    player = window.bars.replay(options.replay, open_form)
    window.window.present()
    player.start(options.speed, options.follow, loop.quit)
    loop.run()
    player.close()


def print_again(context: mainstem.Context, fed: Iterator[bool]) -> None:
    """Prints a session: what there is to see each time the user does something, and at its end."""
    seen: List[Any] = []
    shown: List[Any] = []  # what it has shown last

    def notice(event: Any) -> None:
        if event.outside and not event.cause and not event.answers:
            for last in shown:
                show(last)

    context.observe(notice)

    def opened(scope: mainstem.Scope, form: mainstem.Scope) -> None:
        if not seen:
            seen.append(Lines(scope, form))

    when_opened(context, opened)
    for stays in fed:
        with suppress(mainstem.MainstemError):  # what is shown has ended
            shown[:] = [screen.shown() for screen in seen]
        for last in shown if stays else ():
            show(last)


def main() -> None:
    parser = argparse.ArgumentParser(prog="signin")
    parser.add_argument("--delay", type=int, default=800, metavar="MS")
    parser.add_argument("--record", metavar="PATH")
    parser.add_argument("--script", action="store_true")
    parser.add_argument("--trace", action="store_true")
    options = core.playing.parsed(parser)
    loop = GLib.MainLoop()
    has_window = Gdk.Display.get_default() is not None
    if options.replay and has_window and not options.script:
        play(options, loop)
        return
    if options.replay:
        for context, fed in core.playing.contexts(options):
            if options.trace:
                context.trace()
            core.install(context)
            print_again(context, fed)
        return
    with mainstem.Context() as context:
        if options.trace:
            context.trace()
        core.install(context)
        account = Account(after(options.delay), context.now)
        context.install(account, on="host")
        if options.record:
            context.record(options.record)
        attach(context)
        scope = view_scope(context)
        form = context.find_scope(scope.open_instance("SignIn"))
        assert form
        screen: Any = Lines(scope, form)
        if has_window:
            window = Window(loop.quit)
            screen = Form(scope, form, window)
            if options.record:
                window.bars.record(context, options.record)
        if options.script or not has_window:
            Script(context, account, screen, loop).begin()
        loop.run()
        scope.end()  # and with it the form
        if failed := context.first_error():
            sys.exit(str(failed))


if __name__ == "__main__":
    core.lines.run(main)

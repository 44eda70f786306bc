#!/usr/bin/python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A todo list in windows: the view of libtodostream.so, and nothing else."""

from __future__ import annotations

import argparse
import signal
import sys
from typing import Any, Callable, List, Optional

import gi  # type: ignore
from todo_screen import HERE, Frame, Window
from todostream import Uploads, install, lines, mainstem, playing

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, GLib, Gtk  # type: ignore  # noqa: E402
from mainstem_gtk import attach  # noqa: E402

LATE_MS = 200


class App:
    """The windows of one context. They show the same list."""

    def __init__(self, journal: Optional[str] = None, is_replay: bool = False) -> None:
        self.journal, self.is_replay = journal, is_replay
        self.title = " – Todos, shown again" if is_replay else " – Todos"
        self.context: Any = None
        self.todos: Any = None
        self.windows: List[Window] = []
        self.loop = GLib.MainLoop()
        self.names: List[str] = []  # of the lists that were shown
        self.opened, self.timer, self.idle = 0, 0, 0
        styles = Gtk.CssProvider()
        styles.load_from_path(str(HERE / "todo.css"))
        priority = Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION
        Gtk.StyleContext.add_provider_for_display(Gdk.Display.get_default(), styles, priority)

    def install(
        self,
        context: mainstem.Context,
        path: str,
        patience: int = 0,
        uploads: Optional[Uploads] = None,
    ) -> None:
        self.context, self.todos = context, install(context, path, patience, uploads=uploads)

    def scope(self) -> mainstem.Scope:
        self.opened += 1
        name = "view" if self.opened == 1 else f"view {self.opened}"
        return self.context.scope(name, sends="viewmodel", observes="viewmodel")  # type: ignore

    def open(self) -> Window:
        window = Window(self, self.scope(), Frame())
        for known in self.names:
            window.add_name(known)
        self.windows.append(window)
        if self.journal:
            window.frame.bars.record(self.context, self.journal)
        window.present()
        return window

    def open_again(self, frame: Frame, context: mainstem.Context) -> Callable[[], None]:
        """A session is shown again, from its beginning. No file is touched."""
        self.install(context, "/no/store")
        return Window(self, self.scope(), frame).end

    def add_name(self, name: str) -> None:
        if name not in self.names:
            self.names.append(name)
            for window in self.windows:
                window.add_name(name)

    def watch(self, what: str = "") -> None:
        """Something was asked or answered. What takes longer than a moment is shown."""
        if self.is_replay:
            return
        if what:
            doing = "Loading …" if what == "RequestTodoViewModels" else "Saving …"
            for window in self.windows:
                window.at("doing").set_label(doing)
        self.timer = self.timer or GLib.timeout_add(LATE_MS, self.late)
        self.idle = self.idle or GLib.idle_add(self.quiet)

    def late(self) -> bool:
        self.timer = 0
        for window in self.windows:
            window.at("busy").set_visible(self.context.request_count() > 0)
        return False

    def quiet(self) -> bool:
        self.idle = 0
        if not self.context.request_count():
            for window in list(self.windows):
                window.at("busy").set_visible(False)
                window.end_when_quiet()
        return False

    def gone(self, window: Window) -> None:
        if window not in self.windows:
            return
        self.windows.remove(window)
        window.hide_toast()
        if not self.context.request_count():  # else its scope ends with the context
            window.end()
        window.at("help").destroy()
        window.at("window").destroy()
        if not self.windows:
            self.loop.quit()

    def close(self) -> bool:
        for window in list(self.windows):
            window.close()
        return True

    def run(self) -> None:
        """Until the last window is closed and everything is saved."""
        for number in (signal.SIGINT, signal.SIGTERM):
            GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, number, self.close)
        self.loop.run()
        for timer in filter(None, (self.timer, self.idle)):
            GLib.source_remove(timer)
        while self.context.request_count():
            self.context.wait()


def use(options: Any) -> None:
    app = App(options.record)
    uploads = Uploads(options.analytics) if options.analytics else None
    with mainstem.Context() as context:
        if options.record:
            context.record(options.record)
        if options.trace:
            context.trace()
        app.install(context, options.db, options.patience, uploads)
        source = attach(context)
        app.open().read(options.list)
        app.run()
        GLib.source_remove(source)
        if uploads:
            uploads.rest(context)
        if failed := context.first_error():
            sys.exit(str(failed))


def show_again(options: Any) -> None:
    app, frame = App(is_replay=True), Frame()

    def open_again(context: mainstem.Context) -> Callable[[], None]:
        if options.trace:
            context.trace()
        return app.open_again(frame, context)

    player = frame.bars.replay(options.replay, open_again)
    frame.window.connect("close-request", lambda _: app.loop.quit())
    frame.window.present()
    player.start(options.speed, options.follow, app.loop.quit)
    for number in (signal.SIGINT, signal.SIGTERM):
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, number, app.loop.quit)
    app.loop.run()
    player.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="todo_window")
    parser.add_argument("--db", default="todo.sqlite", metavar="PATH")
    parser.add_argument("--list", default="home", metavar="NAME")
    parser.add_argument("--patience", type=int, default=0, metavar="MS")
    parser.add_argument("--record", metavar="PATH")
    parser.add_argument("--analytics", metavar="FILE")
    parser.add_argument("--trace", action="store_true")
    options = playing.parsed(parser)
    if options.replay and options.analytics:
        parser.error("a session is uploaded when it is made, and not when it is shown again")
    if not Gtk.init_check():
        sys.exit("There is no display: todo.py is the host for a terminal.")
    (show_again if options.replay else use)(options)


if __name__ == "__main__":
    lines.run(main)

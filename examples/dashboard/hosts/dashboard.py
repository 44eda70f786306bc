#!/usr/bin/python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A stage for libDashboardCore.so: in a window, or in lines where there is no display."""

from __future__ import annotations

import argparse
import sys
from typing import Any, Iterator, List

import dashboard_lines
import gi  # type: ignore
from dashboard_core import Http, install, lines, mainstem, playing
from dashboard_stage import Stage

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from dashboard_script import Script  # noqa: E402
from gi.repository import Gdk, GLib, Gtk  # type: ignore  # noqa: E402, F401
from mainstem_gtk import attach  # noqa: E402


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="dashboard")
    parser.add_argument("--record", metavar="PATH")
    parser.add_argument("--script", action="store_true")
    parser.add_argument("--trace", action="store_true")
    parser.add_argument("--patience", type=int, default=10_000, metavar="MS")
    parser.add_argument("site", nargs="?")
    given = playing.parsed(parser)
    if not given.site and not given.replay:
        parser.error("a site, or --replay PATH")
    return given


def views() -> Any:
    """How things look: in a window if there is a display."""
    if Gdk.Display.get_default() is None:
        return dashboard_lines.VIEWS
    import dashboard_window

    return dashboard_window.VIEWS


def install_all(context: mainstem.Context, patience: int) -> Stage:
    """Installs the app, and what it has from this host: a network and a stage."""
    navigator = mainstem.Navigator(context)
    install(context, patience)
    if not context.replaying:
        context.install(Http(), on="host")
    stage = Stage(context, navigator, views())
    navigator.stage(stage)
    navigator.ready()
    return stage


def open_app(navigator: mainstem.Navigator, site: str, loop: Any) -> None:
    """Opens the app, by the one URL that a host knows; when it has closed, this program ends."""

    def closed(failure: mainstem.Failure) -> None:
        if not isinstance(failure, mainstem.Cancelled):
            print(failure, file=sys.stderr)
        loop.quit()

    navigator.open(mainstem.Router.write("app", site=site), failed=closed)


def print_again(context: mainstem.Context, stage: Stage, fed: Iterator[bool]) -> None:
    """Prints a session: what there is to see each time a user did something, and at its end."""
    actions: List[int] = []

    @context.observe
    def notice(event: Any) -> None:
        if event.outside and not event.cause and not event.answers:
            actions.append(event.position)

    seen: List[str] = []
    for stays in fed:
        if actions or stays:
            stage.print(seen)
            actions.clear()
        context.drain()
        seen = stage.lines()


def play(given: argparse.Namespace) -> None:
    """Plays a recorded session in a window, until the user closes it."""
    import dashboard_window

    def open_again(context: mainstem.Context) -> Stage:
        if given.trace:
            context.trace()
        return install_all(context, given.patience)

    loop = GLib.MainLoop()
    player = dashboard_window.Frame(loop.quit).play(given.replay, open_again)
    player.start(given.speed, given.follow, loop.quit)
    loop.run()
    player.close()


def main() -> None:
    given = options()
    in_lines = given.script or views() is dashboard_lines.VIEWS
    if given.replay and not in_lines:
        play(given)
        return
    if given.replay:
        for context, fed in playing.contexts(given):
            if given.trace:
                context.trace()
            print_again(context, install_all(context, given.patience), fed)
        return
    with mainstem.Context() as context:
        if given.record:
            context.record(given.record)
        if given.trace:
            context.trace()
        stage, loop = install_all(context, given.patience), GLib.MainLoop()
        stage.journal = given.record
        attach(context)
        open_app(stage.navigator, given.site, loop)
        (Script(context, stage, loop) if in_lines else loop).run()
        if failed := context.first_error():
            sys.exit(str(failed))


if __name__ == "__main__":
    lines.run(main)

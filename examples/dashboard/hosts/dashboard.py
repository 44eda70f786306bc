#!/usr/bin/python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A dashboard of libDashboardCore.so in a window. Without a display it is used by lines."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path
from typing import Any, Callable, List

import gi  # type: ignore
from dashboard_core import Dashboard, Http, UsersWidget, install, mainstem

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from flow import Flow  # noqa: E402
from gi.repository import Gdk, GLib, Gtk  # type: ignore  # noqa: E402
from lines import Lines, Script  # noqa: E402
from mainstem_gtk import attach, runs, shows, writes  # noqa: E402


def built(name: str) -> Callable[[str], Any]:
    """The widgets of a file, by their ids."""
    builder = Gtk.Builder.new_from_file(str(Path(__file__).with_name(name)))
    return builder.get_object  # type: ignore[no-any-return]


class Window:
    """The screen: a window with a slot."""

    def __init__(self, scope: mainstem.Scope, close: Callable[[], None]) -> None:
        self.scope, self.at, self.users = scope, built("dashboard.ui"), built("users.ui")
        self.at("window").connect("close-request", lambda _: close())

    def show(self, dashboard: mainstem.Scope) -> None:
        title = shows(self.at("title"), "label")
        view = mainstem.view(self.scope, Dashboard, dashboard, title=title)
        self.at("window").present()
        view.did_load()

    def embed(self, slot: str, widget: mainstem.Scope) -> None:
        tie(self.scope, widget, self.users)
        self.at(slot).append(self.users("widget"))

    def find(self, query: str) -> None:
        """Types, as a user does: key by key."""
        entry = self.users("query")
        if entry.get_mapped():
            entry.delete_text(0, -1)
            for place, key in enumerate(query):
                entry.insert_text(key, place)

    def retry(self) -> None:
        if self.users("retry").get_mapped():
            self.users("retry").emit("clicked")

    def shown(self) -> List[str]:
        """What a user sees, line by line."""
        at = self.users
        texts = {
            "indicator": "Loading …",
            "count": at("count").get_text(),
            "search": f"[{at('query').get_text()}] {at('found').get_text()}",
            "failure": f"{at('problem').get_text()} [{at('retry').get_label()}]",
        }
        seen = [text for name, text in texts.items() if text and at(name).get_mapped()]
        return [self.at("window").get_title(), *seen]


def tie(scope: mainstem.Scope, owner: mainstem.Scope, at: Callable[[str], Any]) -> None:
    """Ties the widget: which value is which property, and nothing else."""
    view = mainstem.view(
        scope,
        UsersWidget,
        owner,
        is_loading=shows(at("indicator"), "visible"),
        is_search_shown=shows(at("search"), "visible"),
        count=shows(at("count"), "label"),
        query=mainstem.two_way(shows(at("query"), "text")),
        found=shows(at("found"), "label"),
        problem=shows(at("problem"), "label"),
        can_retry=shows(at("failure"), "visible"),
    )
    writes(view, "query", at("query"), "text")
    runs(view.retry, at("retry"), "clicked")


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="dashboard")
    parser.add_argument("--record", metavar="PATH")
    parser.add_argument("--script", action="store_true")
    parser.add_argument("--trace", action="store_true")
    parser.add_argument("--patience", type=int, default=10_000, metavar="MS")
    parser.add_argument("site")
    return parser.parse_args()


def main() -> None:
    given = options()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # closed output ends it, as any filter
    sys.stdout = os.fdopen(1, "w", 1, encoding="utf-8", newline="\n")
    with mainstem.Context() as context:
        if given.record:
            context.record(given.record)
        if given.trace:
            context.trace()
        install(context, given.patience)
        context.install(Http(), on="host")
        loop = GLib.MainLoop()
        attach(context)
        scope = context.scope("Window", sends="view", observes=["view", "viewmodel"])
        has_display = Gdk.Display.get_default() is not None
        screen: Any = Window(scope, loop.quit) if has_display else Lines(scope)
        flow = Flow(context, screen, given.site)
        flow.start()
        if given.script or not has_display:
            Script(context, screen, loop).begin()
        loop.run()
        scope.end()
        flow.scope.end()
        if failed := context.first_error():
            sys.exit(str(failed))


if __name__ == "__main__":
    main()

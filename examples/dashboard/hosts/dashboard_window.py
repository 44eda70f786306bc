# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Views in a window, with GTK 4."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, List

import gi  # type: ignore
from dashboard_core import Dashboard, UsersWidget, mainstem

gi.require_version("Gtk", "4.0")
from gi.repository import GObject, Gtk  # type: ignore  # noqa: E402
from mainstem_bars import Bars, ReplayBar  # noqa: E402
from mainstem_gtk import runs, shows, writes  # noqa: E402


def built(name: str, part: str) -> Callable[[str], Any]:
    """The widgets of a part of a file, by their ids."""
    builder = Gtk.Builder()
    builder.add_objects_from_file(str(Path(__file__).with_name(name)), [part])
    return builder.get_object  # type: ignore[no-any-return]


class Frame:
    """A window, and bars around what it shows."""

    def __init__(self, close: Callable[[], None]) -> None:
        self.window = built("dashboard.ui", "window")("window")
        self.bars = Bars(self.window)
        self.window.connect("close-request", lambda _: close())
        self.window.present()

    def play(self, path: str, open: Callable[[mainstem.Context], Any]) -> ReplayBar:
        """Plays a session; `open` returns its stage."""

        def open_again(context: mainstem.Context) -> Callable[[], None]:
            open(context).rest(self)
            return lambda: self.bars.show(None)

        return self.bars.replay(path, open_again)


class DashboardWindow:
    """The screen: a window with a slot."""

    def __init__(self, stage: Any, component: mainstem.Component) -> None:
        self.name, self.scope, self.stage = component.name, stage.scope(), stage
        self.at = built("dashboard.ui", "screen")
        self.frame = stage.frame or Frame(lambda: stage.gone(component.number))
        self.window = self.frame.window
        title = self.at("title")
        title.bind_property("label", self.window, "title", GObject.BindingFlags.DEFAULT)
        self.view = mainstem.view(
            self.scope, Dashboard, stage.owner(component), title=shows(title, "label")
        )
        self.frame.bars.show(self.at("screen"))
        if stage.journal:
            self.frame.bars.record(stage.context, stage.journal)
        if not stage.is_shown_again:
            self.view.did_load()

    def leave(self) -> None:
        """Closes the window, as a user does."""
        self.window.close()

    def close(self) -> None:
        if self.stage.is_shown_again:
            self.frame.bars.show(None)
        else:
            self.window.destroy()

    def lines(self) -> List[str]:
        return [self.window.get_title()]


class UsersBox:
    """The widget. Which value is which property, and nothing else."""

    def __init__(self, stage: Any, component: mainstem.Component) -> None:
        self.name, self.scope, self.at = component.name, stage.scope(), built("users.ui", "widget")
        at = self.at
        view = mainstem.view(
            self.scope,
            UsersWidget,
            stage.owner(component),
            is_loading=shows(at("indicator"), "visible"),
            is_search_shown=shows(at("search"), "visible"),
            count=shows(at("count"), "label"),
            query=mainstem.two_way(shows(at("query"), "text")),
            found=shows(at("found"), "label"),
            problem=shows(at("problem"), "label"),
            can_retry=shows(at("failure"), "visible"),
        )
        for part, next_used in (("search", "query"), ("failure", "retry")):
            focus = at(next_used).grab_focus
            at(part).connect("notify::visible", lambda *_, focus=focus: focus())
        writes(view, "query", at("query"), "text")
        runs(view.retry, at("retry"), "clicked")
        stage.shown[component.parent].at(component.slot).append(at("widget"))

    def close(self) -> None:
        self.at("widget").unparent()

    def find(self, query: str) -> None:
        """Pastes, as a user does."""
        if self.at("search").get_visible():
            self.at("query").set_text(query)

    def retry(self) -> None:
        if self.at("failure").get_visible():
            self.at("retry").emit("clicked")

    def lines(self) -> List[str]:
        at = self.at
        seen = {
            "indicator": "Loading …",
            "count": at("count").get_text(),
            "search": f"[{at('query').get_text()}] {at('found').get_text()}",
            "failure": f"{at('problem').get_text()} [{at('retry').get_label()}]",
        }
        return [f"  {text}" for name, text in seen.items() if text and at(name).get_visible()]


VIEWS = {"Dashboard": DashboardWindow, "UsersWidget": UsersBox}

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Views in a window, with GTK 4."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, List

import gi  # type: ignore
from dashboard_core import Dashboard, UsersWidget, mainstem

gi.require_version("Gtk", "4.0")
from gi.repository import Gtk  # type: ignore  # noqa: E402
from mainstem_gtk import runs, shows, writes  # noqa: E402


def built(name: str) -> Callable[[str], Any]:
    """The widgets of a file, by their ids."""
    builder = Gtk.Builder.new_from_file(str(Path(__file__).with_name(name)))
    return builder.get_object  # type: ignore[no-any-return]


class DashboardWindow:
    """The screen: a window with a slot."""

    def __init__(self, stage: Any, component: mainstem.Component) -> None:
        self.name, self.scope, self.at = component.name, stage.scope(), built("dashboard.ui")
        self.at("window").connect("close-request", lambda _: stage.gone(component.number))
        title = shows(self.at("title"), "label")
        self.view = mainstem.view(self.scope, Dashboard, stage.owner(component), title=title)
        if stage.is_shown_again:
            for change in ("can-target", "can-focus"):
                self.at("window").get_child().set_property(change, False)
        self.at("window").present()
        if not stage.is_shown_again:
            self.view.did_load()

    def leave(self) -> None:
        """Closes the window, as a user does."""
        self.at("window").close()

    def close(self) -> None:
        self.at("window").destroy()

    def lines(self) -> List[str]:
        return [self.at("window").get_title()]


class UsersBox:
    """The widget. Which value is which property, and nothing else."""

    def __init__(self, stage: Any, component: mainstem.Component) -> None:
        self.name, self.scope, self.at = component.name, stage.scope(), built("users.ui")
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

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The stage: shows and hides what the app says. It does not know what is opened when."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional

from dashboard_core import lines as output
from dashboard_core import mainstem

#: The rights of a view.
RIGHTS: Any = {"sends": "view", "observes": ["view", "viewmodel"]}


class Stage:
    """Has a view for each component that is shown.

    `views` makes them, by the name of what they show: of a component and its stage. A view has a
    `scope`, `lines()` for what is seen in it, and `close()`.
    """

    def __init__(
        self,
        context: mainstem.Context,
        navigator: mainstem.Navigator,
        views: Dict[str, Callable[..., Any]],
    ) -> None:
        self.context, self.navigator, self.views = context, navigator, views
        self.shown: Dict[int, Any] = {}
        #: Who hears that a component has gone: the app, but for a replay.
        self.on_gone: Callable[[int], None] = navigator.gone
        #: Whether a session is shown again: what is seen last stays, and takes no keys and clicks.
        self.is_shown_again = False
        #: The window that a session is shown again in.
        self.frame: Any = None
        #: Where the session is recorded, for windows to say so.
        self.journal = ""
        self.printed: List[str] = []

    def rest(self, frame: Any) -> None:
        """Before a session is shown again, in this window."""
        self.is_shown_again, self.frame = True, frame

    def scope(self) -> mainstem.Scope:
        """The scope of a view."""
        return self.context.scope("Window", **RIGHTS)

    def owner(self, component: mainstem.Component) -> Optional[mainstem.Scope]:
        """What a view of a component is bound to."""
        return self.context.find_scope(component.owner)

    def show(self, component: mainstem.Component) -> None:
        self.shown[component.number] = self.views[component.name](self, component)

    def hide(self, components: List[int]) -> None:
        if self.is_shown_again and set(self.shown) <= set(components):
            return
        for number in components:
            if number in self.shown:
                self.close(number)

    def close(self, number: int) -> None:
        view = self.shown.pop(number)
        view.close()
        view.scope.end()

    def view(self, name: str) -> Optional[Any]:
        """The view of what has this name, if it is shown."""
        return next((view for view in self.shown.values() if view.name == name), None)

    def gone(self, number: int) -> None:
        """The user has gone back from a component, by a gesture."""
        if number in self.shown:
            self.close(number)
            self.on_gone(number)

    def lines(self) -> List[str]:
        """What is shown."""
        return [line for view in self.shown.values() for line in view.lines()]

    def print(self, lines: List[str]) -> None:
        """Prints lines, if they are others than those that were printed last."""
        if lines and lines != self.printed:
            for line in lines:
                output.say(line)
        self.printed = lines

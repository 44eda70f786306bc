# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The stage: what is shown now, in the order in which it was opened."""

from __future__ import annotations

from typing import Any, Dict, List

from diary_app import mainstem


class Stage:
    """Makes a screen of each component, by the name of its view model; knows no route."""

    def __init__(self, context: mainstem.Context, screens: Dict[str, Any]) -> None:
        self.context, self.kinds = context, screens
        self.screens: Dict[int, Any] = {}
        #: Goes up with each change.
        self.changes = 0
        #: Whether what is seen last stays: where a session is shown again in a window.
        self.keeps_last = False

    def show(self, component: mainstem.Component) -> None:
        self.screens[component.number] = self.kinds[component.name](self.context, component)
        self.changes += 1

    def hide(self, numbers: List[int]) -> None:
        if self.keeps_last and set(self.screens) <= set(numbers):
            return
        for number in numbers:  # a replay names flows, too, and what went by a gesture
            if screen := self.screens.pop(number, None):
                screen.close()
        self.changes += 1

    @property
    def tops(self) -> List[Any]:
        """Those that cover each other; the last one is seen."""
        return [each for each in self.screens.values() if each.component.kind != "embed"]

    @property
    def seen(self) -> List[Any]:
        """The topmost one, and what is embedded beside it or in it."""
        if not self.tops:
            return []
        top = self.tops[-1].component
        return [
            screen
            for screen in self.screens.values()
            if screen.component.number == top.number
            or (
                screen.component.kind == "embed"
                and screen.component.parent in (top.number, top.parent)
            )
        ]

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Which of the components that are shown a screen covers, as the navigator counts it."""

from __future__ import annotations

from typing import Dict, Set

from .moves import STACKED, UNSEEN, Component


class Covered:
    """The components of a tree that are covered."""

    def __init__(self, shown: Dict[int, Component]) -> None:
        # What is a screen, or has one on it. The last opened comes first: what stands on others.
        self._screens: Set[int] = set()
        # How many of those stand on each like a screen.
        self._covers: Dict[int, int] = {}
        for component in reversed(list(shown.values())):
            self._add(component)

    def _add(self, component: Component) -> None:
        if component.kind == "screen":
            self._screens.add(component.number)
        if component.number in self._screens and component.below is not None:
            below = component.below.number
            self._screens.add(below)
            if component.kind in STACKED:
                self._covers[below] = self._covers.get(below, 0) + 1

    def __contains__(self, component: Component) -> bool:
        is_seen = component.kind not in UNSEEN
        below = component if is_seen else component.below
        above = None if is_seen else component
        while below is not None:
            own = above is not None and above.kind in STACKED and above.number in self._screens
            if self._covers.get(below.number, 0) > own:
                return True
            if below.kind in ("screen", "overlay"):
                return False
            above, below = below, below.below
        return False

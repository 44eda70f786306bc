# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What is opened when: the one place of this host that knows it. A coordinator will replace it."""

from __future__ import annotations

from typing import Any, Callable

from dashboard_core import Dashboard, mainstem


class Flow:
    """The dashboard, and what it wants in its slots. All that is opened ends with `scope`.

    A stage has `show(owner)`, for the screen, and `embed(slot, owner)`, for a widget of it.
    """

    def __init__(self, context: mainstem.Context, stage: Any, site: str) -> None:
        self.scope, self.stage, self.site = context.scope("Flow"), stage, site

    def start(self) -> None:
        self._open("Dashboard", None, self._show)

    def _show(self, dashboard: mainstem.Scope) -> None:
        wanted = mainstem.on_host(self._fill)  # drains call it: what it asks for is an input
        mainstem.view(self.scope, Dashboard, dashboard, widget_wanted=wanted)
        self.stage.show(dashboard)

    def _fill(self, slot: str) -> None:
        if slot == "users":
            self._open("UsersWidget", self.site, lambda widget: self.stage.embed(slot, widget))

    def _open(self, name: str, value: Any, then: Callable[[mainstem.Scope], None]) -> None:
        def opened(number: int) -> None:
            owner = self.scope.context.find_scope(number)
            if owner:
                then(owner)

        self.scope.open_owner(name, value, then=opened)

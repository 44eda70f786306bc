# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Views in lines, for where there is no display."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any, List

from dashboard_core import Dashboard, UsersWidget, mainstem


class Lines:
    """What is shown of a component: its values."""

    kind: Any

    def __init__(self, stage: Any, component: mainstem.Component) -> None:
        self.name, self.scope = component.name, stage.scope()
        self.view = mainstem.view(self.scope, self.kind, stage.owner(component))

    def close(self) -> None:
        """There is no window."""


class DashboardLines(Lines):
    kind = Dashboard

    def __init__(self, stage: Any, component: mainstem.Component) -> None:
        super().__init__(stage, component)
        self.leave = partial(stage.gone, component.number)
        self.view.did_load()

    def lines(self) -> List[str]:
        return [self.view.title]


class UsersLines(Lines):
    kind = UsersWidget

    def find(self, query: str) -> None:
        if self.view.is_search_shown:
            self.view.query = query

    def retry(self) -> None:
        with suppress(mainstem.MainstemError):  # a button that is off does nothing
            self.view.retry()

    def lines(self) -> List[str]:
        users = self.view
        seen = [
            "Loading …" if users.is_loading else "",
            users.count,
            f"[{users.query}] {users.found}" if users.is_search_shown else "",
            f"{users.problem} [Retry]" if users.can_retry else "",
        ]
        return [f"  {line}" for line in seen if line]


VIEWS = {"Dashboard": DashboardLines, "UsersWidget": UsersLines}

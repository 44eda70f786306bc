# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Steps of scenarios about what a program shows: servers that show, and views that are bound."""

from __future__ import annotations

from typing import Any, List

import mainstem
from scenario import Line, Words

#: What a view may show: of a Cell, and of a Door (scenario_commands.py).
ROWS = ("name", "size", "count", "may", "knock.executing")
ROWS += tuple(
    f"{command}.{value}"
    for command in ("go", "queue", "latest", "both")
    for value in ("enabled", "executing", "error")
)


class Shown:
    """The last text that a server got: what it shows."""

    def __init__(self, called: Any, kind: str) -> None:
        self.called, self.kind, self.text = called, kind, ""

    def handle(self, value: Any) -> Any:
        self.text = value.event.text
        return self.called(value)

    def show(self, server: mainstem.Scope) -> None:
        server.set(self.kind, self.text)


class Views:
    """A part of the stage (scenario_stage.py)."""

    def step_bind(self, step: Words, line: Line, _event: Any) -> None:
        self.type("Cell.name")
        called = self.observer(step[1], line)
        rows = {name: self.row(step, name, called) for name in step.words[2:] if name in ROWS}
        of, scope = step.after("of"), self.where(step)
        owner = self.named[of] if of else None
        self.named[step[1]] = called.taken(lambda: scope.bind(owner, rows))

    def row(self, step: Words, name: str, called: Any) -> Any:
        def show(value: Any) -> None:
            shown = f'"{value}"' if isinstance(value, str) else str(value).lower()
            called.stage.note_call(f"{called.name} {name} {shown}")

        if step.after("two-way"):
            return mainstem.two_way(show)
        return mainstem.on_host(show) if step.after("on") else show

    def step_point(self, step: Words, _line: Line, _event: Any) -> None:
        of = step.after("of")
        self.named[step[1]].retarget(self.named[of] if of else None)

    def step_write(self, step: Words, _line: Line, _event: Any) -> None:
        word = step[3]
        self.named[step[1]].set(step[2], step.payload if word.startswith('"') else word == "true")

    def step_changes(self, step: Words, _line: Line, _event: Any) -> None:
        def tell(names: List[str]) -> None:
            self.note_call(" ".join([step[1], "changed", *names]))

        self.named[step[1]].on_changes(tell)

    def step_ended(self, step: Words, _line: Line, _event: Any) -> None:
        self.named[step[1]].on_ended(lambda: self.note_call(f"{step[1]} ended"))

    def step_unbind(self, step: Words, _line: Line, _event: Any) -> None:
        self.named.pop(step[1]).end()

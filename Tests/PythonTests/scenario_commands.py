# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Steps of scenarios about what a program can be told to do: a model, and runs of its commands."""

from __future__ import annotations

from typing import Any, Dict

import mainstem
from mainstem import Failure, MainstemError
from mainstem.viewmodels._views import Run
from scenario import Line, Words

POLICIES = ("refuse", "queue", "latest", "concurrent")


class Door(mainstem.ViewModel):
    """A model: each of its commands but `knock` asks, and is done when it has the answer."""

    count: int = mainstem.shown(0)
    may: bool = mainstem.writable(True)

    @mainstem.command
    def knock(self) -> None:
        self.count += 1

    @mainstem.command(enabled="may")
    async def go(self, text: str) -> None:
        await self.request("RequestAsk", text)

    @mainstem.command(enabled="may", policy="queue")
    async def queue(self, text: str) -> None:
        await self.request("RequestAsk", text)

    @mainstem.command(enabled="may", policy="latest")
    async def latest(self, text: str) -> None:
        await self.request("RequestAsk", text)

    @mainstem.command(enabled="may", policy="concurrent")
    async def both(self, text: str) -> None:
        await self.request("RequestAsk", text)


class Commands:
    """A part of the stage (scenario_stage.py)."""

    context: mainstem.Context
    named: Dict[str, Any]

    def step_model(self, step: Words, _line: Line, _event: Any) -> None:
        self.type("RequestAsk")
        number = self.context.open(Door())._live.owner.number
        self.named[step[1]] = self.context.find_scope(number)

    def step_run(self, step: Words, _line: Line, _event: Any) -> None:
        run: Run[bytes] = Run(self.context, bytes)
        run.begin(self.named[step[2]].handle, step[3], step.payload.encode())
        self.named[step[1]] = run

    def step_result(self, step: Words, _line: Line, _event: Any) -> Any:
        run = self.named[step[1]]
        if not run.is_over:
            return "waits"
        try:
            run.result()
        except Failure as failure:
            return failure.status
        except MainstemError as error:
            return error.status
        return "done"

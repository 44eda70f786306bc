# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A reactor that does what random numbers say. Its own events and those of requests carry it on."""

from __future__ import annotations

import dataclasses
from typing import Any, AsyncIterator, Iterator, Tuple

import mainstem
from mainstem import Failure


@dataclasses.dataclass(frozen=True)
class Sum:
    total: int = 0
    words: Tuple[str, ...] = ()
    _steps: int = 0


class Adder(mainstem.Reactor):
    """Adds numbers, some of them later."""

    state = Sum()
    alert = mainstem.pulse(str)
    #: What nodes have.
    word = ""

    @mainstem.shown
    def may(self) -> bool:
        return self.state._steps % 5 != 4

    def draw(self, below: int) -> int:
        return self.context.random() % below

    @mainstem.action(enabled="may")
    def add(self, most: int) -> Iterator[int]:
        for _ in range(self.draw(most + 1)):
            yield self.draw(100)
        if self.draw(6) == 0:
            raise Failure(f"add {self.draw(100)}")

    @mainstem.action(policy="latest", cancelled_by="stop")
    async def walk(self) -> AsyncIterator[int]:
        try:
            for _ in range(self.draw(4)):
                yield self.draw(10)
                await self.step()
        finally:
            self.mutate(-1)

    async def step(self) -> None:
        if self.draw(2):
            await self.sleep(self.draw(4) / 1000)
            return
        try:
            await self.request("RequestLater", "walk", timeout=0.01)
        except Failure:
            self.mutate(-2)

    @mainstem.action
    def stop(self) -> Iterator[int]:
        yield 1000

    def mutated(self, number: int) -> None:
        if self.draw(4) == 0:
            self.alert(f"{number}")

    @staticmethod
    def reduce(state: Sum, number: int) -> Sum:
        words = (*state.words[-2:], f"{number}")
        return Sum(state.total + number, words, state._steps + 1)


def run_one(view: Any, random: Any) -> Any:
    """One thing that a user does with it."""
    what = random.randrange(5)
    if what < 2:
        return view.add(random.randrange(4))
    return view.stop() if what == 2 else view.walk()

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Observers and views that only look, and come and go: a session verifies with and without them."""

from __future__ import annotations

import contextlib
from typing import Any, Callable, List

from mainstem import Context, MainstemError


class Lookers:
    """What looks at a program, as its random numbers say. None of it sends anything."""

    def __init__(self, context: Context, random: Any, are_there: bool = True) -> None:
        self.context = context
        self.random = random
        self.are_there = are_there
        self.all: List[Any] = []
        self.nested: List[Any] = []
        self.count = 0
        for _ in range(random.randrange(3)):
            self.come([lambda: context.observe(self.look), lambda: context.observe(self.draw)])

    def come(self, ways: List[Callable[[], Any]]) -> None:
        """One more, in one of these ways."""
        way = self.random.choice(ways)
        if self.are_there:
            with contextlib.suppress(MainstemError):
                self.all.append(way())

    def come_or_go(self, ways: List[Callable[[], Any]]) -> None:
        """One more, one less, or none of it."""
        what = self.random.randrange(4)
        if what == 0:
            self.come(ways)
        elif what == 1 and self.all:
            one = self.all.pop(self.random.randrange(len(self.all)))
            with contextlib.suppress(MainstemError):
                one.cancel() if hasattr(one, "cancel") else one.end()

    def look(self, *_: Any) -> None:
        """Only looks."""
        self.count += 1

    def nest(self, event: Any) -> None:
        """Only looks, and registers another that only looks, or ends one, inside the callback."""
        self.count += 1
        if self.nested:
            self.nested.pop().cancel()
        else:
            with contextlib.suppress(MainstemError):
                self.nested.append(self.context.observe("B", self.look))

    def draw(self, event: Any) -> None:
        """Draws, for what only it knows."""
        self.count += self.context.random() % 2


def look_at(program: Any, lookers: Lookers) -> List[Callable[[], Any]]:
    """The ways to look at a random session; not through a server, which shows after each call."""
    context, look, cells = program.context, lookers.look, program.cells
    return [
        lambda: context.observe(look),
        lambda: context.observe(lookers.draw),
        lambda: context.observe("A", look),
        lambda: context.observe("A", "C", lookers.nest),
        lambda: context.observe("B", "C", look),
        lambda: context.observe("Value", "Flag", look),
        lambda: context.observe("B", look, of=lookers.random.choice(cells)),
        lambda: lookers.random.choice(program.rooms).observe("A", look),
        lambda: context.observe("A", look, on="host"),
    ]

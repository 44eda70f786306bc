# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The program of Tests/journals/children-3.journal. It never changes: the journal must verify.

python kept_children.py PATH records the session: children that come, go and are made anew.
"""

from __future__ import annotations

import dataclasses
import sys
from typing import Any, Tuple

import mainstem


@dataclasses.dataclass(frozen=True)
class Item:
    id: int
    text: str


class Cell(mainstem.ViewModel):
    text: str = mainstem.shown("")

    def __init__(self, item: Item) -> None:
        self.text = item.text


class Shelf(mainstem.ViewModel):
    items: Tuple[Item, ...] = mainstem.shown(())

    def opened(self) -> None:
        self.items = (Item(1, "one"),)

    @mainstem.command
    def fill(self, text: str) -> None:
        self.items = tuple(Item(int(word[0]), word) for word in text.split())

    @mainstem.children("items")
    def cells(self, item: Item) -> Cell:
        return Cell(item)


class Program:
    def __init__(self) -> None:
        self.context = mainstem.Context(deliver="host", clock="virtual", seed=3)
        self.shelf: Any = self.context.open(Shelf())


def record(path: str) -> None:
    program = Program()
    context = program.context
    context.record(path)
    view: Any = program.shelf.bind()
    context.drain()
    for text in ("1 2 3", "3 1", "3 1 4 5", "5 4", "5b 4", ""):
        view.fill(text)
        context.drain()
    context.close()


if __name__ == "__main__":
    record(sys.argv[1])

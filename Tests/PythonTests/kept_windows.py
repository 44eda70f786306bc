# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The program of Tests/journals/windows-3.journal. It never changes: the journal must verify.

python kept_windows.py PATH records the session: lists that are parts of longer ones.
"""

from __future__ import annotations

import sys
from typing import Any

import mainstem
from mainstem import Query, Selection


class Program:
    def __init__(self) -> None:
        self.context = context = mainstem.Context(deliver="host", clock="virtual", seed=3)
        context.add_type("Asked", str)
        context.add_list("Page", dict, key=lambda row: row["id"])
        self.room = context.scope("Room")
        self.room.observe("Asked", self.show)
        self.asked = ""
        self.numbers = [{"id": number, "odd": number % 2} for number in range(20)]

    def show(self, event: Any) -> None:
        """The same query comes twice in a row, and finds fewer numbers then."""
        if event.text == self.asked:
            self.numbers = self.numbers[:10]
        self.asked = event.text
        self.room.set_list("Page", Query.from_json(event.text).select(self.numbers))


def record(path: str) -> None:
    program = Program()
    context = program.context
    context.record(path)
    for query in (Query(limit=3), Query(offset=18), Query(offset=30), Query("odd", limit=2)):
        context.send("Asked", query.json)
        context.drain()
    context.send("Asked", Query("odd", limit=2).json)
    context.drain()
    row = {"id": 1}
    context.set_list("Page", Selection([row], 2**30, 2**30 + 1))
    context.set_list("Page", [row])
    context.drain()
    context.close()


if __name__ == "__main__":
    record(sys.argv[1])

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`mainstem screens` at random: at every step it has the tree that the navigator itself has."""

from __future__ import annotations

import json
import os

import pytest
from mainstem.journal_file import Journal
from mainstem.tool.command import main
from mainstem.tool.covered import Covered
from mainstem.tool.navigation import Navigation
from random_navigation import Session

SESSIONS = int(os.environ.get("MAINSTEM_RANDOM_SESSIONS", "100"))
#: Others from commit to commit.
FIRST = SESSIONS * int(os.environ.get("MAINSTEM_TURN", "0")) % max(SESSIONS, 10_000)


NAMES = ("number", "parent", "owner", "kind", "name", "url", "slot")


class Watched(Session):
    """A session that notes the library's tree after each step, with the last position then."""

    def __init__(self, seed, path):
        super().__init__(seed, path)
        self.trees = []

    def drain(self):
        super().drain()
        nav = self.app.nav
        tree = [tuple(getattr(one, name) for name in NAMES) for one in nav.tree]
        # A screen covers others once it is to be shown; the tool knows it when it is.
        hidden = None if self.stage_waits() else [one.hidden for one in nav.tree]
        top = nav.top.number if nav.top else 0
        self.trees.append((self.context.stats().events, tree, hidden, top))


def trees_of_the_tool(path, trees):
    """What the tool has after each of some positions, which rise."""
    navigation, waiting = Navigation(), list(trees)

    def told():
        position, _, hidden, _ = waiting.pop(0)
        covered = Covered(navigation.shown)
        shown = list(navigation.shown.values())
        tree = [tuple(getattr(one, name) for name in NAMES) for one in shown]
        is_known = hidden is not None
        return (
            position,
            tree,
            [one in covered for one in shown] if is_known else None,
            navigation.top,
        )

    with Journal(path) as journal:
        for record in journal.records():
            while record.is_event and waiting and record.position > waiting[0][0]:
                yield told()
            (navigation.take if record.is_event else navigation.learn)(record)
    while waiting:
        yield told()
    assert navigation.lost == 0


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SESSIONS))
def test_the_tree_is_that_of_the_navigator_at_every_step(seed, tmp_path, capsys):
    path = str(tmp_path / "a.journal")
    session = Watched(seed, path)
    try:
        session.play()
    finally:
        session.context.close()
    trees = session.trees

    assert list(trees_of_the_tool(path, trees)) == trees
    for position, tree, hidden, _ in trees[:: max(len(trees) // 3, 1)]:
        assert main(["screens", path, "--at", str(position), "--json"]) == 0
        rows = [json.loads(line)["shown"] for line in capsys.readouterr().out.splitlines()]
        assert [(row["component"], row["url"]) for row in rows] == [
            (one[0], one[5]) for one in tree
        ]
        assert hidden in (None, [row["hidden"] for row in rows])
    for command in (["screens"], ["tree"], ["info"], ["screens", "--json"]):
        assert main([*command, path]) == 0
    assert "not known" not in capsys.readouterr().out

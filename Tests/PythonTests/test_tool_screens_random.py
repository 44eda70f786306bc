# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`mainstem screens` at random: at every step it has the tree that the navigator itself has."""

from __future__ import annotations

import json

import pytest
from mainstem.journal_file import Journal
from mainstem.tool import main
from mainstem.tool._navigation import Navigation
from mainstem.tool._screens import Covered
from navigator_writer import NavigatorWriter
from random_navigation import Session
from sessions import seeds

SEEDS = seeds(50)


NAMES = ("number", "parent", "owner", "kind", "name", "url", "slot")


def rows_of(components):
    """A row for each component, by number: a flow is there, but not shown, before others are."""
    return sorted((*(getattr(one, name) for name in NAMES), hidden) for one, hidden in components)


class Watched(Session):
    """A session that notes the library's tree after each step, with the last position then."""

    def __init__(self, seed, path):
        super().__init__(seed, path)
        self.trees = []

    def drain(self):
        super().drain()
        nav = self.app.nav
        # A screen covers others once it is to be shown; the tool knows it when it is.
        is_known = not self.stage_waits()
        rows = rows_of((one, one.hidden if is_known else None) for one in nav.tree)
        top = nav.top.number if nav.top else 0
        self.trees.append((self.context.stats().events, rows, is_known, top))


def trees_of_the_tool(path, trees):
    """What the tool has after each of some positions, which rise."""
    navigation, waiting = Navigation(), list(trees)

    def told():
        position, _, is_known, _ = waiting.pop(0)
        covered = Covered(navigation.shown)
        shown = list(navigation.shown.values())
        numbers = [one.number for one in shown]
        assert all(one.parent in (0, *numbers[:index]) for index, one in enumerate(shown)), (
            "a parent comes before its children"
        )
        rows = rows_of((one, one in covered if is_known else None) for one in shown)
        return position, rows, is_known, navigation.top

    with Journal(path) as journal:
        for record in journal.records():
            while record.is_event and waiting and record.position > waiting[0][0]:
                yield told()
            (navigation.take if record.is_event else navigation.learn)(record)
    while waiting:
        yield told()
    assert navigation.lost == 0


@pytest.mark.parametrize("wrong", [{"move": -1}, {"top": -1}])
def test_a_change_that_no_navigator_writes_changes_nothing(wrong, tmp_path):
    made = NavigatorWriter()
    made.opens(2, "home")
    made.tree(1, component=3, url="other", **wrong)
    navigation = Navigation()
    with Journal(str(made.save(tmp_path / "a.journal"))) as journal:
        for record in journal.records():
            (navigation.take if record.is_event else navigation.learn)(record)

    assert (list(navigation.shown), navigation.lost) == ([2], 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_tree_is_that_of_the_navigator_at_every_step(seed, tmp_path, capsys):
    path = str(tmp_path / "a.journal")
    session = Watched(seed, path)
    try:
        session.play()
    finally:
        session.context.close()
    trees = session.trees

    assert list(trees_of_the_tool(path, trees)) == trees
    for position, rows, is_known, _ in trees[:: max(len(trees) // 3, 1)]:
        assert main(["screens", path, "--at", str(position), "--json"]) == 0
        told = [json.loads(line)["shown"] for line in capsys.readouterr().out.splitlines()]
        assert sorted(
            (one["component"], one["url"], one["hidden"] if is_known else None) for one in told
        ) == [(row[0], row[5], row[-1]) for row in rows]
    for command in (["screens"], ["tree"], ["info"], ["screens", "--json"]):
        assert main([*command, path]) == 0
    assert "not known" not in capsys.readouterr().out

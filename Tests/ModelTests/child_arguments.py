# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The arguments of steps with children: a part of the author (script.py)."""

from __future__ import annotations

from arguments import DEPTH, Step
from reference.declarations import d


class ChildArguments:
    """What an author writes behind the kind of such a step."""

    def children_set_arguments(self, depth: int) -> Step:
        """Few keys, so that the same come again; mostly of few scopes."""
        choose = self.children
        scope = choose.choice([0, 0, 0, 1, "last", "own", "own", "own", choose.randint(2, 7)])
        ends = {"none": 8, "all": 3, "last": 8, "stale": 1, "many": 0.3}
        step: Step = {
            "scope": scope,
            "type": choose.choices([1, 0, "other"], [30, 1, 1])[0],
            "ends": choose.choices(list(ends), list(ends.values()))[0],
            "which": choose.randint(0, 9),
            "less": choose.choice([0, 0, 1]),
            "twice": choose.random() < 0.15,
            "opens": [self.opens(depth) for _ in range(choose.randint(1, 5))],
        }
        if choose.random() < 0.3:
            step["before"] = choose.randint(0, 5)
        is_last = depth >= DEPTH
        if choose.random() < (0.7 if is_last else 0.3):
            return {**step, "list": self.whole_children(2 if is_last else 5)}
        return {**step, "edits": [self.edit_child() for _ in range(choose.choice([0, 1, 1, 2, 3]))]}

    def whole_children(self, most: int) -> str:
        """Keys, rarely two that are the same, a wrong one, or a wrong flag."""
        choose = self.children
        keys = choose.sample("abcdeghfABC", choose.randint(0, most))
        if choose.random() < 0.08:
            keys.append(choose.choice("aab!?#$"))
        return "".join(keys)

    def edit_child(self) -> str:
        choose = self.children
        kind, at = choose.choice("++--->^"), choose.randint(0, 6)
        if kind == "+":
            return f"+{at}{choose.choice('abcdefgh')}"
        return f"{kind}{at}{choose.randint(0, 6)}"

    def opens(self, depth: int) -> Step:
        """How one of the first is opened: nearly always, a scope is made for it."""
        choose = self.children
        kinds = {"made": 60, "below": 3, "any": 1, "none": 1}
        if depth >= DEPTH:
            kinds = {"below": 12, "made": 1, "any": 1}
        child = choose.choices(list(kinds), list(kinds.values()))[0]
        codes = [0, d.APP, d.APP + 1, d.BUSY, d.FULL, d.STALE, d.OK]
        step: Step = {
            "child": child,
            "which": choose.choice(["last", "last", choose.randint(0, 7)]),
            "status": choose.choices(codes, [100, 1, 1, 1, 1, 1, 1])[0],
            "calls": [],
        }
        if child == "made":
            step["make"] = self.make_child(depth)
        if depth < DEPTH and choose.random() < 0.6:
            step["calls"] = self.steps(depth + 1, choose.choice([1, 1, 1, 2]))
        return step

    def make_child(self, depth: int) -> Step:
        """Mostly a scope; else a server, or a model."""
        kinds = (
            ["scope_add"] * 5 + ["server_add"] + ["viewmodel_add"] * ("commands" in self.features)
        )
        kind = self.children.choice(kinds if depth < DEPTH else ["scope_add"])
        step = self.new(kind, **self.arguments(kind, depth + 1))
        return {**step, "scope": "own"}

    def observe_children(self, step: Step) -> None:
        """Mostly the list of children; some that observe all get ends too."""
        if self.children.random() < 0.5:
            step["filter"]["types"] = ["list 1"]
        elif self.children.random() < 0.5:
            step["filter"].pop("types", None)

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What handlers do to values, by chance: a part of the author (script.py)."""

from __future__ import annotations

from arguments import DEPTH, Step
from features import EFFECTS_BEGIN
from reference.declarations import d


class EffectArguments:
    """What an author adds to the arguments of a server."""

    def declare(self, step: Step, depth: int) -> None:
        """Says what the handlers of a server do, mostly that they fetch; many do more than that."""
        effects = {d.HANDLER_FETCH: 45, 8: 2, 16: 2, 32: 2, 64: 2, d.HANDLER_FETCH | 8: 0.3}
        first = EFFECTS_BEGIN
        which = {
            d.HANDLER_FETCH: [0, 0, 3, 6, first, first, first + 2],
            8: [first + 1],
            64: [first + 3],
        }
        step["effects"] = []
        for index, row in enumerate(step["rows"]):
            if self.effects.random() < 0.65:
                effect = self.effects.choices(list(effects), list(effects.values()))[0]
                step["effects"].append((index, effect))
                if not step.get("becomes") and self.effects.random() < 0.8:
                    row[0] = self.effects.choice(which.get(effect, [0, 3, 6]))
            for steps in row[1]:
                self.touch(steps, depth + 1)
        if not step.get("becomes") and self.effects.random() < 0.4:
            step["show"] = [
                {"steps": [self.set_own(), self.set_own()], "code": 0} for _ in range(5)
            ]

    def touch(self, steps: list[Step], depth: int) -> None:
        """Lets a callback set a value, ask, and set one when it is answered."""
        if self.effects.random() < 0.4:
            steps.insert(self.effects.randint(0, len(steps)), self.set_own())
        if depth < DEPTH and self.effects.random() < 0.65:
            arguments = {"scope": "own", "type": self.effects.randint(0, 6), "data": "good"}
            calls = [[self.set_own(), self.set_own()]]
            step = self.new("request", **arguments, calls=calls, asks=True)
            steps.insert(self.effects.randint(0, len(steps)), step)

    def set_own(self) -> Step:
        if "lists" in self.features and self.listed.random() < 0.5:
            return self.new("list_set", **{**self.list_set_arguments(), "scope": "own"})
        scope = self.effects.choice(["own", "own", "asker", "asker", 1, "last"])
        return self.new("value_set", **{**self.value_set_arguments(), "scope": scope})

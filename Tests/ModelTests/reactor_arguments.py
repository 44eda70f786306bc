# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The arguments of steps with reactors: a part of the author (script.py)."""

from __future__ import annotations

from arguments import Step
from reference.declarations import d


class ReactorArguments:
    """What an author writes behind the kind of such a step."""

    def reactor_add_arguments(self, depth: int) -> Step:
        choose = self.reactors
        step = self.viewmodel_add_arguments(depth)
        for _, _, _, calls in step["rows"]:
            for steps in calls:
                for _ in range(choose.choice([0, 1, 1, 2])):
                    what = {**self.mutate_arguments(), "to": "current"}
                    steps.insert(choose.randint(0, len(steps)), self.new("mutate", **what))
        codes = [0, 0, 0, 0, 0, 0, d.FULL, d.NO_MEMORY, d.APP, d.STALE]
        pulse = [choose.choice(codes) for _ in range(choose.randint(0, 6))]
        return {
            **step,
            "pulse": pulse if choose.random() < 0.6 else None,
            "actions": self.whats() if choose.random() < 0.3 else None,
            "mutations": self.whats() if choose.random() < 0.3 else None,
            "doubles": choose.random() < 0.3,
            # Calls of reduce in which it tries to mutate, too.
            "meddles": choose.choices([True, False], [1, 9], k=6),
        }

    def whats(self) -> list[str]:
        kinds = ["keep", "change", "drop"]
        return self.reactors.choices(kinds, [3, 3, 1], k=self.reactors.randint(0, 8))

    def mutate_arguments(self) -> Step:
        to = self.reactors.choice(["current", "last", 0, 1, 2, 3, 4, 5])
        return {"to": to, "many": self.reactors.choice([1, 1, 1, 2]), "data": self.data()}

    def merge_arguments(self) -> Step:
        scope = self.reactors.choice(["own", "own", "own", "own", "last", "model 0", "model 1"])
        return {"scope": scope, "data": self.data()}

    def state_arguments(self) -> Step:
        return {"scope": self.reactors.choice(["own", "model 0", "model 1", "model 2", "last"])}

    def observe_through_a_reactor(self, step: Step) -> None:
        """Observers through a reactor merge."""
        step["scope"] = f"model {self.reactors.choice([0, 1, 2])}"
        for calls in step["calls"]:
            kind = self.reactors.choice(["merge", "merge", "mutate", "state"])
            what = getattr(self, f"{kind}_arguments")()
            calls.insert(self.reactors.randint(0, len(calls)), self.new(kind, **what))

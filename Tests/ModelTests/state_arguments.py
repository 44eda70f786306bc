# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The arguments of steps with bindings, models and commands: a part of the author (script.py)."""

from __future__ import annotations

from arguments import Step
from reference.declarations import d


class StateArguments:
    """What an author writes behind the kind of such a step."""

    def binding_add_arguments(self, depth: int) -> Step:
        names = self.later.choice(["a", "b", "ab", "ab", ""])
        if "lists" in self.features and self.listed.random() < 0.7:
            names = self.listed.choice(["c", "c", f"{names}c", f"c{names}"])
        rows = [[name, self.calls(depth), self.row_flags(name)] for name in names]
        for name, calls, flags in rows if "rows" in self.features else ():
            self.write_back(name, calls, flags)
        owner = self.later.choice(["last", "own", None, 1, 2, 3, 4, 5, 6])
        if "commands" in self.features and self.models.random() < 0.8:
            owner = f"model {self.models.choice([0, 0, 1, 2])}"
        return {"scope": self.scope(), "owner": owner, "rows": rows, "hook": self.hook(depth)}

    def write_back(self, name: str, calls: list[list[Step]], flags: int) -> None:
        """Lets what the host's scheduler calls write, and end, what called it."""
        for steps in calls if flags else ():
            kind = self.rows.choices(["binding_set", "binding_end", ""], [6, 1, 3])[0]
            if kind:
                what = {"name": self.rows.choice([name, name, "b", "a"]), "data": "good"}
                step = self.new(kind, which=self.rows.choice(["last", 0]), **what)
                if kind == "binding_set" and not self.features & {"host", "blocks"}:
                    step.update({"foreign": True} if self.rows.random() < 0.5 else {})
                steps.insert(self.rows.randint(0, len(steps)), step)

    def row_flags(self, name: str) -> int:
        """How a row is called. Which of several schedulers is next would be seen by its calls, and
        two-way rows pass some by: so there are no others.
        """
        if "demand" in self.features or ("schedulers" in self.features and self.is_virtual):
            return 0
        two_way = 1 if name in "ac" else 50  # what is no value, or a list
        on_host = 60 if "ended" in self.features else 20
        weights = [40, two_way, on_host, two_way / 20, 0.5]
        return self.rows.choices(
            [0, d.BINDING_TWO_WAY, d.BINDING_ON_HOST, d.BINDING_TWO_WAY | d.BINDING_ON_HOST, 4],
            weights,
        )[0]

    def viewmodel_add_arguments(self, depth: int) -> Step:
        choose = self.models
        commands = [
            [name, choose.choice([0, 1, 2, 2, 3]), choose.random() < 0.4, self.running(depth)]
            for name in ("go", "up")
        ]
        show = None if choose.random() < 0.1 else self.shows()
        for call in show or ():
            if choose.random() < 0.7:
                call["steps"].append(self.new("allow", scope="own", may=choose.random() < 0.7))
        return {
            "scope": self.scope(),
            "told": self.calls(depth),
            "rows": commands,
            "hook": self.hook(depth) or [],
            "show": show,
        }

    def running(self, depth: int) -> list[list[Step]]:
        """What a command does: mostly it keeps the request."""
        calls = self.calls(depth) + [[] for _ in range(6)]
        for steps in calls:
            first = self.models.choices(["retain", "respond", ""], [6, 2, 2])[0]
            if first:
                arguments = {**self.respond_arguments(), "to": "current"}
                steps.insert(0, self.new(first, **(arguments if first == "respond" else {})))
        self.told(depth, calls)
        return calls

    def command_arguments(self, depth: int) -> Step:
        """Mostly what is kept, told nothing of it."""
        calls = None if self.models.random() < 0.5 else self.calls(depth)[:1]
        which = self.models.choice([0, 0, 0, 1, 2])
        name = self.models.choice(["go", "go", "go", "up"])
        return {"which": which, "name": name, "calls": calls, "data": self.data()}

    def binding_run_arguments(self, depth: int) -> Step:
        step = {**self.command_arguments(depth), "which": self.binding(), "hook": self.hook(depth)}
        if self.models.random() < 0.1:
            step["name"] = self.models.choice(["a", "may", "none"])
        return step

    def allow_arguments(self) -> Step:
        scope = f"model {self.models.choice([0, 0, 1, 2])}"
        return {"scope": scope, "may": self.models.random() < 0.6}

    def binding_retarget_arguments(self) -> Step:
        if "commands" in self.features and self.models.random() < 0.6:
            return {"which": self.binding(), "owner": f"model {self.models.choice([0, 0, 1, 2])}"}
        owner = self.later.choice(["last", "own", None, 1, 2, 3, 4, 5, 6])
        return {"which": self.binding(), "owner": owner}

    def binding_set_arguments(self) -> Step:
        name = self.later.choice(["a", "a", "b", "b", "b", "c"])
        return {"which": self.binding(), "name": name, "data": self.data()}

    def binding_on_changes_arguments(self, depth: int) -> Step:
        calls = self.calls(depth) if self.later.random() < 0.9 else None
        return {"which": self.binding(), "calls": calls}

    binding_on_ended_arguments = binding_on_changes_arguments

    def binding_end_arguments(self) -> Step:
        return {"which": self.binding()}

    def binding(self) -> str | int:
        return self.later.choice(["last", 0, 1, 2, 3])

    def show_arguments(self) -> Step:
        name = self.later.choice(["a", "a", "b", "ab", "ab", "ba"])
        scope = self.later.choice(["last", 1, 2, 3, 4, 5])
        return {"scope": scope, "name": name, "data": self.data()}

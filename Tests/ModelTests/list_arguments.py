# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The arguments of steps with lists: a part of the author (script.py)."""

from __future__ import annotations

from arguments import Step
from reference.declarations import d


class ListArguments:
    """What an author writes behind the kind of such a step."""

    def list_set_arguments(self) -> Step:
        """Few keys and payloads, so that the same come again; mostly of few scopes."""
        choose = self.listed
        scope = choose.choice([0, 0, 0, 1, "last", "own", "own", "own", choose.randint(2, 7)])
        which = choose.choices([0, 1, "shown", "other"], [8, 1, 1, 0.3])[0]
        if "bindings" in self.features and choose.random() < 0.4:
            which, scope = "shown", choose.choice(["last", "own", 1, 2, 3, 4])
        ends = {"none": 5, "all": 3, "last": 8, "stale": 1, "many": 0.3}
        step: Step = {
            "scope": scope,
            "type": which,
            "ends": choose.choices(list(ends), list(ends.values()))[0],
            "which": choose.randint(0, 9),
            "less": choose.choice([0, 0, 1]),
            "twice": choose.random() < 0.15,
        }
        if choose.random() < 0.4:
            return {**step, "list": self.whole_list()}
        return {**step, "edits": [self.edit() for _ in range(choose.choice([0, 1, 1, 1, 2, 3]))]}

    def whole_list(self) -> list[str]:
        """Rows, rarely two with one key or a wrong one."""
        choose = self.listed
        if choose.random() < 0.3:
            return choose.choice([["a1", "b1"], ["b1", "a1"], []])
        keys = choose.sample("abcdefgh", choose.randint(0, 6))
        if choose.random() < 0.08:
            keys.append(choose.choice("aab!?!?#"))
        return [f"{key}{self.word()}" for key in keys]

    def word(self) -> str:
        return self.listed.choices("1230!", [10, 6, 2, 1, 0.2])[0]

    def edit(self) -> str:
        choose = self.listed
        kind, at = choose.choice("+->>*"), choose.randint(0, 6)
        if kind == "+":
            return f"+{at}{choose.choice('abcdefgh')}{self.word()}"
        return f"{kind}{at}{choose.randint(0, 6) if kind == '>' else choose.choice('123')}"

    def list_read_arguments(self) -> Step:
        return {"which": self.listed.choice(["last", 0, 1, 2, 3])}

    def observe_a_list(self, step: Step) -> None:
        """Mostly all its changes, in a queue that loses some."""
        choose, what = self.listed, step["filter"]
        what.pop("role", None), what.pop("layers", None)
        if choose.random() < 0.8:
            what["types"] = [choose.choice(["list 0", "list 0", "list 0", "list 1"])]
            what.pop("count", None)
            what["flags"] = what.get("flags", 0) & ~d.OBSERVE_FAILED
        if what.get("scheduler"):
            what.pop("limit_bytes", None)
            lossy = [d.QUEUE_DROP_OLDEST, d.QUEUE_DROP_NEWEST, d.QUEUE_LATEST]
            if choose.random() < 0.7:
                what["policy"], what["limit_events"] = choose.choice(lossy), choose.randint(1, 2)
        if choose.random() < 0.05:
            what["flags"] = what.get("flags", 0) | d.OBSERVE_NEW

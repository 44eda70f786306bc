# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Random sessions of an app: its routes and guards, the steps that are taken, and what it answers.

A step is a dictionary with a `kind` and its arguments, as in the scripts of the model test. Which
component or move it concerns is a number, resolved when the step is taken: a script stays a script
when steps are taken out of it.
"""

from __future__ import annotations

import random

ROUTES = {
    "home": ("screen", ""),
    "diary": ("screen", ""),
    "diary/7": ("screen", ""),
    "broken": ("screen", ""),
    "pick/x": ("dialog", ""),
    "signin": ("dialog", ""),
    "info": ("present", ""),
    "toast": ("overlay", ""),
    "users": ("embed", "users"),
    "drawer": ("embed", "left"),
    "toolbar": ("embed", "top"),
    "compose": ("group", ["drawer", "toolbar"]),
    "both": ("group", ["info", "tour", "diary/7"]),
    "onboarding": ("flow", ""),
    "tour": ("flow", ""),
    "loop": ("screen", ""),
    "": ("screen", ""),
    "app://help": ("screen", ""),
}
#: The name of each guard, what it guards, and whether it is asked before that is left.
GUARDS = (
    ("all", tuple(ROUTES), False),
    ("signed", ("diary", "diary/7", "pick/x", "tour"), False),
    ("known", ("diary/7", "signin", "both"), False),
    ("round", ("loop",), False),
    ("saved", ("diary/7", "users", "info", "tour"), True),
)
#: What is opened: flows with screens on them more often than the rest.
OPENED = [*ROUTES, "tour", "tour", "home", "diary", "diary"]
#: How often each step is drawn.
WEIGHTS = {
    "open": 14,
    "replace_root": 1,
    "replace": 4,
    "link": 2,
    "link_all": 1,
    "close": 2,
    "pop": 3,
    "pop_to": 1,
    "dismiss": 2,
    "gone": 3,
    "finish": 3,
    "end": 1,
    "end_scope": 1,
    "cancel": 2,
    "answer": 5,
    "answer_hide": 2,
    "answer_guard": 3,
    "time_out": 1,
    "say": 8,
    "ready": 1,
}
#: What a guard refuses with, a flow that fails, and a factory that makes nothing.
REFUSED, FAILED, BROKEN = 1005, 1006, 1001
_LENGTH = 400


class Scripts:
    """What the stage, the guards and the flows do, in the order in which they are asked."""

    def __init__(self, seed):
        chance = random.Random(seed)
        urls = list(ROUTES)

        def drawn(choices):
            return [chance.choice(choices) for _ in range(_LENGTH)]

        self.shows = drawn([None] * 6 + ["later"] * 2 + [1002])
        self.hides = drawn([None] * 6 + ["later", 1004])
        #: Of the guard of everything, which seldom refuses.
        self.all = drawn([""] * 30 + ["no"])
        self.verdicts = [
            f"{verdict} {chance.choice(urls)}" if verdict in ("redirect", "after") else verdict
            for verdict in drawn([""] * 10 + ["redirect", "after", "after", "later", "no"])
        ]
        pair = [chance.sample(urls, 2) for _ in range(_LENGTH)]
        firsts = ([], ["fail"], ["nowhere"], ["home"], ["diary"], None)
        self.firsts = [first if first is not None else pair.pop() for first in drawn(firsts)]

    def verdict(self, name):
        """What the guard of a name says: "" to let go, "no", "later", or a verdict and a URL."""
        if name == "all":
            return self.all.pop(0)
        if name == "round":
            return "redirect loop"
        verdict = self.verdicts.pop(0)
        return "" if name == "saved" and " " in verdict else verdict


class Author:
    """Draws the steps of a session while that is played: it chooses of what is there."""

    def __init__(self, seed, session):
        self.chance, self.session = random.Random(seed), session

    def step(self):
        kind = self.chance.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        return {"kind": kind, **getattr(self, f"{kind}_arguments", self.move_arguments)(kind)}

    def drains(self):
        """Whether the stage works after a step, and all is compared."""
        return self.chance.random() < 0.7

    def node(self, odds=1.0, also_opening=False):
        """A component, if any is there."""
        if odds < 1 and self.chance.random() >= odds:
            return None
        count = len(self.session.there(also_opening))
        return self.chance.randrange(count) if count else None

    def place(self):
        return {"asker": self.node(0.7), "target": self.node(0.15)}

    def open_arguments(self, _):
        place = self.place()
        url = "nowhere" if self.chance.random() < 0.03 else self.chance.choice(OPENED)
        return {**place, "url": url, "slot": self.chance.choice(["", "", "users", "left"])}

    def link_arguments(self, _):
        return {"url": self.chance.choice(list(ROUTES))}

    def replace_root_arguments(self, _):
        urls = ["home", "diary", "onboarding", "tour", "compose", "broken"]
        return {"url": self.chance.choice(urls)}

    def replace_arguments(self, _):
        return {**self.place(), "url": self.chance.choice(OPENED)}

    def move_arguments(self, kind):
        asker = self.node(0.5)
        return {"asker": asker, "target": None if kind in ("pop", "dismiss") else self.node()}

    def gone_arguments(self, _):
        return {"target": self.node(also_opening=True)}

    end_scope_arguments = gone_arguments

    def finish_arguments(self, _):
        node = self.node()
        return {"target": node, "word": node is not None and self.chance.choice(["red", "blue"])}

    def one_of(self, things):
        return self.chance.randrange(len(things)) if things else 0

    def end_arguments(self, _):
        return {"which": self.one_of(self.session.owners())}

    def cancel_arguments(self, _):
        return {"which": self.one_of(self.session.waiting())}

    def elsewhere(self, is_answered):
        """Whether another thread answers."""
        return bool(is_answered) and self.chance.random() >= 0.5

    def answer_arguments(self, _):
        self.session.drain()
        error = self.chance.choice([None, None, 1003])
        return {"error": error, "elsewhere": self.elsewhere(self.session.stage.kept)}

    def answer_hide_arguments(self, _):
        self.session.drain()
        return {"elsewhere": self.elsewhere(self.session.stage.kept_hides)}

    def answer_guard_arguments(self, _):
        self.session.drain()
        kept = self.session.app.kept
        verdict = self.chance.choice(["", "", "no"]) if kept else ""
        return {"verdict": verdict, "elsewhere": self.elsewhere(kept)}

    def say_arguments(self, _):
        node, of_flow = self.node(), None
        in_flows = self.session.in_flows()
        if in_flows and self.chance.random() < 0.9:
            of_flow = self.one_of(in_flows)
        if node is None and of_flow is None:
            return {"asker": None, "of_flow": None}
        kind = self.chance.choice(["Picked", "Queued", "Queued", "Allowed"])
        text = self.chance.choice(["nothing", "nothing", f"open {self.chance.choice(OPENED)}"])
        text = "finish" if self.chance.random() < 0.05 else text
        return {"asker": node, "of_flow": of_flow, "type": kind, "text": text}

    def link_all_arguments(self, _):
        return {}

    time_out_arguments = ready_arguments = link_all_arguments

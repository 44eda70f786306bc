# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The app of the random sessions: its routes and guards, and what scripts let it do."""

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

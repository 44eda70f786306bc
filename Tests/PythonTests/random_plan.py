# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Random programs as data: what the models of a program do at each event, step by step.

A program that is data can be changed in one place: see random_change.py.
"""

from __future__ import annotations

import copy
from typing import Any, Dict, List, NamedTuple, Tuple

WORDS = ("one", "two", "three", "four")
NOTICES = ("A", "B", "C")
REQUESTS = ("RequestNow", "RequestLater", "RequestNobody")
#: A Part may open others below itself, a Leaf need not.
KINDS = ("Part", "Leaf")
#: Whether a command's answer carries a text.
COMMANDS = {"go": True, "add": False, "late": True, "both": False}
#: What a model does when it is made, written, run, told, and answered.
PLACES = ("made", "name", "on", *COMMANDS, "A", "then")

#: Steps, and how often they are; those behind the gap change the stream at once.
STEPS = {
    "add": 4,
    "text": 3,
    "draw": 2,
    "switch": 2,
    "hint": 3,
    "watch": 1,
    "point": 1,
    "send": 4,
    "send many": 1,
    "open": 3,
    "ask": 2,
    "share": 1,
    "end": 1,
    "leave": 0.3,
    "set below": 1,
    "give": 1,
    "fail": 0.5,
    "timer": 1,
    "post": 1,
}
#: What only the function of a command does.
CARRIED = {"answer": 5, "refuse": 1, "keep": 4, "late": 4, "progress": 2, "settled": 1}
#: What makes inputs: a program that is strict has none of it. See random_change.py.
LOOSE = ("timer", "post", "point")


class Step(NamedTuple):
    """One step: what is done, and with what."""

    verb: str
    word: str = ""
    number: int = 0


class Show(NamedTuple):
    """What a kind of model says of its state."""

    offset: int
    prefix: str
    #: Its last value is left out.
    is_short: bool = False


class Plan:
    """A program."""

    def __init__(self, random: Any, strict: bool) -> None:
        #: Whether a changed program gets the same inputs, up to the first event that it changes.
        self.strict = strict
        self.steps: Dict[Tuple[str, str], List[Step]] = {}
        self.shows: Dict[str, Show] = {}
        self.policies: Dict[Tuple[str, str], int] = {}
        self.enabled: Dict[Tuple[str, str], bool] = {}
        #: Which owner of a kind its factory refuses to make: the first is 1; 0: none.
        self.refuses: Dict[str, int] = {}
        for kind in KINDS:
            self.shows[kind] = Show(random.randrange(2), random.choice(("", "is ")))
            self.refuses[kind] = random.choice((0, 0, 0, 2))
            for command in COMMANDS:
                self.policies[kind, command] = random.randrange(4)
                self.enabled[kind, command] = random.randrange(3) == 0
            for place in PLACES:
                self.steps[kind, place] = self._drawn(random, place)

    def _drawn(self, random: Any, place: str) -> List[Step]:
        weights = dict(STEPS)
        if self.strict:
            for verb in LOOSE:
                del weights[verb]
        steps = [step_of(random, weights) for _ in range(random.randrange(4))]
        if place in COMMANDS:
            ends = [step_of(random, CARRIED) for _ in range(random.randrange(3))]
            steps[random.randrange(len(steps) + 1) :] += ends
        return steps

    def copied(self) -> "Plan":
        """The same program, to be changed."""
        return copy.deepcopy(self)


def step_of(random: Any, weights: Dict[str, float]) -> Step:
    """A step at random."""
    verb = random.choices(list(weights), list(weights.values()))[0]
    return Step(verb, random.choice(WORDS), random.randrange(6))

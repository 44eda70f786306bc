# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Random scripts: a tree of steps, made from a seed by weights.

A step is a dictionary with a `kind`, an `id` that is unique in its script, and its arguments. What
a callback does at its first, second … call is again a list of steps, down to DEPTH. Every step runs
at most once, so every script ends. References (which observer, which scope) are resolved when the
step runs, so that a script stays a script when steps are taken out of it.
"""

from __future__ import annotations

import random
from typing import Any, Iterator

from arguments import DEPTH, Arguments, Step
from child_arguments import ChildArguments
from effect_arguments import EffectArguments
from features import (
    CALLBACK_WEIGHTS,
    CATALOGUE,
    EFFECTS_BEGIN,
    ELSEWHERE,
    FEATURES,
    FOREIGN,
    LISTS_BEGIN,
    ON_SCHEDULERS,
    OUTSIDE_WEIGHTS,
    VALUES,
)
from list_arguments import ListArguments
from reactor_arguments import ReactorArguments
from reference.declarations import d
from state_arguments import StateArguments

#: Steps that bring callbacks.
DEEP = ("observe", "server_add", "request", "on_settled", "binding_add", "binding_on_changes")
DEEP += ("binding_on_ended",)
DEEP += ("factory_add", "instance_open", "viewmodel_add", "command", "binding_run", "service_add")
DEEP += ("reactor_add", "children_set")


class Author(
    Arguments, StateArguments, EffectArguments, ReactorArguments, ListArguments, ChildArguments
):
    """Writes one script."""

    def __init__(self, seed: int, about: tuple[str, ...] = ()) -> None:
        self.seed = seed
        self.random = random.Random(seed)
        #: Chooses what was added later.
        self.later = random.Random(f"later {seed}")
        self.seed = seed
        #: Chooses what is shared.
        self.sharing = random.Random(f"sharing {seed}")
        self.last = random.Random(f"kept {seed}")
        #: Chooses how the rows of bindings are called.
        self.rows = random.Random(f"rows {seed}")
        #: Chooses models and their runs.
        self.models = random.Random(f"models {seed}")
        #: Chooses services.
        self.services = random.Random(f"services {seed}")
        #: Chooses what handlers do to values.
        self.effects = random.Random(f"effects 5 {seed}")
        #: Chooses servers that know of no others.
        self.alone = random.Random(f"alone {seed}")
        #: Chooses reactors, and what they mutate.
        self.reactors = random.Random(f"reactors {seed}")
        #: Chooses lists.
        self.listed = random.Random(f"lists 1 {seed}")
        #: Chooses children.
        self.children = random.Random(f"children 1 {seed}")
        self.count = 0
        #: What the script is about; nothing = that is chosen too.
        self.about = about

    def write(self, any_thread: bool) -> Step:
        """A script: how its contexts are opened, and what the host does from outside."""
        choose = self.random
        self.choose_features(any_thread)
        contexts = [self.context(any_thread)]
        if choose.random() < 0.2:
            contexts.append(self.context(any_thread if self.blocks else not any_thread))
        steps = [
            self.new("type_add", scope=context, name=name, other=False)
            for context in range(len(contexts))
            for name in range(choose.randint(2, 7))
        ]
        steps += [
            self.new("type_add", scope=context, name=name, other=False)
            for context in range(len(contexts))
            for name in range(VALUES, EFFECTS_BEGIN)
            if "values" in self.features
        ]
        steps += [
            self.new("type_add", scope=context, name=name, other=False)
            for context in range(len(contexts))
            for name in range(EFFECTS_BEGIN, LISTS_BEGIN)
            if "effects" in self.features
        ]
        steps += [
            self.new("type_add", scope=context, name=name, other=False)
            for context in range(len(contexts))
            for name in range(LISTS_BEGIN, len(CATALOGUE))
            if "lists" in self.features
        ]
        for kind in self.begin():
            arguments = self.arguments(kind, 0)
            if kind != "scope_add":
                arguments["scope"] = choose.randrange(len(contexts))
            steps.append(self.new(kind, **arguments))
        steps += self.steps(0, choose.randint(6, 30))
        shows = "bindings" in self.features
        lists = shows and "lists" in self.features
        return {"contexts": contexts, "steps": steps, "shows": shows, "lists": lists}

    def choose_features(self, any_thread: bool) -> None:
        """What the script is about; few things at a time go deeper than all at once."""
        choose = self.random
        self.features = set()
        for name, feature in FEATURES.items():
            by = f"{name} {self.seed}"
            chance = (
                random.Random(by) if feature.chance == "each" else getattr(self, feature.chance)
            )
            if chance.random() < feature.odds:
                self.features |= {name, *feature.needs.split()}
        if "reactors" in self.features:
            self.features -= {"lists", "children"}  # few scripts mutate as it is
        if "lists" in self.features:
            # So that observers lose some of a list, and two may set it before it is delivered.
            self.features |= {"schedulers", self.listed.choice(["lists", "lists", "host"])}
        if self.about:
            self.features = set(self.about)
        if "schedulers" not in self.features:
            self.features -= set(ON_SCHEDULERS)
        self.is_virtual = "timers" in self.features or choose.random() < 0.7
        self.is_slow = "servers" in self.features
        #: A queue may let its sender wait, which hangs where another thread could make room.
        self.blocks = not any_thread and choose.random() < 0.5
        #: When the hook of what another thread cancels runs is seen by the hook alone.
        self.has_hookless = choose.random() < 0.5
        self.outside, self.inside = dict(OUTSIDE_WEIGHTS), dict(CALLBACK_WEIGHTS)
        for name in sorted(self.features):
            for kind, weight in FEATURES[name].weights.items():
                if kind in ("scheduler_add", "advance") and not self.is_virtual:
                    continue
                waits = kind in ("drain", "mailbox_take", "advance")
                self.outside[kind] = self.outside.get(kind, 0) + weight
                self.inside[kind] = self.inside.get(kind, 0) + (weight / 20 if waits else weight)
        lossy = {"timers", "history", "interrupts", "host"}
        #: Handlers on a scheduler have narrow queues. No log shows when one is told what it lost,
        #: so nothing comes that cannot be refused.
        self.is_narrow = bool("served" in self.features and not self.features & lossy)
        if self.is_narrow:
            self.outside.pop("post"), self.inside.pop("post")

    def context(self, any_thread: bool) -> Step:
        how = {"threads": int(any_thread), "clock": int(self.is_virtual), "flags": 0, "seed": 1}
        how["seed"] = self.random.randint(1, 99)
        if self.is_virtual and self.random.random() < 0.5:
            how["flags"] |= d.CONTEXT_TIMES
        if "host" in self.features:
            how["flags"] |= d.CONTEXT_DELIVER_ON_HOST
        if "interrupts" in self.features and how["seed"] % 8:
            how["flags"] |= d.CONTEXT_INTERRUPTS
        if "rights" in self.features and how["seed"] % 6 == 0:
            how["flags"] |= d.CONTEXT_DENY_BY_DEFAULT
        if "limits" in self.features:
            how.update(self.limits())
        return how

    def limits(self) -> Step:
        """A few of the limits, small."""
        most = {"observers": 6, "payload": 3, "cascade": 3, "events": 4, "posts": 3}
        if "interrupts" in self.features:
            del most["posts"]  # what is taken of the interrupts' room then is not said
        keeps = self.features & {"history", "values", "lists", "bindings"}
        if keeps or self.features >= {"host", "rights"}:
            del most["events"]  # nor whether what keeps, joins or reports takes a place
        names = [name for name in most if self.random.random() < 0.4]
        return {f"limit_{name}": self.random.randint(1, most[name]) for name in names}

    def begin(self) -> Iterator[str]:
        """What is there before the script begins."""
        if "rights" in self.features:
            yield from ["scope_add"] * self.random.randint(0, 3)
        if "opens" in self.features:
            yield from ["factory_add"] * self.later.randint(1, 3)
            yield from ["scope_add"] * self.later.randint(1, 3)
        if "services" in self.features:
            yield from ["service_add"] * self.services.randint(1, 3)
            yield from ["scope_add"] * self.services.randint(1, 3)
        if "bindings" in self.features:
            yield from ["scope_add", "binding_add", "binding_on_changes", "binding_on_ended"]
        if "commands" in self.features:
            yield from ["viewmodel_add", "binding_add"] * self.models.randint(1, 2)
        if "reactors" in self.features:
            yield from ["reactor_add", "binding_add"] * self.reactors.randint(1, 2)
        for kind in ("scheduler_add", "history_keep", "observe", "server_add"):
            if kind in ("observe", "server_add") or kind in self.outside:
                for _ in range(self.random.randint(0, 3)):
                    yield kind

    def steps(self, depth: int, count: int) -> list[Step]:
        return [self.step(depth) for _ in range(count)]

    def pick(self, weights: dict[Any, float]) -> Any:
        return self.random.choices(list(weights), list(weights.values()))[0]

    def new(self, kind: str, **arguments: Any) -> Step:
        self.count += 1
        return {"kind": kind, "id": self.count, **arguments}

    def step(self, depth: int) -> Step:
        kind = self.pick(self.inside if depth else self.outside)
        step = self.new(kind, **self.arguments(kind, depth))
        if kind in FOREIGN and self.random.random() < ELSEWHERE.get(kind, 0.06):
            step["foreign"] = True
            if "opens" in step:
                step["opens"] = []  # what another thread does meanwhile is not said
        if self.blocks and kind in ("post", "respond", "respond_progress"):
            step.pop("foreign", None)
        if "rights" in self.features and kind in ("post", "respond", "respond_progress"):
            step.pop("foreign", None)  # when its denial is told is not said
        shows = self.features & {"values", "lists"}
        if "rights" in self.features and shows and kind == "observe":
            step.pop("foreign", None)  # its late events may post, and be denied
        if "host" in self.features and kind in (
            "send",
            "respond",
            "respond_progress",
            "binding_set",
        ):
            step.pop("foreign", None)
        if self.is_narrow and kind == "respond_progress":
            step.pop("foreign", None)
        if self.has_hookless and kind == "cancel":
            step.pop("foreign", None)
        return step

    def arguments(self, kind: str, depth: int) -> Step:
        make = getattr(self, f"{kind}_arguments", dict)
        is_deep = kind in DEEP
        return make(depth) if is_deep else make()

    # What callbacks do --------------------------------------------------------------------------

    def calls(self, depth: int) -> list[list[Step]]:
        """What a callback does at its first, second … call."""
        if depth >= DEPTH:
            return []
        lengths = {0: 3, 1: 6, 2: 4, 3: 1}
        return [
            self.steps(depth + 1, self.pick(lengths))
            for _ in range(self.pick({0: 2, 1: 4, 2: 3, 3: 1}))
        ]

    def told(self, depth: int, calls: list[list[Step]]) -> None:
        """Lets some calls of a handler, or of an observer, ask to hear who else answers."""
        for steps in calls if "settled" in self.features else ():
            for _ in range(self.later.choices([0, 1, 2], [5, 6, 1])[0]):
                arguments = self.on_settled_arguments(depth + 1)
                steps.insert(self.later.randint(0, len(steps)), self.new("on_settled", **arguments))

    def hook(self, depth: int) -> list[Step] | None:
        """What a release hook does; None = there is no hook."""
        if self.has_hookless and self.random.random() < 0.4:
            return None
        if depth >= DEPTH or self.random.random() < 0.6:
            return []
        # What gives its questions up first, where a scope ends in the hook of another, is not said.
        kinds = ["send", "post", "cancel", "observe", "close", "drain", "cancel_wait"]
        if "host" in self.features:
            kinds.remove("send")  # nor which drain takes what a hook sends
        step = self.step(depth + 1)
        while step["kind"] not in kinds:
            step = self.step(depth + 1)
        return [step]

    # References ---------------------------------------------------------------------------------

    def scope(self) -> str | int:
        """`own` is the handle an event came with; a number counts through all handles."""
        if "rights" in self.features and self.random.random() < 0.3:
            return "last"
        return self.pick({"own": 4, 0: 5, 1: 2, self.random.randint(2, 7): 3, "last": 2})

    def some(self) -> str | int:
        index = self.random.randint(0, 9)
        return self.pick({"self": 4, "later": 3, "earlier": 2, "last": 2, index: 3})

    def one(self, kind: str) -> str | int:
        """Mostly an observer of that kind."""
        return self.pick({f"{kind} {self.random.randint(0, 3)}": 7, self.some(): 3})

    def type(self) -> int:
        return self.random.randint(0, 9)

    def data(self) -> str:
        return self.pick({"good": 24, "bad": 1})


def write(seed: int, any_thread: bool, about: tuple[str, ...] = ()) -> Step:
    """The script of a seed, for a context of one thread or of any thread."""
    return Author(seed, about).write(any_thread)

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
from typing import Any, Dict, Iterator

from contract import (
    APP,
    BLOCK,
    CONFIRM,
    CONTEXT_TIMES,
    DELIVER_ON_HOST,
    DROP_NEWEST,
    DROP_OLDEST,
    HOST,
    LATEST,
    LAYER_MODEL,
    LAYER_VIEW,
    OBSERVE_FAILED,
    OBSERVE_SUCCEEDED,
    OBSERVES_NOTHING,
    ON_DEMAND,
    PAYLOAD_BYTES,
    PAYLOAD_JSON,
    PAYLOAD_NONE,
    PAYLOAD_STRUCT,
    PAYLOAD_TEXT,
    REJECT,
    ROLE_NOTICE,
    ROLE_REQUEST,
    ROLE_RESPONSE,
    SENDS_NOTHING,
    layer_bit,
)

Step = Dict[str, Any]
DEPTH = 4

# Name, contract, response: every payload kind, every role, roles by name and by contract.
CATALOGUE: list[tuple[str, int, str | None]] = [
    ("RequestA", PAYLOAD_TEXT | LAYER_MODEL, "ResponseA"),
    ("ResponseA", PAYLOAD_TEXT | LAYER_MODEL, None),
    ("NoticeA", PAYLOAD_BYTES, None),
    ("RequestB", PAYLOAD_NONE | LAYER_VIEW, "ResponseB"),
    ("ResponseB", PAYLOAD_STRUCT | 4, None),
    ("NoticeB", PAYLOAD_JSON | LAYER_VIEW, None),
    ("Ask", PAYLOAD_TEXT | ROLE_REQUEST, "ResponseA"),
    ("RequestC", PAYLOAD_BYTES, "ResponseC"),
    ("ResponseC", PAYLOAD_JSON, None),
    ("RequestD", PAYLOAD_TEXT, None),
]
CONTRACTS = {name: (contract, response) for name, contract, response in CATALOGUE}

OUTSIDE_WEIGHTS = {
    "send": 22,
    "request": 14,
    "observe": 16,
    "server_add": 7,
    "scope_add": 4,
    "scope_end": 5,
    "cancel": 5,
    "cancel_wait": 2,
    "subscription_from": 1,
    "post": 7,
    "drain": 6,
    "flush": 1,
    "wait": 2,
    "type_add": 3,
    "respond": 5,
    "retained_release": 2,
    "pending_cancel": 3,
    "pending_position": 1,
    "stats": 1,
    "close": 0.3,
}
CALLBACK_WEIGHTS = {
    "send": 22,
    "request": 12,
    "observe": 12,
    "server_add": 3,
    "scope_add": 2,
    "scope_end": 5,
    "cancel": 14,
    "cancel_wait": 1,
    "subscription_from": 2,
    "post": 4,
    "drain": 1,
    "flush": 0.5,
    "wait": 0.5,
    "type_add": 3,
    "respond": 10,
    "retain": 7,
    "retained_release": 2,
    "pending_cancel": 4,
    "pending_position": 1,
    "fail": 8,
    "confirm": 3,
    "stats": 1,
    "close": 0.7,
}
FOREIGN = (
    "send",
    "post",
    "respond",
    "cancel",
    "observe",
    "subscription_ask",
    "respond_progress",
    "timer_cancel",
    "post_from_interrupt",
)
# How often it is another thread that calls; else rarely.
ELSEWHERE = {"respond": 0.25, "respond_progress": 0.4}
# What a script may be about: how often it is, and the steps it brings.
FEATURES: dict[str, tuple[float, dict[str, float]]] = {
    "schedulers": (0.6, {"send": 12, "drain": 7, "serial_add": 2}),
    "demand": (0.3, {"subscription_ask": 9}),
    "mailboxes": (0.25, {"drain_records": 14}),
    "counters": (0.5, {"subscription_stats": 5, "next_timeout": 3, "readable": 2}),
    "batches": (0.2, {"send_many": 4}),
    "host": (0.15, {"drain": 10}),
    "timers": (0.3, {"send_after": 8, "send_every": 3, "timer_cancel": 3, "advance": 8, "now": 1}),
    "history": (0.25, {"history_keep": 7, "observe": 6}),
    "interrupts": (0.15, {"post_from_interrupt": 8, "interrupt_prepare": 2}),
    "rights": (0.15, {"scope_add": 8}),
    "limits": (0.2, {"send": 6}),
    "progress": (0.2, {"respond_progress": 12, "request": 8, "retain": 6}),
    "asked": (0.3, {"request": 8, "advance": 6}),
    "servers": (0.3, {"request": 12, "server_add": 8, "scope_end": 8}),
}
ON_SCHEDULERS = ("demand", "mailboxes")


class Author:
    """Writes one script."""

    def __init__(self, seed: int, about: tuple[str, ...] = ()) -> None:
        self.random = random.Random(seed)
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
        for kind in self.begin():
            arguments = self.arguments(kind, 0)
            if kind != "scope_add":
                arguments["scope"] = choose.randrange(len(contexts))
            steps.append(self.new(kind, **arguments))
        return {"contexts": contexts, "steps": steps + self.steps(0, choose.randint(6, 30))}

    def choose_features(self, any_thread: bool) -> None:
        """What the script is about; few things at a time go deeper than all at once."""
        choose = self.random
        self.features = {name for name, (odds, _) in FEATURES.items() if choose.random() < odds}
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
            for kind, weight in FEATURES[name][1].items():
                if kind in ("serial_add", "advance") and not self.is_virtual:
                    continue
                waits = kind in ("drain", "drain_records", "advance")
                self.outside[kind] = self.outside.get(kind, 0) + weight
                self.inside[kind] = self.inside.get(kind, 0) + (weight / 20 if waits else weight)

    def context(self, any_thread: bool) -> Step:
        how = {"threads": int(any_thread), "clock": int(self.is_virtual), "flags": 0, "seed": 1}
        how["seed"] = self.random.randint(1, 99)
        if self.is_virtual and self.random.random() < 0.5:
            how["flags"] |= CONTEXT_TIMES
        if "host" in self.features:
            how["flags"] |= DELIVER_ON_HOST
        if "limits" in self.features:
            how.update(self.limits())
        return how

    def limits(self) -> Step:
        """A few of the limits, small."""
        most = {"observers": 6, "payload": 3, "cascade": 3, "events": 4, "posts": 3}
        if "interrupts" in self.features:
            del most["posts"]  # what is taken of the interrupts' room then is not said
        if "history" in self.features or self.features >= {"host", "rights"}:
            del most["events"]  # nor whether what keeps, joins or reports takes a place
        names = [name for name in most if self.random.random() < 0.4]
        return {f"limit_{name}": self.random.randint(1, most[name]) for name in names}

    def begin(self) -> Iterator[str]:
        """What is there before the script begins."""
        if "interrupts" in self.features:
            yield "interrupt_prepare"
        if "rights" in self.features:
            yield from ["scope_add"] * self.random.randint(0, 3)
        for kind in ("serial_add", "history_keep", "observe", "server_add"):
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
        if self.blocks and kind in ("post", "respond", "respond_progress"):
            step.pop("foreign", None)
        if "rights" in self.features and kind in ("post", "respond", "respond_progress"):
            step.pop("foreign", None)  # when its denial is told is not said
        if "host" in self.features and kind in ("send", "respond", "respond_progress"):
            step.pop("foreign", None)
        if self.has_hookless and kind == "cancel":
            step.pop("foreign", None)
        return step

    def arguments(self, kind: str, depth: int) -> Step:
        make = getattr(self, f"{kind}_arguments", dict)
        return make(depth) if kind in ("observe", "server_add", "request") else make()

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

    # Arguments ----------------------------------------------------------------------------------

    def send_arguments(self) -> Step:
        return {"scope": self.scope(), "type": self.type(), "data": self.data()}

    post_arguments = post_from_interrupt_arguments = send_arguments

    def send_many_arguments(self) -> Step:
        rows = [[self.type(), self.data()] for _ in range(self.random.randint(0, 5))]
        return {"scope": self.scope(), "rows": rows}

    def request_arguments(self, depth: int) -> Step:
        calls = None if self.random.random() < 0.2 else self.calls(depth)[:1]
        asks = self.pick({True: 9, False: 1})
        step = {**self.send_arguments(), "calls": calls, "asks": asks}
        if "asked" in self.features and self.random.random() < 0.7:
            step["how"] = self.how(depth)
            if "scheduler" in step["how"]:
                step["calls"] = step["calls"] or []  # the log says when it ran
        return step

    def how(self, depth: int) -> Step:
        how: Step = {"hook": self.hook(depth)}
        if self.random.random() < 0.5:
            how["progress"] = self.calls(depth)
        if self.is_virtual and self.random.random() < 0.5:
            how["timeout_ms"] = self.random.randint(1, 9)
        if "schedulers" in self.features and self.random.random() < 0.5:
            how["scheduler"] = self.scheduler()
        return how

    def scheduler(self) -> int:
        """The host's, or one of the serial ones."""
        return self.pick({1: 5, 2: 3, 3: 2, 4: 1})

    def serial_add_arguments(self) -> Step:
        return {"scope": self.pick({0: 8, 1: 2})}

    def observe_arguments(self, depth: int) -> Step:
        step = {
            "scope": self.scope(),
            "filter": self.filter(),
            "calls": self.calls(depth),
            "hook": self.hook(depth),
        }
        if "schedulers" in self.features and self.random.random() < 0.6:
            self.put_on_scheduler(step)
        return step

    def put_on_scheduler(self, step: Step) -> None:
        choose, what = self.random, step["filter"]
        what["scheduler"] = self.scheduler()
        policies = {REJECT: 4, BLOCK: 2 * self.blocks, DROP_OLDEST: 4, DROP_NEWEST: 3, LATEST: 2}
        what["policy"] = self.pick(policies)
        if choose.random() < 0.8:
            what["limit_events"] = choose.randint(1, 4)
        if choose.random() < 0.2:
            what["limit_bytes"] = choose.randint(1, 12)
        if "mailboxes" in self.features and choose.random() < 0.5:
            step["mailbox"], what["scheduler"] = True, HOST
            if choose.random() < 0.5:
                what["limit_bytes"] = choose.randint(3, 30)  # how much fits is only known then
            what["flags"] = what.get("flags", 0) & ~CONFIRM
        elif "demand" in self.features and choose.random() < 0.5:
            what["flags"] = what.get("flags", 0) | ON_DEMAND

    def subscription_ask_arguments(self) -> Step:
        return {"which": self.one("demand"), "count": self.pick({1: 5, 2: 3, 3: 1, 9: 1, 0: 0.3})}

    def subscription_stats_arguments(self) -> Step:
        return {"which": self.some()}

    def drain_records_arguments(self) -> Step:
        return {
            "which": self.one("mailbox"),
            "size": self.pick({0: 1, 64: 1, 80: 5, 150: 3, 4096: 2}),
        }

    def history_keep_arguments(self) -> Step:
        age = self.pick({0: 5, self.random.randint(1, 9): 4}) if self.is_virtual else 0
        count = self.pick({0: 1, 1: 2, 2: 2, 3: 2, 5: 1})
        return {"scope": self.scope(), "type": self.type(), "count": count, "age": age}

    def respond_progress_arguments(self) -> Step:
        to = self.pick({"current": 5, "last": 3, self.random.randint(0, 5): 3})
        return {"to": to, "type": self.pick({"notice": 8, self.type(): 2}), "data": self.data()}

    def send_after_arguments(self) -> Step:
        ms = self.pick({0: 3, 1: 2, 2: 2, self.random.randint(3, 12): 3, -1: 0.2})
        return {**self.send_arguments(), "ms": ms}

    def send_every_arguments(self) -> Step:
        return {**self.send_arguments(), "ms": self.pick({1: 2, 2: 2, 3: 2, 5: 2, 0: 0.2})}

    def timer_cancel_arguments(self) -> Step:
        return {"which": self.pick({"last": 4, self.random.randint(0, 5): 3})}

    def advance_arguments(self) -> Step:
        return {"scope": self.scope(), "ms": self.pick({0: 1, 1: 3, 2: 3, 5: 2, 12: 1, -1: 0.2})}

    def filter(self) -> Step:
        choose, what = self.random, {}
        kind = self.pick({"any": 6, "one": 8, "several": 2, "failure": 1, "unknown": 0.2})
        if kind == "one":
            what["types"] = [self.type()]
        elif kind == "several":
            what["types"] = [self.type() for _ in range(choose.randint(1, 4))]
        elif kind != "any":
            what["types"] = [kind]
        if choose.random() < 0.1:
            what["role"] = choose.choice([ROLE_REQUEST, ROLE_RESPONSE, ROLE_NOTICE])
        if choose.random() < 0.1:
            layers = [layer_bit(0), layer_bit(LAYER_MODEL), layer_bit(LAYER_VIEW)]
            what["layers"] = choose.choice(layers) | choose.choice(layers)
        if choose.random() < 0.2:
            what["count"] = choose.randint(1, 3)
        if choose.random() < 0.15:
            flags = {OBSERVE_FAILED: 4, OBSERVE_SUCCEEDED: 4, CONFIRM: 4}
            what["flags"] = self.pick({**flags, OBSERVE_FAILED | OBSERVE_SUCCEEDED: 0.3})
        return what

    def server_add_arguments(self, depth: int) -> Step:
        types = {0: 7, 3: 3, 6: 3, 7: 1, 2: 1, 9: 1}
        if "servers" in self.features:
            types = {0: 9, 3: 1}
        rows = [
            [self.pick(types), self.handler(depth)] for _ in range(self.pick({1: 4, 2: 2, 3: 1}))
        ]
        return {"scope": self.scope(), "rows": rows, "hook": self.hook(depth)}

    def handler(self, depth: int) -> list[list[Step]]:
        """A handler mostly answers at once, sometimes keeps the request, sometimes neither."""
        calls = self.calls(depth) + [[] for _ in range(self.random.randint(0, 3))]
        for steps in calls:
            first = self.pick({"respond": 4, "retain": 3, None: 12 if self.is_slow else 3})
            if "progress" in self.features and self.random.random() < 0.4:
                step = self.new("respond_progress", **self.respond_progress_arguments())
                step["to"], step["data"] = "current", "good"
                if not self.blocks and not self.features & {"host", "rights"}:
                    step["foreign"] = self.random.random() < 0.5
                steps.insert(0, step)
            if first:
                arguments = {**self.respond_arguments(), "to": "current"}
                steps.insert(0, self.new(first, **(arguments if first == "respond" else {})))
        return calls

    def respond_arguments(self) -> Step:
        to = self.pick({"current": 5, "last": 3, self.random.randint(0, 5): 3})
        code = self.pick({0: 6, APP + self.random.randint(0, 4): 3})
        return {"to": to, "code": code, "data": self.data()}

    def type_add_arguments(self) -> Step:
        return {"scope": self.scope(), "name": self.type(), "other": self.random.random() < 0.1}

    def scope_add_arguments(self) -> Step:
        step: Step = {"scope": self.scope()}
        if "rights" in self.features and self.random.random() < 0.8:
            step["how"] = self.rights()
        return step

    def rights(self) -> Step:
        choose, layers = self.random, [layer_bit(0), layer_bit(LAYER_MODEL), layer_bit(LAYER_VIEW)]
        how: Step = {}
        for right in ("send_layers", "observe_layers"):
            if choose.random() < 0.6:
                how[right] = choose.choice(layers) | choose.choice(layers)
        if choose.random() < 0.15:
            how["flags"] = choose.choice([SENDS_NOTHING, OBSERVES_NOTHING])
        if choose.random() < 0.6:
            how["limit_observers"] = choose.randint(1, 3)
        return how

    def scope_end_arguments(self) -> Step:
        return {"scope": self.pick({"own": 4, self.random.randint(1, 7): 4, "last": 3, 0: 0.3})}

    def cancel_arguments(self) -> Step:
        return {"which": self.some()}

    cancel_wait_arguments = subscription_from_arguments = cancel_arguments

    def pending_cancel_arguments(self) -> Step:
        return {"which": self.pick({"last": 3, self.random.randint(0, 5): 3})}

    pending_position_arguments = retained_release_arguments = pending_cancel_arguments

    def drain_arguments(self) -> Step:
        return {"scope": self.scope(), "limit": self.pick({0: 3, 1: 2, 2: 1})}

    def flush_arguments(self) -> Step:
        return {"scope": self.scope()}

    wait_arguments = stats_arguments = flush_arguments
    interrupt_prepare_arguments = flush_arguments
    now_arguments = next_timeout_arguments = readable_arguments = flush_arguments

    def close_arguments(self) -> Step:
        return {"scope": self.pick({0: 3, "own": 1})}

    def fail_arguments(self) -> Step:
        return {"code": self.pick({APP: 4, APP + 1: 4, 0: 0.3})}


def write(seed: int, any_thread: bool, about: tuple[str, ...] = ()) -> Step:
    """The script of a seed, for a context of one thread or of any thread."""
    return Author(seed, about).write(any_thread)

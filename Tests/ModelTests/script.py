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
from typing import Any, Dict

from contract import (
    APP,
    CONFIRM,
    LAYER_MODEL,
    LAYER_VIEW,
    OBSERVE_FAILED,
    OBSERVE_SUCCEEDED,
    PAYLOAD_BYTES,
    PAYLOAD_JSON,
    PAYLOAD_NONE,
    PAYLOAD_STRUCT,
    PAYLOAD_TEXT,
    ROLE_NOTICE,
    ROLE_REQUEST,
    ROLE_RESPONSE,
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
FOREIGN = ("send", "post", "respond", "cancel", "observe")


class Author:
    """Writes one script."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0

    def write(self, any_thread: bool) -> Step:
        """A script: how its contexts are opened, and what the host does from outside."""
        choose = self.random
        contexts = [any_thread] + ([not any_thread] if choose.random() < 0.2 else [])
        steps = [
            self.new("type_add", scope=context, name=name, other=False)
            for context in range(len(contexts))
            for name in range(choose.randint(2, 7))
        ]
        for kind in ("observe", "server_add"):
            for _ in range(choose.randint(0, 3)):
                arguments = getattr(self, f"{kind}_arguments")(0)
                on = choose.randrange(len(contexts))
                steps.append(self.new(kind, **{**arguments, "scope": on}))
        return {"contexts": contexts, "steps": steps + self.steps(0, choose.randint(6, 30))}

    def steps(self, depth: int, count: int) -> list[Step]:
        return [self.step(depth) for _ in range(count)]

    def pick(self, weights: dict[Any, float]) -> Any:
        return self.random.choices(list(weights), list(weights.values()))[0]

    def new(self, kind: str, **arguments: Any) -> Step:
        self.count += 1
        return {"kind": kind, "id": self.count, **arguments}

    def step(self, depth: int) -> Step:
        kind = self.pick(CALLBACK_WEIGHTS if depth else OUTSIDE_WEIGHTS)
        make = getattr(self, f"{kind}_arguments", dict)
        if kind in ("observe", "server_add", "request"):
            step = self.new(kind, **make(depth))
        else:
            step = self.new(kind, **make())
        if kind in FOREIGN and self.random.random() < (0.25 if kind == "respond" else 0.06):
            step["foreign"] = True
        return step

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
        if self.random.random() < 0.2:
            return None
        if depth >= DEPTH or self.random.random() < 0.6:
            return []
        kinds = {"send": 5, "post": 1, "cancel": 2, "observe": 2, "close": 1, "scope_end": 1}
        step = self.step(depth + 1)
        while step["kind"] not in kinds:
            step = self.step(depth + 1)
        return [step]

    # References ---------------------------------------------------------------------------------

    def scope(self) -> str | int:
        """`own` is the handle an event came with; a number counts through all handles."""
        return self.pick({"own": 4, 0: 5, 1: 2, self.random.randint(2, 7): 3, "last": 2})

    def some(self) -> str | int:
        index = self.random.randint(0, 9)
        return self.pick({"self": 4, "later": 3, "earlier": 2, "last": 2, index: 3})

    def type(self) -> int:
        return self.random.randint(0, 9)

    def data(self) -> str:
        return self.pick({"good": 24, "bad": 1})

    # Arguments ----------------------------------------------------------------------------------

    def send_arguments(self) -> Step:
        return {"scope": self.scope(), "type": self.type(), "data": self.data()}

    post_arguments = send_arguments

    def request_arguments(self, depth: int) -> Step:
        calls = None if self.random.random() < 0.2 else self.calls(depth)[:1]
        asks = self.pick({True: 9, False: 1})
        return {**self.send_arguments(), "calls": calls, "asks": asks}

    def observe_arguments(self, depth: int) -> Step:
        return {
            "scope": self.scope(),
            "filter": self.filter(),
            "calls": self.calls(depth),
            "hook": self.hook(depth),
        }

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
        rows = [
            [self.pick({0: 7, 3: 3, 6: 3, 7: 1, 2: 1, 9: 1}), self.handler(depth)]
            for _ in range(self.pick({1: 4, 2: 2, 3: 1}))
        ]
        return {"scope": self.scope(), "rows": rows, "hook": self.hook(depth)}

    def handler(self, depth: int) -> list[list[Step]]:
        """A handler mostly answers at once, sometimes keeps the request, sometimes neither."""
        calls = self.calls(depth) + [[] for _ in range(self.random.randint(0, 3))]
        for steps in calls:
            first = self.pick({"respond": 4, "retain": 3, None: 3})
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
        return {"scope": self.scope()}

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

    def close_arguments(self) -> Step:
        return {"scope": self.pick({0: 3, "own": 1})}

    def fail_arguments(self) -> Step:
        return {"code": self.pick({APP: 4, APP + 1: 4, 0: 0.3})}


def write(seed: int, any_thread: bool) -> Step:
    """The script of a seed, for a context of one thread or of any thread."""
    return Author(seed).write(any_thread)

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A handle with other bits is none, unless somebody made that one, too.

That can be said only of a process in which all handles are known: a context that another test left
open may have the neighboring ones.
"""

from __future__ import annotations

import random
from pathlib import Path

from mainstem._library import _header as d

from .calls import CONTEXTS, good, invoke, named
from .counters import counters
from .header import FUNCTIONS
from .world import World

SUBSCRIPTIONS = ("subscription", "mailbox", "on_demand")
#: Where a navigator is: its handles are neighbors of all others.
NAVIGATING = ("navigating", "routed")


def check(threads, folder):
    """Passes each function handles with other bits; for a fresh process."""
    world = World(d.THREADS_ONE if threads == "one" else d.THREADS_ANY, Path(folder))
    chance = random.Random(20260101)
    calls = {
        name: good(world, name)
        for name, function in FUNCTIONS.items()
        if function.is_status
        and function.parameters[0].handle
        and CONTEXTS.get(name) not in NAVIGATING
    }
    live = {*world.handles().values(), 0}
    # A neighbor of a subscription may be that of a handler.
    turned = [value for name, value in world.handles().items() if name not in SUBSCRIPTIONS]
    before = counters(world)
    for name, arguments in calls.items():
        first = next(iter(arguments))
        for real in turned:
            garbage = {real ^ 1 << bit for bit in range(64)} | {chance.getrandbits(64)}
            garbage |= {real + chance.randint(-1000, 1000) & (1 << 64) - 1}
            for handle in garbage - live:
                status, message = invoke(name, {**arguments, first: handle})
                assert named(status) in ("STALE", "WRONG_KIND"), (f"{handle:#x}", message)

    assert counters(world) == before
    world.close()

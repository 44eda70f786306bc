# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Where an observer's calls run, and how much may wait for them."""

from __future__ import annotations

import ctypes
from typing import Literal, NamedTuple, Optional, Union

from ._library import C, whole
from ._library import _header as d
from .failure import check, encoded

_NAMES = {None: d.SCHEDULER_IMMEDIATE, "immediate": d.SCHEDULER_IMMEDIATE, "host": d.SCHEDULER_HOST}
#: What happens when a queue is full.
Policy = Literal["reject", "block", "drop-oldest", "drop-newest", "latest"]
POLICIES = {
    "reject": d.QUEUE_REJECT,
    "block": d.QUEUE_BLOCK,
    "drop-oldest": d.QUEUE_DROP_OLDEST,
    "drop-newest": d.QUEUE_DROP_NEWEST,
    "latest": d.QUEUE_LATEST,
}
_LONGEST_SPIN = (1 << 32) - 1


class Scheduler(NamedTuple):
    """A thread of the library's own for observers: `Context.serial` makes it, the close ends it."""

    #: Its number in its context.
    number: int
    #: Its name; the first 15 bytes are the thread's name.
    name: str


#: Where an observer is called: "immediate", "host", or a serial scheduler.
On = Union[Literal["immediate", "host"], Scheduler, None]


class Queue(NamedTuple):
    """Where an observer's events wait, how many may wait, and what happens when it is full."""

    scheduler: int = d.SCHEDULER_IMMEDIATE
    policy: int = d.QUEUE_REJECT
    events: int = 0
    bytes: int = 0
    on_demand: bool = False

    def write(self, options: Union[d.ObserveOptions, d.ServerOptions]) -> None:
        """Writes the queue into the options of an observer or a server."""
        options.scheduler = self.scheduler
        options.policy = self.policy
        options.limit_events = self.events
        options.limit_bytes = self.bytes
        options.flags |= d.OBSERVE_ON_DEMAND if self.on_demand else 0


def queue_of(
    on: On = None, policy: Optional[str] = None, limit: int = 0, limit_bytes: int = 0
) -> Queue:
    """Makes the queue an observer asks for, after checking the arguments."""
    if policy not in (None, *POLICIES):
        raise TypeError(f"policy is one of {', '.join(POLICIES)}, not {policy!r}")
    bounds = whole(limit, "limit"), whole(limit_bytes, "limit_bytes")
    queue = Queue(_number(on), POLICIES[policy or "reject"], *bounds)
    if queue.scheduler == d.SCHEDULER_IMMEDIATE and (policy or limit or limit_bytes):
        raise TypeError(
            "policy, limit, limit_bytes: nothing waits for an observer that is called at once:"
            ' say on="host" or on=context.serial(…)'
        )
    return queue


def _number(on: On) -> int:
    if isinstance(on, Scheduler):
        return on.number
    if on not in _NAMES:
        raise TypeError(f'on is "immediate", "host" or a serial scheduler, not {on!r}')
    return _NAMES[on]


def add_serial(handle: int, name: str, spin: float) -> Scheduler:
    """Adds a serial scheduler; its thread looks for work for `spin` seconds before it sleeps."""
    microseconds = round(spin * 1_000_000)
    if not 0 <= microseconds <= _LONGEST_SPIN:
        raise ValueError(f"spin is {spin} s")
    number = ctypes.c_uint32()
    check(
        C.mainstem_scheduler_add(handle, encoded(name, "name"), microseconds, ctypes.byref(number))
    )
    return Scheduler(number.value, name)

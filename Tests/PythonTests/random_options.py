# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What is drawn before a random program begins: its context, its length, its queues."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

from mainstem import Context, Limits
from mainstem.observers._calls import POLICIES


class Options(NamedTuple):
    """What kind of context it is, and what observes besides."""

    seed: int
    steps: int
    threads: str
    clock: str
    deliver: str
    host: Optional[str]
    serial: Optional[str]
    mailbox: Optional[str]
    on_demand: Optional[str]
    room: int
    limits: Limits
    history: float
    activity: bool

    @property
    def shows(self) -> bool:
        """Whether its servers show."""
        return self.seed % 3 > 0

    @property
    def has_thread(self) -> bool:
        """Whether a thread of the library's own sends, and delivers."""
        return self.serial is not None and self.clock == "monotonic"

    @classmethod
    def drawn(cls, random: Any) -> "Options":
        """Some options."""
        threads = random.choice(("one", "any", "guarded"))
        clock = random.choice(("monotonic", "virtual"))
        # "block" waits for another thread. In a context of one thread a send is refused where only
        # that thread could make room. With any thread it would wait for ever.
        policies = ("drop-oldest", "drop-newest", "latest", "reject")
        if threads == "one":
            policies += ("block",)

        def perhaps(chance: float, some: Any = policies) -> Any:
            return random.choice(some) if random.random() < chance else None

        deliver = random.choice(("immediate", "immediate", "host"))
        real = clock == "monotonic" and threads == "any"
        waiting = tuple(POLICIES) if real and deliver == "immediate" else policies
        return cls(
            seed=random.randrange(1, 1 << 60),
            steps=random.randrange(1, 40),
            threads=threads,
            clock=clock,
            deliver=deliver,
            host=perhaps(0.5),
            serial=perhaps(0.4, waiting) if real or clock == "virtual" else None,
            mailbox=perhaps(0.3),
            on_demand=perhaps(0.3),
            room=random.choice((2, 5, 20, 0)),
            limits=Limits(
                observers=random.choice((0, 0, 39, 43)),
                cascade=random.choice((0, 0, 3, 8)),
                events=random.choice((0, 0, 5, 30)),
                posts=random.choice((0, 0, 3)),
            ),
            history=random.choice((0, 0, 60, 0.002 if clock == "virtual" else 60)),
            activity=random.random() < 0.4,
        )

    def blocks(self) -> bool:
        """Whether a queue may let its sender wait."""
        return "block" in (self.host, self.serial, self.mailbox, self.on_demand)

    def open(self) -> Context:
        """A context of that kind."""
        return Context(
            threads=self.threads,
            clock=self.clock,
            deliver=self.deliver,
            seed=self.seed,
            limits=self.limits,
            interrupts=True,
            on_exception=lambda exception, event: None,
        )

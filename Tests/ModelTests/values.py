# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the model is made of: events, subscriptions, scopes, and what is kept or open."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable

from contract import CONFIRM, OBSERVE_FAILED, OBSERVE_SUCCEEDED, OK, ROLE_MASK, layer_bit


@dataclass
class EventType:
    number: int
    name: str
    contract: int
    response: str | None


@dataclass(eq=False)
class Scope:
    """A context (no parent), a scope, or a server (it has handled types)."""

    stream: Any
    name: str
    parent: Scope | None
    ended: bool = False
    handles: set[int] = field(default_factory=set)

    def within(self, other: Scope) -> bool:
        """Whether this is the other scope or hangs below it."""
        return self is other or (self.parent is not None and self.parent.within(other))


@dataclass(eq=False)
class Event:
    """An event on the stream; as a callback gets it, `context` says through which handle."""

    type: int
    payload: bytes
    origin: str
    cause: int = 0
    correlation: int = 0
    answers: int = 0
    status: int = OK
    flags: int = 0
    position: int = 0
    completion: Completion | None = None
    context: Scope | None = None
    failed: bool = False
    fail: Callable[[int, str], None] | None = None
    confirmed: bool = False

    @property
    def text(self) -> str:
        if self.status == OK:
            return ""
        sentence, text = self.payload.split(b"\0")[:2]
        return (text or sentence).decode()


@dataclass
class Completion:
    """The function of a request, and where it was asked."""

    fn: Callable[[Event], None]
    scope: Scope
    #: The request is an input: what is sent here is one too.
    is_outside: bool = False


@dataclass
class Filter:
    """Which events an observer looks at: those that match every line."""

    flags: int = 0
    types: list[int] | None = None
    role: int = 0
    layers: int = 0
    count: int = 0

    def matches(self, event: Event, contract: int) -> bool:
        if self.types is not None and event.type not in self.types:
            return False
        if self.role and contract & ROLE_MASK != self.role:
            return False
        if self.layers and not layer_bit(contract) & self.layers:
            return False
        if self.flags & OBSERVE_FAILED and event.status == OK:
            return False
        return not (self.flags & OBSERVE_SUCCEEDED and event.status != OK)


@dataclass(eq=False)
class Subscription:
    scope: Scope
    filter: Filter
    fn: Callable[[Event], None]
    hook: Callable[[], None] | None
    starts_after: int
    is_handler: bool = False
    calls: int = 0
    failures: int = 0
    cancelled: bool = False
    released: bool = False

    @property
    def confirms(self) -> bool:
        return bool(self.filter.flags & CONFIRM)


@dataclass(eq=False)
class Retained:
    event: Event
    released: bool = False


@dataclass(eq=False)
class Pending:
    """A tracked request that waits for its answer."""

    event: Event
    scope: Scope
    completion: Completion | None
    handled: bool = False

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the model is made of: events, subscriptions, scopes, and what is kept or open."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, field
from typing import Any, Callable, Tuple

from reference.contract import QUEUE_BYTES, QUEUE_EVENTS, layer_bit
from reference.declarations import d

#: Key and payload of a row of a list.
Row = Tuple[bytes, bytes]


@dataclass
class EventType:
    number: int
    name: str
    contract: int
    response: str | None
    #: How many of its requests were left without an answer.
    forgotten: int = 0

    @property
    def is_list(self) -> bool:
        return bool(self.contract & d.LIST)


@dataclass(eq=False)
class Scope:
    """A context (no parent), a scope, or a server (it has handled types)."""

    stream: Any
    name: str
    parent: Scope | None
    ended: bool = False
    is_server: bool = False
    handles: set[int] = field(default_factory=set)
    #: Of a server: the types that it handles where they are sent through it.
    owns: set[int] = field(default_factory=set)
    #: Of a server: the last position accepted when it was added.
    since: int = 0
    #: The last position when it ended.
    until: float = math.inf
    #: What it may do, a bit for each layer, and how many observers it may have (0 = as the parent).
    send_layers: int = -1
    observe_layers: int = -1
    limit_observers: int = 0
    denied: int = 0
    #: Of a server: its show function, how often that failed, and the answers that wait for it.
    show: Callable[[Scope], int] | None = None
    failures: int = 0
    held: list[Event] = field(default_factory=list)
    #: Of the server of a service: that; of a scope that a service made: that service.
    service: Any = None
    instance_of: Any = None
    #: Of a model: its commands; of a reactor: its table.
    commands: list[Any] = field(default_factory=list)
    reactor: Any = None
    #: Whether an open made it, and for which scope; whether it has asked for one; its end is told.
    is_opened: bool = False
    opener: Scope | None = None
    has_asked: bool = False
    is_ending: bool = False
    #: Whether it has been a child of mainstem_children_set.
    was_child: bool = False

    @property
    def is_limited(self) -> bool:
        return self.send_layers != -1 or self.observe_layers != -1

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
    status: int = d.OK
    flags: int = 0
    position: int = 0
    time: int = 0
    #: An answer to a tracked request, or a report of the library's own: no queue refuses it.
    is_owed: bool = False
    #: No callback sent it.
    is_foreign: bool = False
    is_post: bool = False
    #: Of an answer: the request that it settles, and who gave it; None: the library itself.
    settles: Pending | None = None
    answerer: Scope | None = None
    #: Causes from it back to the outside event.
    depth: int = 0
    promises: list[Subscription] = field(default_factory=list)
    completion: Completion | None = None
    step_of: Pending | None = None
    #: The scope whose end it tells.
    ends: Scope | None = None
    context: Scope | None = None
    failed: bool = False
    fail: Callable[[int, str], None] | None = None
    confirmed: bool = False
    #: Of a list: its rows, the number of this version, and the event that it follows.
    rows: tuple[Row, ...] | None = None
    #: Which part of a longer sequence it is: its offset, and how many rows the sequence has.
    window: tuple[int, int] = (0, 0)
    version: int = 0
    before: Event | None = None
    #: Of a list: the scope that sets it, and whether its end was told before, so that it is whole.
    shower: Scope | None = None
    is_anew: bool = False

    def copy(self) -> Event:
        """The event as one more observer gets it."""
        return copy.copy(self)

    @property
    def text(self) -> str:
        if self.status == d.OK:
            return ""
        message, text = self.payload.split(b"\0")[:2]
        return (text or message).decode()


Callback = Callable[[Event], None]


@dataclass(eq=False)
class Completion:
    """The functions of a request, and where it was asked."""

    fn: Callable[[Event], None] | None
    scope: Scope
    #: The request is an input: what is sent here is one too.
    is_outside: bool = False
    progress: Callable[[Event], None] | None = None
    hook: Callable[[], None] | None = None
    scheduler: int = 0
    #: Of a request that the library asks for several askers.
    group: Group | None = None


class Told(Completion):
    """A server's function for when somebody else settles a request. It gets no event."""


@dataclass(eq=False)
class Group:
    """Those who ask the same, in the order of asking, and the request that is asked for them."""

    key: tuple[Any, ...]
    askers: list[Pending] = field(default_factory=list)
    inner: Pending | None = None


@dataclass(eq=False)
class Joined:
    """An asker's place in its group, among those who hear that it is settled."""

    group: Group
    pending: Pending


@dataclass
class Gap:
    """What a subscription lost in a row."""

    first: int
    last: int = 0
    count: int = 1

    def __post_init__(self) -> None:
        self.last = self.first

    def add(self, position: int) -> None:
        self.last = position
        self.count += 1


@dataclass
class History:
    """What is kept of a type: its events, each with the time at which it was kept, or None."""

    count: int
    age: int
    #: The last position accepted when it began.
    starts_after: int
    events: list[tuple[Event, int | None]] = field(default_factory=list)


@dataclass
class Filter:
    """Which events an observer looks at: those that match every line."""

    flags: int = 0
    types: list[int] | None = None
    role: int = 0
    layers: int = 0
    count: int = 0
    scheduler: int = 0
    policy: int = 0
    limit_events: int = 0
    limit_bytes: int = 0
    #: Only what was sent through this scope.
    of: Any = None

    def matches(self, event: Event, contract: int) -> bool:
        if not self.has_type(event.type, contract) or not self.has_origin(event):
            return False
        if self.flags & d.OBSERVE_WRITTEN and not event.flags & d.EVENT_WRITTEN:
            return False
        if self.flags & d.OBSERVE_FAILED and event.status == d.OK:
            return False
        return not (self.flags & d.OBSERVE_SUCCEEDED and event.status != d.OK)

    def has_type(self, number: int, contract: int) -> bool:
        return (self.types is None or number in self.types) and self.concerns(contract)

    def has_origin(self, event: Event) -> bool:
        return self.of is None or event.origin == self.of.name

    def concerns(self, contract: int) -> bool:
        """Whether role and layer of a type are looked at."""
        if self.role and contract & d.ROLE_MASK != self.role:
            return False
        return not self.layers or bool(layer_bit(contract) & self.layers)


@dataclass(eq=False)
class Subscription:
    scope: Scope
    filter: Filter
    fn: Callable[[Event], None]
    hook: Callable[[], None] | None
    starts_after: int
    is_handler: bool = False
    #: Of a handler: what it does to the values of its server.
    effect: int = 0
    #: Of a handler: it says that others handle its type, too.
    is_one_of_several: bool = False
    #: A handler of an instance of a service: it gets what others send, too.
    is_for_others: bool = False
    has_fn: bool = True
    #: What matched and was given to its queue, or called at once.
    matched: int = 0
    calls: int = 0
    dropped: int = 0
    asked: int = 0
    #: Events that were accepted for it and have not been handed over.
    promised: list[Event] = field(default_factory=list)
    failures: int = 0
    running: bool = False
    cancelled: bool = False
    released: bool = False
    #: The binding that it keeps.
    binding: Any = None
    #: Requests that waited for it when it was cancelled.
    dropped_requests: list[Event] = field(default_factory=list)
    #: The positions of the first and the last event of a list that it has lost.
    lost_lists: tuple[int, int] | None = None
    #: Of one that gets nothing late: the lists of which it has got something, by type and origin.
    lists: set[tuple[int, str]] = field(default_factory=set)

    @property
    def confirms(self) -> bool:
        return bool(self.filter.flags & d.OBSERVE_CONFIRM)

    @property
    def on_demand(self) -> bool:
        return bool(self.filter.flags & d.OBSERVE_ON_DEMAND)

    @property
    def limit_events(self) -> int:
        return (
            1 if self.filter.policy == d.QUEUE_LATEST else self.filter.limit_events or QUEUE_EVENTS
        )

    @property
    def limit_bytes(self) -> int:
        return self.filter.limit_bytes or QUEUE_BYTES


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
    #: How many can answer it: its delivery, what waits for handlers, what is retained.
    holders: int = 1
    #: A handler that got it has failed.
    has_failed: bool = False
    #: The instance of a service that got it.
    served: Scope | None = None
    #: What servers want called when somebody else settles it.
    told: list[Told | Joined] = field(default_factory=list)
    #: In whose fetches it was asked.
    fetches: dict[str, int] = field(default_factory=dict)
    #: The run of a command that it is.
    run: Any = None
    due: int = 0
    armed: int = 0


@dataclass(eq=False)
class Timer:
    """An event that is sent later, once (no period) or again and again."""

    scope: Scope
    type: int
    payload: bytes
    period: int
    due: int = 0
    armed: int = 0
    ended: bool = False


@dataclass
class Asked:
    """How a request is asked, where it is not asked plainly."""

    scheduler: int = 0
    timeout_ms: int = 0
    progress: Callable[[Event], None] | None = None
    hook: Callable[[], None] | None = None
    share: bool = False

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Counts how often scripts reach the situations in which a stream goes wrong."""

from __future__ import annotations

from collections import Counter
from typing import Any, Iterable

from contract import BUSY, CANCELLED, FAILURE_TYPE, OK, STALE, UNHANDLED
from player import Player
from reference import Reference
from script import Step
from stream import Stream
from values import Event, Pending, Scope, Subscription

SITUATIONS = [
    "cancel inside the own callback",
    "cancel of a peer that was still to be called",
    "cancel from another thread",
    "count used up",
    "observe in a callback",
    "observe in a callback while events wait",
    "type registered in a callback",
    "hook between two calls of one event",
    "hook that sends",
    "scope ended inside its own callback",
    "request inside a callback",
    "answered inside the handler",
    "answered later",
    "answered from another thread",
    "second answer refused",
    "unhandled",
    "last server ended while open",
    "asking scope ended while open",
    "one of several servers ended while open",
    "two servers called",
    "completion that sends",
    "fourth failure",
    "failure in a report",
    "wait refused in a callback",
    "chain of five events",
    "send from a callback of another context",
    "post inside a callback",
    "closed with open requests",
    "closed with waiting posts",
    "closed with observers",
]


class CountingStream(Stream):
    def put(self, event: Event, pending: Pending | None = None) -> None:
        frames = self.process.frames[self.process.thread]
        if frames and frames[-1].stream is not self:
            self.census["send from a callback of another context"] += 1
        if frames and frames[-1].event is None:
            self.census["hook that sends"] += 1
        if frames and frames[-1].event and frames[-1].event.completing:
            self.census["completion that sends"] += 1
        super().put(event, pending)

    def accept(self, event: Event) -> int:
        event.depth = self.depths.get(event.cause, 0) + 1
        event.completing = False
        position = super().accept(event)
        self.depths[position] = event.depth
        if event.depth == 5:
            self.census["chain of five events"] += 1
        return position

    def reach(self, event: Event) -> None:
        self.reaching, self.handlers_called = event, 0
        super().reach(event)
        self.reaching = None

    def complete(self, event: Event) -> None:
        event.completing = True
        super().complete(event)

    def call_subscription(self, subscription: Subscription, event: Event) -> None:
        self.running = subscription
        self.handlers_called += subscription.is_handler
        if self.handlers_called == 2 and subscription.is_handler and event.flags & 2:
            self.census["two servers called"] += 1
        super().call_subscription(subscription, event)
        self.running = None

    def report(self, event: Event, scope: Scope, failed: Any, count: int) -> None:
        self.census["fourth failure"] += count == 4
        self.census["failure in a report"] += event.type == FAILURE_TYPE
        super().report(event, scope, failed, count)

    def is_used_up(self, subscription: Subscription) -> bool:
        used_up = super().is_used_up(subscription)
        self.census["count used up"] += used_up
        return used_up

    def cancel(self, subscription: Subscription) -> None:
        in_callback = self.process.frame(self) is not None
        if in_callback and self.reaching and self.is_due(subscription, self.reaching):
            peers = self.subscriptions
            if subscription is self.running:
                self.census["cancel inside the own callback"] += 1
            elif self.running in peers and peers.index(subscription) > peers.index(self.running):
                self.census["cancel of a peer that was still to be called"] += 1
        if self.process.thread and self.owner is not None:
            self.census["cancel from another thread"] += 1
        super().cancel(subscription)

    def run_hooks(self) -> None:
        if self.unreleased and self.reaching:
            self.census["hook between two calls of one event"] += 1
        super().run_hooks()

    def end_scope(self, scope: Scope) -> None:
        if self.running and self.running.scope.within(scope):
            self.census["scope ended inside its own callback"] += 1
        super().end_scope(scope)

    def cancel_open(self, types: set[int], scopes: list[Scope]) -> None:
        for request in self.open_requests():
            if request.event.type in types and self.is_served(request.event.type):
                self.census["one of several servers ended while open"] += 1
            if request.scope in scopes:
                self.census["asking scope ended while open"] += 1
        super().cancel_open(types, scopes)

    def answer_for_core(self, request: Event, status: int, cause: Event | None = None) -> None:
        self.census["unhandled"] += status == UNHANDLED
        if status == CANCELLED and not self.closing:
            self.census["last server ended while open"] += request.position in self.open
        super().answer_for_core(request, status, cause)

    def close(self) -> None:
        self.census["closed with open requests"] += bool(self.open)
        self.census["closed with waiting posts"] += bool(self.posts)
        self.census["closed with observers"] += bool(self.subscriptions)
        super().close()


class CountingReference(Reference):
    def __init__(self, census: Counter) -> None:
        super().__init__()
        self.census = census

    def create(self, any_thread: bool) -> Scope:
        stream = CountingStream(self.process, any_thread)
        stream.census, stream.depths = self.census, {}
        stream.reaching = stream.running = None
        return stream.root

    def count_in_callback(self, scope: Scope, situation: str) -> bool:
        inside = self.process.frame(scope.stream) is not None
        self.census[situation] += inside
        return inside

    def type_add(self, scope: Scope, name: str, contract: int, response: str | None) -> Any:
        known = len(scope.stream.types)
        outcome = super().type_add(scope, name, contract, response)
        if len(scope.stream.types) > known:
            self.count_in_callback(scope, "type registered in a callback")
        return outcome

    def observe(self, scope: Scope, *arguments: Any) -> Any:
        outcome = super().observe(scope, *arguments)
        if outcome[0] == OK and self.count_in_callback(scope, "observe in a callback"):
            waiting = bool(scope.stream.queue)
            self.census["observe in a callback while events wait"] += waiting
        return outcome

    def request(self, scope: Scope, *arguments: Any) -> Any:
        outcome = super().request(scope, *arguments)
        if outcome[0] == OK:
            self.count_in_callback(scope, "request inside a callback")
        return outcome

    def post(self, scope: Scope, *arguments: Any) -> int:
        status = super().post(scope, *arguments)
        if status == OK:
            self.count_in_callback(scope, "post inside a callback")
        return status

    def give(self, event: Event, code: int, data: bytes) -> int:
        status = super().give(event, code, data)
        if status == STALE and not event.context.stream.closed:
            self.census["second answer refused"] += 1
        elif status == OK and event.flags & 2:
            frame = self.process.frame(event.context.stream)
            in_handler = bool(frame) and frame.event is event
            self.census["answered inside the handler" if in_handler else "answered later"] += 1
            self.census["answered from another thread"] += bool(self.process.thread)
        return status

    def check_waiting(self, scope: Scope) -> int:
        status = super().check_waiting(scope)
        self.census["wait refused in a callback"] += status == BUSY
        return status


def take_census(scripts: Iterable[Step]) -> Counter:
    """How often each situation came up."""
    census: Counter = Counter()
    for script in scripts:
        Player(CountingReference(census), script).play()
    return census

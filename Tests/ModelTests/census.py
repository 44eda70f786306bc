# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Counts how often scripts reach the situations in which a stream goes wrong."""

from __future__ import annotations

from collections import Counter
from typing import Any, Iterable

from counting import CountingStream
from player import Player
from reference.declarations import d
from reference.flow.effects import is_refused
from reference.flow.services import Service
from reference.flow.values import Event, Scope, Told
from reference.model import Reference, Stream
from reference.state.reactors import Table
from script import Step

SITUATIONS = [
    "cancel inside the own callback",
    "cancel of a peer that was still to be called",
    "cancel from another thread",
    "cancel from another thread in a call on a scheduler",
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
    "closed with waiting events",
    "closed with waiting answers",
    "call on the host's scheduler",
    "call on a serial scheduler",
    "call on demand",
    "answer on a scheduler",
    "send refused by a queue",
    "send in a callback refused by a queue",
    "lost by a queue that refuses",
    "oldest lost",
    "oldest lost on demand",
    "newest lost",
    "losses in a row",
    "gap told",
    "mailbox fetched",
    "mailbox fetched in part",
    "timer fired",
    "periodic timer fired",
    "scope ended with a timer",
    "request timed out",
    "late event",
    "late event on a scheduler",
    "history pushed out",
    "held events delivered",
    "progress from another thread",
    "server ended that a newer one replaces",
    "denied",
    "chain too long",
    "stream full",
    "budget of observers used up",
    "owner opened",
    "owner opened for an owner",
    "factory failed",
    "service made by a request",
    "service made by a find",
    "service made in a callback",
    "service failed",
    "service found again",
    "instance of one's own asked",
    "request lost with its service",
    "end of an owner told",
    "end of who asked told",
    "scope found",
    "ended scope not found",
    "posted from an interrupt",
    "posts full",
    "handler called on a scheduler",
    "request refused by the queue of a server",
    "server ended while requests waited for it",
    "call of an observer of one origin",
    "call of an observer of one origin that has ended",
    "call of an own handler",
    "late event of one origin",
    "unhandled beside an own handler",
    "asked together with others",
    "the last asker gave up",
    "set of what is there",
    "set of what callbacks have on its way",
    "set of what waits from outside",
    "late value",
    "late value of one origin",
    "value that ended with its scope",
    "told that another server answered",
    "told that nobody waits",
    "told on a scheduler",
    "told at once",
    "told only by the hook",
    "shown after an event",
    "shown first before an event",
    "shown first after the event of a callback",
    "two servers shown after one event",
    "answer held until the show",
    "answer held until the end of a server",
    "show failed",
    "show without room",
    "call refused in a show",
    "value kept from a handler that fetches",
    "value kept from what a fetch asks",
    "value kept from a completion in a fetch",
    "value kept from a show after a fetch",
    "value kept from a fetch in a fetch",
    "value shown first in a fetch",
    "value changed beside a fetch",
    "handler refused for its effect",
    "handler refused beside another",
    "handler beside another",
    "mutated by an action",
    "mutated by an action later",
    "merged",
    "mutation refused",
    "mutation dropped",
    "mutated outside the reactor",
    "pulse without room",
]


class CountingReference(Reference):
    def __init__(self, census: Counter) -> None:
        super().__init__()
        self.census = census

    def create(self, how: dict[str, int]) -> Scope:
        stream = CountingStream(self.process, how)
        self.streams.append(stream)
        stream.census, stream.depths = self.census, {}
        stream.reaching, stream.running, stream.completing = None, None, []
        return stream.root

    def server_add(self, parent: Scope, name: str | None, rows: Any, *rest: Any) -> Any:
        is_wrong = any(is_refused(flags, row) for row, _, flags in rows)
        self.census["handler refused for its effect"] += is_wrong
        return super().server_add(parent, name, rows, *rest)

    def has_rival(self, stream: Stream, table: list[tuple[int, int]]) -> bool:
        found = super().has_rival(stream, table)
        self.census["handler refused beside another"] += found
        self.census["handler beside another"] += not found and any(
            self.rivals(stream, number, bool(flags & d.HANDLER_OWN)) for number, flags in table
        )
        return found

    def scope_find(self, through: Scope, number: int) -> Any:
        status, found = super().scope_find(through, number)
        lives = number in [self.scope_number(each) for each in through.stream.scopes]
        if not status and number:
            self.census["scope found"] += found is not None
            self.census["ended scope not found"] += not lives
        return status, found

    def open_one(
        self, name: str, home: Scope, make: Any, event: Event, service: Any = None
    ) -> None:
        known = set(home.stream.scopes)
        super().open_one(name, home, make, event, service)
        made = [each for each in home.stream.scopes if each not in known and each.is_opened]
        self.census["owner opened"] += bool(made)
        self.census["owner opened for an owner"] += any(each.opener.is_opened for each in made)
        self.census["factory failed"] += not made

    def make_instance(self, service: Service, event: Event | None) -> int:
        is_find = event is not None and event.type == service.find
        how = "by a find" if is_find else "by a request" if event else "in a callback"
        status = super().make_instance(service, event)
        self.census["service failed" if status else f"service made {how}"] += 1
        return status

    def lives(self, service: Service) -> bool:
        lives = super().lives(service)
        self.census["service found again"] += lives
        return lives

    def is_instance(self, scope: Scope, service: Service) -> bool:
        is_instance = super().is_instance(scope, service)
        self.census["instance of one's own asked"] += is_instance and scope != service.instance
        return is_instance

    def reactor_mutate(self, action: Event, data: bytes) -> int:
        status = super().reactor_mutate(action, data)
        frames = self.process.frames[self.process.thread]
        in_action = bool(frames) and action.position == frames[-1].event.position
        if status == d.OK:
            self.census["mutated by an action" if in_action else "mutated by an action later"] += 1
        return status

    def reactor_merge(self, scope: Scope, data: bytes) -> int:
        status = super().reactor_merge(scope, data)
        self.census["merged"] += status == d.OK
        return status

    def check_writer(self, scope: Scope) -> int:
        status = super().check_writer(scope)
        self.census["mutated outside the reactor"] += bool(status and scope.reactor)
        return status

    def take(self, scope: Scope, data: bytes, send: Any) -> int:
        before, status = scope.reactor.state, super().take(scope, data, send)
        self.census["mutation refused"] += bool(status)
        self.census["mutation dropped"] += status == d.OK and scope.reactor.state == before
        return status

    def send_pulses(self, table: Table, scope: Scope, status: int) -> int:
        after = super().send_pulses(table, scope, status)
        self.census["pulse without room"] += after in (d.FULL, d.NO_MEMORY) and after != status
        return after

    def tell_at_once(self, stream: Stream, told: Told) -> None:
        self.census["told at once"] += 1
        super().tell_at_once(stream, told)

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
        if outcome[0] == d.OK and self.count_in_callback(scope, "observe in a callback"):
            waiting = bool(scope.stream.queue)
            self.census["observe in a callback while events wait"] += waiting
        return outcome

    def request(self, scope: Scope, *arguments: Any) -> Any:
        outcome = super().request(scope, *arguments)
        if outcome[0] == d.OK:
            self.count_in_callback(scope, "request inside a callback")
        return outcome

    def post(self, scope: Scope, *arguments: Any) -> int:
        status = super().post(scope, *arguments)
        if status == d.OK:
            self.count_in_callback(scope, "post inside a callback")
        return status

    def check_posts(self, stream: Stream) -> int:
        status = super().check_posts(stream)
        self.census["posts full"] += bool(status)
        return status

    def post_from_interrupt(self, scope: Scope, *arguments: Any) -> int:
        status = super().post_from_interrupt(scope, *arguments)
        self.census["posted from an interrupt"] += status == d.OK
        return status

    def give(self, event: Event, code: int, data: bytes) -> int:
        status = super().give(event, code, data)
        if status == d.STALE and not event.context.stream.gone:
            self.census["second answer refused"] += 1
        elif status == d.OK and event.flags & d.EVENT_TRACKED:
            frame = self.process.frame(event.context.stream)
            in_handler = bool(frame) and frame.event is event
            self.census["answered inside the handler" if in_handler else "answered later"] += 1
            self.census["answered from another thread"] += bool(self.process.thread)
        return status

    def check_outside_show(self, scope: Scope) -> int:
        status = super().check_outside_show(scope)
        self.census["call refused in a show"] += bool(status)
        return status

    def check_waiting(self, scope: Scope) -> int:
        status = super().check_waiting(scope)
        self.census["wait refused in a callback"] += status == d.BUSY
        return status


def take_census(scripts: Iterable[Step]) -> Counter:
    """How often each situation came up."""
    census: Counter = Counter()
    for script in scripts:
        Player(CountingReference(census), script).play()
    return census

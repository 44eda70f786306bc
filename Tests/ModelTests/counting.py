# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A stream of the model that counts the situations it comes to."""

from __future__ import annotations

from typing import Any

from reference.contract import FAILURE_TYPE
from reference.declarations import d
from reference.flow.schedulers import Entry
from reference.flow.values import (
    Completion,
    Event,
    EventType,
    Group,
    History,
    Joined,
    Pending,
    Scope,
    Subscription,
    Timer,
    Told,
)
from reference.model import Stream


class CountingStream(Stream):
    def tell_end(self, scope: Scope) -> None:
        self.census["end of an owner told" if scope.is_opened else "end of who asked told"] += 1
        super().tell_end(scope)

    def put(self, event: Event, pending: Pending | None = None) -> None:
        frames = self.process.frames[self.process.thread]
        if frames and frames[-1].stream is not self:
            self.census["send from a callback of another context"] += 1
        if frames and frames[-1].event is None:
            self.census["hook that sends"] += 1
        if frames and frames[-1].event in self.completing:
            self.census["completion that sends"] += 1
        super().put(event, pending)

    def accept(self, event: Event) -> int:
        event.depth = self.depths.get(event.cause, 0) + 1
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
        self.completing.append(event)
        super().complete(event)

    def call_subscription(self, subscription: Subscription, event: Event) -> None:
        self.running = subscription
        self.handlers_called += subscription.is_handler
        if self.handlers_called == 2 and subscription.is_handler and event.flags & d.EVENT_TRACKED:
            self.census["two servers called"] += 1
        of = subscription.filter.of
        if of is not None:
            self.census["call of an observer of one origin"] += 1
            self.census["call of an observer of one origin that has ended"] += of.ended
            self.census["call of an own handler"] += subscription.is_handler
            self.census["late event of one origin"] += bool(event.flags & d.EVENT_LATE)
        super().call_subscription(subscription, event)
        self.running = None

    def report(self, event: Event | None, scope: Scope, failed: Any, count: int) -> None:
        self.census["fourth failure"] += count == 4
        self.census["failure in a report"] += bool(event) and event.type == FAILURE_TYPE
        super().report(event, scope, failed, count)

    def has_all(self, subscription: Subscription) -> bool:
        has_all = super().has_all(subscription)
        self.census["count used up"] += has_all
        return has_all

    def check_right(self, scope: Scope, layers: int, known: EventType) -> int:
        status = super().check_right(scope, layers, known)
        self.census["denied"] += bool(status)
        return status

    def check_limits(self, event: Event) -> int:
        status = super().check_limits(event)
        self.census["chain too long"] += status == d.LIMIT
        self.census["stream full"] += status == d.FULL
        return status

    def has_budget(self, scope: Scope | None, count: int) -> bool:
        has_budget = super().has_budget(scope, count)
        self.census["budget of observers used up"] += not has_budget
        return has_budget

    def find_room(self, event: Event) -> bool:
        found = super().find_room(event)
        self.census["send refused by a queue"] += not found
        inside = self.process.frame(self) is not None
        self.census["send in a callback refused by a queue"] += not found and inside
        return found

    def turn_into_gap(self, subscription: Subscription, entry: Entry) -> None:
        self.census["oldest lost"] += 1
        self.census["oldest lost on demand"] += subscription.on_demand
        super().turn_into_gap(subscription, entry)

    def lose(self, subscription: Subscription, event: Event) -> None:
        policy = subscription.filter.policy
        refuses = self.refuses(subscription)
        self.census["lost by a queue that refuses"] += refuses
        self.census["newest lost"] += policy == d.QUEUE_DROP_NEWEST
        if self.share(subscription) and self.share(subscription)[-1].gap:
            self.census["losses in a row"] += 1
        super().lose(subscription, event)

    def run_entry(self, entry: Entry) -> None:
        number = self.scheduler_of(entry).number
        self.census["call on the host's scheduler"] += number == d.SCHEDULER_HOST
        self.census["call on a serial scheduler"] += number > d.SCHEDULER_HOST
        self.census["gap told"] += entry.gap is not None
        self.census["answer on a scheduler"] += isinstance(entry.owner, Completion)
        if isinstance(entry.owner, Subscription) and entry.owner.on_demand:
            self.census["call on demand"] += 1
        super().run_entry(entry)

    def fetch(self, subscription: Subscription, size: int) -> Any:
        fetched, needed = super().fetch(subscription, size)
        self.census["mailbox fetched"] += bool(fetched)
        self.census["mailbox fetched in part"] += bool(fetched and needed)
        return fetched, needed

    def fire(self, timer: Timer | Pending) -> None:
        self.census["request timed out"] += isinstance(timer, Pending)
        self.census["timer fired"] += isinstance(timer, Timer)
        if isinstance(timer, Timer):
            self.census["periodic timer fired"] += bool(timer.period)
        super().fire(timer)

    def end_timers(self, scopes: list[Scope]) -> None:
        self.census["scope ended with a timer"] += any(
            isinstance(each, Timer) and each.scope in scopes for each in self.timers
        )
        super().end_timers(scopes)

    def give_late(self, subscription: Subscription, event: Event) -> None:
        self.census["late event"] += 1
        self.census["late event on a scheduler"] += bool(subscription.filter.scheduler)
        is_value = self.is_value(self.types[event.type - 1])
        self.census["late value"] += is_value
        self.census["late value of one origin"] += is_value and bool(subscription.filter.of)
        super().give_late(subscription, event)

    def is_there(self, event: Event) -> bool:
        is_there = super().is_there(event)
        output, waits = self.last_output(event), self.last_input(event)
        inside = self.sends_output()
        self.census["set of what is there"] += is_there and not output
        self.census["set of what callbacks have on its way"] += is_there and inside and bool(output)
        self.census["set of what waits from outside"] += is_there and not inside and bool(waits)
        return is_there

    def broken_by(self, event: Event) -> int:
        broken, frame = super().broken_by(event), self.process.frame(self)
        if not broken:
            is_fetched = self.sends_output() and bool(self.fetches_in(frame))
            self.census["value changed beside a fetch"] += is_fetched
            return 0
        what = "what a fetch asks"
        if frame.is_show:
            what = "a show after a fetch"
        elif not frame.row:
            what = "a completion in a fetch"
        elif frame.row.effect & d.HANDLER_FETCH:
            is_own = frame.row.scope.name is event.origin
            what = "a handler that fetches" if is_own else "a fetch in a fetch"
        self.census[f"value kept from {what}"] += 1
        return broken

    def shows_first(self, event: Event) -> bool:
        is_first = super().shows_first(event)
        frame = self.process.frame(self)
        is_fetched = self.fetches(frame.shows, frame.event.type) or self.inherited(frame.event)
        self.census["value shown first in a fetch"] += is_first and bool(is_fetched)
        return is_first

    def end_values(self, ended: list[Scope]) -> None:
        before = len(self.present)
        super().end_values(ended)
        self.census["value that ended with its scope"] += len(self.present) < before

    def trim(self, history: History) -> None:
        before = len(history.events)
        super().trim(history)
        self.census["history pushed out"] += len(history.events) < before

    def drain_held(self, most: int) -> int:
        done = super().drain_held(most)
        self.census["held events delivered"] += bool(done)
        return done

    def take_one(self, event: Event) -> None:
        self.census["progress from another thread"] += event.step_of is not None
        super().take_one(event)

    def run_last_completions(self) -> None:
        lines = [each.owner for one in self.schedulers for each in one.line]
        self.census["closed with waiting answers"] += any(
            isinstance(each, Completion) for each in lines
        )
        self.census["closed with waiting events"] += any(
            isinstance(each, Subscription) for each in lines
        )
        super().run_last_completions()

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
            on_scheduler = any(each.running for each in self.schedulers)
            self.census["cancel from another thread in a call on a scheduler"] += on_scheduler
        super().cancel(subscription)

    def run_hooks(self) -> None:
        if self.unreleased and self.reaching:
            self.census["hook between two calls of one event"] += 1
        super().run_hooks()

    def end_scope(self, scope: Scope) -> None:
        for one in self.schedulers:
            owners = [each.owner for each in one.line]
            self.census["server ended while requests waited for it"] += any(
                isinstance(each, Subscription) and each.is_handler and each.scope.within(scope)
                for each in owners
            )
        if self.running and self.running.scope.within(scope):
            self.census["scope ended inside its own callback"] += 1
        super().end_scope(scope)

    def cancel_open(self, servers: list[Scope], scopes: list[Scope]) -> None:
        for request in self.open_requests():
            number = request.event.type
            self.census["request lost with its service"] += request.served in servers
            if any(number in each.handles for each in servers):
                self.census["one of several servers ended while open"] += self.is_served(request)
                newer = any(number in each.handles for each in self.scopes)
                unserved = not self.is_served(request)
                self.census["server ended that a newer one replaces"] += newer and unserved
            if request.scope in scopes:
                self.census["asking scope ended while open"] += 1
        super().cancel_open(servers, scopes)

    def answer_for_core(
        self, request: Event, status: int, cause: Event | None = None, flags: int = 0
    ) -> None:
        self.census["unhandled"] += status == d.UNHANDLED
        is_owned = any(request.type in each.owns for each in self.scopes)
        self.census["unhandled beside an own handler"] += status == d.UNHANDLED and is_owned
        if status == d.CANCELLED and not self.closing:
            self.census["last server ended while open"] += request.position in self.open
        super().answer_for_core(request, status, cause, flags)

    def give_to_all(self, group: Group, event: Event) -> None:
        self.census["asked together with others"] += len(group.askers) > 1
        super().give_to_all(group, event)

    def leave(self, joined: Joined, answer: Event) -> None:
        was_asked = joined.group.inner.event.position in self.open
        super().leave(joined, answer)
        is_asked = joined.group.inner.event.position in self.open
        self.census["the last asker gave up"] += was_asked and not is_asked

    def run_observer(self, subscription: Subscription, entry: Entry) -> None:
        self.census["handler called on a scheduler"] += subscription.is_handler
        super().run_observer(subscription, entry)

    def has_room(self, subscription: Subscription, event: Event) -> bool:
        has_room = super().has_room(subscription, event)
        refused = subscription.is_handler and not has_room
        self.census["request refused by the queue of a server"] += refused
        return has_room

    def run_told(self, told: Told, answer: Event) -> None:
        is_called = bool(told.fn) and not told.scope.ended
        self.census["told that another server answered"] += is_called and bool(answer.answerer)
        self.census["told that nobody waits"] += is_called and not answer.answerer
        self.census["told on a scheduler"] += is_called and bool(told.scheduler)
        self.census["told only by the hook"] += not is_called
        super().run_told(told, answer)

    def pay(self, event: Event) -> None:
        self.census["two servers shown after one event"] += len(self.owed) > 1
        super().pay(event)

    def take_status(self, scope: Scope, status: int, event: Event) -> None:
        self.census["shown after an event"] += 1
        self.census["show without room"] += status == d.FULL
        super().take_status(scope, status, event)

    def take_first(self, scope: Scope, status: int) -> None:
        self.census["shown first before an event"] += 1
        super().take_first(scope, status)

    def owe_first(self, server: Scope) -> None:
        waiting = len(self.unshown)
        super().owe_first(server)
        is_now = len(self.unshown) == waiting
        self.census["shown first after the event of a callback"] += is_now

    def fail_show(self, scope: Scope, status: int, event: Event | None) -> None:
        self.census["show failed"] += 1
        super().fail_show(scope, status, event)

    def send_held(self, scope: Scope) -> None:
        self.census["answer held until the show"] += bool(scope.held)
        self.census["answer held until the end of a server"] += bool(scope.held) and scope.ended
        super().send_held(scope)

    def close(self) -> None:
        self.census["closed with open requests"] += bool(self.open)
        self.census["closed with waiting posts"] += bool(self.posts)
        self.census["closed with observers"] += bool(self.subscriptions)
        super().close()

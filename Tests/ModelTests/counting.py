# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The situations that a stream of the model comes to, each by the method that sees it.

What is counted before a method runs gets its arguments; what is counted after it, what it gave
first; what is counted around it is a generator, which goes on with that.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Tuple

from reference.contract import FAILURE_TYPE
from reference.declarations import d
from reference.flow.values import Completion, Event, Pending, Subscription, Timer
from reference.model import Stream

#: By method: by situation, how often it is there in a call.
Rows = Dict[str, Dict[str, Callable[..., int]]]
#: By method: the situations, and a generator of their counts.
Around = Dict[str, Tuple[Tuple[str, ...], Callable[..., Any]]]


def counting(base: type, before: Rows, after: Rows, around: Around) -> type:
    """A class that counts in its census what its methods come to."""

    def counted(name: str) -> Callable[..., Any]:
        inner = getattr(base, name)
        early, late = before.get(name, {}).items(), after.get(name, {}).items()
        situations, begin = around.get(name, ((), None))

        def method(self: Any, *given: Any, **named: Any) -> Any:
            for situation, count in early:
                self.census[situation] += count(self, *given)
            watching = begin(self, *given) if begin else None
            if watching:
                next(watching)
            outcome = inner(self, *given, **named)
            for situation, count in late:
                self.census[situation] += count(self, outcome, *given)
            if watching:
                for situation, count in zip(situations, watching.send(outcome)):
                    self.census[situation] += count
            return outcome

        return method

    names = [*before, *after, *around]
    return type(f"Counting{base.__name__}", (base,), {name: counted(name) for name in names})


def situations_of(before: Rows, after: Rows, around: Around) -> list[str]:
    told = [each for rows in (before, after) for row in rows.values() for each in row]
    return told + [each for row, _ in around.values() for each in row]


class Watched(Stream):
    """A stream that knows what runs in it."""

    def watch(self, census: Any) -> None:
        self.census, self.depths, self.handlers_called = census, {}, 0
        self.reaching, self.running, self.completing = None, None, []

    def accept(self, event: Event) -> int:
        event.depth = self.depths.get(event.cause, 0) + 1
        position = super().accept(event)
        self.depths[position] = event.depth
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
        super().call_subscription(subscription, event)
        self.running = None


def top(self: Any) -> Any:
    """The callback or hook that runs on this thread."""
    frames = self.process.frames[self.process.thread]
    return frames[-1] if frames else None


def is_for_view(self: Any, event: Event) -> bool:
    return self.is_value(self.types[event.type - 1])


def kept_from(where: str) -> Callable[..., bool]:
    """Whether a value was kept from there."""

    def is_there(self: Any, broken: int, event: Event) -> bool:
        frame = self.process.frame(self)
        if not broken:
            return False
        if frame.is_show:
            return where == "show"
        if not frame.row:
            return where == "completion"
        if not frame.row.effect & d.HANDLER_FETCH:
            return where == "asked"
        return where == ("handler" if frame.row.scope.name is event.origin else "fetch")

    return is_there


def waiting(self: Any) -> list[Any]:
    return [each.owner for one in self.schedulers for each in one.line]


def is_cancelled(is_own: bool) -> Callable[..., bool]:
    """Whether a callback cancels its own observer, or one that was still to be called."""

    def is_there(self: Any, one: Subscription) -> bool:
        in_callback = self.process.frame(self) is not None
        if not in_callback or not self.reaching or not self.is_due(one, self.reaching):
            return False
        peers = self.subscriptions
        if is_own or one is self.running:
            return is_own and one is self.running
        return self.running in peers and peers.index(one) > peers.index(self.running)

    return is_there


def is_foreign(self: Any) -> bool:
    return bool(self.process.thread) and self.owner is not None


def lost(self: Any, servers: Any, is_counted: Callable[[Pending], bool]) -> int:
    """How many open requests of ended servers are so."""
    return sum(
        any(each.event.type in server.handles for server in servers) and is_counted(each)
        for each in self.open_requests()
    )


def is_replaced(self: Any, request: Pending) -> bool:
    newer = any(request.event.type in each.handles for each in self.scopes)
    return newer and not self.is_served(request)


BEFORE: Rows = {
    "tell_end": {
        "end of an owner told": lambda _, scope: scope.is_opened,
        "end of who asked told": lambda _, scope: not scope.is_opened,
    },
    "put": {
        "send from a callback of another context": lambda self, *_: (
            bool(top(self)) and top(self).stream is not self
        ),
        "hook that sends": lambda self, *_: bool(top(self)) and top(self).event is None,
        "completion that sends": lambda self, *_: (
            bool(top(self)) and top(self).event in self.completing
        ),
    },
    "call_subscription": {
        "two servers called": lambda self, one, event: (
            self.handlers_called == 1 and one.is_handler and bool(event.flags & d.EVENT_TRACKED)
        ),
        "call of an observer of one origin": lambda _, one, __: one.filter.of is not None,
        "call of an observer of one origin that has ended": lambda _, one, __: (
            one.filter.of is not None and one.filter.of.ended
        ),
        "call of an own handler": lambda _, one, __: one.filter.of is not None and one.is_handler,
        "late event of one origin": lambda _, one, event: (
            one.filter.of is not None and bool(event.flags & d.EVENT_LATE)
        ),
    },
    "report": {
        "fourth failure": lambda _, event, scope, failed, count: count == 4,
        "failure in a report": lambda _, event, *rest: bool(event) and event.type == FAILURE_TYPE,
    },
    "turn_into_gap": {
        "oldest lost": lambda *_: 1,
        "oldest lost on demand": lambda _, one, __: one.on_demand,
    },
    "lose": {
        "lost by a queue that refuses": lambda self, one, _: self.refuses(one),
        "newest lost": lambda _, one, __: one.filter.policy == d.QUEUE_DROP_NEWEST,
        "losses in a row": lambda self, one, _: bool(self.share(one) and self.share(one)[-1].gap),
    },
    "run_entry": {
        "call on the host's scheduler": lambda self, entry: (
            self.scheduler_of(entry).number == d.SCHEDULER_HOST
        ),
        "call on a serial scheduler": lambda self, entry: (
            self.scheduler_of(entry).number > d.SCHEDULER_HOST
        ),
        "gap told": lambda _, entry: entry.gap is not None,
        "answer on a scheduler": lambda _, entry: isinstance(entry.owner, Completion),
        "call on demand": lambda _, entry: (
            isinstance(entry.owner, Subscription) and entry.owner.on_demand
        ),
    },
    "fire": {
        "request timed out": lambda _, timer: isinstance(timer, Pending),
        "timer fired": lambda _, timer: isinstance(timer, Timer),
        "periodic timer fired": lambda _, timer: isinstance(timer, Timer) and bool(timer.period),
    },
    "end_timers": {
        "scope ended with a timer": lambda self, scopes: any(
            isinstance(each, Timer) and each.scope in scopes for each in self.timers
        ),
    },
    "give_late": {
        "late event": lambda *_: 1,
        "late event on a scheduler": lambda _, one, __: bool(one.filter.scheduler),
        "late value": lambda self, _, event: is_for_view(self, event),
        "late value of one origin": lambda self, one, event: (
            is_for_view(self, event) and bool(one.filter.of)
        ),
    },
    "take_one": {"progress from another thread": lambda _, event: event.step_of is not None},
    "run_last_completions": {
        "closed with waiting answers": lambda self: any(
            isinstance(each, Completion) for each in waiting(self)
        ),
        "closed with waiting events": lambda self: any(
            isinstance(each, Subscription) for each in waiting(self)
        ),
    },
    "note_lost": {"list lost": lambda _, one, event: event.rows is not None},
    "cancel": {
        "cancel inside the own callback": is_cancelled(True),
        "cancel of a peer that was still to be called": is_cancelled(False),
        "cancel from another thread": lambda self, _: is_foreign(self),
        "cancel from another thread in a call on a scheduler": lambda self, _: (
            is_foreign(self) and any(each.running for each in self.schedulers)
        ),
    },
    "run_hooks": {
        "hook between two calls of one event": lambda self: bool(self.unreleased and self.reaching)
    },
    "end_scope": {
        "server ended while requests waited for it": lambda self, scope: any(
            isinstance(each, Subscription) and each.is_handler and each.scope.within(scope)
            for each in waiting(self)
        ),
        "scope ended inside its own callback": lambda self, scope: (
            bool(self.running) and self.running.scope.within(scope)
        ),
    },
    "cancel_open": {
        "request lost with its service": lambda self, servers, _: sum(
            each.served in servers for each in self.open_requests()
        ),
        "one of several servers ended while open": lambda self, servers, _: lost(
            self, servers, self.is_served
        ),
        "server ended that a newer one replaces": lambda self, servers, _: lost(
            self, servers, lambda request: is_replaced(self, request)
        ),
        "asking scope ended while open": lambda self, _, scopes: sum(
            each.scope in scopes for each in self.open_requests()
        ),
    },
    "answer_for_core": {
        "unhandled": lambda _, request, status: status == d.UNHANDLED,
        "unhandled beside an own handler": lambda self, request, status: (
            status == d.UNHANDLED and any(request.type in each.owns for each in self.scopes)
        ),
        "last server ended while open": lambda self, request, status: (
            status == d.CANCELLED and not self.closing and request.position in self.open
        ),
    },
    "give_to_all": {"asked together with others": lambda _, group, __: len(group.askers) > 1},
    "run_observer": {"handler called on a scheduler": lambda _, one, __: one.is_handler},
    "run_told": {
        "told that another server answered": lambda _, told, answer: (
            is_called(told) and bool(answer.answerer)
        ),
        "told that nobody waits": lambda _, told, answer: is_called(told) and not answer.answerer,
        "told on a scheduler": lambda _, told, __: is_called(told) and bool(told.scheduler),
        "told only by the hook": lambda _, told, __: not is_called(told),
    },
    "pay": {"two servers shown after one event": lambda self, _: len(self.owed) > 1},
    "take_status": {
        "shown after an event": lambda *_: 1,
        "show without room": lambda _, scope, status, event: status == d.FULL,
    },
    "take_first": {"shown first before an event": lambda *_: 1},
    "fail_show": {"show failed": lambda *_: 1},
    "send_held": {
        "answer held until the show": lambda _, scope: bool(scope.held),
        "answer held until the end of a server": lambda _, scope: bool(scope.held) and scope.ended,
    },
    "close": {
        "closed with open requests": lambda self: bool(self.open),
        "closed with waiting posts": lambda self: bool(self.posts),
        "closed with observers": lambda self: bool(self.subscriptions),
    },
}
AFTER: Rows = {
    "accept": {"chain of five events": lambda _, position, event: event.depth == 5},
    "has_all": {"count used up": lambda _, has_all, __: has_all},
    "check_right": {"denied": lambda _, status, *__: bool(status)},
    "check_limits": {
        "chain too long": lambda _, status, __: status == d.LIMIT,
        "stream full": lambda _, status, __: status == d.FULL,
    },
    "has_budget": {"budget of observers used up": lambda _, has_budget, *__: not has_budget},
    "find_room": {
        "send refused by a queue": lambda _, found, __: not found,
        "send in a callback refused by a queue": lambda self, found, _: (
            not found and self.process.frame(self) is not None
        ),
    },
    "fetch": {
        "mailbox fetched": lambda _, outcome, *__: bool(outcome[0]),
        "mailbox fetched in part": lambda _, outcome, *__: bool(outcome[0] and outcome[1]),
    },
    "is_there": {
        "set of the list that is there": lambda _, is_there, event: (
            is_there and event.rows is not None
        ),
        "set of what is there": lambda self, is_there, event: (
            is_there and not self.last_output(event)
        ),
        "set of what callbacks have on its way": lambda self, is_there, event: (
            is_there and self.sends_output() and bool(self.last_output(event))
        ),
        "set of what waits from outside": lambda self, is_there, event: (
            is_there and not self.sends_output() and bool(self.last_input(event))
        ),
    },
    "shown_list": {
        "rows moved": lambda _, shown, __: d.LIST_MOVE in kinds_of(shown),
        "rows moved and updated": lambda _, shown, __: (
            kinds_of(shown) >= {d.LIST_MOVE, d.LIST_UPDATE}
        ),
        "rows removed, moved and inserted": lambda _, shown, __: len(kinds_of(shown)) > 2,
        "late list": lambda _, shown, event: shown is not None and is_late(event),
    },
    "without_hole": {
        "list whole behind a gap": lambda _, event, one, __: bool(
            event.flags & d.EVENT_WHOLE and one.lost_lists
        ),
        "changes of a list behind a gap": lambda self, event, one, _: (
            event.rows is not None and bool(one.lost_lists) and not self.is_whole(event)
        ),
    },
    "broken_by": {
        "value changed beside a fetch": lambda self, broken, _: (
            not broken and self.sends_output() and bool(self.fetches_in(self.process.frame(self)))
        ),
        "value kept from what a fetch asks": kept_from("asked"),
        "value kept from a show after a fetch": kept_from("show"),
        "value kept from a completion in a fetch": kept_from("completion"),
        "value kept from a handler that fetches": kept_from("handler"),
        "value kept from a fetch in a fetch": kept_from("fetch"),
    },
    "shows_first": {
        "value shown first in a fetch": lambda self, is_first, _: (
            is_first and is_in_fetch(self, self.process.frame(self))
        ),
    },
    "drain_held": {"held events delivered": lambda _, done, __: bool(done)},
    "has_room": {
        "request refused by the queue of a server": lambda _, has_room, one, __: (
            one.is_handler and not has_room
        ),
    },
}


def kinds_of(shown: Any) -> set[int]:
    """The kinds of changes of a list."""
    return {kind for kind, *_ in shown.changes} if shown else set()


def is_late(event: Event) -> bool:
    return bool(event.flags & d.EVENT_LATE)


def is_called(told: Any) -> bool:
    return bool(told.fn) and not told.scope.ended


def is_in_fetch(self: Any, frame: Any) -> bool:
    return bool(self.fetches(frame.shows, frame.event.type) or self.inherited(frame.event))


def end_values(self: Any, _: Any) -> Any:
    before = len(self.present)
    yield
    yield [len(self.present) < before]


def trim(_: Any, history: Any) -> Any:
    before = len(history.events)
    yield
    yield [len(history.events) < before]


def leave(self: Any, joined: Any, _: Any) -> Any:
    position = joined.group.inner.event.position
    was_asked = position in self.open
    yield
    yield [was_asked and position not in self.open]


def owe_first(self: Any, _: Any) -> Any:
    before = len(self.unshown)
    yield
    yield [len(self.unshown) == before]


AROUND: Around = {
    "end_values": (("value that ended with its scope",), end_values),
    "trim": (("history pushed out",), trim),
    "leave": (("the last asker gave up",), leave),
    "owe_first": (("shown first after the event of a callback",), owe_first),
}
CountingStream = counting(Watched, BEFORE, AFTER, AROUND)

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The laws of the stream, written down as the simplest program that keeps them.

The numbers in comments are those of the laws. Every decision that a planted fault turns around is a
small method of its own: see variants.py.
"""

from __future__ import annotations

import json
from collections import deque
from typing import Callable

from contract import (
    ACTIVITY_NAME,
    ACTIVITY_TYPE,
    CANCELLED,
    DENIED_NAME,
    DENIED_TYPE,
    FAILURE_NAME,
    FAILURE_TYPE,
    INCOMPLETE,
    LAYER_SYSTEM,
    LIMIT_NAME,
    LIMIT_TYPE,
    OUTSIDE,
    PAYLOAD_JSON,
    ROLE_NOTICE,
    TRACKED,
    UNHANDLED,
)
from values import Event, EventType, Pending, Scope, Subscription

CORE_ERROR = b"core\0\0\0"


class Frame:
    """A callback (it has an event) or a release hook (none) on the stack of a thread."""

    def __init__(self, stream: Stream, event: Event | None, is_outside: bool = False) -> None:
        self.stream = stream
        self.event = event
        #: Somebody outside asked for it: what is sent in it is an input.
        self.is_outside = is_outside


class Stream:
    def __init__(self, process: Process, any_thread: bool) -> None:
        self.process = process
        self.owner = None if any_thread else process.thread
        self.root = Scope(self, "", None)
        self.types = [
            EventType(FAILURE_TYPE, FAILURE_NAME, PAYLOAD_JSON | ROLE_NOTICE | LAYER_SYSTEM, None),
            EventType(DENIED_TYPE, DENIED_NAME, PAYLOAD_JSON | ROLE_NOTICE | LAYER_SYSTEM, None),
            EventType(LIMIT_TYPE, LIMIT_NAME, PAYLOAD_JSON | ROLE_NOTICE | LAYER_SYSTEM, None),
            EventType(
                ACTIVITY_TYPE, ACTIVITY_NAME, PAYLOAD_JSON | ROLE_NOTICE | LAYER_SYSTEM, None
            ),
        ]
        self.scopes: list[Scope] = []
        self.subscriptions: list[Subscription] = []
        self.unreleased: deque[Subscription] = deque()
        self.queue: deque[Event] = deque()
        self.posts: deque[Event] = deque()
        self.open: dict[int, Pending] = {}
        self.retained = self.last = self.deliveries = self.failures = 0
        self.delivering = self.closing = self.closed = False
        self.handles_ended = False

    # Acceptance (law 1) -------------------------------------------------------------------------

    def accept(self, event: Event) -> int:
        """Gives an event the next position and its place in the queue."""
        self.last += 1
        event.position = self.last
        event.flags |= OUTSIDE if self.is_input(event) else 0
        event.correlation = event.correlation or event.position
        self.enqueue(event)
        return event.position

    def is_input(self, event: Event) -> bool:
        """Whether nobody inside sent it: no callback, or what completes a question from outside."""
        frame = self.process.frame(self)
        return not event.cause or (frame is not None and frame.is_outside)

    def enqueue(self, event: Event) -> None:
        self.queue.append(event)

    def next_event(self) -> Event:
        return self.queue.popleft()

    def put(self, event: Event, pending: Pending | None = None) -> None:
        """Accepts what a call sends; delivers it where nobody is delivering (law 6)."""
        self.set_cause(event)
        position = self.accept(event)
        if pending:
            self.open[position] = pending
            if pending.completion:
                pending.completion.is_outside = bool(event.flags & OUTSIDE)
        self.deliver()

    def end_leftovers(self) -> None:
        """What another thread cancelled in the meantime ends before a call begins."""
        if self.unreleased:
            self.deliver()

    def set_cause(self, event: Event) -> None:
        """The event whose delivery sends this one, if any, and the chain it belongs to."""
        frame = self.process.frame(self)
        if frame and frame.event:
            event.cause = self.cause_of(frame.event)
            event.correlation = event.correlation or self.correlation_of(frame.event)

    def cause_of(self, current: Event) -> int:
        return current.position

    def correlation_of(self, current: Event) -> int:
        return current.correlation

    # Delivery (laws 1, 2, 3) --------------------------------------------------------------------

    def deliver(self) -> None:
        """Delivers what waits, one event after the other, unless somebody is delivering."""
        if self.delivering:
            return
        self.delivering = True
        self.run_hooks()
        while self.queue:
            self.deliver_one(self.next_event())
        self.delivering = False

    def deliver_one(self, event: Event) -> None:
        self.reach(event)
        self.complete(event)

    def reach(self, event: Event) -> None:
        """Calls the observers and handlers; the core answers what nobody handles (law 8)."""
        request = self.open.get(event.position) if event.flags & TRACKED else None
        for subscription in self.recipients():
            if self.is_due(subscription, event):
                if request and subscription.is_handler:
                    request.handled = True
                self.call_subscription(subscription, event)
        if request and event.position in self.open and self.is_unhandled(request):
            self.answer_for_core(event, UNHANDLED, cause=event)

    def recipients(self) -> list[Subscription]:
        return list(self.subscriptions)

    def is_due(self, subscription: Subscription, event: Event) -> bool:
        """Whether a subscription gets an event: it is live, began before, and matches."""
        if not self.is_live(subscription) or not self.began_before(subscription, event):
            return False
        return subscription.filter.matches(event, self.types[event.type - 1].contract)

    def is_live(self, subscription: Subscription) -> bool:
        return not subscription.cancelled

    def began_before(self, subscription: Subscription, event: Event) -> bool:
        return subscription.starts_after < event.position

    def call_subscription(self, subscription: Subscription, event: Event) -> None:
        subscription.calls += 1

        def count_failure() -> int:
            subscription.failures += 1
            return subscription.failures

        self.call(subscription.fn, subscription.scope, event, subscription.confirms, count_failure)
        if self.is_used_up(subscription) and not subscription.cancelled:
            self.cancel(subscription)
        self.run_hooks()

    def is_used_up(self, subscription: Subscription) -> bool:
        return subscription.calls == subscription.filter.count

    def complete(self, event: Event) -> None:
        """Calls the function of the request, after all observers of its response."""
        completion = event.completion
        if not completion:
            return
        self.call(completion.fn, completion.scope, event, False, lambda: 1, completion.is_outside)
        self.run_hooks()

    def call(
        self,
        fn: Callable[[Event], None],
        scope: Scope,
        event: Event,
        confirms: bool,
        count_failure: Callable[[], int],
        is_outside: bool = False,
    ) -> None:
        """Runs one callback. Its first word of failure is counted and reported at once."""

        def fail(code: int, sentence: str) -> None:
            if not event.failed:
                event.failed = True
                self.report(event, scope, (code, sentence), count_failure())

        self.deliveries += 1
        event.context, event.failed, event.confirmed, event.fail = scope, False, False, fail
        with self.process.inside(Frame(self, event, is_outside)):
            fn(event)
        if confirms and not event.confirmed and not event.failed:
            fail(INCOMPLETE, "core")

    # Failures (law 7) ---------------------------------------------------------------------------

    def report(self, event: Event, scope: Scope, failed: tuple[int, str], count: int) -> None:
        self.failures += 1
        if self.is_quiet(event) or not self.is_reported(count):
            return
        body = {
            "type": self.types[event.type - 1].name,
            "origin": scope.name,
            "code": failed[0],
            "sentence": failed[1],
            "count": count,
        }
        report = Event(FAILURE_TYPE, json.dumps(body).encode(), origin="")
        report.cause, report.correlation = event.position, event.correlation
        self.accept(report)

    def is_quiet(self, event: Event) -> bool:
        return event.type == FAILURE_TYPE

    def is_reported(self, count: int) -> bool:
        return count & (count - 1) == 0

    # Ending (laws 5, 12) ------------------------------------------------------------------------

    def cancel(self, subscription: Subscription) -> None:
        """Decides no further call; the hook waits for the delivering thread."""
        subscription.cancelled = True
        self.unreleased.append(subscription)

    def run_hooks(self) -> None:
        """Runs the hooks of what was cancelled, in the order of cancelling."""
        while self.unreleased:
            subscription = self.unreleased.popleft()
            self.subscriptions.remove(subscription)
            subscription.released = True
            if subscription.hook:
                with self.process.inside(Frame(self, None)):
                    subscription.hook()

    def end_scope(self, scope: Scope) -> None:
        ended = [each for each in self.scopes if each.within(scope)]
        for each in ended:
            each.ended = True
            self.scopes.remove(each)
        for subscription in self.ending_order():
            if subscription.scope in ended and not subscription.cancelled:
                self.cancel(subscription)
        if not self.delivering:
            self.delivering = True
            self.run_hooks()
            self.delivering = False
        self.cancel_open({number for each in ended for number in each.handles}, ended)
        self.deliver()

    def cancel_open(self, types: set[int], scopes: list[Scope]) -> None:
        """The core answers what an ended scope asked, or its last server was asked (law 8)."""
        for request in self.open_requests():
            number = request.event.type
            unserved = number in types and not self.is_served(number)
            if unserved or request.scope in scopes:
                self.answer_for_core(request.event, CANCELLED)

    def is_served(self, number: int) -> bool:
        return any(number in scope.handles for scope in self.scopes)

    def close(self) -> None:
        self.closing = True
        self.take_in(len(self.posts))
        for request in self.open_requests():
            self.answer_for_core(request.event, CANCELLED)
        self.deliver()
        for subscription in self.ending_order():
            if not subscription.cancelled:
                self.cancel(subscription)
        self.delivering = self.handles_ended = True
        self.run_hooks()
        self.delivering = False
        self.closed = True

    def ending_order(self) -> list[Subscription]:
        return self.subscriptions[::-1]

    # Answers (law 8) ----------------------------------------------------------------------------

    def open_requests(self) -> list[Pending]:
        return [self.open[position] for position in sorted(self.open)]

    def answer(self, request: Event, response: Event) -> None:
        """Settles a request; the response carries its completion."""
        response.answers, response.correlation = request.position, request.correlation
        pending = self.open.pop(request.position, None)
        response.completion = pending.completion if pending else None

    def answer_for_core(self, request: Event, status: int, cause: Event | None = None) -> None:
        response = Event(self.response_of(request.type), CORE_ERROR, "", status=status)
        self.answer(request, response)
        if cause:
            response.cause = cause.position
        else:
            self.set_cause(response)
        self.accept(response)

    def response_of(self, number: int) -> int:
        """The number of the type that answers a type; 0 = none."""
        name = self.types[number - 1].response
        return next((each.number for each in self.types if each.name == name), 0)

    def is_unhandled(self, request: Pending) -> bool:
        return not request.handled

    # Posts (law 6) ------------------------------------------------------------------------------

    def take_in(self, count: int) -> int:
        """Accepts and delivers posts, each as a turn of its own."""
        self.deliver()
        for _ in range(count):
            self.accept(self.posts.popleft())
            self.deliver()
        return count


class Process:
    """The threads of the host, one of which runs at a time, and the frames on each of them."""

    def __init__(self) -> None:
        self.thread = 0
        self.threads = 0
        self.frames: dict[int, list[Frame]] = {0: []}

    def frame(self, stream: Stream) -> Frame | None:
        """The innermost callback or hook of a stream on this thread."""
        frames = self.frames[self.thread]
        return next((each for each in reversed(frames) if each.stream is stream), None)

    def inside(self, frame: Frame) -> Inside:
        return Inside(self.frames[self.thread], frame)

    def elsewhere(self) -> Elsewhere:
        return Elsewhere(self)


class Inside:
    """The time of one callback or hook."""

    def __init__(self, frames: list[Frame], frame: Frame) -> None:
        self.frames, self.frame = frames, frame

    def __enter__(self) -> None:
        self.frames.append(self.frame)

    def __exit__(self, *_: object) -> None:
        self.frames.pop()


class Elsewhere:
    """The time of one call on a fresh thread, while this one waits for it."""

    def __init__(self, process: Process) -> None:
        self.process, self.back = process, process.thread

    def __enter__(self) -> None:
        self.process.threads += 1
        self.process.thread = self.process.threads
        self.process.frames[self.process.thread] = []

    def __exit__(self, *_: object) -> None:
        self.process.thread = self.back

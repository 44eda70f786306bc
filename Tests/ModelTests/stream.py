# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The laws of the stream, written down as the simplest program that keeps them.

The numbers in comments are those of the laws. Every decision that a planted fault turns around is a
small method of its own: see variants.py.
"""

from __future__ import annotations

import json
from collections import deque
from typing import Any, Callable

from clock import Clock
from contract import (
    ACTIVITY_NAME,
    ACTIVITY_TYPE,
    CANCELLED,
    CLOCK_VIRTUAL,
    CONTEXT_TIMES,
    DELIVER_ON_HOST,
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
    PROGRESS,
    REPORTS,
    ROLE_NOTICE,
    TRACKED,
    UNHANDLED,
    layer_bit,
)
from history import Histories, Joining
from rights import Rights
from schedulers import Entry, Schedulers
from values import Completion, Event, EventType, Pending, Scope, Subscription

CORE_ERROR = b"core\0\0\0"


class Frame:
    """A callback (it has an event) or a release hook (none) on the stack of a thread."""

    def __init__(
        self,
        stream: Stream,
        event: Event | None,
        is_outside: bool = False,
        is_scheduled: bool = False,
    ) -> None:
        self.stream = stream
        self.event = event
        #: Somebody outside asked for it: what is sent in it is an input.
        self.is_outside = is_outside
        self.is_scheduled = is_scheduled


class Stream(Schedulers, Clock, Histories, Rights):
    def __init__(self, process: Process, how: dict[str, int]) -> None:
        self.process = process
        self.owner = None if how.get("threads") else process.thread
        self.how = how
        self.on_host = bool(how.get("flags", 0) & DELIVER_ON_HOST)
        self.keeps_times = bool(how.get("flags", 0) & CONTEXT_TIMES)
        self.is_virtual = how.get("clock") == CLOCK_VIRTUAL
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
        #: Cancelled by a thread that may not run hooks.
        self.cancelled_elsewhere: deque[Subscription] = deque()
        self.queue: deque[Event | Joining] = deque()
        self.posts: deque[Event] = deque()
        self.open: dict[int, Pending] = {}
        self.retained = self.last = self.deliveries = self.failures = 0
        self.rejected = self.denied = self.missed = 0
        self.delivering = self.closing = self.closed = False
        self.is_prepared = self.draining = self.is_ending = self.handles_ended = False
        self.open_schedulers()
        self.open_clock()
        self.open_histories()
        self.open_rights()

    # Acceptance (law 1) -------------------------------------------------------------------------

    def accept(self, event: Event) -> int:
        """Gives an event the next position and its place in the queue."""
        self.last += 1
        event.position = self.last
        event.flags |= OUTSIDE if self.is_input(event) else 0
        event.correlation = event.correlation or event.position
        event.time = self.now if self.keeps_times else 0
        self.passed[event.position] = event
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
        if self.unreleased or self.cancelled_elsewhere:
            self.deliver(self.process.next_label is None)

    def set_cause(self, event: Event) -> None:
        """The event whose delivery sends this one, if any, and the chain it belongs to."""
        frame = self.process.frame(self)
        event.is_foreign = frame is None or frame.event is None
        event.depth = self.depth_behind(frame)
        if frame and frame.event:
            event.cause = self.cause_of(frame.event)
            event.correlation = event.correlation or self.correlation_of(frame.event)

    def set_cause_of_post(self, event: Event) -> None:
        """Posted in an immediate callback it begins a chain of its own."""
        frame = self.process.frame(self)
        if frame and frame.is_scheduled:
            self.set_cause(event)

    def cause_of(self, current: Event) -> int:
        return current.position

    def correlation_of(self, current: Event) -> int:
        return current.correlation

    # Delivery (laws 1, 2, 3) --------------------------------------------------------------------

    def deliver(self, is_last: bool = True) -> None:
        """Delivers what waits, one event after the other, unless somebody is delivering.

        By the last delivery of a call the hooks of what others had cancelled have run.
        """
        if self.delivering:
            return
        self.delivering = True
        waits = list(self.cancelled_elsewhere)
        self.run_hooks()
        if not self.on_host or self.draining:
            self.deliver_held()
        is_last = is_last and not self.is_advancing and (self.draining or not self.on_host)
        while is_last and any(each in waits for each in self.cancelled_elsewhere):
            self.run_hook_before_others(self.cancelled_elsewhere.popleft())
        self.delivering = False

    def deliver_held(self) -> None:
        while self.queue:
            self.deliver_next()

    def deliver_next(self) -> None:
        event = self.next_event()
        self.unfreed = 0
        self.may_notice_what_others_cancelled()
        if isinstance(event, Joining):
            self.deliver_late(event.subscription)
        else:
            self.deliver_one(event)

    def deliver_one(self, event: Event) -> None:
        self.reach(event)
        self.keep(event)
        self.hand_over(event)
        self.complete(event)

    def reach(self, event: Event) -> None:
        """Calls the observers and handlers; the core answers what nobody handles (law 8)."""
        request = self.open.get(event.position) if event.flags & TRACKED else None
        for subscription in self.recipients():
            if self.is_due(subscription, event):
                self.may_notice_what_others_cancelled()
                if request and subscription.is_handler:
                    request.handled = True
                self.call_subscription(subscription, event)
        if request and event.position in self.open and self.is_unhandled(request):
            self.answer_for_core(event, UNHANDLED, cause=event)

    def recipients(self) -> list[Subscription]:
        return [each for each in self.subscriptions if not each.filter.scheduler]

    def is_due(self, subscription: Subscription, event: Event) -> bool:
        """Whether a subscription gets an event of the stream: it began before, and wants it."""
        began = self.began_before(subscription, event) or not event.position
        return began and self.is_wanted(subscription, event)

    def is_wanted(self, subscription: Subscription, event: Event) -> bool:
        """Whether a subscription is live, has not got all it counts, and the event matches."""
        if not self.is_live(subscription) or self.has_all(subscription):
            return False
        contract = self.types[event.type - 1].contract
        is_in_reach = bool(layer_bit(contract) & subscription.scope.observe_layers)
        return is_in_reach and subscription.filter.matches(event, contract)

    def has_all(self, subscription: Subscription) -> bool:
        count = subscription.filter.count
        return bool(count) and subscription.matched >= count

    def is_live(self, subscription: Subscription) -> bool:
        return not subscription.cancelled

    def began_before(self, subscription: Subscription, event: Event) -> bool:
        return subscription.starts_after < event.position

    def call_subscription(self, subscription: Subscription, event: Event) -> None:
        subscription.matched += 1
        subscription.calls += 1
        self.call_fn(subscription, event)
        if self.has_all(subscription) and not subscription.cancelled:
            self.cancel(subscription)
        self.run_hooks()

    def call_fn(self, subscription: Subscription, event: Event, is_scheduled: bool = False) -> None:
        def count_failure() -> int:
            subscription.failures += 1
            return subscription.failures

        confirms = subscription.confirms
        fn, scope = subscription.fn, subscription.scope
        subscription.running = True
        self.call(fn, scope, event, confirms, count_failure, is_scheduled, is_scheduled)
        subscription.running = False

    def complete(self, event: Event) -> None:
        """Calls the function of the request, after all observers of its response."""
        completion = event.completion
        if not completion or (event.flags & PROGRESS and not completion.progress):
            return
        if completion.scheduler:
            self.schedulers[completion.scheduler].line.append(Entry(completion, event, None))
        else:
            self.run_completion(completion, event)

    def run_completion(self, completion: Completion, event: Event) -> None:
        """The function or a step of progress; after the answer the hook."""
        is_step = bool(event.flags & PROGRESS)
        fn = completion.progress if is_step else completion.fn
        is_scheduled = bool(completion.scheduler)
        is_outside = completion.is_outside or is_scheduled
        if fn:
            self.may_notice_what_others_cancelled()
            self.call(fn, completion.scope, event, False, lambda: 1, is_outside, is_scheduled)
        if completion.hook and not is_step:
            with self.process.inside(Frame(self, None)):
                completion.hook()
        self.run_hooks()

    def call(
        self,
        fn: Callable[[Event], None],
        scope: Scope,
        event: Event,
        confirms: bool,
        count_failure: Callable[[], int],
        is_outside: bool = False,
        is_scheduled: bool = False,
    ) -> None:
        """Runs one callback. Its first word of failure is counted and reported at once."""

        def fail(code: int, sentence: str) -> None:
            if not event.failed:
                event.failed = True
                self.report(event, scope, (code, sentence), count_failure())

        self.deliveries += 1
        event.context, event.failed, event.confirmed, event.fail = scope, False, False, fail
        with self.process.inside(Frame(self, event, is_outside, is_scheduled)):
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
        report.depth = self.depth_behind(self.process.frame(self))
        report.is_owed = True
        self.put_report(report)

    def is_quiet(self, event: Event) -> bool:
        """What goes wrong while a report is handled, or at the end of close, is only counted."""
        return event.type in REPORTS or self.is_ending

    def is_reported(self, count: int) -> bool:
        return count & (count - 1) == 0

    # Ending (laws 5, 12) ------------------------------------------------------------------------

    def cancel(self, subscription: Subscription) -> None:
        """Decides no further call; the hook waits for the delivering thread."""
        subscription.cancelled = True
        scheduler = self.schedulers[subscription.filter.scheduler]
        scheduler.line = [each for each in scheduler.line if each.owner is not subscription]
        subscription.promised.clear()
        if self.owner not in (None, self.process.thread):
            self.cancelled_elsewhere.append(subscription)
        elif scheduler.running and subscription.has_fn:
            scheduler.unreleased.append(subscription)
        else:
            self.unreleased.append(subscription)

    def may_notice_what_others_cancelled(self) -> None:
        """Somewhere in the owner's next call the hook runs: where is not said."""
        while self.cancelled_elsewhere:
            first = self.cancelled_elsewhere[0]
            if first.running or not self.process.is_next(first.hook):
                return
            self.release(self.cancelled_elsewhere.popleft())

    def run_hooks(self) -> None:
        """Runs the hooks of what was cancelled, in the order of cancelling."""
        if self.is_ending:
            return
        self.may_notice_what_others_cancelled()
        while self.unreleased:
            self.run_hook_of(self.unreleased.popleft())
            self.may_notice_what_others_cancelled()

    def run_hook_of(self, subscription: Subscription) -> None:
        scheduler = self.schedulers[subscription.filter.scheduler]
        if scheduler.running and subscription.has_fn:
            scheduler.unreleased.append(subscription)
        else:
            self.release(subscription)

    def run_hook_before_others(self, subscription: Subscription) -> None:
        scheduler = self.schedulers[subscription.filter.scheduler]
        if scheduler.running and subscription.has_fn:
            scheduler.unreleased.appendleft(subscription)
        else:
            self.release(subscription)

    def release(self, subscription: Subscription) -> None:
        if subscription.hook:
            with self.process.inside(self.hook_frame()):
                subscription.hook()
        subscription.released = True
        self.subscriptions.remove(subscription)

    def hook_frame(self) -> Frame:
        return Frame(self, None)

    def end_scope(self, scope: Scope) -> None:
        ended = [each for each in self.scopes if each.within(scope)]
        for each in ended:
            each.ended, each.until = True, self.last
            self.scopes.remove(each)
        self.end_timers(ended)
        for subscription in self.ending_order():
            if subscription.scope in ended and not subscription.cancelled:
                self.cancel(subscription)
        if not self.delivering:
            self.delivering = True
            self.run_hooks()
            self.delivering = False
        self.cancel_open(ended, ended)
        self.deliver()

    def cancel_open(self, servers: list[Scope], scopes: list[Scope]) -> None:
        """The core answers what an ended scope asked, or what only ended servers got (law 8)."""
        for request in self.open_requests():
            is_lost = any(self.gets(each, request.event) for each in servers)
            if request.scope in scopes or (is_lost and not self.is_served(request)):
                self.answer_for_core(request.event, CANCELLED)

    def is_served(self, request: Pending) -> bool:
        """Whether a server is left that got a request, or will."""
        return any(self.gets(each, request.event) for each in self.scopes)

    def gets(self, server: Scope, event: Event) -> bool:
        return event.type in server.handles and server.since < event.position <= server.until

    def close(self) -> None:
        self.closing = self.draining = True
        waiting, self.cancelled_elsewhere = self.cancelled_elsewhere, deque()
        self.unreleased.extend(waiting)
        self.take_in(len(self.posts))
        for request in self.open_requests():
            self.answer_for_core(request.event, CANCELLED)
        self.deliver()
        self.delivering = self.is_ending = True
        self.run_last_completions()
        self.handles_ended = True
        for subscription in self.ending_order():
            subscription.cancelled = True
            self.release(subscription)
        self.delivering = False
        self.closed = True

    @property
    def gone(self) -> bool:
        """No handle is good for anything any more."""
        return self.closed or self.handles_ended

    def run_last_completions(self) -> None:
        """What waits on a scheduler for an observer is dropped; answers are a debt."""
        self.run_scheduled(len(self.due()))

    def ending_order(self) -> list[Subscription]:
        return self.subscriptions[::-1]

    # Answers (law 8) ----------------------------------------------------------------------------

    def open_requests(self) -> list[Pending]:
        return [self.open[position] for position in sorted(self.open)]

    def answer(self, request: Event, response: Event) -> None:
        """Settles a request; the response carries its completion."""
        response.answers, response.correlation = request.position, request.correlation
        pending = self.open.pop(request.position, None)
        response.is_owed = pending is not None
        if pending in self.timers:
            self.timers.remove(pending)
        response.completion = pending.completion if pending else None

    def answer_for_core(self, request: Event, status: int, cause: Event | None = None) -> None:
        response = Event(self.response_of(request.type), CORE_ERROR, "", status=status)
        self.answer(request, response)
        if cause:
            response.cause, response.depth = cause.position, cause.depth + 1
            with self.process.inside(Frame(self, cause)):
                self.accept(response)
        else:
            self.set_cause(response)
            response.is_foreign = False
            self.accept(response)

    def response_of(self, number: int) -> int:
        """The number of the type that answers a type; 0 = none."""
        name = self.types[number - 1].response
        return next((each.number for each in self.types if each.name == name), 0)

    def is_unhandled(self, request: Pending) -> bool:
        return not request.handled

    # Draining (law 6) ----------------------------------------------------------------------------

    def take_in(self, count: int) -> int:
        """Accepts and delivers posts, each as a turn of its own."""
        self.deliver()
        for _ in range(count):
            self.take_one(self.posts.popleft())
            self.deliver()
        return count

    def take_one(self, event: Event) -> None:
        """A step of progress for a request that has been answered meanwhile is dropped."""
        if event.step_of and self.is_answered(event.step_of):
            return
        event.flags |= OUTSIDE
        self.accept(event)

    def is_answered(self, request: Pending) -> bool:
        """Whether its answer has its place; one that was given elsewhere waits behind the step."""
        position = request.event.position
        waits = any(each.answers == position and not each.step_of for each in self.posts)
        return position not in self.open and not waits

    def drain(self, limit: int) -> int:
        """One kind after the other, of each what waited when its part began."""
        done, most = 0, limit or 1 << 62
        self.deliver(False)
        self.mail = False
        done += self.fire_due(most)
        done += self.take_in(min(len(self.posts), most - done))
        done += self.drain_held(most - done)
        return done + self.run_scheduled(min(len(self.due()), most - done))

    def drain_held(self, most: int) -> int:
        """What was only accepted, with all that it causes."""
        done, last = 0, self.last
        self.delivering = True
        self.run_hooks()
        while self.queue and done < most and self.is_held(self.queue[0], last):
            done += not isinstance(self.queue[0], Joining)
            self.deliver_next()
        self.delivering = False
        return done

    def is_held(self, event: Event | Joining, last: int) -> bool:
        """Whether it was there when the part began, or was caused by what was."""
        return not isinstance(event, Event) or event.position <= last or not event.is_foreign

    def drain_once(self) -> None:
        """What waits now, timers aside."""
        self.mail = False
        self.take_in(len(self.posts))
        self.drain_held(1 << 62)
        self.run_scheduled(len(self.due()))

    def waits(self) -> bool:
        return bool(self.posts or self.queue or self.due())

    def tells(self) -> bool:
        """Whether there is something to drain, or to fetch that the host has not been told of."""
        held = any(
            isinstance(each, Event) or self.has_late(each.subscription) for each in self.queue
        )
        if self.due_timers() or self.posts or held or self.due():
            return True
        if self.mail and self.has_mail():
            return True
        # It may be told again of a mailbox that is not empty, and of an observer that joins or
        # that another thread has cancelled.
        told = (["wait", 0], ["next_timeout", (0, 0)], ["readable", (0, True)])
        may = self.has_mail() or self.queue or self.cancelled_elsewhere
        return bool(may) and self.process.returns() in told


class Process:
    """The threads of the host, one of which runs at a time, and the frames on each of them."""

    def __init__(self) -> None:
        self.thread = 0
        self.threads = 0
        self.frames: dict[int, list[Frame]] = {0: []}
        #: Which of several is next, where no law says so; set by who knows what the library did.
        self.advice: Callable[[list[Entry], list[Entry], list[Entry]], Entry | None] | None = None
        self.next_label: Callable[[], str | None] | None = None
        self.returns: Callable[[], Any] = lambda: None

    def is_next(self, hook: Callable[[], None] | None) -> bool:
        """Whether the library ran this hook next; true where that is not known."""
        return not self.next_label or self.next_label() == getattr(hook, "label", None)

    def choose(
        self, entries: list[Entry], taken: list[Entry], waiting: list[Entry]
    ) -> Entry | None:
        """One of several that may be next, after those that are taken already; all wait."""
        if self.advice and len(entries) > 1:
            return self.advice(entries, taken, waiting) or entries[0]
        return entries[0] if entries else None

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

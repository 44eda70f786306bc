# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The laws of the stream, written down as the simplest program that keeps them.

The numbers in comments are those of the laws. Every decision that a planted fault turns around is a
small method of its own: see variants.py.
"""

from __future__ import annotations

import json
from collections import deque
from typing import Any, Callable, Iterable, Sequence

from reference.contract import (
    ACTIVITY_NAME,
    ACTIVITY_TYPE,
    DENIED_NAME,
    DENIED_TYPE,
    FAILURE_NAME,
    FAILURE_TYPE,
    LIMIT_NAME,
    LIMIT_TYPE,
    REPORTS,
    layer_bit,
)
from reference.declarations import d
from reference.flow.answers import Answers
from reference.flow.clock import Clock
from reference.flow.draining import Draining
from reference.flow.effects import Fetching
from reference.flow.ending import Ending
from reference.flow.history import Histories, Joining
from reference.flow.opens import Ends
from reference.flow.present import Present
from reference.flow.process import Frame, Process
from reference.flow.rights import Rights
from reference.flow.schedulers import Entry, Schedulers
from reference.flow.sharing import Sharing
from reference.flow.shows import Shows
from reference.flow.values import Completion, Event, EventType, Pending, Scope, Subscription


class Stream(
    Ending,
    Answers,
    Sharing,
    Draining,
    Schedulers,
    Clock,
    Histories,
    Present,
    Rights,
    Shows,
    Ends,
    Fetching,
):
    def __init__(self, process: Process, how: dict[str, int]) -> None:
        self.process = process
        self.owner = None if how.get("threads") else process.thread
        self.how = how
        self.on_host = bool(how.get("flags", 0) & d.CONTEXT_DELIVER_ON_HOST)
        self.keeps_times = bool(how.get("flags", 0) & d.CONTEXT_TIMES)
        self.takes_interrupts = bool(how.get("flags", 0) & d.CONTEXT_INTERRUPTS)
        self.is_virtual = how.get("clock") == d.CLOCK_VIRTUAL
        self.root = Scope(self, "", None)
        self.types = [
            EventType(
                FAILURE_TYPE, FAILURE_NAME, d.PAYLOAD_JSON | d.ROLE_NOTICE | d.LAYER_SYSTEM, None
            ),
            EventType(
                DENIED_TYPE, DENIED_NAME, d.PAYLOAD_JSON | d.ROLE_NOTICE | d.LAYER_SYSTEM, None
            ),
            EventType(
                LIMIT_TYPE, LIMIT_NAME, d.PAYLOAD_JSON | d.ROLE_NOTICE | d.LAYER_SYSTEM, None
            ),
            EventType(
                ACTIVITY_TYPE, ACTIVITY_NAME, d.PAYLOAD_JSON | d.ROLE_NOTICE | d.LAYER_SYSTEM, None
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
        #: Requests whose answers are not delivered.
        self.undelivered: dict[int, Pending] = {}
        self.retained = self.last = self.deliveries = self.failures = 0
        self.rejected = self.denied = self.missed = 0
        self.delivering = self.closing = self.closed = False
        self.draining = self.is_ending = self.handles_ended = False
        #: What the next drain with a limit begins with.
        self.next_kind = 0
        self.open_schedulers()
        self.open_clock()
        self.open_histories()
        self.open_values()
        self.open_rights()
        self.open_shows()
        self.open_sharing()
        self.open_fetches()

    # What stands on the stream: models and bindings (model.py) ----------------------------------

    #: What is called at the end of a drain.
    tasks: Sequence[Any] = ()

    def run_tasks(self, most: int) -> int:
        return 0

    def forget_task(self, keeper: Subscription) -> None:
        """An observer has been released."""

    def is_told(self, keeper: Subscription) -> bool:
        """Whether the hook of an observer waits for a task."""
        return False

    def note_ends(self, owner: Scope) -> None:
        """A scope has ended."""

    def end_run(self, answer: Event) -> None:
        """Everybody has been told of an answer."""

    # Acceptance (law 1) -------------------------------------------------------------------------

    def accept(self, event: Event) -> int:
        """Gives an event the next position and its place in the queue."""
        self.last += 1
        event.position = self.last
        event.flags |= d.EVENT_OUTSIDE if self.is_input(event) else 0
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
            self.open[position] = self.undelivered[position] = pending
            self.note_asked(pending)
            if pending.completion:
                pending.completion.is_outside = bool(event.flags & d.EVENT_OUTSIDE)
        self.deliver()

    def end_leftovers(self) -> None:
        """What another thread cancelled in the meantime ends before a call begins."""
        if self.unreleased or self.cancelled_elsewhere or self.is_show_due:
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
        self.show_due()
        while self.queue:
            self.deliver_next()
            self.show_due()

    def deliver_next(self) -> None:
        event = self.next_event()
        self.unfreed = 0
        self.may_notice_what_others_cancelled()
        if isinstance(event, Joining):
            self.deliver_late(event.subscription)
        else:
            self.deliver_one(event)

    def deliver_one(self, event: Event) -> None:
        self.change(event)
        self.reach(event)
        self.keep(event)
        self.hand_over(event)
        self.complete(event)
        self.end_holding(event)
        self.tell_settled(event)
        self.end_what_has_ended(event)
        self.ask_together(event)
        self.pay_all(event)

    def reach(self, event: Event) -> None:
        """Calls the observers and handlers; the core answers what nobody handles (law 8)."""
        request = self.open.get(event.position) if event.flags & d.EVENT_TRACKED else None
        for subscription in self.recipients():
            if self.is_due(subscription, event):
                self.may_notice_what_others_cancelled()
                if request and subscription.is_handler:
                    request.handled = True
                self.call_subscription(subscription, event)
        if request and self.waits_for_a_handler(event):
            request.handled = True
        if request and event.position in self.open and self.is_unhandled(request):
            self.answer_for_core(event, d.UNHANDLED, cause=event)

    def end_holding(self, event: Event) -> None:
        """A request has reached its observers: who has kept it, or waits for it, can answer."""
        request = self.open.get(event.position) if event.flags & d.EVENT_TRACKED else None
        if request and request.handled:
            with self.process.inside(Frame(self, event)):
                self.let_go(event, self.first_server(event))

    def waits_for_a_handler(self, event: Event) -> bool:
        """Whether a server on a scheduler gets an event, later."""
        return any(each.is_handler and self.is_due(each, event) for each in self.scheduled())

    def recipients(self) -> list[Subscription]:
        return self.in_order(each for each in self.subscriptions if not each.filter.scheduler)

    def in_order(self, subscriptions: Iterable[Subscription]) -> list[Subscription]:
        """Those that observe one origin come after the others."""
        return sorted(subscriptions, key=lambda each: each.filter.of is not None)

    def is_due(self, subscription: Subscription, event: Event) -> bool:
        """Whether a subscription gets an event of the stream: it began before, and wants it."""
        began = self.began_before(subscription, event) or not event.position
        return began and self.is_wanted(subscription, event)

    def is_wanted(self, subscription: Subscription, event: Event) -> bool:
        """Whether a subscription is live, has not got all it counts, and the event matches."""
        if not self.is_live(subscription) or self.has_all(subscription):
            return False
        if subscription.is_handler and self.is_asker(event):
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
        if event.rows is not None:
            event = self.without_hole(subscription, event.copy())
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
        scheduler = subscription.filter.scheduler
        arguments = (is_scheduled, is_scheduled, scheduler, subscription)
        self.call(fn, scope, event, confirms, count_failure, *arguments)
        subscription.running = False

    def fail_handler(self, subscription: Subscription, gap: Event) -> None:
        """A handler is not called for a gap: what it lost is a failed call."""
        gap.type = subscription.filter.types[0]
        self.deliveries += 1
        subscription.failures += 1
        with self.process.inside(Frame(self, gap, True, True)):
            self.report(gap, subscription.scope, (d.FULL, "core"), subscription.failures)

    def complete(self, event: Event) -> None:
        """Calls the function of the request, after all observers of its response."""
        completion = event.completion
        self.note_answer(event)
        if completion and completion.group:
            self.give_to_all(completion.group, event)
            return
        if not completion or (event.flags & d.EVENT_PROGRESS and not completion.progress):
            return
        if completion.scheduler:
            self.schedulers[completion.scheduler].line.append(Entry(completion, event, None))
        else:
            self.run_completion(completion, event)

    def run_completion(self, completion: Completion, event: Event) -> None:
        """The function or a step of progress; after the answer the hook."""
        is_step = bool(event.flags & d.EVENT_PROGRESS)
        fn = completion.progress if is_step else completion.fn
        is_scheduled = bool(completion.scheduler)
        is_outside = completion.is_outside or is_scheduled
        if fn:
            self.may_notice_what_others_cancelled()
            self.call(fn, completion.scope, event, False, lambda: 1, is_outside, is_scheduled)
        if completion.hook and not is_step:
            with self.process.inside_hook(Frame(self, None), completion.scheduler):
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
        scheduler: int = 0,
        row: Subscription | None = None,
    ) -> None:
        """Runs one callback. Its first word of failure is counted and reported at once."""

        def fail(code: int, message: str, number: int = 0) -> None:
            if not event.failed:
                event.failed = True
                if row and row.is_handler and event.flags & d.EVENT_TRACKED:
                    self.note_failed(event)
                told = self.as_type(event, number) if number else event
                self.report(told, scope, (code, message), count_failure())

        self.deliveries += 1
        event.context, event.failed, event.confirmed, event.fail = scope, False, False, fail
        holder = self.holder(scope, is_outside or hasattr(fn, "is_of_view"))
        frame = Frame(self, event, is_outside, is_scheduled, scheduler, holder)
        frame.row, frame.fail = row, fail
        with self.process.inside(frame):
            fn(event)
            if confirms and not event.confirmed and not event.failed:
                fail(d.INCOMPLETE, "core")

    # Failures (law 7) ---------------------------------------------------------------------------

    def report(
        self, event: Event | None, scope: Scope, failed: tuple[int, str], count: int
    ) -> None:
        self.failures += 1
        if self.is_quiet(event) or not self.is_reported(count):
            return
        body = {
            "type": self.types[event.type - 1].name if event else "",
            "origin": scope.name,
            "code": failed[0],
            "sentence": failed[1],
            "count": count,
        }
        report = Event(FAILURE_TYPE, json.dumps(body).encode(), origin="")
        if event:
            report.cause, report.correlation = event.position, event.correlation
        report.depth = self.depth_behind(self.process.frame(self))
        report.is_owed = True
        self.put_report(report)

    def is_quiet(self, event: Event | None) -> bool:
        """What goes wrong while a report is handled, or at the end of close, is only counted."""
        return self.is_ending or (event is not None and event.type in REPORTS)

    def is_reported(self, count: int) -> bool:
        return count & (count - 1) == 0

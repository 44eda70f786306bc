# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The reference model: the calls of the header, their statuses, on top of the stream.

Written from the laws and the public header, without reading the library. It speaks the same
language as library.py, so one player plays a script against either.
"""

from __future__ import annotations

import copy
from typing import Any, Callable

from contract import (
    BUSY,
    CANCELLED,
    CONFIRM,
    DENIED,
    FULL,
    HOST,
    INTERRUPT_PAYLOAD,
    INVALID,
    LIMIT,
    OBSERVE_FAILED,
    OBSERVE_SUCCEEDED,
    OK,
    ON_DEMAND,
    PAYLOAD,
    POSTS,
    PROGRESS,
    ROLE_MASK,
    ROLE_NOTICE,
    ROLE_REQUEST,
    STALE,
    TIMEOUT,
    TOO_BIG,
    TRACKED,
    UNSUPPORTED,
    WRONG_KIND,
    WRONG_THREAD,
    keeps,
    with_role,
)
from schedulers import Entry, Scheduler
from stream import Process, Stream
from values import (
    Asked,
    Completion,
    Event,
    EventType,
    Filter,
    History,
    Pending,
    Retained,
    Scope,
    Subscription,
    Timer,
)

Callback = Callable[[Event], None]


def label(entry: Entry) -> tuple[str, str | None]:
    """What the log says of what an entry calls: it was called or released, and how it is named."""
    owner = entry.owner
    if isinstance(owner, Subscription):
        fn = owner.fn
    else:
        fn = owner.progress if entry.event.flags & PROGRESS else owner.fn or owner.hook
        if fn is owner.hook:
            return "released", getattr(fn, "label", None)
    return "called", getattr(fn, "label", None)


class Reference:
    """All that the library does for a script, on virtual threads."""

    stream_class: type[Stream] = Stream

    def __init__(self, seen: list[tuple[Any, ...]] | None = None) -> None:
        self.process = Process()
        self.streams: list[Stream] = []
        #: What the library did, where it is known: it chooses between schedulers as it likes.
        self.seen = seen

    def follow(self, log: list[tuple[Any, ...]]) -> None:
        """Takes the library's choice of who is next, where no law says so, from its log."""
        if self.seen is None:
            return

        def advice(entries: list[Entry], taken: list[Entry], waiting: list[Entry]) -> Entry | None:
            labels = {label(each): each for each in entries}
            before = [label(each) for each in taken]
            later = {label(each) for each in waiting}
            for what, *rest in self.seen[len(log) :]:
                name = (what, *rest[:1])
                if name in before:
                    # What was taken before it and is not called was cancelled meanwhile.
                    del before[: before.index(name) + 1]
                elif name in labels:
                    return labels[name]
                elif name in later:
                    # The first in line comes before it, and is then cancelled.
                    return None
            return None

        def next_label() -> str | None:
            what, *rest = self.seen[len(log)] if len(log) < len(self.seen) else ("end",)
            return rest[0] if what == "released" else None

        def returns() -> Any:
            what, *rest = self.seen[len(log)] if len(log) < len(self.seen) else ("end",)
            return rest[1:] if what == "returned" else None

        self.process.advice, self.process.next_label = advice, next_label
        self.process.returns = returns

    def create(self, how: dict[str, int]) -> Scope:
        stream = self.stream_class(self.process, how)
        self.streams.append(stream)
        return stream.root

    def begin(self) -> None:
        """Calls of the owner's may begin with the hooks of what other threads have cancelled."""
        if not self.process.next_label:
            return
        for stream in self.streams:
            if stream.cancelled_elsewhere and self.is_home(stream):
                stream.deliver(False)

    def foreign(self, call: Callable[[], Any]) -> Any:
        """Makes a call on another thread and waits for it."""
        with self.process.elsewhere():
            return call()

    def check(self, scope: Scope) -> int:
        """What a call that takes a context says before anything else."""
        stream = scope.stream
        if stream.gone or stream.closing or scope.ended:
            return STALE
        return OK if self.is_home(stream) else WRONG_THREAD

    def is_home(self, stream: Stream) -> bool:
        return stream.owner in (None, self.process.thread)

    # Types --------------------------------------------------------------------------------------

    def type_add(self, scope: Scope, name: str, contract: int, response: str | None) -> Any:
        status = self.check(scope)
        if status or name.startswith("Mainstem"):
            return status or INVALID, 0
        contract = with_role(name, contract)
        types = scope.stream.types
        known = next((each for each in types if each.name == name), None)
        if known is None:
            known = EventType(len(types) + 1, name, contract, response)
            status = scope.stream.check_sending(scope, known)
            if status:
                return status, 0
            known = EventType(len(types) + 1, name, contract, response)
            types.append(known)
        if known.contract != contract or (response and known.response not in (None, response)):
            return INVALID, 0
        known.response = known.response or response
        return OK, known.number

    def find(self, stream: Stream, number: int) -> EventType | None:
        return stream.types[number - 1] if 1 <= number <= len(stream.types) else None

    # Send, post, request ------------------------------------------------------------------------

    def check_event(self, scope: Scope, number: int, data: bytes) -> int:
        stream = scope.stream
        known = self.find(stream, number)
        if not known:
            return INVALID
        return stream.check_sending(scope, known) or self.check_payload(stream, known, data)

    def check_payload(self, stream: Stream, known: EventType, data: bytes) -> int:
        if len(data) > stream.limit("payload", PAYLOAD):
            return TOO_BIG
        return OK if keeps(known.contract, data) else INVALID

    def send(self, scope: Scope, number: int, data: bytes) -> int:
        status = self.check(scope) or self.check_event(scope, number, data)
        status = status or self.check_after_leftovers(scope)
        event = Event(number, data, scope.name)
        status = status or self.check_room(scope.stream, event)
        if not status:
            scope.stream.put(event)
        return status

    def send_many(self, scope: Scope, rows: list[tuple[int, bytes]]) -> Any:
        """One after the other, each a turn of its own, up to the first that is refused."""
        status = self.check(scope)
        if status:
            return status, 0
        for accepted, (number, data) in enumerate(rows):
            status = self.send(scope, number, data)
            if status:
                return status, accepted
        return OK, len(rows)

    def check_room(self, stream: Stream, event: Event) -> int:
        """Room where it has to wait: in the stream, among the posts, in queues that refuse."""
        status = stream.check_limits(event) if not event.is_post else self.check_posts(stream)
        if status or stream.find_room(event):
            return status
        stream.rejected += 1
        return FULL

    def check_posts(self, stream: Stream) -> int:
        if len(stream.posts) < stream.limit("posts", POSTS):
            return OK
        stream.rejected += 1
        return FULL

    def check_after_leftovers(self, scope: Scope) -> int:
        """The hooks that run before the call may have ended what it goes through."""
        scope.stream.end_leftovers()
        return self.check(scope)

    def post(self, scope: Scope, number: int, data: bytes) -> int:
        status = self.check(scope)
        if status == WRONG_THREAD:
            status = OK
        status = status or self.check_event(scope, number, data)
        event = Event(number, data, scope.name, is_post=True)
        status = status or self.check_room(scope.stream, event)
        if not status:
            scope.stream.set_cause_of_post(event)
            scope.stream.posts.append(event)
        return status

    def interrupt_prepare(self, scope: Scope) -> int:
        status = self.check(scope)
        if not status:
            scope.stream.is_prepared = True
        return status

    def post_from_interrupt(self, scope: Scope, number: int, data: bytes) -> int:
        stream, status = scope.stream, self.check(scope)
        known = self.find(stream, number)
        if status not in (OK, WRONG_THREAD):
            return status
        if not stream.is_prepared:
            return UNSUPPORTED
        if scope.is_limited:
            stream.denied += 1
            return DENIED
        if len(data) > min(INTERRUPT_PAYLOAD, stream.limit("payload", PAYLOAD)):
            return TOO_BIG
        if not known or not keeps(known.contract, data):
            return INVALID
        stream.posts.append(Event(number, data, scope.name))
        return OK

    def request(
        self, scope: Scope, number: int, data: bytes, fn: Callback | None, how: Asked | None = None
    ) -> Any:
        stream, how = scope.stream, how or Asked()
        status = self.check(scope) or self.check_event(scope, number, data)
        if status or not self.is_request(stream, number):
            return status or INVALID, None
        if how.timeout_ms < 0 or how.scheduler >= len(stream.schedulers):
            return INVALID, None
        event = Event(number, data, scope.name, flags=TRACKED)
        status = self.check_after_leftovers(scope) or self.check_room(stream, event)
        if status:
            return status, None
        completion = Completion(fn, scope, False, how.progress, how.hook, how.scheduler)
        pending = Pending(event, scope, completion)
        if how.timeout_ms:
            stream.arm(pending, how.timeout_ms)
        stream.put(event, pending)
        return OK, pending

    def is_request(self, stream: Stream, number: int) -> bool:
        asks = stream.types[number - 1].contract & ROLE_MASK == ROLE_REQUEST
        return asks and stream.response_of(number) != 0

    def check_pending(self, pending: Pending) -> int:
        stream = pending.scope.stream
        is_open = stream.open.get(pending.event.position) is pending
        return OK if is_open and not stream.gone else STALE

    def pending_cancel(self, pending: Pending) -> int:
        self.begin()
        stream = pending.scope.stream
        status = self.check_pending(pending)
        if not status and not self.is_home(stream):
            status = WRONG_THREAD
        if not status and stream.closing:
            status = STALE
        if not status:
            stream.answer_for_core(pending.event, CANCELLED)
            stream.deliver()
        return status

    def pending_position(self, pending: Pending) -> Any:
        status = self.check_pending(pending)
        return status, 0 if status else pending.event.position

    # Answers ------------------------------------------------------------------------------------

    def respond(self, event: Event, data: bytes) -> int:
        return self.give(event, OK, data)

    def respond_error(self, event: Event, code: int, sentence: str) -> int:
        return INVALID if code == OK else self.give(event, code, sentence.encode() + b"\0\0\0")

    def give(self, event: Event, code: int, data: bytes) -> int:
        """Answers through `event->context`, at home at once, from elsewhere at the next drain."""
        self.begin()
        scope = event.context
        stream = scope.stream
        if stream.gone or stream.closing:
            return STALE
        if not self.is_request(stream, event.type):
            return INVALID
        if self.is_settled(stream, event):
            return STALE
        number = stream.response_of(event.type)
        known = stream.types[number - 1]
        status = stream.check_sending(scope, known)
        if not status and code == OK:
            status = self.check_payload(stream, known, data)
        if status:
            return status
        if self.is_home(stream):
            stream.end_leftovers()
            if stream.closing or self.is_settled(stream, event):
                return STALE
        response = Event(number, data, scope.name, status=code)
        response.is_post = not self.is_home(stream)
        if not event.flags & TRACKED:
            status = self.check_room(stream, response)
            if status:
                return status
        stream.answer(event, response)
        if self.is_home(stream):
            stream.put(response)
        else:
            stream.posts.append(response)
        return OK

    def respond_progress(self, event: Event, number: int, data: bytes) -> int:
        self.begin()
        scope = event.context
        stream = scope.stream
        if stream.gone or stream.closing:
            return STALE
        known = self.find(stream, number)
        if stream.types[event.type - 1].contract & ROLE_MASK != ROLE_REQUEST:
            return INVALID
        if self.is_settled(stream, event):
            return STALE
        if not known or known.contract & ROLE_MASK != ROLE_NOTICE:
            return INVALID
        status = stream.check_sending(scope, known) or self.check_payload(stream, known, data)
        if status:
            return status
        step = Event(number, data, scope.name, answers=event.position)
        step.correlation, step.is_post = event.correlation, not self.is_home(stream)
        step.flags = PROGRESS
        if event.flags & TRACKED:
            step.step_of = stream.open[event.position]
            step.completion = step.step_of.completion
        if not self.is_home(stream):
            tracked = event.flags & TRACKED
            status = self.check_posts(stream) if tracked else self.check_room(stream, step)
            if not status:
                stream.posts.append(step)
            return status
        status = self.check_room(stream, step)
        if not status:
            stream.put(step)
        return status

    def is_settled(self, stream: Stream, event: Event) -> bool:
        return bool(event.flags & TRACKED) and event.position not in stream.open

    # Observe, cancel ----------------------------------------------------------------------------

    def serial_add(self, scope: Scope, name: str) -> Any:
        status = self.check(scope)
        if status:
            return status, 0
        scope.stream.schedulers.append(Scheduler(len(scope.stream.schedulers)))
        return OK, len(scope.stream.schedulers) - 1

    def observe(
        self, scope: Scope, what: Filter, fn: Callback | None, hook: Callable[[], None] | None
    ) -> Any:
        stream = scope.stream
        status = self.check(scope) or self.check_filter(stream, what, fn)
        for number in [] if status else what.types or []:
            known = self.find(stream, number)
            if what.concerns(known.contract):
                status = status or stream.check_observing(scope, known)
        if not status and not stream.has_budget(scope, 1):
            status = LIMIT
        if status:
            return status, None
        return OK, self.subscribe(scope, what, fn, hook)

    def check_filter(self, stream: Stream, what: Filter, fn: Callback | None) -> int:
        both = OBSERVE_FAILED | OBSERVE_SUCCEEDED
        if what.flags & both == both or what.scheduler >= len(stream.schedulers):
            return INVALID
        if what.flags & ON_DEMAND and not what.scheduler:
            return INVALID
        if fn is None and (what.scheduler != HOST or what.flags & (ON_DEMAND | CONFIRM)):
            return INVALID
        known = all(self.find(stream, number) for number in what.types or [])
        return OK if known else INVALID

    def subscribe(
        self,
        scope: Scope,
        what: Filter,
        fn: Callback | None,
        hook: Callable[[], None] | None,
    ) -> Subscription:
        stream = scope.stream
        subscription = Subscription(scope, what, fn, hook, self.starts_after(stream))
        subscription.has_fn = fn is not None
        self.register(subscription)
        stream.deliver()
        return subscription

    def register(self, subscription: Subscription) -> None:
        stream = subscription.scope.stream
        if subscription.filter.scheduler:
            stream.gap_type_number()
        stream.subscriptions.append(subscription)
        stream.join(subscription)

    def subscription_ask(self, subscription: Subscription, count: int) -> int:
        if subscription.cancelled or subscription.scope.stream.gone:
            return STALE
        if not subscription.on_demand:
            return INVALID
        subscription.asked += count
        return OK

    def subscription_stats(self, subscription: Subscription) -> Any:
        stream = subscription.scope.stream
        if subscription.cancelled or stream.gone:
            return STALE, {}
        scheduled = bool(subscription.filter.scheduler)
        waiting = stream.waiting(subscription)
        known = self.process.returns()
        if stream.is_ending and known and known[1][1]:
            # When close drops what waits is not said.
            waiting = waiting[: known[1][1]["waiting"]]
        return OK, {
            "flags": int(scheduled),
            "delivered": subscription.calls if scheduled else 0,
            "failed": subscription.failures,
            "dropped": subscription.dropped,
            "waiting": len(waiting),
            "waiting_bytes": sum(len(each.event.payload) for each in waiting),
        }

    def drain_records(self, subscription: Subscription, size: int) -> Any:
        self.begin()
        stream = subscription.scope.stream
        if self.process.frame(stream) and not subscription.released:
            return BUSY, [], 0
        if subscription.cancelled or stream.gone:
            return STALE, [], 0
        if subscription.has_fn:
            return INVALID, [], 0
        fetched, needed = stream.fetch(subscription, size)
        stream.end_used_up(subscription)
        stream.deliver()
        return (TOO_BIG if needed and not fetched else OK), fetched, needed

    def history_keep(self, scope: Scope, number: int, count: int, age: int) -> int:
        self.begin()
        stream = scope.stream
        status = self.check(scope)
        known = self.find(stream, number)
        if status or not known or age < 0:
            return status or INVALID
        status = stream.check_sending(scope, known)
        if status or known.contract & ROLE_MASK == ROLE_REQUEST:
            return status or INVALID
        stream.end_leftovers()
        if not count:
            stream.histories.pop(number, None)
            return OK
        history = stream.histories.setdefault(number, History(count, age, stream.last))
        before = len(history.events)
        stream.trim(history)
        if age and not history.age:
            # No time was taken while there was no limit: what is kept grows old from now on.
            times = [(event, stream.now if at is None else at) for event, at in history.events]
            history.events = times
        history.count, history.age = count, age
        stream.trim(history)
        frame = self.process.frame(stream)
        if frame and not frame.is_scheduled:
            stream.unfreed += before - len(history.events)
        return OK

    def starts_after(self, stream: Stream) -> int:
        return stream.last

    def subscription_from(self, subscription: Subscription) -> Any:
        if subscription.cancelled or subscription.scope.stream.gone:
            return STALE, 0
        return OK, subscription.starts_after

    def cancel(self, subscription: Subscription) -> int:
        stream = subscription.scope.stream
        if subscription.cancelled or stream.gone:
            return STALE
        stream.cancel(subscription)
        if self.is_home(stream):
            stream.deliver()
        return OK

    def cancel_wait(self, subscription: Subscription) -> int:
        stream = subscription.scope.stream
        if subscription.released or stream.gone:
            return STALE
        if not self.is_home(stream):
            return WRONG_THREAD
        if self.process.frame(stream):
            return BUSY
        if not subscription.cancelled:
            stream.cancel(subscription)
        stream.deliver()
        return OK

    # In a callback ------------------------------------------------------------------------------

    def retain(self, event: Event) -> Any:
        if event.context.stream.gone:
            return STALE, None
        event.context.stream.retained += 1
        return OK, Retained(copy.copy(event))

    def retained_event(self, retained: Retained) -> Any:
        if retained.released or retained.event.context.stream.gone:
            return STALE, None
        return OK, retained.event

    def retained_release(self, retained: Retained) -> int:
        stream = retained.event.context.stream
        if retained.released or stream.gone:
            return STALE
        retained.released = True
        stream.retained -= 1
        return OK

    def fail(self, event: Event, code: int, sentence: str) -> int:
        if code == OK or not self.is_current(event):
            return INVALID
        event.fail(code, sentence)
        return OK

    def confirm(self, event: Event) -> int:
        if not self.is_current(event):
            return INVALID
        event.confirmed = True
        return OK

    def is_current(self, event: Event) -> bool:
        frames = self.process.frames[self.process.thread]
        return bool(frames) and frames[-1].event is event

    # Scopes and servers -------------------------------------------------------------------------

    def scope_add_with(self, parent: Scope, name: str, how: dict[str, int]) -> Any:
        status, scope = self.scope_add(parent, name)
        if not status:
            parent.stream.narrow(scope, how)
        return status, scope

    def scope_add(self, parent: Scope, name: str) -> Any:
        status = self.check(parent)
        if status:
            return status, None
        scope = Scope(parent.stream, name, parent)
        parent.stream.narrow(scope, {})
        parent.stream.scopes.append(scope)
        return OK, scope

    def server_add(
        self,
        parent: Scope,
        name: str,
        rows: list[tuple[str, Callback]],
        hook: Callable[[], None] | None,
    ) -> Any:
        status = self.check(parent)
        if status:
            return status, None
        numbers = {each.name: each.number for each in parent.stream.types}
        known = [numbers[row[0]] for row in rows if row[0] in numbers]
        status = self.check_serving(parent, known, len(rows))
        if status:
            return status, None
        _, server = self.scope_add(parent, name)
        server.handles = {numbers[row[0]] for row in rows}
        server.since = parent.stream.last
        stream = parent.stream
        for index, (row, fn) in enumerate(rows):
            # The last to be cancelled is the first registered: it carries the server's hook.
            what, last_hook = Filter(types=[numbers[row]]), hook if index == 0 else None
            self.register(
                Subscription(server, what, fn, last_hook, self.starts_after(stream), True)
            )
        stream.deliver()
        return OK, server

    def check_serving(self, scope: Scope, numbers: list[int], count: int) -> int:
        """To serve is to observe, and to send the response."""
        stream = scope.stream
        for number in numbers:
            answer = self.find(stream, stream.response_of(number))
            status = stream.check_observing(scope, self.find(stream, number))
            status = status or (stream.check_sending(scope, answer) if answer else OK)
            if status:
                return status
        if len(numbers) < count:
            return INVALID
        return OK if stream.has_budget(scope, count) else LIMIT

    def scope_end(self, scope: Scope) -> int:
        status = self.check(scope)
        if status or scope.parent is None:
            return status or WRONG_KIND
        scope.stream.end_scope(scope)
        return OK

    # Drain, wait, flush, close ------------------------------------------------------------------

    def check_waiting(self, scope: Scope) -> int:
        stream = scope.stream
        # Also where a closing context delivers its last events: a call that waits is BUSY there.
        if self.process.frame(stream) and not (scope.ended or stream.handles_ended):
            if not self.is_home(stream):
                return WRONG_THREAD
            stream.mail = False
            return BUSY
        return self.check(scope)

    def drain(self, scope: Scope, limit: int) -> Any:
        status = self.check_waiting(scope)
        return (status, 0) if status else (OK, scope.stream.drain(limit))

    def flush(self, scope: Scope) -> int:
        return self.drain(scope, 0)[0]

    def wait(self, scope: Scope) -> int:
        status = self.check_waiting(scope)
        if not status and not scope.stream.tells():
            status = TIMEOUT
        return status or self.drain(scope, 0)[0]

    # Time ---------------------------------------------------------------------------------------

    def send_later(self, kind: str, scope: Scope, number: int, data: bytes, ms: int) -> Any:
        stream, repeats = scope.stream, kind == "send_every"
        status = INVALID if ms < int(repeats) else self.check(scope)
        status = status or self.check_event(scope, number, data)
        if status:
            return status, None
        timer = Timer(scope, number, data, ms if repeats else 0)
        stream.arm(timer, ms)
        return OK, timer

    def timer_cancel(self, timer: Timer) -> int:
        stream = timer.scope.stream
        if timer.ended or stream.gone:
            return STALE
        timer.ended = True
        stream.timers.remove(timer)
        return OK

    def advance(self, scope: Scope, ms: int) -> int:
        status = self.check_waiting(scope)
        if not status and (ms < 0 or not scope.stream.is_virtual):
            status = INVALID
        if not status:
            scope.stream.advance(ms)
        return status

    def now(self, scope: Scope) -> Any:
        status, stream = self.check_reading(scope), scope.stream
        if status or not stream.is_virtual:
            return status, 0
        frame = self.process.frame(stream)
        in_event = stream.keeps_times and frame and frame.event
        return OK, frame.event.time if in_event else stream.now

    def next_timeout(self, scope: Scope) -> Any:
        """What waits for the host; with a virtual clock nothing comes by itself."""
        status, stream = self.check_reading(scope), scope.stream
        if not status and self.process.frame(stream):
            return OK, -1
        status = status or self.check(scope)
        return status, 0 if status or stream.tells() else -1

    def readable(self, scope: Scope) -> Any:
        status = self.check(scope)
        stream = scope.stream
        return status, not status and stream.tells()

    # Close --------------------------------------------------------------------------------------

    def close(self, scope: Scope) -> int:
        if scope.parent is not None:
            return self.check(scope) or WRONG_KIND
        status = self.check_waiting(scope)
        if not status:
            scope.stream.close()
        return status

    def check_reading(self, scope: Scope) -> int:
        """Reading works in the last callbacks of a closing context too."""
        stream = scope.stream
        if stream.gone or stream.handles_ended or scope.ended:
            return STALE
        return OK if self.is_home(stream) else WRONG_THREAD

    def stats(self, scope: Scope) -> Any:
        stream = scope.stream
        status = self.check_reading(scope)
        if status:
            return status, {}
        return OK, {
            "scopes": len(stream.scopes),
            "events": stream.last,
            "deliveries": stream.deliveries,
            "failures": stream.failures,
            "waiting": len(stream.posts),
            "types": len(stream.types),
            "subscriptions": len(stream.subscriptions),
            "requests": len(stream.open),
            "retained": stream.retained,
            "denied": stream.denied,
            "history": stream.kept_events() + stream.unfreed * bool(self.process.frame(stream)),
            "history_lost": 0,
            "timers": sum(isinstance(each, Timer) for each in stream.timers),
            "timers_missed": stream.missed,
            "rejected": stream.rejected,
        }

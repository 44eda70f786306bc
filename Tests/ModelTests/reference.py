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
    INVALID,
    OBSERVE_FAILED,
    OBSERVE_SUCCEEDED,
    OK,
    ROLE_MASK,
    ROLE_REQUEST,
    STALE,
    TIMEOUT,
    TRACKED,
    WRONG_KIND,
    WRONG_THREAD,
    keeps,
    with_role,
)
from stream import Process, Stream
from values import Completion, Event, EventType, Filter, Pending, Retained, Scope, Subscription

Callback = Callable[[Event], None]


class Reference:
    """All that the library does for a script, on virtual threads."""

    stream_class: type[Stream] = Stream

    def __init__(self) -> None:
        self.process = Process()

    def create(self, any_thread: bool) -> Scope:
        return self.stream_class(self.process, any_thread).root

    def foreign(self, call: Callable[[], Any]) -> Any:
        """Makes a call on another thread and waits for it."""
        with self.process.elsewhere():
            return call()

    def check(self, scope: Scope) -> int:
        """What a call that takes a context says before anything else."""
        stream = scope.stream
        if stream.closed or stream.closing or scope.ended:
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
            types.append(known)
        if known.contract != contract or (response and known.response not in (None, response)):
            return INVALID, 0
        known.response = known.response or response
        return OK, known.number

    def find(self, stream: Stream, number: int) -> EventType | None:
        return stream.types[number - 1] if 1 <= number <= len(stream.types) else None

    # Send, post, request ------------------------------------------------------------------------

    def check_event(self, scope: Scope, number: int, data: bytes) -> int:
        known = self.find(scope.stream, number)
        return OK if known and keeps(known.contract, data) else INVALID

    def send(self, scope: Scope, number: int, data: bytes) -> int:
        status = self.check(scope) or self.check_event(scope, number, data)
        status = status or self.check_after_leftovers(scope)
        if not status:
            scope.stream.put(Event(number, data, scope.name))
        return status

    def check_after_leftovers(self, scope: Scope) -> int:
        """The hooks that run before the call may have ended what it goes through."""
        scope.stream.end_leftovers()
        return self.check(scope)

    def post(self, scope: Scope, number: int, data: bytes) -> int:
        status = self.check(scope)
        if status == WRONG_THREAD:
            status = OK
        status = status or self.check_event(scope, number, data)
        if not status:
            scope.stream.posts.append(Event(number, data, scope.name))
        return status

    def request(self, scope: Scope, number: int, data: bytes, fn: Callback | None) -> Any:
        stream = scope.stream
        status = self.check(scope) or self.check_event(scope, number, data)
        if status or not self.is_request(stream, number):
            return status or INVALID, None
        status = self.check_after_leftovers(scope)
        if status:
            return status, None
        event = Event(number, data, scope.name, flags=TRACKED)
        pending = Pending(event, scope, Completion(fn, scope) if fn else None)
        stream.put(event, pending)
        return OK, pending

    def is_request(self, stream: Stream, number: int) -> bool:
        asks = stream.types[number - 1].contract & ROLE_MASK == ROLE_REQUEST
        return asks and stream.response_of(number) != 0

    def check_pending(self, pending: Pending) -> int:
        stream = pending.scope.stream
        is_open = stream.open.get(pending.event.position) is pending
        return OK if is_open and not stream.closed else STALE

    def pending_cancel(self, pending: Pending) -> int:
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
        scope = event.context
        stream = scope.stream
        if stream.closed or stream.closing:
            return STALE
        if not self.is_request(stream, event.type):
            return INVALID
        if self.is_settled(stream, event):
            return STALE
        number = stream.response_of(event.type)
        if code == OK and not keeps(stream.types[number - 1].contract, data):
            return INVALID
        if self.is_home(stream):
            stream.end_leftovers()
            if stream.closing or self.is_settled(stream, event):
                return STALE
        response = Event(number, data, scope.name, status=code)
        stream.answer(event, response)
        if self.is_home(stream):
            stream.put(response)
        else:
            stream.posts.append(response)
        return OK

    def is_settled(self, stream: Stream, event: Event) -> bool:
        return bool(event.flags & TRACKED) and event.position not in stream.open

    # Observe, cancel ----------------------------------------------------------------------------

    def observe(
        self, scope: Scope, what: Filter, fn: Callback, hook: Callable[[], None] | None
    ) -> Any:
        status = self.check(scope) or self.check_filter(scope.stream, what)
        if status:
            return status, None
        return OK, self.subscribe(scope, what, fn, hook)

    def check_filter(self, stream: Stream, what: Filter) -> int:
        both = OBSERVE_FAILED | OBSERVE_SUCCEEDED
        if what.flags & both == both:
            return INVALID
        known = all(self.find(stream, number) for number in what.types or [])
        return OK if known else INVALID

    def subscribe(
        self,
        scope: Scope,
        what: Filter,
        fn: Callback,
        hook: Callable[[], None] | None,
        is_handler: bool = False,
    ) -> Subscription:
        stream = scope.stream
        subscription = Subscription(scope, what, fn, hook, self.starts_after(stream))
        subscription.is_handler = is_handler
        stream.subscriptions.append(subscription)
        stream.deliver()
        return subscription

    def starts_after(self, stream: Stream) -> int:
        return stream.last

    def subscription_from(self, subscription: Subscription) -> Any:
        if subscription.cancelled or subscription.scope.stream.closed:
            return STALE, 0
        return OK, subscription.starts_after

    def cancel(self, subscription: Subscription) -> int:
        stream = subscription.scope.stream
        if subscription.cancelled or stream.closed:
            return STALE
        stream.cancel(subscription)
        if self.is_home(stream):
            stream.deliver()
        return OK

    def cancel_wait(self, subscription: Subscription) -> int:
        stream = subscription.scope.stream
        if subscription.released or stream.closed:
            return STALE
        if self.process.frame(stream):
            return BUSY
        if not subscription.cancelled:
            stream.cancel(subscription)
        stream.deliver()
        return OK

    # In a callback ------------------------------------------------------------------------------

    def retain(self, event: Event) -> Any:
        if event.context.stream.closed:
            return STALE, None
        event.context.stream.retained += 1
        return OK, Retained(copy.copy(event))

    def retained_event(self, retained: Retained) -> Any:
        if retained.released or retained.event.context.stream.closed:
            return STALE, None
        return OK, retained.event

    def retained_release(self, retained: Retained) -> int:
        stream = retained.event.context.stream
        if retained.released or stream.closed:
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

    def scope_add(self, parent: Scope, name: str) -> Any:
        status = self.check(parent)
        if status:
            return status, None
        scope = Scope(parent.stream, name, parent)
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
        if any(row[0] not in numbers for row in rows):
            return INVALID, None
        _, server = self.scope_add(parent, name)
        server.handles = {numbers[row[0]] for row in rows}
        for index, (row, fn) in enumerate(rows):
            # The last to be cancelled is the first registered: it carries the server's hook.
            last_hook = hook if index == 0 else None
            self.subscribe(server, Filter(types=[numbers[row]]), fn, last_hook, True)
        return OK, server

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
            return BUSY if self.is_home(stream) else WRONG_THREAD
        return self.check(scope)

    def drain(self, scope: Scope, limit: int) -> Any:
        status = self.check_waiting(scope)
        if status:
            return status, 0
        waiting = len(scope.stream.posts)
        return OK, scope.stream.take_in(min(limit, waiting) if limit else waiting)

    def flush(self, scope: Scope) -> int:
        return self.drain(scope, 0)[0]

    def wait(self, scope: Scope) -> int:
        status = self.check_waiting(scope)
        if not status and not scope.stream.posts:
            status = TIMEOUT
        return status or self.drain(scope, 0)[0]

    def close(self, scope: Scope) -> int:
        if scope.parent is not None:
            return self.check(scope) or WRONG_KIND
        status = self.check_waiting(scope)
        if not status:
            scope.stream.close()
        return status

    def stats(self, scope: Scope) -> Any:
        stream = scope.stream
        # Reading works in the last callbacks of a closing context too.
        gone = stream.closed or stream.handles_ended or scope.ended
        status = STALE if gone else OK if self.is_home(stream) else WRONG_THREAD
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
        }

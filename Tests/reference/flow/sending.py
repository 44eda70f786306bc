# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Send, post, request: a part of the calls (calls.py)."""

from __future__ import annotations

from typing import Any

from reference.contract import PAYLOAD, POSTS, keeps
from reference.declarations import d
from reference.flow.stream import Stream
from reference.flow.values import (
    Asked,
    Callback,
    Completion,
    Event,
    EventType,
    Pending,
    Retained,
    Scope,
)


class Sending:
    """The calls that send, and what each of them may be refused."""

    def check_event(self, scope: Scope, number: int, data: bytes) -> int:
        stream = scope.stream
        known = self.find(stream, number)
        if not known:
            return d.INVALID
        return stream.check_sending(scope, known) or self.check_payload(stream, known, data)

    def check_payload(self, stream: Stream, known: EventType, data: bytes) -> int:
        if len(data) > stream.limit("payload", PAYLOAD):
            return d.TOO_BIG
        return d.OK if keeps(known.contract, data) and not known.is_list else d.INVALID

    def send(self, scope: Scope, number: int, data: bytes) -> int:
        status = self.check(scope) or self.check_event(scope, number, data)
        if not status and self.is_in_show(scope.stream):
            known = self.find(scope.stream, number)
            status = (
                d.OK if known.contract & d.ROLE_MASK in (d.ROLE_NOTICE, d.ROLE_VALUE) else d.BUSY
            )
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
        return d.OK, len(rows)

    def check_room(self, stream: Stream, event: Event) -> int:
        """Room where it has to wait: in the stream, among the posts, in queues that refuse."""
        status = stream.check_limits(event) if not event.is_post else self.check_posts(stream)
        if status or stream.find_room(event):
            return status
        stream.rejected += 1
        return d.FULL

    def check_posts(self, stream: Stream) -> int:
        if len(stream.posts) < stream.limit("posts", POSTS):
            return d.OK
        stream.rejected += 1
        return d.FULL

    def value_set(self, scope: Scope, number: int, data: bytes) -> int:
        """Sends, unless the bytes are there already."""
        status = self.check(scope) or self.check_value(scope.stream, number)
        status = status or self.check_event(scope, number, data)
        event = Event(number, data, scope.name)
        if status or scope.stream.is_there(event):
            return status
        broken = scope.stream.broken_by(event)
        if broken:
            self.process.frame(scope.stream).fail(d.INVALID, "core", broken)
            return d.INVALID
        status = self.check_after_leftovers(scope)
        if status or scope.stream.is_there(event):
            return status
        status = self.check_room(scope.stream, event)
        if not status:
            scope.stream.put(event)
        return status

    def check_value(self, stream: Stream, number: int) -> int:
        known = self.find(stream, number)
        return d.OK if known and stream.is_value(known) else d.INVALID

    def value_get(self, scope: Scope, number: int) -> Any:
        """What was delivered last, as a kept event."""
        stream = scope.stream
        status = self.check_reading(scope) or self.check_value(stream, number)
        status = status or stream.check_observing(scope, self.find(stream, number))
        event = None if status else stream.present.get((number, scope.name))
        if event is None:
            return status or d.UNSET, None
        kept = event.copy()
        kept.context = scope
        stream.retained += 1
        return d.OK, Retained(kept)

    def check_after_leftovers(self, scope: Scope) -> int:
        """The hooks that run before the call may have ended what it goes through."""
        scope.stream.ready_shows()
        scope.stream.end_leftovers()
        return self.check(scope)

    def post(self, scope: Scope, number: int, data: bytes) -> int:
        status = self.check(scope)
        if status == d.WRONG_THREAD:
            status = d.OK
        status = status or self.check_outside_show(scope)
        status = status or self.check_event(scope, number, data)
        event = Event(number, data, scope.name, is_post=True)
        status = status or self.check_room(scope.stream, event)
        if not status:
            scope.stream.set_cause_of_post(event)
            scope.stream.posts.append(event)
        return status

    def post_from_interrupt(self, scope: Scope, number: int, data: bytes) -> int:
        stream, status = scope.stream, self.check(scope)
        known = self.find(stream, number)
        if status not in (d.OK, d.WRONG_THREAD):
            return status
        if not stream.takes_interrupts:
            return d.UNSUPPORTED
        if scope.is_limited:
            stream.denied += 1
            return d.DENIED
        if len(data) > min(d.INTERRUPT_PAYLOAD, stream.limit("payload", PAYLOAD)):
            return d.TOO_BIG
        if not known or known.is_list or not keeps(known.contract, data):
            return d.INVALID
        stream.posts.append(Event(number, data, scope.name))
        return d.OK

    def request(
        self, scope: Scope, number: int, data: bytes, fn: Callback | None, how: Asked | None = None
    ) -> Any:
        stream, how = scope.stream, how or Asked()
        status = self.check_changing(scope) or self.check_event(scope, number, data)
        if status or not self.is_request(stream, number):
            return status or d.INVALID, None
        if how.timeout_ms < 0 or how.scheduler >= len(stream.schedulers):
            return d.INVALID, None
        event = Event(number, data, scope.name, flags=d.EVENT_TRACKED | d.EVENT_SHARED * how.share)
        status = self.check_after_leftovers(scope) or self.check_room(stream, event)
        if status:
            return status, None
        completion = Completion(fn, scope, False, how.progress, how.hook, how.scheduler)
        pending = Pending(event, scope, completion)
        if how.timeout_ms:
            stream.arm(pending, how.timeout_ms)
        stream.put(event, pending)
        return d.OK, pending

    def is_request(self, stream: Stream, number: int) -> bool:
        asks = stream.types[number - 1].contract & d.ROLE_MASK == d.ROLE_REQUEST
        return asks and stream.response_of(number) != 0

    def check_pending(self, pending: Pending) -> int:
        stream = pending.scope.stream
        is_open = stream.open.get(pending.event.position) is pending
        return d.OK if is_open and not stream.gone else d.STALE

    def pending_cancel(self, pending: Pending) -> int:
        stream = pending.scope.stream
        self.begin(stream)
        status = self.check_pending(pending)
        if not status and not self.is_home(stream):
            status = d.WRONG_THREAD
        if not status and stream.closing:
            status = d.STALE
        if not status and self.is_in_show(stream):
            return d.BUSY
        if not status:
            stream.ready_shows()
            stream.end_leftovers()
            status = d.STALE if stream.closing else self.check_pending(pending)
        if not status:
            stream.answer_for_core(pending.event, d.CANCELLED)
            stream.deliver()
        return status

    def pending_position(self, pending: Pending) -> Any:
        status = self.check_pending(pending)
        return status, 0 if status else pending.event.position

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Answers and progress: a part of the calls (calls.py)."""

from __future__ import annotations

from typing import Callable

from reference.declarations import d
from reference.flow.stream import Stream
from reference.flow.values import Event, Told


class Answering:
    """The calls that answer a request."""

    def respond(self, event: Event, data: bytes) -> int:
        return self.give(event, d.OK, data)

    def respond_error(self, event: Event, code: int, message: str) -> int:
        return d.INVALID if code == d.OK else self.give(event, code, message.encode() + b"\0\0\0")

    def give(self, event: Event, code: int, data: bytes) -> int:
        """Answers through `event->context`, at home at once, from elsewhere at the next drain."""
        scope = event.context
        stream = scope.stream
        self.begin(stream)
        if stream.gone or stream.closing:
            return d.STALE
        if self.is_in_show(stream):
            return d.BUSY
        if not self.is_request(stream, event.type):
            return d.INVALID
        if self.is_settled(stream, event):
            return d.STALE
        number = stream.response_of(event.type)
        known = stream.types[number - 1]
        status = stream.check_sending(scope, known)
        if not status and code == d.OK:
            status = self.check_payload(stream, known, data)
        if status:
            return status
        if self.is_home(stream):
            stream.ready_shows()
            stream.end_leftovers()
            if stream.closing or self.is_settled(stream, event):
                return d.STALE
        response = Event(number, data, scope.name, status=code)
        response.answerer = scope
        response.is_post = not self.is_home(stream)
        if not event.flags & d.EVENT_TRACKED:
            status = self.check_room(stream, response)
            if status:
                return status
        stream.answer(event, response)
        if self.is_home(stream):
            if not stream.hold(response):
                stream.put(response)
        else:
            stream.posts.append(response)
        return d.OK

    def respond_progress(self, event: Event, number: int, data: bytes) -> int:
        scope = event.context
        stream = scope.stream
        self.begin(stream)
        if stream.gone or stream.closing:
            return d.STALE
        if self.is_in_show(stream):
            return d.BUSY
        known = self.find(stream, number)
        if stream.types[event.type - 1].contract & d.ROLE_MASK != d.ROLE_REQUEST:
            return d.INVALID
        if self.is_settled(stream, event):
            return d.STALE
        if not known or known.contract & d.ROLE_MASK != d.ROLE_NOTICE:
            return d.INVALID
        status = stream.check_sending(scope, known) or self.check_payload(stream, known, data)
        if status:
            return status
        step = Event(number, data, scope.name, answers=event.position)
        step.correlation, step.is_post = event.correlation, not self.is_home(stream)
        step.flags = d.EVENT_PROGRESS
        if event.flags & d.EVENT_TRACKED:
            step.step_of = stream.open[event.position]
            step.completion = step.step_of.completion
        if not self.is_home(stream):
            tracked = event.flags & d.EVENT_TRACKED
            status = self.check_posts(stream) if tracked else self.check_room(stream, step)
            if not status:
                stream.posts.append(step)
            return status
        stream.ready_shows()
        stream.end_leftovers()
        if stream.closing or self.is_settled(stream, event):
            return d.STALE
        status = self.check_room(stream, step)
        if not status:
            stream.put(step)
        return status

    def on_settled(
        self, event: Event, fn: Callable[[], None], hook: Callable[[], None] | None
    ) -> int:
        stream = event.context.stream
        if not self.is_current(event):
            return d.INVALID
        if stream.types[event.type - 1].contract & d.ROLE_MASK != d.ROLE_REQUEST:
            return d.INVALID
        frame = self.process.frame(stream)
        scheduler = frame.scheduler if frame else 0
        told = Told(fn, event.context, scheduler=scheduler, hook=hook)
        if not event.flags & d.EVENT_TRACKED:
            stream.release_told(told)
        elif event.position in stream.undelivered:
            stream.undelivered[event.position].told.append(told)
        else:
            self.tell_at_once(stream, told)
        return d.OK

    def tell_at_once(self, stream: Stream, told: Told) -> None:
        """The answer has been delivered: the function is part of the callback."""
        if not stream.has_ended(told.scope):
            told.fn()
        stream.release_told(told)

    def is_settled(self, stream: Stream, event: Event) -> bool:
        return bool(event.flags & d.EVENT_TRACKED) and event.position not in stream.open

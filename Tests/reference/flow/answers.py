# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Answers: a part of the stream (stream.py), law 8."""

from __future__ import annotations

import json

from reference.contract import FAILURE_TYPE, POSTS
from reference.declarations import d
from reference.flow.process import Frame
from reference.flow.schedulers import Entry
from reference.flow.values import Event, Joined, Pending, Scope, Subscription, Told

CORE_ERROR = b"core\0\0\0"


class Answers:
    """What settles a request."""

    def open_requests(self) -> list[Pending]:
        return [self.open[position] for position in sorted(self.open)]

    def answer(self, request: Event, response: Event) -> None:
        """Settles a request; the response carries its completion."""
        response.answers, response.correlation = request.position, request.correlation
        pending = response.settles = self.open.pop(request.position, None)
        response.is_owed = pending is not None
        if pending in self.timers:
            self.timers.remove(pending)
        response.completion = pending.completion if pending else None

    def answer_for_core(
        self, request: Event, status: int, cause: Event | None = None, flags: int = 0
    ) -> None:
        response = Event(self.response_of(request.type), CORE_ERROR, "", status=status, flags=flags)
        self.answer(request, response)
        if cause:
            response.cause, response.depth = cause.position, cause.depth + 1
            with self.process.inside(Frame(self, cause)):
                self.accept(response)
        else:
            self.set_cause(response)
            response.is_foreign = False
            self.accept(response)

    # Telling who works on it --------------------------------------------------------------------

    def tell_settled(self, answer: Event) -> None:
        """After the requester, the servers hear that somebody else has answered."""
        if not answer.settles:
            return
        del self.undelivered[answer.answers]
        for told in answer.settles.told:
            if isinstance(told, Joined):
                self.leave(told, answer)
                continue
            if self.is_answerer(told, answer):
                told.fn = None
            if told.scheduler:
                if told.fn or told.hook:
                    self.schedulers[told.scheduler].line.append(Entry(told, answer, None))
            else:
                self.may_notice_what_others_cancelled()
                self.run_told(told, answer)
        self.end_run(answer)

    # Who can answer -----------------------------------------------------------------------------

    def add_holder(self, event: Event) -> None:
        """One more can answer a request."""
        if event.flags & d.EVENT_TRACKED and event.position in self.undelivered:
            self.undelivered[event.position].holders += 1

    def note_failed(self, event: Event) -> None:
        if event.position in self.undelivered:
            self.undelivered[event.position].has_failed = True

    def let_go(
        self, event: Event, by: Scope | None, waits: bool = False, released: bool = False
    ) -> None:
        """One less can. If that was the last, the core answers: at once, or in the next drain."""
        if not event.flags & d.EVENT_TRACKED or event.position not in self.undelivered:
            return
        pending = self.undelivered[event.position]
        pending.holders -= 1
        if pending.holders:
            return
        if not waits:
            # As before each event that is accepted outside callbacks.
            self.ready_shows()
            self.end_leftovers()
        if event.position not in self.open or self.closing:
            return
        if not self.is_being_cancelled(pending):
            self.answer_for_nobody(pending, by, waits, released)

    def let_go_beside(self, handler: Subscription, event: Event) -> None:
        """A handler on a scheduler has been called, or will not be."""
        if handler.is_handler:
            with self.process.inside(Frame(self, event, True, True)):
                is_home = self.owner in (None, self.process.thread)
                self.let_go(event, handler.scope, not is_home)

    def is_being_cancelled(self, pending: Pending) -> bool:
        """Whether who asked, or all that were asked, have ended: they are told that, instead."""
        if pending.scope.ended or (pending.served and pending.served.ended):
            return True
        return not self.is_served(pending)

    def answer_for_nobody(
        self, pending: Pending, by: Scope | None, waits: bool, released: bool
    ) -> None:
        request, known = pending.event, self.types[pending.event.type - 1]
        # The core words them differently, so a command's error changes from one to the other.
        how = b"failed" if pending.has_failed else b"released" if released else b"returned"
        error = b"core, " + how + b"\0\0\0"
        response = Event(self.response_of(request.type), error, "", status=d.INCOMPLETE)
        response.flags |= d.EVENT_OUTSIDE
        self.answer(request, response)
        self.put_or_post(response, waits)
        if pending.has_failed:
            return
        known.forgotten += 1
        frame = self.process.frame(self)
        if self.is_quiet(frame.event if frame else None) or not self.is_reported(known.forgotten):
            return
        body = {
            "type": known.name,
            "origin": by.name if by else "",
            "code": d.INCOMPLETE,
            "sentence": "",
            "count": known.forgotten,
        }
        report = Event(FAILURE_TYPE, json.dumps(body).encode(), "", is_owed=True)
        report.flags |= d.EVENT_OUTSIDE
        self.put_or_post(report, waits)

    def put_or_post(self, event: Event, waits: bool) -> None:
        if waits:
            if event.type != FAILURE_TYPE or not self.is_full_of_posts():
                event.is_post = True
                self.set_cause_of_post(event)
                self.posts.append(event)
        elif event.type == FAILURE_TYPE:
            self.set_cause(event)
            self.put_report(event)
        else:
            self.put(event)

    def is_full_of_posts(self) -> bool:
        return len(self.posts) >= self.limit("posts", POSTS)

    def first_server(self, request: Event) -> Scope | None:
        """The server whose handler of a request was registered first."""
        handlers = [each for each in self.in_order(self.subscriptions) if each.is_handler]
        return next((each.scope for each in handlers if self.is_due(each, request)), None)

    def is_answerer(self, told: Told, answer: Event) -> bool:
        return told.scope is answer.answerer

    def run_told(self, told: Told, answer: Event) -> None:
        is_scheduled = bool(told.scheduler)
        if told.fn and not self.has_ended(told.scope):
            holder = self.holder(told.scope, is_scheduled)
            frame = Frame(self, answer, is_scheduled, is_scheduled, holder=holder)
            frame.fail = self.failing_told(frame, told.scope)
            with self.process.inside(frame):
                told.fn()
        self.release_told(told)
        self.run_hooks()

    def release_told(self, told: Told) -> None:
        if told.hook:
            with self.process.inside_hook(Frame(self, None), told.scheduler):
                told.hook()

    def has_ended(self, scope: Scope) -> bool:
        return scope.ended

    def response_of(self, number: int) -> int:
        """The number of the type that answers a type; 0 = none."""
        name = self.types[number - 1].response
        return next((each.number for each in self.types if each.name == name), 0)

    def is_unhandled(self, request: Pending) -> bool:
        return not request.handled and not self.is_asker(request.event)

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Answers: a part of the stream (stream.py), law 8."""

from __future__ import annotations

from process import Frame
from schedulers import Entry
from values import Event, Joined, Pending, Scope, Told

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

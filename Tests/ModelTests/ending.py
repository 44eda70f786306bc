# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Ending: a part of the stream (stream.py), the laws 5 and 12."""

from __future__ import annotations

from collections import deque

from contract import CANCELLED
from process import Frame
from values import Event, Pending, Scope, Subscription


class Ending:
    """How observers, scopes and the context end."""

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

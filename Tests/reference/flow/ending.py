# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Ending: a part of the stream (stream.py), the laws 5 and 12."""

from __future__ import annotations

import json
from collections import deque

from reference.contract import FAILURE_TYPE
from reference.declarations import d
from reference.flow.process import Frame
from reference.flow.schedulers import Entry, Scheduler
from reference.flow.values import Event, Pending, Scope, Subscription


class Ending:
    """How observers, scopes and the context end."""

    def cancel(self, subscription: Subscription) -> None:
        """Decides no further call; the hook waits for the delivering thread."""
        subscription.cancelled = True
        scheduler = self.schedulers[subscription.filter.scheduler]
        dropped = []
        for entries in (self.taken, scheduler.line):
            dropped += [each for each in entries if each.owner is subscription]
            entries[:] = [each for each in entries if each.owner is not subscription]
        subscription.promised.clear()
        if self.owner not in (None, self.process.thread):
            self.cancelled_elsewhere.append(subscription)
        elif self.is_left_to_scheduler(subscription):
            scheduler.unreleased.append(subscription)
        else:
            self.unreleased.append(subscription)
        subscription.dropped_requests += [each.event for each in dropped if not each.gap]

    def may_notice_what_others_cancelled(self, on: Scheduler | None = None) -> None:
        """Somewhere in the owner's next call the hook runs: where is not said.

        While the observer's scheduler runs a call, the hook waits for the end of that call: `on` is
        the scheduler whose call has just ended.
        """
        while True:
            late = [each for each in self.cancelled_elsewhere if each.hook]
            first = next((each for each in late if self.may_release(each, on)), None)
            if first is None or first.running or not self.process.is_next(first.hook):
                return
            if self.comes_after_timer():
                return
            self.cancelled_elsewhere.remove(first)
            if self.is_left_to_scheduler(first) and self.process.is_on_top(first.hook):
                self.release(first)
            else:
                self.release_as_deliverer(first)

    def comes_after_timer(self) -> bool:
        """Whether the hook ran when a timer's event had its position, while time advanced."""
        after = self.process.begins_after() if self.is_advancing and self.timers else None
        return after is not None and after > self.last

    def may_release(self, subscription: Subscription, on: Scheduler | None) -> bool:
        is_after_call = self.schedulers[subscription.filter.scheduler] is on
        return is_after_call or not self.is_left_to_scheduler(subscription)

    def is_left_to_scheduler(self, subscription: Subscription) -> bool:
        return self.schedulers[subscription.filter.scheduler].running and subscription.has_fn

    def release_as_deliverer(self, subscription: Subscription) -> None:
        """What the hook sends waits until it has returned, also where nobody was delivering."""
        was_delivering, self.delivering = self.delivering, True
        self.release(subscription)
        self.delivering = was_delivering
        self.deliver(False)

    def run_hooks(self) -> None:
        """Runs the hooks of what was cancelled, in the order of cancelling."""
        if self.is_ending:
            return
        self.may_notice_what_others_cancelled()
        while self.unreleased:
            self.run_hook_of(self.unreleased.popleft())
            self.may_notice_what_others_cancelled()

    def run_hook_of(self, subscription: Subscription) -> None:
        if self.is_left_to_scheduler(subscription):
            self.schedulers[subscription.filter.scheduler].unreleased.append(subscription)
        else:
            self.release(subscription)

    def run_hook_before_others(self, subscription: Subscription) -> None:
        if self.is_left_to_scheduler(subscription):
            self.schedulers[subscription.filter.scheduler].late.append(subscription)
        else:
            self.release(subscription)

    def release(self, subscription: Subscription) -> None:
        for event in subscription.dropped_requests:
            self.let_go_beside(subscription, event)
        if subscription.binding:
            with self.process.inside_hook(self.hook_frame(), 0):
                self.drop_runs(subscription.binding)
        if subscription.hook and not self.is_told(subscription):
            scheduler = subscription.filter.scheduler
            with self.process.inside_hook(self.hook_frame(), scheduler):
                subscription.hook()
        subscription.released = True
        self.forget_task(subscription)
        self.subscriptions.remove(subscription)

    def hook_frame(self) -> Frame:
        return Frame(self, None)

    def end_scope(self, scope: Scope) -> None:
        ended = [each for each in self.scopes if each.within(scope)]
        for each in ended:
            each.ended, each.until = True, self.last
            self.scopes.remove(each)
        self.end_timers(ended)
        told = [each for each in self.downwards(scope, ended) if self.owes_end(each)]
        for each in told:
            each.is_ending = True
        self.end_values([each for each in ended if each not in told])
        for each in self.upwards(scope, ended):
            if each not in told:
                self.note_ends(each)
        for subscription in self.ending_order():
            if subscription.scope in ended and not subscription.cancelled:
                self.cancel(subscription)
        if not self.delivering:
            self.delivering = True
            self.run_hooks()
            self.delivering = False
        self.cancel_open(ended, ended)
        for each in told:
            self.tell_end(each)
        self.deliver()

    def cancel_open(self, servers: list[Scope], scopes: list[Scope]) -> None:
        """The core answers what an ended scope asked, or what only ended servers got (law 8)."""
        for request in self.open_requests():
            is_lost = any(self.gets(each, request.event) for each in servers)
            is_lost = request.served in servers or (is_lost and not self.is_served(request))
            if request.scope in scopes or is_lost:
                self.answer_for_core(request.event, d.CANCELLED)

    def is_served(self, request: Pending) -> bool:
        """Whether a server is left that got a request, or will."""
        return any(self.gets(each, request.event) for each in self.scopes)

    def gets(self, server: Scope, event: Event) -> bool:
        if self.is_asker(event):
            return False
        handles = event.type in server.handles
        handles = handles or (event.type in server.owns and event.origin == server.name)
        return handles and server.since < event.position <= server.until

    def report_undrained(self) -> None:
        """Says which call on the host was the first never made, if nobody has ever drained."""
        line = [each for each in self.schedulers[d.SCHEDULER_HOST].line if self.is_uncalled(each)]
        # What was asked for on demand may stand behind later events.
        line.sort(key=lambda each: (each.event.position, self.subscriptions.index(each.owner)))
        count = len(line) + len(self.tasks)
        if self.is_drained or not count:
            return
        body = {
            "type": self.types[line[0].event.type - 1].name if line else "",
            "origin": line[0].owner.scope.name if line else "",
            "code": d.INCOMPLETE,
            "sentence": "core",
            "count": count,
        }
        report = Event(FAILURE_TYPE, json.dumps(body).encode(), origin="", flags=d.EVENT_OUTSIDE)
        report.is_owed = True
        self.put_report(report)

    def is_uncalled(self, entry: Entry) -> bool:
        is_call = isinstance(entry.owner, Subscription) and entry.owner.has_fn
        return is_call and entry.gap is None and self.is_asked(entry)

    def close(self) -> None:
        self.report_undrained()
        self.closing = self.draining = True
        waiting, self.cancelled_elsewhere = self.cancelled_elsewhere, deque()
        self.unreleased.extend(waiting)
        self.take_in(len(self.posts))
        for request in self.open_requests():
            self.answer_for_core(request.event, d.CANCELLED)
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

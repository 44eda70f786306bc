# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Observers, mailboxes and histories: a part of the calls (calls.py)."""

from __future__ import annotations

from typing import Any, Callable

from reference.declarations import d
from reference.flow.schedulers import Scheduler
from reference.flow.stream import Stream
from reference.flow.values import Callback, Filter, History, Scope, Subscription


class Observing:
    """The calls that observe, cancel, fetch and keep."""

    def scheduler_add(self, scope: Scope, name: str) -> Any:
        status = self.check_changing(scope)
        if status:
            return status, 0
        scope.stream.schedulers.append(Scheduler(len(scope.stream.schedulers)))
        return d.OK, len(scope.stream.schedulers) - 1

    def observe(
        self, scope: Scope, what: Filter, fn: Callback | None, hook: Callable[[], None] | None
    ) -> Any:
        stream = scope.stream
        status = self.check_changing(scope) or self.check_filter(stream, what, fn)
        for number in [] if status else what.types or []:
            known = self.find(stream, number)
            if what.concerns(known.contract):
                status = status or stream.check_observing(scope, known)
        if not status and not stream.has_budget(scope, 1):
            status = d.LIMIT
        if status:
            return status, None
        return d.OK, self.subscribe(scope, what, fn, hook)

    def check_filter(self, stream: Stream, what: Filter, fn: Callback | None) -> int:
        both = d.OBSERVE_FAILED | d.OBSERVE_SUCCEEDED
        if what.flags & both == both or what.scheduler >= len(stream.schedulers):
            return d.INVALID
        if what.flags & d.OBSERVE_ON_DEMAND and not what.scheduler:
            return d.INVALID
        if what.flags & d.OBSERVE_WRITTEN and what.of is None:
            return d.INVALID
        if fn is None and (
            what.scheduler != d.SCHEDULER_HOST
            or what.flags & (d.OBSERVE_ON_DEMAND | d.OBSERVE_CONFIRM)
        ):
            return d.INVALID
        status = d.OK if what.of is None else self.check_origin(stream, what.of)
        known = all(self.find(stream, number) for number in what.types or [])
        return status or (d.OK if known else d.INVALID)

    def check_origin(self, stream: Stream, of: Scope) -> int:
        """Only a scope of the same context can be looked at."""
        if of.ended or of.stream.gone:
            return d.STALE
        return d.OK if of.stream is stream else d.INVALID

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

    def subscription_demand(self, subscription: Subscription, count: int) -> int:
        if subscription.cancelled or subscription.scope.stream.gone:
            return d.STALE
        if not subscription.on_demand:
            return d.INVALID
        subscription.asked += count
        return d.OK

    def subscription_stats(self, subscription: Subscription) -> Any:
        stream = subscription.scope.stream
        if subscription.cancelled or stream.gone:
            return d.STALE, {}
        scheduled = bool(subscription.filter.scheduler)
        waiting = stream.waiting(subscription)
        known = self.process.returns()
        if stream.is_ending and known and known[1][1]:
            # When close drops what waits is not said.
            waiting = waiting[: known[1][1]["waiting"]]
        return d.OK, {
            "flags": int(scheduled),
            "delivered": subscription.calls if scheduled else 0,
            "failed": subscription.failures,
            "dropped": subscription.dropped,
            "waiting": len(waiting),
            "waiting_bytes": sum(len(each.event.payload) for each in waiting),
        }

    def mailbox_take(self, subscription: Subscription, size: int) -> Any:
        stream = subscription.scope.stream
        self.begin(stream)
        if self.process.frame(stream) and not subscription.released:
            stream.is_drained = True
            return d.BUSY, [], 0
        if subscription.cancelled or stream.gone:
            return d.STALE, [], 0
        stream.show_first()
        if subscription.cancelled or stream.gone:
            return d.STALE, [], 0
        if subscription.has_fn:
            return d.INVALID, [], 0
        fetched, needed = stream.fetch(subscription, size)
        stream.end_used_up(subscription)
        stream.deliver()
        return (d.TOO_BIG if needed and not fetched else d.OK), fetched, needed

    def history_keep(self, scope: Scope, number: int, count: int, age: int) -> int:
        stream = scope.stream
        self.begin(stream)
        status = self.check_changing(scope)
        known = self.find(stream, number)
        if status or not known or age < 0:
            return status or d.INVALID
        status = stream.check_sending(scope, known)
        if status or known.contract & d.ROLE_MASK in (d.ROLE_REQUEST, d.ROLE_VALUE):
            return status or d.INVALID
        stream.end_leftovers()
        if not count:
            stream.histories.pop(number, None)
            return d.OK
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
        return d.OK

    def starts_after(self, stream: Stream) -> int:
        return stream.last

    def subscription_from(self, subscription: Subscription) -> Any:
        if subscription.cancelled or subscription.scope.stream.gone:
            return d.STALE, 0
        return d.OK, subscription.starts_after

    def cancel(self, subscription: Subscription) -> int:
        stream = subscription.scope.stream
        if subscription.cancelled or stream.gone:
            return d.STALE
        stream.cancel(subscription)
        if self.is_home(stream):
            stream.deliver()
        return d.OK

    def cancel_wait(self, subscription: Subscription) -> int:
        stream = subscription.scope.stream
        if subscription.released or stream.gone:
            return d.STALE
        if not self.is_home(stream):
            return d.WRONG_THREAD
        if self.process.frame(stream):
            return d.BUSY
        if not subscription.cancelled:
            stream.cancel(subscription)
        stream.deliver()
        return d.OK

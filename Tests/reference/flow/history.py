# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Histories, the last events of a type for late observers: a part of the stream (stream.py)."""

from __future__ import annotations

from reference.declarations import d
from reference.flow.values import Event, History, Subscription

MS = 1_000_000


class Joining:
    """A turn in the queue of the stream: an observer gets what is kept."""

    def __init__(self, subscription: Subscription) -> None:
        self.subscription = subscription


class Histories:
    """The histories of a stream."""

    def open_histories(self) -> None:
        self.histories: dict[int, History] = {}
        #: Events that new bounds have dropped and that are freed when the callback has returned.
        self.unfreed = 0

    def keep(self, event: Event) -> None:
        """Keeps what has reached its observers, and lets the oldest go."""
        history = self.histories.get(event.type)
        if not history or event.position <= history.starts_after:
            return
        history.events.append((event.copy(), self.now if history.age else None))
        self.trim(history)

    def kept_events(self) -> int:
        return sum(len(each.events) for each in self.histories.values()) + len(self.present)

    def trim(self, history: History) -> None:
        history.events = [each for each in history.events if not self.is_too_old(history, each[1])]
        del history.events[: max(0, len(history.events) - history.count)]

    def is_too_old(self, history: History, time: int | None) -> bool:
        return bool(history.age) and time is not None and self.now - time > history.age * MS

    def join(self, subscription: Subscription) -> None:
        """A new observer gets what is kept in a turn of its own; else it joins at once."""
        if self.delivering or (self.on_host and self.queue) or self.may_have_late(subscription):
            self.queue.append(Joining(subscription))

    def may_have_late(self, subscription: Subscription) -> bool:
        """Whether something of its types is kept, whatever its flags leave of that."""
        what = subscription.filter
        if what.flags & d.OBSERVE_NEW:
            return False
        numbers = set(self.histories) | {
            each.type for each in self.present.values() if what.has_origin(each)
        }
        return any(what.has_type(each, self.types[each - 1].contract) for each in numbers)

    def has_late(self, subscription: Subscription) -> bool:
        """Whether something is kept for an observer that joins."""
        kept = [event for history in self.histories.values() for event, _ in history.events]
        kept += self.present.values()
        declines = subscription.filter.flags & d.OBSERVE_NEW
        return not declines and any(self.is_wanted(subscription, each) for each in kept)

    def deliver_late(self, subscription: Subscription) -> None:
        """What is kept of its types, merged by position; each is looked up when it is due."""
        position = 0
        while not subscription.filter.flags & d.OBSERVE_NEW:
            event = self.next_kept(position, subscription.starts_after)
            if event is None:
                return
            position = event.position
            if self.is_wanted(subscription, event):
                self.give_late(subscription, event.copy())

    def next_kept(self, after: int, to: int) -> Event | None:
        kept = [
            event
            for history in self.histories.values()
            for event, time in history.events
            if after < event.position <= to and not self.is_too_old(history, time)
        ]
        kept += [each for each in self.present.values() if after < each.position <= to]
        return min(kept, key=lambda each: each.position, default=None)

    def give_late(self, subscription: Subscription, event: Event) -> None:
        event.flags |= d.EVENT_LATE
        event.is_owed = False
        if subscription.filter.scheduler:
            self.queue_for(subscription, event, False)
        else:
            self.call_subscription(subscription, event)
            self.pay(event)

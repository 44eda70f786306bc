# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Schedulers: a line of what waits on each, and the bounds of each observer's share of it.

A part of the stream (stream.py): the laws 1, 2, 5 and 9 for observers that are not called at once.
"""

from __future__ import annotations

import struct
from collections import deque
from typing import Any, Iterator

from reference.contract import GAP_NAME, GAP_SIZE
from reference.declarations import d
from reference.flow.values import Completion, Event, EventType, Gap, Subscription, Told


class Entry:
    """What waits on a scheduler: an event or a gap of an observer, or an answer."""

    def __init__(self, owner: Subscription | Completion, event: Event, gap: Gap | None) -> None:
        self.owner, self.event, self.gap = owner, event, gap

    @property
    def is_free(self) -> bool:
        """Whether its place among other observers' events is not promised."""
        is_observer = isinstance(self.owner, Subscription)
        if is_observer and hasattr(self.owner.fn, "is_of_view"):
            return False  # no log shows that a view passes a gap by
        return self.gap is not None or (is_observer and self.owner.on_demand)


class Scheduler:
    def __init__(self, number: int) -> None:
        self.number = number
        self.line: list[Entry] = []
        self.running = False
        self.unreleased: deque[Subscription] = deque()
        #: What another thread cancelled, and the end of the running call ends.
        self.late: deque[Subscription] = deque()


class Schedulers:
    """The schedulers of a stream."""

    def open_schedulers(self) -> None:
        self.schedulers = [Scheduler(0), Scheduler(d.SCHEDULER_HOST)]
        self.gap_type = 0
        self.mail = False
        #: The host has drained or waited, or has asked when to.
        self.is_drained = False
        self.taken: list[Entry] = []

    def gap_type_number(self) -> int:
        """The type of gaps, registered with the first observer that may have one."""
        if not self.gap_type:
            contract = d.PAYLOAD_STRUCT | GAP_SIZE | d.ROLE_NOTICE | d.LAYER_SYSTEM
            self.gap_type = len(self.types) + 1
            self.types.append(EventType(self.gap_type, GAP_NAME, contract, None))
        return self.gap_type

    # Room (law 9) -------------------------------------------------------------------------------

    def find_room(self, event: Event) -> bool:
        """Takes room in every queue that refuses, all or none."""
        wanted = [
            each for each in self.scheduled() if self.refuses(each) and self.asks(each, event)
        ]
        if not all(self.has_room(each, event) for each in wanted):
            return False
        for subscription in wanted:
            subscription.promised.append(event)
        event.promises = wanted
        return True

    def asks(self, subscription: Subscription, event: Event) -> bool:
        """Whether its observer will get the event: what is promised before it leaves some count."""
        before = [each for each in subscription.promised if self.comes_before(each, event)]
        left = subscription.filter.count - subscription.matched - len(before)
        return self.is_due(subscription, event) and (left > 0 or not subscription.filter.count)

    def comes_before(self, promised: Event, event: Event) -> bool:
        """A post waits behind all that is sent meanwhile."""
        return event.is_post or promised.position != 0

    def scheduled(self) -> list[Subscription]:
        return self.in_order(each for each in self.subscriptions if each.filter.scheduler)

    def refuses(self, subscription: Subscription) -> bool:
        return subscription.filter.policy in (d.QUEUE_REJECT, d.QUEUE_BLOCK)

    def has_room(self, subscription: Subscription, event: Event) -> bool:
        """Whether one more fits beside what waits and what is promised."""
        taken = [each.event for each in self.waiting(subscription)] + subscription.promised
        return self.fits(subscription, taken, event)

    def fits(self, subscription: Subscription, taken: list[Event], event: Event) -> bool:
        size = sum(len(each.payload) for each in taken) + len(event.payload)
        if not taken:
            return True
        return len(taken) < subscription.limit_events and size <= subscription.limit_bytes

    def waiting(self, subscription: Subscription) -> list[Entry]:
        """The events in the queue of an observer, gaps not among them."""
        return [each for each in self.share(subscription) if not each.gap]

    def share(self, subscription: Subscription) -> list[Entry]:
        line = self.schedulers[subscription.filter.scheduler].line
        return [each for each in line if each.owner is subscription]

    # Handing over (laws 1, 2) -------------------------------------------------------------------

    def hand_over(self, event: Event) -> None:
        """Gives an event to the scheduled observers, in the order they were registered."""
        for subscription in self.scheduled():
            is_promised = event in subscription.promised
            if self.is_due(subscription, event):
                self.redeem(subscription, event)
                self.queue_for(subscription, event, is_promised)
            else:
                self.redeem(subscription, event)

    def redeem(self, subscription: Subscription, event: Event) -> None:
        """Gives promised room back: the event takes it now, or never will."""
        if event in subscription.promised:
            subscription.promised.remove(event)

    def queue_for(self, subscription: Subscription, event: Event, is_promised: bool) -> None:
        """Puts an event into the share of an observer, or loses what its policy says."""
        policy = subscription.filter.policy
        was_empty = not self.share(subscription)
        if policy in (d.QUEUE_DROP_OLDEST, d.QUEUE_LATEST):
            self.drop_oldest(subscription, event)
        elif not self.is_let_in(subscription, event, is_promised):
            self.lose(subscription, event)
            return
        self.mail = self.mail or (was_empty and not subscription.has_fn)
        self.append(subscription, event)

    def is_let_in(self, subscription: Subscription, event: Event, is_promised: bool) -> bool:
        """Whether the newest has a place: one that was promised or is owed, or one that is free."""
        if self.refuses(subscription) and (is_promised or self.is_owed(event)):
            return True
        return self.has_room(subscription, event)

    def append(self, subscription: Subscription, event: Event) -> None:
        subscription.matched += 1
        line = self.schedulers[subscription.filter.scheduler].line
        line.append(Entry(subscription, event, None))
        if subscription.is_handler:
            self.add_holder(event)

    def is_owed(self, event: Event) -> bool:
        """An answer to a tracked request, or a report of the library's own."""
        return event.is_owed

    def drop_oldest(self, subscription: Subscription, event: Event) -> None:
        waiting = self.waiting(subscription)
        while waiting and not self.fits(subscription, [each.event for each in waiting], event):
            self.turn_into_gap(subscription, waiting.pop(0))

    def turn_into_gap(self, subscription: Subscription, entry: Entry) -> None:
        """An event that waited is lost: its place tells so, one place for all in a row."""
        subscription.dropped += 1
        self.note_lost(subscription, entry.event)
        share = self.share(subscription)
        before = share[share.index(entry) - 1] if share.index(entry) else None
        if before and before.gap:
            before.gap.add(entry.event.position)
            self.schedulers[subscription.filter.scheduler].line.remove(entry)
        else:
            entry.gap = Gap(entry.event.position)

    def lose(self, subscription: Subscription, event: Event) -> None:
        """The newest is lost: told behind what waits."""
        subscription.dropped += 1
        self.note_lost(subscription, event)
        share = self.share(subscription)
        if share and share[-1].gap:
            share[-1].gap.add(event.position)
        else:
            line = self.schedulers[subscription.filter.scheduler].line
            line.append(Entry(subscription, event, Gap(event.position)))

    def note_lost(self, subscription: Subscription, event: Event) -> None:
        if event.rows is not None:
            first, _ = subscription.lost_lists or (event.position, 0)
            subscription.lost_lists = first, event.position

    def without_hole(self, subscription: Subscription, event: Event) -> Event:
        """An event as its observer gets it: whole, where it may not have what the event follows."""
        if event.before and (
            self.may_have_lost(subscription, event.before) or self.is_new_to(subscription, event)
        ):
            event = event.copy()
            event.flags |= d.EVENT_WHOLE
        if event.rows is not None:
            subscription.lists.add((event.type, event.origin))
        return event

    def is_new_to(self, subscription: Subscription, event: Event) -> bool:
        """Whether it is the first of its list, where none has come late."""
        is_new = bool(subscription.filter.flags & d.OBSERVE_NEW)
        return is_new and (event.type, event.origin) not in subscription.lists

    def may_have_lost(self, subscription: Subscription, event: Event) -> bool:
        first, last = subscription.lost_lists or (0, -1)
        return first <= event.position <= last

    # Running ------------------------------------------------------------------------------------

    def is_asked(self, entry: Entry) -> bool:
        """What waits for a call: of a mailbox nothing, on demand what was asked for."""
        owner = entry.owner
        if isinstance(owner, Completion):
            return True
        if self.is_ending or not owner.has_fn:
            return False
        return not owner.on_demand or self.share(owner).index(entry) < owner.asked

    def due(self) -> list[Entry]:
        return [each for one in self.schedulers for each in one.line if self.is_asked(each)]

    def run_scheduled(self, count: int) -> int:
        """Calls so many of those that wait. With the virtual clock one at a time is taken from any
        scheduler, else what will be called is taken at once.
        """
        done = 0
        while done < count:
            taken = self.take(1 if self.is_virtual else count - done)
            if not taken:
                break
            self.taken = taken
            while taken:
                entry = taken.pop(0)
                if not self.is_cancelled(entry):
                    done += 1
                    self.run_entry(entry)
        return done

    def take(self, count: int) -> list[Entry]:
        taken: list[Entry] = []
        while len(taken) < count:
            entry = self.process.choose(list(self.candidates()), taken, self.due())
            if entry is None:
                break
            scheduler = self.scheduler_of(entry)
            if entry.gap is None and isinstance(entry.owner, Subscription):
                entry.event = entry.event.copy()
            if isinstance(entry.owner, Subscription) and entry.owner.on_demand:
                entry.owner.asked -= 1
            scheduler.line.remove(entry)
            taken.append(entry)
        return taken

    def is_cancelled(self, entry: Entry) -> bool:
        return isinstance(entry.owner, Subscription) and entry.owner.cancelled

    def scheduler_of(self, entry: Entry) -> Scheduler:
        owner = entry.owner
        is_observer = isinstance(owner, Subscription)
        return self.schedulers[owner.filter.scheduler if is_observer else owner.scheduler]

    def candidates(self) -> Iterator[Entry]:
        """The first of each scheduler; a gap and what was asked for may come before it."""
        for scheduler in self.schedulers:
            seen: list[Any] = []
            in_order = True
            for entry in scheduler.line:
                owner = entry.owner
                if owner in seen or not self.is_asked(entry):
                    continue
                seen.append(owner)
                if in_order or entry.is_free:
                    yield entry
                in_order = in_order and entry.is_free

    def run_entry(self, entry: Entry) -> None:
        scheduler = self.scheduler_of(entry)
        scheduler.running = True
        if isinstance(entry.owner, Subscription):
            self.run_observer(entry.owner, entry)
        elif isinstance(entry.owner, Told):
            self.run_told(entry.owner, entry.event)
        else:
            self.run_completion(entry.owner, entry.event)
        self.run_scheduled_hooks(scheduler)
        scheduler.running = False
        self.may_notice_what_others_cancelled()

    def run_observer(self, subscription: Subscription, entry: Entry) -> None:
        event = entry.event
        event = self.gap_event(entry.gap) if entry.gap else self.without_hole(subscription, event)
        subscription.calls += not entry.gap
        if entry.gap and subscription.is_handler:
            self.fail_handler(subscription, event)
        else:
            self.call_fn(subscription, event, True)
            self.let_go_beside(subscription, event)
        self.end_used_up(subscription)

    def gap_event(self, gap: Gap) -> Event:
        payload = struct.pack("QQQ", gap.first, gap.last, gap.count)
        event = Event(self.gap_type, payload, "", flags=d.EVENT_GAP, position=gap.last)
        event.correlation = gap.last
        return event

    def end_used_up(self, subscription: Subscription) -> None:
        """Ends an observer whose last match has been called, or told lost."""
        taken = any(each.owner is subscription for each in self.taken)
        waits = taken or self.share(subscription)
        if self.has_all(subscription) and not waits and not subscription.cancelled:
            self.cancel(subscription)

    def run_scheduled_hooks(self, scheduler: Scheduler) -> None:
        self.may_notice_what_others_cancelled(scheduler)
        while (scheduler.unreleased or scheduler.late) and not self.is_ending:
            is_late = scheduler.late and self.process.is_next(scheduler.late[0].hook)
            ended = scheduler.late if is_late or not scheduler.unreleased else scheduler.unreleased
            self.release(ended.popleft())
            self.may_notice_what_others_cancelled(scheduler)

    # Mailboxes ----------------------------------------------------------------------------------

    def fetch(self, subscription: Subscription, size: int) -> tuple[list[Event], int]:
        """What fits into so many bytes, and how many the next one needs."""
        self.mail, self.is_drained = False, True
        fetched, used = [], 0
        for entry in self.share(subscription):
            event = entry.event
            event = (
                self.gap_event(entry.gap) if entry.gap else self.without_hole(subscription, event)
            )
            needed = self.record_size(event)
            if used + needed > size:
                return fetched, needed
            used += needed
            fetched.append(event)
            self.deliveries += 1
            subscription.calls += not entry.gap
            self.schedulers[d.SCHEDULER_HOST].line.remove(entry)
        return fetched, 0

    def has_mail(self) -> bool:
        owners = [each.owner for each in self.schedulers[d.SCHEDULER_HOST].line]
        return any(isinstance(each, Subscription) and not each.has_fn for each in owners)

    def record_size(self, event: Event) -> int:
        return 64 + (len(event.payload) + 7) // 8 * 8

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong streams: the queues of observers on schedulers, and their bounds."""

from __future__ import annotations

from reference.flow.schedulers import Entry
from reference.flow.values import Completion, Event, Gap, Subscription
from reference.model import Stream


class FilterForgottenWhenRoomIsSought(Stream):
    """A queue is asked for room for events that its observer does not get, and keeps it."""

    def asks(self, subscription: Subscription, event: Event) -> bool:
        return self.is_live(subscription)

    def redeem(self, subscription: Subscription, event: Event) -> None:
        if self.is_due(subscription, event):
            super().redeem(subscription, event)


class RejectLetsInWhatWasNotAsked(Stream):
    """Timers, late events and progress from elsewhere overrun a queue that refuses."""

    def is_owed(self, event: Event) -> bool:
        return True


class RoomIsNotPromised(Stream):
    """Only what waits counts, not what is on its way."""

    def has_room(self, subscription: Subscription, event: Event) -> bool:
        taken = [each.event for each in self.waiting(subscription)]
        return self.fits(subscription, taken, event)


class PromiseForgottenInBytes(Stream):
    def fits(self, subscription: Subscription, taken: list[Event], event: Event) -> bool:
        return super().fits(subscription, [each for each in taken if not each.promises], event)


class BoundOffByOne(Stream):
    def fits(self, subscription: Subscription, taken: list[Event], event: Event) -> bool:
        return super().fits(subscription, taken[1:], event)


class BytesForgotten(Stream):
    def fits(self, subscription: Subscription, taken: list[Event], event: Event) -> bool:
        return len(taken) < subscription.limit_events


class OneThatIsTooLargeNeverFits(Stream):
    def fits(self, subscription: Subscription, taken: list[Event], event: Event) -> bool:
        size = sum(len(each.payload) for each in taken) + len(event.payload)
        return len(taken) < subscription.limit_events and size <= subscription.limit_bytes


class AnswersRefused(Stream):
    """An answer that finds a queue full is lost like others."""

    def is_owed(self, event: Event) -> bool:
        return False


class OldestAndNewestMixedUp(Stream):
    def drop_oldest(self, subscription: Subscription, event: Event) -> None:
        waiting = self.waiting(subscription)
        while waiting and not self.fits(subscription, [each.event for each in waiting], event):
            self.turn_into_gap(subscription, waiting.pop())


class LossNotTold(Stream):
    def turn_into_gap(self, subscription: Subscription, entry: Entry) -> None:
        subscription.dropped += 1
        self.schedulers[subscription.filter.scheduler].line.remove(entry)


class LossAtTheEndTold(Stream):
    """A gap at the end of a burst waits for the next event."""

    def is_asked(self, entry: Entry) -> bool:
        if entry.gap and self.share(entry.owner)[-1] is entry:
            return False
        return super().is_asked(entry)


class EachLossAGap(Stream):
    def lose(self, subscription: Subscription, event: Event) -> None:
        subscription.dropped += 1
        line = self.schedulers[subscription.filter.scheduler].line
        line.append(Entry(subscription, event, Gap(event.position)))


class DemandIgnored(Stream):
    def is_asked(self, entry: Entry) -> bool:
        return isinstance(entry.owner, Completion) or entry.owner.has_fn


class DroppedIsNotAsked(Stream):
    """On demand: what drop-oldest loses takes what was asked with it."""

    def turn_into_gap(self, subscription: Subscription, entry: Entry) -> None:
        subscription.asked = max(0, subscription.asked - 1)
        super().turn_into_gap(subscription, entry)


class ScheduledBeforeImmediate(Stream):
    def deliver_one(self, event: Event) -> None:
        self.hand_over(event)
        self.reach(event)
        self.keep(event)
        self.complete(event)


class CancelledStillWaits(Stream):
    """What waits for an observer that is cancelled keeps its place until it is due."""

    def cancel(self, subscription: Subscription) -> None:
        scheduler = self.schedulers[subscription.filter.scheduler]
        line = list(scheduler.line)
        super().cancel(subscription)
        scheduler.line = line


class ScheduledSendsAreInside(Stream):
    def is_input(self, event: Event) -> bool:
        return not event.cause


class AnswerOvertakesScheduled(Stream):
    """The completion on a scheduler goes before what waits there."""

    def complete(self, event: Event) -> None:
        super().complete(event)
        completion = event.completion
        if completion and completion.scheduler:
            line = self.schedulers[completion.scheduler].line
            line.insert(0, line.pop())


class DrainTakesWhatCameMeanwhile(Stream):
    def run_scheduled(self, count: int) -> int:
        done = super().run_scheduled(count)
        return done + (self.run_scheduled(count - done) if done < count and self.due() else 0)

    def drain(self, limit: int) -> int:
        done = super().drain(limit)
        return done + (self.run_scheduled(len(self.due())) if not limit else 0)


class LimitedDrainBeginsAnew(Stream):
    """A kind that keeps coming keeps those behind it waiting."""

    def drain(self, limit: int) -> int:
        self.next_kind = 0
        return super().drain(limit)

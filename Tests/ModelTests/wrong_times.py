# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong streams: timers and histories."""

from __future__ import annotations

from reference.declarations import d
from reference.flow.values import Event, History, Pending, Scope, Subscription, Timer
from reference.model import Stream


class TimersByArming(Stream):
    def firing_order(self, timer: Timer | Pending) -> tuple[int, int]:
        return timer.armed, timer.due


class PeriodLost(Stream):
    """A periodic timer goes on from when it fired late, not from when it was due."""

    def step_on(self, timer: Timer) -> None:
        super().step_on(timer)
        if timer.period:
            timer.due += 1_000_000


class TimersOutliveScopes(Stream):
    def end_timers(self, scopes: list[Scope]) -> None:
        pass


class TimeoutAnswersTheAnswered(Stream):
    """A time-out is not forgotten with the answer."""

    def answer(self, request: Event, response: Event) -> None:
        timers = list(self.timers)
        super().answer(request, response)
        self.timers = timers

    def fire(self, timer: Timer | Pending) -> None:
        if isinstance(timer, Timer) or timer in self.open.values():
            super().fire(timer)
        else:
            self.timers.remove(timer)
            self.accept(Event(self.response_of(timer.event.type), b"late", ""))
            self.deliver()


class HistoryOfEverything(Stream):
    """What was accepted before the history began is kept too."""

    def keep(self, event: Event) -> None:
        history = self.histories.get(event.type)
        if history:
            history.starts_after = 0
        super().keep(event)


class HistoryUnbounded(Stream):
    def trim(self, history: History) -> None:
        pass


class HistoryAgeless(Stream):
    def is_too_old(self, history: History, time: int) -> bool:
        return False


class HistoryByType(Stream):
    """Late events come type by type, not merged by position."""

    def deliver_late(self, subscription: Subscription) -> None:
        for history in list(self.histories.values()):
            for event, _ in list(history.events):
                came_before = event.position <= subscription.starts_after
                if came_before and self.is_wanted(subscription, event):
                    self.give_late(subscription, event.copy())


class HistoryInsideTheCurrentEvent(Stream):
    def join(self, subscription: Subscription) -> None:
        if self.histories and not subscription.filter.flags & d.OBSERVE_NEW:
            self.deliver_late(subscription)


class LateEventsNotCounted(Stream):
    def give_late(self, subscription: Subscription, event: Event) -> None:
        super().give_late(subscription, event)
        subscription.matched -= 1

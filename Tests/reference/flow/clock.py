# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The virtual clock, timers and time-outs: a part of the stream (stream.py)."""

from __future__ import annotations

from reference.declarations import d
from reference.flow.values import Event, Pending, Timer

MS = 1_000_000


class Clock:
    """The time of a stream, and what waits for it."""

    def open_clock(self) -> None:
        self.now = 0
        self.timers: list[Timer | Pending] = []
        self.armed = 0
        self.is_advancing = False

    def arm(self, timer: Timer | Pending, ms: int) -> None:
        self.armed += 1
        timer.due, timer.armed = self.now + ms * MS, self.armed
        self.timers.append(timer)

    def due_timers(self) -> list[Timer | Pending]:
        """By their time, those of one time as they were armed."""
        due = [each for each in self.timers if each.due <= self.now]
        return sorted(due, key=self.firing_order)

    def firing_order(self, timer: Timer | Pending) -> tuple[int, int]:
        return timer.due, timer.armed

    def fire(self, timer: Timer | Pending) -> None:
        """Sends the event of a timer, a turn of its own, or answers a request with a time-out."""
        if isinstance(timer, Pending):
            self.timers.remove(timer)
            self.answer_for_core(timer.event, d.TIMEOUT)
        else:
            self.step_on(timer)
            self.accept(Event(timer.type, timer.payload, timer.scope.name, flags=d.EVENT_TIMER))
        self.deliver()

    def step_on(self, timer: Timer) -> None:
        """A periodic timer keeps in step; the others end."""
        if not timer.period:
            timer.ended = True
            self.timers.remove(timer)
            return
        passed = (self.now - timer.due) // (timer.period * MS)
        self.missed += passed
        timer.due += (passed + 1) * timer.period * MS
        self.armed += 1
        timer.armed = self.armed

    def fire_due(self, count: int) -> int:
        """Fires what was due when this began."""
        due = self.due_timers()[:count]
        done = 0
        for timer in due:
            if timer in self.timers:
                self.fire(timer)
                done += 1
        return done

    def end_timers(self, scopes: list) -> None:
        for timer in [each for each in self.timers if isinstance(each, Timer)]:
            if timer.scope in scopes:
                timer.ended = True
                self.timers.remove(timer)

    def advance(self, ms: int) -> None:
        """Moves on from timer to timer; between two of them all else is drained."""
        target = self.now + ms * MS
        self.deliver()
        self.mail, self.is_advancing = False, True
        while True:
            self.advance_here()
            timer = min(self.timers, key=self.firing_order, default=None)
            if not timer or timer.due > target:
                break
            self.now = max(self.now, timer.due)
        self.now, self.is_advancing = target, False

    def advance_here(self) -> None:
        """In turn the next timer that is due and what waits then, until neither is left."""
        while True:
            due = self.due_timers()
            if not due and not self.waits():
                return
            if due:
                self.fire(due[0])
            self.drain_once()

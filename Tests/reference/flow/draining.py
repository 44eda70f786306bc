# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Draining: a part of the stream (stream.py), law 6."""

from __future__ import annotations

from reference.declarations import d
from reference.flow.history import Joining
from reference.flow.values import Event, Pending


class Draining:
    """What the host lets in and delivers."""

    def take_in(self, count: int) -> int:
        """Accepts and delivers posts, each as a turn of its own."""
        self.deliver()
        for _ in range(count):
            self.take_one(self.posts.popleft())
            self.deliver()
        return count

    def take_one(self, event: Event) -> None:
        """A step of progress for a request that has been answered meanwhile is dropped."""
        if event.step_of and self.is_answered(event.step_of):
            return
        event.flags |= d.EVENT_OUTSIDE
        self.accept(event)

    def is_answered(self, request: Pending) -> bool:
        """Whether its answer has its place; one that was given elsewhere waits behind the step."""
        position = request.event.position
        waits = any(each.answers == position and not each.step_of for each in self.posts)
        return position not in self.open and not waits

    def answered_early(self) -> int:
        """How many answers wait to be taken in: their requests count as open until then."""
        return sum(each.settles is not None for each in self.posts)

    def drain(self, limit: int) -> int:
        """One kind after the other, of each what waited when its part began.

        A limit that is reached leaves the next limited drain to begin with the kind after.
        """
        self.deliver(False)
        self.mail = False
        kinds = (
            self.fire_due,
            self.take_in_posts,
            self.drain_held,
            self.run_due,
            self.run_tasks,
        )
        first = self.next_kind if limit else 0
        done, most = 0, limit or 1 << 62
        for index in range(len(kinds)):
            kind = (first + index) % len(kinds)
            done += kinds[kind](most - done)
            if done >= most:
                break
        if limit:
            self.next_kind = (kind + 1) % len(kinds) if done >= most else 0
        return done

    def take_in_posts(self, most: int) -> int:
        return self.take_in(min(len(self.posts), most))

    def run_due(self, most: int) -> int:
        return self.run_scheduled(min(len(self.due()), most))

    def drain_held(self, most: int) -> int:
        """What was only accepted, with all that it causes."""
        done, last = 0, self.last
        self.delivering = True
        self.run_hooks()
        while self.queue and done < most and self.is_held(self.queue[0], last):
            done += not isinstance(self.queue[0], Joining)
            self.deliver_next()
        self.delivering = False
        return done

    def is_held(self, event: Event | Joining, last: int) -> bool:
        """Whether it was there when the part began, or was caused by what was."""
        return not isinstance(event, Event) or event.position <= last or not event.is_foreign

    def drain_once(self) -> None:
        """What waits now, timers aside."""
        self.mail = False
        self.take_in(len(self.posts))
        self.drain_held(1 << 62)
        self.run_scheduled(len(self.due()))
        self.run_tasks(1 << 62)

    def waits(self) -> bool:
        return bool(self.posts or self.queue or self.due() or self.tasks)

    def tells(self, has_late: bool = False) -> bool:
        """Whether there is something to drain, or to fetch that the host has not been told of."""
        held = any(
            isinstance(each, Event) or self.has_late(each.subscription) for each in self.queue
        )
        if self.due_timers() or self.posts or held or self.due() or self.tasks:
            return True
        if self.mail and self.has_mail():
            return True
        # It may be told again of a mailbox that is not empty, and of an observer that joins or
        # that another thread has cancelled.
        told = (["wait", 0], ["next_timeout", (0, 0)], ["readable", (0, True)])
        may = self.has_mail() or self.queue or self.cancelled_elsewhere or has_late
        return bool(may) and self.process.returns() in told

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Shared requests: a part of the stream (stream.py), law 8."""

from __future__ import annotations

from typing import Any, Tuple

from reference.declarations import d
from reference.flow.process import Frame
from reference.flow.values import Completion, Event, Group, Joined, Pending

Key = Tuple[Any, ...]


class Sharing:
    """Who asks the same together: one request is asked for all of them."""

    def open_sharing(self) -> None:
        self.groups: dict[Key, Group] = {}

    def is_asker(self, event: Event) -> bool:
        return bool(event.flags & d.EVENT_TRACKED and event.flags & d.EVENT_SHARED)

    def ask_together(self, asker: Event) -> None:
        """An asker has reached its observers: it joins those who ask the same, or is the first."""
        pending = self.open.get(asker.position)
        if not self.is_asker(asker) or not pending or self.closing:
            return
        key = self.key_of(asker)
        group = self.groups.get(key) or Group(key)
        status = d.OK if group.inner else self.ask_for(group, asker)
        if status:
            self.answer_for_core(asker, status, cause=asker, flags=d.EVENT_SHARED)
        else:
            group.askers.append(pending)
            pending.told.append(Joined(group, pending))

    def key_of(self, asker: Event) -> Key:
        return (asker.type, asker.payload, self.owner_of(asker))

    def owner_of(self, asker: Event) -> str:
        """The scope that it was sent through, if a server handles what is sent through that."""
        own = any(
            each.is_handler and each.filter.of and self.would_get(each, asker)
            for each in self.subscriptions
        )
        return asker.origin if own else ""

    def would_get(self, subscription: Any, asker: Event) -> bool:
        plain = asker.copy()
        plain.flags &= ~d.EVENT_SHARED
        return self.is_due(subscription, plain)

    def ask_for(self, group: Group, asker: Event) -> int:
        """Asks the one request; it is caused by the first asker."""
        number, payload, origin = group.key[:3]
        inner = Event(number, payload, origin, flags=d.EVENT_TRACKED)
        scope = next((each for each in self.scopes if each.name == origin), self.root)
        with self.process.inside(Frame(self, asker)):
            status = self.refusal(inner)
            if not status:
                group.inner = Pending(inner, scope, Completion(None, self.root))
                group.inner.completion.group = group
                self.groups[group.key] = group
                self.put(inner, group.inner)
        return status

    def refusal(self, event: Event) -> int:
        status = self.check_limits(event)
        if not status and not self.find_room(event):
            self.rejected += 1
            status = d.FULL
        return status

    def give_to_all(self, group: Group, event: Event) -> None:
        """The request has its answer, or a step of progress: each asker gets its own."""
        if not event.flags & d.EVENT_PROGRESS:
            self.forget(group)
        for pending in list(group.askers):
            if pending.event.position in self.open:
                with self.process.inside(Frame(self, event)):
                    if event.flags & d.EVENT_PROGRESS:
                        self.give_step(pending, event)
                    else:
                        self.give_answer(pending, event)

    def give_answer(self, pending: Pending, event: Event) -> None:
        answer = Event(event.type, event.payload, "", status=event.status, flags=d.EVENT_SHARED)
        self.answer(pending.event, answer)
        self.put(answer)

    def give_step(self, pending: Pending, event: Event) -> None:
        step = Event(event.type, event.payload, "", answers=pending.event.position)
        step.correlation, step.flags = pending.event.correlation, d.EVENT_PROGRESS | d.EVENT_SHARED
        step.step_of, step.completion = pending, pending.completion
        if not self.closing and not self.refusal(step):
            self.put(step)

    def leave(self, joined: Joined, answer: Event) -> None:
        """An asker has its answer. When all have given up, so is the request."""
        group = joined.group
        group.askers.remove(joined.pending)
        if self.is_left(group) and self.groups.get(group.key) is group:
            self.forget(group)
            if group.inner.event.position in self.open:
                self.answer_for_core(group.inner.event, d.CANCELLED, cause=answer)

    def is_left(self, group: Group) -> bool:
        return not group.askers

    def forget(self, group: Group) -> None:
        if self.groups.get(group.key) is group:
            del self.groups[group.key]

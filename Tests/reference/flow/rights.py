# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Rights, budgets and limits: a part of the stream (stream.py)."""

from __future__ import annotations

import json
from typing import Any

from reference.contract import (
    CASCADE,
    DENIED_TYPE,
    LAYER_NAMES,
    LIMIT_TYPE,
    WAITING_EVENTS,
    layer_bit,
)
from reference.declarations import d
from reference.flow.values import Event, EventType, Scope


class Rights:
    """What a scope may do, and how much of everything there may be."""

    def open_rights(self) -> None:
        self.too_deep = 0
        #: Type and cause of every event, for the chains that reports name.
        self.passed: dict[int, Event] = {}

    def limit(self, name: str, default: int) -> int:
        return self.how.get(f"limit_{name}") or default

    # Rights -------------------------------------------------------------------------------------

    def narrow(self, scope: Scope, how: dict[str, int]) -> None:
        """A scope may do what its options name and its parent may."""
        parent, flags = scope.parent, how.get("flags", 0)
        unnamed = 0 if self.how.get("flags", 0) & d.CONTEXT_DENY_BY_DEFAULT else -1
        scope.send_layers = parent.send_layers & (how.get("send_layers") or unnamed)
        scope.observe_layers = parent.observe_layers & (how.get("observe_layers") or unnamed)
        if flags & d.SCOPE_SENDS_NOTHING:
            scope.send_layers = 0
        if flags & d.SCOPE_OBSERVES_NOTHING:
            scope.observe_layers = 0
        scope.limit_observers = how.get("limit_observers", 0)

    def reaches(self, scope: Scope, other: Scope) -> bool:
        """Whether nothing may be done through another scope that may not be done through this."""
        budgets = [each for each in self.above(scope) if each.limit_observers]
        return (
            not other.send_layers & ~scope.send_layers
            and not other.observe_layers & ~scope.observe_layers
            and all(other.within(each) for each in budgets)
        )

    def above(self, scope: Scope | None) -> list[Scope]:
        """A scope and all that it hangs below."""
        return [scope, *self.above(scope.parent)] if scope else []

    def check_sending(self, scope: Scope, known: EventType) -> int:
        return self.check_right(scope, scope.send_layers, known)

    def check_observing(self, scope: Scope, known: EventType) -> int:
        return self.check_right(scope, scope.observe_layers, known)

    def check_right(self, scope: Scope, layers: int, known: EventType) -> int:
        if layer_bit(known.contract) & layers:
            return d.OK
        self.denied += 1
        scope.denied += 1
        if self.is_reported(scope.denied):
            layer = LAYER_NAMES[layer_bit(known.contract)]
            body = {"origin": scope.name, "what": "", "type": known.name, "layer": layer}
            self.tell(DENIED_TYPE, {**body, "count": scope.denied})
        return d.DENIED

    def tell(self, number: int, body: dict) -> None:
        """A report of the library's own; what is refused while one is handled is only counted."""
        frame = self.process.frame(self)
        if frame and frame.event and self.is_quiet(frame.event):
            return
        report = Event(number, json.dumps(body).encode(), "", is_owed=True)
        self.set_cause(report)
        self.put_report(report)

    def put_report(self, report: Event) -> None:
        """One that finds no room stays counted."""
        if not self.is_full() or self.is_first_show(self.process.frame(self)):
            self.accept(report)
            self.deliver()

    # Limits (law 9) -----------------------------------------------------------------------------

    def check_limits(self, event: Event) -> int:
        """A chain that is too long, and room in the stream where an event has to wait."""
        frame = self.process.frame(self)
        depth = self.depth_behind(frame)
        limit = self.limit("cascade", CASCADE)
        if depth > limit:
            self.rejected += 1
            self.too_deep += 1
            if self.is_reported(self.too_deep):
                chain = self.chain(frame.event)
                name = self.types[event.type - 1].name
                body = {"type": name, "origin": event.origin, "limit": limit, "chain": chain}
                self.tell(LIMIT_TYPE, {**body, "count": self.too_deep})
            return d.LIMIT
        if self.is_full() and not self.is_first_show(frame):
            self.rejected += 1
            return d.FULL
        return d.OK

    def is_first_show(self, frame: Any) -> bool:
        """Whether a show runs that no event has caused: it finds room."""
        return frame is not None and frame.is_show and frame.event is None

    def is_full(self) -> bool:
        """Whether an event would have to wait, and as many wait as may."""
        return self.has_to_wait() and len(self.queue) >= self.limit("events", WAITING_EVENTS)

    def has_to_wait(self) -> bool:
        return self.delivering or self.on_host

    def depth_behind(self, frame) -> int:
        """How many causes an event has that is sent here."""
        if not frame or not frame.event or frame.is_scheduled:
            return 0
        return frame.event.depth + 1

    def chain(self, event: Event) -> list[str]:
        """The types that led to an event from outside, the last one last."""
        names: list[str] = []
        while event and event.depth:
            names.insert(0, self.types[event.type - 1].name)
            event = self.passed.get(event.cause)
        return names

    def has_budget(self, scope: Scope | None, count: int) -> bool:
        """Whether so many observers more are within every budget above."""
        if not scope:
            return True
        limit = scope.limit_observers if scope.parent else self.limit("observers", 0)
        made = sum(each.scope.within(scope) for each in self.subscriptions)
        return (not limit or made + count <= limit) and self.has_budget(scope.parent, count)

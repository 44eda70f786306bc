# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Reactors: a part of the reference (model.py)."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any, Callable

from reference.declarations import d
from reference.flow.stream import Stream
from reference.flow.values import Callback, Event, Scope

#: The state before the first mutation.
INITIAL = bytes(16)


@dataclass(eq=False)
class Table:
    """What a reactor is made of, and its state and the mutations whose pulses wait."""

    reduce: Callable[[bytes, bytes], bytes]
    show: Callable[[Any, bytes, list[int]], int] | None = None
    pulse: Callable[[Any, bytes, list[int]], int] | None = None
    transform_action: Callable[[bytes, bytes], bytes | None] | None = None
    transform_mutation: Callable[[bytes, bytes], bytes | None] | None = None
    transform_state: Callable[[bytes], bytes] | None = None
    state: bytes = INITIAL
    waiting: list[bytes] = field(default_factory=list)
    is_reducing: bool = False
    #: Its types, in the order of its rows; that of its mutations is the last one.
    numbers: list[int] = field(default_factory=list)


class Reactors:
    """The calls of reactors."""

    def reactor_add(
        self,
        parent: Scope,
        name: str,
        told: Callback,
        actions: list[tuple[str, int, bool, Callback]],
        hook: Callable[[], None],
        table: Table,
    ) -> Any:
        return self.viewmodel_add(parent, name, told, actions, hook, None, table)

    def acting(self, table: Table, fn: Callback) -> Callback:
        """The function of an action: it gets what transform_action makes of that."""

        def act(event: Event) -> None:
            data = event.payload
            if table.transform_action:
                data = table.transform_action(table.state, data)
            if data is None:
                return
            if data != event.payload:
                frame = self.process.frame(event.context.stream)
                frame.running = event = copy.copy(event)
                event.payload = data
            fn(event)

        return act

    def show_reactor(self, table: Table, scope: Scope) -> int:
        if not table.show:
            return d.OK
        state = table.state
        if table.transform_state:
            state = table.transform_state(state)
        return table.show(scope, state, table.numbers)

    def send_pulses(self, table: Table, scope: Scope, status: int) -> int:
        """After all values. What finds no room comes after the next event."""
        while table.waiting and status not in (d.FULL, d.NO_MEMORY):
            failed = table.pulse(scope, table.waiting[0], table.numbers)
            if failed in (d.FULL, d.NO_MEMORY):
                return failed
            table.waiting.pop(0)
            status = status or failed
        return status

    def reactor_mutate(self, action: Event, data: bytes) -> int:
        scope = action.context
        stream = scope.stream
        if stream.gone or self.is_over(stream, action):
            return d.STALE
        status = self.check_writer(scope)
        if status:
            return status
        if action.type not in [each.types[""] for each in scope.commands]:
            return d.INVALID
        number = scope.reactor.numbers[-1]
        return self.take(scope, data, lambda data: self.respond_progress(action, number, data))

    def is_over(self, stream: Stream, action: Event) -> bool:
        """Whether a request, or what belongs to one, has its answer."""
        pending = action.settles or action.step_of
        asked = pending.event.position if pending else action.position
        return bool(pending or action.flags & d.EVENT_TRACKED) and asked not in stream.open

    def reactor_merge(self, scope: Scope, data: bytes) -> int:
        status = self.check(scope) or self.check_writer(scope)
        if status:
            return status
        number = scope.reactor.numbers[-1]
        return self.take(scope, data, lambda data: self.send(scope, number, data))

    def check_writer(self, scope: Scope) -> int:
        """Only a callback that gets its event through the reactor changes its state."""
        frames = self.process.frames[self.process.thread]
        if not frames or frames[-1].stream is not scope.stream:
            return d.INVALID
        if frames[-1].is_show or (scope.reactor and scope.reactor.is_reducing):
            return d.BUSY
        is_writer = frames[-1].event and frames[-1].holder is scope
        return d.OK if is_writer and scope.reactor else d.INVALID

    def take(self, scope: Scope, data: bytes, send: Callable[[bytes], int]) -> int:
        """Sent, then reduced."""
        table = scope.reactor
        if table.transform_mutation:
            data = table.transform_mutation(table.state, data)
        if data is None:
            return d.OK
        status = send(data)
        if status == d.OK:
            self.reduce(table, data)
        return status

    def reduce(self, table: Table, data: bytes) -> None:
        table.is_reducing = True
        table.state = table.reduce(table.state, data)
        table.is_reducing = False
        if table.pulse:
            table.waiting.append(data)

    def reactor_state(self, scope: Scope) -> bytes | None:
        stream = scope.stream
        is_live = not (stream.gone or stream.handles_ended or scope.ended)
        return scope.reactor.state if is_live and scope.reactor else None

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong references: reactors."""

from __future__ import annotations

from typing import Any, Callable

from reference.declarations import d
from reference.flow.values import Event, Scope
from reference.model import Reference, Stream
from reference.state.reactors import Table


class RefusedMutationsAreReduced(Reference):
    def take(self, scope: Scope, data: bytes, send: Callable[[bytes], int]) -> int:
        before, status = scope.reactor.state, super().take(scope, data, send)
        if status and scope.reactor.state == before:
            self.reduce(scope.reactor, data)
        return status


class ReducersMutate(Reference):
    def reduce(self, table: Table, data: bytes) -> None:
        table.state = table.reduce(table.state, data)
        if table.pulse:
            table.waiting.append(data)


class AnybodyMutates(Reference):
    def check_writer(self, scope: Scope) -> int:
        return d.OK if scope.reactor else super().check_writer(scope)


class RunsMutateWhenTheyAreOver(Reference):
    def is_over(self, stream: Stream, action: Event) -> bool:
        return False


class MutationsAreNoSteps(Reference):
    def respond_progress(self, event: Event, number: int, data: bytes) -> int:
        reactor = event.context.reactor
        if reactor and number == reactor.numbers[-1]:
            return self.send(event.context, number, data)
        return super().respond_progress(event, number, data)


class TransformedStatesAreKept(Reference):
    def show_reactor(self, table: Table, scope: Scope) -> int:
        if table.show and table.transform_state:
            table.state = table.transform_state(table.state)
            return table.show(scope, table.state, table.numbers)
        return super().show_reactor(table, scope)


class DroppedActionsRun(Reference):
    def acting(self, table: Table, fn: Any) -> Any:
        transform = table.transform_action
        if transform:
            table.transform_action = lambda state, data: transform(state, data) or data
        return super().acting(table, fn)


class DroppedMutationsAreSent(Reference):
    def take(self, scope: Scope, data: bytes, send: Callable[[bytes], int]) -> int:
        table = scope.reactor
        transform = table.transform_mutation
        if transform:
            table.transform_mutation = lambda state, data: transform(state, data) or data
        status = super().take(scope, data, send)
        table.transform_mutation = transform
        return status


class PulsesBeforeValues(Reference):
    def show_reactor(self, table: Table, scope: Scope) -> int:
        return self.send_pulses(table, scope, d.OK) or super().show_reactor(table, scope)


class PulsesWithoutRoomAreLost(Reference):
    def send_pulses(self, table: Table, scope: Scope, status: int) -> int:
        status = super().send_pulses(table, scope, status)
        if status in (d.FULL, d.NO_MEMORY):
            table.waiting.clear()
        return status


class MergesHaveNoPulses(Reference):
    def reactor_merge(self, scope: Scope, data: bytes) -> int:
        waiting = len(scope.reactor.waiting) if scope.reactor else 0
        status = super().reactor_merge(scope, data)
        if scope.reactor:
            del scope.reactor.waiting[waiting:]
        return status

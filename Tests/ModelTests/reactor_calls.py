# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The calls of the header for reactors: a part of the real library (library.py)."""

from __future__ import annotations

import ctypes
from ctypes import byref, sizeof
from typing import Any

from reference.declarations import d
from reference.state.commands import COMMANDS, MUTATION, SHOWN_BY_REACTORS
from reference.state.reactors import INITIAL, Table


class ReactorCalls:
    """In the language of reference/model.py, as Library."""

    def reactor_add(
        self, parent: int, name: str, told: Any, actions: Any, hook: Any, table: Table
    ) -> Any:
        rows = [
            d.ViewmodelRow(
                b"may", d.VIEWMODEL_WRITABLE, d.PAYLOAD_BOOL, d.EVENT_FN(self.handler(told))
            )
        ]
        for shown, contract in SHOWN_BY_REACTORS.items():
            kind = (
                d.VIEWMODEL_VALUE if contract & d.ROLE_MASK == d.ROLE_VALUE else d.VIEWMODEL_PULSE
            )
            rows.append(d.ViewmodelRow(shown.encode(), kind, contract & d.PAYLOAD_MASK))
        for action, policy, is_enabled, fn in actions:
            enabled = b"may" if is_enabled else None
            called = d.EVENT_FN(self.handler(fn))
            row = (
                action.encode(),
                d.VIEWMODEL_COMMAND,
                COMMANDS[action],
                called,
                enabled,
                policy,
                0,
            )
            rows.append(d.ViewmodelRow(*row))
        given = self.table_of(table, (d.ViewmodelRow * len(rows))(*rows))
        rest = (self.keep((given, table), hook), self.hook_of(hook))
        return self.child(parent, self.called("reactor_add", parent, name, byref(given), *rest))

    def table_of(self, table: Table, rows: Any) -> d.ReactorTable:
        given = d.ReactorTable(
            sizeof(d.ReactorTable), len(INITIAL), None, rows, sizeof(d.ViewmodelRow)
        )
        given.count = len(rows)
        given.mutation = MUTATION & ~(d.ROLE_MASK | d.LAYER_MASK)
        given.reduce = d.REDUCE_FN(self.reducer(table))
        if table.show:
            given.show = d.SHOW_STATE_FN(self.state_shower(table, len(rows) + 1))
        if table.pulse:
            given.pulse = d.PULSE_FN(self.pulser(table, len(rows) + 1))
        if table.transform_action:
            given.transform_action = d.TRANSFORM_ACTION_FN(self.action_transformer(table))
        if table.transform_mutation:
            given.transform_mutation = d.TRANSFORM_MUTATION_FN(self.mutation_transformer(table))
        if table.transform_state:
            given.transform_state = d.TRANSFORM_STATE_FN(self.state_transformer(table))
        return given

    def reducer(self, table: Table) -> Any:
        def reduce(_: Any, state: int, mutation: int, size: int) -> None:
            data = ctypes.string_at(mutation, size)
            after = self.run(lambda: table.reduce(state_at(state), data), failed=INITIAL)
            ctypes.memmove(state, after, len(after))

        return reduce

    def state_shower(self, table: Table, count: int) -> Any:
        def show(_: Any, scope: int, types: Any, state: int) -> int:
            return self.run(lambda: table.show(scope, state_at(state), types[:count]))

        return show

    def pulser(self, table: Table, count: int) -> Any:
        def pulse(_: Any, scope: int, types: Any, mutation: int, size: int) -> int:
            data = ctypes.string_at(mutation, size)
            return self.run(lambda: table.pulse(scope, data, types[:count]))

        return pulse

    def action_transformer(self, table: Table) -> Any:
        def transform(_: Any, state: int, action: Any) -> bool:
            event = action.contents
            data = ctypes.string_at(event.data, event.size)
            after = self.run(lambda: table.transform_action(state_at(state), data))
            if after is not None and after != data:
                event.data, event.size = self.kept_bytes(after), len(after)
            return after is not None

        return transform

    def mutation_transformer(self, table: Table) -> Any:
        def transform(_: Any, state: int, mutation: Any, size: Any) -> bool:
            data = ctypes.string_at(mutation[0], size[0])
            after = self.run(lambda: table.transform_mutation(state_at(state), data))
            if after is not None and after != data:
                mutation[0], size[0] = self.kept_bytes(after), len(after)
            return after is not None

        return transform

    def state_transformer(self, table: Table) -> Any:
        def transform(_: Any, state: int) -> None:
            after = self.run(lambda: table.transform_state(state_at(state)), failed=INITIAL)
            ctypes.memmove(state, after, len(after))

        return transform

    def kept_bytes(self, data: bytes) -> int:
        """The address of a copy that lasts."""
        buffer = ctypes.create_string_buffer(data, len(data) + 1)
        self.callbacks.append(buffer)
        return ctypes.addressof(buffer)

    def reactor_state(self, reactor: int) -> bytes | None:
        state = self.called("reactor_state", reactor)
        return state_at(state) if state else None


def state_at(address: int) -> bytes:
    return ctypes.string_at(address, len(INITIAL))

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the steps call that play reactors (player.py)."""

from __future__ import annotations

import struct
import zlib
from typing import Any, Callable

from reference.state.reactors import Table
from script import Step
from steps import Here


def words(state: bytes) -> str:
    """A state, as it is shown: how many mutations, and a number of them all."""
    return "{} {}".format(*struct.unpack("qq", state))


def reduced(state: bytes, mutation: bytes) -> bytes:
    count, number = struct.unpack("qq", state)
    return struct.pack("qq", count + 1, zlib.crc32(mutation, number))


class ReactorSteps:
    """A method for each kind of step, as in Steps."""

    def do_reactor_add(self, step: Step, here: Here) -> Any:
        scope, label = self.scope(step, here), f"reactor {step['id']}"
        actions = [
            (name, policy, is_enabled, self.callback(f"{label}, {name}", calls))
            for name, policy, is_enabled, calls in step["rows"]
        ]
        told, hook = self.callback(f"{label}, may", step["told"]), self.hook(label, step["hook"])
        arguments = (self.scopes[scope], label, told, actions, hook, self.table(step, label))
        status, reactor = self.library.reactor_add(*arguments)
        if status == 0:
            self.add_model(reactor, self.context_of[scope], label, [each[0] for each in actions])
        return status

    def table(self, step: Step, label: str) -> Table:
        meddles = list(step["meddles"])

        def reduce(state: bytes, mutation: bytes) -> bytes:
            self.log.append(("reduced", label, words(state), mutation.decode("latin-1")))
            if meddles and meddles.pop(0) and label in self.names:
                scope = self.scopes[self.names.index(label)]
                self.log.append(("meddled", label, self.library.reactor_merge(scope, b"no")))
            return reduced(state, mutation)

        table = Table(reduce)
        if step["show"] is not None:
            table.show = self.show_state(f"show {step['id']}", step["show"])
        if step["pulse"] is not None:
            table.pulse = self.pulse(f"pulse {step['id']}", step["pulse"])
        if step["actions"] is not None:
            table.transform_action = self.transform(f"{label}, action", step["actions"])
        if step["mutations"] is not None:
            table.transform_mutation = self.transform(f"{label}, mutation", step["mutations"])
        if step["doubles"] and table.show:
            table.transform_state = self.doubled
        return table

    def doubled(self, state: bytes) -> bytes:
        count, number = struct.unpack("qq", state)
        self.log.append(("transformed", words(state)))
        return struct.pack("qq", count * 2 % 1000, number)

    def transform(self, label: str, whats: list[str]) -> Callable[[bytes, bytes], bytes | None]:
        """What becomes of the first, second … one: it is kept, changed or dropped."""
        left = list(whats)

        def run(state: bytes, data: bytes) -> bytes | None:
            what = left.pop(0) if left else "keep"
            self.log.append(("transformed", label, words(state), data.decode("latin-1"), what))
            if what == "drop":
                return None
            return data + b"!" if what == "change" and data else data

        return run

    def show_state(self, label: str, calls: list[Step]) -> Any:
        left = list(calls)

        def run(reactor: Any, state: bytes, types: list[int]) -> int:
            scope = self.scopes.index(reactor) if reactor in self.scopes else -1
            self.log.append(("called", label, scope, words(state), *types))
            call = left.pop(0) if left else {"steps": [], "code": 0}
            statuses = self.run(call["steps"], Here(None, 0, scope, True, self.ends))
            status = call["code"] or next((each for each in statuses if each), 0)
            status = status or self.library.value_set(reactor, types[1], words(state).encode())
            self.log.append(("left", label, status))
            return status

        return run

    def pulse(self, label: str, codes: list[int]) -> Any:
        left = list(codes)

        def run(reactor: Any, mutation: bytes, types: list[int]) -> int:
            scope = self.scopes.index(reactor) if reactor in self.scopes else -1
            self.log.append(("called", label, scope, mutation.decode("latin-1"), *types))
            code = left.pop(0) if left else 0
            status = code or self.library.send(reactor, types[2], mutation)
            self.log.append(("left", label, status))
            return status

        return run

    def do_mutate(self, step: Step, here: Here) -> Any:
        status, event = self.request_of(step, here)
        if event is None:
            return status
        return [
            self.library.reactor_mutate(event, self.mutation(step, index))
            for index in range(step["many"])
        ]

    def do_merge(self, step: Step, here: Here) -> Any:
        scope = self.scope(step, here)
        return self.library.reactor_merge(self.scopes[scope], self.mutation(step, 0))

    def mutation(self, step: Step, index: int) -> bytes:
        return b"\xff" if step["data"] == "bad" else b"%d.%d" % (step["id"], index)

    def do_state(self, step: Step, here: Here) -> Any:
        state = self.library.reactor_state(self.scopes[self.scope(step, here)])
        return words(state) if state else "none"

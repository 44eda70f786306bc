# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Models and the runs that views ask for: a part of the reference (model.py)."""

from __future__ import annotations

from typing import Any, Callable

from reference.declarations import d
from reference.flow.values import Callback, Completion, Event, Pending, Scope
from reference.state.commands import COMMANDS, NO_TEXT, TYPES, Command, rows_of, types_of
from reference.state.reactors import Table


class Hold:
    """What a view waits for: the function of a run, until its binding drops it."""

    def __init__(self, stream: Any, runs: list[Hold], fn: Any, hook: Any) -> None:
        self.stream, self.runs, self.fn, self.hook = stream, runs, fn, hook
        self.is_calling = False
        runs.append(self)

    def call(self, event: Event) -> None:
        if self.fn is None:
            self.stream.deliveries -= 1  # nobody is called
            return
        self.is_calling = True
        self.fn(event)

    def end(self) -> None:
        if self in self.runs:
            self.runs.remove(self)
        if self.hook:
            self.hook()


class Models:
    """The calls of models: a part of the reference."""

    def viewmodel_add(
        self,
        parent: Scope,
        name: str,
        told: Callback,
        commands: list[tuple[str, int, bool, Callback]],
        hook: Callable[[], None],
        show: Callable[[Scope], int] | None,
        table: Table | None = None,
    ) -> Any:
        status = self.check_changing(parent)
        numbers: dict[str, int] = {}
        for whole, contract, response in types_of(name, [each[0] for each in commands]):
            if not status:
                status, numbers[whole] = self.type_add(parent, whole, contract, response)
        if status:
            return status, None
        if table:
            table.numbers = [
                numbers[each] for each in rows_of(name, [each[0] for each in commands])
            ]
        made = [
            self.command_of(name, each, policy, is_enabled, fn, numbers, table)
            for each, policy, is_enabled, fn in commands
        ]
        rows = [(f"{name}.may", told, d.HANDLER_WRITTEN)]
        rows += [
            (f"{name}.{each[0]}", self.handler_of(command), d.HANDLER_OWN)
            for each, command in zip(commands, made)
        ]
        ends = self.hook_of_model(parent.stream, made, hook)
        show = self.show_of(made, show, table)
        status, server = self.server_add(parent, name, rows, ends, None, show)
        if server:
            server.commands, server.reactor = made, table
            for command in made:
                command.scope = server
        return status, server

    def command_of(
        self,
        owner: str,
        name: str,
        policy: int,
        is_enabled: bool,
        fn: Any,
        known: dict[str, int],
        table: Table | None,
    ) -> Command:
        types = {each: known[f"{owner}.{name}{each}"] for each in TYPES}
        enabler = known[f"{owner}.may"] if is_enabled else 0
        fn = self.acting(table, fn) if table else fn
        answers_itself = bool(table) or COMMANDS[name] == d.PAYLOAD_NONE
        return Command(policy, fn, answers_itself, types, enabler)

    def handler_of(self, command: Command) -> Callback:
        return lambda event: event.context.stream.carry_out(command, event)

    def hook_of_model(self, stream: Any, commands: list[Command], hook: Any) -> Any:
        def run() -> None:
            for command in commands:
                for each in command.runs:
                    stream.release_run(each)
            hook()

        run.label = getattr(hook, "label", None)
        return run

    def show_of(
        self, commands: list[Command], show: Any, table: Table | None
    ) -> Callable[[Scope], int]:
        def run(scope: Scope) -> int:
            for command in commands:
                command.scope = scope
            scope.stream.note_executing(commands)
            status = self.show_reactor(table, scope) if table else show(scope) if show else d.OK
            for command in commands:
                failed = self.show_command(command)
                status = status or failed
                if not scope.stream.sends_output():
                    # Inputs, which a replay leaves out: what is there then, the values say.
                    has_text = command.shown.get("error") == "text"
                    command.shown = {"error": "text"} if has_text else {}
            return self.send_pulses(table, scope, status) if table else status

        return run

    def show_command(self, command: Command) -> int:
        stream, name = command.scope.stream, command.scope.name
        is_enabled = not command.enabler or stream.will_be_true(command.enabler, name)
        executes = any(each.state == "executes" for each in command.runs)
        for what, value in ((".enabled", is_enabled), (".executing", executes)):
            if command.shown.get(what) != value:
                status = self.value_set(command.scope, command.types[what], bytes([value]))
                if status:
                    return status
                command.shown[what] = value
        if command.failure or command.is_failure_old or "error" not in command.shown:
            return self.show_error(command)
        return d.OK

    def show_error(self, command: Command) -> int:
        text = command.failure.text.encode() if command.failure else b""
        status = self.value_set(command.scope, command.types[".error"], text)
        if status == d.TOO_BIG and command.failure:
            status = self.value_set(command.scope, command.types[".error"], NO_TEXT)
            status = d.OK if status == d.TOO_BIG else status
        if not status:
            command.shown["error"] = "text" if command.failure else ""
            command.failure, command.is_failure_old = None, False
        return status

    def binding_run(self, binding: Any, name: str, data: bytes, fn: Any, hook: Any) -> Any:
        status = self.check_binding(binding, True)
        view, owner = binding.view, binding.owner
        if status or owner is None or owner.ended:
            return status or d.STALE, None
        stream, known = view.stream, self.find_value(owner, name)
        if not known or known.contract & d.ROLE_MASK != d.ROLE_REQUEST:
            return d.INVALID, None
        status = self.check_event(view, known.number, data)
        if status:
            return status, None
        event = Event(known.number, data, owner.name, flags=d.EVENT_TRACKED | d.EVENT_OUTSIDE)
        # Before it is known whether the model refuses it, and before it is sent.
        self.check_after_leftovers(view)
        status = d.STALE if owner.ended else self.refusal_at_once(owner, known.number)
        if not status:
            self.check_after_leftovers(view)
            status = self.check_binding(binding)
        if not status and (owner.ended or binding.owner is not owner):
            status = d.STALE
        status = status or self.check_room(stream, event)
        if status:
            return status, None
        hold = Hold(stream, binding.runs, fn, hook)
        completion = Completion(hold.call, view, False, None, hold.end)
        pending = Pending(event, owner, completion)
        stream.put(event, pending)
        return d.OK, pending

    def refusal_at_once(self, owner: Scope, number: int) -> int:
        """Where nothing waits that may change it."""
        stream = owner.stream
        frame = self.process.frame(stream)
        is_inside = frame is not None and not frame.is_elsewhere
        if is_inside or stream.delivering or stream.queue or stream.unshown or stream.owed_again:
            return d.OK
        for command in owner.commands:
            if command.types[""] == number:
                return stream.refusal_of(command)
        return d.OK

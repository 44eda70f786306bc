# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the steps call that play services, bindings, models and commands (player.py)."""

from __future__ import annotations

from typing import Any

from features import SHOWN, SHOWN_LISTS, contract_of
from reference.declarations import d
from reference.state.commands import types_of
from script import Step
from steps import UNKNOWN_TYPE, Here


class StateSteps:
    """A method for each kind of step, as in Steps."""

    def add_shown(self, owner: str) -> None:
        """Registers what a scope shows to its bindings."""
        shown = {**SHOWN, **SHOWN_LISTS} if self.script.get("lists") else SHOWN
        for name, contract in shown.items() if self.script.get("shows") else ():
            scope, whole = self.scopes[-1], f"{owner}.{name}"
            status, number = self.library.type_add(scope, whole, contract, None)
            self.log.append(("registered", whole, status))
            if status == 0:
                self.types[self.context_of[-1]].append((number, whole))

    def do_show(self, step: Step, here: Here) -> Any:
        """Sends what a scope shows, through that scope."""
        scope = self.scope(step, here)
        known = {name: number for number, name in self.types[self.context_of[scope]]}
        names = [f"{self.names[scope]}.{each}" for each in step["name"]]
        return [
            self.send_shown(self.scopes[scope], known[name], self.payload(step, name), name)
            for name in names
            if name in known
        ]

    def send_shown(self, scope: Any, number: int, data: bytes, name: str) -> Any:
        is_value = contract_of(name)[0] & d.ROLE_MASK == d.ROLE_VALUE
        return (self.library.value_set if is_value else self.library.send)(scope, number, data)

    def do_binding_add(self, step: Step, here: Here) -> Any:
        scope, label = self.scope(step, here), f"binding {step['id']}"
        rows = [
            (name, self.callback(f"{label}, {name}", calls), flags)
            for name, calls, flags in step["rows"]
        ]
        hook = self.hook(label, step["hook"])
        owner = self.owner(step, here)
        status, binding = self.library.binding_add(self.scopes[scope], owner, rows, hook)
        if status == 0:
            self.bindings.append(binding)
        return status

    def owner(self, step: Step, here: Here) -> Any:
        if step["owner"] is None:
            return None
        return self.scopes[self.scope({"scope": step["owner"]}, here)]

    def do_binding_retarget(self, step: Step, here: Here) -> Any:
        binding = self.one_of(self.bindings, step["which"], here)
        if binding is None:
            return "nothing"
        return self.library.binding_retarget(binding, self.owner(step, here))

    def do_binding_set(self, step: Step, here: Here) -> Any:
        binding = self.one_of(self.bindings, step["which"], here)
        if binding is None:
            return "nothing"
        data = self.payload(step, f"owner.{step['name']}" if step["name"] in SHOWN else "")
        return self.call(step, self.library.binding_set, binding, step["name"], data)

    def do_binding_on_changes(self, step: Step, here: Here) -> Any:
        binding = self.one_of(self.bindings, step["which"], here)
        if binding is None:
            return "nothing"
        changes = self.changes(f"changes {step['id']}", step["calls"])
        return self.library.binding_on_changes(binding, changes)

    def do_binding_on_ended(self, step: Step, here: Here) -> Any:
        binding = self.one_of(self.bindings, step["which"], here)
        if binding is None:
            return "nothing"
        ended = self.ended(f"ended {step['id']}", step["calls"])
        return self.library.binding_on_ended(binding, ended)

    def do_binding_end(self, step: Step, here: Here) -> Any:
        return self.do_one(step, here, self.bindings)

    def do_viewmodel_add(self, step: Step, here: Here) -> Any:
        scope, label = self.scope(step, here), f"model {step['id']}"
        commands = [
            (name, policy, is_enabled, self.callback(f"{label}, {name}", calls))
            for name, policy, is_enabled, calls in step["rows"]
        ]
        told = self.callback(f"{label}, may", step["told"])
        show = None if step["show"] is None else self.show(f"show {step['id']}", step["show"])
        arguments = [self.scopes[scope], label, told, commands, self.hook(label, step["hook"])]
        status, model = self.library.viewmodel_add(*arguments, show)
        if status == 0:
            self.add_model(model, self.context_of[scope], label, [each[0] for each in commands])
        return status

    def add_model(self, model: Any, context: int, label: str, commands: list[str]) -> None:
        self.add_scope(model, context, label)
        self.models.append(len(self.scopes) - 1)
        for name, contract, response in types_of(label, commands):
            number = self.library.type_add(model, name, contract, response)[1]
            self.types[context].append((number, name))
        self.add_shown(label)

    def do_command(self, step: Step, here: Here) -> Any:
        """Requests a command through its model."""
        if not self.models:
            return "nothing"
        scope = self.models[step["which"] % len(self.models)]
        name = f"{self.names[scope]}.{step['name']}"
        known = {each: number for number, each in self.types[self.context_of[scope]]}
        number = known.get(name, UNKNOWN_TYPE)
        label = f"command {step['id']}"
        done = None if step["calls"] is None else self.callback(label, step["calls"])
        data = self.payload(step, name if name in known else "")
        status, pending = self.library.request(self.scopes[scope], number, data, done)
        if status == 0:
            self.pending.append(pending)
        return status

    def do_binding_run(self, step: Step, here: Here) -> Any:
        binding = self.one_of(self.bindings, step["which"], here)
        if binding is None:
            return "nothing"
        label = f"run {step['id']}"
        done = None if step["calls"] is None else self.callback(label, step["calls"])
        data = b"" if step["name"] == "up" else b"%d" % step["id"]
        data = b"\xff" if step["data"] == "bad" else data
        hook = self.hook(label, step["hook"])
        status, pending = self.library.binding_run(binding, step["name"], data, done, hook)
        if status == 0:
            self.pending.append(pending)
        return status

    def do_allow(self, step: Step, here: Here) -> Any:
        """Sets what enables the commands of a model."""
        scope = self.scope(step, here)
        known = {name: number for number, name in self.types[self.context_of[scope]]}
        number = known.get(f"{self.names[scope]}.may", UNKNOWN_TYPE)
        return self.library.value_set(self.scopes[scope], number, bytes([step["may"]]))

    def do_service_add(self, step: Step, here: Here) -> Any:
        scope, label = self.scope(step, here), f"service {step['id']}"
        types = sorted({self.type(scope, which, True)[1] for which in step["types"]})
        make = self.making(label, step["makes"], self.context_of[scope])
        contract = d.PAYLOAD_TEXT | step["layer"]
        arguments = (self.scopes[scope], step["name"], types, contract, make)
        return self.library.service_add(*arguments, self.hook(label, step["hook"]))

    def do_service_find(self, step: Step, here: Here) -> Any:
        scope = self.scope(step, here)
        status, found = self.library.service_find(self.scopes[scope], step["name"])
        return status, self.scopes.index(found) if found else None

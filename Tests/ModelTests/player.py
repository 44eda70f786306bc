# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Plays a script against the model or the library, and writes the log of all that was seen."""

from __future__ import annotations

import json
from typing import Any, Callable

from contract import (
    APP,
    FAILURE_TYPE,
    PAYLOAD_JSON,
    PAYLOAD_MASK,
    PAYLOAD_NONE,
    PAYLOAD_STRUCT,
    PAYLOAD_TEXT,
    ROLE_MASK,
    ROLE_REQUEST,
    SIZE_MASK,
    with_role,
)
from script import CATALOGUE, CONTRACTS, Step
from values import Filter

UNKNOWN_TYPE = 999
OTHER_SIZE = 9


class Here:
    """The callback in which steps run: its event, its observer's number, its scope's number."""

    def __init__(self, event: Any = None, observer: int = 0, scope: int = 0) -> None:
        self.event, self.observer, self.scope = event, observer, scope


class Player:
    def __init__(self, library: Any, script: Step) -> None:
        self.library = library
        self.script = script
        self.log: list[tuple[Any, ...]] = []
        self.scopes: list[Any] = []
        self.context_of: list[int] = []
        self.types: list[list[tuple[int, str]]] = []
        self.observers: list[Any] = []
        self.retained: list[Any] = []
        self.pending: list[Any] = []
        self.fresh = 0

    def play(self) -> list[tuple[Any, ...]]:
        """Runs the script, closes everything, and uses some handles once more."""
        for any_thread in self.script["contexts"]:
            self.add_scope(self.library.create(any_thread), len(self.types))
            self.types.append([])
        self.run(self.script["steps"], Here())
        contexts = range(len(self.script["contexts"]))
        for step in ("stats", "close", "close", "stats"):
            for context in contexts:
                self.run([{"kind": step, "id": "end", "scope": context}], Here())
        for step in ("cancel", "pending_cancel", "retained_release", "subscription_from"):
            self.run([{"kind": step, "id": "end", "which": "last"}], Here())
        return self.log

    def run(self, steps: list[Step], here: Here) -> None:
        for step in steps:
            outcome = getattr(self, f"do_{step['kind']}")(step, here)
            self.log.append(("returned", step["id"], step["kind"], outcome))

    def call(self, step: Step, function: Callable[..., Any], *arguments: Any) -> Any:
        if step.get("foreign"):
            return self.library.foreign(lambda: function(*arguments))
        return function(*arguments)

    # References ---------------------------------------------------------------------------------

    def add_scope(self, handle: Any, context: int) -> None:
        self.scopes.append(handle)
        self.context_of.append(context)

    def scope(self, step: Step, here: Here) -> int:
        """The number of a scope."""
        which = step["scope"]
        if which == "own":
            return here.scope
        return len(self.scopes) - 1 if which == "last" else which % len(self.scopes)

    def one_of(self, things: list[Any], which: str | int, here: Here) -> Any:
        """One of the things made so far, in the order in which they were made; None = no such."""
        index = {
            "self": here.observer,
            "later": here.observer + 1,
            "earlier": here.observer - 1,
            "last": len(things) - 1,
        }.get(which, which)
        return things[index % len(things)] if things else None

    def type(self, scope: int, which: int | str, asks: bool = False) -> tuple[int, str]:
        """Number and name of a registered type of a context."""
        if which == "failure":
            return FAILURE_TYPE, ""
        known = self.types[self.context_of[scope]]
        if asks:
            known = [each for each in known if self.role(each[1]) == ROLE_REQUEST] or known
        if which == "unknown" or not known:
            return UNKNOWN_TYPE, ""
        return known[which % len(known)]

    def role(self, name: str) -> int:
        return with_role(name, CONTRACTS[name][0]) & ROLE_MASK

    def payload(self, step: Step, name: str) -> bytes:
        """A payload that tells its step, or one that breaks the contract of the type."""
        contract = CONTRACTS[name][0] if name else 0
        kind, text = contract & PAYLOAD_MASK, b"%d" % step["id"]
        if step["data"] == "bad":
            return b"\xff" if kind in (PAYLOAD_TEXT, PAYLOAD_JSON) else b"bad"
        if kind == PAYLOAD_NONE:
            return b""
        return text.rjust(contract & SIZE_MASK, b" ") if kind == PAYLOAD_STRUCT else text

    # Callbacks ----------------------------------------------------------------------------------

    def callback(self, label: str, calls: list[list[Step]], observer: int = 0) -> Any:
        """A function that does at its first, second … call what the script says."""
        left = list(calls)

        def run(event: Any) -> None:
            scope = self.scopes.index(event.context) if event.context in self.scopes else -1
            self.log.append(("called", label, scope, *self.facts(event)))
            self.run(left.pop(0) if left else [], Here(event, observer, scope))
            self.log.append(("left", label))

        return run

    def hook(self, label: str, steps: list[Step] | None, observer: int = 0) -> Any:
        if steps is None:
            return None

        def run() -> None:
            self.log.append(("released", label))
            self.run(steps, Here(None, observer))
            self.log.append(("left hook", label))

        return run

    def facts(self, event: Any) -> tuple[Any, ...]:
        """All that an event says; of errors the core words itself, that it words them."""
        payload, text = event.payload.decode("latin-1"), event.text
        if 0 < event.status < APP:
            payload, text = f"{payload.count(chr(0))} texts", bool(text)
        elif event.type == FAILURE_TYPE:
            body = json.loads(event.payload)
            if body["code"] < APP:
                body["sentence"] = ""
            payload = json.dumps(body, sort_keys=True)
        return (
            f"#{event.position}",
            f"type {event.type}",
            f"cause {event.cause}",
            f"correlation {event.correlation}",
            f"answers {event.answers}",
            f"status {event.status}",
            f"origin {event.origin!r}",
            f"flags {event.flags}",
            payload,
            text,
        )

    # Steps --------------------------------------------------------------------------------------

    def do_type_add(self, step: Step, here: Here) -> Any:
        scope = self.scope(step, here)
        name, contract, response = CATALOGUE[step["name"] % len(CATALOGUE)]
        known = self.types[self.context_of[scope]]
        if step["other"] and any(name == each[1] for each in known):
            contract = PAYLOAD_STRUCT | OTHER_SIZE
        status, number = self.library.type_add(self.scopes[scope], name, contract, response)
        if status == 0 and (number, name) not in known:
            known.append((number, name))
        return status, number

    def do_send(self, step: Step, here: Here) -> Any:
        scope = self.scope(step, here)
        number, name = self.type(scope, step["type"], step.get("asks", False))
        arguments = (self.scopes[scope], number, self.payload(step, name))
        return self.call(step, getattr(self.library, step["kind"]), *arguments)

    do_post = do_send

    def do_request(self, step: Step, here: Here) -> Any:
        scope = self.scope(step, here)
        number, name = self.type(scope, step["type"], step["asks"])
        done = None
        if step["calls"] is not None:
            done = self.callback(f"completion {step['id']}", step["calls"])
        ask = self.library.request
        status, pending = ask(self.scopes[scope], number, self.payload(step, name), done)
        if status == 0:
            self.pending.append(pending)
        return status

    def do_observe(self, step: Step, here: Here) -> Any:
        scope = self.scope(step, here)
        what = Filter(**step["filter"])
        if what.types is not None:
            what.types = [self.type(scope, which)[0] for which in what.types]
        label, number = f"observer {step['id']}", len(self.observers)
        fn = self.callback(label, step["calls"], number)
        hook = self.hook(label, step["hook"], number)
        arguments = (self.scopes[scope], what, fn, hook)
        status, observer = self.call(step, self.library.observe, *arguments)
        if status:
            return status
        self.observers.append(observer)
        return status, self.library.subscription_from(observer)

    def do_one(self, step: Step, here: Here, things: list[Any]) -> Any:
        """A call that takes nothing but one handle."""
        thing = self.one_of(things, step["which"], here)
        if thing is None:
            return "nothing"
        return self.call(step, getattr(self.library, step["kind"]), thing)

    def do_cancel(self, step: Step, here: Here) -> Any:
        return self.do_one(step, here, self.observers)

    do_cancel_wait = do_subscription_from = do_cancel

    def do_pending_cancel(self, step: Step, here: Here) -> Any:
        return self.do_one(step, here, self.pending)

    do_pending_position = do_pending_cancel

    def do_retained_release(self, step: Step, here: Here) -> Any:
        return self.do_one(step, here, self.retained)

    def do_retain(self, step: Step, here: Here) -> Any:
        if here.event is None:
            return "nothing"
        status, retained = self.library.retain(here.event)
        if status == 0:
            self.retained.append(retained)
            copy = self.library.retained_event(retained)[1]
            return status, self.facts(copy) == self.facts(here.event)
        return status

    def do_respond(self, step: Step, here: Here) -> Any:
        event = here.event
        if step["to"] != "current" or event is None:
            to = "last" if step["to"] == "current" else step["to"]
            retained = self.one_of(self.retained, to, here)
            if retained is None:
                return "nothing"
            status, event = self.library.retained_event(retained)
            if status:
                return "released", status
        if step["code"]:
            arguments = (event, step["code"], f"sentence {step['id']}")
            return self.call(step, self.library.respond_error, *arguments)
        data = self.payload(step, self.answer_name(event))
        return self.call(step, self.library.respond, event, data)

    def answer_name(self, event: Any) -> str:
        """The name of the type that answers an event; empty when none does."""
        if event.context not in self.scopes:
            return ""  # a server that is called while it is still being added
        context = self.context_of[self.scopes.index(event.context)]
        name = dict(self.types[context]).get(event.type)
        return (CONTRACTS[name][1] or "") if name else ""

    def do_fail(self, step: Step, here: Here) -> Any:
        if here.event is None:
            return "nothing"
        return self.library.fail(here.event, step["code"], f"failure {step['id']}")

    def do_confirm(self, step: Step, here: Here) -> Any:
        return "nothing" if here.event is None else self.library.confirm(here.event)

    def do_scope_add(self, step: Step, here: Here) -> Any:
        scope = self.scope(step, here)
        status, added = self.library.scope_add(self.scopes[scope], f"scope {step['id']}")
        if status == 0:
            self.add_scope(added, self.context_of[scope])
        return status

    def do_server_add(self, step: Step, here: Here) -> Any:
        scope, label = self.scope(step, here), f"server {step['id']}"
        rows = [
            (CATALOGUE[which][0], self.callback(f"{label}, row {index}", calls))
            for index, (which, calls) in enumerate(step["rows"])
        ]
        hook = self.hook(label, step["hook"])
        status, server = self.library.server_add(self.scopes[scope], label, rows, hook)
        if status == 0:
            self.add_scope(server, self.context_of[scope])
        return status

    def do_with_scope(self, step: Step, here: Here) -> Any:
        """A call that takes nothing but a context."""
        return getattr(self.library, step["kind"])(self.scopes[self.scope(step, here)])

    do_scope_end = do_flush = do_wait = do_stats = do_close = do_with_scope

    def do_drain(self, step: Step, here: Here) -> Any:
        return self.library.drain(self.scopes[self.scope(step, here)], step["limit"])

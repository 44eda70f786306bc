# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Plays a script against the model or the library, and writes the log of all that was seen."""

from __future__ import annotations

import json
import struct
from typing import Any, Callable

from child_steps import ChildSteps
from features import contract_of
from list_steps import ListSteps
from listed import as_it_is, facts_of
from reactor_steps import ReactorSteps
from reference.contract import DENIED_TYPE, FAILURE_TYPE, LIMIT_TYPE, SIZE_MASK, with_role
from reference.declarations import d
from script import Step
from state_steps import StateSteps
from steps import UNKNOWN_TYPE, Here, Steps

#: What the core says of runs that it answers.
OF_CORE = (
    "the request was not answered in time",
    "the command's function returned without an answer",
)


class Player(Steps, StateSteps, ReactorSteps, ListSteps, ChildSteps):
    def __init__(self, library: Any, script: Step) -> None:
        self.library = library
        self.script = script
        self.log: list[tuple[Any, ...]] = []
        self.scopes: list[Any] = []
        self.names: list[str] = []
        #: By which they are found, as each side counts them.
        self.numbers: list[int] = []
        self.context_of: list[int] = []
        self.types: list[list[tuple[int, str]]] = []
        self.observers: list[Any] = []
        self.retained: list[Any] = []
        self.pending: list[Any] = []
        self.timers: list[Any] = []
        self.bindings: list[Any] = []
        #: The numbers of the scopes that are models.
        self.models: list[int] = []
        self.serials: list[list[int]] = []
        self.open_lists()
        self.open_children()
        self.ends = 0
        self.kinds: dict[str, list[Any]] = {"mailbox": [], "demand": []}
        #: Observers whose bytes are counted: nothing that the core words reaches them.
        self.sized: list[bool] = []

    def play(self) -> list[tuple[Any, ...]]:
        """Runs the script, closes everything, and uses some handles once more."""
        for how in self.script["contexts"]:
            self.add_scope(self.library.create(how), len(self.types))
            self.types.append([])
            self.serials.append([])
        self.library.follow(self.log)
        self.run(self.script["steps"], Here(inside=False))
        contexts = range(len(self.script["contexts"]))
        for step in ("stats", "close", "close", "stats"):
            for context in contexts:
                self.run([{"kind": step, "id": "end", "scope": context}], Here(inside=False))
        for step in (
            "cancel",
            "pending_cancel",
            "retained_release",
            "subscription_from",
            "timer_cancel",
            "subscription_stats",
            "mailbox_take",
            "binding_end",
        ):
            self.run([{"kind": step, "id": "end", "which": "last", "size": 99}], Here(inside=False))
        return self.log

    def run(self, steps: list[Step], here: Here) -> list[Any]:
        """Does the steps, and gives the statuses of those that send."""
        statuses = []
        for step in steps:
            outcome = getattr(self, f"do_{step['kind']}")(step, here)
            self.log.append(("returned", step["id"], step["kind"], outcome))
            if step["kind"] == "send":
                statuses.append(outcome)
        return statuses

    def call(self, step: Step, function: Callable[..., Any], *arguments: Any) -> Any:
        if step.get("foreign"):
            return self.library.foreign(lambda: function(*arguments))
        return function(*arguments)

    # References ---------------------------------------------------------------------------------

    def add_scope(self, handle: Any, context: int, name: str = "") -> None:
        self.scopes.append(handle)
        self.names.append(name)
        self.numbers.append(self.library.scope_number(handle))
        self.context_of.append(context)

    def scope(self, step: Step, here: Here) -> int:
        """The number of a scope."""
        which = step["scope"]
        if isinstance(which, str) and which.startswith("model"):
            index = int(which.split()[1])
            return self.models[index % len(self.models)] if self.models else 0
        if which == "asker" and here.event and here.event.origin in self.names[1:]:
            return self.names.index(here.event.origin)
        if which in ("own", "asker"):
            return here.scope
        return len(self.scopes) - 1 if which == "last" else which % len(self.scopes)

    def one_of(self, things: list[Any], which: str | int, here: Here) -> Any:
        """One of the things made so far, in the order in which they were made; None = no such."""
        if isinstance(which, str) and which.startswith(("mailbox", "demand")):
            kind, index = which.split()
            things, which = self.kinds[kind], int(index)
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
        if isinstance(which, str) and which.startswith("list"):
            return self.list_type(scope, int(which.split()[1]))
        if which == "notice":
            known = [each for each in known if self.role(each[1]) == d.ROLE_NOTICE] or known
            return known[0] if known else (UNKNOWN_TYPE, "")
        if asks:
            known = [each for each in known if self.role(each[1]) == d.ROLE_REQUEST] or known
        if which == "unknown" or not known:
            return UNKNOWN_TYPE, ""
        return known[which % len(known)]

    def role(self, name: str) -> int:
        return with_role(name, contract_of(name)[0]) & d.ROLE_MASK

    def payload(self, step: Step, name: str) -> bytes:
        """A payload that tells its step, or one that breaks the contract of the type."""
        contract = contract_of(name)[0] if name else 0
        kind, text = contract & d.PAYLOAD_MASK, b"%d" % step.get("share", step["id"])
        if step["data"] == "bad":
            return b"\xff" if kind in (d.PAYLOAD_TEXT, d.PAYLOAD_JSON) else b"bad"
        if kind == d.PAYLOAD_NONE:
            return b""
        if kind == d.PAYLOAD_BOOL:
            return bytes([step.get("share", step["id"]) & 1])
        if kind in (d.PAYLOAD_INTEGER, d.PAYLOAD_NUMBER):
            return text.rjust(8, b" ")
        return text.rjust(contract & SIZE_MASK, b" ") if kind == d.PAYLOAD_STRUCT else text

    # Callbacks ----------------------------------------------------------------------------------

    def callback(self, label: str, calls: list[list[Step]], observer: int = 0) -> Any:
        """A function that does at its first, second … call what the script says."""
        left = list(calls)

        def run(event: Any) -> None:
            scope = self.scopes.index(event.context) if event.context in self.scopes else -1
            self.log.append(("called", label, scope, *self.facts(event), *self.fits(label, event)))
            self.run(left.pop(0) if left else [], Here(event, observer, scope, True, self.ends))
            self.log.append(("left", label))

        run.label = label
        return run

    def told(self, label: str, calls: list[list[Step]]) -> Any:
        """A function that gets no event and is called once."""

        def run() -> None:
            self.log.append(("called", label))
            self.run(calls[0] if calls else [], Here(ends=self.ends))
            self.log.append(("left", label))

        run.label = label
        return run

    def making(self, label: str, makes: list[Step], context: int) -> Any:
        """A factory's function: what it does for the first, second … owner."""
        left = list(makes)

        def make(scope: Any, event: Any) -> int:
            self.add_scope(scope, context)
            number = len(self.scopes) - 1
            facts = self.facts(event) if event else ()
            self.log.append(("called", label, number, *facts))
            step = left.pop(0) if left else {"calls": [], "status": 0}
            self.run(step["calls"], Here(event, 0, number, True, self.ends))
            self.log.append(("left", label))
            return step["status"]

        make.label = label
        return make

    def changes(self, label: str, calls: list[list[Step]] | None) -> Any:
        """A function that is told which values have changed."""
        if calls is None:
            return None
        left = list(calls)

        def run(names: list[str]) -> None:
            self.log.append(("called", label, *names))
            self.run(left.pop(0) if left else [], Here(ends=self.ends))
            self.log.append(("left", label))

        run.label = label
        return run

    def ended(self, label: str, calls: list[list[Step]] | None) -> Any:
        """A function that is told each time that an owner has ended."""
        changes = self.changes(label, calls)
        return changes and (lambda: changes([]))

    def show(self, label: str, calls: list[Step]) -> Any:
        """A show function. It gives the script's status, or the first bad one of its sends."""
        left = list(calls)

        def run(server: Any) -> int:
            scope = self.scopes.index(server) if server in self.scopes else -1
            self.log.append(("called", label, scope))
            call = left.pop(0) if left else {"steps": [], "code": 0}
            statuses = self.run(call["steps"], Here(None, 0, scope, True, self.ends))
            status = call["code"] or next((each for each in statuses if each), 0)
            self.log.append(("left", label, status))
            return status

        run.label = label
        return run

    def hook(self, label: str, steps: list[Step] | None, observer: int = 0) -> Any:
        if steps is None:
            return None

        def run() -> None:
            self.log.append(("released", label))
            self.run(steps, Here(None, observer))
            self.log.append(("left hook", label))

        run.label = label
        return run

    def named(self, event: Any, data: bytes) -> str:
        """Which scope of its context a payload names; each side counts them as it likes."""
        if len(data) == 8:
            number, through = struct.unpack("Q", data)[0], getattr(event, "context", None)
            found = [index for index, each in enumerate(self.numbers) if each == number]
            if through in self.scopes:
                context = self.context_of[self.scopes.index(through)]
                found = [index for index in found if self.context_of[index] == context]
            if found:
                return f"scope {found[0]}" if len(found) == 1 else "a scope"
        return ""

    def facts(self, event: Any, is_record: bool = False) -> tuple[Any, ...]:
        """All that an event says; of errors the core words itself, that it words them."""
        facts = self.facts_of_any(event)
        if not event.flags & d.EVENT_LIST:
            return facts
        if is_record:
            return (*facts[:-2], "a list")  # its payload is not said

        def named(data: bytes) -> str:
            return self.named(event, data) or as_it_is(data)

        return (*facts[:-2], *facts_of(self.library.shown_list(event), named))

    def facts_of_any(self, event: Any) -> tuple[Any, ...]:
        payload, text = event.payload.decode("latin-1"), event.text
        if 0 < event.status < d.APP:
            payload, text = f"{payload.count(chr(0))} texts", bool(text)
        elif payload in OF_CORE or payload.startswith(("the handler of ", "core, ")):
            payload = "core"  # a failure that the core words, shown as a value
        elif event.type in (FAILURE_TYPE, DENIED_TYPE, LIMIT_TYPE):
            body = json.loads(event.payload)
            if body.get("code", d.APP) < d.APP:
                body["sentence"] = ""
            if "what" in body:
                body["what"] = ""  # its words are nobody's promise
            if "chain" in body:
                body["chain"] = body["chain"][-1:]  # how far back it goes is not said
            payload = json.dumps(body, sort_keys=True)
        elif self.named(event, event.payload):
            payload = self.named(event, event.payload)
        elif event.flags & d.EVENT_GAP:
            payload = "gap {} to {}, {}".format(*struct.unpack("QQQ", event.payload))
        return (
            f"#{event.position}",
            f"type {event.type}",
            f"cause {event.cause}",
            f"correlation {event.correlation}",
            f"answers {event.answers}",
            f"status {event.status}",
            f"origin {event.origin!r}",
            f"flags {event.flags}",
            f"time {event.time}",
            payload,
            text,
        )

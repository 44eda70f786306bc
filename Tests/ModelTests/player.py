# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Plays a script against the model or the library, and writes the log of all that was seen."""

from __future__ import annotations

import json
import struct
from typing import Any, Callable

from contract import (
    APP,
    DENIED_TYPE,
    FAILURE_TYPE,
    GAP,
    LIMIT_TYPE,
    OBSERVE_FAILED,
    OBSERVE_SUCCEEDED,
    ON_DEMAND,
    PAYLOAD_JSON,
    PAYLOAD_MASK,
    PAYLOAD_NONE,
    PAYLOAD_STRUCT,
    PAYLOAD_TEXT,
    ROLE_MASK,
    ROLE_NOTICE,
    ROLE_REQUEST,
    SIZE_MASK,
    TRACKED,
    with_role,
)
from script import CATALOGUE, CONTRACTS, Step
from values import Asked, Filter

UNKNOWN_TYPE = 999
OTHER_SIZE = 9


class Here:
    """The callback in which steps run: its event, its observer's number, its scope's number."""

    def __init__(
        self,
        event: Any = None,
        observer: int = 0,
        scope: int = 0,
        inside: bool = True,
        ends: int = 0,
    ) -> None:
        self.event, self.observer, self.scope, self.inside = event, observer, scope, inside
        #: How many scopes had ended when it began.
        self.ends = ends


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
        self.timers: list[Any] = []
        self.serials: list[list[int]] = []
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
            "drain_records",
        ):
            self.run([{"kind": step, "id": "end", "which": "last", "size": 99}], Here(inside=False))
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
        if which == "notice":
            known = [each for each in known if self.role(each[1]) == ROLE_NOTICE] or known
            return known[0] if known else (UNKNOWN_TYPE, "")
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
            self.run(left.pop(0) if left else [], Here(event, observer, scope, True, self.ends))
            self.log.append(("left", label))

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

    def facts(self, event: Any) -> tuple[Any, ...]:
        """All that an event says; of errors the core words itself, that it words them."""
        payload, text = event.payload.decode("latin-1"), event.text
        if 0 < event.status < APP:
            payload, text = f"{payload.count(chr(0))} texts", bool(text)
        elif event.type in (FAILURE_TYPE, DENIED_TYPE, LIMIT_TYPE):
            body = json.loads(event.payload)
            if body.get("code", APP) < APP:
                body["sentence"] = ""
            if "what" in body:
                body["what"] = ""  # its words are nobody's promise
            if "chain" in body:
                body["chain"] = body["chain"][-1:]  # how far back it goes is not said
            payload = json.dumps(body, sort_keys=True)
        elif event.flags & GAP:
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

    do_post = do_post_from_interrupt = do_send

    def do_send_many(self, step: Step, here: Here) -> Any:
        scope = self.scope(step, here)
        rows = []
        for which, data in step["rows"]:
            number, name = self.type(scope, which)
            rows.append((number, self.payload({**step, "data": data}, name)))
        return self.library.send_many(self.scopes[scope], rows)

    def do_request(self, step: Step, here: Here) -> Any:
        scope = self.scope(step, here)
        number, name = self.type(scope, step["type"], step["asks"])
        done = None
        if step["calls"] is not None:
            done = self.callback(f"completion {step['id']}", step["calls"])
        arguments = [self.scopes[scope], number, self.payload(step, name), done]
        if "how" in step:
            arguments.append(self.asked(step, scope))
        status, pending = self.library.request(*arguments)
        if status == 0:
            self.pending.append(pending)
        return status

    def asked(self, step: Step, scope: int) -> Asked:
        how, label = step["how"], f"request {step['id']}"
        progress = None
        if how.get("progress") is not None:
            progress = self.callback(f"progress {step['id']}", how["progress"])
        hook = self.hook(label, how.get("hook"))
        scheduler = self.scheduler(scope, how.get("scheduler", 0))
        return Asked(scheduler, how.get("timeout_ms", 0), progress, hook)

    def scheduler(self, scope: int, which: int) -> int:
        """The number of a scheduler: 0, the host's, or one of the serial ones added so far."""
        serials = self.serials[self.context_of[scope]]
        if which < 2 or not serials:
            return min(which, 1)
        return serials[which % len(serials)]

    def do_serial_add(self, step: Step, here: Here) -> Any:
        scope = self.scope(step, here)
        status, number = self.library.serial_add(self.scopes[scope], f"serial {step['id']}")
        if status == 0:
            self.serials[self.context_of[scope]].append(number)
        return status, number

    def do_observe(self, step: Step, here: Here) -> Any:
        scope = self.scope(step, here)
        what = Filter(**step["filter"])
        what.scheduler = self.scheduler(scope, what.scheduler)
        if what.types is not None:
            what.types = [self.type(scope, which)[0] for which in what.types]
        if what.limit_bytes:
            self.leave_out_what_the_core_words(what, scope)
        label, number = f"observer {step['id']}", len(self.observers)
        fn = None if step.get("mailbox") else self.callback(label, step["calls"], number)
        hook = self.hook(label, step["hook"], number)
        arguments = (self.scopes[scope], what, fn, hook)
        status, observer = self.call(step, self.library.observe, *arguments)
        if status:
            return status
        self.observers.append(observer)
        if step.get("mailbox"):
            self.kinds["mailbox"].append(observer)
        if what.flags & ON_DEMAND:
            self.kinds["demand"].append(observer)
        self.sized.append(bool(what.limit_bytes))
        return status, self.library.subscription_from(observer)

    def leave_out_what_the_core_words(self, what: Filter, scope: int) -> None:
        """Where bytes are counted: how long the core's sentences are is its own affair."""
        what.flags = what.flags & ~OBSERVE_FAILED | OBSERVE_SUCCEEDED
        known = [number for number, _ in self.types[self.context_of[scope]]]
        if what.types is None or FAILURE_TYPE in what.types:
            what.types = known or [UNKNOWN_TYPE]

    def do_subscription_ask(self, step: Step, here: Here) -> Any:
        observer = self.one_of(self.observers, step["which"], here)
        if observer is None:
            return "nothing"
        return self.call(step, self.library.subscription_ask, observer, step["count"])

    def do_subscription_stats(self, step: Step, here: Here) -> Any:
        observer = self.one_of(self.observers, step["which"], here)
        if observer is None:
            return "nothing"
        status, stats = self.library.subscription_stats(observer)
        if not self.sized[self.observers.index(observer)]:
            stats.pop("waiting_bytes", None)
        return status, stats

    def do_drain_records(self, step: Step, here: Here) -> Any:
        """Fetches from a mailbox; what the core words is compared by its header."""
        observer = self.one_of(self.observers, step["which"], here)
        if observer is None:
            return "nothing"
        sized = self.sized[self.observers.index(observer)]
        size = step["size"] if sized else min(step["size"], 1) << 16
        status, records, needed = self.library.drain_records(observer, size)
        told = [self.facts(each) for each in records]
        return status, told, needed if sized else bool(needed)

    def do_history_keep(self, step: Step, here: Here) -> Any:
        scope = self.scope(step, here)
        number, _ = self.type(scope, step["type"])
        keep = self.library.history_keep
        return keep(self.scopes[scope], number, step["count"], step["age"])

    def do_respond_progress(self, step: Step, here: Here) -> Any:
        status, event = self.request_of(step, here)
        if event is None:
            return status
        step = self.at_home(step, event, here)
        scope = 0
        if event.context in self.scopes:
            scope = self.scopes.index(event.context)
        number, name = self.type(scope, step["type"])
        data = self.payload(step, name)
        return self.call(step, self.library.respond_progress, event, number, data)

    def do_send_after(self, step: Step, here: Here) -> Any:
        scope = self.scope(step, here)
        number, name = self.type(scope, step["type"])
        arguments = (self.scopes[scope], number, self.payload(step, name), step["ms"])
        status, timer = self.library.send_later(step["kind"], *arguments)
        if status == 0:
            self.timers.append(timer)
        return status

    do_send_every = do_send_after

    def do_timer_cancel(self, step: Step, here: Here) -> Any:
        return self.do_one(step, here, self.timers)

    def do_advance(self, step: Step, here: Here) -> Any:
        return self.library.advance(self.scopes[self.scope(step, here)], step["ms"])

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
        status, event = self.request_of(step, here)
        if event is None:
            return status
        step = self.at_home(step, event, here)
        if step["code"]:
            arguments = (event, step["code"], f"sentence {step['id']}")
            return self.call(step, self.library.respond_error, *arguments)
        data = self.payload(step, self.answer_name(event))
        return self.call(step, self.library.respond, event, data)

    def at_home(self, step: Step, event: Any, here: Here) -> Step:
        """From another thread only what is a request, and its scope lives: else two refusals, or
        two origins, would be right.
        """
        is_lost = self.ends != here.ends or not event.flags & TRACKED
        if not self.answer_name(event) or (event is here.event and is_lost):
            return {**step, "foreign": False}
        return step

    def request_of(self, step: Step, here: Here) -> tuple[Any, Any]:
        """The current event or a kept one; why there is none."""
        if step["to"] == "current" and here.event is not None:
            return 0, here.event
        to = "last" if step["to"] == "current" else step["to"]
        retained = self.one_of(self.retained, to, here)
        if retained is None:
            return "nothing", None
        status, event = self.library.retained_event(retained)
        return ("released", status), event

    def answer_name(self, event: Any) -> str:
        """The name of the type that answers an event; empty when none does."""
        if event.context not in self.scopes:
            return ""  # a server that is called while it is still being added
        context = self.context_of[self.scopes.index(event.context)]
        known = dict(self.types[context])
        answer = CONTRACTS[known[event.type]][1] if event.type in known else None
        return answer if answer in known.values() else ""

    def do_fail(self, step: Step, here: Here) -> Any:
        if here.event is None:
            return "nothing"
        return self.library.fail(here.event, step["code"], f"failure {step['id']}")

    def do_confirm(self, step: Step, here: Here) -> Any:
        return "nothing" if here.event is None else self.library.confirm(here.event)

    def do_scope_add(self, step: Step, here: Here) -> Any:
        scope = self.scope(step, here)
        arguments = [self.scopes[scope], f"scope {step['id']}"]
        if "how" in step:
            status, added = self.library.scope_add_with(*arguments, step["how"])
        else:
            status, added = self.library.scope_add(*arguments)
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

    def do_scope_end(self, step: Step, here: Here) -> Any:
        self.ends += 1
        return self.do_with_scope(step, here)

    do_interrupt_prepare = do_flush = do_wait = do_stats = do_close = do_with_scope
    do_now = do_next_timeout = do_with_scope

    def do_readable(self, step: Step, here: Here) -> Any:
        """In a callback the descriptor may be readable or not."""
        return "nothing" if here.inside else self.do_with_scope(step, here)

    def do_drain(self, step: Step, here: Here) -> Any:
        return self.library.drain(self.scopes[self.scope(step, here)], step["limit"])

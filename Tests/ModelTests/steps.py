# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What each step of a script calls: a part of the player (player.py)."""

from __future__ import annotations

from typing import Any

from features import CATALOGUE, EFFECTS_BEGIN, LISTS_BEGIN, VALUES, contract_of, is_asked
from reference.contract import FAILURE_TYPE
from reference.declarations import d
from reference.flow.values import Asked, Filter
from script import Step

UNKNOWN_TYPE = 999
OTHER_SIZE = 9
VALUE_NAMES = [name for name, _, _ in CATALOGUE[VALUES:EFFECTS_BEGIN] + CATALOGUE[LISTS_BEGIN:]]


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


class Steps:
    """A method for each kind of step; it gives what the log says of it."""

    def do_type_add(self, step: Step, here: Here) -> Any:
        scope = self.scope(step, here)
        name, contract, response = CATALOGUE[step["name"] % len(CATALOGUE)]
        known = self.types[self.context_of[scope]]
        if step["other"] and any(name == each[1] for each in known):
            contract = d.PAYLOAD_STRUCT | OTHER_SIZE
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
        timeout = how.get("timeout_ms", 0)
        return Asked(scheduler, timeout, progress, hook, how.get("share", False))

    def scheduler(self, scope: int, which: int) -> int:
        """The number of a scheduler: 0, the host's, or one of the serial ones added so far."""
        serials = self.serials[self.context_of[scope]]
        if which < 2 or not serials:
            return min(which, 1)
        return serials[which % len(serials)]

    def do_scheduler_add(self, step: Step, here: Here) -> Any:
        scope = self.scope(step, here)
        if not self.script["contexts"][self.context_of[scope]]["clock"]:
            return "runs in a thread of its own"  # when, no model knows
        status, number = self.library.scheduler_add(self.scopes[scope], f"serial {step['id']}")
        if status == 0:
            self.serials[self.context_of[scope]].append(number)
        return status, number

    def do_observe(self, step: Step, here: Here) -> Any:
        scope = self.scope(step, here)
        what = Filter(**step["filter"])
        what.scheduler = self.scheduler(scope, what.scheduler)
        if what.types is not None:
            what.types = [self.type(scope, which)[0] for which in what.types]
        if what.of is not None:
            what.of = self.scopes[self.scope({"scope": what.of}, here)]
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
        if what.flags & d.OBSERVE_ON_DEMAND:
            self.kinds["demand"].append(observer)
        self.sized.append(bool(what.limit_bytes))
        return status, self.library.subscription_from(observer)

    def leave_out_what_the_core_words(self, what: Filter, scope: int) -> None:
        """Where bytes are counted: how long the core's messages are is its own affair, and so is
        how long the changes of a list are.
        """
        what.flags = what.flags & ~d.OBSERVE_FAILED | d.OBSERVE_SUCCEEDED
        known = dict(self.types[self.context_of[scope]])
        if what.types is None or FAILURE_TYPE in what.types:
            what.types = list(known)
        what.types = [each for each in what.types if not self.is_worded(known.get(each, ""))]
        what.types = what.types or [UNKNOWN_TYPE]

    def is_worded(self, name: str) -> bool:
        return name.endswith(".error") or bool(name and contract_of(name)[0] & d.LIST)

    def do_subscription_demand(self, step: Step, here: Here) -> Any:
        observer = self.one_of(self.observers, step["which"], here)
        if observer is None:
            return "nothing"
        return self.call(step, self.library.subscription_demand, observer, step["count"])

    def do_subscription_stats(self, step: Step, here: Here) -> Any:
        observer = self.one_of(self.observers, step["which"], here)
        if observer is None:
            return "nothing"
        status, stats = self.library.subscription_stats(observer)
        if not self.sized[self.observers.index(observer)]:
            stats.pop("waiting_bytes", None)
        return status, stats

    def do_mailbox_take(self, step: Step, here: Here) -> Any:
        """Fetches from a mailbox; what the core words is compared by its header."""
        observer = self.one_of(self.observers, step["which"], here)
        if observer is None:
            return "nothing"
        sized = self.sized[self.observers.index(observer)]
        size = step["size"] if sized else min(step["size"], 1) << 16
        status, records, needed = self.library.mailbox_take(observer, size)
        told = [self.facts(each, is_record=True) for each in records]
        return status, told, needed if sized else bool(needed)

    def do_history_keep(self, step: Step, here: Here) -> Any:
        scope = self.scope(step, here)
        number, _ = self.type(scope, step["type"])
        keep = self.library.history_keep
        return keep(self.scopes[scope], number, step["count"], step["age"])

    def do_value_set(self, step: Step, here: Here) -> Any:
        scope = self.scope(step, here)
        number, name = self.value(scope, step["type"])
        data = {"Count": step["word"].rjust(8).encode(), "Label": step["word"].encode()}.get(
            name, bytes([step["word"] == "1"])
        )
        data = b"\xff" if step["word"] == "bad" and name != "" else data
        arguments = (self.library.value_set, self.scopes[scope], number, data)
        return [self.call(step, *arguments) for _ in range(1 + step["twice"])]

    def do_value_get(self, step: Step, here: Here) -> Any:
        scope = self.scope(step, here)
        number, _ = self.value(scope, step["type"])
        status, retained = self.library.value_get(self.scopes[scope], number)
        if status:
            return status
        self.retained.append(retained)
        return status, self.facts(self.library.retained_event(retained)[1])

    def value(self, scope: int, which: int) -> tuple[int, str]:
        """Number and name of a type of values; behind them one of another role."""
        known = self.types[self.context_of[scope]]
        values = [each for each in known if each[1] in VALUE_NAMES]
        return (values + known[:1])[which % (len(values) + 1)] if known else (UNKNOWN_TYPE, "")

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
        is_lost = self.ends != here.ends or not event.flags & d.EVENT_TRACKED
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
        answer = contract_of(known[event.type])[1] if event.type in known else None
        return answer if answer in known.values() else ""

    def do_on_settled(self, step: Step, here: Here) -> Any:
        if here.event is None:
            return "nothing"
        label = f"settled {step['id']}"
        fn, hook = self.told(label, step["calls"]), self.hook(label, step["hook"])
        return self.library.on_settled(here.event, fn, hook)

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
            self.below.setdefault(scope, []).append(len(self.scopes))
            self.add_scope(added, self.context_of[scope], arguments[1])
            self.add_shown(arguments[1])
        return status

    def do_server_add(self, step: Step, here: Here) -> Any:
        scope, label = self.scope(step, here), f"server {step['id']}"
        becomes = step.get("becomes", False)
        rows = [
            (
                self.type(scope, which, True)[1] if becomes else CATALOGUE[which][0],
                self.callback(f"{label}, row {index}", calls),
                (index in step.get("own", ()))
                | dict(step.get("effects", ())).get(index, 0)
                | (0 if step.get("alone") or not is_asked(which) else d.HANDLER_SEVERAL),
            )
            for index, (which, calls) in enumerate(step["rows"])
        ]
        name = None if becomes else label
        arguments = [self.scopes[scope], name, rows, self.hook(label, step["hook"])]
        if "on" in step:
            how = Filter(**step["on"])
            how.scheduler = self.scheduler(scope, how.scheduler)
            arguments.append(how)
        elif "show" in step:
            arguments.append(None)
        if "show" in step:
            arguments.append(self.show(f"show {step['id']}", step["show"]))
        status, server = self.library.server_add(*arguments)
        if status == 0 and not becomes:
            self.add_scope(server, self.context_of[scope], label)
            self.add_shown(label)
        return status

    def do_with_scope(self, step: Step, here: Here) -> Any:
        """A call that takes nothing but a context."""
        return getattr(self.library, step["kind"])(self.scopes[self.scope(step, here)])

    def do_factory_add(self, step: Step, here: Here) -> Any:
        scope, label = self.scope(step, here), f"factory {step['id']}"
        contract = d.PAYLOAD_TEXT | step["layer"]
        make = self.making(label, step["makes"], self.context_of[scope])
        arguments = (self.scopes[scope], step["name"], contract, make)
        return self.library.factory_add(*arguments, self.hook(label, step["hook"]))

    def do_instance_open(self, step: Step, here: Here) -> Any:
        scope, done = self.scope(step, here), None
        if step["calls"] is not None:
            done = self.callback(f"opened {step['id']}", step["calls"])
        data = b"\xff" if step["data"] == "bad" else b"%d" % step["id"]
        status, pending = self.library.instance_open(self.scopes[scope], step["name"], data, done)
        if status == 0:
            self.pending.append(pending)
        return status

    def do_scope_find(self, step: Step, here: Here) -> Any:
        """By a number of the same context: those of others may name anything there."""
        scope = self.scope(step, here)
        index = self.one_of(range(len(self.numbers)), step["which"], here)
        if self.context_of[index] != self.context_of[scope]:
            return "of another context"
        status, found = self.library.scope_find(self.scopes[scope], self.numbers[index])
        return status, self.scopes.index(found) if found else None

    def do_scope_end(self, step: Step, here: Here) -> Any:
        """Ends a scope, perhaps after a last word, which in a callback comes after the end."""
        said = None
        if step.get("says"):
            said = self.do_send({**step, "kind": "send", "type": step["id"], "data": "good"}, here)
        self.ends += 1
        ended = self.do_with_scope(step, here)
        return ended if said is None else (said, ended)

    do_flush = do_wait = do_stats = do_close = do_with_scope
    do_now = do_next_timeout = do_with_scope

    def do_readable(self, step: Step, here: Here) -> Any:
        """In a callback the descriptor may be readable or not."""
        return "nothing" if here.inside else self.do_with_scope(step, here)

    def do_drain(self, step: Step, here: Here) -> Any:
        return self.library.drain(self.scopes[self.scope(step, here)], step["limit"])

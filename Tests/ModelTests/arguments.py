# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The arguments of each kind of step, by chance: a part of the author (script.py)."""

from __future__ import annotations

from features import SHOW_WEIGHTS
from reference.contract import layer_bit
from reference.declarations import d
from reference.shrink import Step

DEPTH = 4


class Arguments:
    """What an author writes behind the kind of a step."""

    def send_arguments(self) -> Step:
        return {"scope": self.scope(), "type": self.type(), "data": self.data()}

    post_arguments = post_from_interrupt_arguments = send_arguments

    def send_many_arguments(self) -> Step:
        rows = [[self.type(), self.data()] for _ in range(self.random.randint(0, 5))]
        return {"scope": self.scope(), "rows": rows}

    def request_arguments(self, depth: int) -> Step:
        calls = None if self.random.random() < 0.2 else self.calls(depth)[:1]
        asks = self.pick({True: 9, False: 1})
        step = {**self.send_arguments(), "calls": calls, "asks": asks}
        if "services" in self.features and self.services.random() < 0.6:
            step["scope"] = self.services.choice([0, 1, 2, 3, 4, 5, 6, 7, "last", "last"])
            step["type"], step["asks"] = self.services.randint(0, 3), True
        if "asked" in self.features and self.random.random() < 0.7:
            step["how"] = self.how(depth)
            if "scheduler" in step["how"]:
                step["calls"] = step["calls"] or []  # the log says when it ran
        if "group" in self.features and self.sharing.random() < 0.7:
            self.share(step)
        return step

    def share(self, step: Step) -> None:
        """Asks for one of few payloads, mostly of one type, so that others ask for it too."""
        step["asks"], step["share"] = True, self.sharing.choice([1, 1, 1, 2])
        step["type"] = self.sharing.choice([0, 0, 0, step["type"]])
        step.setdefault("how", {})["share"] = True

    def how(self, depth: int) -> Step:
        how: Step = {"hook": self.hook(depth)}
        if self.random.random() < 0.5:
            how["progress"] = self.calls(depth)
        if self.is_virtual and self.random.random() < 0.5:
            how["timeout_ms"] = self.random.randint(1, 9)
        if "schedulers" in self.features and self.random.random() < 0.5:
            how["scheduler"] = self.scheduler()
        return how

    def scheduler(self) -> int:
        """The host's, or one of the serial ones."""
        return self.pick({1: 5, 2: 3, 3: 2, 4: 1})

    def scheduler_add_arguments(self) -> Step:
        return {"scope": self.pick({0: 8, 1: 2})}

    def observe_arguments(self, depth: int) -> Step:
        step = {
            "scope": self.scope(),
            "filter": self.filter(),
            "calls": self.calls(depth),
            "hook": self.hook(depth),
        }
        self.told(depth, step["calls"])
        if "schedulers" in self.features and self.random.random() < 0.6:
            self.put_on_scheduler(step)
        if self.features & {"origins", "bindings"} and self.later.random() < 0.6:
            if "bindings" in self.features and self.later.random() < 0.3:
                flags = step["filter"].get("flags", 0)
                step["filter"]["flags"] = flags | d.OBSERVE_WRITTEN
            step["filter"]["of"] = self.later.choice(["own", "last", 0, 1, 2, 3, 4, 5])
        if "reactors" in self.features and self.reactors.random() < 0.5:
            self.observe_through_a_reactor(step)
        if "lists" in self.features and self.listed.random() < 0.6:
            self.observe_a_list(step)
        if "children" in self.features:
            self.observe_children(step)
        return step

    def put_on_scheduler(self, step: Step) -> None:
        choose, what = self.random, step["filter"]
        what["scheduler"] = self.scheduler()
        policies = {
            d.QUEUE_REJECT: 4,
            d.QUEUE_BLOCK: 2 * self.blocks,
            d.QUEUE_DROP_OLDEST: 4,
            d.QUEUE_DROP_NEWEST: 3,
            d.QUEUE_LATEST: 2,
        }
        what["policy"] = self.pick(policies)
        if choose.random() < 0.8:
            what["limit_events"] = choose.randint(1, 4)
        if choose.random() < 0.2:
            what["limit_bytes"] = choose.randint(1, 12)
        if "mailboxes" in self.features and choose.random() < 0.5:
            step["mailbox"], what["scheduler"] = True, d.SCHEDULER_HOST
            if choose.random() < 0.5:
                what["limit_bytes"] = choose.randint(3, 30)  # how much fits is only known then
            what["flags"] = what.get("flags", 0) & ~d.OBSERVE_CONFIRM
        elif "demand" in self.features and choose.random() < 0.5:
            what["flags"] = what.get("flags", 0) | d.OBSERVE_ON_DEMAND

    def subscription_demand_arguments(self) -> Step:
        return {"which": self.one("demand"), "count": self.pick({1: 5, 2: 3, 3: 1, 9: 1, 0: 0.3})}

    def subscription_stats_arguments(self) -> Step:
        return {"which": self.some()}

    def mailbox_take_arguments(self) -> Step:
        return {
            "which": self.one("mailbox"),
            "size": self.pick({0: 1, 64: 1, 80: 5, 150: 3, 4096: 2}),
        }

    def history_keep_arguments(self) -> Step:
        age = self.pick({0: 5, self.random.randint(1, 9): 4}) if self.is_virtual else 0
        count = self.pick({0: 1, 1: 2, 2: 2, 3: 2, 5: 1})
        return {"scope": self.scope(), "type": self.type(), "count": count, "age": age}

    def value_set_arguments(self) -> Step:
        """Few values, so that the same comes again; mostly of few scopes."""
        word = self.last.choices(["1", "2", "3", "bad"], [20, 10, 2, 1])[0]
        scope = self.last.choice([0, 0, 0, 1, "last", "own", "own", self.scope()])
        which = self.last.choices([0, 1, 2], [8, 2, 1])[0]
        return {"scope": scope, "type": which, "word": word, "twice": self.last.random() < 0.3}

    def value_get_arguments(self) -> Step:
        return {"scope": self.scope(), "type": self.random.randint(0, 3)}

    def respond_progress_arguments(self) -> Step:
        to = self.pick({"current": 5, "last": 3, self.random.randint(0, 5): 3})
        return {"to": to, "type": self.pick({"notice": 8, self.type(): 2}), "data": self.data()}

    def send_after_arguments(self) -> Step:
        ms = self.pick({0: 3, 1: 2, 2: 2, self.random.randint(3, 12): 3, -1: 0.2})
        if not self.is_virtual and ms > 0:
            ms = 1_000_000_000  # a timer of the real clock that no script lives to see
        return {**self.send_arguments(), "ms": ms}

    def send_every_arguments(self) -> Step:
        return {**self.send_arguments(), "ms": self.pick({1: 2, 2: 2, 3: 2, 5: 2, -1: 0.2})}

    def timer_cancel_arguments(self) -> Step:
        return {"which": self.pick({"last": 4, self.random.randint(0, 5): 3})}

    def advance_arguments(self) -> Step:
        return {"scope": self.scope(), "ms": self.pick({0: 1, 1: 3, 2: 3, 5: 2, 12: 1, -1: 0.2})}

    def filter(self) -> Step:
        choose, what = self.random, {}
        kind = self.pick({"any": 6, "one": 8, "several": 2, "failure": 1, "unknown": 0.2})
        if kind == "one":
            what["types"] = [self.type()]
        elif kind == "several":
            what["types"] = [self.type() for _ in range(choose.randint(1, 4))]
        elif kind != "any":
            what["types"] = [kind]
        if choose.random() < 0.1:
            what["role"] = choose.choice([d.ROLE_REQUEST, d.ROLE_RESPONSE, d.ROLE_NOTICE])
        if choose.random() < 0.1:
            layers = [layer_bit(0), layer_bit(d.LAYER_MODEL), layer_bit(d.LAYER_VIEW)]
            what["layers"] = choose.choice(layers) | choose.choice(layers)
        if choose.random() < 0.2:
            what["count"] = choose.randint(1, 3)
        if choose.random() < 0.15:
            flags = {d.OBSERVE_FAILED: 4, d.OBSERVE_SUCCEEDED: 4, d.OBSERVE_CONFIRM: 4}
            what["flags"] = self.pick({**flags, d.OBSERVE_FAILED | d.OBSERVE_SUCCEEDED: 0.3})
        return what

    def server_add_arguments(self, depth: int) -> Step:
        types = {0: 7, 3: 3, 6: 3, 7: 1, 2: 1, 9: 1}
        if "servers" in self.features:
            types = {0: 9, 3: 1}
        rows = [
            [self.pick(types), self.handler(depth)] for _ in range(self.pick({1: 4, 2: 2, 3: 1}))
        ]
        step = {"scope": self.scope(), "rows": rows, "hook": self.hook(depth)}
        if self.alone.random() < 0.08:
            step["alone"] = True
        if "effects" in self.features:
            self.declare(step, depth)
        if "served" in self.features and self.later.random() < 0.6:
            step["on"] = self.place_of_handlers()
        if "shows" in self.features and self.later.random() < 0.8:
            step["show"] = self.shows()
            if self.later.random() < 0.95:
                step.pop("on", None)
        if "origins" in self.features:
            step["own"] = [index for index in range(len(rows)) if self.later.random() < 0.6]
        return step

    def shows(self) -> list[Step]:
        """What a show function does at its first, second … call, and the status that it gives."""
        return [self.shown() for _ in range(self.later.randint(0, 6))]

    def shown(self) -> Step:
        codes = {0: 40, d.APP: 2, d.APP + 1: 2, d.FULL: 2, d.NO_MEMORY: 1, d.STALE: 1, d.INVALID: 1}
        code = self.later.choices(list(codes), list(codes.values()))[0]
        kinds = self.later.choices(list(SHOW_WEIGHTS), list(SHOW_WEIGHTS.values()), k=3)
        steps = [self.show_step(kind) for kind in kinds[: self.later.choice([0, 1, 1, 2, 3])]]
        return {"steps": steps, "code": code}

    def show_step(self, kind: str) -> Step:
        if kind == "send" and "values" in self.features and self.last.random() < 0.5:
            kind = "value_set"
        if kind == "send" and "lists" in self.features and self.listed.random() < 0.6:
            kind = "list_set"
        if kind == "list_set" and "children" in self.features:
            kind = self.children.choice(["list_set", "children_set", "children_set"])
        # What it makes does nothing: most of it is refused.
        step = self.new(kind, **self.arguments(kind, DEPTH))
        if kind == "children_set":
            step["scope"] = self.children.choice([0, 0, 0, 1, "own", "own"])
        if kind == "send":
            step["scope"] = self.later.choice(["own", "own", "own", step["scope"]])
            step["type"] = self.later.choice(["notice", "notice", 2, step["type"]])
        return step

    def place_of_handlers(self) -> Step:
        """A scheduler, and how much waits there."""
        policies = [d.QUEUE_REJECT, d.QUEUE_BLOCK] if self.blocks else [d.QUEUE_REJECT]
        place: Step = {"scheduler": self.later.choice([1, 1, 2, 3])}
        place["policy"] = self.later.choice(
            [*policies, d.QUEUE_DROP_OLDEST] if self.later.random() < 0.1 else policies
        )
        if self.is_narrow:
            place["limit_events"] = self.later.choice([0, 1, 2])
        return place

    def handler(self, depth: int) -> list[list[Step]]:
        """A handler mostly answers at once, sometimes keeps the request, sometimes neither."""
        calls = self.calls(depth) + [[] for _ in range(self.random.randint(0, 3))]
        for steps in calls:
            first = self.pick({"respond": 4, "retain": 3, None: 12 if self.is_slow else 3})
            if "progress" in self.features and self.random.random() < 0.4:
                step = self.new("respond_progress", **self.respond_progress_arguments())
                step["to"], step["data"] = "current", "good"
                is_narrow = self.blocks or self.is_narrow
                if not is_narrow and not self.features & {"host", "rights"}:
                    step["foreign"] = self.random.random() < 0.5
                steps.insert(0, step)
            if first:
                arguments = {**self.respond_arguments(), "to": "current"}
                steps.insert(0, self.new(first, **(arguments if first == "respond" else {})))
        self.told(depth, calls)
        return calls

    def on_settled_arguments(self, depth: int) -> Step:
        return {"calls": self.calls(depth)[:1], "hook": self.hook(depth) or []}

    def respond_arguments(self) -> Step:
        to = self.pick({"current": 5, "last": 3, self.random.randint(0, 5): 3})
        code = self.pick({0: 6, d.APP + self.random.randint(0, 4): 3})
        return {"to": to, "code": code, "data": self.data()}

    def type_add_arguments(self) -> Step:
        return {"scope": self.scope(), "name": self.type(), "other": self.random.random() < 0.1}

    def scope_add_arguments(self) -> Step:
        step: Step = {"scope": self.scope()}
        if "rights" in self.features and self.random.random() < 0.8:
            step["how"] = self.rights()
        return step

    def rights(self) -> Step:
        choose, layers = (
            self.random,
            [layer_bit(0), layer_bit(d.LAYER_MODEL), layer_bit(d.LAYER_VIEW)],
        )
        how: Step = {}
        for right in ("send_layers", "observe_layers"):
            if choose.random() < 0.6:
                how[right] = choose.choice(layers) | choose.choice(layers)
        if choose.random() < 0.15:
            how["flags"] = choose.choice([d.SCOPE_SENDS_NOTHING, d.SCOPE_OBSERVES_NOTHING])
        if choose.random() < 0.6:
            how["limit_observers"] = choose.randint(1, 3)
        return how

    def scope_find_arguments(self) -> Step:
        which = self.pick({"last": 2, self.random.randint(0, 7): 6})
        return {"scope": self.scope(), "which": which}

    def factory_add_arguments(self, depth: int) -> Step:
        makes = [
            {"calls": calls, "status": self.later.choice([0, 0, 0, d.APP])}
            for calls in [*self.calls(depth), [], []]
        ]
        layer = self.later.choice([0, 0, d.LAYER_VIEW, d.ROLE_NOTICE])
        name = self.later.choice("AAB")
        where = {"scope": self.scope(), "name": name, "layer": layer}
        return {**where, "makes": makes, "hook": self.hook(depth)}

    def service_add_arguments(self, depth: int) -> Step:
        """Its function first makes the scope a server, mostly of the types that it serves."""
        types = [self.services.randint(0, 3) for _ in range(self.services.randint(1, 3))]
        makes = []
        for calls in [*self.calls(depth), [], [], []]:
            rows = [
                [self.services.choice([*types, *types, 1]), self.calls(depth + 1)] for _ in types
            ]
            step = self.new("server_add", scope="own", rows=rows, hook=[], becomes=True)
            if "effects" in self.features:
                self.declare(step, depth)
            if self.services.random() < 0.5:
                step["show"] = self.shows() if "shows" in self.features else []
            first = [step] if self.services.random() < 0.9 else []
            status = self.services.choice([0, 0, 0, 0, 0, d.APP, d.BUSY])
            makes.append({"calls": [*first, *calls], "status": status})
        name, layer = self.services.choice("MMN"), self.services.choice([0, 0, d.LAYER_VIEW])
        where = {"scope": self.scope(), "name": name, "types": types, "layer": layer}
        return {**where, "makes": makes, "hook": self.hook(depth)}

    def service_find_arguments(self) -> Step:
        scope = self.services.choice([0, 1, 1, 2, 3, "last", "own"])
        return {"scope": scope, "name": self.services.choice("MMMMNO")}

    def instance_open_arguments(self, depth: int) -> Step:
        calls = None if self.later.random() < 0.3 else self.calls(depth)[:1]
        name = self.later.choice("AAAAAABBC")
        if "services" in self.features and self.services.random() < 0.6:
            name = self.services.choice("MMN")
        scope = self.later.choice([0, 1, 1, 2, 3, "last", "own"])
        return {"scope": scope, "name": name, "data": self.data(), "calls": calls}

    def scope_end_arguments(self) -> Step:
        step = {"scope": self.pick({"own": 4, self.random.randint(1, 7): 4, "last": 3, 0: 0.3})}
        if "origins" in self.features and self.later.random() < 0.5:
            step["says"] = True
        if "opens" in self.features and self.later.random() < 0.4:
            step["scope"] = self.later.choice([1, 1, 2, 3])
        return step

    def cancel_arguments(self) -> Step:
        return {"which": self.some()}

    cancel_wait_arguments = subscription_from_arguments = cancel_arguments

    def pending_cancel_arguments(self) -> Step:
        return {"which": self.pick({"last": 3, self.random.randint(0, 5): 3})}

    pending_position_arguments = retained_release_arguments = pending_cancel_arguments

    def drain_arguments(self) -> Step:
        limits = {0: 1, 1: 8} if "ended" in self.features else {0: 3, 1: 2, 2: 1}
        return {"scope": self.scope(), "limit": self.pick(limits)}

    def flush_arguments(self) -> Step:
        return {"scope": self.scope()}

    wait_arguments = stats_arguments = flush_arguments
    now_arguments = next_timeout_arguments = readable_arguments = flush_arguments

    def close_arguments(self) -> Step:
        return {"scope": self.pick({0: 3, "own": 1})}

    def fail_arguments(self) -> Step:
        return {"code": self.pick({d.APP: 4, d.APP + 1: 4, 0: 0.3})}

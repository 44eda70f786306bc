# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Plays a random program (random_plan.py): models in the table form, their owners and children."""

from __future__ import annotations

import collections
from typing import Any, Callable, Counter, List, Optional

from mainstem import LATER, Context, Failure, MainstemError, Status, on_host, two_way
from random_plan import COMMANDS, KINDS, NOTICES, REQUESTS, Plan, Show, Step
from sessions import add_requests
from table_model import BOOL, COMMAND, INTEGER, PULSES, SHOWS, TEXT, WRITABLE, Row, TableModel

#: What a call may be refused with, and then the program goes on.
REFUSED = (
    Status.FULL,
    Status.LIMIT,
    Status.STALE,
    Status.BUSY,
    Status.CANCELLED,
    Status.DISABLED,
    Status.EXECUTING,
    Status.INCOMPLETE,
)
MOST_MODELS = 24
#: After so many, events bring no others: what answers what may be a long story.
MOST_CALLS = 300


def fuel_of(event: Any) -> int:
    """How many generations an event may have."""
    first = "" if event is None or event.failed else event.data.split(b" ")[0].decode("latin-1")
    return int(first) if first.isdigit() and len(first) == 1 else 0


class Owner:
    """A model and its state."""

    def __init__(self, program: "Program", kind: str, parent: Any, is_scope: bool) -> None:
        self.program, self.kind = program, kind
        self.sum, self.text, self.name, self.on = 0, "", "", True
        self.hints: List[str] = []
        self.kept: List[Any] = []
        self.below: List[Any] = []
        self.watched = 0
        self.is_shown = is_scope
        program.models.append(self)
        rows = [
            Row("sum", SHOWS, INTEGER),
            Row("text", SHOWS, TEXT),
            Row("name", WRITABLE, TEXT, self._written),
            Row("on", WRITABLE, BOOL, self._written),
            Row("hint", PULSES, TEXT),
        ]
        rows += [self._command(name, answers) for name, answers in COMMANDS.items()]
        self.model = TableModel(parent, None if is_scope else kind, rows, self._show)
        self.scope = self.model.scope
        self.number = self.scope.number
        self.scope.observe("A", lambda event: self.do("A", event))

    def _command(self, name: str, answers: bool) -> Row:
        plan = self.program.plan
        enabled = "on" if plan.enabled[self.kind, name] else None
        policy = plan.policies[self.kind, name]
        answer = TEXT if answers else 0

        def carry_out(event: Any) -> None:
            self.program.count(f"policy {policy}")
            self.do(name, event)

        return Row(name, COMMAND, TEXT, carry_out, enabled, policy, answer)

    def _written(self, event: Any) -> None:
        name = event.name.rpartition(".")[2]
        setattr(self, name, event.value if name == "on" else event.text)
        self.do(name, event)

    def _show(self, _: TableModel) -> None:
        show = self.program.plan.shows[self.kind] if self.is_shown else Show(0, "")
        # What the models of the beginning show first is an input: the same, whatever the plan is.
        self.is_shown = True
        values = {
            "sum": self.sum + show.offset,
            "text": show.prefix + self.text,
            "name": self.name,
            "on": self.on,
        }
        for name, value in list(values.items())[: 3 if show.is_short else 4]:
            self.scope.set(f"{self.kind}.{name}", value)
        while self.hints:
            self.scope.send(f"{self.kind}.hint", self.hints.pop(0))

    # Steps

    def do(self, place: str, event: Any) -> None:
        """What its program says about a place."""
        fuel = 2 if place in ("name", "on") else fuel_of(event)
        self.program.calls += 1
        if self.program.calls > MOST_CALLS:
            fuel = 0
        for index, step in enumerate(self.program.plan.steps[self.kind, place]):
            self.program.reached.add((self.kind, place, index))
            self.program.count(step.verb)
            verb: Callable[..., Any] = getattr(self, f"do_{step.verb.replace(' ', '_')}")
            try:
                verb(step, event, fuel)
            except MainstemError as error:
                assert error.status in REFUSED, error
                self.text = f"{error.status.name}"

    def do_add(self, step: Step, _event: Any, _fuel: int) -> None:
        self.sum += step.number

    def do_text(self, step: Step, _event: Any, _fuel: int) -> None:
        self.text = step.word

    def do_draw(self, _step: Step, _event: Any, _fuel: int) -> None:
        self.text = f"{self.program.draw(100)}"

    def do_switch(self, _step: Step, _event: Any, _fuel: int) -> None:
        self.on = not self.on

    def do_hint(self, step: Step, _event: Any, _fuel: int) -> None:
        self.hints.append(step.word)

    def do_watch(self, _step: Step, _event: Any, _fuel: int) -> None:
        if self.below and self.watched < 3:
            self.watched += 1
            self.scope.observe("Leaf.sum", "Part.sum", self._raised, of=self.below[-1])

    def _raised(self, _event: Any) -> None:
        self.sum += 1

    def do_point(self, _step: Step, _event: Any, _fuel: int) -> None:
        self.program.view.retarget(self.below[-1] if self.below else self.scope)

    def do_send(self, step: Step, _event: Any, fuel: int) -> None:
        place = (self.scope, self.program.context)[step.number % 2]
        if fuel > 0:
            place.send(NOTICES[step.number % 3], f"{fuel - 1} {step.word}")

    def do_send_many(self, step: Step, _event: Any, fuel: int) -> None:
        if fuel > 0:
            text = f"{fuel - 1} {step.word}"
            self.scope.send_many([("A", text), ("B", text)])

    def do_open(self, step: Step, _event: Any, fuel: int) -> None:
        if fuel > 0 and len(self.program.models) < MOST_MODELS:
            text = f"{fuel - 1} {step.word}"
            self.scope.open_instance(
                KINDS[step.number % 2], text, then=self._opened, failed=self._lost
            )

    def _opened(self, number: int) -> None:
        child = self.program.context.find_scope(number)
        if child is not None:
            self.below.append(child)
            self.do("then", None)

    def _lost(self, failure: Failure) -> None:
        self.text = f"lost {failure.status}"

    def do_ask(self, step: Step, _event: Any, fuel: int, share: bool = False) -> None:
        if fuel > 0:
            self.scope.request(
                REQUESTS[step.number % 3],
                f"{fuel - 1} {step.word}",
                then=self._answered,
                failed=self._lost,
                timeout=(None, 0.003)[step.number % 2],
                share=share,
            )

    def _answered(self, event: Any) -> None:
        self.text = event.text
        self.do("then", event)

    def do_share(self, step: Step, event: Any, fuel: int) -> None:
        self.do_ask(step._replace(word="shared"), event, fuel, share=True)

    def do_end(self, step: Step, _event: Any, _fuel: int) -> None:
        if self.below:
            self.below.pop(step.number % len(self.below)).end()

    def do_leave(self, _step: Step, _event: Any, _fuel: int) -> None:
        if self is not self.program.models[0]:
            self.scope.end()

    def do_set_below(self, step: Step, _event: Any, _fuel: int) -> None:
        if self.below:
            self.below[-1].set(f"{self.below[-1].name}.text", step.word)

    def do_give(self, step: Step, _event: Any, _fuel: int) -> None:
        if self.kept:
            answer(self.kept.pop(0), step.word)

    def do_fail(self, step: Step, _event: Any, _fuel: int) -> None:
        raise ValueError(step.word)

    def do_timer(self, step: Step, _event: Any, fuel: int) -> None:
        if fuel > 0:
            self.scope.send_after(step.number / 1000, "A", f"{fuel - 1} {step.word}")

    def do_post(self, step: Step, _event: Any, fuel: int) -> None:
        if fuel > 0:
            self.scope.post("C", f"{fuel - 1} {step.word}")

    def do_answer(self, step: Step, event: Any, _fuel: int) -> None:
        event.respond(step.word if COMMANDS[event.name.rpartition(".")[2]] else b"")

    def do_refuse(self, step: Step, event: Any, _fuel: int) -> None:
        event.respond(Failure(step.word, user_message=step.word))

    def do_keep(self, _step: Step, event: Any, _fuel: int) -> None:
        self.kept.append(self.program.keeps(event))
        if self.program.plan.strict:
            # Who keeps it does not show, so the outside may answer all.
            self.program.outside.append(self.kept[-1])

    def do_late(self, _step: Step, event: Any, _fuel: int) -> None:
        self.program.outside.append(self.program.keeps(event))

    def do_progress(self, step: Step, event: Any, _fuel: int) -> None:
        event.progress("Step", step.word)

    def do_settled(self, _step: Step, event: Any, _fuel: int) -> None:
        event.on_settled(self._settled)

    def _settled(self) -> None:
        self.text = "settled"


class Program:
    """The same program when it is recorded and when it is verified."""

    def __init__(self, context: Context, plan: Plan) -> None:
        self.context, self.plan = context, plan
        self.lines: List[str] = []
        #: The models that were made, ended or not.
        self.models: List[Owner] = []
        #: What the outside answers.
        self.outside: List[Any] = []
        self._retained: List[Any] = []
        self._writes = self.calls = 0
        #: Which steps were done, and how often each verb.
        self.reached: set = set()
        self.counts: Counter[str] = collections.Counter()
        self._made = collections.Counter()
        for name in (*NOTICES, "Step"):
            context.add_type(name, str)
        add_requests(context, REQUESTS)
        context.observe(lambda event: self.lines.append(str(event)))
        for kind in KINDS:
            context.factory(kind, self._make, str)
        context.serve("RequestNow", lambda event: f"now {self.draw(100)}", name="Now")
        context.serve("RequestLater", self._leave, name="Later")
        Owner(self, "Part", context, False)
        Owner(self, "Leaf", context, False)
        self.screen = context.scope("Screen")
        self.view = self._bind()
        self.view.retarget(self.models[0].scope)

    def _make(self, scope: Any, request: Any) -> None:
        kind = scope.name
        self._made[kind] += 1
        if self._made[kind] == self.plan.refuses[kind]:
            self.count("factory refuses")
            raise Failure("NO_MORE")
        Owner(self, kind, scope, True).do("made", request)

    def _leave(self, event: Any) -> Any:
        self.outside.append(self.keeps(event))
        return LATER

    def _bind(self) -> Any:
        """A view that is part of the program: what it writes is in the journal."""
        rows = {"sum": self._row_sum, "text": on_host(self._row_text), "name": two_way(self._type)}
        view = self.screen.bind(None, rows)
        view.on_changes(lambda names: self.count("change set"))
        view.on_ended(lambda: self.count("owner ended"))
        return view

    def _row_sum(self, number: int) -> None:
        self.count("row")
        if number % 3 == 0 and not self.plan.strict:
            self._write("name", f"{number}")

    def _row_text(self, text: str) -> None:
        self.count("row on the host")
        if len(text) % 2:
            self._write("on", len(text) % 3 > 0)

    def _type(self, text: str) -> None:
        self.count("two-way row")
        self._write("name", f"echo {text}")
        self._write("on", True)

    def _write(self, name: str, value: Any) -> None:
        # Not for ever: what is written may change what is shown.
        self._writes += 1
        try:
            if self._writes < 40:
                self.view.set(name, value)
        except MainstemError as error:
            assert error.status in REFUSED, error

    def keeps(self, event: Any) -> Any:
        """Retains a request."""
        kept = event.retain()
        self._retained.append(kept)
        return kept

    def count(self, what: str) -> None:
        """Notes for the census that something was reached."""
        self.counts[what] += 1

    def draw(self, below: int) -> int:
        """The next number that is the same in every run."""
        return self.context.random() % below

    def end(self) -> None:
        """Closes the context; nobody answers any more."""
        self.context.close()
        for kept in self._retained:
            kept.release()


def answer(kept: Any, word: str, failure: Optional[Failure] = None) -> None:
    """Answers a request that was kept, unless that was done meanwhile."""
    has_text = COMMANDS.get(kept.event.name.rpartition(".")[2], True)
    try:
        kept.respond(failure or (word if has_text else b""))
    except MainstemError as error:
        assert error.status in REFUSED, error

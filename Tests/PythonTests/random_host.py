# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What happens to a random program (random_table.py): users, views, other threads, time."""

from __future__ import annotations

import contextlib
from typing import Any, List

from mainstem import Failure, MainstemError, on_host, two_way
from mainstem.viewmodels._views import Run
from random_plan import COMMANDS, KINDS, NOTICES, REQUESTS, WORDS
from random_table import REFUSED, Program, answer
from sessions import on_another_thread, on_some_thread


class Host:
    """Does what its random numbers say."""

    def __init__(self, program: Program, random: Any) -> None:
        self.program, self.random = program, random
        self.context = program.context
        self.desk = self.context.scope("Desk")
        self.bindings: List[Any] = []
        self.pendings: List[Any] = []
        names = [name for name in dir(self) if name.startswith("act_")]
        if program.plan.strict:
            # Whether it is refused at once depends on what no journal shows; and of a batch, all
            # is accepted before the first is delivered.
            names = [name for name in names if name not in ("act_run", "act_send_many")]
        self.acts = [getattr(self, name) for name in names]
        with contextlib.suppress(MainstemError):
            self.act_bind()

    def act(self, count: int) -> None:
        """Does so many things."""
        for _ in range(count):
            one = self.random.choice(self.acts)
            self.program.count(one.__name__)
            try:
                one()
            except MainstemError as error:
                assert error.status in REFUSED, error
                self.program.count(f"refused {error.status.name}")
            if self.program.plan.strict:
                self.context.drain()
        if self.random.randrange(2):
            self.context.flush()
            self.context.drain()

    def text(self) -> str:
        return f"{self.random.randrange(1, 4)} {self.random.choice(WORDS)}"

    def scope(self) -> Any:
        """Of a model, mostly of one that lives."""
        models = self.program.models
        if self.random.randrange(8):
            models = [one for one in models if self.context.find_scope(one.number)] or models
        return self.random.choice(models).scope

    def act_send(self) -> None:
        self.random.choice((self.context, self.scope())).send(
            self.random.choice(NOTICES), self.text()
        )

    def act_send_many(self) -> None:
        self.context.send_many([(self.random.choice(NOTICES), self.text())] * 2)

    def act_bind(self) -> None:
        program = self.program
        kinds = (None, program_row(program), on_host(program_row(program)))
        rows = {name: self.random.choice(kinds) for name in ("sum", "text", "hint")}
        made: List[Any] = []
        rows["name"] = two_way(self.random.choice((None, lambda text: self.type(made, text))))
        rows["on"] = two_way(None)
        binding = self.desk.bind(None, rows)
        made.append(binding)
        binding.retarget(self.random.choice((None, *[self.scope()] * 3)))
        self.bindings.append(binding)
        if self.random.randrange(2):
            binding.on_changes(lambda names: program.count("change set"))
            binding.on_ended(lambda: program.count("owner ended"))

    def type(self, made: List[Any], text: str) -> None:
        """A control that tells its view what it was told: that is no write. It changes another."""
        self.program.count("two-way row of a view")
        try:
            made[0].set("name", "echo")
            made[0].set("on", len(text) % 3 > 0)
        except MainstemError as error:
            assert error.status in REFUSED, error

    def act_point(self) -> None:
        if self.bindings:
            self.random.choice(self.bindings).retarget(
                self.random.choice((None, *[self.scope()] * 3))
            )

    def act_point_the_program(self) -> None:
        self.program.view.retarget(self.scope())

    def act_write(self) -> None:
        for binding in self.bindings:
            binding.set("name", self.random.choice(WORDS))
            if self.random.randrange(3) == 0:
                binding.set("on", self.random.random() < 0.6)

    def act_unbind(self) -> None:
        if len(self.bindings) > 2:
            self.bindings.pop(0).end()

    def act_run(self) -> None:
        for binding in self.bindings[-2:]:
            for name in self.random.choices(list(COMMANDS), k=2) * 2:
                self.run(binding, name)

    def run(self, binding: Any, name: str) -> None:
        run: Run[Any] = Run(self.desk, bytes)
        try:
            run.begin(binding.handle, name, self.text().encode())
        except MainstemError as error:
            assert error.status in REFUSED, error
            self.program.count(f"refused {error.status.name}")
        else:
            self.program.count("run")
        self.pendings.append(run)

    def act_run_by_request(self) -> None:
        scope = self.scope()
        for name in self.random.choices(list(COMMANDS), k=2):
            self.ask(scope, f"{scope.name}.{name}", self.random.choice((None, None, 0.002)))

    def act_ask(self) -> None:
        self.ask(self.context, self.random.choice(REQUESTS), self.random.choice((None, 0.002)))

    def ask(self, scope: Any, name: str, timeout: Any) -> None:
        asked = scope.request(name, self.text(), then=lambda event: None, timeout=timeout)
        self.pendings.append(asked)

    def act_give_up(self) -> None:
        if self.pendings:
            self.pendings.pop(self.random.randrange(len(self.pendings))).cancel()

    def act_answer_late(self) -> None:
        outside = self.program.outside
        if outside:
            kept = outside.pop(self.random.randrange(len(outside)))
            self.program.count("late answer")
            failure = self.random.choice((None, None, Failure("LATE")))
            on_some_thread(self.random, lambda: answer(kept, "late", failure))

    def act_open(self) -> None:
        if len(self.program.models) < 20:
            desk = self.random.choice((self.desk, self.context.scope("Guest")))
            desk.open_instance(self.random.choice(KINDS), self.text(), then=lambda number: None)
            if desk is not self.desk and self.random.randrange(2):
                desk.end()

    def act_end(self) -> None:
        # A replay hears of the end of what factories have made, and of what has shown something.
        models = self.program.models[2:]
        if self.program.models[1].scope.get("Leaf.sum") is not None:
            models = self.program.models[1:]
        if models and self.random.randrange(2):
            self.random.choice(models).scope.end()

    def act_drain(self) -> None:
        self.context.drain()

    def act_advance(self) -> None:
        try:
            self.context.advance(self.random.randrange(5) / 1000)
        except MainstemError as error:
            assert error.status.name == "INVALID", error

    def act_post(self) -> None:
        texts = [self.text() for _ in range(2)]

        def post() -> None:
            for text in texts:
                try:
                    self.context.post("A", text)
                except MainstemError as error:
                    assert error.status in REFUSED, error

        on_another_thread(post)


def program_row(program: Program) -> Any:
    """A row that is called."""
    return lambda value: program.count("row of a view")

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""1,000 random workflows, each compared with a small model of what a workflow does."""

from __future__ import annotations

import random

import mainstem
import pytest
from mainstem import SKIP, Failure, Status, Step
from sessions import seeds

NEVER = float("inf")


class Plan:
    """A random table."""

    def __init__(self, draw):
        self.steps = [
            {
                "parallel": index > 0 and draw.random() < 0.4,
                "undo": draw.random() < 0.7,
                "skips": draw.random() < 0.1,
                "timeout": draw.choice([0, draw.randint(100, 9999)]),
                "retries": draw.choice([0, 0, 1, 3]),
                "backoff": draw.choice([0, draw.randint(100, 9999)]),
            }
            for index in range(draw.randint(1, 6))
        ]

    def rows(self):
        for index, step in enumerate(self.steps):
            yield Step(
                f"RequestDo{index}",
                (lambda run: SKIP) if step["skips"] else None,
                undo=f"RequestUndo{index}" if step["undo"] else None,
                timeout=step["timeout"] / 1000 or None,
                retries=step["retries"],
                backoff=step["backoff"] / 1000 if step["retries"] else 0,
                parallel=step["parallel"],
            )


class Model:
    """What a workflow does, without a library."""

    def __init__(self, plan):
        self.steps, self.log, self.now, self.result = plan.steps, [], 0, None
        #: By step that is asked, or waits: when that ends, how often it was tried, and which it is.
        self.open = {}
        self.begun, self.done, self.error = 0, set(), None
        self.left, self.stuck = None, []
        self.advance()

    def advance(self):
        while not self.open and self.result is None:
            if self.left is None and self.error is None:
                if self.begun == len(self.steps):
                    self.result = 0
                else:
                    self.begin_group()
            elif self.left is None:
                self.left = sorted(i for i in self.done if self.steps[i]["undo"])
            elif self.left:
                self.ask(self.left.pop(), 0)
            else:
                self.result = self.error

    def begin_group(self):
        while True:
            if not self.steps[self.begun]["skips"]:
                self.ask(self.begun, 0)
            self.begun += 1
            if self.begun == len(self.steps) or not self.steps[self.begun]["parallel"]:
                return

    def ask(self, step, tries):
        self.log.append(f"{'Do' if self.left is None else 'Undo'}{step}")
        self.open[step] = (self.now + (self.steps[step]["timeout"] or NEVER), tries, "asked")

    def asked(self):
        return sorted(step for step, (_, _, state) in self.open.items() if state == "asked")

    def answer(self, step, code):
        _, tries, _ = self.open.pop(step)
        plan = self.steps[step]
        if code == 0:
            if self.left is None:
                self.done.add(step)
        elif tries < plan["retries"]:
            if plan["backoff"]:
                self.open[step] = (self.now + (plan["backoff"] << tries), tries + 1, "waits")
            else:
                self.ask(step, tries + 1)
        elif self.left is None:
            self.fail(code)
        else:
            self.stuck.append(step)
        self.advance()

    def fail(self, code):
        self.error = code
        self.open.clear()

    def cancel(self):
        if self.left is None:
            self.fail(int(Status.CANCELLED))
        self.advance()

    def pass_time(self, milliseconds):
        end = self.now + milliseconds
        while self.open:
            step = min(self.open, key=lambda step: self.open[step][0])
            due, tries, state = self.open[step]
            if due > end:
                break
            self.now = due
            if state == "asked":
                self.answer(step, int(Status.TIMEOUT))
            else:
                self.ask(step, tries)
        self.now = end


class Program:
    """The same with the library."""

    def __init__(self, plan):
        self.context = mainstem.Context(clock="virtual", raises=True)
        self.log, self.kept, self.answers = [], {}, []
        self.context.add_type("ResponseText", str)
        names = [f"Request{what}{i}" for what in ("Do", "Undo") for i in range(len(plan.steps))]
        for name in ["RequestAll", *names]:
            self.context.add_type(name, str, response="ResponseText")
        self.context.server("Site", dict.fromkeys(names, self.keep))
        self.context.workflow("All", "RequestAll", list(plan.rows()), finish=lambda run: "")
        self.pending = self.context.request("RequestAll", "x", then=self.answers.append)

    def keep(self, event):
        name = event.name[len("Request") :]
        self.log.append(name)
        self.kept[int(name[-1])] = event.retain()
        return mainstem.LATER

    def answer(self, step, code):
        self.kept[step].respond("" if code == 0 else Failure("no", code=code))
        self.context.drain()

    @property
    def result(self):
        return int(self.answers[0].status) if self.answers else None


@pytest.mark.parametrize("seed", seeds(1000))
def test_a_random_workflow_does_what_the_model_does(seed):
    draw = random.Random(seed)
    plan = Plan(draw)
    model, program = Model(plan), Program(plan)
    cancelled = False
    for _ in range(60):
        choice, asked = draw.random(), model.asked()
        if choice < 0.75 and asked:
            step, code = draw.choice(asked), draw.choice([0, 0, 0, 1001 + draw.randint(0, 9)])
            model.answer(step, code)
            program.answer(step, code)
        elif choice < 0.97:
            milliseconds = draw.randint(1, 5000)
            model.pass_time(milliseconds)
            program.context.advance(milliseconds / 1000)
        elif not cancelled and model.result is None:
            cancelled = True
            model.cancel()
            program.pending.cancel()
        assert program.log == model.log
        if not cancelled:
            assert program.result == model.result
    if not cancelled and model.result:
        (failed,) = program.answers
        names = ", ".join(f"RequestUndo{step}" for step in sorted(model.stuck))
        assert failed.error.message.endswith(f"not undone: {names}" if names else "")
        assert names or "undone" not in failed.error.message
    program.context.close()
    assert len(program.answers) == 1

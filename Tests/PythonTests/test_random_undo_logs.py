# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""1,000 random sessions with an undo log, each compared with a small model of what a log does."""

from __future__ import annotations

import json
import random
from typing import List

import mainstem
import pytest
from mainstem import SKIP, Failure, MainstemError, Notice, Status, Step
from sessions import seeds

UNSET, CANCELLED = int(Status.UNSET), int(Status.CANCELLED)


@mainstem.event
class Group(Notice):
    names: List[str]


class Model:
    """What an undo log does, without a library: a queue in the order of the requests."""

    def __init__(self, limit):
        self.limit, self.asked, self.results = limit, [], {}
        #: Each is [kind, name, cause or what is asked, state]; a command's state is None or a bool.
        self.queue, self.done, self.undone = [], [], []
        self.show()

    def ask(self, name):
        self.asked.append(name)

    def command(self, name, cause):
        self.ask(f"Do {name}")
        self.queue.append(["command", name, cause, None])

    def wish(self, kind, number):
        self.queue.append([kind, number, None, "waits"])
        self.advance()

    def answer(self, asked, code):
        for entry in self.queue:
            if entry[0] == "command" and entry[3] is None and f"Do {entry[1]}" == asked:
                entry[3] = code == 0 and "skip" not in entry[1]
                break
        else:
            (wish,) = [entry for entry in self.queue if entry[3] == "runs"]
            if code == 0 and self.move(wish[0]):
                self.begin(wish)
            else:
                self.queue.remove(wish)
                self.results[wish[1]] = code
                self.show()
        self.advance()

    def move(self, kind):
        if kind == "undo":
            self.undone.append(self.done.pop())
            return self.undone[-1][1]
        self.done.append(self.undone.pop())
        return bool(self.undone) and self.undone[-1][1]

    def begin(self, wish):
        entries = self.done if wish[0] == "undo" else self.undone
        if not entries:
            self.queue.remove(wish)
            self.results[wish[1]] = UNSET
            return
        wish[3] = "runs"
        wish[2] = f"{'Undo' if wish[0] == 'undo' else 'Do'} {entries[-1][0]}"
        self.ask(wish[2])

    def advance(self):
        while self.queue and self.queue[0][3] not in (None, "runs"):
            kind, name, cause, state = self.queue[0]
            if kind != "command":
                self.begin(self.queue[0])
                continue
            self.queue.pop(0)
            if state:
                self.keep(name, cause)

    def keep(self, name, cause):
        self.undone = []
        joined = bool(cause and self.done and self.done[-1][2] == cause)
        self.done.append((name, joined, cause))
        while self.steps() > self.limit:
            self.done.pop(0)
            while self.done and self.done[0][1]:
                self.done.pop(0)
        self.show()

    def steps(self):
        return sum(not joined for _, joined, _ in self.done)

    def cancel(self, number):
        for wish in [entry for entry in self.queue if entry[1] == number]:
            self.results[number] = CANCELLED
            self.queue.remove(wish)
            if wish[3] == "runs":
                self.show()
            self.advance()

    def show(self):
        self.state = {
            "undo": "RequestDo" if self.done else "",
            "redo": "RequestDo" if self.undone else "",
            "count": self.steps(),
        }


class Program:
    """The same with the library."""

    def __init__(self, limit):
        self.context = mainstem.Context(clock="virtual", raises=True)
        self.asked, self.kept, self.results, self.pending = [], {}, {}, {}
        self.state = {"undo": "", "redo": "", "count": 0}
        self.context.add_type("ResponseText", str)
        self.context.add_type("ResponseNone")
        for name in ("RequestDo", "RequestUndoIt"):
            self.context.add_type(name, str, response="ResponseText")
        for name in ("RequestUndo", "RequestRedo"):
            self.context.add_type(name, response="ResponseNone")
        self.context.server("Site", {"RequestDo": self.keep, "RequestUndoIt": self.keep})
        command = Step("RequestDo", undo="RequestUndoIt", make_undo=self.make)
        names = {"undo": "RequestUndo", "redo": "RequestRedo", "shown": "Undoable"}
        self.context.undo_log("Undo", [command], **names, limit=limit)
        self.context.observe("Undoable", self.show)
        self.context.observe(Group, self.group)

    def make(self, run):
        return SKIP if "skip" in run.request.text else run.request.text

    def show(self, event):
        self.state = json.loads(event.text)

    def group(self, event):
        for name in event.names:
            self.context.request("RequestDo", name, then=lambda answer: None)

    def keep(self, event):
        asked = f"{'Do' if event.name == 'RequestDo' else 'Undo'} {event.text}"
        self.asked.append(asked)
        self.kept[asked] = event.retain()
        return mainstem.LATER

    def wish(self, kind, number):
        self.pending[number] = self.context.request(
            f"Request{kind.title()}",
            then=lambda answer: self.results.setdefault(number, int(answer.status)),
        )

    def answer(self, asked, code):
        self.kept.pop(asked).respond("" if code == 0 else Failure("no", code=code))
        self.context.drain()


@pytest.mark.parametrize("seed", seeds(1000))
def test_a_random_session_does_what_the_model_does(seed):
    draw = random.Random(seed)
    limit = draw.choice([1, 2, 5, 1024])
    model, program = Model(limit), Program(limit)
    commands = wishes = groups = 0
    for _ in range(60):
        choice = draw.random()
        if choice < 0.25:
            names = []
            for _ in range(draw.choice([1, 1, 1, 2, 3])):
                commands += 1
                names.append(f"{commands}{draw.choice(['', '', '', '', ' skip'])}")
            groups += 1
            for name in names:
                model.command(name, groups)
            program.context.send(Group(names))
        elif choice < 0.5:
            wishes += 1
            kind = draw.choice(["undo", "undo", "redo"])
            model.wish(kind, wishes)
            program.wish(kind, wishes)
        elif choice < 0.95 and program.kept:
            asked, code = draw.choice(sorted(program.kept)), draw.choice([0, 0, 0, 0, 1001])
            model.answer(asked, code)
            program.answer(asked, code)
        elif choice > 0.97 and program.pending:
            number = draw.choice(sorted(program.pending))
            wish = next((entry for entry in model.queue if entry[1] == number), [None] * 4)
            running = [program.kept.pop(wish[2])] if wish[3] == "runs" else []
            model.cancel(number)
            try:
                program.pending[number].cancel()
            except MainstemError:
                assert number in model.results
            for kept in running:
                kept.release()
        assert program.asked == model.asked
        assert program.results == model.results
        assert program.state == model.state
    for kept in program.kept.values():
        kept.release()
    program.context.close()
    assert len(program.results) == wishes

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a view model costs in Python, beside traitlets, param and reactivex: shown.py JSON.

Nanoseconds of processor time for each write; medians of interleaved rounds of one process. *form*:
a view model of five values; one is written, three follow from it, one of these has an observer.
The peers do the same with observers of fields. *filter*: a keystroke in a filter over 10,000 rows
that changes nothing shown; the peers are the same search, called as a function, and with reactivex.
*reactor*: an action, its mutation, the state that changes, and one observer; the peer is a view
model's command that changes the same.
None of the peers records, or puts what happens in one order.
"""

from __future__ import annotations

import dataclasses
import json
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any, Callable, Dict, Iterator, List, Tuple

import mainstem
import param
import traitlets
from reactivex import operators
from reactivex.subject import BehaviorSubject

ROUNDS, WRITES, KEYSTROKES = 15, 1000, 10
Run = Callable[[], None]

seen: List[str] = []


class Form(mainstem.ViewModel):
    user: str = mainstem.writable("")
    count: int = mainstem.shown(0)

    @mainstem.shown
    def is_valid(self) -> bool:
        return len(self.user) > 2

    @mainstem.shown
    def title(self) -> str:
        return self.user.upper()

    @mainstem.shown
    def ratio(self) -> float:
        return 0.5 if self.user else 1.0


class TraitForm(traitlets.HasTraits):
    user = traitlets.Unicode("")
    count = traitlets.Int(0)
    is_valid = traitlets.Bool(False)
    title = traitlets.Unicode("")
    ratio = traitlets.Float(1.0)

    @traitlets.observe("user")
    def follow(self, change: Any) -> None:
        self.is_valid = len(self.user) > 2
        self.title = self.user.upper()
        self.ratio = 0.5 if self.user else 1.0


class ParamForm(param.Parameterized):
    user = param.String("")
    count = param.Integer(0)
    is_valid = param.Boolean(False)
    title = param.String("")
    ratio = param.Number(1.0)

    @param.depends("user", watch=True)
    def follow(self) -> None:
        self.is_valid = len(self.user) > 2
        self.title = self.user.upper()
        self.ratio = 0.5 if self.user else 1.0


class ReactiveForm:
    def __init__(self) -> None:
        self.written = BehaviorSubject("")
        self.is_valid = BehaviorSubject(False)
        self.title = BehaviorSubject("")
        self.ratio = BehaviorSubject(1.0)
        self.follow(lambda user: len(user) > 2, self.is_valid)
        self.follow(str.upper, self.title)
        self.follow(lambda user: 0.5 if user else 1.0, self.ratio)

    def follow(self, make: Callable[[str], Any], shown: Any) -> None:
        made = self.written.pipe(operators.map(make), operators.distinct_until_changed())
        made.subscribe(shown.on_next)

    user = property(fset=lambda self, user: self.written.on_next(user))


def writing(form: Any) -> Run:
    names = [f"name {number}" for number in range(2 * WRITES)]
    rounds = [0]

    def run() -> None:
        # Others than in the round before: each one changes what is shown.
        rounds[0] ^= 1
        for user in names[rounds[0] * WRITES :][:WRITES]:
            form.user = user
        seen.clear()

    return run


def form() -> Run:
    return writing(mainstem.Context().open(Form()).bind(title=seen.append))


def traits() -> Run:
    made = TraitForm()
    made.observe(lambda change: seen.append(change["new"]), "title")
    return writing(made)


def params() -> Run:
    made = ParamForm()
    made.param.watch(lambda change: seen.append(change.new), "title")
    return writing(made)


def reactives() -> Run:
    made = ReactiveForm()
    made.title.subscribe(seen.append)
    return writing(made)


@dataclasses.dataclass(frozen=True)
class Count:
    count: int = 0


class Reacting(mainstem.Reactor):
    state = Count()

    @mainstem.action
    def up(self) -> Iterator[int]:
        yield 1

    @staticmethod
    def reduce(state: Count, by: int) -> Count:
        return Count(state.count + by)


class Counting(mainstem.ViewModel):
    count: int = mainstem.shown(0)

    @mainstem.command
    def up(self) -> None:
        self.count += 1


def counting(model: mainstem.ViewModel) -> Run:
    counted: List[int] = []
    up = mainstem.Context().open(model).bind(count=counted.append).up

    def run() -> None:
        for _ in range(WRITES):
            up()
        assert len(counted) >= WRITES
        counted.clear()

    return run


def reactor() -> Run:
    return counting(Reacting())


def command() -> Run:
    return counting(Counting())


@dataclasses.dataclass(frozen=True)
class Row:
    id: int
    name: str


ROWS = tuple(Row(number, f"row {number}") for number in range(10_000))


def search(prefix: str) -> Tuple[Row, ...]:
    return tuple(row for row in ROWS if row.name.startswith(prefix.strip()))


class Filter(mainstem.ViewModel):
    prefix: str = mainstem.writable("")

    @mainstem.shown
    def found(self) -> Tuple[Row, ...]:
        return search(self.prefix)


def filtered() -> Run:
    context = mainstem.Context()
    view = context.open(Filter()).bind(found=None)

    def run() -> None:
        events = context.stats().events
        for number in range(KEYSTROKES):
            view.prefix = "row" + " " * (number % 2)
        assert context.stats().events == events + KEYSTROKES, "something was encoded"

    view.prefix = "row "
    return run


def searched() -> Run:
    def run() -> None:
        for number in range(KEYSTROKES):
            search("row" + " " * (number % 2))

    return run


def reactive_filter() -> Run:
    prefix = BehaviorSubject("")
    found = prefix.pipe(operators.map(search), operators.distinct_until_changed())
    found.subscribe(seen.append)

    def run() -> None:
        for number in range(KEYSTROKES):
            prefix.on_next("row" + " " * (number % 2))
        seen.clear()

    return run


#: Each figure with how often it writes, and the peers it is a ratio to.
CONTESTANTS = {
    "form": (WRITES, form, [traits, params, reactives]),
    "reactor": (WRITES, reactor, [command]),
    "filter": (KEYSTROKES, filtered, [searched, reactive_filter]),
}


def timed(run: Run, writes: int) -> float:
    began = time.process_time_ns()
    run()
    return (time.process_time_ns() - began) / writes


def main(json_path: str) -> None:
    made = {
        maker: (maker(), writes)
        for writes, ours, peers in CONTESTANTS.values()
        for maker in (ours, *peers)
    }
    samples: Dict[str, List[float]] = {maker.__name__: [] for maker in made}
    for _ in range(ROUNDS):
        for maker, (run, writes) in made.items():
            samples[maker.__name__].append(timed(run, writes))
    print(f"\nPython {sys.version.split()[0]}: view models.")
    for name, (_, maker, peers) in CONTESTANTS.items():
        ours = samples[maker.__name__]
        beside = ", ".join(
            f"{median(a / b for a, b in zip(ours, samples[peer.__name__])):.3g} x {peer.__name__}"
            for peer in peers
        )
        print(f"  {name:<10}{median(ours):>10,.0f} ns   least {min(ours):>10,.0f}   {beside}")
    Path(json_path).write_text(json.dumps({"rounds": ROUNDS, "samples": samples}, indent=2) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Programs that are changed in one place: verify names the first event that is another one.

Which one that is, is found without a replay: the changed program is recorded, too, with the same
inputs, and the two journals are compared. Where a view writes while callbacks send, or an input
comes before what an earlier one causes, a journal does not say what comes from where: the programs
and hosts here are strict, so all that an event causes comes before the next input.

python random_change.py --first 0 --count 500
"""

from __future__ import annotations

import argparse
import collections
import itertools
import random
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable, Counter, List, NamedTuple, Optional, Tuple

import mainstem
from random_plan import CARRIED, COMMANDS, KINDS, LOOSE, STEPS, WORDS, Plan, Step
from random_tables import Session, record, replay

Place = Tuple[str, str, int]
Events = List[Any]


class Found(NamedTuple):
    """A difference: where, and what."""

    position: int
    field: str


# What is changed ----------------------------------------------------------------------------------


def other_word(plan: Plan, place: Place, chance: Any) -> None:
    """A value, a payload or an answer says something else."""
    steps, index = of(plan, place)
    word = chance.choice([word for word in WORDS if word != steps[index].word])
    steps[index] = steps[index]._replace(word=word)


def other_number(plan: Plan, place: Place, chance: Any) -> None:
    """Another amount, type, origin or request."""
    steps, index = of(plan, place)
    number = (steps[index].number + chance.randrange(1, 6)) % 6
    steps[index] = steps[index]._replace(number=number)


def one_less(plan: Plan, place: Place, _chance: Any) -> None:
    """A step is left out."""
    steps, index = of(plan, place)
    del steps[index]


def one_more(plan: Plan, place: Place, chance: Any) -> None:
    """A step is done twice, or another one besides."""
    steps, index = of(plan, place)
    verbs = ("send", "hint", "open", "end", "text", "ask", "set below", "fail", "leave")
    more = Step(chance.choice(verbs), chance.choice(WORDS), chance.randrange(6))
    steps.insert(index, chance.choice((steps[index], more)))


def other_order(plan: Plan, place: Place, _chance: Any) -> None:
    """Two steps change places."""
    steps, index = of(plan, place)
    other = (index + 1) % len(steps)
    steps[index], steps[other] = steps[other], steps[index]


def other_verb(plan: Plan, place: Place, chance: Any) -> None:
    """Something else is done."""
    steps, index = of(plan, place)
    verb = chance.choice([verb for verb in STEPS if verb not in LOOSE])
    steps[index] = steps[index]._replace(verb=verb)


def other_answer(plan: Plan, place: Place, chance: Any) -> None:
    """An answer comes late, or not, or is an error."""
    steps, index = of(plan, place)
    if place[1] in COMMANDS:
        verb = chance.choice([verb for verb in CARRIED if verb != steps[index].verb])
        steps[index] = steps[index]._replace(verb=verb)


def other_show(plan: Plan, place: Place, chance: Any) -> None:
    """A show function says something else, or less."""
    show = plan.shows[place[0]]
    others = (show._replace(offset=show.offset + 1), show._replace(prefix="was "))
    plan.shows[place[0]] = chance.choice((*others, show._replace(is_short=not show.is_short)))


def other_policy(plan: Plan, place: Place, chance: Any) -> None:
    """A command has another policy, or is enabled by something."""
    kind, command = place[0], chance.choice(("go", "add", "late", "both"))
    if chance.randrange(2):
        plan.policies[kind, command] = (plan.policies[kind, command] + 1 + chance.randrange(3)) % 4
    else:
        plan.enabled[kind, command] = not plan.enabled[kind, command]


def not_opened(plan: Plan, _place: Place, chance: Any) -> None:
    """A factory refuses an owner that it made, or makes one that it refused."""
    kind = chance.choice(KINDS)
    plan.refuses[kind] = chance.choice([which for which in range(4) if which != plan.refuses[kind]])


CHANGES: Tuple[Callable[[Plan, Place, Any], None], ...] = (
    other_word,
    other_number,
    one_less,
    one_more,
    other_order,
    other_verb,
    other_answer,
    other_show,
    other_policy,
    not_opened,
)


def of(plan: Plan, place: Place) -> Tuple[List[Step], int]:
    """The steps of a place, and the index there."""
    return plan.steps[place[:2]], place[2]


# Where that shows first ---------------------------------------------------------------------------


def events_of(path: Path) -> Events:
    """What a journal has, in the order of positions."""
    with mainstem.Journal(path) as journal:
        return list(journal)


def compared(event: Any) -> Tuple[Tuple[str, Any], ...]:
    """The fields of an output that verify compares, in the order of replay.h."""
    kinds = (event.tracked, event.is_progress, event.is_shared)
    return (
        ("type", event.name),
        ("origin", event.origin),
        ("cause", event.cause),
        ("correlation", event.correlation),
        ("answers", event.answers),
        ("flags", kinds),
        ("status", event.status),
        ("payload", event.data),
    )


def first_difference(there: Events, here: Events) -> Optional[Found]:
    """The first event of a journal that is another one in the journal of the changed program.

    "input": up to there they are the same, but then the host did something else, as it answers only
    what the program has kept.
    """
    for was, now in itertools.zip_longest(there, here):
        event = was or now
        if was is None or now is None:
            field = "missing" if now is None else "extra"
            return Found(event.position, "input" if event.outside else field)
        if was.outside != now.outside:
            return Found(event.position, "missing" if now.outside else "extra")
        for (field, before), (_, after) in zip(compared(was), compared(now)):
            if before != after:
                return Found(event.position, "input" if event.outside else field)
    return None


def named(path: Path, session: Session, plan: Plan) -> Optional[Found]:
    """What verify names if the changed program is fed the journal."""
    try:
        replay(path, session.options, plan)
    except mainstem.Different as different:
        return Found(different.difference.position, different.difference.field)
    return None


class Case(NamedTuple):
    """A change, and what was found."""

    change: str
    expected: Optional[Found]
    named: Optional[Found]

    @property
    def is_input(self) -> bool:
        """Whether other inputs came before anything differed, so that nothing is to be named."""
        return self.expected is not None and self.expected.field == "input"

    @property
    def is_right(self) -> bool:
        """Whether verify names what it should."""
        if self.is_input and self.expected and self.named:
            return self.named.position >= self.expected.position
        return self.is_input or self.expected == self.named


def check(folder: Path, seed: int) -> Case:
    """Changes the program of a seed in one place."""
    path, other = folder / f"{seed}.journal", folder / f"{seed}.changed"
    session = record(path, seed, strict=True)
    chance = random.Random(-seed)
    plan = session.plan.copied()
    change = CHANGES[seed % len(CHANGES)]
    reached = sorted(session.reached)
    if change is other_answer:
        reached = [place for place in reached if place[1] in COMMANDS]
    if reached:
        change(plan, chance.choice(reached), chance)
    record(other, seed, strict=True, plan=plan)
    try:
        expected = first_difference(events_of(path), events_of(other))
        return Case(change.__name__, expected, named(path, session, plan))
    finally:
        path.unlink()
        other.unlink()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=100, help="how many that make a difference")
    arguments = parser.parse_args()
    fields: Counter[str] = collections.Counter()
    changes: Counter[str] = collections.Counter()
    seed, wrong = arguments.first, 0
    with tempfile.TemporaryDirectory() as folder:
        while sum(changes.values()) < arguments.count:
            case = check(Path(folder), seed)
            if not case.is_right:
                wrong += 1
                print(f"seed {seed}: {case}", flush=True)
            if case.expected is not None and not case.is_input:
                changes[case.change] += 1
            fields[case.expected.field if case.expected else "none"] += 1
            seed += 1
    print(f"seeds {arguments.first} to {seed - 1}: {wrong} named wrongly")
    print(", ".join(f"{name} {count}" for name, count in sorted(changes.items())))
    print(", ".join(f"{name} {count}" for name, count in sorted(fields.items())))
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())

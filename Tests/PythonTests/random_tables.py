# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Sessions of random programs: recorded, played again, cut anywhere.

python random_tables.py --first 0 --count 10000
"""

from __future__ import annotations

import argparse
import collections
import itertools
import random
import sys
import tempfile
from pathlib import Path
from typing import Any, Counter, List, NamedTuple, Optional

import mainstem
from random_host import Host
from random_options import Options
from random_plan import Plan
from random_table import Program
from sessions import recorded, replayed

#: A file of fewer bytes may not even have its own header.
LEAST = 64


class Session(NamedTuple):
    """A session, and how to play it again."""

    options: Options
    plan: Plan
    #: The events that its journal has, one line each.
    lines: List[str]
    #: What was reached: see `Program`.
    reached: set
    counts: Counter[str]


def options_of(chance: Any, strict: bool) -> Options:
    """What kind of context it is."""
    options = Options.drawn(chance)
    # Enough room for all first shows.
    limits = options.limits._replace(observers=0, events=chance.choice((0, 0, 300)))
    if strict:
        return options._replace(limits=mainstem.Limits(), deliver="immediate", clock="virtual")
    return options._replace(limits=limits)


def record(path: Any, seed: int, strict: bool = False, plan: Optional[Plan] = None) -> Session:
    """A random session in a journal; with a plan, this program instead of the one of the seed."""
    chance = random.Random(seed)
    options = options_of(chance, strict)
    drawn = Plan(chance, strict)
    plan = plan or drawn
    act = lambda program: Host(program, chance).act(options.steps)  # noqa: E731
    program, lines = recorded(path, options, lambda context: Program(context, plan), act)
    return Session(options, plan, lines, program.reached, program.counts)


def replay(path: Any, options: Options, plan: Plan, verify: bool = True) -> Any:
    """What is seen of it again, and how far that is proven."""
    return replayed(path, options, lambda context: Program(context, plan), verify)


def check(folder: Path, seed: int) -> Session:
    """Records a session, plays it again, and cuts it somewhere."""
    path = folder / f"{seed}.journal"
    session = record(path, seed)
    for verify in (True, False):
        lines, info = replay(path, session.options, session.plan, verify)
        assert lines == session.lines, f"verify={verify}: {difference(lines, session.lines)}"
        assert info.whole and info.ended
    check_cut(path, seed, session)
    path.unlink()
    return session


def difference(lines: List[str], there: List[str]) -> str:
    """The first line that differs."""
    pairs = itertools.zip_longest(lines, there)
    return next((f"{here}, not {was}" for here, was in pairs if here != was), "none")


def check_cut(path: Path, seed: int, session: Session) -> None:
    """What a journal has that was cut is proven, but for the end of its last turn."""
    whole = path.read_bytes()
    cut = path.with_suffix(".cut")
    cut.write_bytes(whole[: random.Random(seed).randrange(LEAST, len(whole))])
    with mainstem.Journal(cut) as journal:
        left = list(journal)
    try:
        lines, info = replay(cut, session.options, session.plan)
    except mainstem.MainstemError as error:
        # It was cut before the session begins.
        assert error.status == mainstem.Status.INVALID and not left, error
        return
    outputs = [event.position for event in left if not event.outside]
    assert info.verified_until >= max(outputs, default=0), f"proven until {info.verified_until}"
    proven = [str(event) for event in left if event.position <= info.verified_until]
    assert lines[: len(proven)] == proven, difference(lines, proven)
    cut.unlink()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=1000, help="how many sessions")
    arguments = parser.parse_args()
    counts: Counter[str] = collections.Counter()
    events = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.first, arguments.first + arguments.count):
            try:
                session = check(Path(folder), seed)
            except (AssertionError, mainstem.MainstemError) as error:
                print(f"seed {seed}: {str(error)[:400]}", flush=True)
                failed += 1
                continue
            counts += session.counts
            events += len(session.lines)
    print(f"{arguments.count} sessions from {arguments.first}: {events} events, {failed} differ")
    print(", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())

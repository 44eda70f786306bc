# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Plays random scripts against the library and the model, and shows the smallest difference.

With MAINSTEM_LIBRARY=…/libmainstem.so and PYTHONPATH=Tests:

python Tests/ModelTests/drive.py --count 10000 --first 0
python Tests/ModelTests/drive.py --seed 17 --any-thread
"""

from __future__ import annotations

import argparse
import difflib
import itertools
import sys
from typing import Any, Callable, Iterator, List, Tuple

from isolation import Outcome, isolated
from library import Library
from player import Player
from reference.model import Reference
from reference.shrink import shrink
from script import Step, write

Log = List[Tuple[Any, ...]]
Key = Tuple[Any, ...]
Progress = Callable[[Any], None]
SECONDS = 10.0
#: Steps whose rows bring callbacks.
ROWS = ("server_add", "binding_add")


def expected(script: Step, seen: Log | None = None) -> Log:
    """The log that the model predicts; where several orders are right, the one that was seen."""
    return Player(Reference(seen), script).play()


def actual(script: Step) -> Log:
    """The log of the real library. What went wrong inside a callback is raised here."""
    library = Library()
    log = Player(library, script).play()
    if library.escaped:
        raise library.escaped[0]
    return log


def seen(script: Step) -> Outcome:
    """The log of the real library, from a process of its own."""
    return isolated(lambda _: actual(script), SECONDS)


def differs(script: Step) -> bool:
    outcome = seen(script)
    return bool(outcome.broken) or outcome.value != expected(script, outcome.value)


def keys(first: int, count: int, *about: str) -> list[Key]:
    """Seeds in turn, each for a context of one thread and of any thread."""
    rest = (about,) if about else ()
    return [(first + index // 2, bool(index % 2), *rest) for index in range(count)]


def differing(scripts: list[Key]) -> Iterator[Key]:
    """The scripts whose logs differ, found in few processes."""
    left = scripts
    while left:
        outcome = isolated(lambda progress, batch=left: run_batch(batch, progress), SECONDS)
        if not outcome.broken and outcome.value is None:
            return
        at = outcome.progress if outcome.value is None else outcome.value
        if at is None:
            raise RuntimeError(outcome.broken)
        yield at
        left = left[left.index(at) + 1 :]


def run_batch(batch: list[Key], progress: Progress) -> Key | None:
    """The first script of a batch that differs."""
    for key in batch:
        progress(key)
        script = write(*key)
        log = actual(script)
        if log != expected(script, log):
            return key
    return None


# What a person sees of it -----------------------------------------------------------------------


def report(key: Key) -> str:
    """The smallest script that differs, and both logs."""
    script = shrink(write(*key), differs)
    outcome = seen(script)
    lines = [f"seed {key[0]}, {'any thread' if key[1] else 'one thread'}: the smallest script"]
    lines += [f"contexts: {script['contexts']}", *outline(script["steps"], 1)]
    left = [as_text(entry) for entry in expected(script, outcome.value)]
    if outcome.broken:
        return "\n".join([*lines, f"the library {outcome.broken}", "the model's log:", *left])
    right = [as_text(entry) for entry in outcome.value]
    lines.append("both logs: '-' only the model, '+' only the library")
    return "\n".join([*lines, *difflib.ndiff(left, right)])


def as_text(entry: tuple[Any, ...]) -> str:
    return " · ".join(str(part) for part in entry)


def outline(steps: list[Step], depth: int) -> Iterator[str]:
    """The steps as indented text."""
    for step in steps:
        nested = ("calls", "hook", "rows", "kind", "id", "how")
        rest = {key: value for key, value in step.items() if key not in nested}
        yield f"{'    ' * depth}{step['id']} {step['kind']} {rest or ''}"
        yield from outline_calls("call", step.get("calls") or [], depth)
        if step["kind"] == "send_many":
            yield f"{'    ' * depth}  {step['rows']}"
        for row, calls, *flags in step["rows"] if step["kind"] in ROWS else []:
            yield from outline_calls(f"row {row} {flags or ''}, call", calls or [[]], depth)
        how = step.get("how", {})
        if how:
            yield f"{'    ' * depth}  { ({k: v for k, v in how.items() if k not in nested}) }"
            yield from outline_calls("progress", how.get("progress") or [], depth)
        hook = step.get("hook", how.get("hook"))
        if hook is not None:
            yield f"{'    ' * depth}  release hook:"
            yield from outline(hook, depth + 1)


def outline_calls(word: str, calls: list[list[Step]], depth: int) -> Iterator[str]:
    for index, nested in enumerate(calls):
        yield f"{'    ' * depth}  {word} {index + 1}:"
        yield from outline(nested, depth + 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=1000, help="how many scripts")
    parser.add_argument("--seed", type=int, help="one seed")
    parser.add_argument("--any-thread", action="store_true", help="with --seed")
    parser.add_argument("--about", nargs="*", default=[], help="the features; none: by chance")
    parser.add_argument("--most", type=int, default=1, help="show so many differences")
    arguments = parser.parse_args()
    if arguments.seed is not None:
        rest = (tuple(arguments.about),) if arguments.about else ()
        found = differing([(arguments.seed, arguments.any_thread, *rest)])
    else:
        found = differing(keys(arguments.first, arguments.count, *arguments.about))
    shown = 0
    for key in itertools.islice(found, arguments.most):
        shown += 1
        print(report(key), end="\n\n")
    many = "1 difference" if shown == 1 else f"{shown} differences"
    print(f"{many} shown" if shown else "no difference")
    return 1 if shown else 0


if __name__ == "__main__":
    sys.exit(main())

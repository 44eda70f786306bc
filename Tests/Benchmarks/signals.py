# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A number through ten operators of reactivex, and through the same in Swift: signals.py PROGRAM.

PROGRAM is that of Signals.swift. Nine rounds of each, by turns; their medians. In processor time:
on a machine that does other work, too, the clock of the wall makes Python look slower than it is.
Wanted is a hundredth; README.md says what we have.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from statistics import median

import reactivex
from reactivex import operators as op

ROUNDS, VALUES, SWIFT_VALUES = 9, 20000, 2000000
WANTED = 0.01
seen = 0


def look(value: int) -> None:
    global seen
    seen += value


def chained() -> reactivex.Subject[int]:
    """Where the chain begins."""
    source: reactivex.Subject[int] = reactivex.Subject()
    source.pipe(
        op.map(lambda value: value + 1),
        op.filter(lambda value: value != 7),
        op.scan(lambda total, value: (total + value) & 0xFFFFFFFF, 0),
        op.distinct_until_changed(),
        op.map(lambda value: value * 3),
        op.skip(1),
        op.filter(lambda value: value != 5),
        op.map(lambda value: value ^ 1),
        op.filter(lambda value: value != 9),
        op.take(1 << 60),
    ).subscribe(look)
    return source


def in_python(source: reactivex.Subject[int]) -> float:
    """Nanoseconds for a value."""
    began = time.process_time()
    for value in range(VALUES):
        source.on_next(value)
    return (time.process_time() - began) / VALUES * 1e9


def in_swift(program: str) -> float:
    """Nanoseconds for a value, without what the program takes to begin and to end."""
    few, many = (
        _processor_time([program, "count", "ten operators: Mainstem", str(count)])
        for count in (1, SWIFT_VALUES + 1)
    )
    return (many - few) / SWIFT_VALUES * 1e9


def _processor_time(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main(program: str) -> None:
    source = chained()
    rounds = [(in_python(source), in_swift(program)) for _ in range(ROUNDS)]
    python, swift = (median(samples) for samples in zip(*rounds))
    print(
        f"ten operators: reactivex {reactivex.__version__}: {python:.0f} ns;"
        f" Swift: {swift:.0f} ns, {swift / python:.3f} of it (wanted: {WANTED})"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A number through ten operators of reactivex, as in Signals.swift: the median of nine rounds."""

from __future__ import annotations

import time
from statistics import median

import reactivex
from reactivex import operators as op

ROUNDS, VALUES = 9, 20000
seen = 0


def look(value: int) -> None:
    global seen
    seen += value


def main() -> None:
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
    samples = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for value in range(VALUES):
            source.on_next(value)
        samples.append((time.perf_counter() - began) / VALUES * 1e9)
    print(f"ten operators: reactivex {reactivex.__version__}: {median(samples):.0f} ns")


if __name__ == "__main__":
    main()

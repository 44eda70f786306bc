# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a changed list of 10,000 rows takes, beside the differences of other libraries.

listed.py LIST DIFFERENCE JSON: the program list.c, and that of difference.swift. Beside them,
Python's difflib, and the shortest program in Python that finds which rows move: a dictionary of
places and a longest increasing subsequence. The peers get the keys alone; they neither keep the
list nor compare payloads. Microseconds of processor time, one after another in one run.
"""

from __future__ import annotations

import bisect
import difflib
import json
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Callable, Dict, List

COUNT = 10_000
KEYS = [f"{number:08}" for number in range(COUNT)]
SLOW = ("reverse", "shuffle")


def shuffled() -> List[str]:
    """The same order as in rows.h."""
    keys, seed = list(KEYS), 1
    for last in range(len(keys) - 1, 0, -1):
        seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
        other = (seed >> 8) % (last + 1)
        keys[last], keys[other] = keys[other], keys[last]
    return keys


def changes() -> Dict[str, List[str]]:
    """The list behind each change."""
    inserted = [*KEYS[: COUNT // 2], f"{COUNT:08}", *KEYS[COUNT // 2 :]]
    moved = [*KEYS[:100], *KEYS[101 : COUNT - 99], KEYS[100], *KEYS[COUNT - 99 :]]
    replaced = list(KEYS)
    for index in range(100):
        replaced[index * 100] = f"{COUNT + index:08}"
    return {
        "equal rows elsewhere in memory": [key[:4] + key[4:] for key in KEYS],
        "one insertion": inserted,
        "one far move": moved,
        "100 keys replaced": replaced,
        "reverse": KEYS[::-1],
        "shuffle": shuffled(),
    }


def by_difflib(new: List[str]) -> object:
    return difflib.SequenceMatcher(None, KEYS, new, autojunk=False).get_opcodes()


def by_hand(new: List[str]) -> object:
    if new == KEYS:
        return None
    old = {key: place for place, key in enumerate(KEYS)}
    kept = [old[key] for key in new if key in old]
    gone = old.keys() - new
    tails: List[int] = []
    for place in kept:
        at = bisect.bisect_left(tails, place)
        tails[at : at + 1] = [place]
    return gone, len(kept) - len(tails)


def microseconds(compare: Callable[[List[str]], object], new: List[str], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        began = time.process_time_ns()
        compare(new)
        times.append((time.process_time_ns() - began) / 1e3)
    return median(times)


def main(listed: str, difference: str, json_path: str) -> int:
    found = {"Mainstem": json.loads(subprocess.check_output([listed]))}
    found["CollectionDifference"] = json.loads(subprocess.check_output([difference]))
    for name, compare in (("difflib", by_difflib), ("Python by hand", by_hand)):
        found[name] = {
            change: microseconds(compare, new, 1 if name == "difflib" and change in SLOW else 5)
            for change, new in changes().items()
        }
    print(f"{'microseconds':<32}" + "".join(f"{name:>22}" for name in found))
    for change in found["Mainstem"]:
        cells = (figures.get(change) for figures in found.values())
        shown = ("" if cell is None else f"{cell:,.0f}" for cell in cells)
        print(f"{change:<32}" + "".join(f"{cell:>22}" for cell in shown))
    Path(json_path).write_text(json.dumps(found, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

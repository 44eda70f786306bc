# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Takes all out of a script that its difference does not need."""

from __future__ import annotations

import copy
from typing import Any, Callable, Dict, Iterator

#: A step of a script, or the script.
Step = Dict[str, Any]


def shrink(script: Step, differs: Callable[[Step], bool], most: int = 3000) -> Step:
    """The smallest script found, within so many tries, that still differs."""
    tries = 0
    changed = True
    while changed and tries < most:
        changed = False
        for smaller in reductions(script):
            tries += 1
            if tries > most:
                break
            if differs(smaller):
                script, changed = smaller, True
                break
    return script


def reductions(script: Step) -> Iterator[Step]:
    """Scripts with one part less each, the largest parts first."""
    for path in sorted(lists(script), key=len):
        length = len(at(script, path))
        least = 1 if path in (("contexts",),) or path[-1] == "rows" else 0
        size = length
        while size:
            for start in range(0, length, size):
                if length - len(range(start, min(start + size, length))) >= least:
                    smaller = copy.deepcopy(script)
                    del at(smaller, path)[start : start + size]
                    yield smaller
            size //= 2
    for path, key in options(script):
        smaller = copy.deepcopy(script)
        del at(smaller, path)[key]
        yield smaller


def at(node: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        node = node[key]
    return node


def lists(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all lists that may become shorter."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from lists(value, (*path, key))
    elif isinstance(node, list):
        is_row = len(path) > 1 and path[-2] == "rows"
        if node and not is_row and path[-1] != "types":
            yield path
        for index, value in enumerate(node):
            yield from lists(value, (*path, index))


def options(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], str]]:
    """The paths of what a step can go without."""
    if isinstance(node, dict):
        for key in ("foreign", "how"):
            if key in node:
                yield path, key
        for part in ("filter", "how"):
            for key in node.get(part) or {}:
                yield (*path, part), key
        for key, value in node.items():
            yield from options(value, (*path, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from options(value, (*path, index))

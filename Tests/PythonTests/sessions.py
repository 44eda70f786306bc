# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What random sessions share: their seeds and threads, and how they are recorded and come again."""

from __future__ import annotations

import contextlib
import os
import threading
from typing import Any, Callable, Iterable, List, Tuple

import mainstem
from mainstem import Context, MainstemError


def seeds(usual: int, name: str = "MAINSTEM_RANDOM_SESSIONS") -> range:
    """Others from commit to commit, of the 10,000 that Tests/run long tries."""
    count = int(os.environ.get(name, usual))
    first = count * int(os.environ.get("MAINSTEM_TURN", "0")) % max(count, 10_000)
    return range(first, first + count)


def add_requests(context: Context, names: Iterable[str]) -> None:
    """Types of requests and their responses, which are texts."""
    for name in names:
        response = name.replace("Request", "Response")
        context.add_type(name, str, response=response)
        context.add_type(response, str)


def recorded(
    path: Any, options: Any, make: Callable[[Context], Any], act: Callable[[Any], Any]
) -> Tuple[Any, List[str]]:
    """A program that was recorded while `act` happened to it, and the lines of its journal."""
    context = options.open()
    context.record(path)
    program = make(context)
    act(program)
    program.end()
    with mainstem.Journal(path) as journal:
        return program, [str(event) for event in journal]


def replayed(
    path: Any, options: Any, make: Callable[[Context], Any], verify: bool = True
) -> Tuple[List[str], Any]:
    """What is seen of it again, and how far that is proven."""
    context = options.open()
    with context.replay(path, verify=verify) as again:
        program = make(context)
        again.to_end()
        lines, info = list(program.lines), again.info
        # Rows on the host; what they write is not written here.
        context.drain()
    program.end()
    return lines, info


def on_another_thread(act: Callable[[], None]) -> None:
    """Does something on a thread that is over then."""
    other = threading.Thread(target=act)
    other.start()
    other.join()


def on_some_thread(random: Any, act: Callable[[], None]) -> None:
    """Does something here, or on another thread."""
    if random.randrange(3):
        on_another_thread(act)
    else:
        act()


def answer(kept: Any, with_what: Any) -> None:
    """Answers, unless that was done meanwhile."""
    with contextlib.suppress(MainstemError):
        kept.respond(with_what)
    kept.release()

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The C functions that the library calls: one for all observers, one for all hooks, one for lines.

They live as long as the module, so no callback object can be collected while C may call it. What
to call travels as a number in `user_data`; a number is never used twice.
"""

from __future__ import annotations

import itertools
from typing import Callable, Dict, Optional

from . import _interrupts
from ._declarations import DURABLE_FN, EVENT_FN, LINE_FN, RELEASE_FN, WAKE_FN

Deliver = Callable[[int], None]

_numbers = itertools.count(1)
_delivers: Dict[int, Deliver] = {}
_releases: Dict[int, Callable[[], None]] = {}
_lines: Dict[int, Callable[[str], None]] = {}


@EVENT_FN
def on_event(number: int, address: int) -> None:
    """An observer, a handler or a completion is due."""
    try:
        _delivers[number](address)
    except KeyboardInterrupt as interrupt:
        if not _interrupts.struck(interrupt):
            raise


@RELEASE_FN
def on_release(number: int) -> None:
    """The library will not use this number again."""
    del _delivers[number]
    release = _releases.pop(number, None)
    if release is not None:
        release()


@WAKE_FN
def on_wake(number: int) -> None:
    """Something waits to be drained."""
    _delivers[number](0)


@DURABLE_FN
def on_durable(number: int, position: int) -> None:
    """All up to a position is on the disk."""
    _delivers[number](position)


@LINE_FN
def on_line(number: int, line: bytes) -> None:
    """A traced event."""
    _lines[number](line.decode("utf-8", "replace"))


def keep(deliver: Deliver, release: Optional[Callable[[], None]] = None) -> int:
    """The user_data for a callback, kept until its hook fires or it is forgotten."""
    number = next(_numbers)
    _delivers[number] = deliver
    if release is not None:
        _releases[number] = release
    return number


def keep_line(write: Callable[[str], None]) -> int:
    """The user_data for a trace, kept until it is forgotten."""
    number = next(_numbers)
    _lines[number] = write
    return number


def forget(number: int) -> None:
    """Lets go of a number that the library did not take, or has used for the last time."""
    _delivers.pop(number, None)
    _releases.pop(number, None)
    _lines.pop(number, None)


def kept() -> int:
    """How many callbacks are kept."""
    return len(_delivers)

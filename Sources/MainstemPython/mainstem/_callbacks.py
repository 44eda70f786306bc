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
    except BaseException as exception:
        if not _interrupts.struck(exception):
            raise


@RELEASE_FN
def on_release(number: int) -> None:
    """The library will not use this number again."""
    try:
        _let_go(number)
    except BaseException as exception:
        if not _interrupts.struck(exception):
            raise


@WAKE_FN
def on_wake(number: int) -> None:
    """Something waits to be drained."""
    try:
        _delivers[number](0)
    except BaseException as exception:
        if not _interrupts.struck(exception):
            raise


@DURABLE_FN
def on_durable(number: int, address: int) -> None:
    """All up to a position, in place of an address, is on the disk."""
    try:
        _delivers[number](address)
    except BaseException as exception:
        if not _interrupts.struck(exception):
            raise


@LINE_FN
def on_line(number: int, line: bytes) -> None:
    """A traced event."""
    _lines[number](line.decode("utf-8", "replace"))


def _let_go(number: int) -> None:
    release = _releases.get(number)
    if release is not None:
        release()
    forget(number)


def _finish(function: str, number: int, argument: int) -> None:
    """Does the rest of a callback that an interrupt left: some of it for the second time."""
    if function == "on_release":
        _let_go(number)
    elif function == "on_event":
        # An observer of the user's has failed, as if the interrupt had struck in its own lines.
        interrupted = getattr(getattr(_delivers[number], "__self__", None), "interrupted", None)
        if interrupted is not None:
            interrupted(argument)
    elif number in _delivers:
        _delivers[number](argument)


_interrupts.finish_with(_finish)


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

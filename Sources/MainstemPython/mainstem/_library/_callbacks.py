# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The C functions that the library calls: one for all observers, one for all hooks, one for lines.

They live as long as the module, so no callback object can be collected while C may call it.
`user_data` is a number that says what to call; a number is never used twice.
"""

from __future__ import annotations

import ctypes
import itertools
from typing import Any, Callable, Dict, List, Optional

from . import _interrupts
from ._header import (
    CHANGES_FN,
    CHILD_FN,
    DURABLE_FN,
    EVENT_FN,
    LINE_FN,
    MAKE_FN,
    RELEASE_FN,
    ROUTE_TYPE_FN,
    SETTLED_FN,
    SHOW_FN,
    WAKE_FN,
    WORKFLOW_FN,
)

__all__ = [
    "forget",
    "keep",
    "keep_accepts",
    "keep_changes",
    "keep_line",
    "keep_make",
    "keep_open",
    "keep_show",
    "on_changes",
    "on_child",
    "on_durable",
    "on_event",
    "on_line",
    "on_make",
    "on_release",
    "on_route_type",
    "on_settled",
    "on_show",
    "on_wake",
    "on_workflow",
]


Deliver = Callable[[int], None]
Make = Callable[[int, int], int]

#: What an owner is refused with if an interrupt struck before its factory was called.
_INCOMPLETE = 18

_numbers = itertools.count(1)
_delivers: Dict[int, Deliver] = {}
_makes: Dict[int, Make] = {}
_releases: Dict[int, Callable[[], None]] = {}
_lines: Dict[int, Callable[[str], None]] = {}
_shows: Dict[int, Callable[[int], int]] = {}
_changes: Dict[int, Callable[[List[str]], None]] = {}
_accepts: Dict[int, Callable[[bytes], bool]] = {}
_opens: Dict[int, Callable[[int, Any], int]] = {}


def _pointer(kind: Any) -> Callable[[Callable[..., Any]], Any]:
    """Makes a decorator that makes a function a C function pointer of a kind."""
    made: Callable[[Callable[..., Any]], Any] = kind
    return made


@_pointer(EVENT_FN)
def on_event(number: int, address: int) -> None:
    """Called to run an observer, a handler or a completion."""
    try:
        _delivers[number](address)
    except BaseException as exception:
        if not _interrupts.struck(exception):
            raise


@_pointer(MAKE_FN)
def on_make(number: int, scope: int, address: int) -> int:
    """Called to fill the scope of an owner."""
    try:
        return _makes[number](scope, address)
    except BaseException as exception:
        if not _interrupts.struck(exception):
            raise
        return _INCOMPLETE


@_pointer(RELEASE_FN)
def on_release(number: int) -> None:
    """Called when the library will never use this number again."""
    try:
        _let_go(number)
    except BaseException as exception:
        if not _interrupts.struck(exception):
            raise


@_pointer(WAKE_FN)
def on_wake(number: int) -> None:
    """Called when something waits to be drained."""
    try:
        _delivers[number](0)
    except BaseException as exception:
        if not _interrupts.struck(exception):
            raise


@_pointer(SETTLED_FN)
def on_settled(number: int) -> None:
    """Called when nobody waits for a handler's answer any more."""
    try:
        _delivers[number](0)
    except BaseException as exception:
        if not _interrupts.struck(exception):
            raise


@_pointer(SHOW_FN)
def on_show(number: int, server: int, _: Any) -> int:
    """Called to let a server say what it shows; returns a status."""
    try:
        return _shows[number](server)
    except BaseException as exception:
        if not _interrupts.struck(exception):
            raise
        return 0


@_pointer(CHILD_FN)
def on_child(number: int, _: int, index: int, child: Any) -> int:
    """Called to open a child; returns a status."""
    try:
        return _opens[number](index, child)
    except BaseException as exception:
        if not _interrupts.struck(exception):
            raise
        return _INCOMPLETE


@_pointer(DURABLE_FN)
def on_durable(number: int, address: int) -> None:
    """Called when everything up to a position is on the disk; `address` is that position."""
    try:
        _delivers[number](address)
    except BaseException as exception:
        if not _interrupts.struck(exception):
            raise


@_pointer(CHANGES_FN)
def on_changes(number: int, names: Any, count: int) -> None:
    """Called with the names of the values that have changed."""
    try:
        _changes[number]([names[index].decode("utf-8", "replace") for index in range(count)])
    except BaseException as exception:
        if not _interrupts.struck(exception):
            raise


@_pointer(ROUTE_TYPE_FN)
def on_route_type(number: int, text: int, size: int) -> bool:
    """Called to ask whether a type of a router's accepts a text."""
    try:
        return _accepts[number](ctypes.string_at(text, size))
    except BaseException as exception:
        if not _interrupts.struck(exception):
            raise
        return False


@_pointer(WORKFLOW_FN)
def on_workflow(number: int, run: Any) -> None:
    """Called to make a payload; an interrupt leaves it unmade, and the step fails."""
    try:
        _delivers[number](ctypes.addressof(run.contents))
    except BaseException as exception:
        if not _interrupts.struck(exception):
            raise


@_pointer(LINE_FN)
def on_line(number: int, line: bytes) -> None:
    """Called with the line of a traced event."""
    _lines[number](line.decode("utf-8", "replace"))


def _let_go(number: int) -> None:
    release = _releases.get(number)
    if release is not None:
        release()
    forget(number)


def _finish(function: str, number: int, argument: int) -> None:
    """Does the rest of a callback that an interrupt cut short; some of it runs a second time."""
    if function == "on_release":
        _let_go(number)
    elif function == "on_event":
        # A plain observer has no `interrupted`: it failed, as if the interrupt struck inside it.
        interrupted = getattr(getattr(_delivers[number], "__self__", None), "interrupted", None)
        if interrupted is not None:
            interrupted(argument)
    elif number in _delivers and function not in ("on_show", "on_workflow"):
        _delivers[number](argument)


_interrupts.finish_with(_finish)


def keep(deliver: Deliver, release: Optional[Callable[[], None]] = None) -> int:
    """Makes the user_data for a callback, kept until its release hook runs or it is forgotten."""
    number = next(_numbers)
    _delivers[number] = deliver
    if release is not None:
        _releases[number] = release
    return number


def keep_show(number: int, show: Callable[[int], int]) -> None:
    """Keeps a show function under the number of its server."""
    _shows[number] = show


def keep_make(make: Make) -> int:
    """Makes the user_data for a factory."""
    number = next(_numbers)
    _makes[number] = make
    return number


def keep_line(write: Callable[[str], None]) -> int:
    """Makes the user_data for a trace, kept until it is forgotten."""
    number = next(_numbers)
    _lines[number] = write
    return number


def keep_changes(tell: Callable[[List[str]], None]) -> int:
    """Makes the user_data of a function that is told of changes, kept until it is forgotten."""
    number = next(_numbers)
    _changes[number] = tell
    return number


def keep_accepts(accepts: Callable[[bytes], bool]) -> int:
    """Makes the user_data of a router's type."""
    number = next(_numbers)
    _accepts[number] = accepts
    return number


def keep_open(open_child: Callable[[int, Any], int]) -> int:
    """Makes the user_data of a function that opens children, kept until it is forgotten."""
    number = next(_numbers)
    _opens[number] = open_child
    return number


def forget(number: int) -> None:
    """Drops a number that the library did not take, or has used for the last time."""
    _delivers.pop(number, None)
    _makes.pop(number, None)
    _releases.pop(number, None)
    if _shows:
        _shows.pop(number, None)
    if _lines:
        _lines.pop(number, None)
    if _changes:
        _changes.pop(number, None)
    if _accepts:
        _accepts.pop(number, None)
    if _opens:
        _opens.pop(number, None)


def kept() -> int:
    """Returns how many numbers are kept, for callbacks of any kind."""
    tables = (_delivers, _makes, _releases, _lines, _shows, _changes, _accepts, _opens)
    return len(set().union(*tables))

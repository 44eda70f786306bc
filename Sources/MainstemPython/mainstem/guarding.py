# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Guards: functions that are asked before a URL is opened, or closed."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional, Tuple, Union

from ._library import C
from ._library import _header as d
from .events._received import Event
from .failure import Failure, Status, check, encoded, is_async


class Redirect(NamedTuple):
    """What a guard returns to open another URL instead."""

    url: str


class OpenFirst(NamedTuple):
    """What a guard returns to open another URL first: at its result, the guards are asked again."""

    url: str


#: Its name in 0.10: a message that stands in journals, and so never changes, has it.
After = OpenFirst

#: What a guard returns: True or None to let the move go on, False to refuse it.
Verdict = Union[bool, None, Redirect, OpenFirst]
Guard = Callable[[Any], Any]


def asks(
    guard: Guard, name: str, leaving: bool, match: Callable[[Event], Any]
) -> Callable[[Event], Any]:
    """Makes the handler of a guard's requests."""
    said = _said_of_leaving if leaving else _said
    if not is_async(guard):
        return lambda event: _answer(event, *said(guard(match(event)), name))

    async def ask(event: Event) -> None:
        _answer(event, *said(await guard(match(event)), name))

    return ask


def _answer(event: Event, number: int, url: Optional[bytes]) -> None:
    status = C.mainstem_guard_answer(event._live(), number, url)
    event._answered = True
    # Somebody else may have answered, or nobody waits any more.
    check(0 if status == Status.STALE else status)


def _said_of_leaving(verdict: Verdict, name: str) -> Tuple[int, Optional[bytes]]:
    number, url = _said(verdict, name)
    if number != d.GUARD_ALLOW:
        raise TypeError(f"{name} returned {verdict}: a leaving guard returns True or False")
    return number, url


def _said(verdict: Verdict, name: str) -> Tuple[int, Optional[bytes]]:
    if verdict is None or verdict is True:
        return d.GUARD_ALLOW, None
    if verdict is False:
        raise Failure(f"{name} refuses", code=Status.DENIED)
    if isinstance(verdict, Redirect):
        return d.GUARD_REDIRECT, encoded(verdict.url, "url")
    if isinstance(verdict, OpenFirst):
        return d.GUARD_OPEN_FIRST, encoded(verdict.url, "url")
    raise TypeError(
        f"{name} returned a {type(verdict).__name__}: a guard returns True, False,"
        " mainstem.Redirect(url) or mainstem.After(url)"
    )

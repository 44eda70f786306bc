# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Waits for the answer of a request, on the thread that asks."""

from __future__ import annotations

import os
import select
import time
from typing import TYPE_CHECKING, Any, List, Optional

from ._declarations import C
from .failure import RequestTimeout, check
from .pending import Pending
from .received import Event
from .status import Status

if TYPE_CHECKING:
    from .scope import Scope


def answer_or_raise(answer: Any) -> Any:
    """The answer, or its error as an exception."""
    if isinstance(answer, Event) and answer.error is not None:
        raise answer.error
    return answer


def timed_out(scope: "Scope", number: int, timeout: float) -> RequestTimeout:
    """The exception of a request that was given up."""
    name = scope.context.catalogue.name_of(number)
    return RequestTimeout(f"request: {name} was not answered within {timeout:g} s")


def wait(handle: int, timeout: Optional[float]) -> int:
    """Waits for something to drain and drains it: OK or TIMEOUT; all else raises.

    A signal interrupts it. Its Python handler runs between two lines here and may raise; when it
    does not, the waiting goes on, as everywhere in Python.
    """
    deadline = None if timeout is None else time.monotonic() + timeout
    while True:
        left = -1 if deadline is None else max(0, int((deadline - time.monotonic()) * 1000 + 0.999))
        status = C.mainstem_wait(handle, left)
        if status != Status.INTERRUPTED:
            break
    if status and status != Status.TIMEOUT:
        check(status)
    return status


class _Bell:
    """Wakes a thread that waits in poll: in an any-thread context the answer may come elsewhere."""

    def __init__(self) -> None:
        self.reader, self._writer = os.pipe()

    def ring(self) -> None:
        os.write(self._writer, b"!")

    def close(self) -> None:
        os.close(self.reader)
        os.close(self._writer)


def ask(
    scope: "Scope", number: int, payload: bytes, timeout: Optional[float], progress: Any = None
) -> Any:
    """Asks, drains until the answer has come, and returns it."""
    answers: List[Any] = []
    bell = _Bell() if scope.context.any_thread else None

    def answered(answer: Any) -> None:
        answers.append(answer)
        if bell is not None:
            bell.ring()

    try:
        pending = Pending(scope, number, payload, answered, progress)
        try:
            _wait_for(scope, answers, bell, timeout)
        finally:
            late = not answers and pending.cancel()
            if bell is not None and not answers:
                _wait_for(scope, answers, bell, None)
        scope.context.thrown.raise_caught()
    finally:
        if bell is not None:
            bell.close()
    if late:
        raise timed_out(scope, number, timeout or 0)
    return answer_or_raise(answers[0])


def _wait_for(
    scope: "Scope", answers: List[Any], bell: Optional[_Bell], timeout: Optional[float]
) -> None:
    """Returns when the answer has come, or the time is over."""
    deadline = None if timeout is None else time.monotonic() + timeout
    while not answers:
        scope.context.thrown.raise_caught()
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            return
        if bell is None:
            wait(scope.context.handle, left)
        else:
            _poll(scope, bell, left)


def _poll(scope: "Scope", bell: _Bell, left: Optional[float]) -> None:
    poll = select.poll()
    poll.register(bell.reader, select.POLLIN)
    poll.register(scope.context.fileno(), select.POLLIN)
    ready = poll.poll(None if left is None else left * 1000 + 1)
    if any(descriptor != bell.reader for descriptor, _ in ready):
        scope.context.drain()

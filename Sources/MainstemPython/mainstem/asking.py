# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Waits for the answer to a request, on the requesting thread."""

from __future__ import annotations

import time
from typing import Any, List, Optional

from ._library import FOREVER, C, milliseconds_of
from ._library._interrupts import Bell, bell, is_main_thread
from .events._catalogue import ContextLike, ScopeLike
from .failure import MainstemError, Status
from .pending import Awaited, failure_of


def answer_or_raise(scope: ScopeLike, number: int, answer: Any, timeout: Optional[float]) -> Any:
    """Returns the answer, or raises its error."""
    failure = failure_of(scope, number, answer, timeout)
    if failure is None:
        return answer
    try:
        raise failure
    finally:
        del failure


def lost(context: ContextLike) -> MainstemError:
    """Returns the error for an answer that did not come: in a replay, or after many interrupts."""
    if not context.closed and context.replaying:
        return MainstemError(
            Status.INCOMPLETE, "request: the context is replaying: the answer is in the journal"
        )
    return MainstemError(Status.INCOMPLETE, "request: interrupts kept its answer from arriving")


def wait(handle: int, timeout: Optional[float]) -> int:
    """Waits for something to drain and drains it. Returns OK, TIMEOUT or why it was refused.

    A signal interrupts the wait. Its Python handler runs between two lines here and may raise. If
    it does not, the wait goes on, as it does everywhere in Python.
    """
    status: int = C.mainstem_wait(handle, 0)
    if status == Status.TIMEOUT and timeout != 0:
        status = _wait(handle, timeout)
    return status


def _wait(handle: int, timeout: Optional[float]) -> int:
    deadline = None if timeout is None else time.monotonic() + milliseconds_of(timeout) / 1000
    status: int
    while True:
        left = -1 if deadline is None else _milliseconds_to(deadline)
        if not is_main_thread():
            status = C.mainstem_wait(handle, left)
        else:
            with bell() as signals:
                status = C.mainstem_wait_interruptible(handle, left, signals.reader)
        if status != Status.INTERRUPTED:
            return status


def _milliseconds_to(deadline: float) -> int:
    return max(0, int(min(deadline - time.monotonic(), FOREVER) * 1000 + 0.999))


def _nothing(*_: Any) -> None: ...


class _Answer(Awaited):
    """What a thread waits for: the answer, or the end of the request without one."""

    __slots__ = ("_bell", "is_over", "values")

    def __init__(self, scope: ScopeLike, progress: Any, named: bool, woken: Optional[Bell]) -> None:
        # Its own methods take the answer: a function that held them would make a circle.
        super().__init__(scope, _nothing, _nothing, progress, named)
        self._bell = woken
        self.values: List[Any] = []
        self.is_over = False

    def _take(self, value: Any) -> None:
        self.values.append(value)
        self._over()

    def _over(self) -> None:
        self.is_over = True
        if self._bell is not None:
            self._bell.ring()


def ask(
    scope: ScopeLike,
    number: int,
    payload: bytes,
    timeout: Optional[float],
    progress: Any = None,
    named: bool = False,
    share: bool = False,
) -> Any:
    """Sends a request, drains until the answer has come, and returns it."""
    # Another thread may receive the answer.
    woken = bell() if scope.context.any_thread else None
    answer = _Answer(scope, progress, named, woken)
    try:
        answer.ask(number, payload, timeout, share)
        if not answer.is_over:
            _wait_for(scope, answer, woken)
    except BaseException:
        # Does not wait: an interrupt cancels a request at once, whoever delivers its answer.
        answer.give_up()
        raise
    if not answer.values:
        raise lost(scope.context)
    return answer_or_raise(scope, number, answer.values[0], timeout)


def wait_for(run: Any) -> None:
    """Returns when a run of a command is over."""
    try:
        _wait_for(run._scope, run, run._bell)
    except BaseException:
        run.give_up()
        raise


def _wait_for(scope: ScopeLike, answer: Any, woken: Optional[Bell]) -> None:
    """Returns when the request is over: answered, or timed out by the library."""
    thrown = scope.context.thrown
    while not answer.is_over:
        if woken is None:
            status = wait(scope.context.handle, None)
        else:
            with woken:
                status = C.mainstem_wait_interruptible(scope.context.handle, -1, woken.reader)
        thrown.returned(0 if status == Status.INTERRUPTED else status)

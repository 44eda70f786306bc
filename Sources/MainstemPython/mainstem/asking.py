# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Waits for the answer of a request, on the thread that asks."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, List, Optional

from ._bell import Bell, bell, is_main_thread
from ._declarations import C
from .failure import RequestTimeout, check
from .pending import Pending
from .received import Event
from .status import Status

if TYPE_CHECKING:
    from .scope import Scope


def answer_or_raise(scope: "Scope", number: int, answer: Any, timeout: Optional[float]) -> Any:
    """The answer, or its error as an exception; the library's own word that time is over too."""
    if not isinstance(answer, Event) or answer.error is None:
        return answer
    if answer.status == Status.TIMEOUT and answer.origin_number == 0 and timeout is not None:
        name = scope.context.catalogue.name_of(number)
        raise RequestTimeout(f"request: {name} was not answered within {timeout:g} s")
    raise answer.error


def wait(handle: int, timeout: Optional[float]) -> int:
    """Waits for something to drain and drains it: OK or TIMEOUT; all else raises.

    A signal interrupts it. Its Python handler runs between two lines here and may raise; when it
    does not, the waiting goes on, as everywhere in Python.
    """
    status = C.mainstem_wait(handle, 0)
    if status == Status.TIMEOUT and timeout != 0:
        status = _wait(handle, timeout)
    if status != Status.TIMEOUT:
        check(status)
    return status


def _wait(handle: int, timeout: Optional[float]) -> int:
    deadline = None if timeout is None else time.monotonic() + timeout
    while True:
        left = -1 if deadline is None else max(0, int((deadline - time.monotonic()) * 1000 + 0.999))
        if not is_main_thread():
            status = C.mainstem_wait(handle, left)
        else:
            with bell() as signals:
                status = C.mainstem_wait_interruptible(handle, left, signals.reader)
        if status != Status.INTERRUPTED:
            return status


def ask(
    scope: "Scope", number: int, payload: bytes, timeout: Optional[float], progress: Any = None
) -> Any:
    """Asks, drains until the answer has come, and returns it."""
    answers: List[Any] = []
    woken = bell() if scope.context.any_thread else None

    def answered(answer: Any) -> None:
        answers.append(answer)
        if woken is not None:
            woken.ring()

    try:
        pending = Pending(scope, number, payload, answered, progress, timeout)
        try:
            _wait_for(scope, answers, woken)
        except BaseException:
            pending.cancel()
            if woken is not None:
                _wait_for(scope, answers, woken)
            raise
        scope.context.thrown.raise_caught()
    finally:
        if woken is not None:
            woken.close()
    return answer_or_raise(scope, number, answers[0], timeout)


def _wait_for(scope: "Scope", answers: List[Any], woken: Optional[Bell]) -> None:
    """Returns when the answer has come: in time, or as the library's word that it has not."""
    while not answers:
        scope.context.thrown.raise_caught()
        if woken is None:
            wait(scope.context.handle, None)
            continue
        # Also for an answer that another thread received.
        with woken:
            status = C.mainstem_wait_interruptible(scope.context.handle, -1, woken.reader)
        if status != Status.INTERRUPTED:
            check(status)

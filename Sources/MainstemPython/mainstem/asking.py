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
        pending = Pending(scope, number, payload, answered, progress, timeout)
        try:
            _wait_for(scope, answers, bell)
        except BaseException:
            pending.cancel()
            if bell is not None:
                _wait_for(scope, answers, bell)
            raise
        scope.context.thrown.raise_caught()
    finally:
        if bell is not None:
            bell.close()
    return answer_or_raise(scope, number, answers[0], timeout)


def _wait_for(scope: "Scope", answers: List[Any], bell: Optional[_Bell]) -> None:
    """Returns when the answer has come: in time, or as the library's word that it has not."""
    while not answers:
        scope.context.thrown.raise_caught()
        if bell is None:
            wait(scope.context.handle, None)
        else:
            _poll(scope, bell)


def _poll(scope: "Scope", bell: _Bell) -> None:
    poll = select.poll()
    poll.register(bell.reader, select.POLLIN)
    poll.register(scope.context.fileno(), select.POLLIN)
    if any(descriptor != bell.reader for descriptor, _ in poll.poll()):
        scope.context.drain()

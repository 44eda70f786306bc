# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A command that a view has run."""

from __future__ import annotations

import asyncio
import ctypes
from typing import Any, Callable, Generator, Generic, List, Optional, TypeVar

from ._library import C, _callbacks
from ._library._interrupts import bell
from .events._catalogue import ScopeLike
from .failure import MainstemError, Status, again
from .servers._requests import Pending, failure_of, lost

Answer = TypeVar("Answer")
_REFUSED = (Status.DISABLED, Status.EXECUTING, Status.FULL)


class Run(Pending, Generic[Answer]):
    """A command that a view has run. It goes on whether or not somebody waits for it.

    `await run` where a loop runs, else `run.result()` waits for its answer.
    """

    __slots__ = ("_bell", "_failure", "_over_calls", "_read", "_value", "_what", "is_over")

    #: Whether it is over: it has its answer, or nobody will hear of it.
    is_over: bool

    def __init__(self, scope: ScopeLike, read: Callable[[bytes], Any]) -> None:
        super().__init__(scope, _nothing, named=True)
        self._bell = bell() if scope.context.any_thread else None
        self._read = read
        self._value: Any = None
        self._failure: Optional[BaseException] = None
        self._over_calls: List[Callable[[], None]] = []
        self.is_over = False
        #: What is run.
        self._what = ""

    def __repr__(self) -> str:
        end = "goes on"
        if self.is_over:
            failure = self._failure
            status = getattr(failure, "status", None)
            what = status.name if isinstance(status, Status) else type(failure).__name__
            end = "answered" if failure is None else f"failed: {what}"
        return f"<mainstem Run of {self._what}, {end}>"

    def begin(self, binding: int, name: str, data: bytes) -> None:
        """Runs the command through a binding. Call it once."""
        kept = _callbacks.keep(self._deliver, self._over)
        status = C.mainstem_binding_run(
            binding,
            name.encode(),
            data,
            len(data),
            _callbacks.on_event,
            kept,
            _callbacks.on_release,
            ctypes.byref(self._handle),
        )
        if status:
            _callbacks.forget(kept)
        self._scope.context.thrown.returned(status)

    def result(self) -> Answer:
        """Waits for its answer and returns it. A failed one is raised. BUSY inside a callback."""
        if not self.is_over:
            self._scope.context._wait_for_run(self)
        if self._failure is not None:
            raise again(self._failure)
        answer: Answer = self._value
        return answer

    def __await__(self) -> Generator[Any, None, Answer]:
        if not self.is_over:
            future = asyncio.get_running_loop().create_future()
            soon = self._scope.context._loop_or_refuse("await")

            def wake() -> None:
                soon.soon(_set, future)

            self._over_calls.append(wake)
            try:
                yield from future
            except asyncio.CancelledError:
                self.give_up()
                raise
        return self.result()

    def _settle(self, event: Any, value: Any) -> None:
        number, timeout = self._timed
        failure = failure_of(self._scope, number, event, timeout)
        if failure is not None:
            self._failure = failure
            if failure.status in _REFUSED:
                # Like a run that is refused at once.
                self._failure = MainstemError(int(failure.status), failure.message)
        else:
            try:
                self._value = self._read(event.data)
            except Exception as error:
                self._failure = error
        self._finish()

    def _over(self) -> None:
        if not self.answered:
            self._failure = lost(self._scope.context)
        self._finish()

    def _finish(self) -> None:
        if not self.is_over:
            self.is_over = True
            calls, self._over_calls = self._over_calls, []
            for call in calls:
                call()
            if self._bell is not None:
                self._bell.ring()


def _set(future: "asyncio.Future[None]") -> None:
    if not future.done():
        future.set_result(None)


def _nothing(_: Any) -> None: ...

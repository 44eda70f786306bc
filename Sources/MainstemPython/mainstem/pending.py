# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A request that waits for its answer."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Callable, Optional

from . import _callbacks
from . import _declarations as d
from ._declarations import C
from .failure import check
from .received import event_of, received
from .status import Status
from .timer import milliseconds_of

if TYPE_CHECKING:
    from .scope import Scope


Function = Callable[[Any], Any]


class Pending:
    """Gets exactly one answer (law 8), and gives it to a function."""

    __slots__ = ("_handle", "_progress", "_scope", "_then", "answered")

    #: Whether the answer has come.
    answered: bool

    def __init__(self, scope: "Scope", then: Function, progress: Optional[Function] = None) -> None:
        self._scope = scope
        self._then = then
        self._progress: Any = progress
        # The library fills it, so that a call which an interrupt follows at once can be given up.
        self._handle = ctypes.c_void_p()
        self.answered = False

    def ask(self, number: int, data: bytes, timeout: Optional[float] = None) -> None:
        """Asks, once; the answer may have come when it returns."""
        # The same function gets both: it tells them apart by the event.
        options = d.RequestOptions(ctypes.sizeof(d.RequestOptions), 0)
        if self._progress is not None:
            options.progress = _callbacks.on_event
        if timeout is not None:
            options.timeout_ms = max(1, milliseconds_of(timeout))
        kept = _callbacks.keep(self._deliver, self._over)
        status = C.mainstem_request_with(
            self._scope.handle,
            number,
            data,
            len(data),
            ctypes.byref(options),
            _callbacks.on_event,
            kept,
            _callbacks.on_release,
            ctypes.byref(self._handle),
        )
        if status:
            _callbacks.forget(kept)
        self._scope.context.thrown.returned(status)

    @property
    def position(self) -> int:
        """The position of the request while it is open: `answers` of the response to come."""
        position = ctypes.c_uint64()
        check(C.mainstem_pending_position(self._handle, ctypes.byref(position)))
        return position.value

    def cancel(self) -> bool:
        """Gives it up: it is answered with CANCELLED. False if it has its answer already."""
        is_given_up = self.give_up()
        self._scope.context.thrown.raise_caught()
        return is_given_up

    def give_up(self) -> bool:
        """As `cancel`; what a callback threw is left to a later call."""
        if not self._handle:
            return False
        status = C.mainstem_pending_cancel(self._handle)
        if status and status != Status.STALE:
            check(status)
        return status == 0

    def interrupted(self, address: int) -> None:
        """An interrupt struck between our lines: an answer that was not given yet is given."""
        if not self.answered and not event_of(received(self._scope, address)).is_progress:
            self._deliver(address)

    def _deliver(self, address: int) -> None:
        value = received(self._scope, address)
        is_answer = not event_of(value).is_progress
        thrown = self._scope.context.thrown
        depth = thrown.depth()
        try:
            thrown.enter(depth)
            if is_answer:
                self.answered = True
                self._then(value)
            else:
                self._progress(value)
        except BaseException as exception:
            if is_answer and not self.answered:
                raise
            thrown.failed(exception, value, address)
        finally:
            thrown.leave(depth)
            event_of(value)._address = 0

    def _over(self) -> None:
        """The library has let go of it: nothing comes any more."""


class Awaited(Pending):
    """One whose answer somebody waits for: no interrupt that strikes beside it loses the answer.

    `then` gets the answer, and `over` is called when nothing comes any more; both perhaps twice.
    """

    __slots__ = ("_is_over",)

    def __init__(
        self,
        scope: "Scope",
        then: Function,
        over: Callable[[], Any],
        progress: Optional[Function] = None,
    ) -> None:
        super().__init__(scope, then, progress)
        self._is_over = over

    def interrupted(self, address: int) -> None:
        """As of each, and also an answer that was given, perhaps: it can be given twice."""
        if not event_of(received(self._scope, address)).is_progress:
            self._deliver(address)

    def _deliver(self, address: int) -> None:
        value = received(self._scope, address)
        if event_of(value).is_progress:
            super()._deliver(address)
            return
        self.answered = True
        event_of(value)._address = 0
        self._then(value)

    def _over(self) -> None:
        self._is_over()

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A request waiting for its answer."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Optional, Tuple

from ._library import C, _callbacks, milliseconds_of
from ._library import _header as d
from .events._catalogue import ScopeLike
from .events._received import Event, event_of, received, value_of
from .failure import Failure, RequestTimeout, Status, check

Function = Callable[[Any], Any]


def _options(progress: bool, timeout: Optional[float], share: bool) -> d.RequestOptions:
    options = d.RequestOptions(ctypes.sizeof(d.RequestOptions), 0)
    options.share = share
    if progress:
        # The same function gets progress and answer; the event tells them apart.
        options.progress = _callbacks.on_event
    if timeout is not None:
        options.timeout_ms = max(1, milliseconds_of(timeout))
    return options


_PLAIN = ctypes.byref(_options(False, None, False))


def failure_of(
    scope: ScopeLike, number: int, answer: Any, timeout: Optional[float]
) -> Optional[Failure]:
    """Returns the error of a failed answer; if it timed out, one that names request and time.

    It is not raised here: another exception may be being handled where the answer arrives.
    """
    if not isinstance(answer, Event):
        return None
    failure = answer.error
    if isinstance(failure, RequestTimeout) and timeout is not None:
        name = scope.context.catalogue.name_of(number)
        return RequestTimeout(f"request: {name} was not answered within {timeout:g} s")
    return failure


class Pending:
    """A request that gets exactly one answer (law 8), which it passes to a function."""

    __slots__ = (
        "_declared",
        "_failed",
        "_handle",
        "_progress",
        "_scope",
        "_then",
        "_timed",
        "answered",
    )

    #: Whether the answer has come.
    answered: bool

    def __init__(
        self,
        scope: ScopeLike,
        then: Function,
        progress: Optional[Function] = None,
        failed: Optional[Callable[[Failure], object]] = None,
        named: bool = False,
    ) -> None:
        self._scope = scope
        self._then = then
        self._failed = failed
        #: The number of the request's type, and how long it waits, if that is limited.
        self._timed: Tuple[int, Optional[float]] = (0, None)
        #: The classes whose objects `then` gets; where the request was by name, none.
        self._declared = {} if named else scope.context.catalogue.declared
        self._progress: Any = progress
        # The library fills it, so a request can be cancelled even if an interrupt strikes at once.
        self._handle = ctypes.c_void_p()
        self.answered = False

    def ask(
        self, number: int, data: bytes, timeout: Optional[float] = None, share: bool = False
    ) -> None:
        """Sends the request. Call it once; the answer may have come when it returns."""
        options = _PLAIN
        if self._progress is not None or timeout is not None or share:
            options = ctypes.byref(_options(self._progress is not None, timeout, bool(share)))
            self._timed = (number, timeout)
        kept = _callbacks.keep(self._deliver, self._over)
        status = C.mainstem_request_with(
            self._scope.handle,
            number,
            data,
            len(data),
            options,
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
        """The position of the request while it is open. Its response will have it as `answers`."""
        position = ctypes.c_uint64()
        check(C.mainstem_pending_position(self._handle, ctypes.byref(position)))
        return position.value

    def cancel(self) -> bool:
        """Cancels the request: its answer is CANCELLED. False if it already has its answer."""
        is_given_up = self.give_up()
        self._scope.context.thrown.raise_caught()
        return is_given_up

    def give_up(self) -> bool:
        """Like `cancel`, but an exception from a callback is left to a later call."""
        if not self._handle:
            return False
        status: int = C.mainstem_pending_cancel(self._handle)
        if status and status != Status.STALE:
            check(status)
        return status == 0

    def interrupted(self, address: int) -> None:
        """Delivers the answer after an interrupt in this package's own code, if it was not yet."""
        if not self.answered and not event_of(received(self._scope, address)).is_progress:
            self._deliver(address)

    def _deliver(self, address: int) -> None:
        event = Event(self._scope, address)
        value = value_of(event, self._declared)
        is_answer = not event.is_progress
        thrown = self._scope.context.thrown
        depth = thrown.depth()
        try:
            thrown.enter(depth)
            if not is_answer:
                self._progress(value)
            else:
                self.answered = True
                self._settle(event, value)
        except BaseException as exception:
            if is_answer and not self.answered:
                raise
            thrown.failed(exception, value, address)
        finally:
            thrown.leave(depth)
            event._address = 0

    def _settle(self, event: Event, value: Any) -> None:
        """Passes the answer to `then`, or its error to `failed`."""
        number, timeout = self._timed
        failure = failure_of(self._scope, number, event, timeout)
        if failure is None or (self._failed is None and not self._declared):
            self._then(value)
        elif self._failed is not None:
            self._failed(failure)
        elif failure.status != Status.CANCELLED:
            # Nobody asked for it, and no error is silent.
            self._scope.context.thrown.report(failure, event)

    def _over(self) -> None:
        """Called when the library has released it: nothing more comes."""


class Awaited(Pending):
    """A request whose answer somebody waits for: an interrupt outside its functions never loses it.

    `then` gets the answer, and `over` is called when nothing more comes. Both may be called twice.
    """

    __slots__ = ("_is_over",)

    def __init__(
        self,
        scope: ScopeLike,
        then: Function,
        over: Callable[[], Any],
        progress: Optional[Function] = None,
        named: bool = False,
    ) -> None:
        super().__init__(scope, then, progress, None, named)
        self._is_over = over

    def interrupted(self, address: int) -> None:
        """Like that of Pending, but delivers the answer even if it may have come: twice is fine."""
        if not event_of(received(self._scope, address)).is_progress:
            self._deliver(address)

    def _deliver(self, address: int) -> None:
        event = Event(self._scope, address)
        if event._facts[10] & d.EVENT_PROGRESS:
            super()._deliver(address)
            return
        self.answered = True
        event._address = 0
        self._take(value_of(event, self._declared))

    def _take(self, value: Any) -> None:
        self._then(value)

    def _over(self) -> None:
        self._is_over()

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Requests that wait for their answer, and the owners that a factory makes when asked."""

from __future__ import annotations

import contextlib
import ctypes
import time
from typing import Any, Callable, List, Optional, Tuple

from .._library import FOREVER, C, _callbacks, milliseconds_of
from .._library import _header as d
from .._library._interrupts import Bell, bell, is_main_thread
from ..events._catalogue import ContextLike, ScopeLike
from ..events._payload import Payload, layer_bits, payload_bits
from ..events._received import Event, event_of, received, respond, value_of
from ..failure import Failure, MainstemError, RequestTimeout, Status, check, encoded, refuse_async
from ..observers._calls import message_of

__all__ = [
    "Awaited",
    "Factory",
    "Pending",
    "answer_or_raise",
    "ask",
    "failure_of",
    "finish",
    "lost",
    "number_in",
    "request_of",
    "wait",
    "wait_for",
]


# A request waiting for its answer -----------------------------------------------------------------

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


# Waits for the answer to a request, on the requesting thread --------------------------------------


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


# Owners: scopes that a factory makes when one is asked for ----------------------------------------

#: Fills the new scope; gets the request, too.
Make = Callable[[Any, Any], object]


class Factory:
    """Makes the owners of a name. What it raises is the answer, and the scope ends again."""

    __slots__ = ("_make", "_name", "_parent", "_scope")

    def __init__(
        self, parent: ScopeLike, name: str, make: Make, child: Callable[[int, str], Any]
    ) -> None:
        refuse_async(make, "make")
        self._parent = parent
        self._name = name
        self._make = make
        self._scope = child

    def add(self, payload: Payload, layer: Optional[str]) -> None:
        """Adds it to its parent."""
        contract = payload_bits(payload) | layer_bits(self._parent.handle, layer)
        self._parent.context._installed(lambda: self._declare(contract))

    def _declare(self, contract: int) -> None:
        number = _callbacks.keep_make(self.fill)
        status = self._add(encoded(self._name, "name"), contract, number)
        if status:
            _callbacks.forget(number)
            check(status)

    def _add(self, name: bytes, contract: int, number: int) -> int:
        return int(
            C.mainstem_factory_add(
                self._parent.handle,
                name,
                contract,
                _callbacks.on_make,
                number,
                _callbacks.on_release,
            )
        )

    def fill(self, handle: int, address: Optional[int]) -> int:
        """Runs the function for the library; returns a status. Without an event, a find asks."""
        scope = self._scope(handle, self._name)
        event = None if address is None else Event(scope, address)
        thrown = scope.context.thrown
        running = thrown.running
        depth = running.depth
        failure: Optional[Failure] = None
        try:
            running.depth = depth + 1
            failure = self._failure_of(scope, event, address)
            return 0 if failure is None else _refuse(scope, event, address, failure)
        finally:
            # It holds the frames that called the factory: with this variable, a cycle.
            del failure
            running.depth = depth
            if event is not None:
                event._address = 0

    def _failure_of(
        self, scope: Any, event: Optional[Event], address: Optional[int]
    ) -> Optional[Failure]:
        try:
            self._fill(scope, event)
        except BaseException as exception:
            if isinstance(exception, Failure):
                return exception
            if event is None or address is None:
                scope.context.thrown.report(exception, scope)
            else:
                scope.context.thrown.failed(exception, event, address)
            return Failure(message_of(exception, event))
        return None

    def _fill(self, scope: Any, event: Optional[Event]) -> None:
        self._make(scope, event)


def _refuse(scope: Any, event: Optional[Event], address: Optional[int], failure: Failure) -> int:
    if event is not None and address is not None:
        # Somebody else may have answered, and the context may close.
        with contextlib.suppress(MainstemError):
            respond(scope, address, event.type, failure)
    return int(failure.code)


def request_of(name: str) -> str:
    """The name of the type that asks for an owner."""
    return f"RequestOpen.{name}"


def number_in(answer: Any) -> int:
    """The number that an answer has: of the scope that was opened."""
    return int.from_bytes(answer.data, "little")


# How a component finishes -------------------------------------------------------------------------


def finish(scope: ScopeLike, result: Any, data: Any) -> None:
    """Closes the component in which a scope is, with a result."""
    number, payload = (0, b"")
    if result is not None:
        number, payload = scope.context.catalogue.outgoing(result, data)
    status = C.mainstem_component_finish(scope.handle, number, payload, len(payload))
    scope.context.thrown.returned(status)

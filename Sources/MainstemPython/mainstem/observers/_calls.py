# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""How functions are called: where, what they raise, and how it is counted."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Literal, NamedTuple, Optional, Union

from .._library import C, _callbacks, _interrupts, whole
from .._library import _header as d
from .._library._header import ContextStatsStruct, SubscriptionStatsStruct
from .._library._interrupts import report_unraisable
from ..events._catalogue import ContextLike, Running, ScopeLike
from ..events._received import may_quote, withheld
from ..failure import Failure, MainstemError, Status, check, empty, encoded, hidden

__all__ = [
    "POLICIES",
    "On",
    "Policy",
    "Queue",
    "Scheduler",
    "Stats",
    "SubscriptionStats",
    "Thrown",
    "add_serial",
    "added",
    "message_of",
    "queue_of",
    "read_stats",
    "read_subscription_stats",
]


# Exceptions in callbacks: counted by the library, reported here, never let into C -----------------


def message_of(exception: BaseException, value: Any) -> str:
    """An exception as one message for developers; if it may quote a secret, only its class."""
    if isinstance(exception, Failure):
        return str(exception.message)
    if may_quote(value):
        return f"{type(exception).__name__}: <secret>"
    try:
        return repr(exception)
    except Exception:
        return f"{type(exception).__name__}, whose repr() raises"


def _report(exception: BaseException, value: Any) -> None:
    """Passes it to sys.unraisablehook with its event; if it may quote a secret, without payload."""
    if may_quote(value):
        report_unraisable(hidden(exception), withheld(value))
    else:
        report_unraisable(exception, value)


class Thrown:
    """The exceptions from one context's callbacks, and whether this thread is inside one."""

    __slots__ = ("_context", "_has_told", "caught", "is_closing", "raises", "running")

    #: Whether the call that ran a callback raises its exception.
    raises: bool
    #: How many of its callbacks each thread is inside.
    running: Running
    #: Whether the context is closing: it refuses what its last callbacks send.
    is_closing: bool

    def __init__(self, context: ContextLike, raises: bool) -> None:
        self._context = context
        self.caught: Optional[BaseException] = None
        self.running = Running()
        self.is_closing = False
        self._has_told = False
        self.raises = raises

    def depth(self) -> int:
        """Returns how many callbacks this thread is inside."""
        return self.running.depth

    def enter(self, depth: int) -> None:
        """Notes that a callback begins at this depth."""
        self.running.depth = depth + 1

    def leave(self, depth: int) -> None:
        """Notes that the callback that began at this depth ends."""
        self.running.depth = depth

    def inside(self) -> bool:
        """Whether this thread is inside a callback of the context."""
        return self.running.depth > 0

    def failed(self, exception: BaseException, value: Any, address: int) -> None:
        """Marks the running callback as failed, and reports the exception it raised.

        Ctrl-C is not the callback's failure: a replay, where nobody presses it, would differ.
        """
        if isinstance(exception, KeyboardInterrupt) and _interrupts.keep(exception):
            C.mainstem_confirm(address)
            return
        message = message_of(exception, value).replace("\0", "\\0").encode("utf-8", "replace")
        code = exception.code if isinstance(exception, Failure) else Status.APP
        C.mainstem_fail(address, int(code), message)
        self.report(exception, value)

    def failed_to_show(self, exception: BaseException, server: Any) -> int:
        """Reports the exception of a show function, and returns its status.

        A lack of room is no failure, nor is that the context closes, or did when it was recorded.
        """
        if isinstance(exception, MainstemError):
            status = exception.status
            if status in (Status.FULL, Status.NO_MEMORY):
                return int(status)
            if status == Status.STALE:
                if not self.is_closing and not self._context.replaying:
                    self.report(exception, server)
                return int(status)
        if isinstance(exception, KeyboardInterrupt) and _interrupts.keep(exception):
            return 0
        self.report(exception, server)
        return int(exception.code if isinstance(exception, Failure) else Status.APP)

    def report(self, exception: BaseException, value: Any) -> None:
        """Reports an exception that nobody can catch, with its event."""
        if _interrupts.keep(exception) or self._is_told(exception):
            return
        on_exception = self._context.on_exception
        if self.raises or isinstance(exception, KeyboardInterrupt):
            self.caught = self.caught or exception
        elif on_exception is None:
            _report(exception, value)
        else:
            try:
                on_exception(exception, value)
            except BaseException as second:
                _report(second, value)

    def _is_told(self, exception: BaseException) -> bool:
        """Whether it is what every callback gets while the context closes, and one was reported."""
        if not self.is_closing or not isinstance(exception, MainstemError):
            return False
        if exception.status != Status.STALE:
            return False
        is_told, self._has_told = self._has_told, True
        return is_told

    def raise_caught(self) -> None:
        """Raises what was caught in callbacks, if this is the outermost call."""
        if self.caught is None and not _interrupts.ever:
            return
        if self.inside():
            return
        interrupt = _interrupts.taken()
        caught, self.caught = self.caught, None
        if interrupt is not None:
            if caught is not None:
                report_unraisable(caught, self._context)
            caught = interrupt
        if caught is not None:
            empty(caught)
            try:
                raise caught
            finally:
                del caught, interrupt

    def returned(self, status: int) -> None:
        """Raises what was caught in callbacks of a call, or else the error of its status."""
        self.raise_caught()
        if status:
            check(status)


# The counters of contexts and subscriptions -------------------------------------------------------


class Stats(NamedTuple):
    """The counters of a context (mainstem_context_stats_read)."""

    scopes: int
    events: int
    deliveries: int
    failures: int
    waiting: int
    types: int
    subscriptions: int
    requests: int
    retained: int
    denied: int
    history: int
    history_lost: int
    timers: int
    timers_missed: int
    rejected: int


def read_stats(handle: int) -> Stats:
    """Reads the counters of a context."""
    stats = ContextStatsStruct(size=ctypes.sizeof(ContextStatsStruct))
    check(C.mainstem_context_stats_read(handle, ctypes.byref(stats)))
    return Stats(*(getattr(stats, name) for name in Stats._fields))


class SubscriptionStats(NamedTuple):
    """The counters of a subscription (mainstem_subscription_stats); times in nanoseconds.

    `delivered` is 0 if it is neither scheduled nor timed; the times need `Context(timing=True)`.
    """

    delivered: int
    failed: int
    dropped: int
    waiting: int
    waiting_bytes: int
    total_ns: int
    longest_ns: int
    current_ns: int


def read_subscription_stats(handle: int) -> SubscriptionStats:
    """Reads the counters of a subscription. Any thread may call it."""
    stats = SubscriptionStatsStruct(size=ctypes.sizeof(SubscriptionStatsStruct))
    check(C.mainstem_subscription_stats_read(handle, ctypes.byref(stats)))
    return SubscriptionStats(*(getattr(stats, name) for name in SubscriptionStats._fields))


# Adding what calls a function from then on: an observer, a binding --------------------------------


def added(
    scope: ScopeLike,
    deliver: Callable[[int], None],
    release: Callable[[], None],
    add: Callable[[int, Any], int],
    end: Callable[[int], object],
    place: Optional[ctypes.c_void_p] = None,
) -> int:
    """Adds what calls `deliver` until it ends, then `release`. Returns its handle.

    `add` gets the number to give as user_data, and where to put the handle: into `place`, before a
    first call. What that has raised is raised here, once `end` has ended it all.
    """
    if place is None:
        place = ctypes.c_void_p()
    number = _callbacks.keep(deliver, release)
    status = add(number, ctypes.byref(place))
    if status:
        _callbacks.forget(number)
        check(status)
    handle = place.value or 0
    try:
        scope.context.thrown.raise_caught()
    except BaseException:
        end(handle)
        raise
    return handle


# Where an observer's calls run, and how much may wait for them ------------------------------------

_NAMES = {None: d.SCHEDULER_IMMEDIATE, "immediate": d.SCHEDULER_IMMEDIATE, "host": d.SCHEDULER_HOST}
#: What happens when a queue is full.
Policy = Literal["reject", "block", "drop-oldest", "drop-newest", "latest"]
POLICIES = {
    "reject": d.QUEUE_REJECT,
    "block": d.QUEUE_BLOCK,
    "drop-oldest": d.QUEUE_DROP_OLDEST,
    "drop-newest": d.QUEUE_DROP_NEWEST,
    "latest": d.QUEUE_LATEST,
}
_LONGEST_SPIN = (1 << 32) - 1


class Scheduler(NamedTuple):
    """A thread of the library's own for observers: `Context.serial` makes it, the close ends it."""

    #: Its number in its context.
    number: int
    #: Its name; the first 15 bytes are the thread's name.
    name: str


#: Where an observer is called: "immediate", "host", or a serial scheduler.
On = Union[Literal["immediate", "host"], Scheduler, None]


class Queue(NamedTuple):
    """Where an observer's events wait, how many may wait, and what happens when it is full."""

    scheduler: int = d.SCHEDULER_IMMEDIATE
    policy: int = d.QUEUE_REJECT
    events: int = 0
    bytes: int = 0
    on_demand: bool = False

    def write(self, options: Union[d.ObserveOptions, d.ServerOptions]) -> None:
        """Writes the queue into the options of an observer or a server."""
        options.scheduler = self.scheduler
        options.policy = self.policy
        options.limit_events = self.events
        options.limit_bytes = self.bytes
        options.flags |= d.OBSERVE_ON_DEMAND if self.on_demand else 0


def queue_of(
    on: On = None, policy: Optional[str] = None, limit: int = 0, limit_bytes: int = 0
) -> Queue:
    """Makes the queue an observer asks for, after checking the arguments."""
    if policy not in (None, *POLICIES):
        raise TypeError(f"policy is one of {', '.join(POLICIES)}, not {policy!r}")
    bounds = whole(limit, "limit"), whole(limit_bytes, "limit_bytes")
    queue = Queue(_number(on), POLICIES[policy or "reject"], *bounds)
    if queue.scheduler == d.SCHEDULER_IMMEDIATE and (policy or limit or limit_bytes):
        raise TypeError(
            "policy, limit, limit_bytes: nothing waits for an observer that is called at once:"
            ' say on="host" or on=context.serial(…)'
        )
    return queue


def _number(on: On) -> int:
    if isinstance(on, Scheduler):
        return on.number
    if on not in _NAMES:
        raise TypeError(f'on is "immediate", "host" or a serial scheduler, not {on!r}')
    return _NAMES[on]


def add_serial(handle: int, name: str, spin: float) -> Scheduler:
    """Adds a serial scheduler; its thread looks for work for `spin` seconds before it sleeps."""
    microseconds = round(spin * 1_000_000)
    if not 0 <= microseconds <= _LONGEST_SPIN:
        raise ValueError(f"spin is {spin} s")
    number = ctypes.c_uint32()
    check(
        C.mainstem_scheduler_add(handle, encoded(name, "name"), microseconds, ctypes.byref(number))
    )
    return Scheduler(number.value, name)

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""An observer's registration on the stream."""

from __future__ import annotations

import ctypes
import warnings
from typing import Any, Callable, Dict, Optional, Sequence

from ._added import added
from ._library import C, _callbacks, confirm, whole
from ._library import _header as d
from ._library._interrupts import warn
from ._protocols import ScopeLike
from .declaration import Declaration
from .failure import Status, check, refuse_async
from .gap import Gap, gap_of
from .received import Event, value_of
from .scheduler import Queue
from .statistics import SubscriptionStats, read_subscription_stats

OnGap = Callable[[Gap], object]

_GAP = d.EVENT_GAP


class Decorator:
    """What `observe` and `serve` give without a function. A warning tells if it never gets one."""

    __slots__ = ("_decorate", "_name")

    def __init__(self, decorate: Callable[[Any], Any], name: str) -> None:
        self._decorate: Optional[Callable[[Any], Any]] = decorate
        self._name = name

    def __call__(self, function: Callable[..., Any]) -> Any:
        decorate, self._decorate = self._decorate, None
        if decorate is None:
            raise TypeError(f"{self._name} takes one function: call it again for another")
        return decorate(function)

    def __del__(self) -> None:
        if getattr(self, "_decorate", None) is not None:
            warnings.warn(
                f"{self._name} was given no function: use it as a decorator, or give the function"
                " as the last argument",
                RuntimeWarning,
                stacklevel=2,
            )


class Filter:
    """Which events to observe, those that match every field; and where."""

    __slots__ = ("count", "declared", "flags", "layers", "of", "on_gap", "queue", "role", "types")

    def __init__(
        self, types: Sequence[int], role: int, layers: int, flags: int, count: int
    ) -> None:
        self.types = types
        self.role = role
        self.layers = layers
        self.flags = flags
        self.count = count
        #: The scope of which only what is sent through it is wanted.
        self.of: Optional[ScopeLike] = None
        self.queue = Queue()
        #: The declarations of the classes whose objects are wanted.
        self.declared: Dict[int, Declaration] = {}
        self.on_gap: Optional[OnGap] = None

    def options(self) -> d.ObserveOptions:
        """The C options, with CONFIRM, so that a callback that vanishes counts as failed."""
        options = d.ObserveOptions(size=ctypes.sizeof(d.ObserveOptions))
        options.flags = self.flags | d.OBSERVE_CONFIRM
        if self.types:
            options.types = (ctypes.c_uint32 * len(self.types))(*self.types)
            options.type_count = len(self.types)
        options.role = self.role
        options.layers = self.layers
        options.count = whole(self.count, "count")
        options.of = None if self.of is None else self.of.handle
        self.queue.write(options)
        return options


class Lost:
    """Tells of what an observer lost: its `on_gap`, or once a warning."""

    __slots__ = ("_is_silent", "_on_gap", "_who")

    def __init__(self, which: Filter, who: object) -> None:
        refuse_async(which.on_gap, "on_gap=")
        self._on_gap = which.on_gap
        self._who = who
        # With this policy, losing is what is wanted.
        self._is_silent = which.queue.policy == d.QUEUE_LATEST

    def tell(self, gap: Gap) -> None:
        """Tells of a gap."""
        if self._on_gap is not None:
            self._on_gap(gap)
        elif not self._is_silent:
            self._is_silent = True
            warn(
                f"{self._who!r} lost events: {gap.count}, #{gap.first} to #{gap.last}: its queue"
                " was full. Give on_gap= a function to hear of each loss, or limit= more room",
                self._who,
            )


class Subscription:
    """An observer's registration. Ends by `cancel`, with its `with` block, or with its scope."""

    __slots__ = (
        "_declared",
        "_ended",
        "_function",
        "_handle",
        "_lost",
        "_scope",
        "_thrown",
        "_types",
        "released",
    )

    #: Whether it has ended and the library has released the function.
    released: bool

    def __init__(
        self,
        scope: ScopeLike,
        function: Callable[..., Any],
        which: Filter,
        ended: Optional[Callable[[], None]] = None,
    ) -> None:
        self._ended = ended
        self._scope = scope
        self._thrown = scope.context.thrown
        self._function = function
        self._declared = which.declared
        self._types = tuple(which.types)
        self._lost = Lost(which, function)
        self.released = False
        options = which.options()
        self._handle = added(
            scope,
            self._deliver,
            self._release,
            lambda number, handle: C.mainstem_observe_with(
                scope.handle,
                ctypes.byref(options),
                _callbacks.on_event,
                number,
                _callbacks.on_release,
                handle,
            ),
            C.mainstem_cancel,
        )

    @property
    def handle(self) -> int:
        """The library's handle."""
        return self._handle

    @property
    def from_(self) -> int:
        """The last position accepted when it was registered. It starts after that (law 2)."""
        position = ctypes.c_uint64()
        check(C.mainstem_subscription_from(self._handle, ctypes.byref(position)))
        return position.value

    def stats(self) -> SubscriptionStats:
        """Reads the counters. Any thread may call this, even while the function runs."""
        return read_subscription_stats(self._handle)

    def demand(self, count: int) -> None:
        """Asks for `count` more events, on demand. Does nothing if the subscription has ended."""
        self._returned(C.mainstem_subscription_demand(self._handle, whole(count, "count")))

    def cancel(self) -> None:
        """Ends the subscription (law 5). Never waits. Any thread may call this.

        Does nothing if it has ended.
        """
        self._returned(C.mainstem_cancel(self._handle))

    def cancel_wait(self) -> None:
        """Ends the subscription, and waits until its running call ends. BUSY inside a callback."""
        self._returned(C.mainstem_cancel_wait(self._handle))

    def __enter__(self) -> "Subscription":
        return self

    def __exit__(self, *exception: object) -> None:
        self.cancel()

    def __repr__(self) -> str:
        known = self._scope.context.catalogue.name_of
        types = ", ".join(map(known, self._types)) or "events"
        who = getattr(self._function, "__qualname__", repr(self._function))
        return f"<mainstem Subscription of {types}{', ended' if self.released else ''}: {who}>"

    def _deliver(self, address: int) -> None:
        event = Event(self._scope, address)
        value: Any = event
        facts = event._facts
        declaration = self._declared.get(facts[7])
        if declaration is not None and not facts[8]:
            value = declaration.received(event)
        thrown = self._thrown
        running = thrown.running
        depth = running.depth
        try:
            running.depth = depth + 1
            if facts[10] & _GAP:
                self._lost.tell(gap_of(event.data))
            else:
                self._function(value)
            confirm(address)
        except BaseException as exception:
            thrown.failed(exception, value, address)
        finally:
            running.depth = depth
            event._address = 0

    def _returned(self, status: int) -> None:
        """Raises a call's error; that the subscription has already ended is not one."""
        self._scope.context.thrown.returned(0 if status == Status.STALE else status)

    def _release(self) -> None:
        self.released = True
        if self._ended is not None:
            self._ended()


class Taken(Subscription):
    """A subscription whose events somebody waits for: no interrupt outside its function loses one.

    The function may get the same event twice in a row.
    """

    __slots__ = ()

    def interrupted(self, address: int) -> None:
        """Delivers the event again after an interrupt in this package's own code."""
        self._deliver(address)

    def _deliver(self, address: int) -> None:
        event = Event(self._scope, address)
        value = value_of(event, self._declared)
        event._address = 0
        self._function(event, value)
        confirm(address)

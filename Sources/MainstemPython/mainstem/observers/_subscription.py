# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Observers: a function that is called, or a mailbox that is emptied, many events with one call."""

from __future__ import annotations

import ctypes
import struct
import warnings
from typing import (
    Any,
    Callable,
    Dict,
    Generic,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
)

from .._library import C, _callbacks, confirm, whole
from .._library import _header as d
from .._library._interrupts import warn
from ..events._catalogue import ScopeLike
from ..events._declaration import Declaration
from ..events._received import Event, Gap, gap_of, recorded, value_of
from ..failure import Status, check, refuse_async
from ._calls import POLICIES, Queue, SubscriptionStats, added, read_subscription_stats

__all__ = [
    "Batch",
    "Buffer",
    "Decorator",
    "EventHeader",
    "Filter",
    "Lost",
    "Mailbox",
    "Record",
    "Subscription",
    "Taken",
    "pack",
    "record_at",
]


# An observer's registration on the stream ---------------------------------------------------------

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


# Many events in one buffer: headers from the front, then the payloads -----------------------------

#: mainstem_event_header, with only size, offset and type set.
_HEADER = struct.Struct("=40x3I12x")
#: mainstem_event_header in full.
_WHOLE_HEADER = struct.Struct("=4Qq3Ii2I")
#: Only its offset.
_OFFSET = struct.Struct("=44xI")
#: The address of the payload, which follows it in mainstem_event.
_ADDRESS = struct.Struct("=Q")
#: Padding to the next multiple of 8, so that structs are aligned in place.
_PADDING = tuple(b"\0" * (-size % 8) for size in range(8))


def pack(numbers: List[int], payloads: List[bytes]) -> Tuple[bytes, int]:
    """Packs events, given their type numbers and payloads. Returns the buffer and the count."""
    header = _HEADER.pack
    offset = len(numbers) * _HEADER.size
    parts = []
    for number, payload in zip(numbers, payloads):
        size = len(payload)
        parts.append(header(size, offset, number))
        offset += size + 7 & -8
    count = len(parts)
    for payload in payloads:
        parts.append(payload)
        if len(payload) & 7:
            parts.append(_PADDING[len(payload) & 7])
    return b"".join(parts), count


class EventHeader(NamedTuple):
    """The fields of a record's header: `EventHeader._make(header)`, or `header[7]` for the type."""

    position: int
    cause: int
    correlation: int
    answers: int
    time: int
    size: int
    offset: int
    type: int
    status: int
    origin: int
    flags: int


#: A header, as a plain tuple in the order of `EventHeader`, and the payload.
Record = Tuple[Tuple[int, ...], bytes]


def record_at(address: int) -> Record:
    """The header and the payload of an event in the library's memory."""
    header = _WHOLE_HEADER.unpack(ctypes.string_at(address, _WHOLE_HEADER.size))
    (data,) = _ADDRESS.unpack(ctypes.string_at(address + _WHOLE_HEADER.size, _ADDRESS.size))
    return header, ctypes.string_at(data, header[5])


class Batch:
    """Records that came with one call: a copy of their headers, and of their payloads.

    It is a sequence of them. What only counts reads the columns instead, and makes no objects.
    """

    __slots__ = ("_begin", "_heads", "_payloads")

    def __init__(self, heads: bytes, payloads: bytes, begin: int) -> None:
        self._heads = heads
        self._payloads = payloads
        # Where the payloads began in the library's buffer.
        self._begin = begin

    def __len__(self) -> int:
        return len(self._heads) // _WHOLE_HEADER.size

    def __iter__(self) -> Iterator[Record]:
        return zip(self.headers(), self.payloads())

    def __getitem__(self, index: int) -> Record:
        header = _WHOLE_HEADER.unpack_from(self._heads, index * _WHOLE_HEADER.size)
        return header, self._payload(header)

    def headers(self) -> Iterator[Tuple[int, ...]]:
        """The headers, each as a tuple in the order of `EventHeader`."""
        return _WHOLE_HEADER.iter_unpack(self._heads)

    def payloads(self) -> List[bytes]:
        """The payloads."""
        payloads, begin = self._payloads, self._begin
        sizes, places = self.column("size"), self.column("offset")
        return [payloads[at - begin : at - begin + size] for at, size in zip(places, sizes)]

    def column(self, name: str) -> List[int]:
        """One field of all headers, by its name in `EventHeader`."""
        words = memoryview(self._heads)
        if name in _WIDE:
            wide = words.cast("q") if name == "time" else words.cast("Q")
            return wide[_WIDE[name] :: 8].tolist()
        column = words.cast("i") if name == "status" else words.cast("I")
        return column[_COLUMNS[name] :: 16].tolist()

    def _payload(self, header: Tuple[int, ...]) -> bytes:
        at = header[6] - self._begin
        return self._payloads[at : at + header[5]]


#: Where a field is in a header, in words of eight bytes, or of four.
_WIDE = {"position": 0, "cause": 1, "correlation": 2, "answers": 3, "time": 4}
_COLUMNS = {"size": 10, "offset": 11, "type": 12, "status": 13, "origin": 14, "flags": 15}
_NONE = Batch(b"", b"", 0)


class Buffer:
    """Memory that a function of the library fills with events."""

    __slots__ = ("_memory",)

    def __init__(self, size: int) -> None:
        self._memory = ctypes.create_string_buffer(size)

    @property
    def address(self) -> int:
        """Its address; valid until it is filled again."""
        return ctypes.addressof(self._memory)

    def fill(self, function: Any, *what: Any) -> Batch:
        """Fetches the next events; grows the buffer if not even one event fits.

        `what` comes before the buffer: a handle, and of a journal flags.
        """
        count, needed = ctypes.c_size_t(), ctypes.c_size_t()
        while True:
            memory = self._memory
            size = ctypes.sizeof(memory)
            status = function(*what, memory, size, ctypes.byref(count), ctypes.byref(needed))
            if status != Status.TOO_BIG:
                break
            self._memory = ctypes.create_string_buffer(needed.value)
        check(status)
        if not count.value:
            return _NONE
        # The last event's payload comes first in the buffer.
        heads = ctypes.string_at(memory, count.value * _WHOLE_HEADER.size)
        (begin,) = _OFFSET.unpack_from(heads, len(heads) - _WHOLE_HEADER.size)
        return Batch(heads, ctypes.string_at(self.address + begin, size - begin), begin)


# Events that wait until they are fetched, many with one library call ------------------------------

_FIRST_SIZE = 1 << 16


Waiting = TypeVar("Waiting")


class Mailbox(Generic[Waiting]):
    """An observer without a function: its events wait until they are fetched.

    It ends by `cancel`, with its `with` block, or with its scope.
    """

    __slots__ = ("_buffer", "_declared", "_fetched", "_handle", "_lost", "_scope")

    def __init__(self, scope: ScopeLike, which: Filter, policy: str, limit: int) -> None:
        if policy not in POLICIES:
            raise ValueError(f"policy is one of {', '.join(POLICIES)}, not {policy!r}")
        options = which.options()
        options.flags &= ~d.OBSERVE_CONFIRM
        options.scheduler = d.SCHEDULER_HOST
        options.policy = POLICIES[policy]
        options.limit_events = whole(limit, "limit")
        handle = ctypes.c_void_p()
        check(
            C.mainstem_observe_with(
                scope.handle,
                ctypes.byref(options),
                d.EVENT_FN(),
                None,
                d.RELEASE_FN(),
                ctypes.byref(handle),
            )
        )
        self._scope = scope
        self._declared = which.declared
        which.queue = which.queue._replace(policy=POLICIES[policy])
        self._lost = Lost(which, self)
        self._handle = handle.value or 0
        self._buffer = Buffer(_FIRST_SIZE)
        self._fetched: Iterator[Record] = iter(())

    @property
    def handle(self) -> int:
        """The library's handle."""
        return self._handle

    def records(self) -> Iterator[Record]:
        """Yields each waiting event as its header and its payload: the fastest way.

        The header is a tuple in the order of `EventHeader`; a loss has the flag EVENT_GAP. If you
        stop early, the next call goes on from there.
        """
        while True:
            yield from self._fetched
            self._fetch()
            record = next(self._fetched, None)
            if record is None:
                return
            yield record

    def events(self) -> Iterator[Waiting]:
        """Yields each waiting event as an observer would get it; tells `on_gap` of lost ones."""
        for header, data in self.records():
            if header[10] & d.EVENT_GAP:
                self._lost.tell(gap_of(data))
            else:
                yield recorded(self._scope, header, data, self._declared)

    def stats(self) -> SubscriptionStats:
        """Reads the mailbox's counters. Any thread may call this."""
        return read_subscription_stats(self._handle)

    def cancel(self) -> None:
        """Ends the mailbox and drops waiting events. Never waits. Does nothing if it has ended."""
        status = C.mainstem_cancel(self._handle)
        self._scope.context.thrown.returned(0 if status == Status.STALE else status)

    def __enter__(self) -> "Mailbox[Waiting]":
        return self

    def __exit__(self, *exception: object) -> None:
        self.cancel()

    def _fetch(self) -> None:
        # Stored first: an exception from a callback this call ran must not lose fetched events.
        self._fetched = iter(self._buffer.fill(C.mainstem_mailbox_take, self._handle))
        self._scope.context.thrown.raise_caught()

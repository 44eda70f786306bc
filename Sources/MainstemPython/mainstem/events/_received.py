# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Events as they come from the stream, and how they are answered."""

from __future__ import annotations

import ctypes
import dataclasses
import struct
import weakref
from typing import Any, Callable, Dict, Generic, Optional, Tuple, Type, TypeVar, Union

from .._library import C, _callbacks
from .._library import _header as d
from ..failure import (
    Failure,
    MainstemError,
    Status,
    check,
    discreet,
    failure_in,
    refusal,
    refuse_async,
    status_of,
)
from ._catalogue import ScopeLike
from ._declaration import Declaration, Value
from ._payload import Data
from ._rows import Rows
from ._wire import Scalar

__all__ = [
    "MEMORY",
    "Event",
    "Gap",
    "Retained",
    "error_of",
    "event_of",
    "from_record",
    "gap_of",
    "may_quote",
    "received",
    "recorded",
    "respond",
    "text_of",
    "unpack_facts",
    "value_of",
    "withheld",
    "write_struct",
]


# What an observer gets instead of events it lost --------------------------------------------------

_GAP = struct.Struct("=3Q")


@dataclasses.dataclass(frozen=True)
class Gap:
    """What one observer lost: the positions of the first and last event, and how many.

    It comes where the events would have been: before the observer's next event or, at the end of a
    burst, after the last waiting one. It is not on the stream.
    """

    first: int
    last: int
    count: int


def gap_of(data: bytes) -> Gap:
    """Decodes a gap's payload."""
    return Gap(*_GAP.unpack(data))


# How a request is answered, and hears that somebody else has settled it ---------------------------

#: What answers a request: a value, bytes, text or a scalar, or a Failure.
Answer = Union[Value, bytes, str, Scalar, Failure]


def respond(scope: ScopeLike, address: int, request_type: int, answer: Any) -> None:
    """Answers a request with a value, bytes or text, or a Failure."""
    if isinstance(answer, Failure):
        check(C.mainstem_respond_error_with(address, ctypes.byref(error_of(answer))))
        return
    data = scope.context.catalogue.encode_answer(request_type, answer)
    status = C.mainstem_respond(address, data, len(data))
    if status:
        check(status)


def tell(scope: ScopeLike, address: int, step: Any, data: Any) -> None:
    """Reports progress of a request, before its answer."""
    number, payload = scope.context.catalogue.outgoing(step, data)
    check(C.mainstem_respond_progress(address, number, payload, len(payload)))


def error_of(failure: Failure) -> d.ErrorStruct:
    """Returns a failure as the C struct."""
    texts = [_shown(text) for text in (failure.message, failure.text, failure.subject)]
    return d.ErrorStruct(ctypes.sizeof(d.ErrorStruct), int(failure.code), *texts)


def _shown(text: str) -> bytes:
    """Encodes an error's text for C; what cannot be encoded is replaced: errors must arrive."""
    return str(text).replace("\0", "\\0").encode("utf-8", "replace")


class Settled:
    """A function that the library calls when somebody else has settled a request."""

    __slots__ = ("_event", "_function", "_scope")

    def __init__(self, scope: ScopeLike, function: Callable[[], object], event: Any) -> None:
        refuse_async(function, "on_settled's function")
        self._scope = scope
        self._function = function
        self._event = event

    def deliver(self, _: int) -> None:
        """Runs the function for the library."""
        thrown = self._scope.context.thrown
        depth = thrown.depth()
        try:
            thrown.enter(depth)
            self._function()
        except BaseException as exception:
            thrown.report(exception, self._event)
        finally:
            thrown.leave(depth)


# Events, and retained ones ------------------------------------------------------------------------

Kept = TypeVar("Kept")
Made = TypeVar("Made", bound="Event")

_LAYOUT = struct.Struct("=4Qq3Ii2I6Q")
#: The facts and the address of the payload; the text is there too.
unpack_facts = struct.Struct("=4Qq3Ii2IQ").unpack_from
#: All memory as one array of bytes: reading a slice of it is the fastest copy that ctypes has.
MEMORY: Any = (ctypes.c_char * ((1 << 63) - 1)).from_address(0)
_NO_POINTER = (0,)
_LINE = 512


def _fact(index: int, message: str) -> Any:
    return property(lambda event: event._facts[index], doc=message)


def _flag(flag: int, message: str) -> Any:
    return property(lambda event: bool(event._facts[10] & flag), doc=message)


class Event:
    """An event as it came from the stream: an immutable copy.

    Events of a type declared as a class arrive as objects of that class. Events of all other types,
    and failed responses, arrive as an Event.
    """

    __slots__ = ("_address", "_facts", "_answered", "_rows", "_scope", "_through", "data")

    #: The payload's bytes; for a failed response, its packed error; of a list, its changes.
    data: bytes

    def __init__(self, scope: ScopeLike, address: int) -> None:
        # One unpack of the struct, and one copy of the payload.
        facts = self._facts = unpack_facts(MEMORY, address)
        self._scope = scope
        self._address = address
        if facts[9]:
            # Looked up now: once the scope has ended and the event is gone, it is forgotten.
            name = scope.context.origins.get(facts[9])
            self._through = name_through(scope, facts[9]) if name is None else name
        start = facts[11]
        self.data = MEMORY[start : start + facts[5]]
        if facts[10] & d.EVENT_LIST:
            # Held now: once its callback is over, the library may free the list.
            self._rows = rows_of(scope, address, facts[7])

    position: int = _fact(0, "Its place on the stream.")
    cause: int = _fact(1, "The event whose delivery sent it; 0 = outside.")
    correlation: int = _fact(2, "The outside event that began the chain.")
    answers: int = _fact(3, "The request it answers; 0 = none.")
    time: int = _fact(4, "When accepted, in ns since 1970; 0 if times are not kept.")
    size: int = _fact(5, "Bytes in `data`.")
    type: int = _fact(7, "The number of its type.")
    origin_number: int = _fact(9, "The number of the scope it was sent through.")

    outside: bool = _flag(d.EVENT_OUTSIDE, "Whether it came from outside; a replay feeds it in.")
    tracked: bool = _flag(d.EVENT_TRACKED, "Whether it is a request that one response answers.")
    is_progress: bool = _flag(d.EVENT_PROGRESS, "Whether it is progress, not a response.")
    is_shared: bool = _flag(d.EVENT_SHARED, "Whether it is a shared request, or for one.")
    late: bool = _flag(d.EVENT_LATE, "Whether it comes from a history, to a later observer.")
    secret: bool = _flag(d.EVENT_SECRET, "Whether its type is a secret: do not show its payload.")

    @property
    def failed(self) -> bool:
        """Whether it is a failed response, which carries an error."""
        return bool(self._facts[8])

    @property
    def has_answered(self) -> bool:
        """Whether it was answered through this object."""
        return getattr(self, "_answered", False)

    @property
    def event(self) -> "Event":
        """The event itself; objects of event classes have the same attribute."""
        return self

    @property
    def status(self) -> Status:
        """OK, or the code of a failed response."""
        return status_of(self._facts[8])

    @property
    def name(self) -> str:
        """The name of its type."""
        return self._scope.context.catalogue.name_of(self.type)

    @property
    def origin(self) -> str:
        """The name of the scope it was sent through; empty for the context itself."""
        return self._through if self._facts[9] else ""

    @property
    def scope(self) -> Any:
        """The `Scope` it was observed with."""
        return self._scope

    @property
    def error(self) -> Optional[Failure]:
        """The error of a failed response, maybe a RequestTimeout; None for any other event."""
        return failure_in(self.data, self.status, self.origin_number) if self.failed else None

    @property
    def value(self) -> Any:
        """The object of its declared class, a scalar, or the `Rows` of a list.

        None for others, if it failed, and for a list that is not known because a journal has not
        kept it.
        """
        if self._facts[10] & d.EVENT_LIST or self._has_lost_rows:
            return self._list()
        return None if self.failed else self._scope.context.catalogue.value_of(self, self.type)

    @property
    @discreet
    def text(self) -> str:
        """The payload as text; for a failed response, what to tell a user."""
        error = self.error
        return text_of(self) if error is None else error.user_message

    def retain(self) -> "Retained[Any]":
        """Keeps the event beyond its callback, so that it can be answered later."""
        retained = ctypes.c_void_p()
        check(C.mainstem_event_retain(self._readable(), ctypes.byref(retained)))
        return Retained(self._scope, retained.value)

    @discreet
    def respond(self, answer: Answer) -> None:
        """Answers this request with a value, bytes or text, or a Failure.

        Inside its callback, in its async handler, or while it is retained.
        """
        respond(self._scope, self._live(), self.type, answer)
        self._answered = True
        self._scope.context.thrown.raise_caught()

    @discreet
    def progress(self, step: Union[Value, str], data: Data = None) -> None:
        """Reports progress of this request: a notice, or a type and data.

        Inside its callback, in its async handler, or while it is retained.
        """
        tell(self._scope, self._live(), step, data)
        self._scope.context.thrown.raise_caught()

    def on_settled(self, function: Callable[[], object]) -> None:
        """Calls `function` once if somebody else settles this request, so that work on it can stop.

        That is when the requester cancels it, its time is up, another server answers, or the
        context closes. Not when this server answers or ends. Call this inside the callback, before
        answering. The function runs where the callback ran; if it is too late already, at once.
        """
        address = Event._live(self)
        number = _callbacks.keep(Settled(self._scope, function, self).deliver)
        status = C.mainstem_event_on_settled(
            address, _callbacks.on_settled, number, _callbacks.on_release
        )
        if status:
            _callbacks.forget(number)
            check(status)

    @property
    def is_settled(self) -> bool:
        """Whether nobody waits for the answer to this request any more.

        For a handler that works long: it asks now and then, and stops. True also once answered.
        """
        settled = ctypes.c_bool()
        check(C.mainstem_event_is_settled(self._live(), ctypes.byref(settled)))
        return settled.value

    def __str__(self) -> str:
        """The library's line, the same everywhere."""
        event = self._readable()
        length = ctypes.c_size_t()
        buffer = ctypes.create_string_buffer(_LINE)
        if C.mainstem_event_line(event, buffer, _LINE, ctypes.byref(length)):
            return f"#{self.position} {self.name} (its context is closed)"
        if length.value >= _LINE:
            buffer = ctypes.create_string_buffer(length.value + 1)
            C.mainstem_event_line(event, buffer, length.value + 1, None)
        return buffer.value.decode("utf-8", "replace")

    __repr__ = __str__

    def _decoded(self, decode: Callable[[bytes], Any]) -> Any:
        """Returns what it shows; of a list, the rows, each of which is decoded like this."""
        if self._facts[10] & d.EVENT_LIST:
            return self._list()._read_with(decode)
        return decode(self.data)

    @property
    def _has_lost_rows(self) -> bool:
        """Whether it is of a list whose rows stayed with the library, as in a mailbox."""
        return self._is_unknown_list and not self._facts[10] & d.EVENT_MARKED

    @property
    def _is_unknown_list(self) -> bool:
        """Whether it is of a list that a journal has not kept: it has no rows."""
        if self._facts[10] & d.EVENT_LIST or self._facts[8]:
            return False
        return self._scope.context.catalogue.is_list(self.type)

    def _list(self) -> "Rows[Any]":
        rows: Optional[Rows[Any]] = getattr(self, "_rows", None)
        if rows is None:
            raise RuntimeError(
                f"{self}: this event came without its rows: observe the list with a function, or"
                " get() it"
            )
        return rows

    def _live(self) -> int:
        if not self._address:
            raise RuntimeError(
                f"{self}: its callback is over: retain() it there to answer it later"
            )
        return self._address

    def _readable(self) -> Any:
        """The library's event during the callback; afterwards a struct with the same content."""
        if self._address:
            return self._address
        facts = self._facts[:10] + (self._facts[10] & ~d.EVENT_LIST, self._facts[11])
        event = d.EventStruct.from_buffer_copy(_LAYOUT.pack(*facts, 0, 0, 0, 0, 0))
        # The struct lives only during the call that gets it, and this Event keeps the bytes alive.
        event.data = ctypes.cast(ctypes.c_char_p(self.data), ctypes.c_void_p)
        event.user_message = event.data
        event.context = self._scope.context.handle
        return ctypes.byref(event)


def rows_of(scope: ScopeLike, address: int, number: int) -> "Optional[Rows[Any]]":
    """Returns the rows of a list's event; None for one that the library only describes."""
    try:
        return Rows(scope.context.catalogue, address, number)
    except MainstemError:
        return None


def text_of(event: Event) -> str:
    """Returns a payload as text."""
    try:
        return event.data.decode("utf-8")
    except UnicodeDecodeError as error:
        if not event.secret:
            raise
        refused = refusal(error, f"#{event.position} {event.name}")
    try:
        raise refused
    finally:
        del refused


def received(scope: ScopeLike, address: int) -> Any:
    """Returns an event as an object of its declared class, or else as an Event."""
    return value_of(Event(scope, address), scope.context.catalogue.declared)


def value_of(event: Event, declared: Dict[int, Declaration]) -> Any:
    """Returns an event as an object of its class if that is among these, or else as it is.

    A failed response is as it is, and a gap is a Gap.
    """
    facts = event._facts
    declaration = declared.get(facts[7])
    if declaration is not None and not facts[8]:
        return declaration.received(event)
    return gap_of(event.data) if facts[10] & d.EVENT_GAP else event


def recorded(
    scope: ScopeLike, header: Tuple[int, ...], data: bytes, declared: Dict[int, Declaration]
) -> Any:
    """Returns what a callback would have got, from a record in a batch."""
    return value_of(from_record(Event, scope, header, data), declared)


def from_record(kind: Type[Made], scope: Any, header: Tuple[int, ...], data: bytes) -> Made:
    """Makes an Event, or an instance of this subclass, from a record in a batch."""
    event = kind.__new__(kind)
    event._facts = header + _NO_POINTER
    event._scope = scope
    event._address = 0
    if header[9]:
        event._through = name_through(scope, header[9]) if scope is not None else ""
    event.data = data
    return event


def name_through(scope: ScopeLike, origin: int) -> str:
    """Returns the name of an origin; empty if it was forgotten before the event was fetched."""
    try:
        return scope.context.name_of_origin(origin)
    except MainstemError:
        return ""


def write_struct(event: Event, struct: d.EventStruct, payload: int) -> None:
    """Writes an event into the library's struct, with its payload at an address."""
    facts = event._facts[:10] + (event._facts[10] & ~d.EVENT_LIST,)
    _LAYOUT.pack_into(struct, 0, *facts, payload, payload, 0, 0, 0, 0)


def event_of(value: Any) -> Event:
    """Returns the Event behind what a callback got."""
    event: Event = value.__dict__["_event"] if isinstance(value, Value) else value
    return event


def may_quote(value: Any) -> bool:
    """Whether an exception in this callback may quote a secret: its event, or the answer to it."""
    event = event_of(value)
    if not isinstance(event, Event):
        return False
    return event.secret or event._scope.context.catalogue.answers_with_secret(event.type)


def withheld(value: Any) -> "Event":
    """Returns a secret without its payload, similar to what a journal keeps of it."""
    event = event_of(value)
    if not event.secret:
        return event
    facts = event._facts[:5] + (0,) + event._facts[6:8] + (0,) + event._facts[9:11]
    return from_record(Event, event._scope, facts, b"")


class _KeptEvent(Event):
    """The event of a Retained: it can be answered until that is released."""

    __slots__ = ("_retained",)

    _retained: "weakref.ref[Retained[Any]]"

    def _live(self) -> int:
        retained = self._retained()
        if retained is None or retained.released:
            raise RuntimeError(f"{self}: it was released: answer it before that")
        return retained._pointer()


class Retained(Generic[Kept]):
    """A retained event: read or answer it until it is released. Any thread may use it."""

    __slots__ = ("__weakref__", "_handle", "_scope", "value")

    #: What the callback got.
    value: Kept

    def __init__(self, scope: ScopeLike, handle: Optional[int]) -> None:
        self._scope = scope
        self._handle = handle
        event = _KeptEvent(scope, self._pointer())
        event._address = 0
        event._retained = weakref.ref(self)
        self.value = value_of(event, scope.context.catalogue.declared)

    @property
    def event(self) -> Event:
        """The retained event."""
        return event_of(self.value)

    @discreet
    def respond(self, answer: Answer) -> None:
        """Answers the request with a value, bytes or text, or a Failure. Any thread may do so."""
        self.answer(answer)
        self._scope.context.thrown.raise_caught()

    def answer(self, answer: Any) -> None:
        """Like `respond`, but an exception from a callback is left to a later call."""
        respond(self._scope, self._pointer(), self.event.type, answer)

    @discreet
    def progress(self, step: Union[Value, str], data: Data = None) -> None:
        """Reports progress: a notice, or a type and data. Any thread may do so."""
        tell(self._scope, self._pointer(), step, data)
        self._scope.context.thrown.raise_caught()

    @property
    def released(self) -> bool:
        """Whether it has been released."""
        return self._handle is None

    def release(self) -> None:
        """Releases the event; a second call does nothing."""
        handle, self._handle = self._handle, None
        # It has ended with a closed context. To release it would fail, and this may run as a
        # finalizer between another call and its `check`, which would read that failure's message.
        if handle is not None and not self._scope.context.closed:
            C.mainstem_retained_release(handle)

    def __enter__(self) -> "Retained[Kept]":
        return self

    def __exit__(self, *exception: object) -> None:
        self.release()

    def __del__(self) -> None:
        # An interrupt in __init__ may have left it without a handle.
        if getattr(self, "_handle", None) is not None:
            self.release()

    def _pointer(self) -> int:
        pointer = ctypes.c_void_p()
        check(C.mainstem_retained_event(self._handle, ctypes.byref(pointer)))
        return pointer.value or 0

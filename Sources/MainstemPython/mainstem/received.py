# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""An event as it came from the stream, and a kept one."""

from __future__ import annotations

import ctypes
import struct
from typing import TYPE_CHECKING, Any, Optional, Tuple

from . import _declarations as d
from ._declarations import C
from ._secrecy import discreet, refusal
from .declaration import Value
from .failure import Failure, MainstemError, check
from .gap import gap_of
from .status import status_of

if TYPE_CHECKING:
    from .scope import Scope

_LAYOUT = struct.Struct("=4Qq3Ii2I6Q")
_SIZE = ctypes.sizeof(d.EventStruct)
_Bytes = ctypes.c_char * _SIZE
_NO_POINTERS = (0,) * 6
_LINE = 512


def _fact(index: int, sentence: str) -> Any:
    return property(lambda event: event._facts[index], doc=sentence)


class Event:
    """An event as it came: immutable, a copy of its own.

    Events of a type that is declared as a class arrive as an object of that class. What has none,
    and each failed response, arrives as an Event.
    """

    __slots__ = ("_address", "_facts", "_has_answered", "_scope", "_through", "data")

    #: The payload's bytes; of a failed response, its packed error.
    data: bytes

    def __init__(self, scope: "Scope", address: int) -> None:
        # The fastest way ctypes has: one view of the struct, one unpack, one copy of the payload.
        facts = _LAYOUT.unpack_from(_Bytes.from_address(address))
        self._facts = facts
        self._scope = scope
        self._address = address
        self._has_answered = False
        # Now: when the scope has ended and the event is gone, nobody knows it any more.
        self._through = name_through(scope, facts[9]) if facts[9] else ""
        self.data = ctypes.string_at(facts[11], facts[5]) if facts[5] else b""

    position: int = _fact(0, "Its place on the stream.")
    cause: int = _fact(1, "The event whose delivery sent it; 0 = outside.")
    correlation: int = _fact(2, "The outside event that began the chain.")
    answers: int = _fact(3, "The request it answers; 0 = none.")
    time: int = _fact(4, "Nanoseconds since 1970 when accepted; 0 where not asked for.")
    size: int = _fact(5, "Bytes in `data`.")
    type: int = _fact(7, "The number of its type.")
    origin_number: int = _fact(9, "The number of the scope it was sent through.")

    @property
    def outside(self) -> bool:
        """Whether it came from no callback of its context."""
        return bool(self._facts[10] & d.EVENT_OUTSIDE)

    @property
    def tracked(self) -> bool:
        """Whether it is a request that is owed an answer."""
        return bool(self._facts[10] & d.EVENT_TRACKED)

    @property
    def is_progress(self) -> bool:
        """Whether it says how far the request that it answers has come: not its response."""
        return bool(self._facts[10] & d.EVENT_PROGRESS)

    @property
    def late(self) -> bool:
        """Whether it was kept, and comes to an observer that joined after it."""
        return bool(self._facts[10] & d.EVENT_LATE)

    @property
    def secret(self) -> bool:
        """Whether its type is a secret: its payload is to be neither shown nor kept."""
        return bool(self._facts[10] & d.EVENT_SECRET)

    @property
    def failed(self) -> bool:
        """Whether it is a failed response, which carries an error."""
        return self._facts[8] != 0

    @property
    def event(self) -> "Event":
        """Itself, as for an object of a class."""
        return self

    @property
    def status(self) -> int:
        """OK, or of a failed response its code."""
        return status_of(self._facts[8])

    @property
    def name(self) -> str:
        """The name of its type."""
        return self._scope.context.catalogue.name_of(self.type)

    @property
    def origin(self) -> str:
        """The name of the scope it was sent through; empty for the context itself."""
        return self._through

    @property
    def scope(self) -> "Scope":
        """The scope it was observed with."""
        return self._scope

    @property
    def error(self) -> Optional[Failure]:
        """The error of a failed response, else None."""
        if not self.failed:
            return None
        parts = self.data.decode("utf-8", "replace").split("\0") + ["", "", ""]
        return Failure(parts[0], user_text=parts[1], code=self.status, subject=parts[2])

    @property
    @discreet
    def text(self) -> str:
        """The payload as text; of a failed response what to show a person."""
        error = self.error
        return text_of(self) if error is None else error.user_text

    def retain(self) -> "Retained":
        """Keeps the event, so that it can be answered after the callback."""
        retained = ctypes.c_void_p()
        check(C.mainstem_event_retain(self._readable(), ctypes.byref(retained)))
        return Retained(self._scope, retained.value)

    @discreet
    def respond(self, answer: Any) -> None:
        """Answers this request, in its callback: a value, bytes or text, or a Failure."""
        respond(self._scope, self._live(), self.type, answer)
        self._has_answered = True

    @discreet
    def progress(self, step: Any, data: Any = None) -> None:
        """Says, in its callback, how far this request has come: a notice, or a type and data."""
        tell(self._scope, self._live(), step, data)

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

    def _live(self) -> int:
        if not self._address:
            raise RuntimeError(
                f"{self}: its callback is over: retain() it there to answer it later"
            )
        return self._address

    def _readable(self) -> Any:
        """The library's event during the callback; afterwards a struct of the same content."""
        if self._address:
            return self._address
        event = d.EventStruct.from_buffer_copy(_LAYOUT.pack(*self._facts))
        # The struct lives only during the call that gets it, and this Event keeps the bytes.
        event.data = ctypes.cast(ctypes.c_char_p(self.data), ctypes.c_void_p)
        event.text = event.data
        event.context = self._scope.context.handle
        return ctypes.byref(event)


def text_of(event: Event) -> str:
    """A payload as text."""
    try:
        return event.data.decode("utf-8")
    except UnicodeDecodeError as error:
        if not event.secret:
            raise
        refused = refusal(error, f"#{event.position} {event.name}")
    raise refused


def received(scope: "Scope", address: int) -> Any:
    """What a callback gets: an object of the declared class, else an Event."""
    return value_of(Event(scope, address))


def value_of(event: Event) -> Any:
    """An event as an object of the declared class, else as it is; a Gap where events were lost."""
    facts = event._facts
    declaration = event._scope.context.catalogue.declared.get(facts[7])
    if declaration is not None and not facts[8]:
        return declaration.received(event)
    return gap_of(event.data) if facts[10] & d.EVENT_GAP else event


def recorded(scope: "Scope", header: Tuple[int, ...], data: bytes) -> Any:
    """What a callback would have got, from its record in a batch."""
    event = from_record(Event, scope, header, data)
    declaration = scope.context.catalogue.declared.get(header[7])
    return event if declaration is None or header[8] else declaration.received(event)


def from_record(kind: Any, scope: Any, header: Tuple[int, ...], data: bytes) -> Any:
    """An Event, of this kind of it, from its record in a batch."""
    event = kind.__new__(kind)
    event._facts = header + _NO_POINTERS
    event._scope = scope
    event._address = 0
    event._has_answered = False
    event._through = name_through(scope, header[9]) if scope is not None and header[9] else ""
    event.data = data
    return event


def name_through(scope: "Scope", origin: int) -> str:
    """The name of an origin; empty where its scope was forgotten before the event was fetched."""
    try:
        return scope.context.name_of_origin(origin)
    except MainstemError:
        return ""


def write_struct(event: Event, struct: d.EventStruct, payload: int) -> None:
    """The event as the library has it, whose payload is at an address."""
    _LAYOUT.pack_into(struct, 0, *event._facts[:11], payload, payload, 0, 0, 0, 0)


def event_of(value: Any) -> Event:
    """The Event behind what a callback got."""
    return value.__dict__["_event"] if isinstance(value, Value) else value


def may_quote(value: Any) -> bool:
    """Whether what is thrown about what a callback got may quote a secret: it, or its answer."""
    event = event_of(value)
    if not isinstance(event, Event):
        return False
    return event.secret or event._scope.context.catalogue.answers_with_secret(event.type)


def withheld(value: Any) -> "Event":
    """A secret as a journal has it: position, type, cause, origin, flags, and no payload."""
    event = event_of(value)
    if not event.secret:
        return event
    facts = event._facts[:5] + (0,) + event._facts[6:8] + (0,) + event._facts[9:11]
    return from_record(Event, event._scope, facts, b"")


def respond(scope: "Scope", address: int, request_type: int, answer: Any) -> None:
    """Answers a request with a value, bytes or text, or a Failure."""
    if isinstance(answer, Failure):
        check(C.mainstem_respond_error_with(address, ctypes.byref(error_of(answer))))
        return
    data = scope.context.catalogue.encode_answer(request_type, answer)
    check(C.mainstem_respond(address, data, len(data)))


def tell(scope: "Scope", address: int, step: Any, data: Any) -> None:
    """Says how far a request has come, before its answer."""
    number, payload = scope.context.catalogue.outgoing(step, data)
    check(C.mainstem_respond_progress(address, number, payload, len(payload)))


def error_of(failure: Failure) -> d.ErrorStruct:
    """A failure as C takes it."""
    texts = [_shown(text) for text in (failure.sentence, failure.text, failure.subject)]
    return d.ErrorStruct(ctypes.sizeof(d.ErrorStruct), int(failure.code), *texts)


def _shown(text: str) -> bytes:
    """An error's text for C; an error must arrive, so what cannot be encoded is replaced."""
    return str(text).replace("\0", "\\0").encode("utf-8", "replace")


class Retained:
    """A kept event: read it, or answer it, until it is released. Any thread may use it."""

    __slots__ = ("_handle", "_scope", "value")

    #: What the callback got.
    value: Any

    def __init__(self, scope: "Scope", handle: int) -> None:
        self._scope = scope
        self._handle: Optional[int] = handle
        self.value = received(scope, self._pointer())
        event_of(self.value)._address = 0

    @property
    def event(self) -> Event:
        """The kept event."""
        return event_of(self.value)

    @discreet
    def respond(self, answer: Any) -> None:
        """Answers the request: a value, bytes or text, or a Failure. Any thread."""
        self.answer(answer)
        self._scope.context.thrown.raise_caught()

    def answer(self, answer: Any) -> None:
        """As `respond`; what a callback threw is left to a later call."""
        respond(self._scope, self._pointer(), self.event.type, answer)

    @discreet
    def progress(self, step: Any, data: Any = None) -> None:
        """Says how far the request has come: a notice, or a type with its data. Any thread."""
        tell(self._scope, self._pointer(), step, data)
        self._scope.context.thrown.raise_caught()

    @property
    def released(self) -> bool:
        """Whether it has ended."""
        return self._handle is None

    def release(self) -> None:
        """Ends it; the second time does nothing."""
        handle, self._handle = self._handle, None
        if handle is not None:
            C.mainstem_retained_release(handle)

    def __enter__(self) -> "Retained":
        return self

    def __exit__(self, *exception: object) -> None:
        self.release()

    def __del__(self) -> None:
        # An interrupt may have kept it from being made.
        if getattr(self, "_handle", None) is not None:
            self.release()

    def _pointer(self) -> int:
        pointer = ctypes.c_void_p()
        check(C.mainstem_retained_event(self._handle, ctypes.byref(pointer)))
        return pointer.value

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What only a context has: its limits and types, its clock, and what the host drains."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, Type, Union

from .._library import C, _callbacks, _interrupts, milliseconds_of, whole
from .._library import _header as d
from .._library._header import ContextOptions
from .._library._interrupts import report_unraisable
from ..events._catalogue import Catalogue
from ..events._declaration import Value
from ..events._lists import KeyOf, list_form
from ..events._payload import (
    EventType,
    Payload,
    Record,
    Role,
    add_type,
    layer_bits,
    payload_bits,
    read_type,
    record_bits,
    role_bits,
)
from ..failure import Status, check, refuse_async
from ..servers._requests import wait

if TYPE_CHECKING:
    from ..observers._calls import Thrown

__all__ = ["Clock", "Draining", "Limits", "Registering", "create"]


# What one context may use -------------------------------------------------------------------------


class Limits(NamedTuple):
    """The limits of a context (law 9): `Context(limits=Limits(payload=10000))`. 0: the default."""

    #: Subscriptions at a time, including server handlers.
    observers: int = 0
    #: Bytes per payload.
    payload: int = 0
    #: Causes from an event back to its outside event (65,536). For a longer chain, use a timer.
    cascade: int = 0
    #: Waiting events: sent in callbacks or while another thread delivers.
    events: int = 0
    #: Bytes of their payloads; a lone event may exceed it.
    bytes: int = 0
    #: Posted events not yet taken in.
    posts: int = 0
    #: Bytes of their payloads; like `bytes`.
    post_bytes: int = 0
    #: Rows of a list (1,048,576; at most 16,777,216).
    rows: int = 0


def write_limits(limits: Limits, options: ContextOptions) -> None:
    """Writes limits into a context's options."""
    for name, value in zip(limits._fields, limits):
        setattr(options, f"limit_{name}", whole(value, f"limits.{name}"))


# Creating the library's context -------------------------------------------------------------------


def create(threads: int, flags: int, limits: Limits, clock: int, seed: int) -> int:
    """The handle of a new context."""
    options = d.ContextOptions(size=ctypes.sizeof(d.ContextOptions))
    options.threads = threads
    options.flags = flags
    write_limits(limits, options)
    options.clock = clock
    options.seed = whole(seed, "seed")
    handle = ctypes.c_void_p()
    check(C.mainstem_context_create(ctypes.byref(options), ctypes.byref(handle)))
    return handle.value or 0


# The part of a context that registers event types and layers --------------------------------------

_WORD = (1 << 64) - 1


class Registering:
    """The part of a context that registers event types and layers."""

    __slots__ = ()

    handle: int
    catalogue: Catalogue

    def register(self, *kinds: Type[Value]) -> None:
        """Registers event classes, each with the class that answers it, in this order.

        First use registers a class too, but another thread can post only registered ones.
        """
        for kind in kinds:
            self.catalogue.number_of(kind)

    def add_type(
        self,
        name: str,
        payload: Payload = None,
        *,
        role: Optional[Role] = None,
        layer: Optional[str] = None,
        response: Optional[str] = None,
        record: Record = "full",
        secret: bool = False,
    ) -> int:
        """Registers a type without a class and returns its number; the name implies the role."""
        contract = payload_bits(payload) | role_bits(role)
        contract |= layer_bits(self.handle, layer) | record_bits(record, secret)
        number = add_type(self.handle, name, contract, response)
        # Read now: another thread that posts it later is not allowed to.
        self.catalogue.number_of(name)
        return number

    def add_list(
        self,
        name: str,
        row: Any,
        *,
        key: KeyOf,
        layer: Optional[str] = None,
        record: Record = "full",
    ) -> int:
        """Registers a list: a value with rows of a type, whose events are changes.

            context.add_list("Shop.items", Item, key="id")

        `key` says what identifies a row: a field, or a function that gets the row. A key is text,
        an int or a UUID, and no two rows of a list have the same. `Scope.set_list` sets the rows.
        Returns the number of the type.
        """
        form = list_form(row, key, name)
        contract = payload_bits(form.payload) | d.ROLE_VALUE | d.LIST
        contract |= layer_bits(self.handle, layer) | record_bits(record, secret=False)
        number = add_type(self.handle, name, contract, None)
        self.catalogue.number_of(name)
        self.catalogue.lists[number] = form
        return number

    def read_type(self, what: Union[Type[Value], str, int]) -> EventType:
        """Reads the description of a type, given its class, name or number."""
        return read_type(self.handle, self.catalogue.number_of(what))

    def keep_history(
        self, what: Union[Type[Value], str, int], count: int, max_age: Optional[float] = None
    ) -> None:
        """Keeps a history for late observers: from now on, the last `count` events of a type.

        An observer registered later gets these events first, flagged `late`, then the stream.
        Events older than `max_age` seconds are dropped. A count of 0 ends the history.
        """
        age = 0 if max_age is None else milliseconds_of(max_age) or 1
        number = self.catalogue.number_of(what)
        check(C.mainstem_history_keep(self.handle, number, min(count, _WORD) & _WORD, age))

    def add_layer(self, name: str) -> int:
        """Finds a layer by name, adds it if it is new, and returns its number."""
        return layer_bits(self.handle, name) >> 40


# The part of a context that runs what waits for the host ------------------------------------------


class Draining:
    """The part of a context that runs what waits for the host."""

    __slots__ = ()

    handle: int
    thrown: Thrown

    def drain(self, maximum: int = 0) -> int:
        """Runs what waits for the host, each item as a turn of its own. Returns how many it ran.

        It runs at most `maximum` items; 0: all. BUSY inside a callback.
        """
        count = ctypes.c_size_t()
        most = whole(maximum, "maximum")
        self.thrown.returned(C.mainstem_drain(self.handle, most, ctypes.byref(count)))
        return count.value

    def wait(self, timeout: Optional[float] = None) -> bool:
        """Waits until there is something to drain, then drains everything; False if nothing came.

        Ctrl-C ends the wait: a signal handler runs at once, and what it raises propagates.
        """
        status = wait(self.handle, timeout)
        self.thrown.returned(0 if status == Status.TIMEOUT else status)
        return status == Status.OK

    def flush(self) -> None:
        """Drains until everything accepted or posted so far has reached its immediate observers."""
        self.thrown.returned(C.mainstem_flush(self.handle))

    def fileno(self) -> int:
        """Returns a file descriptor for a loop: readable while there is something to drain."""
        descriptor = ctypes.c_int()
        check(C.mainstem_context_fd(self.handle, ctypes.byref(descriptor)))
        return descriptor.value

    def next_timeout(self) -> Optional[float]:
        """How many seconds a loop may sleep; 0: drain now; None: nothing comes by itself."""
        milliseconds = ctypes.c_int64()
        check(C.mainstem_context_next_timeout(self.handle, ctypes.byref(milliseconds)))
        return None if milliseconds.value < 0 else milliseconds.value / 1000

    def on_wake(self, function: Optional[Callable[[], object]]) -> None:
        """Sets a function to call when there is something to drain; for loops without descriptors.

        It runs on whichever thread caused that, at most once until the context drains, and should
        wake the loop. None removes it. BUSY inside a callback, and inside the function.
        """
        if function is None:
            check(C.mainstem_context_on_wake(self.handle, d.WAKE_FN(), None, d.RELEASE_FN()))
            return
        refuse_async(function, "on_wake's function")
        number = _callbacks.keep(lambda _address: self._wake(function))
        status = C.mainstem_context_on_wake(
            self.handle, _callbacks.on_wake, number, _callbacks.on_release
        )
        if status:
            _callbacks.forget(number)
            check(status)

    def _wake(self, function: Callable[[], Any]) -> None:
        try:
            function()
        except BaseException as exception:
            if not _interrupts.keep(exception):
                report_unraisable(exception, function)


# The part of a context that knows the time, and draws what is the same in every run ---------------


class Clock:
    """The part of a context that knows the time, and draws what is the same in every run."""

    __slots__ = ()

    handle: int
    thrown: Thrown

    def now(self) -> float:
        """Seconds since 1970, or on the virtual clock; in a callback, with `times`, its event's."""
        time = ctypes.c_int64()
        check(C.mainstem_context_now(self.handle, ctypes.byref(time)))
        return time.value / 1e9

    @property
    def event(self) -> int:
        """The position of the event whose callback this is; 0: outside, what is sent is an input.

        Outside are also callbacks on a scheduler, and completions of requests from outside.
        """
        position = ctypes.c_uint64()
        check(C.mainstem_callback_position(self.handle, ctypes.byref(position)))
        return position.value

    def advance(self, seconds: float) -> None:
        """Moves a virtual clock forward. Everything that falls due happens, in order."""
        self.thrown.returned(C.mainstem_context_advance(self.handle, milliseconds_of(seconds)))

    def random(self) -> int:
        """Draws 64 bits: the same in every run with the same seed and inputs. Not for secrets."""
        number = ctypes.c_uint64()
        check(C.mainstem_context_random(self.handle, ctypes.byref(number)))
        return number.value

    def id(self) -> str:
        """Makes an id in the form of a version 4 UUID from two numbers of `random`.

        It looks unique, but is the same in every run with the same seed and inputs.
        """
        text = ctypes.create_string_buffer(d.ID_SIZE)
        check(C.mainstem_context_id(self.handle, text))
        return text.value.decode()

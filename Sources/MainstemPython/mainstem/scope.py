# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A context or a child of it: the verbs of the stream."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Iterable, List, Mapping, Optional, Type, Union

from ._library import C, _interrupts, whole
from ._library import _header as d
from .binding import Binding, RowLike
from .events._declaration import Value
from .events._received import Retained
from .failure import Status, check, discreet, empty, encoded
from .observers._subscription import pack
from .observing import Observing
from .opening import Opening
from .services import Finding
from .serving import Asking
from .timer import Timer

_send = C.mainstem_send

if TYPE_CHECKING:
    from typing_extensions import Self

    from .context import Context
    from .events._payload import Data
    from .servers._server import Layers


class Scope(Observing, Asking, Opening, Finding):
    """A named child of a context, or the context itself.

    Events sent through a scope carry it as their origin; observers registered through it end with
    it.
    """

    __slots__ = ("_traces", "context", "handle", "name")

    #: The context it belongs to.
    context: "Context"
    #: The library's handle, for C modules that take one.
    handle: int
    #: Its name; empty for the context itself.
    name: str

    def __init__(self, context: "Context", handle: int, name: str) -> None:
        self.context = context
        self.handle = handle
        self.name = name
        self._traces: List[int] = []

    # Send

    def send(self, event: Union[Value, str], data: Data = None) -> None:
        """Puts an event on the stream.

        Outside callbacks, it has reached all immediate observers when this returns. `event` is an
        object of an event class, or the name of a type, with the bytes or text as `data`.
        """
        try:
            context = self.context
            number, payload = context.catalogue.outgoing(event, data)
            status = _send(self.handle, number, payload, len(payload))
            thrown = context.thrown
            if thrown.caught is not None or _interrupts.ever:
                thrown.raise_caught()
            if status:
                check(status)
        except BaseException as exception:
            # Does what `discreet` does, at no cost if nothing is raised.
            event = data = ""
            payload = b""
            empty(exception)
            raise

    @discreet
    def send_many(self, events: Union[Iterable[Any], str], data: Iterable[Any] = ()) -> int:
        """Puts many events on the stream, in order, and returns how many.

        Each is an object of an event class, or a pair: the name of a type and the bytes or text.
        The fastest form: `events` is the name of one type, and `data` has the bytes or text of each
        event. The call stops at the first event that is refused; the error's message names its
        row. The events before it were sent.
        """
        batch, count = pack(*self.context.catalogue.outgoing_many(events, data))
        status = C.mainstem_send_many(self.handle, batch, len(batch), count, None)
        self.context.thrown.raise_caught()
        if status:
            check(status)
        return count

    @discreet
    def post(self, event: Union[Value, str], data: Data = None) -> None:
        """Hands an event to the context. On another thread, its type must be registered already."""
        number, payload = self.context.catalogue.outgoing(event, data)
        check(C.mainstem_post(self.handle, number, payload, len(payload)))

    @discreet
    def send_after(self, delay: float, event: Union[Value, str], data: Data = None) -> Timer:
        """Sends an event `delay` seconds from now, inside the first drain or wait after that."""
        number, payload = self.context.catalogue.outgoing(event, data)
        return Timer(self, number, payload, delay, False)

    @discreet
    def send_every(self, period: float, event: Union[Value, str], data: Data = None) -> Timer:
        """Sends an event every `period` seconds until the timer is cancelled. It keeps in step."""
        number, payload = self.context.catalogue.outgoing(event, data)
        return Timer(self, number, payload, period, True)

    # Values

    @discreet
    def set(self, what: Union[Value, str], data: Data = None) -> None:
        """Sets a value of this scope: sends it, unless it is there already.

        `what` is the name of a type whose role is "value". Of each such type, the last event of
        each scope is kept until the scope ends. A new observer gets it first, flagged `late`.
        """
        number, payload = self.context.catalogue.outgoing(what, data)
        status = C.mainstem_value_set(self.handle, number, payload, len(payload))
        self.context.thrown.raise_caught()
        if status:
            check(status)

    def get(self, what: Union[Type[Value], str, int]) -> Any:
        """Gets the present value of this scope as an event; None before the first.

        It is what was delivered last: what a callback sets is present after the current event.
        """
        kept = ctypes.c_void_p()
        number = self.context.catalogue.number_of(what)
        status = C.mainstem_value_get(self.handle, number, ctypes.byref(kept))
        if status == Status.UNSET:
            return None
        check(status)
        present: Retained[Any] = Retained(self, kept.value)
        with present:
            return present.value

    # Bindings

    def bind(self, owner: Optional["Scope"], rows: Mapping[str, RowLike]) -> Binding:
        """Binds this scope, a view, to an owner: what the owner shows is passed to these functions.

        The rows are names of the owner's values, `username` for the type `Owner.username`, each
        with a function: it gets what is kept of the value, then each change. None for the owner:
        the binding points nowhere; None for a function: only `on_changes` hears of the value.
        `two_way(function)` is for a control that also changes the value, `on_host(function)` for
        one that only a drain calls.
        """
        return Binding(self, owner, rows)

    # Scopes

    def scope(
        self, name: str, *, sends: Layers = None, observes: Layers = None, observers: int = 0
    ) -> "Scope":
        """Adds a scope: a named child with rights that can only narrow this one's.

        It may send and observe events of the layers named; None: those of this scope, []: none. A
        call beyond its rights is DENIED. `observers` is how many subscriptions it and its children
        may have; 0: as many as this scope.
        """
        rights, scope = ctypes.byref(self._rights(sends, observes, observers)), ctypes.c_void_p()
        check(C.mainstem_scope_add(self.handle, encoded(name, "name"), rights, ctypes.byref(scope)))
        return self._child(scope.value or 0, name)

    def _rights(self, sends: Layers, observes: Layers, observers: int) -> d.ScopeOptions:
        if observers < 0:
            raise ValueError(f"observers is {observers}")
        options = d.ScopeOptions(size=ctypes.sizeof(d.ScopeOptions))
        options.send_layers = self._layers(sends)
        options.observe_layers = self._layers(observes)
        options.flags = (d.SCOPE_SENDS_NOTHING if _is_none(sends) else 0) | (
            d.SCOPE_OBSERVES_NOTHING if _is_none(observes) else 0
        )
        options.limit_observers = observers
        return options

    @property
    def number(self) -> int:
        """Its number: the same in every repetition of the session. `find_scope` finds it by that.

        The number of the context itself is 0.
        """
        number = ctypes.c_uint64()
        check(C.mainstem_scope_number(self.handle, ctypes.byref(number)))
        return number.value

    def find_scope(self, number: int) -> Optional["Scope"]:
        """Finds the live scope with a number, wherever it is in the context.

        None if it was never added, has ended, or may do more than this scope. What is found is the
        scope itself: to end it is to end it for all.
        """
        scope, name = ctypes.c_void_p(), ctypes.c_char_p()
        found = (ctypes.byref(scope), ctypes.byref(name))
        check(C.mainstem_scope_find(self.handle, whole(number, "number"), *found))
        if scope.value is None:
            return None
        if number == 0:
            return self.context
        return self._child(scope.value, (name.value or b"").decode())

    def _child(self, handle: int, name: str) -> Scope:
        return Scope(self.context, handle, name)

    def end(self) -> None:
        """Ends the scope. Its subscriptions, servers and child scopes end with it."""
        status = C.mainstem_scope_end(self.handle)
        self._forget_traces()
        self.context.thrown.returned(0 if status == Status.STALE else status)

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, *exception: object) -> None:
        self.end()

    def __repr__(self) -> str:
        return f"<mainstem {type(self).__name__} {self.name!r}>"


def _is_none(layers: Layers) -> bool:
    return layers is not None and not isinstance(layers, str) and len(layers) == 0

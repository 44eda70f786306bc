# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A context or a child of it: the verbs of the stream."""

from __future__ import annotations

import ctypes
import inspect
import sys
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Optional, Sequence, Union

from . import _callbacks
from . import _declarations as d
from ._batch import pack
from ._declarations import C
from ._secrecy import discreet, empty
from .declaration import Notice, Request, Response, Value
from .failure import check, encoded
from .mailbox import Mailbox
from .pending import Pending
from .scheduler import On, queue_of
from .server import Handler, Table, handlers_of
from .status import Status
from .subscription import Filter, Subscription
from .timer import Timer
from .types import layer_bits, role_bits

if TYPE_CHECKING:
    from .context import Context

#: A layer, or several, by name.
Layers = Union[str, Sequence[str], None]

_ROLE_CLASSES = {Request: d.ROLE_REQUEST, Response: d.ROLE_RESPONSE, Notice: d.ROLE_NOTICE}
_STATUS_FLAGS = {None: 0, "ok": d.OBSERVE_SUCCEEDED, "failed": d.OBSERVE_FAILED}


class Scope:
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
        self._traces: list = []

    # Send

    def send(self, event: Union[Value, str], data: Union[bytes, str, None] = None) -> None:
        """Puts an event on the stream.

        Outside callbacks, it has reached all immediate observers when this returns. `event` is an
        object of an event class, or the name of a type, with the bytes or text as `data`.
        """
        try:
            number, payload = self.context.catalogue.outgoing(event, data)
            status = C.mainstem_send(self.handle, number, payload, len(payload))
            self.context.thrown.raise_caught()
            if status:
                check(status)
        except BaseException as exception:
            # Does what `discreet` does, at no cost if nothing is raised.
            event = data = payload = b""
            empty(exception)
            raise

    @discreet
    def send_many(self, events: Union[Iterable[Any], str], data: Iterable[Any] = ()) -> int:
        """Puts many events on the stream, in order, and returns how many.

        Each is an object of an event class, or a pair: the name of a type and the bytes or text.
        The fastest form: `events` is the name of one type, and `data` has the bytes or text of each
        event. The call stops at the first event that is refused; the error's sentence names its
        row. The events before it were sent.
        """
        batch, count = pack(*self.context.catalogue.outgoing_many(events, data))
        status = C.mainstem_send_many(self.handle, batch, len(batch), count, None)
        self.context.thrown.raise_caught()
        if status:
            check(status)
        return count

    @discreet
    def post(self, event: Union[Value, str], data: Union[bytes, str, None] = None) -> None:
        """Hands an event to the context. On another thread, its type must be registered already."""
        number, payload = self.context.catalogue.outgoing(event, data)
        check(C.mainstem_post(self.handle, number, payload, len(payload)))

    @discreet
    def send_after(
        self, delay: float, event: Union[Value, str], data: Union[bytes, str, None] = None
    ) -> Timer:
        """Sends an event `delay` seconds from now, inside the first drain or wait after that."""
        number, payload = self.context.catalogue.outgoing(event, data)
        return Timer(self, number, payload, delay, False)

    @discreet
    def send_every(
        self, period: float, event: Union[Value, str], data: Union[bytes, str, None] = None
    ) -> Timer:
        """Sends an event every `period` seconds until the timer is cancelled. It keeps in step."""
        number, payload = self.context.catalogue.outgoing(event, data)
        return Timer(self, number, payload, period, True)

    # Observe

    def observe(
        self,
        *what: Any,
        role: Optional[str] = None,
        layer: Layers = None,
        status: Optional[str] = None,
        count: int = 0,
        once: bool = False,
        history: bool = True,
        on: On = None,
        policy: Optional[str] = None,
        limit: int = 0,
        limit_bytes: int = 0,
    ) -> Any:
        """Observes events: a decorator, or with a function as the last argument, a subscription.

        `what`: event classes, type names, or one of Request, Response, Notice; nothing: every
        event. `status` is "ok" or "failed". `count` ends the subscription after that many events;
        `once` means a count of 1. Events from the types' histories (`Context.keep_history`) come
        first, unless `history` is False.

        `on` says where the function is called: "immediate", at once (the default); "host", inside
        `drain` and `wait`, or in the running loop; or a scheduler from `Context.serial`, on its
        thread. On a scheduler, at most `limit` events and `limit_bytes` of payload wait (default
        65,536 and 64 MiB). When that is full, the `policy` decides: "reject" refuses the send,
        "block" makes it wait; "drop-oldest", "drop-newest" and "latest" lose events, and a Gap says
        which. With "reject" and "block", only an event that cannot be refused, such as a timer's,
        is lost when there is no room. An `async def` function is called in the running loop.
        """
        function = what[-1] if what and _is_function(what[-1]) else None
        which = self._filter(what if function is None else what[:-1], role, layer, status)
        which.count = 1 if once else count
        which.flags |= 0 if history else d.OBSERVE_NEW
        bounds = (policy, limit, limit_bytes)
        if function is not None:
            return self._subscribe(function, which, on, *bounds)

        def decorate(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
            self._subscribe(function, which, on, *bounds)
            return function

        return decorate

    def _subscribe(
        self, function: Callable[[Any], Any], which: Filter, on: On = None, *bounds: Any
    ) -> Subscription:
        if inspect.iscoroutinefunction(function):
            loop = self.context._loop_or_refuse("an async def observer")
            which.queue = queue_of("host" if on is None else on, *bounds)
            return loop.observe(self, function, which)
        which.queue = queue_of(on, *bounds)
        return Subscription(self, function, which)

    def _filter(self, what: Sequence[Any], role: Any, layer: Any, status: Any) -> Filter:
        if status not in _STATUS_FLAGS:
            raise TypeError(f'status is "ok" or "failed", not {status!r}')
        bits = role_bits(role)
        for kind in what:
            bits |= _ROLE_CLASSES.get(kind, 0) if isinstance(kind, type) else 0
        types = [
            self.context.catalogue.number_of(kind) for kind in what if kind not in _ROLE_CLASSES
        ]
        return Filter(types, bits, self._layers(layer), _STATUS_FLAGS[status], 0)

    def mailbox(
        self,
        *what: Any,
        role: Optional[str] = None,
        layer: Layers = None,
        status: Optional[str] = None,
        count: int = 0,
        history: bool = True,
        policy: str = "reject",
        limit: int = 0,
    ) -> Mailbox:
        """Keeps events until they are fetched, instead of calling a function: for hot paths.

        `what` and the other options are as for `observe`. At most `limit` events wait (0: 65,536).
        When that is full, the `policy` decides: "reject" or "block" the send, or lose events
        ("drop-oldest", "drop-newest", "latest").
        """
        which = self._filter(what, role, layer, status)
        which.count = count
        which.flags |= 0 if history else d.OBSERVE_NEW
        return Mailbox(self, which, policy, limit)

    def trace(self, write: Optional[Callable[[str], Any]] = None) -> None:
        """Writes every event as one line of text, until the scope ends; by default to stderr."""
        number = _callbacks.keep_line(self._tracing(write))
        status = C.mainstem_trace(self.handle, _callbacks.on_line, number)
        if status:
            _callbacks.forget(number)
            check(status)
        # Kept with the context too, since a scope may end with its parent.
        self._traces.append(number)
        self.context._traces.append(number)

    def _tracing(self, write: Optional[Callable[[str], Any]]) -> Callable[[str], None]:
        def line(text: str) -> None:
            try:
                if write is None:
                    print(text, file=sys.stderr)
                else:
                    write(text)
            except BaseException as exception:
                self.context.thrown.report(exception, text)

        return line

    # Handlers

    def serve(self, what: Any, handler: Optional[Handler] = None, *, name: str = "") -> Any:
        """Adds a server with one handler: a decorator, or with a handler, the server.

        What the handler returns is the answer; a Failure it raises is the error response. The
        server's name is `name`, or the function's.
        """
        if handler is not None:
            return self.server(name or handler.__name__, {what: handler})

        def decorate(handler: Handler) -> Handler:
            self.server(name or handler.__name__, {what: handler})
            return handler

        return decorate

    def server(self, name: str, handlers: Dict[Any, Handler]) -> "Scope":
        """Adds a server: a scope with a table from event classes, or type names, to handlers."""
        table = Table(self, handlers, self._in_loop)
        server = Scope(self.context, table.add(name), name)
        table.speak_as(server)
        return server

    def install(self, instance: object, *, name: str = "") -> "Scope":
        """Adds a server from an object whose methods are marked with `mainstem.handles`."""
        return self.server(name or type(instance).__name__, handlers_of(instance))

    def _in_loop(self, handler: Handler) -> Handler:
        """Makes a handler that runs an async one in the context's loop."""
        return self.context._loop_or_refuse("an async def handler").answering(handler)

    @discreet
    def request(
        self,
        event: Union[Value, str],
        data: Union[bytes, str, None] = None,
        *,
        timeout: Optional[float] = None,
        then: Optional[Callable[[Any], Any]] = None,
        progress: Optional[Callable[[Any], Any]] = None,
    ) -> Any:
        """Sends a request that gets exactly one answer.

        Waits for the answer, draining meanwhile, and returns it. A failed answer is raised as a
        Failure; if none comes within `timeout` seconds, RequestTimeout is raised. BUSY inside a
        callback. In an async context the result is awaitable. With `then`, the call does not wait:
        it returns a Pending, and the function gets the answer, failed or not. `progress` gets the
        request's progress before the answer.
        """
        number, payload = self.context.catalogue.outgoing(event, data)
        if then is not None:
            pending = Pending(self, then, progress)
            pending.ask(number, payload, timeout)
            return pending
        return self.context._ask(self, number, payload, timeout, progress)

    def activity(self, what: Any = None) -> int:
        """Counts the open tracked requests of a class or type; without one, of all types."""
        count = ctypes.c_uint64()
        number = 0 if what is None else self.context.catalogue.number_of(what)
        check(C.mainstem_activity(self.handle, number, ctypes.byref(count)))
        return count.value

    def report_activity(self, *what: Any) -> None:
        """Reports the activity of request types, from now on, as MainstemActivity events.

        They say when a type becomes busy and when it is idle again. `what`: request classes or
        types; nothing: every type.
        """
        numbers = [self.context.catalogue.number_of(each) for each in what]
        for number in numbers or [0]:
            check(C.mainstem_activity_report(self.handle, number))

    # Scopes

    def scope(
        self, name: str, *, sends: Layers = None, observes: Layers = None, observers: int = 0
    ) -> "Scope":
        """Adds a scope: a named child with rights that can only narrow this one's.

        It may send and observe events of the layers named; None: those of this scope, []: none. A
        call beyond its rights is DENIED. `observers` is how many subscriptions it and its children
        may have; 0: as many as this scope.
        """
        if observers < 0:
            raise ValueError(f"observers is {observers}")
        options = d.ScopeOptions()
        check(C.mainstem_scope_options_init(ctypes.byref(options), ctypes.sizeof(options)))
        options.send_layers = self._layers(sends)
        options.observe_layers = self._layers(observes)
        options.flags = (d.SCOPE_SENDS_NOTHING if _is_none(sends) else 0) | (
            d.SCOPE_OBSERVES_NOTHING if _is_none(observes) else 0
        )
        options.limit_observers = observers
        scope = ctypes.c_void_p()
        check(
            C.mainstem_scope_add_with(
                self.handle, encoded(name, "name"), ctypes.byref(options), ctypes.byref(scope)
            )
        )
        return Scope(self.context, scope.value, name)

    def _layers(self, layers: Layers) -> int:
        bits = 0
        for name in [layers] if isinstance(layers, str) else layers or ():
            bits |= 1 << (layer_bits(self.handle, name) >> 40)
        return bits

    def end(self) -> None:
        """Ends the scope. Its subscriptions, servers and child scopes end with it."""
        status = C.mainstem_scope_end(self.handle)
        self._forget_traces()
        self.context.thrown.returned(0 if status == Status.STALE else status)

    def _forget_traces(self) -> None:
        while self._traces:
            _callbacks.forget(self._traces.pop())

    def __enter__(self) -> "Scope":
        return self

    def __exit__(self, *exception: object) -> None:
        self.end()

    def __repr__(self) -> str:
        return f"<mainstem {type(self).__name__} {self.name!r}>"


def _is_none(layers: Layers) -> bool:
    return layers is not None and not isinstance(layers, str) and len(layers) == 0


def _is_function(what: Any) -> bool:
    return callable(what) and not isinstance(what, type)

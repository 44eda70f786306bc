# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A context or a child of it: the verbs of the stream."""

from __future__ import annotations

import ctypes
import inspect
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
    """What is sent through it carries its name; what is observed through it ends with it."""

    __slots__ = ("_traces", "context", "handle", "name")

    #: The context it belongs to.
    context: "Context"
    #: The library's handle, for modules that take one.
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
        """Puts an event on the stream; delivered when this returns, unless inside a callback.

        `event` is an object of an event class, or the name of a type with its bytes or text.
        """
        try:
            number, payload = self.context.catalogue.outgoing(event, data)
            status = C.mainstem_send(self.handle, number, payload, len(payload))
            self.context.thrown.raise_caught()
            if status:
                check(status)
        except BaseException as exception:
            # As `discreet`, at no cost where nothing is raised.
            event = data = payload = b""
            empty(exception)
            raise

    @discreet
    def send_many(self, events: Union[Iterable[Any], str], data: Iterable[Any] = ()) -> int:
        """Puts many events on the stream with one call, in order: how many.

        Each is an object of an event class, or a pair: the name of a type, and its bytes or text.
        Or `events` is the name of one type, and `data` has the bytes or text of each: the fastest.
        At the first that is refused it ends; the sentence names its row, those before it were sent.
        """
        batch, count = pack(*self.context.catalogue.outgoing_many(events, data))
        status = C.mainstem_send_many(self.handle, batch, len(batch), count, None)
        self.context.thrown.raise_caught()
        if status:
            check(status)
        return count

    @discreet
    def post(self, event: Union[Value, str], data: Union[bytes, str, None] = None) -> None:
        """Hands an event to the context from another thread; the type must be registered."""
        number, payload = self.context.catalogue.outgoing(event, data)
        check(C.mainstem_post(self.handle, number, payload, len(payload)))

    @discreet
    def send_after(
        self, delay: float, event: Union[Value, str], data: Union[bytes, str, None] = None
    ) -> Timer:
        """Sends an event `delay` seconds from now, inside the drain or wait that is then due."""
        number, payload = self.context.catalogue.outgoing(event, data)
        return Timer(self, number, payload, delay, False)

    @discreet
    def send_every(
        self, period: float, event: Union[Value, str], data: Union[bytes, str, None] = None
    ) -> Timer:
        """Sends an event every `period` seconds, in step, until the timer is cancelled."""
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
        """Looks at events as they pass: a decorator, or with a function last, a subscription.

        `what`: event classes, names of types, or one of Request, Response, Notice; nothing is
        every event. `status` is "ok" or "failed"; `count` ends it after that many; `once` is 1.
        What is kept of those types (`Context.history_keep`) comes first, unless `history` is False.

        `on` says where it is called: "immediate", at once (the default); "host", inside `drain` and
        `wait`, or in the running loop; or a scheduler of `Context.serial`, on its thread. There, at
        most `limit` events of `limit_bytes` wait (65,536, 64 MiB). If more come, the `policy`
        decides: "reject" refuses the send, "block" lets it wait, "drop-oldest", "drop-newest" and
        "latest" lose some, and a Gap says which. What cannot be refused, such as a timer's event,
        is lost too where "reject" or "block" finds no room. An `async def` is called in the running
        loop.
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

        `what` and the rest as for `observe`. At most `limit` events wait (0: 65,536); then `policy`
        says what happens: "reject" the send, "block" it, "drop-oldest", "drop-newest", "latest".
        """
        which = self._filter(what, role, layer, status)
        which.count = count
        which.flags |= 0 if history else d.OBSERVE_NEW
        return Mailbox(self, which, policy, limit)

    def trace(self, write: Optional[Callable[[str], Any]] = None) -> None:
        """Gives every event as one line of text, until the scope ends; by default to stderr."""
        number = _callbacks.keep_line(self.context._tracing(write))
        status = C.mainstem_trace(self.handle, _callbacks.on_line, number)
        if status:
            _callbacks.forget(number)
            check(status)
        # The context closes all of them; a scope may end with its parent.
        self._traces.append(number)
        self.context._traces.append(number)

    # Handlers

    def serve(self, what: Any, handler: Optional[Handler] = None, *, name: str = "") -> Any:
        """A server with one handler: a decorator, or with a handler, the server.

        What it returns is the answer; a Failure it raises is the error response. Its name is
        `name`, else the function's.
        """
        if handler is not None:
            return self.server(name or handler.__name__, {what: handler})

        def decorate(handler: Handler) -> Handler:
            self.server(name or handler.__name__, {what: handler})
            return handler

        return decorate

    def server(self, name: str, handlers: Dict[Any, Handler]) -> "Scope":
        """A server: a scope with a table of event classes, or type names, and their handlers."""
        table = Table(self, handlers)
        server = Scope(self.context, table.add(name), name)
        table.speak_as(server)
        return server

    def install(self, instance: object, *, name: str = "") -> "Scope":
        """A server from an object whose methods are marked with `mainstem.handles`."""
        return self.server(name or type(instance).__name__, handlers_of(instance))

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
        """Asks, and gets exactly one answer.

        Waits for it, draining meanwhile, and returns it; a failed one is raised as a Failure, none
        within `timeout` seconds as a RequestTimeout. BUSY inside a callback. In an async context
        the result is awaitable. With `then`, nobody waits: the function gets the answer, also a
        failed one, and the result is a Pending. `progress` gets what the server tells before.
        """
        number, payload = self.context.catalogue.outgoing(event, data)
        if then is not None:
            pending = Pending(self, then, progress)
            pending.ask(number, payload, timeout)
            return pending
        return self.context._ask(self, number, payload, timeout, progress)

    def activity(self, what: Any = None) -> int:
        """How many requests of a class or type have no answer yet; without one, of all types."""
        count = ctypes.c_uint64()
        number = 0 if what is None else self.context.catalogue.number_of(what)
        check(C.mainstem_activity(self.handle, number, ctypes.byref(count)))
        return count.value

    def report_activity(self, *what: Any) -> None:
        """Tells, by a MainstemActivity, when requests stay open and when none is any more.

        `what`: classes or types of requests; nothing is every type.
        """
        numbers = [self.context.catalogue.number_of(each) for each in what]
        for number in numbers or [0]:
            check(C.mainstem_activity_report(self.handle, number))

    # Scopes

    def scope(
        self, name: str, *, sends: Layers = None, observes: Layers = None, observers: int = 0
    ) -> "Scope":
        """A child with a name of its own, and rights that only narrow.

        It may send and observe events of the layers named; None: those of this one, []: none. What
        is beyond is DENIED. `observers` is how many subscriptions it may have, with its children.
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
        """Ends it: its subscriptions, servers and child scopes end with it."""
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

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A context or a child of it: the verbs of the stream; owners and services below it."""

from __future__ import annotations

import ctypes
import inspect
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterable,
    List,
    Mapping,
    Optional,
    Tuple,
    Type,
    TypeVar,
    Union,
    cast,
    overload,
)

from .._library import C, _callbacks, _interrupts, milliseconds_of, whole
from .._library import _header as d
from ..events._catalogue import ScopeLike, ViewModelLike
from ..events._declaration import Value
from ..events._lists import ListSetter
from ..events._payload import Data, Payload
from ..events._received import Event, Retained
from ..failure import Failure, MainstemError, Status, check, discreet, empty, encoded, refuse_async
from ..observers._subscription import pack
from ..servers._requests import Factory, number_in, request_of
from ..servers._server import handled_by
from ._description import Description, described
from ._observing import Binding, Observing, RowLike
from ._serving import Asking

if TYPE_CHECKING:
    from typing_extensions import Self

    from ..servers._server import Layers
    from ._context import Context

__all__ = ["Scope", "Timer"]


# An event to be sent later, once or periodically --------------------------------------------------


class Timer:
    """A timer. It ends by `cancel`, when it has fired for the last time, or with its scope.

    Releasing the object does not end it.
    """

    __slots__ = ("_handle",)

    def __init__(
        self, scope: ScopeLike, number: int, data: bytes, seconds: float, repeats: bool
    ) -> None:
        handle = ctypes.c_void_p()
        delay = milliseconds_of(seconds)
        if repeats and delay == 0:
            raise MainstemError(Status.INVALID, "send_every: period: is 0")
        check(
            C.mainstem_send_after(
                scope.handle,
                number,
                data,
                len(data),
                delay,
                delay if repeats else 0,
                ctypes.byref(handle),
            )
        )
        self._handle = handle.value

    def cancel(self) -> bool:
        """Ends the timer. Any thread may call this. False if the timer had already ended."""
        status: int = C.mainstem_timer_cancel(self._handle)
        if status and status != Status.STALE:
            check(status)
        return status == 0


# The part of a scope that opens owners ------------------------------------------------------------

Opened = TypeVar("Opened", bound=ViewModelLike)


class Opening:
    """The part of a scope that opens owners."""

    __slots__ = ()

    context: "Context"
    handle: int

    def open(self, instance: Opened, /) -> Opened:
        """Opens a view model, and returns it: `lookup = context.open(Lookup())`.

        For a program's beginning and for tests: while a session is recorded, this is refused after
        the first event, since a replay could not know of it. What comes later is opened by a
        `factory`, or is a child that another view model has. It ends with this scope.
        """
        context, scope = self.context, cast("Scope", self)
        if not context.thrown.inside() and context.is_under_way:
            kind = type(instance).__name__
            raise MainstemError(
                Status.BUSY,
                f"open: {kind}: this session is recorded and has begun: open view models before the"
                f" first event, or say context.factory({kind}) there",
            )
        name = type(instance).__mainstem_model__.name
        context._installed(lambda: instance.__mainstem_open__(scope, name, False).owner)
        context.thrown.raise_caught()
        return instance

    @overload
    def factory(
        self,
        name: str,
        make: Callable[[Any, Any], object],
        payload: Payload = None,
        *,
        layer: Optional[str] = None,
    ) -> None: ...
    @overload
    def factory(
        self,
        name: Type[ViewModelLike],
        make: Optional[Callable[[Any], ViewModelLike]] = None,
        payload: Payload = None,
        *,
        layer: Optional[str] = None,
    ) -> None: ...
    def factory(
        self,
        name: Union[str, Type[ViewModelLike]],
        make: Optional[Callable[..., object]] = None,
        payload: Payload = None,
        *,
        layer: Optional[str] = None,
    ) -> None:
        """Adds a factory: what makes the owners of a name, each when `open_instance` asks for it.

        `make(scope, request)` fills the new scope: with servers, observers and what else the owner
        is made of. A Failure that it raises is the answer, and all that was added ends. Factories
        are added before the first event: a replay calls them again. The scope has the rights of
        this one, whoever asks.

        `context.factory(Lookup)` makes view models of a class: with `make`, which gets the request
        and returns one, or else without arguments.
        """
        if isinstance(name, str):
            if make is None:
                raise TypeError(f"factory: {name!r} has no function that makes it")
            Factory(self, name, make, self._child).add(payload, layer)
            return
        refuse_async(make, "make")
        kind, made = name, make

        def fill(scope: "Scope", request: Any) -> None:
            instance: Any = kind() if made is None else made(request)
            instance.__mainstem_open__(scope, kind.__mainstem_model__.name, True)

        Factory(self, kind.__mainstem_model__.name, fill, self._child).add(payload, layer)

    def open_instance(
        self,
        name: str,
        data: Data = None,
        *,
        then: Optional[Callable[[int], object]] = None,
        failed: Optional[Callable[[Failure], object]] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Asks the factory of a name for an owner, and returns its number, for `find_scope`.

        The owner ends when its scope is ended, or when this scope is. Either is an event,
        MainstemEnded, that has the number; what the owner had opened ends with it.

        It waits as `request` does. In an async context the result is awaitable. With `then`, it
        returns a Pending; the function gets the number, `failed` the error.
        """
        request, scope = request_of(name), cast("Scope", self)
        if then is None:
            if failed is not None:
                raise TypeError(
                    "open_instance: failed= is for then=; else a failed answer is raised"
                )
            return self._numbered(scope.request(request, data, timeout=timeout))
        refuse_async(then, "then=")
        done, lost = then, failed

        def answered(answer: Any) -> None:
            if not answer.failed:
                done(number_in(answer))
            elif lost is not None:
                lost(answer.error)

        return scope.request(request, data, then=answered, timeout=timeout)

    def _numbered(self, answer: Any) -> Any:
        if not inspect.isawaitable(answer):
            return number_in(answer)

        # Taken out: a failure holds the frame that awaits it, and its future holds the failure.
        waiting = [answer]

        async def number() -> int:
            return number_in(await waiting.pop())

        return number()

    def _child(self, handle: int, name: str) -> "Scope":
        raise NotImplementedError


# Services: servers that are made when they are first asked for, once in a context -----------------


class Service(Factory):
    """Makes one instance for all, and others for scopes that open one of their own."""

    __slots__ = ("types",)

    #: The names of the types that it handles.
    types: Tuple[str, ...]

    def _fill(self, scope: Any, event: Optional[Event]) -> None:
        def install() -> Any:
            super(Service, self)._fill(scope, event)
            return scope

        scope.context._installed(install)

    def _add(self, name: bytes, contract: int, number: int) -> int:
        names = [encoded(each, "types") for each in self.types]
        table = (ctypes.c_char_p * len(names))(*names)
        return int(
            C.mainstem_service_add(
                self._parent.handle,
                name,
                table,
                len(self.types),
                contract,
                _callbacks.on_make,
                number,
                _callbacks.on_release,
            )
        )


class Finding:
    """The part of a scope that declares and finds services."""

    __slots__ = ()

    context: "Context"
    handle: int

    def service(
        self,
        name: Union[str, type],
        make: Optional[Callable[..., object]] = None,
        payload: Payload = None,
        *,
        handles: Iterable[Any] = (),
        layer: Optional[str] = None,
    ) -> None:
        """Declares a service, before the first event. It is made when somebody asks for it.

        `context.service(Diary)` is for a class whose methods are marked with `mainstem.handles` and
        `mainstem.show_function`, or a view model; `make`, if there is one, returns an object of it.
        The first request that the class handles makes the service, or `find`; a request is not
        lost.

        `context.service("Diary", make, handles=[…])` is for any other: `make(scope, request)` fills
        the scope. `request` is None if a callback's `find` makes it. What `make` raises is the
        answer, and the next request tries again.

        There is one instance in a context. `open_instance` with its name opens one of one's own,
        which gets what is sent through its scope. `end()` of a service's scope ends it: the next
        request makes another. A replay makes the same services at the same places.
        """
        refuse_async(make, "make")
        if isinstance(name, str):
            if make is None:
                raise TypeError(f"service: {name!r} has no function that makes it")
            self._declare(name, make, handles, payload, layer)
            return
        kind, made = cast(Type[Any], name), make

        def fill(scope: "Scope", request: Any) -> None:
            instance: Any = kind() if made is None else made(request)
            if hasattr(kind, "__mainstem_model__"):
                instance.__mainstem_open__(scope, service_name(kind), True, True)
            else:
                scope._become(instance)

        types = [*handled_by(kind), *handles]
        self._declare(service_name(kind), fill, types, payload, layer)

    def find(self, service: Union[str, type]) -> "Scope":
        """Finds a service by its class or name, and makes it if there is none yet.

        In a callback that a replay repeats, it is made at once. Elsewhere that is a request, which
        is recorded; so in a context that delivers on the host it raises UNSET, and the service is
        there after a drain. A scope that may do less than the service is DENIED.
        """
        name = service if isinstance(service, str) else service_name(service)
        found = ctypes.c_void_p()
        status = C.mainstem_service_find(self.handle, encoded(name, "name"), ctypes.byref(found))
        self.context.thrown.raise_caught()
        check(status)
        return self._child(found.value or 0, name)

    def _declare(
        self,
        name: str,
        make: Callable[[Any, Any], object],
        handles: Iterable[Any],
        payload: Payload,
        layer: Optional[str],
    ) -> None:
        service = Service(cast("Scope", self), name, make, self._child)
        catalogue = self.context.catalogue
        numbers = [catalogue.number_of(each) for each in handles]
        service.types = tuple(catalogue.name_of(each) for each in numbers)
        service.add(payload, layer)

    def _child(self, handle: int, name: str) -> "Scope":
        raise NotImplementedError


def service_name(kind: type) -> str:
    """The name of a class's service: a view model may pin another."""
    model = getattr(kind, "__mainstem_model__", None)
    return kind.__name__ if model is None else str(model.name)


# The scope ----------------------------------------------------------------------------------------

_send = C.mainstem_send


class Scope(Observing, Asking, Opening, Finding):
    """A named child of a context, or the context itself.

    Events sent through a scope carry it as their origin; observers registered through it end with
    it.
    """

    __slots__ = ("_setters", "_traces", "context", "handle", "name")

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
        #: What sets its lists, by type number.
        self._setters: Dict[int, ListSetter] = {}

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

    def set_list(self, what: Union[str, int], rows: Iterable[Any]) -> None:
        """Sets a list of this scope: says what all of its rows are.

        `what` is the name or number of a type from `add_list`. An observer gets `Rows`: what the
        list is, and what has changed. Nothing is sent if the list has these rows already. Rows that
        are the same objects as those given before, at the beginning and at the end, are not encoded
        again. If a row is refused, the list stays as it was.
        """
        catalogue = self.context.catalogue
        number = catalogue.number_of(what)
        setter = self._setters.get(number)
        if setter is None:
            form, name = catalogue.lists.get(number), catalogue.name_of(number)
            if form is None:
                raise TypeError(f"{name} is no list that this context knows: say add_list before")
            setter = self._setters[number] = ListSetter(number, form, name)
        status = setter.set(self.handle, rows)
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

        It may send and observe events of the layers named; None: those of this scope, or none in a
        context that was made with `deny_by_default=True`; []: none. A call beyond its rights is
        DENIED. `observers` is how many subscriptions it and its children
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

    def describe(self) -> Description:
        """Describes who handles, observes and has sent each event type, here and in scopes below.

        For people, tools and tests: `print(context.describe().mermaid())`.
        """
        lines: List[str] = []
        number = _callbacks.keep_line(lines.append)
        try:
            # An interrupt may strike before the line is there.
            while not lines:
                check(C.mainstem_context_describe(self.handle, _callbacks.on_line, number))
        finally:
            _callbacks.forget(number)
        return described(lines[0])

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

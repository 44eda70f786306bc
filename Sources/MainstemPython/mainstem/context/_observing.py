# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The parts of a scope that observe: functions, mailboxes, and bindings of views."""

from __future__ import annotations

import ctypes
import functools
import sys
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    List,
    Mapping,
    Optional,
    Sequence,
    Type,
    Union,
    cast,
    overload,
)

from .._library import C, _callbacks
from .._library import _header as c
from .._library import _header as d
from ..events._catalogue import OwnerLike, ScopeLike
from ..events._declaration import Notice, Request, Response
from ..events._payload import Role, layer_bits, role_bits
from ..events._received import Event, Gap
from ..failure import Status, check, discreet, encoded, is_async, refuse_async
from ..observers._calls import On, Policy, added, queue_of
from ..observers._subscription import Decorator, Filter, Mailbox, Subscription

if TYPE_CHECKING:
    from typing_extensions import Literal, Unpack

    from ..servers._server import Fetching, Layers, Observed, One, Result, Two, Watching
    from ._context import Context

__all__ = ["Binding", "BindingRow", "Observing", "RowLike", "on_host", "shown_by", "two_way"]


# How the rows of a binding are called: at once, or when the host drains ---------------------------

#: A function that gets the value, or the view and the value.
Show = Union[Callable[[Any], object], Callable[[Any, Any], object]]


class BindingRow:
    """A function of a binding, and how it is called. Made by `two_way` and `on_host`."""

    __slots__ = ("flags", "show")

    def __init__(self, show: Optional[Show], flags: int) -> None:
        self.show = show
        self.flags = flags


def two_way(show: Optional[Show]) -> BindingRow:
    """A row for a control that shows a value and changes it.

    `context.drain()` calls it with the newest value: not with what its binding has set, nor with
    what is older than that. While it runs, what it sets of its own value through the binding is
    ignored.
    """
    return BindingRow(show, c.BINDING_TWO_WAY)


def shown_in(view: Any, show: Optional[Show]) -> Optional[Callable[[Any], object]]:
    """Returns what is called with a value: a function of two parameters gets the view first."""
    if _parameters(show) == 2:
        return functools.partial(cast("Callable[[Any, Any], object]", show), view)
    return cast("Optional[Callable[[Any], object]]", show)


def _parameters(show: Any) -> int:
    """How many parameters without a default a function or a method has; of anything else, 1."""
    function = getattr(show, "__func__", show)
    code = getattr(function, "__code__", None)
    if code is None:
        return 1
    is_method = function is not show
    return int(code.co_argcount) - len(function.__defaults__ or ()) - is_method


def on_host(show: Optional[Show]) -> BindingRow:
    """A row that `context.drain()` calls: with each change, in order."""
    return BindingRow(show, c.BINDING_ON_HOST)


# Bindings: a view's hold on what one scope shows --------------------------------------------------

#: A function, perhaps in `two_way` or `on_host`; None: only `on_changes` hears of the value. It
#: gets the value, or if it has two parameters, the view and the value.
RowLike = Union[Show, BindingRow, None]
Changes = Callable[[List[str]], object]


class Binding:
    """A view's hold on an owner. Ends by `end`, with its `with` block, or with its view."""

    __slots__ = ("_changes", "_ended", "_handle", "_owner", "_rows", "_scope")

    def __init__(
        self,
        scope: ScopeLike,
        owner: Optional[OwnerLike],
        rows: Mapping[str, RowLike],
        view: Any = None,
    ) -> None:
        made = {
            name: row if isinstance(row, BindingRow) else BindingRow(row, 0)
            for name, row in rows.items()
        }
        for row in made.values():
            refuse_async(row.show, "a function of a binding")
        self._scope = scope
        # A function may write through it while it is added: it is whole before.
        given = self if view is None else view
        self._rows = {name: shown_in(given, row.show) for name, row in made.items()}
        self._owner = owner
        self._changes = self._ended = 0
        table = (d.BindingRow * len(rows))()
        for index, (name, row) in enumerate(made.items()):
            table[index] = d.BindingRow(encoded(name, "rows"), _callbacks.on_event, row.flags)
        self._handle: Any = ctypes.c_void_p()
        self._handle = added(
            scope,
            self._deliver,
            self._release,
            lambda number, handle: C.mainstem_binding_add(
                scope.handle,
                None if owner is None else owner.handle,
                table,
                ctypes.sizeof(d.BindingRow),
                len(rows),
                number,
                _callbacks.on_release,
                handle,
            ),
            C.mainstem_binding_end,
            self._handle,
        )

    @property
    def handle(self) -> int:
        """The library's handle."""
        return int(getattr(self._handle, "value", self._handle))

    def retarget(self, owner: Optional[OwnerLike]) -> None:
        """Points the binding at another owner, or with None nowhere.

        The functions hear no more of the old one, and get what is kept of the new one.
        """
        before, self._owner = self._owner, owner
        status = C.mainstem_binding_retarget(self._handle, None if owner is None else owner.handle)
        if status and self._owner is owner:
            self._owner = None if status in (Status.LIMIT, Status.NO_MEMORY) else before
        self._scope.context.thrown.returned(status)

    @discreet
    def set(self, name: str, value: Any) -> None:
        """Writes a value of the owner, as its view: an input, also inside a callback."""
        catalogue = self._scope.context.catalogue
        data = b""
        if self._owner is not None:
            data = catalogue.encode(catalogue.number_of(f"{self._owner.name}.{name}"), value)
        status = C.mainstem_binding_set(self._handle, encoded(name, "name"), data, len(data))
        self._scope.context.thrown.returned(status)

    def on_changes(self, function: Optional[Changes]) -> None:
        """Calls a function once per drain with the names of all values that have changed.

        It comes after everything else that the drain runs. None: nobody is told any longer.
        """
        refuse_async(function, "on_changes")
        number = 0 if function is None else _callbacks.keep_changes(self._guarded(function))
        callback = _callbacks.on_changes if function else d.CHANGES_FN()
        status = C.mainstem_binding_on_changes(self._handle, callback, number)
        if status == 0:
            number, self._changes = self._changes, number
        _callbacks.forget(number)
        check(status)

    def on_ended(self, function: Optional[Callable[[], object]]) -> None:
        """Calls a function when the owner has ended: once for each that the binding points at.

        `context.drain()` calls it, after the owner's last value and the change set that names it;
        the rows hear nothing after that. If the owner has ended already, the next drain calls it.
        None: nobody is told any longer.
        """
        refuse_async(function, "on_ended")
        number = 0
        if function is not None:
            told = function
            tell = self._guarded(lambda _: told())
            number = _callbacks.keep(lambda _: tell([]))
        callback = _callbacks.on_settled if number else d.SETTLED_FN()
        status = C.mainstem_binding_on_ended(self._handle, callback, number)
        if status == 0:
            number, self._ended = self._ended, number
        _callbacks.forget(number)
        check(status)

    def end(self) -> None:
        """Ends the binding: none of its functions is called any more. Does nothing if it ended."""
        status = C.mainstem_binding_end(self._handle)
        self._scope.context.thrown.returned(0 if status == Status.STALE else status)

    def __enter__(self) -> "Binding":
        return self

    def __exit__(self, *exception: object) -> None:
        self.end()

    def _deliver(self, address: int) -> None:
        event = Event(self._scope, address)
        thrown = self._scope.context.thrown
        depth = thrown.depth()
        try:
            thrown.enter(depth)
            owner = self._owner
            show = self._rows[event.name[len(owner.name) + 1 :]] if owner is not None else None
            if show is not None and not event._is_unknown_list:
                show(shown_by(event))
        except BaseException as exception:
            thrown.failed(exception, event, address)
        finally:
            thrown.leave(depth)
            event._address = 0

    def _guarded(self, function: Changes) -> Callable[[List[str]], None]:
        thrown = self._scope.context.thrown

        def tell(names: List[str]) -> None:
            depth = thrown.depth()
            try:
                thrown.enter(depth)
                function(names)
            except BaseException as exception:
                thrown.report(exception, names)
            finally:
                thrown.leave(depth)

        return tell

    def _release(self) -> None:
        _callbacks.forget(self._changes)
        _callbacks.forget(self._ended)
        # A function that gets its view holds it.
        self._rows = {}


def shown_by(event: Event) -> Any:
    """What an event shows: its value, its text, what its JSON says, or its bytes."""
    value = event.value
    return event._scope.context.catalogue.plain(event) if value is None else value


# The part of a scope that observes ----------------------------------------------------------------

_ROLES = {Request: "request", Response: "response", Notice: "notice"}
_STATUS_FLAGS = {None: 0, False: d.OBSERVE_SUCCEEDED, True: d.OBSERVE_FAILED}


class Observing:
    """The part of a scope that observes."""

    __slots__ = ()

    context: "Context"
    handle: int
    _traces: List[int]

    # A class is callable too: where two overloads fit, the first is meant.

    @overload
    def observe(  # type: ignore[overload-overlap]
        self,
        what: Type[One],
        /,
        *,
        failed: Literal[False, None] = None,
        **options: Unpack[Watching],
    ) -> Observed[One]: ...
    @overload
    def observe(  # type: ignore[overload-overlap]
        self,
        first: Type[One],
        second: Type[Two],
        /,
        *,
        failed: Literal[False, None] = None,
        **options: Unpack[Watching],
    ) -> Callable[[Callable[[Union[One, Two]], Result]], Callable[[Union[One, Two]], Result]]: ...
    @overload
    def observe(
        self,
        what: Type[One],
        function: Callable[[One], object],
        /,
        *,
        failed: Literal[False, None] = None,
        **options: Unpack[Watching],
    ) -> Subscription: ...
    @overload
    def observe(
        self,
        first: Type[One],
        second: Type[Two],
        function: Callable[[Union[One, Two]], object],
        /,
        *,
        failed: Literal[False, None] = None,
        **options: Unpack[Watching],
    ) -> Subscription: ...
    @overload
    def observe(  # type: ignore[overload-overlap]
        self,
        what: Union[Type[One], str],
        function: Callable[[Event], object],
        /,
        *,
        failed: Literal[True],
        **options: Unpack[Watching],
    ) -> Subscription: ...
    @overload
    def observe(  # type: ignore[overload-overlap]
        self,
        what: str,
        function: Callable[[Event], object],
        /,
        *,
        failed: Optional[bool] = None,
        **options: Unpack[Watching],
    ) -> Subscription: ...
    @overload
    def observe(  # type: ignore[overload-overlap]
        self,
        function: Callable[[Event], object],
        /,
        *,
        failed: Optional[bool] = None,
        **options: Unpack[Watching],
    ) -> Subscription: ...
    @overload
    def observe(
        self,
        *what: Type[Any],
        failed: Literal[False, None] = None,
        **options: Unpack[Watching],
    ) -> Callable[[Callable[[Any], Result]], Callable[[Any], Result]]: ...
    @overload
    def observe(
        self,
        *what: Union[Type[Any], str],
        failed: Literal[True],
        **options: Unpack[Watching],
    ) -> Callable[[Callable[[Event], Result]], Callable[[Event], Result]]: ...
    @overload
    def observe(
        self, *what: str, failed: Optional[bool] = None, **options: Unpack[Watching]
    ) -> Callable[[Callable[[Event], Result]], Callable[[Event], Result]]: ...
    def observe(
        self,
        *what: Any,
        failed: Optional[bool] = None,
        role: Optional[Role] = None,
        layer: Layers = None,
        count: int = 0,
        once: bool = False,
        history: bool = True,
        of: Optional[ScopeLike] = None,
        on_gap: Optional[Callable[[Gap], object]] = None,
        on: On = None,
        policy: Optional[Policy] = None,
        limit: int = 0,
        limit_bytes: int = 0,
    ) -> Any:
        """Observes events: a decorator, or with a function as the last argument, a subscription.

        `what`: event classes, or type names; nothing: every event. An observer of classes gets
        their objects; one of names, or of every event, gets each as an Event. A failed response is
        no object of its class: `failed=True` observes the failed ones, as Events, and only those;
        `failed=False` leaves them out.

        `of` is a scope: only what is sent through exactly that one, after the observers of every
        scope. When that scope ends, nothing more comes.

        `count` ends the subscription after that many events; `once` means a count of 1. Events from
        the types' histories (`Context.keep_history`) come first, unless `history` is False.

        `on` says where the function is called: "immediate", at once (the default); "host", inside
        `drain` and `wait`, or in the running loop; or a scheduler from `Context.serial`, on its
        thread. On a scheduler, at most `limit` events and `limit_bytes` of payload wait (default
        65,536 and 64 MiB). When that is full, the `policy` decides: "reject" refuses the send,
        "block" makes it wait; "drop-oldest", "drop-newest" and "latest" lose events, and `on_gap`
        is called with a Gap that says which; without it, a RuntimeWarning tells of the first loss.
        With "reject" and "block", only an event that cannot be refused, such as a timer's, is lost
        when there is no room. An `async def` function is called in the running loop.
        """
        function = what[-1] if what and _is_function(what[-1]) else None
        which = self._filter(what if function is None else what[:-1], role, layer, failed)
        which.count = 1 if once else count
        which.of = of
        which.flags |= 0 if history else d.OBSERVE_NEW
        which.on_gap = on_gap
        bounds = (policy, limit, limit_bytes)
        if function is not None:
            return self._subscribe(function, which, on, *bounds)

        def decorate(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
            if not _is_function(function):
                raise TypeError(f"observe: {function!r} is not a function")
            self._subscribe(function, which, on, *bounds)
            return function

        return Decorator(decorate, "observe")

    def _subscribe(
        self, function: Callable[[Any], Any], which: Filter, on: On = None, *bounds: Any
    ) -> Subscription:
        if is_async(function):
            loop = self.context._loop_or_refuse("an async def observer")
            which.queue = queue_of("host" if on is None else on, *bounds)
            return loop.observe(self, function, which)
        which.queue = queue_of(on, *bounds)
        return Subscription(self, function, which)

    def _filter(
        self, what: Sequence[Any], role: Optional[str], layer: Layers, failed: Optional[bool]
    ) -> Filter:
        if failed not in _STATUS_FLAGS:
            raise TypeError(f"failed is True, False or None, not {failed!r}")
        catalogue = self.context.catalogue
        for kind in what:
            if isinstance(kind, type) and kind in _ROLES:
                raise TypeError(f'{kind.__name__} is no event class: say role="{_ROLES[kind]}"')
        types = [catalogue.number_of(kind) for kind in what]
        which = Filter(types, role_bits(role), self._layers(layer), 0, 0)
        classes = [kind for kind in what if isinstance(kind, type)]
        if classes and not failed:
            which.declared = catalogue.declared
            if len(classes) == len(types):
                failed = False
                which.declared = dict(zip(types, map(catalogue.wanted, classes)))
        which.flags = _STATUS_FLAGS[failed]
        return which

    @overload
    def mailbox(
        self,
        what: Type[One],
        /,
        *,
        failed: Literal[False, None] = None,
        **options: Unpack[Fetching],
    ) -> Mailbox[One]: ...
    @overload
    def mailbox(
        self,
        *what: Union[Type[Any], str],
        failed: Literal[True],
        **options: Unpack[Fetching],
    ) -> Mailbox[Event]: ...
    @overload
    def mailbox(
        self,
        *what: str,
        failed: Optional[bool] = None,
        **options: Unpack[Fetching],
    ) -> Mailbox[Event]: ...
    @overload
    def mailbox(
        self,
        first: Type[Any],
        second: Type[Any],
        /,
        *what: Type[Any],
        failed: Literal[False, None] = None,
        **options: Unpack[Fetching],
    ) -> Mailbox[Any]: ...
    def mailbox(
        self,
        *what: Any,
        failed: Optional[bool] = None,
        role: Optional[Role] = None,
        layer: Layers = None,
        count: int = 0,
        history: bool = True,
        of: Optional[ScopeLike] = None,
        on_gap: Optional[Callable[[Gap], object]] = None,
        policy: Policy = "reject",
        limit: int = 0,
    ) -> Mailbox[Any]:
        """Keeps events until they are fetched, instead of calling a function: for hot paths.

        `what` and the other options are as for `observe`. At most `limit` events wait (0: 65,536).
        When that is full, the `policy` decides: "reject" or "block" the send, or lose events
        ("drop-oldest", "drop-newest", "latest").
        """
        which = self._filter(what, role, layer, failed)
        which.count = count
        which.of = of
        which.flags |= 0 if history else d.OBSERVE_NEW
        which.on_gap = on_gap
        return Mailbox(self, which, policy, limit)

    def trace(self, write: Optional[Callable[[str], object]] = None) -> None:
        """Writes every event as one line of text, until the scope ends; by default to stderr."""
        refuse_async(write, "trace's function")
        number = _callbacks.keep_line(self._tracing(write))
        status = C.mainstem_trace(self.handle, _callbacks.on_line, number)
        if status:
            _callbacks.forget(number)
            check(status)
        # Kept with the context too, since a scope may end with its parent.
        self._traces.append(number)
        self.context._traces.append(number)

    def _tracing(self, write: Optional[Callable[[str], object]]) -> Callable[[str], None]:
        def line(text: str) -> None:
            try:
                if write is None:
                    print(text, file=sys.stderr)
                else:
                    write(text)
            except BaseException as exception:
                self.context.thrown.report(exception, text)

        return line

    def _forget_traces(self) -> None:
        while self._traces:
            _callbacks.forget(self._traces.pop())

    def _layers(self, layers: Layers) -> int:
        bits = 0
        for name in [layers] if isinstance(layers, str) else layers or ():
            bits |= 1 << (layer_bits(self.handle, name) >> 40)
        return bits


def _is_function(what: Any) -> bool:
    return callable(what) and not isinstance(what, type)

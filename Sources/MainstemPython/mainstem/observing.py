# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The part of a scope that observes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Callable, List, Optional, Sequence, Type, Union, overload

from ._library import C, _callbacks
from ._library import _header as d
from .events._catalogue import ScopeLike
from .events._declaration import Notice, Request, Response
from .events._payload import Role, layer_bits, role_bits
from .events._received import Gap
from .failure import check, is_async, refuse_async
from .observers._calls import On, Policy, queue_of
from .observers._subscription import Decorator, Filter, Mailbox, Subscription

if TYPE_CHECKING:
    from typing_extensions import Literal, Unpack

    from .context import Context
    from .events._received import Event
    from .servers._server import Fetching, Layers, Observed, One, Result, Two, Watching

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

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The context: one stream and everything that belongs to it."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Literal,
    Optional,
    Type,
    Union,
    cast,
    overload,
)

from .._library import C
from .._library import _header as d
from .._library._interrupts import report_unraisable
from ..aio import EventIterator, Loop
from ..events._catalogue import Catalogue, ScopeLike
from ..events._payload import Role
from ..events._received import Gap
from ..failure import MainstemError, Status, check, refuse_async, told
from ..observers._calls import Policy, Scheduler, Stats, Thrown, add_serial, queue_of, read_stats
from ..recording import Recording, Replaying
from ..servers._requests import ask, wait_for
from ._host import Clock, Draining, Limits, Registering, create
from ._scope import Scope

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..events._received import Event
    from ..navigation._navigator import Navigator
    from ..servers._server import Awaiting, Layers, One
    from . import AsyncContext

__all__ = ["Context"]


_DELIVERY = {"immediate": 0, "host": d.CONTEXT_DELIVER_ON_HOST}
_THREADS = {"one": d.THREADS_ONE, "any": d.THREADS_ANY, "guarded": d.THREADS_GUARDED}
_CLOCKS = {"monotonic": d.CLOCK_MONOTONIC, "virtual": d.CLOCK_VIRTUAL}

#: How many scope names are cached.
_MOST_ORIGINS = 4096

#: The statuses with which a close has closed the context, even if its journal's end is missing.
_CLOSED = (Status.OK, Status.IO, Status.NO_SPACE, Status.POISONED, Status.CORRUPT)

OnException = Callable[[BaseException, Any], Any]

#: The open contexts. A context lives until it is closed: at the latest, when the interpreter exits.
_open: Dict[int, "Context"] = {}


class Context(Registering, Draining, Clock, Recording, Replaying, Scope):
    """One stream of events, until it is closed: `with mainstem.Context() as context:`.

    It belongs to the thread that made it; with `threads="any"` any thread may use it, with
    "guarded" one at a time. With `times`, each event carries the time at which it was accepted.
    With `timing`, each subscription's `stats` say how long its calls take. `limits` bounds what the
    context may use. With `deliver="host"`, a send only accepts; all observers run only inside
    `drain`, `wait` and `flush`. With `clock="virtual"`, time begins at 0 and stands still until
    `advance` moves it. With a `seed`, `random` and `id` are the same in every run. With
    `interrupts`, signal handlers written in C may post to it (`mainstem_post_from_interrupt`).
    `async with` ties the context to the running loop. An exception in a callback is counted and
    reported on the stream, and goes to `on_exception`; with `raises=True`, for tests, the call that
    ran the callback raises the first.

    Ctrl-C and `sys.exit()` in a callback are always raised by the call that ran it, a send or a
    drain, after the other observers got their event. So they end the program. On the thread of a
    serial scheduler, `sys.exit()` is an exception like any other and ends nothing.
    """

    __slots__ = (
        "_is_recorded",
        "_loop",
        "origins",
        "_owned",
        "any_thread",
        "catalogue",
        "navigator",
        "on_exception",
        "thrown",
        "view_models",
    )

    #: Its event types.
    catalogue: Catalogue
    #: Whether any thread may use it.
    any_thread: bool
    #: The names of scopes looked up so far, by the numbers that events have.
    origins: Dict[int, str]
    #: Handles exceptions raised in its callbacks.
    thrown: Thrown
    #: Its open view models, by the numbers of their scopes.
    view_models: Dict[int, Any]
    #: Its navigator; None: it has none.
    navigator: Optional[Navigator]
    #: Gets each exception raised in a callback, and the event; None: sys.unraisablehook.
    on_exception: Optional[OnException]

    def __init__(
        self,
        *,
        threads: Literal["one", "any"] = "one",
        times: bool = False,
        timing: bool = False,
        deliver: Literal["immediate", "host"] = "immediate",
        limits: Optional[Limits] = None,
        clock: Literal["monotonic", "virtual"] = "monotonic",
        seed: int = 0,
        interrupts: bool = False,
        deny_by_default: bool = False,
        raises: bool = False,
        on_exception: Optional[OnException] = None,
        borrow: Optional[int] = None,
    ) -> None:
        if threads not in _THREADS:
            raise TypeError(f'threads is "one", "any" or "guarded", not {threads!r}')
        if deliver not in _DELIVERY:
            raise TypeError(f'deliver is "immediate" or "host", not {deliver!r}')
        if clock not in _CLOCKS:
            raise TypeError(f'clock is "monotonic" or "virtual", not {clock!r}')
        refuse_async(on_exception, "on_exception=")
        self.any_thread = threads != "one"
        handle = borrow
        if handle is None:
            flags = _DELIVERY[deliver] | (d.CONTEXT_TIMES if times else 0)
            flags |= d.CONTEXT_TIMING if timing else 0
            flags |= d.CONTEXT_INTERRUPTS if interrupts else 0
            flags |= d.CONTEXT_DENY_BY_DEFAULT if deny_by_default else 0
            handle = create(_THREADS[threads], flags, limits or Limits(), _CLOCKS[clock], seed)
        super().__init__(self, handle, "")
        self.on_exception = on_exception
        self._owned = borrow is None
        self.thrown = Thrown(self, raises)
        self._loop: Optional[Loop] = None
        self.catalogue = Catalogue(handle)
        self.origins = {}
        self.view_models = {}
        self.navigator = None
        self._is_recorded = False
        if self._owned:
            _open[handle] = self

    # Names

    def name_of_origin(self, number: int) -> str:
        """Returns the name of the scope that events of this origin were sent through.

        Raises MainstemError when the scope has ended and nothing uses the number any more.
        """
        name = self.origins.get(number)
        if name is None:
            text = ctypes.c_char_p()
            check(C.mainstem_origin_name(self.handle, number, ctypes.byref(text)))
            # Numbers are not reused, but there is no limit to how many scopes come and go.
            if len(self.origins) >= _MOST_ORIGINS:
                self.origins.clear()
            name = self.origins[number] = (text.value or b"").decode()
        return name

    # Schedulers

    def serial(self, name: str, spin: float = 0) -> Scheduler:
        """Adds a scheduler with a thread of its own, for `observe(…, on=…)`.

        When its queue is empty, it looks for more work for `spin` seconds before it sleeps. Its
        callbacks may post and respond; in a context of one thread they may not send.
        """
        return add_serial(self.handle, name, spin)

    # Counters

    def stats(self) -> Stats:
        """Reads the counters of the context."""
        return read_stats(self.handle)

    def first_error(self) -> Optional[MainstemError]:
        """Returns the error of the first call that failed, or None: a small program checks once."""
        message = ctypes.c_char_p()
        status = C.mainstem_context_first_error(self.handle, ctypes.byref(message))
        if status == 0:
            return None
        return told(status, (message.value or b"").decode("utf-8", "replace"))

    # Close

    @property
    def closed(self) -> bool:
        """Whether the context is closed."""
        return _open.get(self.handle) is not self

    def __repr__(self) -> str:
        return f"<mainstem {type(self).__name__}{', closed' if self.closed else ''}>"

    def close(self) -> None:
        """Closes the context (law 12). A second call does nothing. BUSY inside a callback of it.

        What has been posted reaches its observers, but what they send is refused. So stop your
        threads and `drain` before, as the end of `with` does.
        """
        if self.closed:
            return
        self._remember_names()
        self.thrown.is_closing = True
        self.catalogue.rows.copy()
        status = C.mainstem_context_close(self.handle)
        if status not in _CLOSED:
            self.thrown.is_closing = False
            self.catalogue.rows.went_on()
            check(status)
        self.catalogue.rows.closed()
        del _open[self.handle]
        if self._loop is not None:
            self._loop.leave()
        self._forget_traces()
        self.thrown.returned(status)

    def end(self) -> None:
        """Same as `close`."""
        self.close()

    def __exit__(self, *exception: object) -> None:
        """Drains, so that what was posted is handled as ever, and closes the context.

        With `threads="any"` it only closes: a drain beside threads that send may not end.
        """
        try:
            if not (self.closed or self.any_thread or self.replaying):
                # If this is refused, so is the close, which says why.
                C.mainstem_drain(self.handle, 0, None)
                self.thrown.raise_caught()
        finally:
            self.close()

    async def __aenter__(self) -> "AsyncContext":
        self._loop = Loop(self)
        return cast("AsyncContext", self)

    async def __aexit__(self, *exception: object) -> None:
        loop = self._loop_or_refuse("the end of async with")
        try:
            await loop.end()
        finally:
            self.close()

    @overload
    def events(
        self,
        what: Type[One],
        /,
        *,
        failed: Literal[False, None] = None,
        **options: Unpack[Awaiting],
    ) -> EventIterator[One]: ...
    @overload
    def events(
        self,
        *what: Union[Type[Any], str],
        failed: Literal[True],
        **options: Unpack[Awaiting],
    ) -> EventIterator[Event]: ...
    @overload
    def events(
        self,
        *what: str,
        failed: Optional[bool] = None,
        **options: Unpack[Awaiting],
    ) -> EventIterator[Event]: ...
    @overload
    def events(
        self,
        first: Type[Any],
        second: Type[Any],
        /,
        *what: Type[Any],
        failed: Literal[False, None] = None,
        **options: Unpack[Awaiting],
    ) -> EventIterator[Any]: ...
    def events(
        self,
        *what: Any,
        failed: Optional[bool] = None,
        once: bool = False,
        policy: Policy = "drop-oldest",
        limit: int = 1024,
        limit_bytes: int = 0,
        role: Optional[Role] = None,
        layer: Layers = None,
        count: int = 0,
        history: bool = True,
        of: Optional[ScopeLike] = None,
        on_gap: Optional[Callable[[Gap], object]] = None,
    ) -> EventIterator[Any]:
        """Observes events as an async iterator, from this call on. `what` is as in `observe`.

        At most `limit` events wait, not counting the few already asked for. When that is full, the
        `policy` decides, as in `observe`: by default the oldest are lost, and `on_gap` is
        told which.
        With "reject" or "block", only events that cannot be refused, such as a timer's, are lost.
        """
        queue = queue_of("host", policy, limit, limit_bytes)
        loop = self._loop_or_refuse("events()")
        which = self._filter(what, role, layer, failed)
        which.count = 1 if once else count
        which.of = of
        which.flags |= 0 if history else d.OBSERVE_NEW
        which.queue = queue
        which.on_gap = on_gap
        return loop.events(which)

    # For other parts of the package

    def _loop_or_refuse(self, what: str) -> Loop:
        if self._loop is None:
            raise RuntimeError(
                f"{what} needs `async with mainstem.Context()`: there is no loop here"
            )
        return self._loop

    def _remember_names(self) -> None:
        """Caches type names, so that kept events have them after the close too."""
        with contextlib.suppress(MainstemError):
            self.catalogue.remember(self.stats().types)

    def _installed(self, install: Callable[[], Any]) -> Any:
        """Calls what installs a server. A test notes it, since it may be there at its end."""
        return install()

    def _wait_for_run(self, run: Any) -> None:
        """Waits until a run of a command is over."""
        if self._loop is not None:
            raise RuntimeError("a command in a loop is awaited: `await view.go()`")
        if self.thrown.inside():
            raise MainstemError(
                Status.BUSY, "result: it waits, and this is a callback of the context: await it"
            )
        wait_for(run)

    def _ask(
        self,
        scope: Any,
        number: int,
        payload: bytes,
        timeout: Optional[float],
        progress: Any,
        named: bool,
        share: bool,
    ) -> Any:
        if self._loop is not None:
            return self._loop.ask(scope, number, payload, timeout, progress, named, share)
        if self.thrown.inside():
            raise MainstemError(
                Status.BUSY, "request: it waits, and this is a callback of the context: use then="
            )
        return ask(scope, number, payload, timeout, progress, named, share)


@atexit.register
def _close_all() -> None:
    """Closes every context: no callback may run after the interpreter has exited."""
    for context in list(_open.values()):
        try:
            context.close()
        except MainstemError:
            # Made before a fork, or by another thread: none of its callbacks can run here.
            continue
        except BaseException as exception:
            report_unraisable(exception, context)

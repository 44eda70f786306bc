# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Servers: tables of handlers, and the types in their signatures."""

from __future__ import annotations

import ctypes
import inspect
from typing import (
    Any,
    Callable,
    Coroutine,
    Dict,
    List,
    Literal,
    Mapping,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    TypedDict,
    TypeVar,
    Union,
    overload,
)

from .._library import C, _callbacks
from .._library import _header as d
from ..events._catalogue import ScopeLike, WrongAnswer
from ..events._declaration import Declaration, Value
from ..events._payload import Role
from ..events._received import Event, Gap, respond
from ..failure import Failure, MainstemError, Status, check, encoded, is_async
from ..observers._calls import On, Policy, Queue, message_of

__all__ = [
    "LATER",
    "Answered",
    "Asked",
    "Awaiting",
    "Fetching",
    "Handler",
    "Kind",
    "Later",
    "Layers",
    "NotAwaited",
    "Observed",
    "One",
    "Patience",
    "Place",
    "Result",
    "Serving",
    "Show",
    "Table",
    "Two",
    "Watching",
    "answer_event",
    "handled_by",
    "handlers_of",
    "handles",
    "marked",
    "no_answer",
    "no_loop",
    "show_function",
    "show_of",
]


# Types in the signatures of Scope and Context: only type checkers need them -----------------------

One = TypeVar("One", bound=Value)
Two = TypeVar("Two", bound=Value)
Result = TypeVar("Result")
Asked = TypeVar("Asked")
Answered = TypeVar("Answered", bound=Optional[Value])
Self_ = TypeVar("Self_")

#: A layer, or several, by name.
Layers = Union[str, Sequence[str], None]


class NotAwaited:
    """What a request gives if `progress` is an `async def`: it is called, not awaited.

    The call raises a TypeError. For a checker, the answer that is not there is the mistake.
    """


class Choice(TypedDict, total=False):
    """Which events to observe, and how many."""

    role: Optional[Role]
    layer: Layers
    count: int
    history: bool
    of: Optional[ScopeLike]
    on_gap: Optional[Callable[[Gap], object]]


class Place(TypedDict, total=False):
    """Where a function is called, and how many events may wait for it."""

    on: On
    policy: Optional[Policy]
    limit: int
    limit_bytes: int


class Watching(Choice, Place, total=False):
    """Options of `observe`."""

    once: bool


class Fetching(Choice, total=False):
    """Options of `mailbox`."""

    policy: Policy
    limit: int


class Awaiting(Fetching, total=False):
    """Options of `events`."""

    once: bool
    limit_bytes: int


class Patience(TypedDict, total=False):
    """Options of `request`: how long it waits, who hears how far it is, and who asks with it."""

    timeout: Optional[float]
    share: bool
    progress: Optional[Callable[[Any], object]]


class Kind(Protocol[Asked, Answered]):
    """A request class: it knows itself and the class that answers it."""

    def __mainstem_pair__(self) -> Callable[[Asked, Answered], Tuple[Asked, Answered]]: ...


class Serving(Protocol[Asked, Answered]):
    """A decorator for a handler, which stays what it is."""

    @overload
    def __call__(self, handler: Callable[[Asked], Answered]) -> Callable[[Asked], Answered]: ...
    @overload
    def __call__(
        self, handler: Callable[[Asked], Coroutine[Any, Any, Answered]]
    ) -> Callable[[Asked], Coroutine[Any, Any, Answered]]: ...
    @overload
    def __call__(
        self, handler: Callable[[Asked], Union[Answered, Later]]
    ) -> Callable[[Asked], Union[Answered, Later]]: ...


class Handling(Protocol[Asked, Answered]):
    """A decorator for a method that is a handler, which stays what it is."""

    @overload
    def __call__(
        self, method: Callable[[Self_, Asked], Answered]
    ) -> Callable[[Self_, Asked], Answered]: ...
    @overload
    def __call__(
        self, method: Callable[[Self_, Asked], Coroutine[Any, Any, Answered]]
    ) -> Callable[[Self_, Asked], Coroutine[Any, Any, Answered]]: ...
    @overload
    def __call__(
        self, method: Callable[[Self_, Asked], Union[Answered, Later]]
    ) -> Callable[[Self_, Asked], Union[Answered, Later]]: ...


class Observed(Protocol[One]):
    """A decorator for an observer, which stays what it is."""

    def __call__(self, function: Callable[[One], Result]) -> Callable[[One], Result]: ...


# The server: a scope with a table of handlers -----------------------------------------------------

Function = TypeVar("Function", bound=Callable[..., Any])
Handler = Callable[[Any], Any]
#: Says what a server shows: it gets the server's scope, to send through.
Show = Callable[[Any], object]


class Later:
    """The type of LATER."""

    def __repr__(self) -> str:
        return "mainstem.LATER"


#: A handler returns this to answer later, through the `retain()` of its request.
LATER = Later()


#: What a handler does to the values of its server.
Effect = Literal["", "fetch", "reload", "loadMore", "update", "perform"]
EFFECTS: Dict[str, int] = {
    "": 0,
    "fetch": d.HANDLER_FETCH,
    "reload": d.HANDLER_RELOAD,
    "loadMore": d.HANDLER_LOAD_MORE,
    "update": d.HANDLER_UPDATE,
    "perform": d.HANDLER_PERFORM,
}


@overload
def handles(
    what: Kind[Asked, Answered],
    /,
    *,
    own: bool = False,
    effect: Effect = "",
    several: bool = False,
) -> Handling[Asked, Answered]: ...
@overload
def handles(
    *what: str, own: bool = False, effect: Effect = "", several: bool = False
) -> Handling[Event, Any]: ...
@overload
def handles(
    *what: Any, own: bool = False, effect: Effect = "", several: bool = False
) -> Callable[[Function], Function]: ...
def handles(*what: Any, own: bool = False, effect: Effect = "", several: bool = False) -> Any:
    """Marks a method as the handler of event classes or type names: see `Scope.install`.

    With `own`, it gets only what is sent through its server's own scope. `effect` says what it does
    to the server's values: a "fetch" changes none, nor does what it asks for; if one changes, the
    set is refused, and that is a failure. "reload", "loadMore", "update" and "perform" may. The
    name of a type may not say another effect: `RequestFetchEntries`.

    A request has one handler: a second one is refused, unless both say `several`. Then both run,
    and the first answer counts.
    """
    if effect not in EFFECTS:
        raise ValueError(f"effect is {effect!r}: it is one of {', '.join(list(EFFECTS)[1:])}")

    def mark(function: Function) -> Function:
        function.__mainstem_effect__ = effect  # type: ignore[attr-defined]
        function.__mainstem_handles__ = what  # type: ignore[attr-defined]
        function.__mainstem_own__ = own  # type: ignore[attr-defined]
        function.__mainstem_several__ = several  # type: ignore[attr-defined]
        return function

    return mark


def show_function(function: Function) -> Function:
    """Marks the method that says what its server shows: see `Scope.server`."""
    function.__mainstem_shows__ = True  # type: ignore[attr-defined]
    return function


def show_of(instance: object) -> Optional[Show]:
    """Returns the method of an object that is marked with `shows`; None: there is none."""
    names = [
        name
        for name, function in inspect.getmembers(type(instance), callable)
        if getattr(function, "__mainstem_shows__", False)
    ]
    if len(names) > 1:
        what = f"{type(instance).__name__}: {' and '.join(names)}"
        raise TypeError(
            f"{what} are both marked with @mainstem.show_function: say all in one method"
        )
    return getattr(instance, names[0]) if names else None


def handlers_of(instance: object) -> Tuple[Dict[Any, Handler], Dict[Any, Handler]]:
    """Returns the tables of an object with methods marked with `handles`: plain ones, own ones."""
    table: Dict[Any, Handler] = {}
    own: Dict[Any, Handler] = {}
    for what, name, is_own in marked(type(instance)):
        (own if is_own else table)[what] = getattr(instance, name)
    if not table and not own and show_of(instance) is None:
        raise TypeError(f"{type(instance).__name__}: no method is marked with @mainstem.handles")
    return table, own


def handled_by(kind: type) -> List[Any]:
    """Returns what the methods of a class handle, but for what is sent through its own server."""
    return [what for what, _, is_own in marked(kind) if not is_own]


def marked(kind: type) -> List[Tuple[Any, str, bool]]:
    """Returns what the methods of a class handle, the method, and whether only what is its own."""
    return [
        (what, name, getattr(function, "__mainstem_own__", False))
        for name, function in inspect.getmembers(kind, callable)
        for what in getattr(function, "__mainstem_handles__", ())
    ]


def flags_of(handler: Handler) -> int:
    """Returns the flags for what a handler is marked to do, and for whether there are several."""
    several = d.HANDLER_SEVERAL if getattr(handler, "__mainstem_several__", False) else 0
    return several | EFFECTS[getattr(handler, "__mainstem_effect__", "")]


class Table:
    """The handlers of a server. What a handler returns is the answer to its request."""

    __slots__ = (
        "_child",
        "_declared",
        "_handlers",
        "_has_server",
        "_later",
        "_queue",
        "_rows",
        "_scope",
        "_show",
    )

    def __init__(
        self,
        parent: ScopeLike,
        handlers: Mapping[Any, Handler],
        in_loop: Callable[[Handler], Handler],
        queue: Queue,
        own: Mapping[Any, Handler],
        show: Optional[Show],
        child: Callable[[int], ScopeLike],
        several: bool = False,
    ) -> None:
        self._scope = parent
        self._queue = queue
        self._show = show
        self._child = child
        self._has_server = False
        #: The position of the last request whose handler answers later.
        self._later = 0
        self._handlers: Dict[int, Handler] = {}
        #: The declarations of those handled by class; handlers of a name get Events.
        self._declared: Dict[int, Declaration] = {}
        self._rows: List[Tuple[str, int]] = []
        both = [(*row, 0) for row in handlers.items()]
        for what, handler, flags in both + [(*row, d.HANDLER_OWN) for row in own.items()]:
            flags |= flags_of(handler) | (d.HANDLER_SEVERAL if several else 0)
            if is_async(handler):
                if queue.scheduler != d.SCHEDULER_IMMEDIATE:
                    raise TypeError("an async def handler runs in the loop: leave out `on`")
                handler = in_loop(handler)
            number = parent.context.catalogue.number_of(what)
            if number in self._handlers:
                twice = parent.context.catalogue.name_of(number)
                raise TypeError(f"{twice} has two handlers in one server")
            self._handlers[number] = handler
            if isinstance(what, type):
                self._declared[number] = parent.context.catalogue.wanted(what)
            self._rows.append((parent.context.catalogue.name_of(number), flags))

    def add(self, name: Optional[str]) -> int:
        """Adds the server to its parent, and returns the handle of its scope.

        Without a name, the parent itself becomes the server.
        """
        rows = (d.HandlerRow * len(self._rows))()
        for index, (kind, flags) in enumerate(self._rows):
            rows[index] = d.HandlerRow(encoded(kind, "type"), _callbacks.on_event, flags)
        server = ctypes.c_void_p()
        number = _callbacks.keep(self.deliver)
        options = d.ServerOptions(size=ctypes.sizeof(d.ServerOptions))
        self._queue.write(options)
        if self._show is not None:
            _callbacks.keep_show(number, self.shown)
            options.show = _callbacks.on_show
        status = C.mainstem_server_add_with(
            self._scope.handle,
            None if name is None else encoded(name, "name"),
            rows,
            ctypes.sizeof(d.HandlerRow),
            len(rows),
            ctypes.byref(options),
            number,
            _callbacks.on_release,
            ctypes.byref(server),
        )
        if status:
            _callbacks.forget(number)
            check(status)
        return server.value or 0

    def server(self, handle: int) -> ScopeLike:
        """The server's scope: what is sent through a handler's event carries its name."""
        if not self._has_server:
            self._scope = self._child(handle)
            self._has_server = True
        return self._scope

    def shown(self, handle: int) -> int:
        """Runs the show function for the library, and returns its status."""
        server = self.server(handle)
        thrown = server.context.thrown
        running = thrown.running
        depth = running.depth
        status = 0
        try:
            running.depth = depth + 1
            if self._show is not None:
                self._show(server)
        except BaseException as exception:
            status = thrown.failed_to_show(exception, server)
        finally:
            running.depth = depth
        return status

    def deliver(self, address: int) -> None:
        """Runs a handler for the library."""
        event = Event(self._scope, address)
        value: Any = event
        declaration = self._declared.get(event._facts[7])
        if declaration is not None:
            value = declaration.received(event)
        thrown = self._scope.context.thrown
        running = thrown.running
        depth = running.depth
        failure: Optional[Failure] = None
        try:
            running.depth = depth + 1
            failure = self._failure_of(event, value, address)
            # No exception is being handled here: it would become the context of later ones.
            if failure is not None:
                self._answer_error(event, failure)
        finally:
            # It holds the frames that called the handler: with this variable, a cycle.
            del failure
            running.depth = depth
            event._address = 0

    def _failure_of(self, event: Event, value: Any, address: int) -> Optional[Failure]:
        """Runs the handler and answers. Returns what went wrong, to be the answer instead."""
        context = self._scope.context
        try:
            self._answer(event, self._handlers[event.type](value))
        except BaseException as exception:
            if isinstance(exception, WrongAnswer):
                exception.name(self._handlers[event.type])
            # A Failure is an answer. If nobody is owed one, it must not vanish.
            is_owed = context.catalogue.is_answered(event.type)
            if not isinstance(exception, Failure) or not is_owed:
                context.thrown.failed(exception, value, address)
            if isinstance(exception, Failure):
                return exception
            return Failure(message_of(exception, value))
        return None

    def interrupted(self, address: int) -> None:
        """Answers with an error after an interrupt in this package's own code."""
        event = Event(self._scope, address)
        if event.position != self._later:
            self._answer_error(event, Failure("an interrupt kept the handler from answering"))
        event._address = 0

    def _answer(self, event: Event, answer: Any) -> None:
        if answer is LATER:
            self._later = event.position
            return
        if answer is None:
            if event.tracked and not event.has_answered:
                raise WrongAnswer(no_answer(event))
            return
        answer_event(event, answer)

    def _answer_error(self, event: Event, failure: Failure) -> None:
        context = self._scope.context
        if not context.catalogue.is_answered(event.type):
            return
        try:
            answer_event(event, failure)
            return
        except MainstemError as error:
            context.thrown.failed(error, event, event._live())
            # As C says it: it is recorded.
            refused = Failure(error.args[1])
        answer_event(event, refused)


def no_loop(handler: Handler) -> Handler:
    """Stands where async handlers are put into a loop, if all are taken in steps."""
    raise AssertionError(f"{handler} is taken in steps")


def no_answer(event: Event) -> str:
    """Says that a handler returned nothing, and what to return."""
    catalogue = event.scope.context.catalogue
    known = catalogue.known(event.type)
    wanted = catalogue.name_of(known.response) if known else "its answer"
    return (
        f"the handler of {event.name} returned None, not its answer: return a {wanted}, or"
        " mainstem.LATER to answer later"
    )


def answer_event(event: Event, answer: Any) -> None:
    """Answers inside the callback. It is not an error if another server answered first (law 8)."""
    try:
        respond(event._scope, event._live(), event.type, answer)
    except MainstemError as error:
        if error.status != Status.STALE:
            raise

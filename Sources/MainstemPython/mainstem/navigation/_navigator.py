# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The navigator: opens and closes the components of an app by their routes.

nav = mainstem.Navigator(context, stage=Windows())

@nav.route("user/<int:id>")
def user(route) -> UserPage:
    return UserPage(route["id"])

picked = await nav.open("pick/colour")
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Protocol,
    Set,
    Tuple,
    TypeVar,
    Union,
    cast,
    overload,
)

from .._library import C, _callbacks, milliseconds_of
from .._library import _header as d
from ..events._catalogue import ContextLike, LiveLike, OwnerLike, ScopeLike
from ..events._received import Event
from ..failure import Failure, MainstemError, Status, check, encoded, refuse_async
from ..observers._calls import Stats
from ..observers._subscription import Decorator
from ..servers._server import Handler
from ._hooks import Guard, Stage, asks, hear_intents, refuse_intents
from ._moves import (
    KIND_NAMES,
    KINDS,
    Component,
    Kind,
    Moves,
    ViewModelMoves,
    Which,
    component_of,
    number_of,
    read_tree,
    top_of,
)
from ._router import Match, Router

__all__ = ["Navigator", "NavigatorRoute"]


# The routes of a context, whichever modules have added them ---------------------------------------


class NavigatorRoute(NamedTuple):
    """A route, and what it leads to."""

    pattern: str
    kind: Kind
    #: The name of the factory of its owner; "": it has none.
    name: str = ""
    #: Of an embed: its slot. Of a group: the URLs of its parts, with spaces between them.
    parts: str = ""


def read_routes(context: ContextLike) -> Iterator[NavigatorRoute]:
    """Reads all routes, in the order of adding."""
    row, index = d.RouteRow(), 0
    while True:
        size = ctypes.sizeof(row)
        status = C.mainstem_routes_read(context.handle, index, ctypes.byref(row), size)
        if status == Status.UNSET:
            return
        check(status)
        kind = KIND_NAMES[row.kind]
        yield NavigatorRoute(_text(row.pattern), kind, _text(row.name), _text(row.parts))
        index += 1


def _text(data: Optional[bytes]) -> str:
    return (data or b"").decode("utf-8", "surrogateescape")


# The navigator ------------------------------------------------------------------------------------

#: Makes what is behind a route, from what its URL says: a view model, an object with handlers.
Make = Callable[[Match], Any]

Makes = TypeVar("Makes", bound=Make)
Guards = TypeVar("Guards", bound=Guard)

_DECORATED: Any = object()


class HomeLike(ContextLike, Protocol):
    """A `Context`, as its navigator sees it."""

    def stats(self) -> Stats: ...

    def factory(self, name: str, make: Callable[[Any, Any], object], payload: Any) -> None: ...

    def server(self, name: str, handlers: Mapping[Any, Handler]) -> ScopeLike: ...

    def _child(self, handle: int, name: str) -> OwnerLike: ...


class Navigator(Moves):
    """Opens and closes the components of a context: screens, dialogs, widgets in slots.

    The stage is the host's side: an object with `show(component)` and `hide(numbers)`, plain or
    async. It has answered when they return; what they raise is the error of what was opened. A
    plain `show` may return LATER, and `shown` answers; so may `hide`, and who has retained its
    `numbers.request`.

    `scheme` is the app's own: links lose it. The stage has `show_timeout` seconds to show what is
    opened; 10 by default. Routes and guards are added before the first event. If a module in
    another language has added a navigator already, it is this one; then these two must be left out.
    """

    __slots__ = ("_context", "_guards", "_names", "_router", "_scheme", "_stage", "lasting")

    def __init__(
        self,
        context: HomeLike,
        *,
        stage: Any = None,
        scheme: str = "",
        show_timeout: Optional[float] = None,
    ) -> None:
        if context.navigator is not None:
            raise MainstemError(Status.INVALID, "Navigator: the context has one: context.navigator")
        super().__init__(context)
        self._context = context
        self._router = Router()
        self._scheme = f"{scheme}://".lower() if scheme else ""
        #: The names of the factories that its routes have added, and of its guards.
        self._names: Set[str] = set()
        self._guards: Set[str] = set()
        #: How many subscriptions last as long as it.
        self.lasting = 0
        with self._lasts():
            check(C.mainstem_navigator_add(context.handle, _options(scheme, show_timeout)))
        context.navigator = self
        #: What was given to show.
        self._stage: Any = None
        if stage is not None:
            self.stage(stage)

    def stage(self, stage: Any) -> OwnerLike:
        """Adds the stage, and returns its scope."""
        self._stage = stage
        table = Stage(self, stage, self._context, lambda handle: self._child(handle, "Stage"))
        with self._lasts():
            handle = table.add()
        return cast(OwnerLike, table.server(handle))

    @contextlib.contextmanager
    def _lasts(self) -> Iterator[None]:
        """Counts what is subscribed in its block."""
        before = self._context.stats().subscriptions
        yield
        self.lasting += self._context.stats().subscriptions - before

    def _child(self, handle: int, name: str) -> OwnerLike:
        return self._context._child(handle, name)

    # Routes

    def type(self, name: str, convert: Callable[[str], Any]) -> None:
        """Adds a type that patterns may then name: see `Router.type`."""

        def accepts(text: bytes) -> bool:
            try:
                return convert(text.decode("utf-8")) is not None
            except ValueError:
                return False

        self._router.type(name, convert)
        number = _callbacks.keep_accepts(accepts)
        status = C.mainstem_routes_type_add(
            self._context.handle,
            encoded(name, "name"),
            _callbacks.on_route_type,
            number,
            _callbacks.on_release,
        )
        if status:
            _callbacks.forget(number)
            check(status)

    @overload
    def route(
        self, pattern: str, *, kind: Kind = "screen", slot: str = "", name: str = ""
    ) -> Callable[[Makes], Makes]: ...

    @overload
    def route(
        self,
        pattern: str,
        make: Optional[Make],
        *,
        kind: Kind = "screen",
        slot: str = "",
        name: str = "",
    ) -> Optional[Make]: ...

    def route(
        self,
        pattern: str,
        make: Optional[Make] = _DECORATED,
        *,
        kind: Kind = "screen",
        slot: str = "",
        name: str = "",
    ) -> Any:
        """Adds a route: a decorator of a function, or with one, or with None, at once.

        The function gets a Match, and returns what is behind the component: a view model, an object
        whose methods are marked with `handles`, or None. It lives as long as the component. A
        Failure that it raises is the answer to who has opened it. None for the function: the
        component is only shown.

        `name` is that of its scope: else that of the class which the function says that it returns
        (`-> UserPage`), or of the function. Of an embed, `slot` is where it is shown.
        """
        return self._route(pattern, make, kind, slot, name)

    @overload
    def flow(self, pattern: str, *, name: str = "") -> Callable[[Makes], Makes]: ...

    @overload
    def flow(self, pattern: str, make: Optional[Make], *, name: str = "") -> Optional[Make]: ...

    def flow(self, pattern: str, make: Optional[Make] = _DECORATED, *, name: str = "") -> Any:
        """Adds a route to what is not shown itself, but has components on it. As `route`.

        What is behind it decides where the app goes: a view model with methods that are marked with
        `intent` hears what those components say.
        """
        return self._route(pattern, make, "flow", "", name)

    def group(
        self, pattern: str, parts: Iterable[str], make: Optional[Make] = None, *, name: str = ""
    ) -> None:
        """Adds a route to several components, given by their URLs, that are closed as one."""
        self._route(pattern, make, "group", " ".join(parts), name)

    def _route(self, pattern: str, make: Any, kind: Kind, parts: str, name: str) -> Any:
        if kind not in KINDS:
            raise ValueError(f"kind is {kind!r}: it is one of {', '.join(KINDS)}")

        def add(make: Optional[Make]) -> Optional[Make]:
            self._add(pattern, make, KINDS[kind], parts, name)
            return make

        return Decorator(add, "route") if make is _DECORATED else add(make)

    def _add(self, pattern: str, make: Optional[Make], kind: int, parts: str, name: str) -> None:
        refuse_async(make, "what makes a component")
        named = None
        if make is not None:
            named = name or name_made_by(make)
            if named not in self._names:
                with self._lasts():
                    self._context.factory(named, self._filling(named), str)
                self._names.add(named)
        row = d.RouteRow(
            encoded(pattern, "pattern"),
            None if named is None else encoded(named, "name"),
            kind,
            0,
            encoded(parts, "parts") if parts else None,
        )
        size = ctypes.sizeof(row)
        check(C.mainstem_routes_add(self._context.handle, ctypes.byref(row), size, 1))
        self._router.add(pattern, make)

    def _filling(self, name: str) -> Callable[[Any, Any], None]:
        """Makes the function that fills the scope of an owner."""

        def fill(scope: Any, request: Any) -> None:
            route = self.match(request.text)
            made = route.value(route)
            model = getattr(type(made), "__mainstem_model__", None)
            if model is not None:
                live = made.__mainstem_open__(scope, model.name, model.name == name)
                hear_intents(live, request, functools.partial(component_of, self))
            elif made is not None:
                refuse_intents(made)
                scope._become(made)

        return fill

    def match(self, url: str) -> Match:
        """What a URL says. Its `value` is the function of its route."""
        if self._scheme and url.lower().startswith(self._scheme):
            url = url[len(self._scheme) :]
        match = self._router.match(url)
        if match is None:
            raise Failure(f"{url} takes no route", code=Status.NO_ROUTE)
        return match

    # Guards

    def guard(
        self, *patterns: str, name: str = "", leaving: bool = False
    ) -> Callable[[Guards], Guards]:
        """Adds a guard, a decorator: it is asked before a URL of these patterns is opened.

        The pattern "*" means every URL: the home page and those with a scheme, too.

        The function, plain or async, gets a Match of the URL. It returns True or None to let the
        move go on, `Redirect(url)` to open another one instead, `OpenFirst(url)` to open another
        one first, and ask again at its result. False, or what it raises, refuses the move.

        With `leaving`, it is asked before a component is closed by a move: `component` of the Match
        is that one. It can only let go, or refuse. `name` is that of its requests,
        `RequestGuard.NAME`; else that of the function.
        """

        if not patterns:
            raise TypeError('guard: name the patterns of its URLs; "*" means every URL')

        def decorate(guard: Guards) -> Guards:
            self._guard(patterns, guard, name or guard.__name__, leaving)
            return guard

        decorator: Callable[[Guards], Guards] = Decorator(decorate, "guard")
        return decorator

    def _guard(self, patterns: Tuple[str, ...], guard: Guard, name: str, leaving: bool) -> None:
        if name in self._guards:
            raise TypeError(f"there is a guard {name!r} already: say another name=")
        text, flags = encoded(name, "name"), d.GUARD_LEAVING if leaving else 0
        for pattern in patterns:
            handle = self._context.handle
            check(C.mainstem_guard_add(handle, encoded(pattern, "pattern"), text, flags))
        self._guards.add(name)
        handler = asks(guard, name, leaving, self._left if leaving else self._entered)
        self._context.server(name, {f"RequestGuard.{name}": handler})

    def _entered(self, event: Event) -> Match:
        """What the URL in a guard's request says."""
        return self.match(event.text)

    def _left(self, event: Event) -> Match:
        """The same, and which component is to be left."""
        match = self._entered(event)
        match.component = component_of(self, event)
        return match

    # Moves, and what the host says

    def of(self, scope: ScopeLike) -> Moves:
        """The moves of whoever asks through a scope: the asker is the component that it is in."""
        return Moves(scope)

    def moves_of(self, live: LiveLike) -> ViewModelMoves:
        """The moves of a view model: `self.navigator`."""
        return ViewModelMoves(live)

    def ready(self) -> None:
        """Says that the app can be seen: links that were asked for before are opened now."""
        self._say(C.mainstem_navigator_ready(self._context.handle))

    def shown(self, component: Which) -> None:
        """Says that a component is shown, whose `show` has returned LATER."""
        self._say(C.mainstem_component_shown(self._context.handle, number_of(component)))

    def gone(self, component: Which) -> None:
        """Says that a component is gone: the user went back by a gesture. Nobody is asked."""
        self._say(C.mainstem_component_gone(self._context.handle, number_of(component)))

    def _say(self, status: int) -> None:
        self._context.thrown.returned(status)

    # What there is

    @property
    def routes(self) -> List[NavigatorRoute]:
        """The routes of the context in the order of adding, those of other modules, too."""
        return list(read_routes(self._context))

    @property
    def tree(self) -> List[Component]:
        """The components, in the order in which they were opened: a parent comes before."""
        return read_tree(self, self._context)

    @property
    def top(self) -> Optional[Component]:
        """The last component that has a view of its own and is no embed; None: there is none."""
        return top_of(self.tree)

    def view_model_of(self, owner: int) -> Any:
        """The view model in the scope of an owner; None: there is none in Python."""
        models: Dict[int, Any] = self._context.view_models
        if owner in models or not owner:
            return models.get(owner)
        return next((one for one in models.values() if one._live.home.number == owner), None)


def _options(scheme: str, show_timeout: Optional[float]) -> Any:
    """The options for the library; None: its defaults, or the navigator that is there already."""
    if not scheme and show_timeout is None:
        return None
    options = d.NavigatorOptions(size=ctypes.sizeof(d.NavigatorOptions))
    if show_timeout is not None:
        options.show_timeout_ms = milliseconds_of(show_timeout)
    options.scheme = encoded(scheme, "scheme") if scheme else None
    return ctypes.byref(options)


def name_made_by(make: Union[Make, type]) -> str:
    """The name of what a function makes: of its class, if the function says that; else its own."""
    said = make if isinstance(make, type) else _said(make)
    model = getattr(said, "__mainstem_model__", None)
    if model is not None:
        return str(model.name)
    name = said if isinstance(said, str) and said.isidentifier() and said != "None" else ""
    name = name or (said.__name__ if isinstance(said, type) else make.__name__)
    if not name.isidentifier():
        raise TypeError(f"this function is called {name}: say name=")
    return name


def _said(make: Make) -> Any:
    """What a function says that it returns: a class, or its name if that cannot be found."""
    said = getattr(make, "__annotations__", {}).get("return")
    return getattr(make, "__globals__", {}).get(said, said) if isinstance(said, str) else said

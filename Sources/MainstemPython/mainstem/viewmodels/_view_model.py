# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""View models, and reactors, whose steps have names."""

from __future__ import annotations

import reprlib
import sys
import typing
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    ClassVar,
    Dict,
    Mapping,
    Optional,
    Union,
    cast,
    overload,
)

from ..context._observing import RowLike
from ..events._catalogue import OwnerLike
from ..events._declaration import Request, Value
from ..events._payload import fields_of
from ..servers._requests import finish
from ._declared import Action, Command, Field, Mutations, Policy, Shown
from ._live import Live, open_model
from ._model import Model
from ._steps import PendingAnswer, ask_own
from ._views import view

if TYPE_CHECKING:
    from typing_extensions import Self

    from ..context._context import Context
    from ..context._scope import Scope
    from ..events._payload import Data
    from ..events._received import Event
    from ..failure import Failure
    from ..navigation._moves import ViewModelMoves
    from ..servers._server import Answered

__all__ = ["Reactor", "ViewModel", "action"]


# View models: what a program shows, and what it can be told to do ---------------------------------


class ViewModel:
    """A view model: values that views see, fields that they write, commands that they run.

        class Counter(mainstem.ViewModel):
            count: int = mainstem.shown(0)

            @mainstem.command
            def up(self) -> None:
                self.count += 1

        counter = context.open(Counter())
        view = counter.bind(count=print)
        view.up()

    A view model is a value until it is opened: its methods are called as they are, which is how
    they are tested. Once it is open, only its own methods change it, and views use `bind`. Its
    class's name is the name of its scope, unless `class Counter(mainstem.ViewModel, name="…")`
    pins another. A method `opened`, if there is one, runs once before the first show. A method that
    is marked with `handles` answers requests, or gets other events.
    """

    #: What the class declares.
    __mainstem_model__: ClassVar[Model]
    if TYPE_CHECKING:
        _live: Optional[Live]
    else:
        _live = None

    def __init_subclass__(cls, *, name: str = "", **others: Any) -> None:
        super().__init_subclass__(**others)
        # Classes made in a function may name each other: its names are kept to resolve type hints.
        frame = sys._getframe(1)
        names = frame.f_locals if frame.f_locals is not frame.f_globals else {}
        made = cls._made(names)
        cls.__mainstem_model__ = Model(cls, name or cls.__name__, names, RESERVED, made)

    @classmethod
    def _made(cls, names: Mapping[str, Any]) -> Dict[str, Any]:
        """What the class declares beside what is written in it, by Python name."""
        return {}

    def bind(self, /, **rows: RowLike) -> "Self":
        """Returns a view of this view model, and calls functions with what it shows.

        Each function gets what is there, then each change: `bind(name=label.set_text)`. The view
        has the view model's fields and commands: `view.name` is what is shown, `view.name = "Ada"`
        writes it, `view.go()` runs a command. None: nothing is called; `two_way` and `on_host`
        are functions that only a drain calls. A function of two parameters gets the view and the
        value, also before `bind` returns: `bind(count=lambda view, count: …)`. The view ends with
        the context, by `mainstem.end(view)`, or with its `with` block.
        """
        return view(self.context, type(self), self, **rows)

    @overload
    def request(
        self,
        event: Request[Answered],
        *,
        then: Optional[Callable[[Answered], object]] = None,
        failed: Optional[Callable[[Failure], object]] = None,
        timeout: Optional[float] = None,
        share: bool = False,
        progress: Optional[Callable[[Any], object]] = None,
    ) -> PendingAnswer[Answered]: ...
    @overload
    def request(
        self,
        event: str,
        data: Data = None,
        *,
        then: Optional[Callable[[Event], object]] = None,
        failed: Optional[Callable[[Failure], object]] = None,
        timeout: Optional[float] = None,
        share: bool = False,
        progress: Optional[Callable[[Any], object]] = None,
    ) -> PendingAnswer[Event]: ...
    def request(
        self,
        event: Union[Value, str],
        data: Any = None,
        *,
        then: Optional[Callable[[Any], object]] = None,
        failed: Optional[Callable[[Failure], object]] = None,
        timeout: Optional[float] = None,
        share: bool = False,
        progress: Optional[Callable[[Any], object]] = None,
    ) -> PendingAnswer[Any]:
        """Asks a server, in one of its own methods: await it, or say `then`.

        The request is sent at once. `then` gets the answer, `failed` the error; the other options
        are those of `Scope.request`.
        """
        live = self._own("asks nothing", "request")
        return ask_own(
            live,
            event,
            data,
            then=then,
            failed=failed,
            timeout=timeout,
            share=share,
            progress=progress,
        )

    def sleep(self, seconds: float) -> PendingAnswer[None]:
        """Waits, in an async command: `await self.sleep(0.3)`. The context's clock counts."""
        return self._own("sleeps not", "sleep").steps.sleep(seconds)

    @property
    def navigator(self) -> "ViewModelMoves":
        """The moves: it asks for them in its own methods, `await self.navigator.open("pick")`."""
        live = self._own("goes nowhere", "navigator")
        if live.context.navigator is None:
            raise RuntimeError("this context has no navigator: mainstem.Navigator(context) adds it")
        return cast("ViewModelMoves", live.context.navigator.moves_of(live))

    def finish(self, result: Union[Value, str, None] = None, data: Data = None) -> None:
        """Closes the component that it is in, with a result: what its opener gets.

        `result` is an object of an event class, or the name of a type, with its data; None: there
        is no result. Only the first result of a component counts.
        """
        finish(self._own("finishes nothing", "finish").owner, result, data)

    @property
    def scope(self) -> "Scope":
        """Its scope: what is sent through it carries its name."""
        live = self._opened()
        live.refuse_in_show("sends nothing")
        return cast("Scope", live.owner)

    @property
    def context(self) -> "Context":
        """Its context, for the time, random numbers and ids."""
        return cast("Context", self._opened().context)

    def __repr__(self) -> str:
        model = type(self).__mainstem_model__
        fields = [
            f"{name}={reprlib.repr(getattr(self, name, None))}"
            for name, member in model.members.items()
            if isinstance(member, Field) and not member.secret
        ]
        state = "open" if self._live is not None else "not open"
        return f"<{model.name}, {state}{': ' if fields else ''}{', '.join(fields)}>"

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, *exception: object) -> None:
        self._opened().end()

    def __setattr__(self, name: str, value: Any) -> None:
        live = self._live
        if live is not None and not live.depth:
            live.refuse_in_show(f"sets no {name!r}")
            live.refuse_outside(f"{live.model.name}.{name} is set")
        object.__setattr__(self, name, value)

    def __mainstem_open__(
        self, parent: OwnerLike, path: str, is_scope: bool, is_service: bool = False
    ) -> Live:
        """Opens it below a scope; if that is one of a factory, as the scope itself."""
        return open_model(self, parent, path, is_scope, is_service)

    def _opened(self) -> Live:
        live = self._live
        if live is None:
            kind = type(self).__name__
            raise RuntimeError(f"this {kind} is not open: context.open({kind}(…)) opens it")
        return live

    def _own(self, not_shown: str, what: str) -> Live:
        live = self._opened()
        live.refuse_in_show(not_shown)
        live.refuse_outside(f"{live.model.name}.{what} is called")
        return live


RESERVED = frozenset(name for name in (*ViewModel.__dict__, "opened") if not name.startswith("_"))


# Reactors: view models whose state changes by mutations only --------------------------------------

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec, Protocol

    Given = ParamSpec("Given")

    class Acting(Protocol):
        """The decorator that makes a method an action."""

        def __call__(
            self, function: Callable[Concatenate[Any, Given], Any], /
        ) -> Command[Given, None]: ...


def _no_reduce(state: Any, mutation: Any) -> Any:
    raise NotImplementedError("a reactor has a reduce")


class Reactor(ViewModel):
    """A view model whose steps have names: actions yield mutations, and these make the state.

        @dataclasses.dataclass(frozen=True)
        class State:
            count: int = 0

        class Counter(mainstem.Reactor):
            state = State()

            @mainstem.action
            def up(self) -> Iterator[int]:
                yield +1

            @staticmethod
            def reduce(state: State, by: int) -> State:
                return dataclasses.replace(state, count=state.count + by)

    Views see the fields of the state, but those that begin with `_`, and run the actions. Each
    mutation is an event, `Counter.mutation`, and reduced at once: behind a `yield`, `self.state` is
    the new one. What a view sees is said once for all mutations of an event. An action that is an
    async generator goes on after what it awaits, until it is cancelled, ended by another action
    (`cancelled_by`), or replaced ("latest"); then what it yields is nothing any more.

    A class may have more: `shown` methods, pulses, what a view model hears; `mutated(mutation)`,
    called after each reduction, for pulses; `transform_action(name, given)`, which returns what the
    action is given, or None to drop it; `transform_mutation(mutation)`, likewise; and
    `transform_state(state)`, which returns the state that views see.
    """

    #: The state: at first the one that the class or `__init__` gives.
    state: Any

    if TYPE_CHECKING:
        # A view of it has the fields of its state, and those of views are what type checkers see.
        def __getattr__(self, name: str) -> Any: ...

    #: Returns the state that follows; only the state and the mutation decide it.
    reduce: Callable[[Any, Any], Any] = staticmethod(_no_reduce)

    def mutate(self, mutation: Any) -> None:
        """Takes a mutation of no action: what a method has heard. A plain call until it is open."""
        if self._live is None:
            self._reduce(mutation)
            return
        mutating = self._own("mutates", "mutate").mutating
        if mutating is not None:
            mutating.take(mutation)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "state" and self._live is not None:
            kind = type(self).__name__
            raise RuntimeError(f"{kind}.state is set: only mutations change it, and reduce")
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        state = "open" if self._live is not None else "not open"
        name = type(self).__mainstem_model__.name
        return f"<{name}, {state}: {reprlib.repr(self.state)}>"

    def _reduce(self, mutation: Any) -> None:
        state = self.reduce(self.state, mutation)
        if type(state) is not type(self.state):
            kind, wanted = type(state).__name__, type(self.state).__name__
            raise TypeError(f"{type(self).__name__}.reduce returned a {kind}, not a {wanted}")
        self.__dict__["state"] = state

    def _shown(self) -> Any:
        """The state that views see; it is transformed once."""
        transform = getattr(self, "transform_state", None)
        if transform is None:
            return self.state
        known = self.__dict__.get("_transformed")
        if known is None or known[0] is not self.state:
            known = self.__dict__["_transformed"] = (self.state, transform(self.state))
        return known[1]

    @classmethod
    def _made(cls, names: Mapping[str, Any]) -> Dict[str, Any]:
        if cls.reduce is _no_reduce:
            return {}
        made: Dict[str, Any] = {}
        for name, hint, _ in fields_of(cls._kind_of_state(names)):
            if name in RESERVED or name in Reactor.__dict__:
                raise TypeError(
                    f"{cls.__name__}.state.{name}: a reactor has one: take another name"
                )
            if name[0] != "_" and name not in cls.__dict__:
                made[name] = _field(name, hint)
        made["mutation"] = Mutations(cls.reduce)
        for name, member in made.items():
            setattr(cls, name, member)
        return made

    @classmethod
    def _kind_of_state(cls, names: Mapping[str, Any]) -> type:
        kind = type(getattr(cls, "state", None))
        if kind is type(None):
            given = vars(sys.modules[cls.__module__])
            hints = typing.get_type_hints(cls, given, dict(names))
            kind = hints.get("state", object)
        rules = getattr(kind, "__dataclass_params__", None)
        if rules is None or not rules.frozen:
            raise TypeError(f"{cls.__name__}.state is no frozen dataclass: a state never changes")
        return kind


def _field(name: str, hint: Any) -> Shown:
    def read(self: Any) -> Any:
        return getattr(self._shown(), name)

    read.__name__ = name
    read.__annotations__ = {"return": hint}
    return Shown(read)


@overload
def action(function: Callable[Concatenate[Any, Given], Any], /) -> Command[Given, None]: ...
@overload
def action(
    *,
    enabled: str = "",
    policy: Policy = "refuse",
    cancelled_by: str = "",
    name: str = "",
    secret: bool = False,
) -> Acting: ...
def action(
    function: Union[Callable[..., Any], None] = None,
    /,
    *,
    enabled: str = "",
    policy: Policy = "refuse",
    cancelled_by: str = "",
    name: str = "",
    secret: bool = False,
) -> Any:
    """Declares an action of a reactor: a command that yields mutations, now or later.

        @mainstem.action(enabled="can_more", cancelled_by="refresh")
        async def more(self) -> AsyncIterator[Mutation]:
            yield Loading(True)
            page = await self.request(RequestPage(self.state.page + 1))
            yield Page(page.items)
            yield Loading(False)

    The options are those of `command`. In the reactor itself, `self.more()` is a plain call: it
    returns the generator.
    """

    def declare(function: Callable[..., Any]) -> Any:
        return Action(function, enabled, policy, name, secret, cancelled_by)

    return declare if function is None else declare(function)

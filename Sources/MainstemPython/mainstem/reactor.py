# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Reactors: view models whose state changes by mutations only."""

from __future__ import annotations

import reprlib
import sys
import typing
from typing import TYPE_CHECKING, Any, Callable, Dict, Mapping, Union, overload

from .commands import Action, Command, Policy
from .events._payload import fields_of
from .pulses import Mutations
from .showing import Shown
from .view_model import RESERVED, ViewModel

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

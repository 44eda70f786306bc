# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Views of view models: what is bound, written and run."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Callable, List, Optional, Type, TypeVar, Union, cast

from ._held import Held
from .context._observing import RowLike
from .run import Run

if TYPE_CHECKING:
    from .context._scope import Scope
    from .events._catalogue import OwnerLike
    from .view_model import ViewModel

    Viewed = TypeVar("Viewed", bound=ViewModel)
    #: What a view may point at.
    Owner = Union[ViewModel, OwnerLike, int, None]


class View:
    """A view of a view model. It has the view model's names, and no others."""

    __slots__ = ("__weakref__", "_held")

    _held: Held

    def __init__(self, held: Held) -> None:
        object.__setattr__(self, "_held", held)

    def __getattr__(self, name: str) -> Any:
        if name in self._held.commands:
            return ViewCommand(self._held, name)
        return self._held.read(name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._held.write(name, value)

    def __enter__(self) -> "View":
        return self

    def __exit__(self, *exception: object) -> None:
        self._held.end()

    def __dir__(self) -> List[str]:
        return self._held.names()

    def __repr__(self) -> str:
        return f"<mainstem view of {self._held.model.name}>"


class ViewCommand:
    # A command of what a view points at. Its text for `help` is that of the command.

    __slots__ = ("_held", "_python")

    @property
    def __doc__(self) -> Optional[str]:  # type: ignore[override]
        return inspect.getdoc(self.__wrapped__)

    @property
    def __name__(self) -> str:
        return self._python

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        function: Callable[..., Any] = self._held.model.members[self._python].function
        return function

    @property
    def __signature__(self) -> inspect.Signature:
        signature = inspect.signature(self.__wrapped__)
        return signature.replace(parameters=list(signature.parameters.values())[1:])

    def __dir__(self) -> List[str]:
        return ["enabled", "error", "executing"]

    def __repr__(self) -> str:
        return f"<command {self._held.model.name}.{self._python}{self.__signature__} of a view>"

    def __init__(self, held: Held, python: str) -> None:
        self._held = held
        self._python = python

    def __call__(self, *given: Any, **named: Any) -> Run[Any]:
        return self._held.run(self._python, given, named)

    def __getattr__(self, name: str) -> Any:
        return self._held.read(f"{self._python}.{name}")


def view(
    scope: "Scope",
    kind: "Type[Viewed]",
    owner: "Owner" = None,
    /,
    **rows: RowLike,
) -> "Viewed":
    """Makes a view, whose rights are those of a scope: like `ViewModel.bind`.

    It points at `owner`: a view model of this class, the number of its scope, or its scope, in
    whatever language it is written; None: at nothing yet. A function of `rows` that has two
    parameters gets the view and the value: the first calls come before this returns.
    """
    # Before a function is called, there is the view that it may get.
    held = Held.__new__(Held)
    made = View(held)
    held.__init__(scope, kind.__mainstem_model__, owner, rows, made)  # type: ignore[misc]
    return cast("Viewed", made)


def _held_of(what: Any) -> Held:
    if not isinstance(what, View):
        raise TypeError(f"a {type(what).__name__} is no view: `bind` returns one")
    return object.__getattribute__(what, "_held")  # type: ignore[no-any-return]


def retarget(view: "ViewModel", owner: "Owner") -> None:
    """Points a view elsewhere, at a view model, a scope or its number; None: nowhere.

    The functions hear no more of the old one, and get at once what the new one shows.
    """
    _held_of(view).point_at(owner)


def on_changes(view: "ViewModel", function: Optional[Callable[[Any], object]]) -> None:
    """Calls a function once per drain with the names of what has changed: see `Binding`."""
    _held_of(view).on_changes(function)


def on_ended(view: "ViewModel", function: Optional[Callable[[], object]]) -> None:
    """Calls a function in a drain when what the view points at has ended: see `Binding`."""
    _held_of(view).on_ended(function)


def open_child(view: "ViewModel", child: str, /, *given: Any, **named: Any) -> Any:
    """Asks for a child that the view model `child`; `given` are the arguments of its method.

    Through a view, returns a Run: await it, or its `result()` is the child; outside Python, its
    number. In a method of the view model itself, returns the child.
    """
    if isinstance(view, View):
        return _held_of(view).run(child, given, named)
    live = view._opened()
    row = live.model.row_of(child)
    if not live.depth:
        return live.run(child, given, named)
    made = live.family.only(child)
    if made is None:
        made = row.member.function(view, *given, **named)
        live.family.make(child, made)
    return made


def end(what: "ViewModel") -> None:
    """Ends a view; or a view model that was opened, or asked for as a child."""
    if isinstance(what, View):
        _held_of(what).end()
    else:
        what._opened().end()

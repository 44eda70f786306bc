# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Pulses: notices of a view model that are seen once, and not kept."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Callable, Dict, Generic, Type, TypeVar, overload

from .events._codec import Form, form_of, tagged_form

if TYPE_CHECKING:
    from .view_model import ViewModel

Told = TypeVar("Told")


class Pulse(Generic[Told]):
    """A pulse: the view model calls it to tell its views, after the values have changed."""

    __slots__ = ("form", "kind", "name", "python")

    def __init__(self, kind: Any, name: str) -> None:
        self.kind = kind
        self.name = name
        self.python = ""
        self.form = form_of(kind)

    def __set_name__(self, owner: type, name: str) -> None:
        self.python = name

    if TYPE_CHECKING:

        def __call__(self, told: Told) -> None: ...

    else:

        def __get__(self, instance: Any, owner: type) -> Any:
            return self if instance is None else _teller(self, instance)


class Mutations(Pulse[Any]):
    """What a reactor's mutations are on the stream."""

    __slots__ = ("reduce",)

    def __init__(self, reduce: Callable[..., Any]) -> None:
        super().__init__(None, "")
        self.python = "mutation"
        self.reduce = reduce

    def form_in(self, hints: Dict[str, Any], path: str) -> Form:
        """Returns how mutations travel, by the types of `reduce`."""
        name = list(inspect.signature(self.reduce).parameters)[-1]
        if name not in hints:
            raise TypeError(f"{path}({name}) has no type: say what a mutation is")
        return tagged_form(hints[name])

    if not TYPE_CHECKING:

        def __get__(self, instance: Any, owner: type) -> Any:
            return self


class Plain(Pulse[None]):
    """A pulse that says nothing but that it comes."""

    if TYPE_CHECKING:

        def __call__(self) -> None: ...  # type: ignore[override]


def _teller(pulse: Any, instance: "ViewModel") -> Callable[..., None]:
    def tell(*told: Any) -> None:
        path = f"{type(instance).__name__}.{pulse.python}"
        if len(told) != (pulse.kind is not None):
            wanted = "nothing" if pulse.kind is None else f"one {pulse.kind.__name__}"
            raise TypeError(f"{path} tells {wanted}, not {len(told)} values")
        data = pulse.form.encode(told[0] if told else None, path)
        if instance._live is not None:
            instance._live.tell(pulse.python, data)

    return tell


@overload
def pulse(*, name: str = "") -> Plain: ...
@overload
def pulse(kind: Type[Told], *, name: str = "") -> Pulse[Told]: ...
def pulse(kind: Any = None, *, name: str = "") -> Any:
    """Declares a pulse: `alert = mainstem.pulse(str)`.

    `self.alert("No network")` tells it once to whoever is bound: after the values, before answers.
    """
    return (Plain if kind is None else Pulse)(kind, name)

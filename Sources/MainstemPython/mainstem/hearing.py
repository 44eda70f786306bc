# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a view model hears: what views write, what services and children show, who has ended."""

from __future__ import annotations

from typing import Any, Callable, List, Tuple, TypeVar, Union

from .failure import refuse_async

Function = TypeVar("Function", bound=Callable[..., Any])

#: What a method hears: ("write", name), ("of", whom, value) or ("ended", child).
Heard = Tuple[Any, ...]


def heard_by(function: Any) -> List[Heard]:
    """Returns what a method is marked to hear."""
    heard: List[Heard] = getattr(function, "__mainstem_hears__", [])
    return heard


def _hears(what: str, *heard: Any) -> Callable[[Function], Function]:
    def mark(function: Function) -> Function:
        refuse_async(function, f"{function.__name__}, which observes {' '.join(map(str, heard))},")
        function.__mainstem_hears__ = [*heard_by(function), (what, *heard)]  # type: ignore[attr-defined]
        return function

    return mark


def on_write(name: str) -> Callable[[Function], Function]:
    """Marks the method that is called when a view has written a field: it gets what was written.

    @mainstem.on_write("celsius")
    def from_celsius(self, celsius: float) -> None:
        self.fahrenheit = celsius * 1.8 + 32
    """
    return _hears("write", name)


def observes(whom: Union[type, str], value: str) -> Callable[[Function], Function]:
    """Marks the method that hears a value of others: what is there, then each change.

    `whom` is the class of a view model: the method gets the value. Or it is the name of this one's
    children, as `child` or `children` declares them: the method gets the child and the value.
    """
    return _hears("of", whom, value)


def child_ended(child: str) -> Callable[[Function], Function]:
    """Marks the method that is called when a child has ended; it gets the child."""
    return _hears("ended", child)

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""How the rows of a binding are called: at once, or when the host drains."""

from __future__ import annotations

import functools
from typing import Any, Callable, Optional, Union, cast

from ._library import _header as c

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

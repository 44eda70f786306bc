# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""How the rows of a binding are called: at once, or when the host drains."""

from __future__ import annotations

from typing import Any, Callable, Optional

from . import _constants as c

Show = Callable[[Any], object]


class Row:
    """A function of a binding, and how it is called. Made by `two_way` and `on_host`."""

    __slots__ = ("flags", "show")

    def __init__(self, show: Optional[Show], flags: int) -> None:
        self.show = show
        self.flags = flags


def two_way(show: Optional[Show]) -> Row:
    """A row for a control that shows a value and changes it.

    `context.drain()` calls it with the newest value: not with what its binding has set, nor with
    what is older than that. While it runs, what it sets of its own value through the binding is
    ignored.
    """
    return Row(show, c.BINDING_TWO_WAY)


def on_host(show: Optional[Show]) -> Row:
    """A row that `context.drain()` calls: with each change, in order."""
    return Row(show, c.BINDING_ON_HOST)

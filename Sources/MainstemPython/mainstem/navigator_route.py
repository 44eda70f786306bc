# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The routes of a context, whichever modules have added them."""

from __future__ import annotations

import ctypes
from typing import Iterator, NamedTuple, Optional

from ._library import C
from ._library import _header as d
from .component import KIND_NAMES, Kind
from .events._catalogue import ContextLike
from .failure import Status, check


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

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Adding what calls a function from then on: an observer, a binding."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Optional

from ._library import _callbacks
from ._protocols import ScopeLike
from .failure import check


def added(
    scope: ScopeLike,
    deliver: Callable[[int], None],
    release: Callable[[], None],
    add: Callable[[int, Any], int],
    end: Callable[[int], object],
    place: Optional[ctypes.c_void_p] = None,
) -> int:
    """Adds what calls `deliver` until it ends, then `release`. Returns its handle.

    `add` gets the number to give as user_data, and where to put the handle: into `place`, before a
    first call. What that has raised is raised here, once `end` has ended it all.
    """
    if place is None:
        place = ctypes.c_void_p()
    number = _callbacks.keep(deliver, release)
    status = add(number, ctypes.byref(place))
    if status:
        _callbacks.forget(number)
        check(status)
    handle = place.value or 0
    try:
        scope.context.thrown.raise_caught()
    except BaseException:
        end(handle)
        raise
    return handle

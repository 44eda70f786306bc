# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Requests across machines (mainstem/nats_requests.h)."""

from __future__ import annotations

import ctypes
from typing import Any, Dict, Optional, Union

from ._library import milliseconds_of
from ._nats_bridge import Bridge, check, options
from ._nats_declarations import C
from .events._catalogue import ScopeLike
from .observers._calls import On, queue_of

What = Union[str, type]


def forward(
    scope: ScopeLike,
    what: What,
    to: str = "nats://localhost:4222",
    *,
    prefix: Optional[str] = None,
    timeout: Optional[float] = None,
    window: int = 0,
    on: On = "host",
    **connection: Any,
) -> Bridge:
    """Lets requests of a type be answered elsewhere. Does not wait for the server.

    The arguments are the fields of mainstem_nats_options; `what` is the request's class or name,
    `to` the URL, `timeout` in seconds. `connection` is as in `mirror`.
    """
    own = _own(prefix, timeout, window)
    own["scheduler"] = queue_of(on, None, 0, 0).scheduler
    return _begin(C.mainstem_nats_forward, scope, what, to, {**connection, **own})


def serve(
    scope: ScopeLike,
    what: What,
    to: str = "nats://localhost:4222",
    *,
    prefix: Optional[str] = None,
    queue: Optional[str] = None,
    timeout: Optional[float] = None,
    window: int = 0,
    **connection: Any,
) -> Bridge:
    """Lets others elsewhere ask for a type that this context answers. Like `forward`.

    `queue` names the group that shares the requests.
    """
    own = _own(prefix, timeout, window)
    own["queue"] = queue
    return _begin(C.mainstem_nats_serve, scope, what, to, {**connection, **own})


def _own(prefix: Optional[str], timeout: Optional[float], window: int) -> Dict[str, Any]:
    limit = 0 if timeout is None else max(1, milliseconds_of(timeout))
    return {"prefix": prefix, "timeout_ms": limit, "window": window}


def _begin(function: Any, scope: ScopeLike, what: What, to: str, fields: Dict[str, Any]) -> Bridge:
    catalogue = scope.context.catalogue
    name = what if isinstance(what, str) else catalogue.name_of(catalogue.number_of(what))
    handle = ctypes.c_void_p()
    made = ctypes.byref(options(to, **fields))
    check(function(scope.handle, name.encode(), made, ctypes.byref(handle)))
    return Bridge(handle)

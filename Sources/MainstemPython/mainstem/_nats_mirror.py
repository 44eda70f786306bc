# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Mirrors (mainstem/nats_mirror.h)."""

from __future__ import annotations

import ctypes
from typing import Any, Dict, Optional, Sequence

from ._nats_bridge import Bridge, Path, check, names, options
from ._nats_declarations import C
from .failure import encoded_path


def mirror(
    path: Path,
    to: str = "nats://localhost:4222",
    *,
    prefix: Optional[str] = None,
    stream: Optional[str] = None,
    layers: Sequence[str] = (),
    types: Sequence[str] = (),
    replicas: int = 0,
    window: int = 0,
    **connection: Any,
) -> Bridge:
    """Begins to mirror a journal to a stream. Does not wait for the server.

    The arguments are the fields of mainstem_nats_options; `to` is its URL. `connection` may have
    name, user, password, credentials, tls, authorities, certificate, key and host.
    """
    own: Dict[str, Any] = {
        "prefix": prefix,
        "stream": stream,
        "replicas": replicas,
        "window": window,
    }
    own.update(layers=names(layers), layer_count=len(layers))
    own.update(types=names(types), type_count=len(types))
    handle = ctypes.c_void_p()
    made = ctypes.byref(options(to, **connection, **own))
    check(C.mainstem_nats_mirror(encoded_path(path), made, ctypes.byref(handle)))
    return Bridge(handle)

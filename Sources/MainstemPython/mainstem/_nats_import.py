# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Imports (mainstem/nats_import.h)."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Sequence, Union

from ._nats_bridge import Bridge, Path, check, names, options
from ._nats_declarations import C
from .failure import encoded_path

if TYPE_CHECKING:
    from .context._scope import Scope
    from .servers._server import Layers

Types = Union[Sequence[str], Mapping[str, str]]


def import_stream(
    context: Scope,
    stream: str,
    types: Types,
    to: str = "nats://localhost:4222",
    *,
    journal: Optional[Path] = None,
    durable: Optional[str] = None,
    source: Optional[str] = None,
    scope: Optional[str] = None,
    sends: Layers = None,
    observes: Layers = None,
    observers: int = 0,
    window: int = 0,
    **connection: Any,
) -> Bridge:
    """Begins to take entries of a stream into a context. Does not wait for the server.

    `types` are the names to take in, or what each is called here: {"Moved": "Remote.moved"}.
    `journal` is the context's own, if it is recorded; `durable` is needed if it is not. `sends`,
    `observes` and `observers` are the rights of the import's scope, as in `Scope.scope`. The other
    arguments are the fields of mainstem_nats_options; `connection` is as for `mirror`.
    """
    own: Dict[str, Any] = {"stream": stream, "durable": durable, "window": window}
    own.update(source=source, scope=scope, types=names(list(types)), type_count=len(types))
    if isinstance(types, Mapping):
        own["as_"] = names(list(types.values()))
    rights = context._rights(sends, observes, observers)
    own["rights"] = ctypes.pointer(rights)
    own["journal"] = None if journal is None else encoded_path(journal, "journal")
    handle = ctypes.c_void_p()
    made = ctypes.byref(options(to, **connection, **own))
    check(C.mainstem_nats_import(context.handle, made, ctypes.byref(handle)))
    return Bridge(handle)

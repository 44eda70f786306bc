# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""How a component finishes."""

from __future__ import annotations

from typing import Any

from ._library import C
from .events._catalogue import ScopeLike


def finish(scope: ScopeLike, result: Any, data: Any) -> None:
    """Closes the component in which a scope is, with a result."""
    number, payload = (0, b"")
    if result is not None:
        number, payload = scope.context.catalogue.outgoing(result, data)
    status = C.mainstem_component_finish(scope.handle, number, payload, len(payload))
    scope.context.thrown.returned(status)

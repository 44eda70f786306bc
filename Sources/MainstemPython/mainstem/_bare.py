# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a type hint is of, without what says nothing of its values."""

from __future__ import annotations

import typing
from typing import Any


def bare(wanted: Any) -> Any:
    """A type without NewType, Annotated and `type Name = …`."""
    while not is_class(wanted):
        inner = getattr(wanted, "__supertype__", None) or getattr(wanted, "__value__", None)
        if inner is None and hasattr(wanted, "__metadata__"):
            inner = wanted.__origin__
        if inner is None:
            return wanted
        wanted = inner
    return wanted


def is_class(wanted: Any) -> bool:
    """Whether it is a class: in some versions of Python, `list[int]` says that it is a type."""
    return isinstance(wanted, type) and typing.get_origin(wanted) is None

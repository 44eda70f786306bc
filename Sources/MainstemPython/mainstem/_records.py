# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The fields of NamedTuples and TypedDicts."""

from __future__ import annotations

import functools
import sys
import typing
from typing import Any, Dict, Tuple

from ._bare import is_class

#: Name, type, and whether it may be left out.
Fields = Tuple[Tuple[str, Any, bool], ...]


def is_named_tuple(kind: Any) -> bool:
    """Whether a class is a NamedTuple."""
    return is_class(kind) and issubclass(kind, tuple) and hasattr(kind, "_fields")


def is_typed_dict(kind: Any) -> bool:
    """Whether a class is a TypedDict."""
    return is_class(kind) and issubclass(kind, dict) and hasattr(kind, "__total__")


@functools.lru_cache(maxsize=None)
def record_fields(kind: Any) -> Fields:
    """The fields of a NamedTuple or a TypedDict."""
    if is_named_tuple(kind):
        hints = typing.get_type_hints(kind)
        return tuple(
            (name, hints.get(name, Any), name in getattr(kind, "_field_defaults", {}))
            for name in kind._fields
        )
    extras: Dict[str, Any] = {"include_extras": True} if sys.version_info >= (3, 9) else {}
    required = getattr(kind, "__required_keys__", None)
    fields = []
    for name, hint in typing.get_type_hints(kind, **extras).items():
        may_lack = not (kind.__total__ if required is None else name in required)
        wanted, said = _unwrapped(hint)
        fields.append((name, wanted, may_lack if said is None else said))
    return tuple(fields)


def _unwrapped(hint: Any) -> Tuple[Any, Any]:
    """The type in NotRequired[…] or Required[…], and what that says: True, it may be left out."""
    said = None
    while True:
        name = getattr(typing.get_origin(hint), "_name", None) or ""
        if name not in ("NotRequired", "Required", "ReadOnly"):
            return hint, said
        if name != "ReadOnly":
            said = name == "NotRequired"
        hint = typing.get_args(hint)[0]

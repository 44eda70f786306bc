# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Refuses a type that cannot travel where it is declared, not where the first value is sent."""

from __future__ import annotations

import enum
import functools
import typing
from typing import Any, Iterable, Optional, Tuple

from . import _payload
from ._bare import bare, is_class
from ._own_forms import OWN_FORMS
from ._records import is_named_tuple, is_typed_dict, record_fields
from ._texts import TEXTS

_SCALARS = (str, int, float, bool, type(None))
_FREE = "any text"


def check_fields(kind: type) -> None:
    """Raises a TypeError if a field of a dataclass has a type that cannot be JSON.

    A type that is not known yet is checked when it is used.
    """
    try:
        fields = _payload.fields_of(kind)
    except NameError:
        return
    for name, wanted, _ in fields:
        check_type(wanted, f"{kind.__name__}.{name}")


def check_type(wanted: Any, path: str) -> None:
    """Raises a TypeError if values of a type cannot be JSON."""
    _check(bare(wanted), path, ())


def _check(wanted: Any, path: str, within: Tuple[Any, ...]) -> None:
    if wanted in within:
        return
    try:
        convert = _payload.converter(wanted, 0)
    except TypeError as error:  # It cannot be looked up: a Literal of a list.
        raise TypeError(f"{path}: {error}") from None
    if isinstance(convert, functools.partial) and convert.func is _payload.no_form:
        convert(None, path)
    if is_class(wanted) and wanted in OWN_FORMS:
        return
    inside = (*within, wanted)
    for part, place in _parts(wanted, path):
        _check(bare(part), place, inside)
    if typing.get_origin(wanted) in _payload.UNIONS:
        _check_union(wanted, path)
    if is_class(wanted) and issubclass(wanted, enum.Enum):
        for member in wanted:
            if not isinstance(member.value, _SCALARS):
                raise TypeError(
                    f"{path}: {wanted.__name__}.{member.name} is {member.value!r}: the values of an"
                    " Enum are text or numbers"
                )


def _parts(wanted: Any, path: str) -> Iterable[Tuple[Any, str]]:
    fields: Optional[Tuple[Tuple[str, Any, bool], ...]] = None
    try:
        if is_named_tuple(wanted) or is_typed_dict(wanted):
            fields = record_fields(wanted)
        elif is_class(wanted) and hasattr(wanted, "__dataclass_fields__"):
            fields = _payload.fields_of(wanted)
    except NameError:  # A type that is not known yet.
        return []
    if fields is not None:
        return [(part, f"{path}.{name}") for name, part, _ in fields]
    if typing.get_origin(wanted) is typing.Literal:
        return []
    return [(part, path) for part in typing.get_args(wanted) if part is not Ellipsis]


def _check_union(wanted: Any, path: str) -> None:
    """Refuses a union whose text may be read as another type than it was written as."""
    parts = [bare(part) for part in typing.get_args(wanted)]
    free = [part for part in parts if _text_of(part) == _FREE]
    exact = [part for part in parts if _text_of(part) == "text"]
    if exact and free or len([part for part in free if part in TEXTS]) and len(free) > 1:
        names = " and ".join(getattr(part, "__name__", str(part)) for part in (*free, *exact))
        raise TypeError(
            f"{path}: {names} both travel as text, so a reader cannot tell them apart: take one, or"
            " two fields"
        )


def _text_of(part: Any) -> str:
    """How a part of a union travels: "text" of a form that no other has, any text, or neither."""
    if part in TEXTS:
        read = TEXTS[part][1]
        return _FREE if part is bytes or isinstance(read, type) else "text"
    if part is str:
        return _FREE
    if is_class(part) and issubclass(part, enum.Enum):
        return _FREE if any(isinstance(member.value, str) for member in part) else ""
    if typing.get_origin(part) is typing.Literal:
        return _FREE if any(isinstance(one, str) for one in typing.get_args(part)) else ""
    return ""

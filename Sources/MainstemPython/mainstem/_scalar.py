# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Payloads that are one bool, int or float."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Dict, Union

if TYPE_CHECKING:
    from typing_extensions import TypeGuard

Scalar = Union[bool, int, float]

_FORMS: Dict[Any, struct.Struct] = {
    bool: struct.Struct("<?"),
    int: struct.Struct("<q"),
    float: struct.Struct("<d"),
}


def is_scalar(kind: object) -> TypeGuard[type]:
    """Whether a payload of this kind is a scalar."""
    return kind in _FORMS


def packed(kind: type, value: Scalar, path: str) -> bytes:
    """Returns the bytes of a value of this kind."""
    try:
        return _FORMS[kind].pack(value)
    except struct.error:
        raise ValueError(f"{path}: {value} does not fit in 64 bits") from None


def unpacked(kind: type, data: bytes) -> Scalar:
    """Returns the value of these bytes; ValueError if they are too few or too many."""
    form = _FORMS[kind]
    if len(data) != form.size:
        raise ValueError(f"expected {form.size} bytes, got {len(data)}")
    value: Scalar = form.unpack(data)[0]
    return value


def shown(value: Scalar) -> str:
    """Returns what a line shows of a value, as mainstem_event_line does."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if value != value:
        return "nan"
    # The fewest digits, from 15 on, that read back as it.
    return next(
        text for text in (f"{value:.{digits}g}" for digits in (15, 16, 17)) if float(text) == value
    )

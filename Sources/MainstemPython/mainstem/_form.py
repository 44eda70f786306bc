# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""How the values of a type travel, and what is kept of one to see whether the next differs."""

from __future__ import annotations

import array
import dataclasses
import datetime
import enum
import functools
import json
import sys
import types
import typing
import uuid
from typing import Any, Callable, Optional, Tuple

from . import _payload
from ._json_text import json_of
from ._scalar import is_scalar, unpacked
from .types import Payload

Encode = Callable[[Any, str], bytes]
Decode = Callable[[bytes], Any]
Copy = Callable[[Any], Any]

_NONE = type(None)
_ATOMS = (str, bool, int, float, bytes, _NONE, datetime.date, datetime.timedelta, uuid.UUID)
_UNIONS = (typing.Union,) + ((types.UnionType,) if sys.version_info >= (3, 10) else ())  # novermin
#: What may change in place, although it is the same object.
CHANGING = (list, dict, set, bytearray)


class Form:
    """How the values of one type travel."""

    __slots__ = ("copy", "decode", "encode", "payload")

    #: What carries it: as in `EventType.payload`.
    payload: Payload
    encode: Encode
    decode: Decode
    #: Makes what is kept to compare the next value with; None: only the bytes tell.
    copy: Optional[Copy]

    def __init__(
        self, payload: Payload, encode: Encode, decode: Decode, copy: Optional[Copy]
    ) -> None:
        self.payload = payload
        self.encode = encode
        self.decode = decode
        self.copy = copy


def _same(value: Any) -> Any:
    return value


@functools.lru_cache(maxsize=None)
def form_of(wanted: Any) -> Form:
    """Returns the form of a type: its own for text, bytes and scalars, JSON for all others."""
    if wanted is None or wanted is _NONE:
        return Form(None, lambda value, path: b"", lambda data: None, _same)
    if wanted is str:
        return Form(str, _encode_text, bytes.decode, _same)
    if wanted is bytes:
        return Form(bytes, lambda value, path: _payload.raw(value, bytes, path), _same, _same)
    if is_scalar(wanted):
        scalar = wanted
        return Form(
            scalar,
            lambda value, path: _payload.raw(value, scalar, path),
            functools.partial(unpacked, scalar),
            _same,
        )
    return _json_form(wanted)


def _encode_text(value: Any, path: str) -> bytes:
    return value.encode() if type(value) is str else _payload.raw(value, str, path)


def _json_form(wanted: Any) -> Form:
    convert = _payload.converter(wanted, _payload.SPELLED)
    read = _payload.converter(wanted, _payload.SPELLED | _payload.DECODE)
    name = getattr(wanted, "__name__", str(wanted))

    def encode(value: Any, path: str) -> bytes:
        return json_of(convert(value, path), path)

    def decode(data: bytes) -> Any:
        return read(json.loads(data.decode()), name)

    return Form("json", encode, decode, _copy_of(wanted))


def _encode_numbers(value: Any, path: str) -> bytes:
    return array.array("Q", value).tobytes()


def _decode_numbers(data: bytes) -> Tuple[int, ...]:
    return tuple(array.array("Q", data))


#: The numbers of scopes, in order.
NUMBERS = Form(bytes, _encode_numbers, _decode_numbers, _same)


def is_fixed(wanted: Any, within: Tuple[Any, ...] = ()) -> bool:
    """Whether values of a type never change in place, and are equal only if they are the same."""
    if wanted in _ATOMS:
        return True
    origin, arguments = typing.get_origin(wanted), typing.get_args(wanted)
    if origin in (tuple, frozenset) or origin in _UNIONS:
        return all(part is Ellipsis or is_fixed(part, within) for part in arguments)
    if origin is typing.Literal:
        return True
    if not isinstance(wanted, type):
        return False
    if issubclass(wanted, enum.Enum):
        return True
    kind: Any = wanted
    rules = kind.__dict__.get("__dataclass_params__")
    # One that may hold itself is compared by its bytes.
    if rules is None or not rules.frozen or not rules.eq or wanted in within:
        return False
    if not all(field.compare for field in dataclasses.fields(kind)):
        return False
    inside = (*within, wanted)
    return all(is_fixed(kind, inside) for _, kind, _ in _payload.fields_of(kind))


def _copy_of(wanted: Any) -> Optional[Copy]:
    """Makes what is kept of a value; None: only its bytes tell whether another one differs."""
    if is_fixed(wanted):
        return _same
    origin = typing.get_origin(wanted) or wanted
    if origin in CHANGING and all(map(is_fixed, typing.get_args(wanted) or (object,))):
        copy: Copy = origin
        return copy
    return None


def changes_in_place(value: Any) -> bool:
    """Whether a value may become another one and still be the same object."""
    if isinstance(value, CHANGING):
        return True
    rules = getattr(type(value), "__dataclass_params__", None)
    return rules is not None and not rules.frozen

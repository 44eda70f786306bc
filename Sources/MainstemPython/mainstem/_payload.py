# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Payloads: the fields of a dataclass as JSON, text, bytes or a packed struct, and back.

A value of the wrong type raises TypeError with the path of the field, in both directions. So the
error is found where the value was made, not where it is read.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import functools
import json
import math
import struct
import sys
import types
import typing
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple, Type

from ._scalar import is_scalar, packed, unpacked
from ._spelling import spelled
from .types import Payload

_as_text = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_PLAIN = (bool, int, float, str, type(None))
UNIONS = (typing.Union,) + ((types.UnionType,) if sys.version_info >= (3, 10) else ())  # novermin
_LISTS = (list, collections.abc.Sequence, collections.abc.Iterable)
_SETS = (set, frozenset, collections.abc.Set)
_MAPPINGS = (dict, collections.abc.Mapping)

Convert = Callable[[Any, str], Any]

#: Which way a converter goes. With SPELLED, the fields of objects are spelled as on the stream.
DECODE, SPELLED = 1, 2


def _wrong(path: str, wanted: object, value: object) -> TypeError:
    name = getattr(wanted, "__name__", wanted)
    return TypeError(f"{path}: expected {name}, got {type(value).__name__}")


@functools.lru_cache(maxsize=None)
def fields_of(kind: type) -> Tuple[Tuple[str, Any, bool], ...]:
    """Returns name, type and "has a default" of each field of a dataclass."""
    local = dict(getattr(kind, "__mainstem_names__", {}))
    local.setdefault(kind.__name__, kind)
    hints = typing.get_type_hints(kind, localns=local)
    return tuple(
        (
            field.name,
            hints[field.name],
            field.default is not dataclasses.MISSING
            or field.default_factory is not dataclasses.MISSING,
        )
        for field in dataclasses.fields(kind)
    )


@functools.lru_cache(maxsize=None)
def converter(wanted: Any, way: int) -> Convert:
    """Returns the function that checks a value of a type and converts it to JSON or back."""
    if wanted in (Any, object):
        return lambda value, path: value
    if wanted is None or wanted in _PLAIN:
        return functools.partial(_plain, type(None) if wanted is None else wanted)
    if isinstance(wanted, type) and dataclasses.is_dataclass(wanted):
        return functools.partial(_decode_object if way & DECODE else _encode_object, wanted, way)
    if isinstance(wanted, type) and issubclass(wanted, enum.Enum):
        return functools.partial(_decode_enum if way & DECODE else _encode_enum, wanted)
    return _generic(wanted, way)


def _generic(wanted: Any, way: int) -> Convert:
    origin = typing.get_origin(wanted) or wanted
    arguments = typing.get_args(wanted)
    if origin in UNIONS:
        return functools.partial(_union, [converter(part, way) for part in arguments], wanted)
    if origin is typing.Literal:
        return functools.partial(_literal, arguments)
    if origin in _LISTS:
        return functools.partial(_list, converter((arguments or (Any,))[0], way))
    if origin in _SETS:
        return functools.partial(_set, origin, converter((arguments or (Any,))[0], way), way)
    if origin is tuple:
        return functools.partial(_tuple, arguments, way)
    if origin in _MAPPINGS:
        return functools.partial(_mapping, converter((arguments or (str, Any))[1], way))
    return functools.partial(_no_form, wanted)


def _plain(wanted: type, value: Any, path: str) -> Any:
    if type(value) is wanted:
        return value
    if wanted is float and type(value) is int:
        return float(value)
    if isinstance(value, wanted) and not (isinstance(value, bool) and wanted is not bool):
        return wanted(value)
    raise _wrong(path, wanted, value)


def _union(parts: List[Convert], wanted: Any, value: Any, path: str) -> Any:
    for convert in parts:
        try:
            return convert(value, path)
        except TypeError:
            continue
    raise _wrong(path, wanted, value)


def _literal(allowed: Tuple[Any, ...], value: Any, path: str) -> Any:
    if value not in allowed:
        raise TypeError(f"{path}: expected one of {allowed}, got {value!r}")
    return value


def _list(convert: Convert, value: Any, path: str) -> List[Any]:
    if not isinstance(value, (list, tuple)):
        raise _wrong(path, list, value)
    return [convert(item, f"{path}[{index}]") for index, item in enumerate(value)]


def _set(kind: Any, convert: Convert, way: int, value: Any, path: str) -> Any:
    """A set is a list in JSON, sorted: the same set is the same bytes."""
    if way & DECODE:
        items = _list(convert, value, path)
        return set(items) if kind is set else frozenset(items)
    if not isinstance(value, (set, frozenset)):
        raise _wrong(path, set, value)
    items = [convert(item, path) for item in value]
    try:
        return sorted(items)
    except TypeError:
        return sorted(items, key=lambda item: json.dumps(item, ensure_ascii=False))


def _tuple(parts: Tuple[Any, ...], way: int, value: Any, path: str) -> Any:
    if not isinstance(value, (list, tuple)):
        raise _wrong(path, tuple, value)
    if len(parts) == 2 and parts[1] is Ellipsis:
        parts = (parts[0],) * len(value)
    elif not parts:
        parts = (Any,) * len(value)
    if len(parts) != len(value):
        raise TypeError(f"{path}: expected {len(parts)} items, got {len(value)}")
    items = [
        converter(part, way)(item, f"{path}[{index}]")
        for index, (part, item) in enumerate(zip(parts, value))
    ]
    return tuple(items) if way & DECODE else items


def _mapping(convert: Convert, value: Any, path: str) -> Dict[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(path, dict, value)
    return {_plain(str, key, path): convert(item, f"{path}.{key}") for key, item in value.items()}


def _no_form(wanted: Any, value: Any, path: str) -> Any:
    raise TypeError(f"{path}: {getattr(wanted, '__name__', wanted)} cannot be JSON")


def _encode_enum(wanted: Type[enum.Enum], value: Any, path: str) -> Any:
    if not isinstance(value, wanted):
        raise _wrong(path, wanted, value)
    return value.value


def _decode_enum(wanted: Type[enum.Enum], value: Any, path: str) -> Any:
    try:
        return wanted(value)
    except ValueError as error:
        raise TypeError(f"{path}: {error}") from None


def _encode_object(wanted: type, way: int, value: Any, path: str) -> Dict[str, Any]:
    if not isinstance(value, wanted):
        raise _wrong(path, wanted, value)
    return {
        spelled(name) if way else name: converter(kind, way)(getattr(value, name), f"{path}.{name}")
        for name, kind, _ in fields_of(wanted)
    }


def _decode_object(wanted: type, way: int, value: Any, path: str) -> Any:
    return wanted(**_decode_fields(wanted, way, value, path))


def _decode_fields(wanted: type, way: int, value: Any, path: str) -> Dict[str, Any]:
    """Decodes the arguments of a dataclass; fields that a newer sender added are ignored."""
    if not isinstance(value, dict):
        raise _wrong(path, dict, value)
    arguments = {}
    for name, kind, optional in fields_of(wanted):
        key = spelled(name) if way & SPELLED else name
        if key in value:
            arguments[name] = converter(kind, way)(value[key], f"{path}.{name}")
        elif not optional:
            raise TypeError(f"{path}.{name}: missing")
    return arguments


def json_of(plain: Any, path: str) -> bytes:
    """Encodes what a converter has made.

    The sentence about a number that JSON does not have may become an answer, so it is not json's,
    which is another one in another version of Python.
    """
    try:
        return _as_text(plain).encode("utf-8")
    except ValueError as error:
        wrong = None if "ircular" in str(error) else _not_finite(plain, path)
        if wrong is None:
            raise
    raise ValueError(f"{wrong} is no number in JSON: send a finite one, or None")


def _not_finite(plain: Any, path: str) -> Optional[str]:
    """The first infinity or NaN, and where it is; None: there is none."""
    if isinstance(plain, float):
        return None if math.isfinite(plain) else f"{path}: {float(plain)}"
    parts: Iterable[Tuple[Any, str]] = ()
    if isinstance(plain, dict):
        parts = ((item, f"{path}.{key}") for key, item in plain.items())
    elif isinstance(plain, (list, tuple)):
        parts = ((item, f"{path}[{index}]") for index, item in enumerate(plain))
    found = (_not_finite(item, place) for item, place in parts)
    return next((place for place in found if place is not None), None)


def encode(value: Any, payload: Payload) -> bytes:
    """Encodes an event's value as bytes."""
    kind = type(value)
    if payload is None:
        return b""
    if payload == "json":
        plain = _encode_object(kind, 0, value, kind.__name__)
        return json_of(plain, kind.__name__)
    items = [getattr(value, field.name) for field in dataclasses.fields(kind)]
    if isinstance(payload, struct.Struct):
        return payload.pack(*items)
    return raw(items[0], payload, f"{kind.__name__}.{dataclasses.fields(kind)[0].name}")


def raw(item: Any, payload: Payload, path: str) -> bytes:
    """Encodes a single text or scalar, or checks bytes."""
    if is_scalar(payload):
        return packed(payload, _plain(payload, item, path), path)
    if payload is str:
        if not isinstance(item, str):
            raise _wrong(path, str, item)
        return item.encode("utf-8")
    if not isinstance(item, (bytes, bytearray, memoryview)):
        raise _wrong(path, bytes, item)
    return bytes(item)


def decode(kind: type, payload: Payload, data: bytes) -> Dict[str, Any]:
    """Decodes the fields of an event of a class."""
    if payload is None:
        return {}
    if payload == "json":
        found = json.loads(data.decode("utf-8"))
        arguments = _decode_fields(kind, DECODE, found, kind.__name__)
        return dict(kind(**arguments).__dict__)
    names = [field.name for field in dataclasses.fields(kind)]
    if isinstance(payload, struct.Struct):
        return dict(zip(names, payload.unpack(data)))
    if is_scalar(payload):
        return {names[0]: unpacked(payload, data)}
    return {names[0]: data.decode("utf-8") if payload is str else data}

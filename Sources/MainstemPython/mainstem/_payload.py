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
import struct
import types
import typing
from typing import Any, Callable, Dict, List, Tuple, Type

from ._bare import bare, is_class
from ._json_text import json_of, sortable
from ._keys import Keys, keyed, keys_of
from ._own_forms import OWN_FORMS, USED, decode_own, encode_own
from ._records import is_named_tuple, is_typed_dict, record_fields
from ._scalar import is_scalar, packed, unpacked
from ._spelling import spelled
from ._texts import TEXTS, is_a
from .types import Payload

_PLAIN = (bool, int, float, str, type(None))
#: From 3.10 on `int | str` is one, too.
UNIONS = (typing.Union, getattr(types, "UnionType", typing.Union))
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
    wanted = bare(wanted)
    if wanted in (Any, object):
        return lambda value, path: value
    if is_class(wanted):
        USED.add(wanted)
        if wanted in OWN_FORMS:
            return functools.partial(decode_own if way & DECODE else encode_own, wanted)
    if wanted is float and not way & DECODE:
        return exact_float
    if wanted is None or wanted in _PLAIN:
        return functools.partial(_plain, type(None) if wanted is None else wanted)
    if is_class(wanted) and hasattr(wanted, "__dataclass_fields__"):
        return functools.partial(_decode_object if way & DECODE else _encode_object, wanted, way)
    if is_class(wanted) and issubclass(wanted, enum.Enum):
        return functools.partial(_decode_enum if way & DECODE else _encode_enum, wanted)
    if wanted in TEXTS:
        return functools.partial(_read if way & DECODE else _write, wanted)
    if is_named_tuple(wanted) or is_typed_dict(wanted):
        return functools.partial(_decode_record if way & DECODE else _encode_record, wanted, way)
    return _generic(wanted, way)


def _generic(wanted: Any, way: int) -> Convert:
    origin = typing.get_origin(wanted) or wanted
    arguments = typing.get_args(wanted)
    if origin in UNIONS:
        # Where an int can be one, what no float equals is read as one, too.
        whole = int in arguments
        parts = [
            exact_float if whole and part is float else converter(part, way) for part in arguments
        ]
        return functools.partial(_union, parts, wanted)
    if origin is typing.Literal:
        return functools.partial(_literal, arguments)
    if origin in _LISTS:
        return functools.partial(_list, converter((arguments or (Any,))[0], way))
    if origin in _SETS:
        item = bare((arguments or (Any,))[0])
        return functools.partial(_set, origin, converter(item, way), way, is_new(item))
    if origin is tuple:
        return functools.partial(_tuple, arguments, way)
    if origin in _MAPPINGS:
        key, item = arguments or (str, Any)
        kind = keys_of(bare(key))
        text = functools.partial(_plain, str)
        keys = text if kind is Keys.TEXT else converter(key, way)
        return keyed(kind, keys, converter(item, way), bool(way & DECODE))
    return functools.partial(no_form, wanted)


def _plain(wanted: type, value: Any, path: str) -> Any:
    if type(value) is wanted:
        return value
    if wanted is float and type(value) is int:
        return _nearest(value, path)
    if isinstance(value, wanted) and not (isinstance(value, bool) and wanted is not bool):
        return wanted(value)
    raise _wrong(path, wanted, value)


def _nearest(value: int, path: str) -> float:
    try:
        return float(value)
    except OverflowError:
        raise TypeError(f"{path}: expected float, got an int that is too large for one") from None


def exact_float(value: Any, path: str) -> float:
    """A float, or an int that a float equals: from 2**53 on, not every int has one."""
    made: float = _plain(float, value, path)
    if type(value) is int and made != value:
        raise TypeError(
            f"{path}: expected float, got an int that no float equals: round it with float(…), or"
            " declare the field as int"
        )
    return made


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


def is_new(item: Any) -> bool:
    """Whether elements of a set are sorted by their JSON. Those of before have their own order."""
    return item in TEXTS or is_named_tuple(item) or (is_class(item) and item in OWN_FORMS)


def _set(kind: Any, convert: Convert, way: int, by_json: bool, value: Any, path: str) -> Any:
    """A set is a list in JSON, sorted: the same set is the same bytes."""
    if way & DECODE:
        items = _list(convert, value, path)
        return set(items) if kind is set else frozenset(items)
    if not isinstance(value, (set, frozenset)):
        raise _wrong(path, set, value)
    items = [convert(item, path) for item in value]
    if by_json:
        return sorted(items, key=sortable)
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


def _read(wanted: Any, value: Any, path: str) -> Any:
    if not isinstance(value, str):
        raise _wrong(path, wanted, value)
    try:
        return TEXTS[wanted][1](value)
    except (ValueError, OverflowError) as error:
        raise TypeError(f"{path}: {error}") from None


def _write(wanted: Any, value: Any, path: str) -> str:
    if not is_a(value, wanted):
        raise _wrong(path, wanted, value)
    try:
        return TEXTS[wanted][0](value)
    except (ValueError, OverflowError) as error:
        raise type(error)(f"{path}: {error}") from None


def _encode_record(wanted: Any, way: int, value: Any, path: str) -> Dict[str, Any]:
    if not isinstance(value, dict if is_typed_dict(wanted) else wanted):
        raise _wrong(path, wanted, value)
    found = dict(value if is_typed_dict(wanted) else zip(wanted._fields, value))
    made = {}
    for name, kind, may_lack in record_fields(wanted):
        if name in found:
            item = found.pop(name)
            made[spelled(name) if way else name] = converter(kind, way)(item, f"{path}.{name}")
        elif not may_lack:
            raise TypeError(f"{path}.{name}: missing")
    if found:
        raise TypeError(f"{path}: {wanted.__name__} has no {next(iter(found))!r}")
    return made


def _decode_record(wanted: Any, way: int, value: Any, path: str) -> Any:
    return wanted(**_decode_items(record_fields(wanted), way, value, path))


def no_form(wanted: Any, value: Any, path: str) -> Any:
    """Refuses a type that cannot travel."""
    name = getattr(wanted, "__name__", wanted)
    raise TypeError(
        f"{path}: {name} cannot be JSON: take a type of docs/wire-forms.md, or say how it travels:"
        f" mainstem.json_form({name}, encode=…, decode=…)"
    )


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
    return _decode_items(fields_of(wanted), way, value, path)


def _decode_items(
    fields: Tuple[Tuple[str, Any, bool], ...], way: int, value: Any, path: str
) -> Dict[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(path, dict, value)
    arguments = {}
    for name, kind, optional in fields:
        key = spelled(name) if way & SPELLED else name
        if key in value:
            arguments[name] = converter(kind, way)(value[key], f"{path}.{name}")
        elif not optional:
            raise TypeError(f"{path}.{name}: missing")
    return arguments


def encode(value: Any, payload: Payload) -> bytes:
    """Encodes an event's value as bytes."""
    kind: Any = type(value)
    if payload is None:
        return b""
    if payload == "json":
        plain = _encode_object(kind, 0, value, kind.__name__)
        return json_of(plain, kind.__name__)
    items = [getattr(value, field.name) for field in dataclasses.fields(kind)]
    if isinstance(payload, struct.Struct):
        for item, (name, wanted, _) in zip(items, fields_of(kind)):
            if wanted is float and type(item) is int:
                exact_float(item, f"{kind.__name__}.{name}")
        return payload.pack(*items)
    return raw(items[0], payload, f"{kind.__name__}.{dataclasses.fields(kind)[0].name}")


def raw(item: Any, payload: Payload, path: str) -> bytes:
    """Encodes a single text or scalar, or checks bytes."""
    if is_scalar(payload):
        plain = exact_float(item, path) if payload is float else _plain(payload, item, path)
        return packed(payload, plain, path)
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

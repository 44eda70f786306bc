# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Payloads, and the event types that say which payload they have."""

from __future__ import annotations

import collections.abc
import ctypes
import dataclasses
import enum
import functools
import json
import struct
import types
import typing
from typing import Any, Callable, Dict, List, Literal, NamedTuple, Optional, Tuple, Type, Union

from .._library import C
from .._library import _header as d
from ..failure import check, encoded
from ._wire import (
    OWN_FORMS,
    TEXTS,
    USED,
    Keys,
    bare,
    decode_own,
    encode_own,
    is_a,
    is_class,
    is_named_tuple,
    is_scalar,
    is_typed_dict,
    json_of,
    keyed,
    keys_of,
    packed,
    record_fields,
    sortable,
    spelled,
    unpacked,
)

__all__ = [
    "DECODE",
    "SPELLED",
    "UNIONS",
    "Data",
    "EventType",
    "Payload",
    "Record",
    "Role",
    "add_type",
    "converter",
    "decode",
    "encode",
    "fields_of",
    "find_type",
    "layer_bits",
    "no_form",
    "payload_bits",
    "raw",
    "read_type",
    "record_bits",
    "role_bits",
]


# Event types as a context knows them: by number, by name, by layer --------------------------------

#: What a type carries: JSON ("json"), text (str), bytes, a scalar (bool, int, float), nothing
#: (None), or a packed struct.
Payload = Union[str, type, None, struct.Struct]

#: A payload as it is.
Data = Union[bytes, str, bool, int, float, None]

Role = Literal["request", "response", "notice", "value"]
#: What a journal keeps of a type's events.
Record = Literal["full", "mark", "none", "inputs"]

_ROLES = {
    "request": d.ROLE_REQUEST,
    "response": d.ROLE_RESPONSE,
    "notice": d.ROLE_NOTICE,
    "value": d.ROLE_VALUE,
    None: 0,
}
_ROLE_NAMES = {bits: name for name, bits in _ROLES.items()}
_PAYLOADS = {
    d.PAYLOAD_NONE: None,
    d.PAYLOAD_BYTES: bytes,
    d.PAYLOAD_TEXT: str,
    d.PAYLOAD_JSON: "json",
    d.PAYLOAD_BOOL: bool,
    d.PAYLOAD_INTEGER: int,
    d.PAYLOAD_NUMBER: float,
}

#: What a journal keeps of a type's events: "full", "mark" (position, type, cause, time and flags),
#: "none", "inputs" (inputs in full; of an output the mark and a digest of its payload).
_RECORDS = {
    "full": d.RECORD_FULL,
    "mark": d.RECORD_MARK,
    "none": d.RECORD_NONE,
    "inputs": d.RECORD_INPUTS,
}


class EventType(NamedTuple):
    """A description of an event type (mainstem_type_info)."""

    number: int
    name: str
    contract: int
    response: int
    #: Events kept for late observers; 0 = no history.
    history: int = 0
    #: The age limit of the history in seconds; None = no limit.
    history_max_age: Optional[float] = None
    #: The name of its layer; empty if a journal does not have it.
    layer_name: str = ""

    @property
    def role(self) -> Optional[str]:
        """ "request", "response", "notice" or "value"."""
        return _ROLE_NAMES[self.contract & d.ROLE_MASK]

    @property
    def layer(self) -> int:
        """The number of its layer."""
        return (self.contract & d.LAYER_MASK) >> 40

    @property
    def record(self) -> str:
        """ "full", "mark", "none" or "inputs": what a journal keeps of its events."""
        bits = self.contract & d.RECORD_MASK
        if bits != d.RECORD_NONE and self.secret:
            return "mark"
        return next(name for name, value in _RECORDS.items() if value == bits)

    @property
    def secret(self) -> bool:
        """Whether its events are secrets."""
        return bool(self.contract & d.SECRET)

    @property
    def payload(self) -> Union[str, type, None, int]:
        """ "json", str, bytes, bool, int, float, None, or the size of a struct."""
        kind = self.contract & d.PAYLOAD_MASK
        return self.contract & 0xFFFFFFFF if kind == d.PAYLOAD_STRUCT else _PAYLOADS[kind]


def payload_bits(payload: Payload) -> int:
    """The bits of a contract that select the payload."""
    if isinstance(payload, struct.Struct):
        return d.PAYLOAD_STRUCT | payload.size
    for bits, kind in _PAYLOADS.items():
        if kind == payload:
            return bits
    kinds = '"json", str, bytes, bool, int, float, None or a struct.Struct'
    raise TypeError(f"payload is {kinds}, not {payload!r}")


def role_bits(role: Optional[str]) -> int:
    """The bits of a contract or filter that select the role; 0 for None."""
    if role not in _ROLES:
        raise TypeError(f'role is "request", "response", "notice" or "value", not {role!r}')
    return _ROLES[role]


def record_bits(record: str, secret: bool) -> int:
    """The bits of a contract that select what a journal keeps."""
    if record not in _RECORDS:
        raise TypeError(f'record is "full", "mark", "none" or "inputs", not {record!r}')
    return _RECORDS[record] | (d.SECRET if secret else 0)


def layer_bits(handle: int, layer: Optional[str]) -> int:
    """The bits of a contract that select a layer; a new name adds the layer."""
    if layer is None:
        return 0
    bits = ctypes.c_uint64()
    check(C.mainstem_layer_add(handle, encoded(layer, "layer"), ctypes.byref(bits)))
    return bits.value


def add_type(handle: int, name: str, contract: int, response: Optional[str]) -> int:
    """Registers an event type, or finds the one already registered."""
    number = ctypes.c_uint32()
    answer = None if response is None else encoded(response, "response")
    check(
        C.mainstem_type_add(handle, encoded(name, "name"), contract, answer, ctypes.byref(number))
    )
    return number.value


def find_type(handle: int, name: str) -> int:
    """Finds the number of the event type registered under a name."""
    number = ctypes.c_uint32()
    check(C.mainstem_type_find(handle, encoded(name, "name"), ctypes.byref(number)))
    return number.value


def read_type(handle: int, number: int) -> EventType:
    """Reads the description of an event type."""
    info = d.TypeInfoStruct(size=ctypes.sizeof(d.TypeInfoStruct))
    check(C.mainstem_type_read(handle, number, ctypes.byref(info)))
    return EventType(
        number,
        info.name.decode(),
        info.contract,
        info.response,
        info.history_count,
        info.history_max_age_ms / 1000 if info.history_max_age_ms else None,
        info.layer.decode(),
    )


# Payloads: the fields of a dataclass as JSON, text, bytes or a packed struct, and back ------------
#
# A value of the wrong type raises TypeError with the path of the field, in both directions. So the
# error is found where the value was made, not where it is read.

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

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Encoding and decoding a class or a value: functions made once. What cannot travel is refused."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import functools
import json
import struct
import sys
import types
import typing
import uuid
from json.encoder import encode_basestring
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple

from . import _payload
from ._payload import Payload
from ._wire import (
    OWN_FORMS,
    TEXTS,
    bare,
    is_class,
    is_named_tuple,
    is_scalar,
    is_typed_dict,
    json_of,
    record_fields,
    unpacked,
)

__all__ = [
    "DecodeFields",
    "EncodeFields",
    "Form",
    "changes_in_place",
    "check_fields",
    "check_type",
    "decoder",
    "encoder",
    "form_of",
    "initializer",
    "is_fixed",
    "is_plain",
    "tagged_form",
]


# Refuses a type that cannot travel where it is declared, not where the first value is sent --------

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


# The functions that encode and decode one event class, made once from its fields ------------------
#
# As dataclasses do, they are compiled from source written for the class. Such a function knows the
# usual case: every field has exactly its type, and the JSON is as we write it. It leaves all else,
# also every error, to `_payload`, which knows every case.

EncodeFields = Callable[[Any], bytes]
DecodeFields = Callable[[bytes], Dict[str, Any]]

#: How the value of a variable becomes JSON, if it has exactly this type.
_TEXTS: Dict[Any, str] = {
    str: "{{text({})}}",
    int: "{{{}}}",
    float: "{{number({})}}",
    bool: "{{word({})}}",
}
_WORDS = {True: "true", False: "false"}
_INFINITE = float("inf")
_whole = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode

_Fields = List[Tuple[str, str, Any]]


def _variables(kind: type) -> _Fields:
    """A variable for each field, its name and its type."""
    return [
        (f"v{place}", name, wanted)
        for place, (name, wanted, _) in enumerate(_payload.fields_of(kind))
    ]


def _exactly(variable: str, wanted: Any) -> str:
    """A condition: the variable has exactly this type."""
    if wanted is float:
        # JSON has neither infinities nor NaN.
        return f"type({variable}) is float and -infinite < {variable} < infinite"
    return f"type({variable}) is {wanted.__name__}"


def _made(source: str, names: Dict[str, Any]) -> Any:
    names.update(text=encode_basestring, number=float.__repr__, word=_WORDS.__getitem__)
    # An exception clears the variables in frames of this package: see _secrecy.
    names.update(infinite=_INFINITE, whole=_whole, __package__=__package__)
    exec(source, names)
    return names["made"]


def encoder(kind: type, payload: Payload) -> EncodeFields:
    """Makes the function that encodes a value of a class."""
    if payload is None:
        return lambda value: b""
    if payload == "json":
        return _json_encoder(kind)
    if isinstance(payload, struct.Struct):
        return _struct_encoder(kind, payload)
    return lambda value: _payload.encode(value, payload)


def _struct_encoder(kind: type, payload: struct.Struct) -> EncodeFields:
    fields = _variables(kind)
    reads = "".join(f" {variable} = value.{name}\n" for variable, name, _ in fields)
    # An int may be one that no float equals.
    whole = " or ".join(f"type({variable}) is int" for variable, _, to in fields if to is float)
    items = "".join(f"{variable}, " for variable, _, _ in fields)
    other = f" if {whole}: return other(value)\n" if whole else ""
    names = {"pack": payload.pack, "other": lambda value: _payload.encode(value, payload)}
    made: EncodeFields = _made(f"def made(value):\n{reads}{other} return pack({items})", names)
    return made


def _json_encoder(kind: type) -> EncodeFields:
    fields = _variables(kind)
    names: Dict[str, Any] = {"other": lambda value: _payload.encode(value, "json")}
    lines, conditions, parts = ["def made(value):"], [], []
    for variable, name, wanted in fields:
        lines.append(f" {variable} = value.{name}")
        key = encode_basestring(name)
        if wanted in _TEXTS:
            conditions.append(_exactly(variable, wanted))
            parts.append(key + ":" + _TEXTS[wanted].format(variable))
        else:
            names[f"convert_{variable}"] = _payload.converter(wanted, 0)
            names[f"path_{variable}"] = f"{kind.__name__}.{name}"
            parts.append(f"{key}:{{whole(convert_{variable}({variable}, path_{variable}))}}")
    lines.append(f" if {' and '.join(conditions) or 'True'}:")
    # Whatever is raised, the other function raises it for the first wrong field.
    lines.append(f"  try:\n   return f'{{{{{','.join(parts)}}}}}'.encode()")
    lines.append("  except Exception:\n   pass")
    lines.append(" return other(value)")
    made: EncodeFields = _made("\n".join(lines), names)
    return made


def decoder(kind: type, payload: Payload) -> DecodeFields:
    """Makes the function that decodes the fields of an event of a class."""
    if payload is None:
        return lambda data: {}
    if payload == "json":
        return _json_decoder(kind)
    names = [field.name for field in _fields(kind)]
    if isinstance(payload, struct.Struct):
        unpack = payload.unpack
        return lambda data: dict(zip(names, unpack(data)))
    only = names[0]
    if is_scalar(payload):
        scalar = payload
        return lambda data: {only: unpacked(scalar, data)}
    if payload is str:
        return lambda data: {only: data.decode()}
    return lambda data: {only: data}


def _json_decoder(kind: type) -> DecodeFields:
    def other(data: bytes) -> Dict[str, Any]:
        return _payload.decode(kind, "json", data)

    if not is_plain(kind):
        return other
    fields = _variables(kind)
    reader: Any = json.JSONDecoder()
    names: Dict[str, Any] = {"other": other, "scan": reader.scan_once}
    lines = ["def made(data):", " try:", "  read = data.decode()", "  found, end = scan(read, 0)"]
    # Not an object, a field missing, no JSON: the other function says which.
    lines += [f"  {variable} = found[{name!r}]" for variable, name, _ in fields]
    lines += [" except (KeyError, TypeError, ValueError, StopIteration, RecursionError):"]
    lines += ["  return other(data)"]
    conditions, items = ["end == len(read)"], []
    for variable, name, wanted in fields:
        item = variable
        if wanted in _TEXTS:
            conditions.append(f"type({variable}) is {wanted.__name__}")
        else:
            names[f"convert_{variable}"] = _payload.converter(wanted, _payload.DECODE)
            names[f"path_{variable}"] = f"{kind.__name__}.{name}"
            item = f"convert_{variable}({variable}, path_{variable})"
        items.append(f"{name!r}: {item}")
    lines += [f" if {' and '.join(conditions)}:", f"  return {{{', '.join(items)}}}"]
    lines += [" return other(data)"]
    made: DecodeFields = _made("\n".join(lines), names)
    return made


def is_plain(kind: type) -> bool:
    """Whether a dataclass's `__init__` only sets its fields, one from each argument."""
    fields = _fields(kind)
    known: Dict[str, Any] = getattr(kind, "__dataclass_fields__", {})
    return (
        not hasattr(kind, "__post_init__")
        and len(fields) == len(known)
        and all(field.init and not getattr(field, "kw_only", False) for field in fields)
        and all(field.default_factory is dataclasses.MISSING for field in fields)
    )


def initializer(kind: type) -> Any:
    """Makes a faster `__init__` for a plain frozen dataclass.

    The one of dataclasses calls object.__setattr__ for each field.
    """
    own = kind.__init__  # type: ignore[misc]
    names: Dict[str, Any] = {}
    # A field may have any other name.
    arguments, lines = ["mainstem_self"], [" mainstem_fields = mainstem_self.__dict__"]
    for place, field in enumerate(_fields(kind)):
        default = ""
        if field.default is not dataclasses.MISSING:
            names[f"default{place}"] = field.default
            default = f"=default{place}"
        arguments.append(field.name + default)
        lines.append(f" mainstem_fields[{field.name!r}] = {field.name}")
    made = _made(f"def made({', '.join(arguments)}):\n" + "\n".join(lines), names)
    made.__name__, made.__qualname__ = own.__name__, own.__qualname__
    made.__module__, made.__annotations__ = kind.__module__, own.__annotations__
    return made


def _fields(kind: Any) -> Tuple["dataclasses.Field[Any]", ...]:
    return dataclasses.fields(kind)


# How the values of a type travel, and what is kept of one to see whether the next differs ---------

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


# How values of several classes travel: each under the name of its class ---------------------------


def tagged_form(wanted: Any) -> Form:
    """Returns the form of a type; of a union of classes, JSON as `{"loading": {"isOn": true}}`."""
    parts = typing.get_args(wanted) if typing.get_origin(wanted) in _payload.UNIONS else ()
    if not parts or not all(isinstance(part, type) for part in parts):
        return form_of(wanted)
    ways = {
        part: (
            part.__name__[0].lower() + part.__name__[1:],
            _payload.converter(part, _payload.SPELLED),
            _payload.converter(part, _payload.SPELLED | _payload.DECODE),
        )
        for part in parts
    }

    def encode(value: Any, path: str) -> bytes:
        way = ways.get(type(value))
        if way is None:
            names = ", ".join(part.__name__ for part in ways)
            raise TypeError(f"{path}: expected one of {names}, got {type(value).__name__}")
        return json_of({way[0]: way[1](value, path)}, path)

    def decode(data: bytes) -> Any:
        ((name, value),) = json.loads(data.decode()).items()
        return next(way[2](value, name) for way in ways.values() if way[0] == name)

    return Form("json", encode, decode, None)

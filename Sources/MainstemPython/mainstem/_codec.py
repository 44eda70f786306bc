# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The functions that encode and decode one event class, made once from its fields.

As dataclasses do, they are compiled from source written for the class. Such a function knows the
usual case: every field has exactly its type, and the JSON is as we write it. It leaves all else,
also every error, to `_payload`, which knows every case.
"""

from __future__ import annotations

import dataclasses
import json
import struct
from json.encoder import encode_basestring
from typing import Any, Callable, Dict, List, Tuple

from . import _payload
from ._scalar import is_scalar, unpacked
from .types import Payload

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

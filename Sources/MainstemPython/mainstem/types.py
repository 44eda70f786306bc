# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Event types as a context knows them: by number, by name, by layer."""

from __future__ import annotations

import ctypes
import struct
from typing import Literal, NamedTuple, Optional, Union

from ._library import C
from ._library import _header as d
from .failure import check, encoded

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

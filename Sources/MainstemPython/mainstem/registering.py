# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The part of a context that registers event types and layers."""

from __future__ import annotations

from typing import Optional, Type, Union

from ._library import C, milliseconds_of
from .events._catalogue import Catalogue
from .events._declaration import Value
from .events._payload import (
    EventType,
    Payload,
    Record,
    Role,
    add_type,
    layer_bits,
    payload_bits,
    read_type,
    record_bits,
    role_bits,
)
from .failure import check

_WORD = (1 << 64) - 1


class Registering:
    """The part of a context that registers event types and layers."""

    __slots__ = ()

    handle: int
    catalogue: Catalogue

    def register(self, *kinds: Type[Value]) -> None:
        """Registers event classes, each with the class that answers it, in this order.

        First use registers a class too, but another thread can post only registered ones.
        """
        for kind in kinds:
            self.catalogue.number_of(kind)

    def add_type(
        self,
        name: str,
        payload: Payload = None,
        *,
        role: Optional[Role] = None,
        layer: Optional[str] = None,
        response: Optional[str] = None,
        record: Record = "full",
        secret: bool = False,
    ) -> int:
        """Registers a type without a class and returns its number; the name implies the role."""
        contract = payload_bits(payload) | role_bits(role)
        contract |= layer_bits(self.handle, layer) | record_bits(record, secret)
        number = add_type(self.handle, name, contract, response)
        # Read now: another thread that posts it later is not allowed to.
        self.catalogue.number_of(name)
        return number

    def read_type(self, what: Union[Type[Value], str, int]) -> EventType:
        """Reads the description of a type, given its class, name or number."""
        return read_type(self.handle, self.catalogue.number_of(what))

    def keep_history(
        self, what: Union[Type[Value], str, int], count: int, max_age: Optional[float] = None
    ) -> None:
        """Keeps a history for late observers: from now on, the last `count` events of a type.

        An observer registered later gets these events first, flagged `late`, then the stream.
        Events older than `max_age` seconds are dropped. A count of 0 ends the history.
        """
        age = 0 if max_age is None else milliseconds_of(max_age) or 1
        number = self.catalogue.number_of(what)
        check(C.mainstem_history_keep(self.handle, number, min(count, _WORD) & _WORD, age))

    def add_layer(self, name: str) -> int:
        """Finds a layer by name, adds it if it is new, and returns its number."""
        return layer_bits(self.handle, name) >> 40

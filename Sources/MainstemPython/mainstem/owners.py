# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Owners: scopes that a factory makes when one is asked for."""

from __future__ import annotations

import contextlib
from typing import Any, Callable, Optional

from ._library import C, _callbacks
from .events._catalogue import ScopeLike
from .events._payload import Payload, layer_bits, payload_bits
from .events._received import Event, respond
from .failure import Failure, MainstemError, check, encoded, refuse_async
from .observers._calls import message_of

#: Fills the new scope; gets the request, too.
Make = Callable[[Any, Any], object]


class Factory:
    """Makes the owners of a name. What it raises is the answer, and the scope ends again."""

    __slots__ = ("_make", "_name", "_parent", "_scope")

    def __init__(
        self, parent: ScopeLike, name: str, make: Make, child: Callable[[int, str], Any]
    ) -> None:
        refuse_async(make, "make")
        self._parent = parent
        self._name = name
        self._make = make
        self._scope = child

    def add(self, payload: Payload, layer: Optional[str]) -> None:
        """Adds it to its parent."""
        contract = payload_bits(payload) | layer_bits(self._parent.handle, layer)
        self._parent.context._installed(lambda: self._declare(contract))

    def _declare(self, contract: int) -> None:
        number = _callbacks.keep_make(self.fill)
        status = self._add(encoded(self._name, "name"), contract, number)
        if status:
            _callbacks.forget(number)
            check(status)

    def _add(self, name: bytes, contract: int, number: int) -> int:
        return int(
            C.mainstem_factory_add(
                self._parent.handle,
                name,
                contract,
                _callbacks.on_make,
                number,
                _callbacks.on_release,
            )
        )

    def fill(self, handle: int, address: Optional[int]) -> int:
        """Runs the function for the library; returns a status. Without an event, a find asks."""
        scope = self._scope(handle, self._name)
        event = None if address is None else Event(scope, address)
        thrown = scope.context.thrown
        running = thrown.running
        depth = running.depth
        failure: Optional[Failure] = None
        try:
            running.depth = depth + 1
            failure = self._failure_of(scope, event, address)
            return 0 if failure is None else _refuse(scope, event, address, failure)
        finally:
            # It holds the frames that called the factory: with this variable, a cycle.
            del failure
            running.depth = depth
            if event is not None:
                event._address = 0

    def _failure_of(
        self, scope: Any, event: Optional[Event], address: Optional[int]
    ) -> Optional[Failure]:
        try:
            self._fill(scope, event)
        except BaseException as exception:
            if isinstance(exception, Failure):
                return exception
            if event is None or address is None:
                scope.context.thrown.report(exception, scope)
            else:
                scope.context.thrown.failed(exception, event, address)
            return Failure(message_of(exception, event))
        return None

    def _fill(self, scope: Any, event: Optional[Event]) -> None:
        self._make(scope, event)


def _refuse(scope: Any, event: Optional[Event], address: Optional[int], failure: Failure) -> int:
    if event is not None and address is not None:
        # Somebody else may have answered, and the context may close.
        with contextlib.suppress(MainstemError):
            respond(scope, address, event.type, failure)
    return int(failure.code)


def request_of(name: str) -> str:
    """The name of the type that asks for an owner."""
    return f"RequestOpen.{name}"


def number_in(answer: Any) -> int:
    """The number that an answer has: of the scope that was opened."""
    return int.from_bytes(answer.data, "little")

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A request that waits for its answer."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Callable, Optional

from . import _callbacks
from . import _declarations as d
from ._declarations import C
from .failure import check
from .received import event_of, received
from .status import Status
from .timer import milliseconds_of

if TYPE_CHECKING:
    from .scope import Scope


Function = Callable[[Any], Any]


class Pending:
    """Gets exactly one answer (law 8), and gives it to a function."""

    __slots__ = ("_handle", "_progress", "_scope", "_then", "answered")

    #: Whether the answer has come.
    answered: bool

    def __init__(
        self,
        scope: "Scope",
        number: int,
        data: bytes,
        then: Function,
        progress: Optional[Function] = None,
        timeout: Optional[float] = None,
    ) -> None:
        self._scope = scope
        self._then = then
        self._progress = progress
        self._handle = None
        self.answered = False
        handle = ctypes.c_void_p()
        # The same function gets both: it tells them apart by the event.
        options = d.RequestOptions(ctypes.sizeof(d.RequestOptions), 0)
        if progress is not None:
            options.progress = _callbacks.on_event
        if timeout is not None:
            options.timeout_ms = max(1, milliseconds_of(timeout))
        kept = _callbacks.keep(self._deliver)
        status = C.mainstem_request_with(
            scope.handle,
            number,
            data,
            len(data),
            ctypes.byref(options),
            _callbacks.on_event,
            kept,
            _callbacks.on_release,
            ctypes.byref(handle),
        )
        if status:
            _callbacks.forget(kept)
            check(status)
        self._handle = handle.value

    @property
    def position(self) -> int:
        """The position of the request while it is open: `answers` of the response to come."""
        position = ctypes.c_uint64()
        check(C.mainstem_pending_position(self._handle, ctypes.byref(position)))
        return position.value

    def cancel(self) -> bool:
        """Gives it up: it is answered with CANCELLED. False if it has its answer already."""
        status = C.mainstem_pending_cancel(self._handle)
        if status and status != Status.STALE:
            check(status)
        return status == 0

    def _deliver(self, address: int) -> None:
        context = self._scope.context
        value = received(self._scope, address)
        event = event_of(value)
        function = self._progress if event.is_progress else self._then
        self.answered = not event.is_progress
        thrown = context.thrown
        depth = thrown.depth()
        try:
            thrown.enter(depth)
            function(value)
        except BaseException as exception:
            thrown.failed(exception, value, address)
        finally:
            thrown.leave(depth)
            event._address = 0

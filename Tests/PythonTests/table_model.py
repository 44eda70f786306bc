# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A model in the form that C programs use: a table of rows, functions and a show function."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Dict, List, NamedTuple, Optional

from mainstem import MainstemError
from mainstem._library import C, _callbacks
from mainstem._library import _header as d
from mainstem.events._received import Event
from mainstem.failure import check

SHOWS, WRITABLE, PULSES, COMMAND = range(1, 5)
BOOL, INTEGER, TEXT = d.PAYLOAD_BOOL, d.PAYLOAD_INTEGER, d.PAYLOAD_TEXT


class Row(NamedTuple):
    """A row; what its kind does not use is left out."""

    name: str
    kind: int
    contract: int = 0
    fn: Optional[Callable[[Any], None]] = None
    enabled: Optional[str] = None
    policy: int = 0
    answer: int = 0


class TableModel:
    """A model whose functions are methods of a Python program."""

    def __init__(
        self, parent: Any, name: Optional[str], rows: List[Row], show: Callable[["TableModel"], Any]
    ) -> None:
        """Adds it to a parent; without a name, the parent becomes the model itself."""
        self.rows, self._show = rows, show
        table = (d.ViewmodelRow * len(rows))()
        for index, row in enumerate(rows):
            fn = _callbacks.on_event if row.fn else d.EVENT_FN()
            one = d.ViewmodelRow(row.name.encode(), row.kind, row.contract, fn)
            one.enabled = row.enabled.encode() if row.enabled else None
            one.policy, one.answer = row.policy, row.answer
            table[index] = one
        number = _callbacks.keep(self._deliver, lambda: None)
        _callbacks.keep_show(number, self._say)
        made = ctypes.c_void_p()
        status = C.mainstem_viewmodel_add(
            parent.handle,
            name.encode() if name else None,
            table,
            ctypes.sizeof(d.ViewmodelRow),
            len(rows),
            _callbacks.on_show,
            number,
            _callbacks.on_release,
            ctypes.byref(made),
        )
        if status:
            _callbacks.forget(number)
        check(status)
        self.scope = parent._child(made.value or 0, name) if name else parent
        number_of = parent.context.catalogue.number_of
        self.types = {row.name: number_of(f"{self.scope.name}.{row.name}") for row in rows}
        self._calls: Dict[int, Any] = {self.types[row.name]: row.fn for row in rows}

    def _deliver(self, address: int) -> None:
        event = Event(self.scope, address)
        thrown = self.scope.context.thrown
        thrown.enter(depth := thrown.depth())
        try:
            self._calls[event.type](event)
        except BaseException as exception:
            thrown.failed(exception, event, address)
        finally:
            thrown.leave(depth)
            event._address = 0

    def _say(self, handle: int) -> int:
        thrown = self.scope.context.thrown
        thrown.enter(depth := thrown.depth())
        try:
            self._show(self)
        except MainstemError as error:
            return int(error.status)
        finally:
            thrown.leave(depth)
        return 0

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Adds the model of a view model to a scope."""

from __future__ import annotations

import ctypes
from typing import List, Tuple

from . import _callbacks, types
from . import _declarations as d
from ._declarations import C
from ._protocols import ScopeLike
from .failure import check, encoded
from .model import COMMAND, PULSES, WRITABLE, Model, Row


def add_model(
    parent: ScopeLike, model: Model, number: int, is_scope: bool
) -> Tuple[int, List[Tuple[int, Row]]]:
    """Adds a model whose functions are kept under a number; returns its handle and its types."""
    found: List[Tuple[int, Row]] = []
    rows: List[d.HandlerRowWith] = []
    context = parent.context.handle
    for row in model.rows.values():
        name = f"{model.name}.{row.name}"
        layer = types.layer_bits(context, row.layer)
        role = "notice" if row.kind == PULSES else "value"
        answer = None
        if row.kind == COMMAND:
            role, answer = "request", f"{name}.done"
            types.add_type(context, answer, row.answer_contract | layer | d.ROLE_RESPONSE, None)
        contract = row.contract | layer | types.role_bits(role)
        found.append((types.add_type(context, name, contract, answer), row))
        if row.kind in (WRITABLE, COMMAND):
            flags = d.HANDLER_OWN | (d.HANDLER_WRITTEN if row.kind == WRITABLE else 0)
            one = d.HandlerRow(encoded(name, "type"), _callbacks.on_event)
            rows.append(d.HandlerRowWith(one, flags))
    options = d.ServerOptions()
    check(C.mainstem_server_options_init(ctypes.byref(options), ctypes.sizeof(options)))
    options.show = _callbacks.on_show
    table = (d.HandlerRowWith * len(rows))(*rows)
    server = ctypes.c_void_p()
    check(
        C.mainstem_server_add_with(
            parent.handle,
            encoded(model.name, "name"),
            ctypes.cast(table, ctypes.POINTER(d.HandlerRow)),
            ctypes.sizeof(d.HandlerRowWith),
            len(rows),
            ctypes.byref(options),
            number,
            _callbacks.on_release,
            ctypes.byref(server),
        )
    )
    return server.value or 0, found

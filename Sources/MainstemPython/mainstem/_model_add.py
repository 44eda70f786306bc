# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Adds the model of a view model to a scope."""

from __future__ import annotations

import ctypes
from typing import List, Tuple

from ._library import C, _callbacks
from ._library import _header as d
from .events._catalogue import OwnerLike
from .failure import check, encoded
from .model import Model, Row, policy_of


def add_model(
    parent: OwnerLike, model: Model, number: int, is_scope: bool
) -> Tuple[int, List[Tuple[int, Row]]]:
    """Adds a model whose functions are kept under a number; returns its handle and its types.

    With `is_scope`, the scope itself becomes the model: a factory has made it.
    """
    found = model.rows
    rows = (d.ViewmodelRow * len(found))()
    for index, row in enumerate(found.values()):
        fn = (
            _callbacks.on_event
            if row.kind in (d.VIEWMODEL_WRITABLE, d.VIEWMODEL_COMMAND)
            else d.EVENT_FN()
        )
        one = d.ViewmodelRow(encoded(row.name, "name"), row.kind, row.contract, fn)
        if row.kind == d.VIEWMODEL_COMMAND:
            enabled = row.member.enabled
            one.enabled = found[enabled].name.encode() if enabled else None
            one.policy = policy_of(row)
            one.answer = row.answer_contract
            ender = getattr(row.member, "cancelled_by", "")
            one.cancelled_by = found[ender].name.encode() if ender else None
        rows[index] = one
    made = ctypes.c_void_p()
    status = C.mainstem_viewmodel_add(
        parent.handle,
        None if is_scope else encoded(model.name, "name"),
        rows,
        ctypes.sizeof(d.ViewmodelRow),
        len(rows),
        _callbacks.on_show,
        number,
        _callbacks.on_release,
        ctypes.byref(made),
    )
    check(status)
    numbers = parent.context.catalogue.number_of
    return made.value or 0, [(numbers(f"{model.name}.{row.name}"), row) for row in found.values()]

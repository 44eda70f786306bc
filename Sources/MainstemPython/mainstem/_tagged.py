# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""How values of several classes travel: each under the name of its class."""

from __future__ import annotations

import json
import typing
from typing import Any

from . import _payload
from ._form import Form, form_of
from ._json_text import json_of


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

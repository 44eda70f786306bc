# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a command is given, as the payload of its request."""

from __future__ import annotations

import inspect
import json
from typing import Any, Dict, List, Mapping, Sequence, Tuple

from .events import _payload
from .events._codec import check_type, form_of
from .events._payload import Payload
from .events._wire import json_of, spelled


class Arguments:
    """The arguments of a command: none, the one as it is, or several as an object."""

    __slots__ = ("_by_name", "_forms", "_path", "_signature", "payload")

    def __init__(self, function: Any, hints: Dict[str, Any], path: str) -> None:
        signature = inspect.signature(function)
        given = list(signature.parameters.values())[1:]
        for one in given:
            if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
                raise TypeError(f"{path} takes *{one.name}: a command has its arguments by name")
            if one.name not in hints:
                raise TypeError(f"{path}({one.name}) has no type: say what it is, as in `: str`")
            check_type(hints[one.name], f"{path}({one.name})")
        self._path = path
        self._signature = signature.replace(parameters=given)
        #: The names of those that are given by name only; they come last.
        self._by_name = [one.name for one in given if one.kind is one.KEYWORD_ONLY]
        self._forms = [(one.name, hints[one.name]) for one in given]
        self.payload: Payload = None
        if len(given) == 1:
            self.payload = form_of(self._forms[0][1]).payload
        elif given:
            self.payload = "json"

    def encode(self, given: Tuple[Any, ...], named: Mapping[str, Any]) -> bytes:
        """Returns the payload of a call; TypeError if it does not fit."""
        if not (self._forms or given or named):
            return b""
        try:
            bound = self._signature.bind(*given, **named)
        except TypeError as error:
            raise TypeError(f"{self._path}: {error}") from None
        bound.apply_defaults()
        found = bound.arguments
        if len(self._forms) == 1:
            name, wanted = self._forms[0]
            return form_of(wanted).encode(found[name], f"{self._path}({name})")
        if not self._forms:
            return b""
        plain = {
            spelled(name): _payload.converter(wanted, _payload.SPELLED)(
                found[name], f"{self._path}({name})"
            )
            for name, wanted in self._forms
        }
        return json_of(plain, self._path)

    def call(self, function: Any, instance: Any, given: Sequence[Any]) -> Any:
        """Calls a command's method with arguments that are in order."""
        if not self._by_name:
            return function(instance, *given)
        first = len(self._forms) - len(self._by_name)
        return function(instance, *given[:first], **dict(zip(self._by_name, given[first:])))

    def decode(self, data: bytes) -> List[Any]:
        """Returns the arguments that a payload has, in order."""
        if len(self._forms) == 1:
            return [form_of(self._forms[0][1]).decode(data)]
        if not self._forms:
            return []
        way = _payload.SPELLED | _payload.DECODE
        found, arguments = json.loads(data.decode()), []
        for name, wanted in self._forms:
            key, path = spelled(name), f"{self._path}({name})"
            default = self._signature.parameters[name].default
            if key not in found and default is not inspect.Parameter.empty:
                arguments.append(default)
            elif not isinstance(found, dict) or key not in found:
                raise TypeError(f"{path}: missing")
            else:
                arguments.append(_payload.converter(wanted, way)(found[key], path))
        return arguments

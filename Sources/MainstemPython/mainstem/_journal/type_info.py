# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a journal says about an event type."""

from __future__ import annotations

from typing import NamedTuple

_FORMS = {
    0: "none",
    1: "bytes",
    2: "text",
    3: "json",
    4: "struct",
    5: "bool",
    6: "integer",
    7: "number",
}
_ROLES = {1: "request", 2: "response", 3: "notice", 4: "value"}


class TypeInfo(NamedTuple):
    """What a journal says about an event type."""

    number: int
    contract: int
    name: bytes
    response: bytes

    @property
    def payload(self) -> str:
        """What its events carry."""
        return _FORMS.get(self.contract >> 32 & 15, "bytes")

    @property
    def role(self) -> str:
        """Its role: "request", "response", "notice" or "value"."""
        named = _ROLES.get(self.contract >> 36 & 15)
        if named:
            return named
        first = [word for word in (b"Request", b"Response") if self.name.startswith(word)]
        return first[0].decode().lower() if first else "notice"

    @property
    def is_command(self) -> bool:
        """Whether it is a command: a request `Owner.name`, whose answer is `Owner.name.done`."""
        return self.role == "request" and self.response == self.name + b".done"

    @property
    def is_secret(self) -> bool:
        """Whether its events are secrets: do not show or store their payloads."""
        return bool(self.contract >> 50 & 1)

    @property
    def layer(self) -> int:
        """The number of its layer."""
        return self.contract >> 40 & 63

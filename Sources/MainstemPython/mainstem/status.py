# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The results of calls and requests."""

from __future__ import annotations

import enum
from typing import Optional


class Status(enum.IntEnum):
    """The result of a call or request, as in C. Codes from APP (1000) on belong to the app."""

    OK = 0
    INVALID = 1
    STALE = 2
    WRONG_KIND = 3
    WRONG_THREAD = 4
    BUSY = 5
    DENIED = 6
    TOO_BIG = 7
    FULL = 8
    LIMIT = 9
    NO_MEMORY = 10
    UNHANDLED = 11
    TIMEOUT = 12
    CANCELLED = 13
    INTERRUPTED = 14
    WITHHELD = 15
    FORKED = 16
    UNSUPPORTED = 17
    INCOMPLETE = 18
    IO = 19
    NO_SPACE = 20
    LOCKED = 21
    CORRUPT = 22
    POISONED = 23
    VERSION = 24
    DIFFERENT = 25
    UNSET = 26
    DISABLED = 27
    EXECUTING = 28
    BAD_URL = 29
    NO_ROUTE = 30
    APP = 1000

    @classmethod
    def _missing_(cls, value: object) -> Optional["Status"]:
        """A code of the app: `Status(1042)` is one, too, and its name is APP_1042."""
        if not isinstance(value, int):
            return None
        made = int.__new__(cls, value)
        made._name_ = f"APP_{value}" if value >= 1000 else f"UNKNOWN_{value}"
        made._value_ = value
        return made


_BY_NUMBER = {int(status): status for status in Status}


def status_of(number: int) -> Status:
    """Returns the Status of a number, also of the app's own."""
    found = _BY_NUMBER.get(number)
    return Status(number) if found is None else found

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The results of calls and requests."""

from __future__ import annotations

import enum


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


_BY_NUMBER = {int(status): status for status in Status}


def status_of(number: int) -> int:
    """Returns the Status of a number, or the number itself if it is the app's own."""
    return _BY_NUMBER.get(number, number)

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Numbers for the library. ctypes cuts off what does not fit, and 2**64 would mean 0."""

from __future__ import annotations

#: In seconds, about 290 million years: as milliseconds it fits, and the library takes it for never.
FOREVER = 9.2e15


def whole(number: int, name: str, most: int = (1 << 64) - 1) -> int:
    """Returns a number that the library takes as it is; ValueError if it does not fit."""
    if number < 0:
        raise ValueError(f"{name} is {number}: it must not be below 0")
    if number > most:
        raise ValueError(f"{name} is {number}: it must not be over {most}")
    return number


def milliseconds_of(seconds: float) -> int:
    """Returns seconds as whole milliseconds; any time above 0 is at least 1."""
    try:
        milliseconds = round(max(min(seconds, FOREVER), -FOREVER) * 1000)
    except (TypeError, ValueError) as error:
        raise type(error)(f"a time is {seconds!r}: it must be a number of seconds") from None
    return 1 if milliseconds == 0 and seconds > 0 else milliseconds

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""An event to be sent later, once or periodically."""

from __future__ import annotations

import ctypes

from ._library import C, milliseconds_of
from .events._catalogue import ScopeLike
from .failure import MainstemError, Status, check


class Timer:
    """A timer. It ends by `cancel`, when it has fired for the last time, or with its scope.

    Releasing the object does not end it.
    """

    __slots__ = ("_handle",)

    def __init__(
        self, scope: ScopeLike, number: int, data: bytes, seconds: float, repeats: bool
    ) -> None:
        handle = ctypes.c_void_p()
        delay = milliseconds_of(seconds)
        if repeats and delay == 0:
            raise MainstemError(Status.INVALID, "send_every: period: is 0")
        check(
            C.mainstem_send_after(
                scope.handle,
                number,
                data,
                len(data),
                delay,
                delay if repeats else 0,
                ctypes.byref(handle),
            )
        )
        self._handle = handle.value

    def cancel(self) -> bool:
        """Ends the timer. Any thread may call this. False if the timer had already ended."""
        status: int = C.mainstem_timer_cancel(self._handle)
        if status and status != Status.STALE:
            check(status)
        return status == 0

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The part of a context that runs what waits for the host."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Callable, Optional

from ._library import C, _callbacks, _interrupts, whole
from ._library import _header as d
from ._library._interrupts import report_unraisable
from .failure import Status, check, refuse_async
from .servers._requests import wait

if TYPE_CHECKING:
    from .observers._calls import Thrown


class Draining:
    """The part of a context that runs what waits for the host."""

    __slots__ = ()

    handle: int
    thrown: Thrown

    def drain(self, maximum: int = 0) -> int:
        """Runs what waits for the host, each item as a turn of its own. Returns how many it ran.

        It runs at most `maximum` items; 0: all. BUSY inside a callback.
        """
        count = ctypes.c_size_t()
        most = whole(maximum, "maximum")
        self.thrown.returned(C.mainstem_drain(self.handle, most, ctypes.byref(count)))
        return count.value

    def wait(self, timeout: Optional[float] = None) -> bool:
        """Waits until there is something to drain, then drains everything; False if nothing came.

        Ctrl-C ends the wait: a signal handler runs at once, and what it raises propagates.
        """
        status = wait(self.handle, timeout)
        self.thrown.returned(0 if status == Status.TIMEOUT else status)
        return status == Status.OK

    def flush(self) -> None:
        """Drains until everything accepted or posted so far has reached its immediate observers."""
        self.thrown.returned(C.mainstem_flush(self.handle))

    def fileno(self) -> int:
        """Returns a file descriptor for a loop: readable while there is something to drain."""
        descriptor = ctypes.c_int()
        check(C.mainstem_context_fd(self.handle, ctypes.byref(descriptor)))
        return descriptor.value

    def next_timeout(self) -> Optional[float]:
        """How many seconds a loop may sleep; 0: drain now; None: nothing comes by itself."""
        milliseconds = ctypes.c_int64()
        check(C.mainstem_context_next_timeout(self.handle, ctypes.byref(milliseconds)))
        return None if milliseconds.value < 0 else milliseconds.value / 1000

    def on_wake(self, function: Optional[Callable[[], object]]) -> None:
        """Sets a function to call when there is something to drain; for loops without descriptors.

        It runs on whichever thread caused that, at most once until the context drains, and should
        wake the loop. None removes it. BUSY inside a callback, and inside the function.
        """
        if function is None:
            check(C.mainstem_context_on_wake(self.handle, d.WAKE_FN(), None, d.RELEASE_FN()))
            return
        refuse_async(function, "on_wake's function")
        number = _callbacks.keep(lambda _address: self._wake(function))
        status = C.mainstem_context_on_wake(
            self.handle, _callbacks.on_wake, number, _callbacks.on_release
        )
        if status:
            _callbacks.forget(number)
            check(status)

    def _wake(self, function: Callable[[], Any]) -> None:
        try:
            function()
        except BaseException as exception:
            if not _interrupts.keep(exception):
                report_unraisable(exception, function)

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What ends a wait in the library: an answer that came on another thread, and any signal.

Python runs signal handlers between two lines of Python. No line runs while a thread sleeps in the
library, so during a wait Python also writes signals to a pipe, which interrupts the wait.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from typing import List, Optional, Tuple


class Bell:
    """A pipe that is readable while it rings. Use `with` around the library's wait."""

    #: Both ends of the pipe; empty if an interrupt struck before it was made.
    _ends: Tuple[int, ...] = ()

    def __init__(self) -> None:
        self._ends = os.pipe()
        self.reader, self.writer = self._ends
        os.set_blocking(self.reader, False)
        os.set_blocking(self.writer, False)

    def ring(self) -> None:
        with contextlib.suppress(BlockingIOError):  # Full: it already rings.
            os.write(self.writer, b"\0")  # 0 is not a signal's number.

    def silence(self) -> bytes:
        """Ends the ringing, and returns the numbers of the signals that rang."""
        try:
            return os.read(self.reader, 65536).replace(b"\0", b"")
        except BlockingIOError:
            return b""

    def __enter__(self) -> "Bell":
        return self

    def __exit__(self, *_: object) -> None:
        self.silence()

    def __del__(self) -> None:
        # Everyone who may still ring keeps it alive, so nobody writes to a reused descriptor.
        for end in self._ends:
            os.close(end)


class _MainBell(Bell):
    """The main thread's bell: inside `with` it also rings at each signal. It is never released.

    An interrupt may strike in the lines below and leave Python writing to it.
    """

    def __init__(self) -> None:
        super().__init__()
        #: The wakeup descriptor before each `with`; None: a subinterpreter has no signals.
        self._before: List[Optional[int]] = []

    def __enter__(self) -> "Bell":
        before = None
        with contextlib.suppress(ValueError):
            before = signal.set_wakeup_fd(self.writer, warn_on_full_buffer=False)
        self._before.append(before)
        return self

    def __exit__(self, *_: object) -> None:
        before = self._before.pop()
        if before is not None:
            try:
                signal.set_wakeup_fd(before)
            except (ValueError, OSError):
                signal.set_wakeup_fd(-1)  # The descriptor was closed meanwhile.
                before = -1
        numbers = self.silence()
        if numbers and before not in (None, -1, self.writer):
            _pass_on(before, numbers)


def _pass_on(descriptor: int, numbers: bytes) -> None:
    """Passes signals on to whoever listened before, such as asyncio's loop."""
    with contextlib.suppress(OSError):  # Full or closed.
        os.write(descriptor, numbers)


class _Bells(threading.local):
    """The bell of each thread."""

    bell: Optional[Bell] = None


_bells = _Bells()


def _forget() -> None:
    """Drops the bell after a fork, since the parent uses its pipe too."""
    _bells.bell = None


os.register_at_fork(after_in_child=_forget)


def bell() -> Bell:
    """Returns this thread's bell. Only the main thread's rings at signals."""
    found = _bells.bell
    if found is None:
        found = _bells.bell = _MainBell() if is_main_thread() else Bell()
    return found


def is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What ends a wait in the library: an answer that came elsewhere, and any signal.

Python's signal handlers run between two lines. A thread that is about to sleep in the library has
run its last one, so for the time of a wait Python writes to a pipe as well, and the library waits
for that too.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from typing import List, Optional


class Bell:
    """A pipe: readable while it rings. `with` it around the library's wait, then close it."""

    def __init__(self) -> None:
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.reader, False)
        os.set_blocking(self.writer, False)

    def ring(self) -> None:
        with contextlib.suppress(BlockingIOError):  # Full: it rings already.
            os.write(self.writer, b"\0")  # No signal's number.

    def silence(self) -> bytes:
        """Ends the ringing: the numbers of the signals among what rang."""
        try:
            return os.read(self.reader, 65536).replace(b"\0", b"")
        except BlockingIOError:
            return b""

    def __enter__(self) -> "Bell":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def close(self) -> None:
        os.close(self.reader)
        os.close(self.writer)


class _MainBell(Bell):
    """The main thread's: it also rings at each signal, inside `with`, and is never closed.

    Never, because an interrupt may strike in the lines below and leave Python writing to it.
    """

    def __init__(self) -> None:
        super().__init__()
        #: Who listened before each `with`; None where nobody can: a subinterpreter has no signals.
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
                signal.set_wakeup_fd(-1)  # It was closed meanwhile.
                before = -1
        numbers = self.silence()
        if numbers and before not in (None, -1, self.writer):
            _pass_on(before, numbers)

    def close(self) -> None:
        pass


def _pass_on(descriptor: int, numbers: bytes) -> None:
    """Whoever listened before, asyncio's loop, hears of the signals too."""
    with contextlib.suppress(OSError):  # Full or closed.
        os.write(descriptor, numbers)


_main: Optional[_MainBell] = None


def _forget() -> None:
    """After a fork the pipe is the parent's too."""
    global _main
    _main = None


os.register_at_fork(after_in_child=_forget)


def bell() -> Bell:
    """One for a wait on this thread. Only the main thread hears of signals."""
    global _main
    if not is_main_thread():
        return Bell()
    if _main is None:
        _main = _MainBell()
    return _main


def is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()

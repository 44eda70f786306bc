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
from typing import List, Optional, Tuple


class Bell:
    """A pipe: readable while it rings. `with` it around the library's wait."""

    #: Both ends of the pipe; none where an interrupt struck before it was made.
    _ends: Tuple[int, ...] = ()

    def __init__(self) -> None:
        self._ends = os.pipe()
        self.reader, self.writer = self._ends
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
        self.silence()

    def __del__(self) -> None:
        # Whoever may still ring holds it: its descriptors are nobody else's before that.
        for end in self._ends:
            os.close(end)


class _MainBell(Bell):
    """The main thread's: it also rings at each signal, inside `with`, and is never let go of.

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


def _pass_on(descriptor: int, numbers: bytes) -> None:
    """Whoever listened before, asyncio's loop, hears of the signals too."""
    with contextlib.suppress(OSError):  # Full or closed.
        os.write(descriptor, numbers)


class _Bells(threading.local):
    """The bell of each thread."""

    bell: Optional[Bell] = None


_bells = _Bells()


def _forget() -> None:
    """After a fork the pipe is the parent's too."""
    _bells.bell = None


os.register_at_fork(after_in_child=_forget)


def bell() -> Bell:
    """That of this thread. Only the main thread hears of signals."""
    found = _bells.bell
    if found is None:
        found = _bells.bell = _MainBell() if is_main_thread() else Bell()
    return found


def is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()

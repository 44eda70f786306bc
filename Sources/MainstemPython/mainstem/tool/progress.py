# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Shows the progress of long work on a terminal; elsewhere nothing."""

from __future__ import annotations

import sys
import time

_PATIENCE = 0.5
_PERIOD = 0.1


class Progress:
    """One line on standard error, if that is a terminal."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._shown = False
        self._next = time.monotonic() + _PATIENCE
        self._calls = 0
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()

    def __call__(self, done: int, size: int) -> None:
        """Shows how much is done."""
        self._calls += 1
        if not self._is_terminal or self._calls % 256:
            return
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _PERIOD
            self._shown = True
            sys.stderr.write(f"\r{self._what}: {100 * done // max(size, 1):3} %")
            sys.stderr.flush()

    def end(self) -> None:
        """Removes the line."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False

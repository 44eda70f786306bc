# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Real signals that strike a program at each line of the library's Python in turn."""

from __future__ import annotations

import os
import signal
import sys


class Strikes:
    """Sends SIGINT to this process where its main thread begins the nth line of the library.

    `for strike in Strikes():` and `with strike:` are a round; each has the next n, until a round
    has no such line.
    """

    def __init__(self):
        self._lines = 0
        self._left = 0
        self.struck = True
        # Kept: Python 3.11 crashes if the last reference to a trace function goes where it raises.
        self._kept = self._call, self._line

    def __iter__(self):
        while self.struck:
            self._lines += 1
            yield self

    def __enter__(self):
        self.struck = False
        self._left = self._lines
        sys.settrace(self._kept[0])

    def __exit__(self, *exception):
        sys.settrace(None)

    def _call(self, frame, what, argument):
        name = frame.f_globals.get("__name__", "")
        return self._kept[1] if name.startswith("mainstem.") else None

    def _line(self, frame, what, argument):
        if what == "line" and self._left > 0:
            self._left -= 1
            if self._left == 0:
                self.struck = True
                os.kill(os.getpid(), signal.SIGINT)
        return self._kept[1]

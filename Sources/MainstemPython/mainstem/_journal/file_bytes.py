# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The bytes of one file, read as they are needed."""

from __future__ import annotations

import errno
import os
import stat
import time
from typing import Callable, Optional, Type, TypeVar

_WINDOW = 1 << 20
#: How long a write may be under way, in nanoseconds; how often it is waited for, and for how many
#: seconds at first.
_MOMENT, _TRIES, _PAUSE = 50_000_000, 8, 0.001

Found = TypeVar("Found")


class FileBytes:
    """A file read in windows: what its content claims never decides how much memory is used."""

    _descriptor = -1

    def __init__(self, path: str) -> None:
        self.path = path
        # Opening a pipe or a terminal must not block.
        self._descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        facts = os.fstat(self._descriptor)
        if not stat.S_ISREG(facts.st_mode):
            self.close()
            raise OSError(errno.EINVAL, "is not a file", path)
        #: Its size when it was opened; what is appended later does not count.
        self.size = facts.st_size
        self._opened = (facts.st_mtime_ns, facts.st_size)
        self._window = b""
        self._begin = 0

    def close(self) -> None:
        """Closes the file."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    # If a file turns out not to be a journal, nobody closes it.
    __del__ = close

    def read(self, offset: int, count: int) -> bytes:
        """Reads `count` bytes, or fewer at the end of the file."""
        data, at = self.window(offset, count)
        return data[at : at + count]

    def window(self, offset: int, count: int) -> "tuple[bytes, int]":
        """Returns some bytes, and the index at which the requested ones begin in them."""
        end = min(offset + count, self.size)
        if offset < self._begin or end > self._begin + len(self._window):
            self._window = self._read(offset, max(_WINDOW, end - offset))
            self._begin = offset
        return self._window, offset - self._begin

    def later(self, read: Callable[[], Found], wrong: Type[Exception]) -> Optional[Found]:
        """Reads once more what was wrong, as it is now; None if it is wrong as before.

        Where the file was written a moment ago, it waits a little: a write may be under way. It
        waits longer where something was written since it was opened.
        """
        size = self.size
        for number in range(_TRIES):
            facts = os.fstat(self._descriptor)
            self.size, self._window = max(size, facts.st_size), b""
            try:
                return read()
            except wrong:
                is_old = abs(time.time_ns() - facts.st_mtime_ns) > _MOMENT
                is_as_opened = (facts.st_mtime_ns, facts.st_size) == self._opened
                if is_old or (is_as_opened and number > 0):
                    break
            finally:
                self.size, self._window = size, b""
            time.sleep(_PAUSE * (number + 1))
        return None

    def end_of_data(self, offset: int) -> int:
        """The offset after the last byte that is not zero; at least `offset`."""
        end = offset
        while offset < self.size:
            # Skips holes, which were reserved and never written, if the system can tell.
            try:
                offset = max(offset, os.lseek(self._descriptor, offset, os.SEEK_DATA))
            except OSError as error:
                if error.errno == errno.ENXIO:
                    break
            data = self._read(offset, _WINDOW)
            if not data:
                break
            left = len(data.rstrip(b"\0"))
            end = offset + left if left else end
            offset += len(data)
        return end

    def _read(self, offset: int, count: int) -> bytes:
        parts = []
        count = min(count, self.size - offset)
        while count > 0:
            part = os.pread(self._descriptor, count, offset)
            if not part:
                break
            parts.append(part)
            offset += len(part)
            count -= len(part)
        return b"".join(parts) if len(parts) != 1 else parts[0]

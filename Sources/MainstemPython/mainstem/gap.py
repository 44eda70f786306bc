# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What stands in place of events that were lost."""

from __future__ import annotations

import dataclasses
import struct

_LAYOUT = struct.Struct("=3Q")


@dataclasses.dataclass(frozen=True)
class Gap:
    """Events that one observer lost, in their place: the positions of the first and last, how many.

    It stands where the events would have been: before the observer's next event, or behind the
    last that waits. It is not on the stream.
    """

    first: int
    last: int
    count: int


def gap_of(data: bytes) -> Gap:
    """A gap from the library's form of it."""
    return Gap(*_LAYOUT.unpack(data))

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What an observer gets instead of events it lost."""

from __future__ import annotations

import dataclasses
import struct

_GAP = struct.Struct("=3Q")


@dataclasses.dataclass(frozen=True)
class Gap:
    """What one observer lost: the positions of the first and last event, and how many.

    It comes where the events would have been: before the observer's next event or, at the end of a
    burst, after the last waiting one. It is not on the stream.
    """

    first: int
    last: int
    count: int


def gap_of(data: bytes) -> Gap:
    """Decodes a gap's payload."""
    return Gap(*_GAP.unpack(data))

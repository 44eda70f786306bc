# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A command, typed or from a pipe: a file to copy, for hosts that are used by lines."""

from __future__ import annotations

from typing import Tuple


def command_of(line: bytes) -> Tuple[str, str]:
    """The first word of a line, and the rest of it, which ends at a zero byte, as it does in C.

    A rest that is no text stays as it is: whoever sends it is refused with a UnicodeError.
    """
    command, _, argument = line.rstrip(b"\n").split(b"\0")[0].partition(b" ")
    return command.decode(errors="replace"), argument.decode(errors="surrogateescape")

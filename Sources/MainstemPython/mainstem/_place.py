# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Where a class is declared."""

from __future__ import annotations

from types import CodeType
from typing import NamedTuple


class Place(NamedTuple):
    """Where a class is declared."""

    #: The code that runs there: a module, a notebook's cell, a function.
    code: CodeType
    line: int

    def __str__(self) -> str:
        return f"{self.code.co_filename}:{self.line}"

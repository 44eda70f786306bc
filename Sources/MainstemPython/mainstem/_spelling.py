# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""How names of view models are spelled on the stream, and what a misspelt one may mean."""

from __future__ import annotations

import difflib
import functools
from typing import Iterable


@functools.lru_cache(maxsize=None)
def spelled(name: str) -> str:
    """Returns a Python name as it is spelled on the stream: `is_valid` is `isValid`."""
    first, *rest = name.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


def meant(name: str, names: Iterable[str]) -> str:
    """Returns a remark about what a wrong name may mean, and which names there are."""
    known = sorted(names)
    close = difflib.get_close_matches(name, known, 1)
    if close:
        return f" (did you mean {close[0]!r}?)"
    return f": it has {', '.join(known)}" if known else ""

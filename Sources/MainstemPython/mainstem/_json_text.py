# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What converters make, as the text of JSON."""

from __future__ import annotations

import json
import math
from typing import Any, Iterable, Optional, Tuple

_as_text = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def json_of(plain: Any, path: str) -> bytes:
    """Encodes what a converter has made.

    The message about a number that JSON does not have may become an answer, so it is not json's,
    which is another one in another version of Python.
    """
    try:
        return _as_text(plain).encode("utf-8")
    except ValueError as error:
        wrong = None if "ircular" in str(error) else _not_finite(plain, path)
        if wrong is None:
            raise
    raise ValueError(f"{wrong} is no number in JSON: send a finite one, or None")


def _not_finite(plain: Any, path: str) -> Optional[str]:
    """The first infinity or NaN, and where it is; None: there is none."""
    if isinstance(plain, float):
        return None if math.isfinite(plain) else f"{path}: {float(plain)}"
    parts: Iterable[Tuple[Any, str]] = ()
    if isinstance(plain, dict):
        parts = ((item, f"{path}.{key}") for key, item in plain.items())
    elif isinstance(plain, (list, tuple)):
        parts = ((item, f"{path}[{index}]") for index, item in enumerate(plain))
    found = (_not_finite(item, place) for item, place in parts)
    return next((place for place in found if place is not None), None)


def sortable(plain: Any) -> bytes:
    """The bytes of what is written, to sort by."""
    return _as_text(plain).encode("utf-8", "surrogatepass")

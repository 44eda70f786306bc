# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Finds and loads the library: MAINSTEM_LIBRARY, or beside this module, or as the loader does."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import List, Tuple

_SUFFIX = "dylib" if sys.platform == "darwin" else "so"
_NAME = f"libmainstem.{_SUFFIX}"
#: Before 1.0 a minor version may change what is called, so the loader's name has both numbers.
_NUMBER = "0.11"
_NUMBERED_NAME = (
    f"libmainstem.{_NUMBER}.dylib" if sys.platform == "darwin" else f"libmainstem.so.{_NUMBER}"
)


def candidates() -> List[Tuple[str, str]]:
    """The places to look in, in order: what to load, and what a message calls the place."""
    chosen = os.environ.get("MAINSTEM_LIBRARY")
    if chosen:
        # If the library chosen fails to load, another copy must not hide that.
        return [(chosen, f"MAINSTEM_LIBRARY={chosen}")]
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), _NAME)
    return [
        (beside, f"beside the module: {beside}"),
        (_NUMBERED_NAME, f"the loader's {_NUMBERED_NAME}"),
        (_NAME, f"the loader's {_NAME}"),
    ]


def load() -> Tuple[ctypes.CDLL, str]:
    """Loads the library. Returns it and where it was found, or raises an ImportError."""
    failures = []
    for path, place in candidates():
        try:
            # CDLL releases the interpreter's lock during a call; PyDLL would deadlock in waits.
            return ctypes.CDLL(path), path
        except OSError as error:
            failures.append(f"  {place} ({error})")
    raise ImportError(
        "mainstem: libmainstem was not found. Looked at:\n"
        + "\n".join(failures)
        + f"\nSet MAINSTEM_LIBRARY to the path of {_NAME}, or install it where the loader looks."
    )


LIBRARY, LIBRARY_PATH = load()

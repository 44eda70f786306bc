# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the bridge's library, and declares its functions, as _nats_header.py has them.

MAINSTEM_NATS_LIBRARY says where it is; else it is beside the module, beside libmainstem, or where
the loader looks.
"""

from __future__ import annotations

import ctypes
import os
from typing import List

from ._library import LIBRARY_PATH
from ._nats_header import DECLARATIONS

NAME = "libmainstem_nats.so"

FUNCTIONS = [name for name, _, _ in DECLARATIONS]


def candidates() -> List[str]:
    """The places to look in, in order."""
    chosen = os.environ.get("MAINSTEM_NATS_LIBRARY")
    if chosen:
        return [chosen]
    here = os.path.dirname(os.path.abspath(__file__))
    beside = [os.path.join(here, NAME)]
    if os.path.isabs(LIBRARY_PATH):
        beside.append(os.path.join(os.path.dirname(LIBRARY_PATH), NAME))
    return [*beside, f"{NAME}.0"]


def load() -> ctypes.CDLL:
    """Loads the library with its functions declared, or raises an ImportError."""
    failures = []
    for path in candidates():
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            failures.append(f"  {path} ({error})")
            continue
        for name, result, arguments in DECLARATIONS:
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        return library
    raise ImportError(
        f"mainstem.nats: {NAME} was not found. It is built with -DMAINSTEM_BUILD_NATS=ON. Looked "
        "at:\n" + "\n".join(failures)
    )


C = load()

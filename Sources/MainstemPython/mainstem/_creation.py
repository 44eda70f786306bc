# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Creating the library's context."""

from __future__ import annotations

import ctypes

from ._library import C, whole
from ._library import _header as d
from .failure import check
from .limits import Limits, write_limits


def create(threads: int, flags: int, limits: Limits, clock: int, seed: int) -> int:
    """The handle of a new context."""
    options = d.ContextOptions(size=ctypes.sizeof(d.ContextOptions))
    options.threads = threads
    options.flags = flags
    write_limits(limits, options)
    options.clock = clock
    options.seed = whole(seed, "seed")
    handle = ctypes.c_void_p()
    check(C.mainstem_context_create(ctypes.byref(options), ctypes.byref(handle)))
    return handle.value or 0

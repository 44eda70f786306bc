# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The library with its functions declared, as _header.py has them."""

from __future__ import annotations

import ctypes
from ctypes import c_int32, c_void_p

from ._header import DECLARATIONS
from ._library import LIBRARY, LIBRARY_PATH

#: The declared functions, in header order.
FUNCTIONS = tuple(name for name, _, _ in DECLARATIONS)


def _declare(library: ctypes.CDLL) -> None:
    for name, result, arguments in DECLARATIONS:
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(
                f"mainstem: the library at {LIBRARY_PATH} has no {name}: it is older than this "
                "module. Install the library and the module of one release."
            ) from None
        function.restype = result
        function.argtypes = arguments


_declare(LIBRARY)
C = LIBRARY

#: mainstem_confirm without releasing the interpreter's lock, which would cost more than the call:
#: it never waits and calls nobody.
confirm = ctypes.PyDLL(LIBRARY_PATH).mainstem_confirm
confirm.restype = c_int32
confirm.argtypes = [c_void_p]

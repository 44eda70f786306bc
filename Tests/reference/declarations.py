# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the header declares, and the functions of the library.

The generated declarations are loaded by their path: nothing else of the package comes with them.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
from pathlib import Path
from typing import Any

GENERATED = (
    Path(__file__).resolve().parents[2] / "Sources/MainstemPython/mainstem/_library/_header.py"
)


def declared() -> Any:
    """The generated module."""
    spec = importlib.util.spec_from_file_location("declared", GENERATED)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


d = declared()


def path() -> str:
    """The library that MAINSTEM_LIBRARY names. That it is missing is a failure, never a skip."""
    named = os.environ.get("MAINSTEM_LIBRARY", "")
    if not os.path.isfile(named):
        raise FileNotFoundError(f"MAINSTEM_LIBRARY must name the library; it is {named!r}")
    return named


def load() -> dict[str, Any]:
    """The functions of the library, by their names without "mainstem_"."""
    library = ctypes.CDLL(path())
    functions = {}
    for name, result, arguments in d.DECLARATIONS:
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
        functions[name[len("mainstem_") :]] = function
    return functions

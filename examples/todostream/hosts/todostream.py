# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""libtodostream.so, for programs in Python: how the app is installed, and what it shows."""

from __future__ import annotations

import os
import sys
from ctypes import CDLL, Structure, byref, c_char_p, c_int32, c_uint32, c_void_p, sizeof
from pathlib import Path
from typing import Any, Tuple

ROOT = Path(__file__).resolve().parents[3]
BUILT = ROOT / "build" / "examples" / "examples"
if (BUILT.parent / "libmainstem.so").exists():
    os.environ.setdefault("MAINSTEM_LIBRARY", str(BUILT.parent / "libmainstem.so"))
sys.path += [str(ROOT / "Sources" / "MainstemPython"), str(ROOT / "examples" / "lines")]
import lines  # noqa: E402
import mainstem  # noqa: E402
import verifier  # noqa: E402

__all__ = ["Todos", "install", "lines", "mainstem", "verifier"]


class Options(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("patience_ms", c_int32),
        ("path", c_char_p),
        ("now", c_void_p),
        ("user_data", c_void_p),
    ]


class Todos(mainstem.ViewModel, name="ViewModelServer"):
    """What the core shows."""

    rows: Tuple[Any, ...] = mainstem.shown((), key=lambda row: row["todo"]["id"])
    deleted_rows: Tuple[Any, ...] = mainstem.shown((), key=lambda row: row["todo"]["id"])
    list: Any = mainstem.shown(None)
    detail: Any = mainstem.shown(None)  # the edit session that is open


def install(context: mainstem.Scope, path: str, patience: int = 0) -> mainstem.Scope:
    """Installs the app, and returns what views are bound to."""
    library = CDLL(os.environ.get("TODOSTREAM_LIBRARY") or f"{BUILT}/todostream/libtodostream.so")
    library.todostream_install.argtypes = [c_void_p, c_void_p, c_void_p]
    options = Options(sizeof(Options), patience, path=os.fsencode(path))
    todos = c_void_p()
    if library.todostream_install(context.handle, byref(options), byref(todos)):
        sys.exit("todostream cannot be installed")
    return mainstem.Scope(context.context, todos.value or 0, "ViewModelServer")

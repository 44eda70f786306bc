#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Proves a recorded session of a todo host: feeds what views and store sent to its servers again.

    todo --record session.journal
    verify.py session.journal

No store is needed: its answers are in the journal.
"""

from __future__ import annotations

import argparse
import os
import sys
from ctypes import CDLL, Structure, byref, c_char_p, c_int32, c_uint32, c_void_p, sizeof
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BUILT = ROOT / "build" / "examples" / "examples"
if (BUILT.parent / "libmainstem.so").exists():
    os.environ.setdefault("MAINSTEM_LIBRARY", str(BUILT.parent / "libmainstem.so"))
sys.path.append(str(ROOT / "Sources" / "MainstemPython"))
import mainstem  # noqa: E402


class Options(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("patience_ms", c_int32),
        ("path", c_char_p),
        ("now", c_void_p),
        ("user_data", c_void_p),
    ]


def install(context: mainstem.Context) -> None:
    library = CDLL(os.environ.get("TODOSTREAM_LIBRARY") or f"{BUILT}/todostream/libtodostream.so")
    library.todostream_install.argtypes = [c_void_p, c_void_p, c_void_p]
    options = Options(sizeof(Options), path=b"/no/store")
    if library.todostream_install(context.handle, byref(options), None):
        sys.exit("todostream cannot be installed")


def main() -> None:
    parser = argparse.ArgumentParser(description="Feed a recorded session to the servers again.")
    parser.add_argument("journal")
    parser.add_argument("--muted", action="store_true", help="call no server")
    options = parser.parse_args()
    with mainstem.Context() as context:
        with context.replay(options.journal, verify=not options.muted) as replay:
            install(context)
            try:
                replay.to_end()
            except mainstem.Different as different:
                sys.exit(str(different))
            info = replay.info
        print(f"{info.last} events, digest {info.digest:016x}")


if __name__ == "__main__":
    main()

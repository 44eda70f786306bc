# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""libtodostream.so, for programs in Python: how the app is installed, and what it shows."""

from __future__ import annotations

import errno
import json
import os
import sys
from ctypes import CDLL, Structure, byref, c_char_p, c_int32, c_uint32, c_void_p, sizeof
from pathlib import Path
from typing import Any, Optional, Tuple

ROOT = Path(__file__).resolve().parents[3]
BUILT = ROOT / "build" / "examples" / "examples"
if (BUILT.parent / "libmainstem.so").exists():
    os.environ.setdefault("MAINSTEM_LIBRARY", str(BUILT.parent / "libmainstem.so"))
sys.path.append(str(ROOT / "Sources" / "MainstemPython"))
sys.path += [str(ROOT / "examples" / name) for name in ("lines", "playing")]
import lines  # noqa: E402
import mainstem  # noqa: E402
import playing  # noqa: E402
import verifier  # noqa: E402

__all__ = ["ROOT", "Todos", "Uploads", "install", "key_of", "lines", "mainstem", "playing"]
__all__ += ["verifier"]


VALIDATES, ANALYTICS = 1, 2


class Options(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("patience_ms", c_int32),
        ("path", c_char_p),
        ("now", c_void_p),
        ("user_data", c_void_p),
        ("flags", c_uint32),
    ]


def key_of(row: Any) -> str:
    """What identifies a row: the id of its todo."""
    return str(row["todo"]["id"])


class Todos(mainstem.ViewModel, name="ViewModelServer"):
    """What the core shows."""

    rows: Tuple[Any, ...] = mainstem.shown((), key=key_of)
    deleted_rows: Tuple[Any, ...] = mainstem.shown((), key=key_of)
    list: Any = mainstem.shown(None)
    detail: Any = mainstem.shown(None)  # the edit session that is open


class Uploads:
    """Where the batches of analytics go: to the end of a file, one a line. As in upload.c."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.failed = ""  # why the last batch is not in it
        self.file = open(path, "ab", buffering=0)  # noqa: SIM115

    def serve(self, context: mainstem.Context) -> None:
        """Serves an app that was installed for it. On the host: a replay uploads nothing."""
        context.server("Uploader", {"RequestUpload": self.take}, on="host")

    def take(self, batch: mainstem.Event) -> str:
        try:
            self.append(batch.data + b"\n")
            self.failed = ""
        except OSError as error:
            self.failed = str(error.strerror)
            raise mainstem.Failure(self.failed, code=mainstem.Status.IO) from None
        return json.dumps({"batch": json.loads(batch.data)["batch"]})

    def append(self, line: bytes) -> None:
        """A part of a line is taken back: the batch comes again."""
        size = self.file.seek(0, os.SEEK_END) if self.file.seekable() else 0
        if self.file.write(line) != len(line):
            self.file.truncate(size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def rest(self, context: mainstem.Context) -> None:
        """Has what waits uploaded, or ends the program and says why not."""
        context.send("NoticeUploadDue")
        while context.drain():
            pass
        self.file.close()
        if self.failed:
            sys.exit(f"{self.path}: {self.failed}: the last batch is not in it")


def install(
    context: mainstem.Scope,
    path: str,
    patience: int = 0,
    validates: bool = False,
    uploads: Optional[Uploads] = None,
) -> mainstem.Scope:
    """Installs the app, and returns what views are bound to."""
    library = CDLL(os.environ.get("TODOSTREAM_LIBRARY") or f"{BUILT}/todostream/libtodostream.so")
    library.todostream_install.argtypes = [c_void_p, c_void_p, c_void_p]
    flags = VALIDATES * validates | ANALYTICS * (uploads is not None)
    options = Options(sizeof(Options), patience, path=os.fsencode(path), flags=flags)
    todos = c_void_p()
    if library.todostream_install(context.handle, byref(options), byref(todos)):
        sys.exit("todostream cannot be installed")
    if uploads:
        uploads.serve(context.context)
    return mainstem.Scope(context.context, todos.value or 0, "ViewModelServer")

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a function in a child process, so that a crash or a hang is an outcome like any other."""

from __future__ import annotations

import os
import pickle
import select
import signal
import traceback
from typing import Any, Callable


class Outcome:
    """What came of it: the value, or the message that says why there is none."""

    def __init__(self, value: Any = None, broken: str = "", progress: Any = None) -> None:
        self.value, self.broken, self.progress = value, broken, progress


def isolated(function: Callable[[Callable[[Any], None]], Any], seconds: float) -> Outcome:
    """Calls `function(progress)` in a child, which may be silent for so many seconds.

    `progress` says how far it came, and that it lives.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        run(function, writer)
    os.close(writer)
    data, in_time = read(reader, seconds)
    os.close(reader)
    if not in_time:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return outcome(data, in_time, status, seconds)


def run(function: Callable[[Callable[[Any], None]], Any], writer: int) -> None:
    def write(kind: str, value: Any) -> None:
        data = pickle.dumps((kind, value))
        with os.fdopen(os.dup(writer), "wb") as stream:
            stream.write(len(data).to_bytes(8, "little") + data)

    try:
        write("value", function(lambda value: write("progress", value)))
    except BaseException:  # a child must never return into the tests of its parent
        write("raised", traceback.format_exc())
    os._exit(0)


def read(reader: int, seconds: float) -> tuple[bytes, bool]:
    data = b""
    while True:
        if not select.select([reader], [], [], seconds)[0]:
            return data, False
        chunk = os.read(reader, 1 << 20)
        if not chunk:
            return data, True
        data += chunk


def outcome(data: bytes, in_time: bool, status: int, seconds: float) -> Outcome:
    progress = None
    while len(data) >= 8:
        length = int.from_bytes(data[:8], "little")
        kind, value = pickle.loads(data[8 : 8 + length])
        data = data[8 + length :]
        if kind == "progress":
            progress = value
        elif kind == "raised":
            return Outcome(broken=f"raised {value}", progress=progress)
        else:
            return Outcome(value, progress=progress)
    if not in_time:
        return Outcome(broken=f"hangs: nothing in {seconds} s", progress=progress)
    return Outcome(broken=f"ended by signal {status & 0x7F}", progress=progress)

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Another Python that has the module."""

from __future__ import annotations

import os
import subprocess
import sys

from conftest import PACKAGE, ROOT


def child(code, *arguments):
    """Its process, running a program."""
    environment = dict(os.environ, PYTHONPATH=str(PACKAGE))
    environment["PYTHONPATH"] += os.pathsep + str(ROOT / "Tests" / "PythonTests")
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        env=environment,
        stdout=-1,
        stderr=-1,
        universal_newlines=True,
    )


def is_asleep(pid):
    """Whether the first thread of a process waits for something."""
    with open(f"/proc/{pid}/stat") as stat:
        return stat.read().rpartition(")")[2].split()[0] == "S"

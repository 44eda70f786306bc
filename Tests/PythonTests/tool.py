# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`python3 -m mainstem` as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys

from conftest import PACKAGE


def start(*arguments, **options):
    """The process."""
    environment = dict(os.environ, PYTHONPATH=str(PACKAGE))
    environment.update(PYTHONDONTWRITEBYTECODE="1", PYTHONIOENCODING="utf-8", COLUMNS="80")
    environment.update(options.pop("env", {}))
    options.setdefault("stdout", -1)
    options.setdefault("stderr", -1)
    command = [sys.executable, "-m", "mainstem", *map(str, arguments)]
    return subprocess.Popen(command, env=environment, **options)


def run(*arguments, **options):
    """Its exit status, its output and what it says beside it."""
    process = start(*arguments, **options)
    output, said = process.communicate(timeout=60)
    return process.returncode, output.decode("utf-8"), said.decode("utf-8")

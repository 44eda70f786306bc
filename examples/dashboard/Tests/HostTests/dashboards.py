# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests run: the app in this process, and its hosts.

DASHBOARD_LIBRARY   libDashboardCore.so, with the programs in C and Swift beside it
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import List, Tuple

HERE = Path(__file__).resolve().parents[2]
sys.path += [str(HERE / "hosts"), str(HERE / "site")]
from dashboard_core import Dashboard, Http, UsersWidget, install, mainstem  # noqa: E402
from users import serve  # noqa: E402

__all__ = ["Dashboard", "Http", "UsersWidget", "install", "mainstem", "serve"]
__all__ += ["HERE", "HOSTS", "PROGRAMS", "VERIFIERS", "run", "settle"]

PROGRAMS = Path(os.environ["DASHBOARD_LIBRARY"]).parent
#: The Python of the system is that which has GTK.
PYTHON = ["/usr/bin/python3", str(HERE / "hosts" / "dashboard.py"), "--script"]
HOSTS = {
    "C": [str(PROGRAMS / "dashboard-host")],
    "Python": PYTHON,
    "Python in a window": ["xvfb-run", "--auto-servernum", *PYTHON],
}
VERIFIERS = {
    "Swift": [str(PROGRAMS / "dashboard-verify")],
    "Python": [sys.executable, str(HERE / "hosts" / "dashboard_verify.py")],
}


def run(words: List[str], *more: str, commands: str = "") -> Tuple[int, str]:
    """Runs a program to its end. Returns its status, and what it printed."""
    left = {"GSETTINGS_BACKEND": "memory", "GTK_A11Y": "none", "GSK_RENDERER": "cairo"}
    left.update({name: value for name, value in os.environ.items() if "DISPLAY" not in name})
    done = subprocess.run(
        [*words, *more],
        env=left,
        input=commands.encode(),
        capture_output=True,
        timeout=60,
    )
    print(done.stderr.decode(), file=sys.stderr)  # for who reads why a test has failed
    return done.returncode, done.stdout.decode()


def settle(context: mainstem.Context) -> None:
    """Waits until all has come."""
    while context.activity() or context.drain():
        context.wait(10)

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""libDashboardCore.so, for programs in Python: how the app is installed, and what it shows."""

from __future__ import annotations

import os
import sys
from ctypes import CDLL, c_int64, c_void_p
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
LIBRARY = str(ROOT / "build" / "package" / "debug" / "libDashboardCore.so")
os.environ["MAINSTEM_LIBRARY"] = os.environ.setdefault("DASHBOARD_LIBRARY", LIBRARY)
sys.path += [str(ROOT / "Sources" / "MainstemPython")]
sys.path += [str(ROOT / "examples" / name) for name in ("providers", "gtk", "lines", "playing")]
import lines  # noqa: E402
import mainstem  # noqa: E402
import playing  # noqa: E402
import verifier  # noqa: E402
from http_provider import Http  # noqa: E402

__all__ = ["Dashboard", "Http", "UsersWidget", "install", "lines", "mainstem", "playing"]
__all__ += ["verifier"]


class Dashboard(mainstem.ViewModel):
    """The screen."""

    title: str = mainstem.shown("")
    widget_wanted = mainstem.pulse(str)

    @mainstem.command
    def did_load(self) -> None: ...


class UsersWidget(mainstem.ViewModel):
    """The widget."""

    load: str = mainstem.shown("")
    is_loading: bool = mainstem.shown(False)
    is_search_shown: bool = mainstem.shown(False)
    count: str = mainstem.shown("")
    query: str = mainstem.writable("")
    found: str = mainstem.shown("")
    problem: str = mainstem.shown("")
    can_retry: bool = mainstem.shown(False)

    @mainstem.command
    def retry(self) -> None: ...


def install(context: mainstem.Scope, patience: int = 10_000) -> None:
    """Installs the app without its provider; patience is in milliseconds."""
    library = CDLL(os.environ["DASHBOARD_LIBRARY"])
    library.dashboard_install.argtypes = [c_void_p, c_int64]
    if library.dashboard_install(context.handle, patience):
        sys.exit("dashboard cannot be installed")

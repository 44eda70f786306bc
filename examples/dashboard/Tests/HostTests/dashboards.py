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
from typing import Any, Callable, Dict, List, Tuple

HERE = Path(__file__).resolve().parents[2]
sys.path += [str(HERE / "hosts"), str(HERE / "site")]
from dashboard_core import Dashboard, Http, UsersWidget, install, mainstem, verifier  # noqa: E402
from dashboard_stage import Stage  # noqa: E402
from users import serve  # noqa: E402

__all__ = ["Dashboard", "Http", "Stage", "UsersWidget", "install", "mainstem", "serve"]
__all__ += ["App", "HERE", "HOSTS", "PROGRAMS", "VERIFIERS", "environment", "run", "verifier"]

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


def environment() -> Dict[str, str]:
    """Without the display of whoever runs the tests."""
    left = {"GSETTINGS_BACKEND": "memory", "GTK_A11Y": "none", "GSK_RENDERER": "cairo"}
    left.update({name: value for name, value in os.environ.items() if "DISPLAY" not in name})
    return left


def run(words: List[str], *more: str, commands: str = "") -> Tuple[int, str]:
    """Runs a program to its end. Returns its status, and what it printed."""
    done = subprocess.run(
        [*words, *more],
        env=environment(),
        input=commands.encode(errors="surrogateescape"),
        capture_output=True,
        timeout=60,
    )
    print(done.stderr.decode(), file=sys.stderr)  # for who reads why a test has failed
    return done.returncode, done.stdout.decode()


class App:
    """The app, installed as a host does it.

    `make_stage` makes the stage of a navigator, `add_network` adds who answers RequestHttp.
    """

    def __init__(
        self,
        context: mainstem.Context,
        make_stage: Callable[[mainstem.Context, mainstem.Navigator], Any],
        add_network: Callable[[mainstem.Context], Any],
        patience: int = 10_000,
    ) -> None:
        self.context = context
        self.navigator = mainstem.Navigator(context)
        install(context, patience)
        self.network = add_network(context)
        self.stage = make_stage(context, self.navigator)
        self.navigator.stage(self.stage)
        self.navigator.ready()
        self.window = context.scope("Window")

    def open(
        self, site: str, closed: Callable[[mainstem.Failure], object] = lambda why: None
    ) -> int:
        """Opens the app, and returns the number of its screen."""
        url = mainstem.Router.write("app", site=site)
        self.navigator.open(url, then=closed, failed=closed)
        self.drain()
        return self.navigator.tree[-1].number

    def drain(self) -> None:
        while self.context.drain():
            pass

    def owner(self, component: int) -> int:
        return next(one.owner for one in self.navigator.tree if one.number == component)

    def load(self, screen: int) -> None:
        """Says that the view of a screen is there."""
        view: Any = mainstem.view(self.window, Dashboard, self.owner(screen))
        view.did_load()
        self.drain()

    def widget(self, screen: int) -> int:
        """The number of the widget's owner."""
        return next(one.owner for one in self.navigator.tree if one.parent == screen)

    def views(self, site: str, count: int = 1) -> List[Any]:
        """Views of one widget, in an app that is opened and loaded."""
        screen = self.open(site)
        self.load(screen)
        owner = self.widget(screen)
        return [mainstem.view(self.window, UsersWidget, owner) for _ in range(count)]

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Uses the window by the keyboard alone, and prints what is there: for test_hosts.py.

window_keys.py SITE      a site whose first answer is a failure
"""

from __future__ import annotations

import faulthandler
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "hosts"))
from dashboard import GLib, attach, install_all, mainstem, open_app


def press(*words: str) -> None:
    subprocess.run(["xdotool", *words], check=True)


def main() -> None:
    faulthandler.dump_traceback_later(80, exit=True)  # says what it waits for in vain
    with mainstem.Context() as context:
        stage, loop = install_all(context, 10_000), GLib.MainLoop()
        attach(context)
        open_app(stage.navigator, sys.argv[1], loop)

        def until(line: str) -> None:
            while not any(line in seen for seen in stage.lines()):
                GLib.MainContext.default().iteration(True)
            print(line)

        until("[Retry]")
        press("search", "--sync", "--onlyvisible", "--name", "Dash", "windowfocus", "--sync")
        window = stage.view("Dashboard").window
        while not window.is_active():
            GLib.MainContext.default().iteration(True)
        press("key", "Return")
        until("[] ---")
        press("type", "1")
        until("[1] I found Clark Kent aka Superman")
        press("key", "BackSpace")
        press("type", "x" * 100)
        until("User not found")
        print("wider than it was:", window.get_width() > 320)
        GLib.idle_add(window.close)
        loop.run()
        print("closed by its user")


if __name__ == "__main__":
    main()

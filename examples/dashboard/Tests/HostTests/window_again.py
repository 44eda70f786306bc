# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Shows a session again in a window, and prints what is there at its end: for test_hosts.py.

window_again.py JOURNAL
"""

from __future__ import annotations

import faulthandler
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "hosts"))
from dashboard import GLib, attach, install_all, mainstem


def main() -> None:
    faulthandler.dump_traceback_later(80, exit=True)  # says what it waits for in vain
    with mainstem.Context() as context, context.replay(sys.argv[1]) as replay:
        stage, loop = install_all(context, 10_000), GLib.MainLoop()
        attach(context)
        stage.rest(loop.quit)
        replay.run(0)
        while not replay.info.ended:
            GLib.MainContext.default().iteration(True)
        while context.drain() or GLib.MainContext.default().iteration(False):
            pass
        print(*stage.lines(), sep="\n")
        window = stage.view("Dashboard").at("window")
        print("is there:", window.get_mapped(), window.get_child().get_can_target())
        GLib.idle_add(window.close)
        loop.run()
        print("closed by its user")


if __name__ == "__main__":
    main()

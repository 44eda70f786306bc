# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Shows a session again in a window, and prints what is there at its end: for test_hosts.py.

window_again.py JOURNAL
"""

from __future__ import annotations

import faulthandler
import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[2] / "hosts"))
from dashboard import GLib, install_all, mainstem
from dashboard_window import Frame


def main() -> None:
    faulthandler.dump_traceback_later(80, exit=True)  # says what it waits for in vain
    loop, stages = GLib.MainLoop(), []

    def open_again(context: mainstem.Context) -> Any:
        stages.append(install_all(context, 10_000))
        return stages[-1]

    frame = Frame(loop.quit)
    player = frame.play(sys.argv[1], open_again)
    player.play(0)
    while player.is_playing:
        GLib.MainContext.default().iteration(True)
    print(*stages[-1].lines(), sep="\n")
    player.go(0)
    player.go(len(player.times))  # at once: what has ended by then is shown, too
    print("refused:", frame.bars.error.is_open)
    print("is there:", frame.window.get_mapped(), frame.bars.slot.get_can_target())
    GLib.idle_add(frame.window.close)
    loop.run()
    player.close()
    print("closed by its user")


if __name__ == "__main__":
    main()

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Uses the window by the keyboard alone, and prints what is seen: for test_window.py.

window_keys.py [FOLDER WIDTHxHEIGHT]    with a folder: takes pictures, for examples/pictures
window_keys.py --replay JOURNAL         a session that is shown again
"""

from __future__ import annotations

import argparse
import faulthandler
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, List

HERE = Path(__file__).resolve().parents[2]
sys.path += [str(HERE / "hosts"), str(HERE / "site")]
import boat_window  # noqa: E402
from boat_window import GLib, Window  # noqa: E402
from tweetboat import mainstem  # noqa: E402
from tweets import serve  # noqa: E402

IS_REPLAY = sys.argv[1:2] == ["--replay"]
FOLDER = "" if IS_REPLAY or len(sys.argv) < 3 else sys.argv[1]
FULL = {"umino": "海野 みなと 🌊", "tides": "Harbor Tides", "new": "Newcomer"}


class Use:
    def __init__(self, window: Window) -> None:
        self.window, self.at = window, window.screen.at
        window.present()
        self.until(window.window.get_mapped)
        found = ["search", "--sync", "--onlyvisible", "--name", "^Tweet", "windowfocus", "--sync"]
        subprocess.run(["xdotool", *found], check=True)
        self.until(window.window.is_active)

    @property
    def screen(self) -> Any:
        return self.window.screen

    @property
    def error(self) -> Any:
        return self.window.bars.error

    def until(self, holds: Callable[[], Any]) -> None:
        """Lets the window work until something holds, or the test is stopped."""
        while not holds():
            GLib.MainContext.default().iteration(True)

    def keys(self, *names: str) -> None:
        subprocess.run(["xdotool", "key", "--delay", "20", *names], check=True)

    def type(self, text: str) -> None:
        subprocess.run(["xdotool", "type", "--delay", "20", text], check=True)
        self.until(lambda: self.at("username").get_text() == text)

    def shown(self) -> List[str]:
        """The texts of the rows in sight, from the top."""
        rows = [row for row in self.screen.list_rows.values() if row.is_seen and row.number]
        rows.sort(key=lambda row: row.widget.compute_bounds(self.at("scroller"))[1].get_y())
        return [row.at("text").get_label() for row in rows]

    def has_pictures(self) -> bool:
        rows = [row for row in self.screen.list_rows.values() if row.is_seen and row.number]
        with_frame = [row for row in rows if row.at("frame").get_visible()]
        return bool(rows) and all(row.at("picture").get_paintable() for row in with_frame)

    def picture(self, name: str) -> None:
        if FOLDER:
            width, height = map(int, sys.argv[2].split("x"))
            self.window.window.set_default_size(width, height)
            wait(1)
            subprocess.run(["import", "-window", "root", f"{FOLDER}/{name}.png"], check=True)


def wait(seconds: float) -> None:
    """Until all has come to rest, for a picture."""
    loop = GLib.MainLoop()
    GLib.timeout_add(int(seconds * 1000), loop.quit)
    loop.run()


def look_up(use: Use, site: Any) -> None:
    use.until(lambda: use.at("username").has_focus() or use.window.window.get_focus())
    print("Go:", use.at("go").get_sensitive(), "|", use.at("nothing").get_label())
    use.type("ja")
    use.keys("Return")
    print("Go:", use.at("go").get_sensitive(), site.asked)
    use.keys("c", "k", "Return")
    use.until(lambda: use.at("full_name").get_label() and use.has_pictures())
    print(use.at("full_name").get_label(), "|", use.shown()[0] + use.at("nothing").get_label())
    use.picture("jack")


def scroll(use: Use, site: Any) -> None:
    """To the end of the list, where more is loaded, and the pictures in between are cancelled."""
    site.slow["/picture/"] = 60
    before = use.screen.cells.get_n_items()
    use.at("tweets").grab_focus()
    while use.screen.cells.get_n_items() == before:
        use.keys("Page_Down")
        wait(0.05)
    use.until(lambda: len(use.screen.cells) > before)
    print(before, "then", use.screen.cells.get_n_items())
    use.keys("Home")
    use.until(lambda: "buoy" in "".join(use.shown()[:1]))
    assert FOLDER or site.gone(1)  # in a large window, all were in sight
    site.slow.clear()


def profile(use: Use) -> None:
    """Enter opens it, Escape closes it, and the list has the keys again."""
    use.keys("Return")
    card = use.screen.card
    use.until(lambda: card.widget.get_visible() and card.at("close").has_focus())
    use.until(lambda: card.at("avatar").get_paintable())
    print(card.at("name").get_label(), "|", card.at("followers").get_label())
    use.keys("Tab", "Tab")
    assert card.at("close").has_focus()
    use.picture("profile")
    use.keys("Escape")
    use.until(lambda: not card.widget.get_visible())
    focus = use.window.window.get_focus()
    print("the list has the keys:", focus.is_ancestor(use.at("tweets")))


def fail(use: Use, site: Any) -> None:
    """Errors are in a bar; Escape closes it."""
    use.keys("ctrl+l", "ctrl+a")
    use.type("ines")
    site.fail(503)
    use.keys("Return")
    use.until(lambda: use.error.is_open)
    print(use.error.text.get_label())
    use.picture("error")
    use.keys("Escape")
    use.until(lambda: not use.error.is_open)
    sail = "/picture/a-small-sail.png"
    picture, tries = site.pages[sail], []
    site.pages[sail] = lambda query: picture(query) if tries else tries.append(1) or int("no")
    use.keys("Return")
    use.until(lambda: use.at("full_name").get_label() == "Ines Sail")
    use.until(lambda: any(row.at("trouble").get_visible() for row in rows(use)))
    print([row.at("problem").get_label() for row in rows(use) if row.at("again").get_visible()])
    use.picture("missing")
    next(row for row in rows(use) if row.at("again").get_visible()).at("again").grab_focus()
    use.keys("F5")
    use.until(use.has_pictures)
    focus = use.window.window.get_focus()
    print("the picture is there; the list has the keys:", focus.is_ancestor(use.at("tweets")))


def rows(use: Use) -> List[Any]:
    return [row for row in use.screen.list_rows.values() if row.is_seen and row.number]


def others(use: Use) -> None:
    """Other scripts; each list begins at its top."""
    for name in ("umino", "tides", "new"):
        use.at("tweets").grab_focus()
        use.keys("End")
        use.keys("ctrl+l", "ctrl+a")
        use.type(name)
        use.keys("Return")
        use.until(lambda name=name: use.at("full_name").get_label() == FULL[name])
        if name != "new":
            use.until(lambda: use.at("scroller").get_vadjustment().get_value() == 0 and use.shown())
        use.picture(name)
    print("the list is empty:", use.screen.cells.get_n_items() == 0, use.at("nothing").get_label())


def given(site: str, replay: str = "") -> argparse.Namespace:
    return argparse.Namespace(site=site, patience=10_000, cache=0, record=None, replay=replay)


def again(path: str) -> None:
    """A session is shown again: nothing is typed, nobody is asked, and the window stays."""
    window = Window(given("", path))
    player = window.bars.replay(path, window.open)
    use = Use(window)
    player.play(0)
    use.until(lambda: player.position == len(player.times))
    use.until(lambda: use.screen.at("full_name").get_label())
    use.keys("Tab", "x", "Tab", "Escape")
    wait(0.2)
    print(use.screen.at("full_name").get_label(), "|", use.screen.at("username").get_text())
    player.close()
    window.window.destroy()


def main() -> None:
    # Says what it waits for in vain.
    faulthandler.dump_traceback_later(300 if FOLDER else 100, exit=True)
    if IS_REPLAY:
        again(sys.argv[2])
        return
    with serve() as site, mainstem.Context() as context:
        boat_window.attach(context)
        window = Window(given(site.url("")))
        close = window.open(context, site.url(""))
        use = Use(window)
        look_up(use, site)
        scroll(use, site)
        profile(use)
        fail(use, site)
        others(use)
        use.keys("ctrl+w")
        window.loop.run()
        close()
        window.window.destroy()
        print("closed by its user")


if __name__ == "__main__":
    main()

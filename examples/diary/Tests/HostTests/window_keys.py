# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Uses the window by the keyboard alone, and prints what is seen: for test_window.py.

window_keys.py DATABASE [FOLDER]      with a folder: takes pictures, at three sizes
window_keys.py --replay JOURNAL       a session that is shown again
"""

from __future__ import annotations

import faulthandler
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable

sys.path.append(str(Path(__file__).resolve().parents[2] / "hosts"))
from diary_app import add_store, mainstem
from diary_window import App, Frame, GLib

LONG = "\n".join(f"Line {number}." for number in range(1, 101))
SIZES = [(360, 400), (600, 400), (900, 700)]


class Use:
    def __init__(self, context: mainstem.Context) -> None:
        self.context, self.closed = context, False
        self.app = App(context, close=self.close)
        self.window = self.app.frame.at("window")
        self.until(self.window.get_mapped)
        found = ["search", "--sync", "--onlyvisible", "--name", "^Diary", "windowfocus", "--sync"]
        subprocess.run(["xdotool", *found], check=True)
        self.until(self.window.is_active)

    def close(self) -> None:
        self.closed = True

    def until(self, holds: Callable[[], Any]) -> None:
        """Lets the window work until something holds, or the test is stopped."""
        while not holds():
            GLib.MainContext.default().iteration(True)

    @property
    def screens(self) -> Any:
        return [*self.app.stage.screens.values()]

    def shows(self, name: str) -> bool:
        """Whether the screen of this name is on top, and all is quiet."""
        tops = self.app.stage.tops
        return bool(tops) and tops[-1].component.name == name

    def at(self, name: str) -> Any:
        return next(found for each in reversed(self.screens) if (found := each.at(name)))

    def keys(self, *names: str) -> None:
        subprocess.run(["xdotool", "key", "--delay", "20", *names], check=True)

    def type(self, text: str, name: str) -> None:
        """Types, and waits until it is in a widget."""
        subprocess.run(["xdotool", "type", "--delay", "20", text], check=True)
        widget = self.at(name).get_buffer() if name == "text" else self.at(name)
        self.until(lambda: widget.get_property("text") == text)

    def has_focus(self, name: str) -> bool:
        focus, widget = self.window.get_focus(), self.at(name)
        return focus is not None and (focus is widget or focus.is_ancestor(widget))

    def ask_to_close(self) -> None:
        self.window.close()

    def pictures(self, name: str) -> None:
        """Of all sizes."""
        for width, height in SIZES:
            self.size(width, height)
            if len(sys.argv) > 2 and shutil.which("import"):
                loop = GLib.MainLoop()
                GLib.timeout_add(600, loop.quit)  # until what slides has come to rest
                loop.run()
                file = f"{sys.argv[2]}/{name}-{width}.png"
                subprocess.run(["import", "-window", "root", file], check=True)

    def size(self, width: int, height: int) -> None:
        self.window.set_default_size(width, height)
        self.until(lambda: self.is_sized(width, height))

    def is_sized(self, width: int, height: int) -> bool:
        """But for the shadow, which is drawn inside."""
        is_wide = width - 12 <= self.window.get_width() <= width
        return is_wide and height - 12 <= self.window.get_height() <= height


def sign_in(use: Use) -> None:
    use.until(lambda: use.shows("SignIn") and use.has_focus("nickname"))
    width = use.at("nickname").get_width()
    use.type("Ada", "nickname")
    use.keys("Return")  # nothing yet: the terms
    print(use.at("hint").get_label(), "as wide:", use.at("nickname").get_width() == width)
    use.keys("Tab", "space")
    use.until(lambda: use.at("agreed").get_active())
    use.keys("shift+Tab", "Return")
    use.until(lambda: use.shows("Guide") and use.has_focus("understood"))
    use.keys("Return")
    use.until(lambda: use.shows("DiaryList") and use.has_focus("write"))
    use.until(lambda: use.at("empty").get_label() != "Loading …")
    print(use.at("empty").get_label(), "|" + use.at("footer").get_label())


def is_in_sight(use: Use, name: str) -> bool:
    """Whether all of a widget is inside the window."""
    widget = use.at(name)
    found, box = widget.compute_bounds(use.window)
    end = box.get_x() + box.get_width(), box.get_y() + box.get_height()
    return bool(found and end[0] <= use.window.get_width() and end[1] <= use.window.get_height())


def write(use: Use) -> None:
    """A long entry, in windows of all sizes; Save by the keyboard."""
    use.keys("Return")
    use.until(lambda: use.shows("DiaryPage") and use.has_focus("text"))
    for text in ("שלום", "你好", "🙂"):  # from right to left, Chinese, beyond the first plane
        use.at("text").get_buffer().set_text(text)
        use.until(lambda text=text: use.app.stage.tops[-1].view.text == text)
    use.at("text").get_buffer().set_text(LONG)
    for width, height in SIZES:
        use.size(width, height)
        use.until(lambda: is_in_sight(use, "save"))
        assert use.at("text").get_width() <= 640  # as wide as is easy to read
    use.pictures("long")
    use.keys("Tab", "Tab", "Tab")  # Close, Save; Delete is off
    use.until(lambda: use.has_focus("another"))
    use.keys("shift+Tab", "Return")
    use.until(lambda: use.screens[-2].view.id == 1)
    use.until(lambda: use.has_focus("text") and use.at("day").get_label() != "A new entry")
    print("the text has the keys:", use.at("day").get_label())


def delete(use: Use) -> None:
    """The dialog has the keys, and the page has none; Escape takes it away."""
    use.at("text").grab_focus()
    use.at("delete").emit("clicked")
    use.until(lambda: use.shows("Confirm") and use.has_focus("refuse"))
    use.keys("Tab", "Tab", "Tab")
    subprocess.run(["xdotool", "type", "x"], check=True)
    use.pictures("dialog")
    print("behind the dialog:", use.at("text").is_sensitive(), use.screens[0].view.title)
    print("typed behind it:", use.at("text").get_buffer().get_property("text") != LONG)
    use.keys("Escape")
    use.until(lambda: use.shows("DiaryPage") and use.has_focus("text"))
    print("and the entry:", [row.id for row in use.screens[0].view.rows])


def fail(use: Use) -> None:
    """The store says no: the page says why, and what is typed stays."""
    import sqlite3

    other = sqlite3.connect(sys.argv[1], isolation_level=None)
    other.execute("CREATE TRIGGER no BEFORE UPDATE ON entry BEGIN SELECT RAISE(FAIL, 'no'); END")
    use.at("text").get_buffer().set_text("Rain.")
    use.until(lambda: use.at("save").is_sensitive())
    use.at("save").emit("clicked")
    error = use.app.frame.bars.error
    use.until(lambda: error.is_open and error.button.get_height())
    use.pictures("error")
    text = use.at("text").get_buffer().get_property("text")
    print(error.text.get_label(), text, sep=" | ")
    use.keys("Escape")
    use.until(lambda: not error.is_open)
    use.at("save").emit("clicked")
    use.until(lambda: error.is_open and error.button.get_height())
    error.button.grab_focus()
    use.keys("Return")
    use.until(lambda: not error.is_open)
    use.until(lambda: error.is_open)
    print("failed again:", error.hint.get_label())
    other.execute("DROP TRIGGER no")
    other.close()


def close(use: Use) -> None:
    """The user closes the window: No keeps it open, Yes closes it."""
    use.ask_to_close()
    use.until(lambda: use.shows("Confirm"))
    print(use.at("question").get_label())
    use.keys("Return")
    use.until(lambda: use.shows("DiaryPage"))
    print("closed:", use.closed)
    use.ask_to_close()
    use.until(lambda: use.shows("Confirm"))
    use.keys("Tab", "Return")
    use.until(lambda: use.closed)
    print("closed:", use.closed)


def drawer(use: Use) -> None:
    """Escape takes the drawer away."""
    use.until(lambda: use.shows("DiaryList"))
    use.at("menu").grab_focus()
    use.keys("Return")
    use.until(lambda: use.shows("Drawer") and use.has_focus("sign_out"))
    use.pictures("drawer")
    use.keys("Escape")
    use.until(lambda: use.shows("DiaryList") and use.has_focus("menu"))
    print("the drawer is away")
    use.window.close()
    use.until(lambda: use.closed)
    print("nothing is asked where all is saved")


def again(path: str) -> None:
    """A session, played by keys; then the window stays until its user closes it."""
    frame, apps, closed = Frame(), [], []
    main = GLib.MainContext.default()

    def open_again(context: mainstem.Context) -> None:
        apps.append(App(context, lambda: None, frame))
        apps[-1].stage.keeps_last = True

    def until(holds: Callable[[], Any]) -> None:
        while not holds():
            main.iteration(True)

    def key(name: str, position: int) -> None:
        subprocess.run(["xdotool", "key", name], check=True)
        until(lambda: player.position == position == player.drawn)

    player = frame.play(path, open_again)
    frame.leave = lambda: closed.append(True)
    frame.at("window").present()
    found = ["search", "--sync", "--onlyvisible", "--name", "^Diary", "windowfocus", "--sync"]
    subprocess.run(["xdotool", *found], check=True)
    until(frame.at("window").is_active)
    count = len(player.times)
    key("space", count)  # plays it
    key("End", count)
    last = apps[-1].stage.tops[-1].at("title").get_label()
    print(frame.at("window").get_title(), "|", bool(closed), "|", last)
    key("Left", count - 1)
    key("Home", 0)
    print("nothing yet:", not apps[-1].stage.screens, not frame.pages)
    key("Right", 1)
    key("End", count)
    print("as before:", apps[-1].stage.tops[-1].at("title").get_label() == last, len(apps))
    subprocess.run(["xdotool", "key", "Tab", "Escape"], check=True)
    frame.at("window").close()
    until(lambda: closed)
    player.close()
    frame.at("window").destroy()
    print("closed by its user")


def main() -> None:
    faulthandler.dump_traceback_later(80, exit=True)  # says what it waits for in vain
    if sys.argv[1] == "--replay":
        again(sys.argv[2])
        return
    with mainstem.Context() as context:
        use = Use(context)
        add_store(context, sys.argv[1], "2026-11-23")
        use.app.open("")
        for part in (sign_in, write, delete, fail, close):
            part(use)
        use.closed = use.app.is_leaving = False
        drawer(use)
        use.app.stage.hide(list(use.app.stage.screens))


if __name__ == "__main__":
    main()

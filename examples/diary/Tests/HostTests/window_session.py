# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Uses the window as a user does, by its widgets, and prints what they show: for test_window.py.

window_session.py DATABASE [FOLDER]      with a folder: takes the pictures of the README
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[2] / "hosts"))
from diary_app import add_store, mainstem
from diary_window import App, GLib


class Use:
    def __init__(self, context: mainstem.Context) -> None:
        self.app = App(context, close=lambda: None)
        add_store(context, sys.argv[1], "2026-11-23")
        self.app.open("")
        self.app.settle()

    def at(self, name: str) -> Any:
        """The last widget of a name that is there."""
        screens = [*self.app.stage.screens.values()]
        return next(found for each in reversed(screens) if (found := each.at(name)))

    def click(self, name: str) -> None:
        widget = self.at(name)
        assert widget.get_mapped() and widget.get_sensitive(), name
        widget.emit("clicked")
        self.app.settle()

    def type(self, name: str, text: str) -> None:
        widget = self.at(name)
        (widget.get_buffer() if name == "text" else widget).set_property("text", text)
        self.app.settle()

    def says(self, *names: str) -> None:
        print(*(self.at(name).get_label() for name in names), sep=" | ")

    def wait(self, milliseconds: int) -> None:
        """Lets what slides come to rest."""
        loop = GLib.MainLoop()
        GLib.timeout_add(milliseconds, loop.quit)
        loop.run()

    def picture(self, name: str) -> None:
        if len(sys.argv) > 2:
            self.wait(600)
            subprocess.run(["import", "-window", "root", f"{sys.argv[2]}/{name}.png"], check=True)

    def back(self) -> None:
        self.app.frame.at("back").emit("clicked")
        self.app.settle()


def sign_in(use: Use) -> None:
    use.says("hint")
    use.type("nickname", "Ada")
    use.at("agreed").set_active(True)
    use.app.settle()
    use.click("sign_in")
    use.says("guide")
    use.click("understood")


def write(use: Use) -> None:
    for text in ("Sun.", "Rain. I read all day.", "Fog. The bell buoy was the only one talking."):
        use.click("write")
        use.says("idea")
        use.type("text", text)
        use.click("save")
        use.click("done")
    use.says("title")
    (screen,) = use.app.stage.screens.values()
    print(*(f"{item.value.day}: {item.value.title}" for item in screen.model))
    use.picture("list")


def leave(use: Use) -> None:
    """A page with unsaved text, and the button in the title bar."""
    use.click("write")
    use.type("text", "Wind.")
    use.picture("page")
    use.back()
    use.says("question")
    use.picture("dialog")
    use.click("refuse")
    print(len(use.app.frame.pages), "pages")
    use.back()
    use.click("confirm")
    print(len(use.app.frame.pages), "page")


def sign_out(use: Use) -> None:
    use.click("menu")
    use.says("summary")
    use.picture("drawer")
    use.click("away")
    use.click("menu")
    use.click("sign_out")
    use.click("confirm")
    use.says("hint")
    print(use.at("nickname").get_text())


def main() -> None:
    with mainstem.Context() as context:
        use = Use(context)
        for part in (sign_in, write, leave, sign_out):
            part(use)
        use.app.stage.hide(list(use.app.stage.screens))


if __name__ == "__main__":
    main()

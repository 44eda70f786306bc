# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A window with a note, used by the keyboard alone; prints what is seen: for bars_test.py.

bars_window.py replay|follow|full|failed|closed FOLDER
"""

from __future__ import annotations

import faulthandler
import io
import os
import resource
import signal
import subprocess
import sys
from contextlib import redirect_stderr
from functools import partial
from pathlib import Path
from typing import Any, Callable, Dict, List

import gi  # type: ignore

EXAMPLES = Path(__file__).resolve().parents[1]
sys.path += [str(EXAMPLES.parent / "Sources" / "MainstemPython"), str(EXAMPLES / "playing")]
gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
import mainstem  # noqa: E402
from gi.repository import GLib, Gtk  # type: ignore  # noqa: E402
from mainstem_bars import Bars  # noqa: E402
from mainstem_gtk import attach, runs, shows, writes  # noqa: E402


class Note(mainstem.ViewModel):
    """A text, which can be kept or not."""

    text: str = mainstem.writable("")
    kept: str = mainstem.shown("nothing")
    #: Whether nothing can be kept.
    is_down = False

    @mainstem.command
    def keep(self) -> None:
        if Note.is_down:
            raise mainstem.Failure("DOWN", user_message="The note was not kept.")
        self.kept = self.text


@mainstem.event(layer="model", payload=str)
class Filler(mainstem.Notice):
    """Fills the journal."""

    text: str


class Window:
    def __init__(self) -> None:
        self.window = Gtk.Window(title="Note", default_width=400)
        self.bars, self.is_closed = Bars(self.window), False
        self.window.connect("close-request", lambda _: self.close())
        self.window.present()

    def close(self) -> bool:
        self.is_closed = True
        return True

    def open(self, context: mainstem.Context) -> Callable[[], None]:
        """Shows a note; also one of a session that is shown again."""
        self.entry, self.button, self.label = Gtk.Entry(), Gtk.Button(label="Keep"), Gtk.Label()
        self.note = context.open(Note()).bind(
            text=mainstem.two_way(shows(self.entry, "text")),
            kept=shows(self.label, "label"),
            keep_error=self.fail,
        )
        writes(self.note, "text", self.entry, "text")
        runs(self.note.keep, self.button, "clicked")
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for widget in (self.entry, self.button, self.label):
            box.append(widget)
        self.bars.show(box)
        self.entry.grab_focus()
        return lambda: self.bars.show(None)

    def fail(self, text: Any) -> None:
        if text:
            self.bars.error.show(text, "Wait a moment, then try again.", self.note.keep)
        else:
            self.bars.error.close()

    # The user

    def until(self, holds: Callable[[], Any]) -> None:
        while not holds():
            GLib.MainContext.default().iteration(True)

    def begin(self) -> None:
        """Waits until the window has the keys."""
        found = ["search", "--sync", "--onlyvisible", "--name", "^Note", "windowfocus", "--sync"]
        subprocess.run(["xdotool", *found], check=True)
        self.until(self.window.is_active)

    def keys(self, *names: str) -> None:
        subprocess.run(["xdotool", "key", "--delay", "20", *names], check=True)

    def move_to(self, widget: Any) -> None:
        """Moves the keys back to a widget."""
        while not widget.has_focus():
            before = self.window.get_focus()
            self.keys("shift+Tab")
            self.until(partial(self.has_left, before))

    def has_left(self, widget: Any) -> bool:
        return self.window.get_focus() is not widget

    def has_kept(self, text: str) -> bool:
        return self.note.kept == text and self.is_typing()

    def type(self, text: str) -> None:
        subprocess.run(["xdotool", "type", "--delay", "20", text], check=True)
        self.until(lambda: self.entry.get_text() == text)

    def until_failed(self) -> None:
        """Waits until the bar of errors is there, and can have the keys."""
        self.until(lambda: self.bars.error.is_open and self.bars.error.button.get_height())

    def native(self) -> Any:
        """What has the keys: the window, or a list over it."""
        focus = self.window.get_focus()
        return focus and focus.get_native()

    def is_typing(self) -> bool:
        return bool(self.window.get_focus().is_ancestor(self.entry))

    def seen(self) -> "tuple[str, str]":
        return self.entry.get_text(), self.label.get_label()

    def is_marked(self) -> bool:
        """Whether what has the keys is drawn so."""
        return bool(self.window.get_focus().get_state_flags() & Gtk.StateFlags.FOCUS_VISIBLE)

    def is_in_line(self) -> bool:
        """Whether the text and the buttons of the bar of errors are beside each other."""
        error = self.bars.error
        boxes = [each.compute_bounds(self.window)[1] for each in (error.says, error.button)]
        text, button = (box.get_y() + box.get_height() / 2 for box in boxes)
        return bool(abs(text - button) <= 1)

    def says(self) -> str:
        """What the bar of errors says, and its buttons."""
        error = self.bars.error
        words = [error.text.get_label(), error.hint.get_label()]
        return " ".join([*words, "[Retry]"] if error.button.get_visible() else words)


def record(window: Window, path: Path) -> Dict[int, Any]:
    """Types and keeps something, and returns what was seen after so many events."""
    seen: Dict[int, Any] = {}
    with mainstem.Context() as context:
        context.record(path)
        source = attach(context)
        end = window.open(context)
        sign = window.bars.record(context, path)
        window.begin()
        print(sign.label.get_label())
        for text in ("a", "ab", "abc"):
            window.keys("ctrl+a")
            window.type(text)
            window.keys("Tab", "Return", "shift+Tab")
            window.until(partial(window.has_kept, text))
            seen[context.journal_stats().events] = window.seen()
        GLib.source_remove(source)
        end()
    window.bars.below.remove(sign.widget)
    return seen


def replay(window: Window, folder: Path) -> None:
    """Play, pause, step, and the slider, which shows what was seen then."""
    path = folder / "session.journal"
    seen = record(window, path)
    player = window.bars.replay(path, window.open)
    count = len(player.times)

    def at(position: int) -> None:
        window.until(lambda: player.position == position and player.drawn == position)

    print(player.label.get_label().split(",")[0] == f"event 0 of {count}")
    print("it has the keys:", player.slider.has_focus())
    for position in sorted(seen, reverse=True):  # to the end, and back
        window.keys("End")
        at(count)
        for _ in range(count - position):
            window.keys("Left")
        at(position)
        print(window.seen() == seen[position], window.seen())
    window.keys("Home", "Right", "Right")
    at(2)
    window.keys("Tab", "space")  # from the slider to the speed, whose list opens
    window.until(lambda: window.native() is not window.window)
    window.keys("Down", "Down", "Down", "Down", "Return")
    window.until(lambda: player.speeds[player.speed.get_selected()][1] == "Fast")
    window.until(lambda: window.native() is window.window)
    window.move_to(player.slider)
    window.keys("space")
    at(count)
    window.until(lambda: not player.is_playing)
    print(window.seen() == seen[max(seen)], player.label.get_label().split(",")[0])
    middle = sorted(seen)[1]
    drag(window, player, middle)
    print("in the middle:", window.seen() == seen[player.position])
    print("it has the keys:", player.slider.has_focus(), window.is_typing())
    player.close()


def follow(window: Window, folder: Path) -> None:
    """Another process says where to go: forward, back, past some; its controls work, too."""
    path = folder / "session.journal"
    seen = record(window, path)
    player = window.bars.replay(path, window.open)
    first, middle, last = sorted(seen)
    read, write = os.pipe()
    nothing = window.seen()
    ends: List[str] = []
    player.start(None, read, lambda: ends.append("ended"))

    def go(*lines: object, to: int) -> None:
        os.write(write, "".join(f"{line}\n" for line in lines).encode())
        window.until(lambda: player.position == to and player.drawn == to)

    for position in (middle, last, first, last):
        go(position, to=position)
        print(window.seen() == seen[position], player.slider.get_value() == position)
    window.keys("Left")
    window.until(lambda: player.position == last - 1)
    context = player.context
    go(1, first, last, to=last)  # what lies between is passed over
    print("in one context:", player.context is context)
    with redirect_stderr(io.StringIO()) as said:
        go("-1", "", "4.", "1" * 30, middle, "x", to=middle)
    print(said.getvalue(), end="")
    print(window.seen() == seen[middle])
    go(0, to=0)
    print("nothing was fed:", window.seen() == nothing)
    go(10**18, to=last)
    player.play(1)
    os.write(write, b"1")
    go("", to=1)
    print("it plays:", player.is_playing)
    os.close(write)
    window.until(lambda: ends)
    print(*ends, player.following)
    player.close()


def has_moved(player: Any, position: int) -> bool:
    return bool(player.position != position)


def drag(window: Window, player: Any, position: int) -> None:
    """Moves the slider by mouse: near to a position, and by keys to it."""
    _, box = player.slider.compute_bounds(window.window)
    wide = box.get_width() - 40
    ends = [box.get_x() + 20 + wide * part for part in (1.0, position / len(player.times))]
    across = str(int(box.get_y() + box.get_height() / 2))
    number = subprocess.run(
        ["xdotool", "search", "--onlyvisible", "--name", "^Note"], stdout=subprocess.PIPE, text=True
    ).stdout.split()[0]
    move = ["mousemove", "--sync", "--window", number]
    words = [*move, str(int(ends[0])), across, "mousedown", "1", *move, str(int(ends[1])), across]
    subprocess.run(["xdotool", *words, "mouseup", "1"], check=True)
    window.until(lambda: player.wanted is None and player.position < len(player.times))
    while player.position != position:
        before = player.position
        window.keys("Left" if before > position else "Right")
        window.until(partial(has_moved, player, before))


def fill(context: mainstem.Context) -> None:
    """Leaves no room in the journal."""
    for size in (40_000, 1_000, 0):
        try:
            while True:
                context.send(Filler("x" * size))
        except mainstem.MainstemError as error:
            assert error.status == mainstem.Status.NO_SPACE


def full(window: Window, folder: Path) -> None:
    """The disk is full: the sign says so, and the bar what to do; then there is room again."""
    path = folder / "session.journal"
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with mainstem.Context() as context:
        context.record(path)
        source = attach(context)
        end = window.open(context)
        sign = window.bars.record(context, path)
        window.begin()
        limits = os.path.getsize(path), resource.RLIM_INFINITY
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        fill(context)
        window.type("a")
        window.until_failed()
        print(sign.label.get_label(), window.says(), sep="\n")
        window.move_to(window.bars.error.button)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, limits[1]))
        window.keys("Return")
        window.until(lambda: sign.label.get_label() == "● Recording session.journal")
        print("recorded again:", window.note.text == window.entry.get_text())
        print("the bar is closed:", not window.bars.error.is_open)
        GLib.source_remove(source)
        end()


def failed(window: Window, _folder: Path) -> None:
    """A command fails: Escape closes the bar; Retry does it again."""
    with mainstem.Context() as context:
        source = attach(context)
        end = window.open(context)
        window.begin()
        window.type("a")
        Note.is_down = True
        window.keys("Tab", "Return")
        window.until_failed()
        print(window.says())
        print("one line:", window.is_in_line())
        window.keys("Escape")
        window.until(lambda: not window.bars.error.is_open)
        print("it has the keys:", window.button.has_focus(), window.is_marked())
        window.keys("Return")
        window.until_failed()
        window.move_to(window.bars.error.button)
        Note.is_down = False
        window.keys("Return")
        window.until(lambda: window.label.get_label() == "a")
        print("kept:", window.label.get_label(), window.bars.error.is_open)
        GLib.source_remove(source)
        end()


def closed(window: Window, folder: Path) -> None:
    """The user closes the window in the middle of a replay."""
    path = folder / "session.journal"
    record(window, path)
    player = window.bars.replay(path, window.open)
    player.play(0.5)
    window.until(lambda: player.position > 1)
    window.window.close()
    window.until(lambda: window.is_closed)
    player.close()
    print("closed")


def main() -> None:
    faulthandler.dump_traceback_later(40, exit=True)  # says what it waits for in vain
    window = Window()
    parts = {"replay": replay, "follow": follow, "full": full, "failed": failed, "closed": closed}
    parts[sys.argv[1]](window, Path(sys.argv[2]))
    window.window.destroy()


if __name__ == "__main__":
    main()

#!/usr/bin/python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The diary in a window. With --script it is used by lines; without a display it has no window."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from struct import iter_unpack
from typing import Any, Callable, Dict, List, Optional

import diary_host
import gi  # type: ignore
from diary_app import ROOT, EntryRow, lines, mainstem
from diary_lines import (
    ConfirmScreen,
    DrawerScreen,
    GuideScreen,
    IdeaScreen,
    ListScreen,
    PageScreen,
    Screen,
    SignInScreen,
)

sys.path.append(str(ROOT / "examples" / "gtk"))
gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, GLib, Gtk, Pango  # type: ignore  # noqa: E402
from mainstem_gtk import attach, runs, shows, writes  # noqa: E402

UI = str(Path(__file__).with_name("diary.ui"))


class Frame:
    """The window: where a component of a kind is put. What it is, it does not know."""

    def __init__(self, go_back: Callable[[], None], leave: Callable[[], bool]) -> None:
        builder = Gtk.Builder()
        builder.add_objects_from_file(UI, ["window"])
        self.at, self.go_back = builder.get_object, go_back
        self.pages: List[Any] = []
        #: Whether a session is shown again: nothing is typed.
        self.rests = False
        #: What lies over the pages; what is below the last one takes neither keys nor clicks.
        self.covers: List[Any] = []
        #: What had the keys when something was put over it.
        self.focused: Dict[Any, Any] = {}
        self.at("back").connect("clicked", lambda _: go_back())
        self.at("window").connect("close-request", lambda _: leave())
        keys = Gtk.EventControllerKey(propagation_phase=Gtk.PropagationPhase.CAPTURE)
        keys.connect("key-pressed", self.press)
        self.at("window").add_controller(keys)

    def press(self, _keys: Any, key: int, *_: Any) -> bool:
        """Escape takes away a dialog or a drawer."""
        if key != Gdk.KEY_Escape or not self.covers:
            return False
        self.go_back()
        return True

    def rest(self) -> None:
        """Takes no keys or clicks any more, but can be closed: a session is shown again."""
        self.rests = True
        self.at("window").set_title("Diary, shown again")
        for widget in (self.at("top"), self.at("back")):
            widget.set_can_target(False)
            widget.set_can_focus(False)
        self.go_back = lambda: None

    @property
    def top(self) -> Any:
        """What the user sees."""
        seen = self.covers or self.pages
        return seen[-1] if seen else None

    def put(self, kind: str, widget: Any) -> None:
        if kind == "embed":
            self.pages[-1].append(widget)
            return
        if self.top and (focus := self.at("window").get_focus()):
            self.focused[self.top] = focus
        if kind == "screen":
            self.at("stack").add_child(widget)
            self.pages.append(widget)
        else:
            self.at("top").add_overlay(widget)
            self.covers.append(widget)
        self.turn()

    def take(self, widget: Any) -> None:
        parent = widget.get_parent()
        self.focused.pop(widget, None)
        if widget in self.pages:
            self.pages.remove(widget)
            GLib.timeout_add(300, lambda: parent.remove(widget))  # when it has slid away
        elif widget in self.covers:
            self.covers.remove(widget)
            parent.remove_overlay(widget)
        self.turn()
        if focus := self.focused.pop(self.top, None):
            focus.grab_focus()

    def turn(self) -> None:
        if self.pages:
            self.at("stack").set_visible_child(self.pages[-1])
        self.at("stack").set_sensitive(not self.covers)
        for cover in self.covers:
            cover.set_sensitive(cover is self.covers[-1])
        self.at("back").set_visible(len(self.pages) > 1)

    def say(self, text: str) -> None:
        """An alert, which nobody need answer."""
        self.at("alert").set_label(text)
        self.at("alert").set_visible(True)
        GLib.timeout_add_seconds(3, lambda: self.at("alert").set_visible(False))


def says(label: Any) -> Callable[[str], None]:
    """A row that shows a text in a label, which takes room only if there is one."""

    def show(text: Optional[str]) -> None:
        label.set_label(text or "")
        label.set_visible(bool(text))

    return show


class Widget(Screen):
    """A screen in the window, from the file. What is tied: a value, and a property of a widget."""

    ties: Dict[str, str] = {}
    buttons: Dict[str, str] = {}
    #: Values that are texts about what is wrong, and their labels.
    problems: Dict[str, str] = {}
    #: What gets the keys at first.
    focus = ""

    def __init__(
        self, frame: Frame, context: mainstem.Context, component: mainstem.Component
    ) -> None:
        self.frame, builder = frame, Gtk.Builder()
        builder.add_objects_from_file(UI, [self.kind.__name__])
        self.at, self.widget = builder.get_object, builder.get_object(self.kind.__name__)
        super().__init__(context, component)
        for name, command in self.buttons.items():
            runs(getattr(self.view, command), self.at(name), "clicked")
        self.tie()
        frame.put(component.kind, self.widget)
        if self.focus:
            self.at(self.focus).grab_focus()

    def rows(self) -> Dict[str, Any]:
        shown = {value: tie.split(".") for value, tie in self.ties.items()}
        wrong = {value: says(self.at(name)) for value, name in self.problems.items()}
        tied = {value: shows(self.at(name), prop) for value, (name, prop) in shown.items()}
        return {**tied, **wrong}

    def tie(self) -> None:
        """Ties what the user does, beside buttons."""

    def close(self) -> None:
        super().close()
        self.frame.take(self.widget)


class ListWidget(Widget, ListScreen):
    ties = {"title": "title.label", "footer": "footer.label", "can_more": "more.visible"}
    buttons = {"more": "more", "refresh": "refresh", "write": "write", "menu": "menu"}
    focus = "write"

    def rows(self) -> Dict[str, Any]:
        self.cells: Dict[int, Any] = {}
        alert = {"alert_message": self.say, "rows": self.fill}
        return {**ListScreen.rows(self), **Widget.rows(self), **alert}

    def tie(self) -> None:
        self.at("entries").connect("row-activated", lambda _, row: self.view.pick(row.view.id))

    def say(self, text: str) -> None:
        self.frame.say(text)
        lines.say(f"! {text}")

    def fill(self, rows: bytes) -> None:
        old, numbers = self.cells, [number for (number,) in iter_unpack("Q", rows)]
        self.cells = {number: old.get(number) or self.cell(number) for number in numbers}
        for cell in old.values():
            self.at("entries").remove(cell)
        for cell in self.cells.values():
            self.at("entries").append(cell)

    def cell(self, number: int) -> Any:
        label = Gtk.Label(xalign=0, margin_top=8, margin_bottom=8, margin_start=8)
        label.set_ellipsize(Pango.EllipsizeMode.END)
        cell, entry = Gtk.ListBoxRow(child=label), self.context.find_scope(number)
        cell.view = mainstem.view(self.window, EntryRow, entry, title=shows(label, "label"))
        return cell


class PageWidget(Widget, PageScreen):
    ties = {"day": "day.label", "can_save": "save.sensitive", "can_delete": "delete.sensitive"}
    problems = {"problem": "problem", "save_error": "error"}
    buttons = {"save": "save", "delete": "ask_delete", "done": "close"}
    focus = "text"

    def rows(self) -> Dict[str, Any]:
        text = mainstem.two_way(shows(self.at("text").get_buffer(), "text"))
        return {**super().rows(), "text": text}

    def tie(self) -> None:
        if not self.frame.rests:
            writes(self.view, "text", self.at("text").get_buffer(), "text")


class IdeaWidget(Widget, IdeaScreen):
    ties = {"text": "idea.label"}
    buttons = {"another": "another"}


class ConfirmWidget(Widget, ConfirmScreen):
    ties = {"text": "question.label"}
    buttons = {"confirm": "confirm", "refuse": "refuse"}
    focus = "refuse"


class SignInWidget(Widget, SignInScreen):
    ties = {"can_sign_in": "sign_in.sensitive"}
    problems = {"hint": "hint", "sign_in_error": "error"}
    buttons = {"sign_in": "sign_in"}
    focus = "nickname"

    def rows(self) -> Dict[str, Any]:
        nickname = mainstem.two_way(shows(self.at("nickname"), "text"))
        has_agreed = mainstem.two_way(shows(self.at("agreed"), "active"))
        return {**super().rows(), "nickname": nickname, "has_agreed": has_agreed}

    def tie(self) -> None:
        if self.frame.rests:
            return
        writes(self.view, "nickname", self.at("nickname"), "text")
        writes(self.view, "has_agreed", self.at("agreed"), "active")
        runs(self.view.sign_in, self.at("nickname"), "activate")


class GuideWidget(Widget, GuideScreen):
    ties = {"text": "guide.label"}
    buttons = {"understood": "understand"}
    focus = "understood"


class DrawerWidget(Widget, DrawerScreen):
    ties = {"summary": "summary.label", "is_signed_in": "sign_out.sensitive"}
    buttons = {"sign_out": "sign_out"}
    focus = "sign_out"

    def tie(self) -> None:
        self.at("away").connect("clicked", lambda _: self.frame.go_back())  # a tap beside it


ALL = [ListWidget, PageWidget, IdeaWidget, ConfirmWidget, SignInWidget, GuideWidget, DrawerWidget]


class App(diary_host.App):
    def __init__(self, context: mainstem.Context, close: Callable[[], None]) -> None:
        self.frame, self.close = Frame(self.back, self.leave), close
        self.is_leaving = self.is_shown_again = False
        screens = {each.kind.__name__: partial(each, self.frame) for each in ALL}
        super().__init__(context, screens)
        attach(context)
        self.frame.at("window").present()

    def leave(self) -> bool:
        """The user closes the window.

        What is not saved is asked about, as on any other way out. Who closes it while that is asked
        means it: the draft is kept.
        """
        if self.is_shown_again:
            self.close()
        elif self.is_edited and not self.is_leaving:
            self.is_leaving = True
            self.go_home(then=lambda _: GLib.idle_add(self.end), failed=lambda _: self.stay())
        else:
            self.end()
        return True

    def stay(self) -> None:
        self.is_leaving = False

    def end(self) -> None:
        self.settle()
        self.close()

    def settle(self) -> None:
        super().settle()
        while GLib.MainContext.default().iteration(False):
            pass

    def show_again(self, replay: mainstem.Replay, speed: float) -> None:
        """Shows a session as it was; then the window stays as it is, until the user closes it."""
        self.is_shown_again = self.stage.keeps_last = True
        self.frame.rest()
        replay.run(speed)


def main() -> None:
    given = diary_host.options()
    if Gdk.Display.get_default() is None:
        diary_host.main(given)
        return
    loop = GLib.MainLoop()
    diary_host.main(given, partial(App, close=loop.quit), None if given.script else loop.run)


if __name__ == "__main__":
    lines.run(main)

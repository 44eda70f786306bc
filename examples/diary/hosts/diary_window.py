#!/usr/bin/python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The diary in a window. With --script it is used by lines; without a display it has no window."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
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
from mainstem_bars import Bars, ReplayBar, clamped  # noqa: E402
from mainstem_gtk import RowModel, attach, factory_of, runs, shows, writes  # noqa: E402

#: Readable on the color of a selection, too.
CSS = "row:selected .dim-label { opacity: 0.9; }"
UI = str(Path(__file__).with_name("diary.ui"))


class Frame:
    """The window: where a component of a kind is put. What it is, it does not know."""

    def __init__(self) -> None:
        builder = Gtk.Builder()
        builder.add_objects_from_file(UI, ["window"])
        self.at, self.bars = builder.get_object, Bars(builder.get_object("window"))
        self.at("top").set_child(None)
        self.at("top").set_child(clamped(self.at("stack")))
        self.pages: List[Any] = []
        #: What the user does to the window, for the app; a session that is shown again has none.
        self.go_back: Callable[[], None] = lambda: None
        self.leave: Callable[[], None] = lambda: None
        #: Whether a session is shown again: nothing is typed.
        self.rests = False
        #: What lies over the pages; what is below the last one takes neither keys nor clicks.
        self.covers: List[Any] = []
        #: What had the keys when something was put over it.
        self.focused: Dict[Any, Any] = {}
        style = Gtk.CssProvider()
        style.load_from_data(CSS.encode())
        Gtk.StyleContext.add_provider_for_display(
            Gdk.Display.get_default(), style, Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION
        )
        self.at("back").connect("clicked", lambda _: self.go_back())
        self.at("window").connect("close-request", lambda _: self.leave() or True)
        keys = Gtk.EventControllerKey(propagation_phase=Gtk.PropagationPhase.CAPTURE)
        keys.connect("key-pressed", self.press)
        self.at("window").add_controller(keys)

    def press(self, _keys: Any, key: int, *_: Any) -> bool:
        """Escape takes away a dialog or a drawer."""
        if key != Gdk.KEY_Escape or not self.covers:
            return False
        self.go_back()
        return True

    def play(self, path: str, open: Callable[[mainstem.Context], Any]) -> ReplayBar:
        """Plays a session; `open` makes the app that shows it."""
        self.rests = True
        self.at("window").set_title("Diary, shown again")
        self.at("back").set_sensitive(False)

        def open_again(context: mainstem.Context) -> Callable[[], None]:
            open(context)
            return self.clear

        return self.bars.replay(path, open_again)

    def clear(self) -> None:
        """Takes everything away."""
        for cover in self.covers:
            self.at("top").remove_overlay(cover)
        while page := self.at("stack").get_first_child():
            self.at("stack").remove(page)
        self.pages, self.covers, self.focused = [], [], {}
        self.turn()

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
            GLib.timeout_add(300, lambda: self.remove(widget))  # when it has slid away
        elif widget in self.covers:
            self.covers.remove(widget)
            parent.remove_overlay(widget)
        self.turn()
        if focus := self.focused.pop(self.top, None):
            focus.grab_focus()

    def remove(self, widget: Any) -> None:
        if widget.get_parent() is self.at("stack"):
            self.at("stack").remove(widget)

    def turn(self) -> None:
        if self.pages:
            self.at("stack").set_visible_child(self.pages[-1])
        self.at("stack").set_sensitive(not self.covers)
        for cover in self.covers:
            cover.set_sensitive(cover is self.covers[-1])
        self.at("back").set_visible(len(self.pages) > 1)

    def say(self, text: str) -> None:
        """An alert: what was asked for was not done."""
        self.bars.error.show(text, "Nothing was changed. Try again.")


def says(label: Any) -> Callable[[str], None]:
    """A row that shows a text in a label, which takes room only if there is one."""

    def show(text: Optional[str]) -> None:
        label.set_label(text or "")
        label.set_visible(bool(text))

    return show


class Widget(Screen):
    """A screen in the window, from the file.

    What is tied: a value, and a property of a widget; if it is turned off, another has the keys.
    """

    ties: Dict[str, str] = {}
    buttons: Dict[str, str] = {}
    #: Values that are texts about what is wrong, and their labels.
    problems: Dict[str, str] = {}
    #: Of a command, the value that says why it failed, and what the user can do.
    failures: Dict[str, str] = {}
    #: What gets the keys at first.
    focus = ""

    def __init__(
        self, frame: Frame, context: mainstem.Context, component: mainstem.Component
    ) -> None:
        self.frame, self.has_failed, builder = frame, False, Gtk.Builder()
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
        tied = {value: shows(*self.tied(*words)) for value, words in shown.items()}
        failed = {f"{command}_error": partial(self.fail, command) for command in self.failures}
        return {**tied, **wrong, **failed}

    def tied(self, name: str, prop: str, next: str = "") -> Any:
        return self.at(name), prop, next and self.at(next)

    def fail(self, command: str, text: Optional[str]) -> None:
        """Says why a command failed; Retry runs it again."""
        error = self.frame.bars.error
        if text:
            error.show(text, self.failures[command], getattr(self.view, command))
        elif error.is_open and self.has_failed:
            error.close()
        self.has_failed = bool(text)

    def tie(self) -> None:
        """Ties what the user does, beside buttons."""

    def close(self) -> None:
        super().close()
        if self.has_failed:
            self.frame.bars.error.close()
        self.frame.take(self.widget)


class ListWidget(Widget, ListScreen):
    ties = {"title": "title.label", "can_more": "more.visible.entries"}
    buttons = {"more": "more", "refresh": "refresh", "write": "write", "menu": "menu"}
    focus = "write"

    def rows(self) -> Dict[str, Any]:
        self.model = RowModel(key=lambda row: row.id)
        alert = {"alert_message": self.say, "rows": self.take, "footer": self.show_footer}
        return {**ListScreen.rows(self), **Widget.rows(self), **alert}

    def tie(self) -> None:
        selection = Gtk.SingleSelection(model=self.model, autoselect=False, can_unselect=True)
        self.at("entries").set_model(selection)
        self.at("entries").set_factory(factory_of(make_cell, show_entry))
        picked = lambda _, at: self.view.pick(self.model[at].value.id)  # noqa: E731
        self.at("entries").connect("activate", picked)

    def take(self, rows: mainstem.Rows[EntryRow]) -> None:
        self.note(rows)  # for --script
        self.model.show(rows)
        self.show_footer(self.at("footer").get_label() or self.at("empty").get_label())

    def show_footer(self, text: str) -> None:
        """Below the entries; or in their place if there are none."""
        is_empty = not self.model.get_n_items()
        self.at("empty").set_label(text if is_empty else "")
        self.at("footer").set_label("" if is_empty else text)

    def say(self, text: str) -> None:
        self.frame.say(text)
        lines.say(f"! {text}")


def make_cell() -> Any:
    cell = Gtk.Box(spacing=8, margin_top=8, margin_bottom=8, margin_start=8, margin_end=8)
    cell.append(Gtk.Label(xalign=0, hexpand=True, ellipsize=Pango.EllipsizeMode.END))
    cell.append(Gtk.Label(css_classes=["dim-label"]))
    return cell


def show_entry(cell: Any, entry: EntryRow) -> None:
    cell.get_first_child().set_label(entry.title)
    cell.get_last_child().set_label(entry.day)


class PageWidget(Widget, PageScreen):
    ties = {"can_save": "save.sensitive.text", "can_delete": "delete.sensitive.text"}
    problems = {"problem": "problem"}
    failures = {"save": "The text is still here. Try again."}
    buttons = {"save": "save", "delete": "ask_delete", "done": "close"}
    focus = "text"

    def rows(self) -> Dict[str, Any]:
        text = mainstem.two_way(shows(self.at("text").get_buffer(), "text"))
        return {**super().rows(), "text": text, "day": self.show_day}

    def show_day(self, day: str) -> None:
        self.at("day").set_label(day or "A new entry")

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
    ties = {"can_sign_in": "sign_in.sensitive.nickname", "hint": "hint.label"}
    failures = {"sign_in": "Try again."}
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
    """The app in a window: its own, or one where a session is shown again."""

    def __init__(
        self, context: mainstem.Context, close: Callable[[], None], frame: Optional[Frame] = None
    ) -> None:
        self.frame, self.close = frame or Frame(), close
        self.is_leaving = False
        screens = {each.kind.__name__: partial(each, self.frame) for each in ALL}
        super().__init__(context, screens)
        if not frame:
            self.frame.go_back, self.frame.leave = self.back, self.leave
            attach(context)
            self.frame.at("window").present()

    def leave(self) -> None:
        """The user closes the window.

        What is not saved is asked about, as on any other way out. Who closes it while that is asked
        means it: the draft is kept.
        """
        if self.is_edited and not self.is_leaving:
            self.is_leaving = True
            self.go_home(then=lambda _: GLib.idle_add(self.end), failed=lambda _: self.stay())
        else:
            self.end()

    def stay(self) -> None:
        self.is_leaving = False

    def end(self) -> None:
        self.settle()
        self.close()

    def settle(self) -> None:
        super().settle()
        while GLib.MainContext.default().iteration(False):
            pass


def play(given: Any, loop: Any) -> None:
    """Plays a session: at its end, the window stays as it is until the user closes it."""
    frame = Frame()

    def open_again(context: mainstem.Context) -> None:
        if given.trace:
            context.trace()
        App(context, loop.quit, frame).stage.keeps_last = True

    player = frame.play(given.replay, open_again)
    frame.leave = loop.quit
    frame.at("window").present()
    player.start(given.speed, given.follow, loop.quit)
    loop.run()
    player.close()


def main() -> None:
    given = diary_host.options()
    if Gdk.Display.get_default() is None:
        diary_host.main(given)
        return
    loop = GLib.MainLoop()
    if given.replay and not given.script:
        play(given, loop)
        return

    def make(context: mainstem.Context) -> App:
        app = App(context, loop.quit)
        if given.record:
            app.frame.bars.record(context, given.record)
        return app

    diary_host.main(given, make, None if given.script else loop.run)


if __name__ == "__main__":
    lines.run(main)

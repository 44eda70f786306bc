#!/usr/bin/python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Tweetboat in a window, with GTK 4: a view of libTweetboatCore.so, and nothing else."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence

import boat
import gi  # type: ignore
from tweetboat import (
    ROOT,
    Http,
    Lookup,
    Profile,
    TweetCell,
    add_pictures,
    install,
    lines,
    mainstem,
)

sys.path.append(str(ROOT / "examples" / "gtk"))
gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, Gio, GLib, GObject, Gtk  # type: ignore  # noqa: E402
from mainstem_bars import Bars, clamped  # noqa: E402
from mainstem_gtk import attach, runs, shows, writes  # noqa: E402

UI = str(Path(__file__).with_name("boat.ui"))
CSS = """
.round { border-radius: 9999px; }
.rounded { border-radius: 8px; }
.card { border-radius: 12px; padding: 18px; }
"""


def built(name: str) -> Callable[[str], Any]:
    """The widgets of an object of the file, by their ids."""
    builder = Gtk.Builder()
    builder.add_objects_from_file(UI, [name])
    return builder.get_object  # type: ignore[no-any-return]


def quietly(call: Callable[[], Any]) -> Any:
    """Calls. What it is refused with is no news: what is shown has ended, or it is under way."""
    with suppress(mainstem.MainstemError):
        return call()


class Item(GObject.Object):  # type: ignore[misc]
    """What a row of the list shows: a cell, by its number; 0: that there is more."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def texture(pictures: mainstem.Resources, key: str) -> Optional[Any]:
    """A picture whose key has come; none: it is no picture, or that of a replay, which has none."""
    data = pictures.get(key) if key else None
    with suppress(GLib.Error):
        return data and Gdk.Texture.new_from_bytes(GLib.Bytes.new(bytes(data)))
    return None


class Pictured:
    """Widgets that show a view model with pictures, from an object of the file."""

    kind: Any = None

    def __init__(self, screen: Screen, name: str) -> None:
        self.screen, self.at = screen, built(name)
        self.view: Any = mainstem.view(screen.window, self.kind, **self.rows())
        runs(self.view.appear, self.at("again"), "clicked")

    def rows(self) -> Dict[str, Any]:
        return {"avatar": self.show_avatar, "picture_problem": self.show_problem}

    def show_avatar(self, key: str) -> None:
        avatar = self.at("avatar")
        if found := texture(self.screen.pictures, key):
            avatar.set_from_paintable(found)
            avatar.remove_css_class("dim-label")
        else:
            avatar.set_from_icon_name("avatar-default-symbolic")
            avatar.add_css_class("dim-label")

    def show_problem(self, text: str) -> None:
        self.at("problem").set_label(text)
        for name in ("problem", "again"):
            self.at(name).set_visible(bool(text))

    def point_at(self, number: int) -> None:
        """Shows another view model; 0: none."""
        owner = self.screen.owner.find_scope(number) if number else None
        mainstem.retarget(self.view, owner)


class Row(Pictured):
    """A row of the list, which is used again: a tweet, or what stands below the last one."""

    kind = TweetCell

    def __init__(self, screen: Screen) -> None:
        super().__init__(screen, "row")
        self.number = 0
        #: Whether it shows something, and whether that is in sight.
        self.is_bound = self.is_seen = False
        self.widget = clamped(self.at("row"))
        self.at("more_again").connect("clicked", lambda _: screen.load_more())

    def rows(self) -> Dict[str, Any]:
        at = self.at
        return {
            **super().rows(),
            "author": shows(at("author"), "label"),
            "text": shows(at("text"), "label"),
            "picture": self.show_picture,
            "picture_about": self.show_about,
            "appear_executing": shows(at("spinner"), "spinning"),
        }

    def show_about(self, about: str) -> None:
        self.at("picture").set_alternative_text(about)
        self.at("frame").set_tooltip_text(about)
        self.at("frame").set_visible(bool(about))

    def show_picture(self, key: str) -> None:
        found = texture(self.screen.pictures, key)
        self.at("picture").set_paintable(found)
        self.at("spinner").set_visible(not found)
        self.at("missing").set_visible(bool(key) and not found)

    def show_problem(self, text: str) -> None:
        super().show_problem(text)
        self.at("trouble").set_visible(bool(text))
        self.at("missing").set_visible(bool(text) and not self.at("picture").get_paintable())

    def bind(self, number: int) -> None:
        self.number, self.is_bound = number, True
        self.at("tweet").set_visible(bool(number))
        self.at("more").set_visible(not number)
        self.point_at(number)
        self.show_more()

    def unbind(self) -> None:
        self.look(False)
        self.is_bound = False
        self.point_at(0)

    def look(self, is_seen: bool) -> None:
        """What comes into sight asks for its pictures; what goes out of sight cancels them."""
        if is_seen == self.is_seen:
            return
        self.is_seen = is_seen
        if self.number:
            quietly(self.view.appear if is_seen else self.view.disappear)

    def show_more(self) -> None:
        lookup = self.screen.lookup
        if self.number or not self.is_bound or not lookup:
            return
        self.at("more_text").set_label(lookup.loading_row)
        self.at("more_spinner").set_spinning(not lookup.load_more.error)
        self.at("more_again").set_visible(bool(lookup.load_more.error))


class Card(Pictured):
    """Who wrote a tweet, over the list. Escape or its button close it."""

    kind = Profile

    def __init__(self, screen: Screen) -> None:
        super().__init__(screen, "profile")
        self.widget, self.focus = self.at("profile"), None
        self.widget.set_visible(False)
        mainstem.on_ended(self.view, self.close)
        self.at("close").connect("clicked", lambda _: self.close())

    def rows(self) -> Dict[str, Any]:
        names = ("full_name", "name", "about", "followers")
        return {**super().rows(), **{name: shows(self.at(name), "label") for name in names}}

    def open(self, number: int) -> None:
        if not self.widget.get_visible():
            self.focus = self.widget.get_root() and self.widget.get_root().get_focus()
        self.point_at(number)
        quietly(self.view.appear)
        self.turn(True)
        self.at("close").grab_focus()

    def close(self) -> None:
        if not self.widget.get_visible():
            return
        quietly(self.view.disappear)
        self.point_at(0)
        self.turn(False)
        if not self.focus or not self.focus.get_mapped() or not self.focus.grab_focus():
            self.screen.at("username").grab_focus()

    def turn(self, is_open: bool) -> None:
        """What is behind it takes neither keys nor clicks."""
        page = self.screen.at("page")
        self.widget.set_visible(is_open)
        page.set_can_target(not is_open)
        page.set_can_focus(not is_open)
        page.set_opacity(0.4 if is_open else 1)


class Screen(Pictured):
    """The screen of a site; without one, of what is opened in a replay."""

    kind = Lookup

    def __init__(
        self, window: mainstem.Scope, pictures: mainstem.Resources, bars: Bars, site: Optional[str]
    ) -> None:
        self.window = self.owner = window
        self.pictures, self.bars = pictures, bars
        self.lookup: Any = None
        self.list_rows: Dict[Any, Row] = {}
        self.cells: Any = Gio.ListStore(item_type=Item)
        self.more: Any = Gio.ListStore(item_type=Item)
        #: Whether it will look which rows are in sight.
        self.is_looking = False
        #: How often it will go to the first one: a list moves while it measures its rows.
        self.tops = 0
        super().__init__(self, "screen")
        self.widget = self.at("screen")
        for name in ("head", "top"):
            self.at("page").remove(self.at(name))
            self.at("page").prepend(clamped(self.at(name)))
        self.card = Card(self)
        self.widget.add_overlay(self.card.widget)
        self.make_list()
        self.tie(site)
        if site:
            self.show(window.open_instance("Lookup", site))

    # What is shown

    def rows(self) -> Dict[str, Any]:
        return {
            **super().rows(),
            "username": mainstem.two_way(shows(self.at("username"), "text")),
            "go_enabled": shows(self.at("go"), "sensitive"),
            "go_error": self.show_error,
            "is_loading": self.show_loading,
            "full_name": self.show_name,
            "cells": self.show_cells,
            "loading_row": self.show_more,
            "load_more_error": lambda text: self.draw_more(),
            "can_load_more": lambda can: self.look_later(),
        }

    def show(self, lookup: int) -> None:
        self.lookup = self.view
        self.point_at(lookup)

    def show_error(self, text: str) -> None:
        if text:
            self.bars.error.show(text, retry=self.view.go)
        else:
            self.bars.error.close()

    def show_loading(self, is_loading: bool) -> None:
        self.at("loading").set_spinning(is_loading)
        self.show_nothing()

    def show_name(self, name: str) -> None:
        self.at("full_name").set_label(name)
        self.at("head").set_visible(bool(name))
        self.show_nothing()

    def show_nothing(self) -> None:
        """In place of the list: what to do, or that there are no tweets."""
        is_empty = not self.cells.get_n_items() and not self.at("loading").get_spinning()
        text = "No tweets yet" if self.at("full_name").get_label() else "Type a name to see tweets"
        self.at("nothing").set_label(text if is_empty else "")

    def show_cells(self, numbers: Sequence[int]) -> None:
        """What is new in the list comes into its place; the other rows stay as they are."""
        now = list(numbers)
        before = [item.number for item in self.cells]
        begin = common(before, now)
        end = common(before[begin:][::-1], now[begin:][::-1])
        new = [Item(cell) for cell in now[begin : len(now) - end]]
        if before and not begin:  # another list
            self.at("scroller").get_vadjustment().set_value(0)
            self.tops = 3
        self.cells.splice(begin, len(before) - begin - end, new)
        self.show_nothing()
        self.look_later()

    def show_more(self, text: str) -> None:
        is_there = self.more.get_n_items() > 0
        if bool(text) != is_there:
            self.more.splice(0, is_there, [] if is_there else [Item(0)])
        self.draw_more()
        self.look_later()

    def draw_more(self) -> None:
        for row in self.list_rows.values():
            row.show_more()

    # The list

    def make_list(self) -> None:
        both = Gio.ListStore(item_type=Gio.ListModel)
        both.splice(0, 0, [self.cells, self.more])
        factory = Gtk.SignalListItemFactory()
        factory.connect("setup", self.set_up)
        factory.connect("bind", lambda _, it: self.list_rows[it].bind(it.get_item().number))
        factory.connect("unbind", lambda _, it: self.list_rows[it].unbind())
        factory.connect("teardown", lambda _, it: self.list_rows.pop(it))
        self.model = Gtk.NoSelection(model=Gtk.FlattenListModel(model=both))
        self.at("tweets").set_factory(factory)
        self.at("tweets").set_model(self.model)
        self.at("tweets").connect("activate", lambda _, place: self.activate(place))
        adjustment = self.at("scroller").get_vadjustment()
        adjustment.connect("changed", lambda _: self.look_later())
        adjustment.connect("value-changed", lambda _: self.look_later())

    def set_up(self, _factory: Any, item: Any) -> None:
        self.list_rows[item] = row = Row(self)
        item.set_child(row.widget)

    def look_later(self) -> None:
        """When all is in its place: the list has more rows than are in sight."""
        if not self.is_looking:
            self.is_looking, ticks = True, iter([True])
            self.widget.add_tick_callback(lambda *_: next(ticks, False) or self.look())

    def look(self) -> bool:
        self.is_looking = False
        if self.tops and self.cells.get_n_items():
            self.tops -= 1
            self.at("scroller").get_vadjustment().set_value(0)
            self.look_later()
        for row in list(self.list_rows.values()):
            row.look(row.is_bound and self.is_in_sight(row.widget))
            if row.is_seen and not row.number and not self.lookup.load_more.error:
                self.load_more()
        return False

    def is_in_sight(self, widget: Any) -> bool:
        found, box = widget.compute_bounds(self.at("scroller"))
        bottom = box.get_y() + box.get_height()
        return bool(widget.get_mapped() and found and bottom > 0 and self.height > box.get_y())

    @property
    def height(self) -> int:
        return int(self.at("scroller").get_height())

    # What the user does

    def tie(self, site: Optional[str]) -> None:
        keys = Gtk.EventControllerKey(propagation_phase=Gtk.PropagationPhase.CAPTURE)
        keys.connect("key-pressed", self.press)
        self.widget.add_controller(keys)
        if site:
            writes(self.view, "username", self.at("username"), "text")
            runs(self.view.go, self.at("go"), "clicked")
            runs(self.view.go, self.at("username"), "activate")
            return
        boat.watch(self.window, self.show, self.card.open, self.card.close)

    def press(self, _keys: Any, key: int, _code: int, state: Any) -> bool:
        is_control = bool(state & Gdk.ModifierType.CONTROL_MASK)
        if key == Gdk.KEY_Escape and self.card.widget.get_visible():
            self.card.close()
        elif key == Gdk.KEY_l and is_control:
            self.card.close()
            self.at("username").grab_focus()
        elif key == Gdk.KEY_F5:
            self.retry()
        else:
            return False
        return True

    def activate(self, place: int) -> None:
        """Who is that? Or below the last tweet: more."""
        wanted = self.model.get_item(place).number
        row = next(row for row in self.list_rows.values() if row.is_bound and row.number == wanted)
        if not wanted:
            self.load_more()
        elif opened := quietly(lambda: mainstem.open_child(row.view, "profile")):
            self.card.open(opened.result())

    def load_more(self) -> None:
        quietly(self.view.load_more)

    def retry(self) -> None:
        """Asks again for the pictures that have not come."""
        rows = [row for row in self.list_rows.values() if row.is_seen]
        for shown in (self, self.card, *rows):
            if shown.at("again").get_visible():
                quietly(shown.view.appear)

    def close(self) -> None:
        """The rows and the card end before the context does."""
        self.card.close()
        self.at("tweets").set_model(None)


def common(some: List[int], others: List[int]) -> int:
    """How many are the same at the beginning."""
    pairs = enumerate(zip(some, others))
    return next((at for at, (one, other) in pairs if one != other), min(len(some), len(others)))


class Window:
    """What is the same for an app that is used, and for a session that is shown again."""

    def __init__(self, given: Any) -> None:
        self.at, self.given, self.loop = built("window"), given, GLib.MainLoop()
        self.window = self.at("window")
        self.bars = Bars(self.window)
        self.screen: Optional[Screen] = None
        style = Gtk.CssProvider()
        style.load_from_data(CSS.encode())
        Gtk.StyleContext.add_provider_for_display(
            Gdk.Display.get_default(), style, Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION
        )
        self.window.connect("close-request", lambda _: self.loop.quit() or True)

    def open(self, context: mainstem.Context, site: Optional[str] = None) -> Callable[[], None]:
        """Shows the app on a context; returns what ends that."""
        pictures = install(context, self.given.patience, self.given.cache)
        context.install(Http(), on="host")
        add_pictures(context, pictures)
        self.screen = screen = Screen(context.scope("Window"), pictures, self.bars, site)
        self.bars.show(screen.widget)
        return screen.close

    def run(self, context: mainstem.Context) -> None:
        attach(context)
        if self.given.record:
            self.bars.record(context, self.given.record)
        close = self.open(context, self.given.site)
        self.present()
        self.loop.run()
        close()
        self.window.destroy()

    def run_again(self) -> None:
        self.window.set_title("Tweetboat, shown again")

        def open_again(context: mainstem.Context) -> Callable[[], None]:
            if self.given.trace:
                context.trace()
            return self.open(context)

        player = self.bars.replay(self.given.replay, open_again)
        player.start(self.given.speed, self.given.follow, self.loop.quit)
        self.present()
        self.loop.run()
        player.close()
        self.window.destroy()

    def present(self) -> None:
        self.window.present()


def main() -> None:
    given = boat.options()
    if Gdk.Display.get_default() is None:
        boat.run(given)
    elif given.replay:
        Window(given).run_again()
    else:
        with mainstem.Context() as context:
            boat.prepare(context, given)
            Window(given).run(context)
            if failed := context.first_error():
                sys.exit(str(failed))


if __name__ == "__main__":
    lines.run(main)

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A row of the list in a window: what it shows, and what the user does with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gi.repository import Gdk, Gtk  # type: ignore
from mainstem_gtk import Row

ROW = Path(__file__).with_name("todo_row.ui").read_text("utf-8")


class RowView:
    """It shows one todo after the other."""

    def __init__(self, window: Any, cell: Any, is_deleted: bool) -> None:
        self.window, self.cell, self.tie = window, cell, 0
        self.at = Gtk.Builder.new_from_string(ROW, -1).get_object
        self.at("edit" if is_deleted else "restore").set_visible(False)
        remove = "purge" if is_deleted else "delete"
        self.at("delete").set_tooltip_text("Remove (Delete)" if is_deleted else "Delete (Delete)")
        for button, action in (("edit", "edit"), ("restore", "restore"), ("delete", remove)):
            self.at(button).connect("clicked", lambda _, do=action: self.do(do))
        if not is_deleted:
            click = Gtk.GestureClick()
            click.connect("released", lambda *_: self.do("toggle"))
            self.at("box").add_controller(click)
            self.make_movable()
        cell.set_child(self.at("row"))

    def do(self, action: str) -> None:
        if not self.window.app.is_replay:
            getattr(self.window, action)(self.cell.get_item())

    def bind(self) -> None:
        self.tie = self.cell.get_item().connect("notify::value", lambda *_: self.show())
        self.show()

    def unbind(self) -> None:
        self.cell.get_item().disconnect(self.tie)

    def show(self) -> None:
        row = self.cell.get_item().value
        self.at("title").set_label(row["title"])
        self.at("subtitle").set_label(row["subtitle"])
        self.at("complete").set_active(row["complete"])
        (self.at("row").add_css_class if row["complete"] else self.at("row").remove_css_class)(
            "complete"
        )

    def make_movable(self) -> None:
        widget = self.at("row")
        drag = Gtk.DragSource(actions=Gdk.DragAction.MOVE)
        drag.connect("prepare", lambda *_: Gdk.ContentProvider.new_for_value(self.cell.get_item()))
        drag.connect(
            "drag-begin", lambda drag, _: drag.set_icon(Gtk.WidgetPaintable.new(widget), 0, 0)
        )
        drop = Gtk.DropTarget.new(Row.__gtype__, Gdk.DragAction.MOVE)
        drop.connect("motion", self.mark)
        drop.connect("leave", lambda _: self.mark(None, 0, -1))
        drop.connect("drop", self.drop)
        widget.add_controller(drag)
        widget.add_controller(drop)

    def is_below(self, y: float) -> bool:
        return bool(y > self.at("row").get_height() / 2)

    def mark(self, _drop: Any, _x: float, y: float) -> Any:
        """Where a row that is dropped here goes."""
        widget = self.at("row")
        for name, is_there in (("above", not self.is_below(y)), ("below", self.is_below(y))):
            (widget.add_css_class if is_there and y >= 0 else widget.remove_css_class)(name)
        return Gdk.DragAction.MOVE

    def drop(self, _drop: Any, moved: Any, _x: float, y: float) -> bool:
        self.mark(None, 0, -1)
        self.window.move(moved, self.cell.get_position() + self.is_below(y))
        return True

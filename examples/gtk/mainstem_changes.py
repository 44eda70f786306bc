# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Shows in a Gtk.ListView what has changed: one file to copy, beside mainstem_gtk.py.

todos = RowModel(key=lambda row: row["id"])
rows.set_factory(factory)                    # its "bind" shows a row
show_changes(rows, todos)                    # before there is a model over `todos`
rows.set_model(Gtk.SingleSelection.new(todos))

A row that is inserted fades in and slides down, one that moves or has another value is highlighted.
They have the CSS class `mainstem-inserted` or `mainstem-changed` until that is over. Only what is
on the screen is animated, at the time of the change: not what is scrolled to, not what a hidden
list gets, and nothing if gtk-enable-animations is off. Where no row stays, it is another list, and
where more than MANY rows change at once, nobody could follow: neither is animated.
"""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

from gi.repository import Gtk  # type: ignore
from mainstem_gtk import RowModel

#: How long a change is seen.
TIME_MS = 400
#: More rows at once are not animated.
MANY = 100

CSS = f"""
@keyframes mainstem-inserted {{ from {{ opacity: 0; transform: translateY(-12px); }} }}
@keyframes mainstem-changed {{ from {{ background-image: image(alpha(currentColor, 0.2)); }} }}
.mainstem-inserted {{ animation: mainstem-inserted {TIME_MS}ms ease-out; }}
.mainstem-changed {{ animation: mainstem-changed {TIME_MS}ms ease-out; }}
"""
INSERTED, CHANGED = "mainstem-inserted", "mainstem-changed"
_styles: Dict[Any, Any] = {}


class Play:
    """A change of a row, in the widget that shows it, until its time is over."""

    def __init__(self, row: Any, widget: Any, kind: str) -> None:
        self.row, self.widget, self.kind, self.began = row, widget, kind, 0
        self.tick = widget.add_tick_callback(self.frame)
        widget.add_css_class(kind)

    def frame(self, _widget: Any, clock: Any) -> bool:
        now = clock.get_frame_time()
        self.began = self.began or now
        if now - self.began < TIME_MS * 1000:
            return True
        self.tick = 0
        self.stop()
        return False

    def stop(self) -> None:
        if self.tick:
            self.widget.remove_tick_callback(self.tick)
        self.widget.remove_css_class(self.kind)
        self.row = None


def noted(rows: Any) -> List[Tuple[int, str]]:
    """The places of rows that were inserted, moved or changed; none: they are too many, or all."""
    places: List[Tuple[int, str]] = []
    inserted = 0
    for kind, index, count, to in rows.changes:
        if kind == "remove":
            continue
        if kind == "reset" or len(places) + count > MANY:
            return []
        first = to if kind == "move" else index
        if kind == "move":
            places = [(_moved(at, index, count, to), how) for at, how in places]
        elif kind == "insert":
            places = [(at + count * (at >= index), how) for at, how in places]
            inserted += count
        how = INSERTED if kind == "insert" else CHANGED
        places += [(at, how) for at in range(first, first + count)]
    return places if inserted < len(rows) else []


def _moved(at: int, index: int, count: int, to: int) -> int:
    """Where a row is after a run has moved."""
    if index <= at < index + count:
        return at + to - index
    at -= count * (at >= index)
    return at + count * (at >= to)


class Changes:
    def __init__(self, view: Any, rows: RowModel) -> None:
        self.view, self.rows = view, rows
        self.bound: Dict[Any, Any] = {}  # cells, by the rows that they show
        self.plays: Dict[Any, Play] = {}  # by cells
        #: What happened in the last change: CSS classes, by keys. The list binds its rows after
        #: that, some of them when the next frame is laid out.
        self.marks: Dict[object, str] = {}
        self.tick, self.is_laid_out = 0, False

    def changed(self, *_: object) -> None:
        self.marks.clear()
        is_animated = self.view.get_settings().get_property("gtk-enable-animations")
        if not is_animated or not self.view.get_mapped():
            return
        rows = self.rows.rows
        if rows:
            self.marks.update({self.rows.key(rows[at]): how for at, how in noted(rows)})
        for row, cell in self.bound.items() if self.marks else ():
            self.play(row, cell)
        self.is_laid_out = False
        self.tick = self.tick or self.view.add_tick_callback(self.laid_out)

    def laid_out(self, *_: object) -> bool:
        if self.is_laid_out:
            self.marks.clear()
            self.tick = 0
            return False
        self.is_laid_out = True  # it is, after the ticks
        return True

    def play(self, row: Any, cell: Any) -> None:
        """Animates the row of the list, around what the program shows in it."""
        how = self.marks.get(self.rows.key(row.value))
        if how and cell.get_child() and cell.get_child().get_parent():
            self.stop(cell)
            self.plays[cell] = Play(row, cell.get_child().get_parent(), how)

    def stop(self, cell: Any) -> None:
        if cell in self.plays:
            self.plays.pop(cell).stop()

    def bind(self, _: Any, cell: Any) -> None:
        row = cell.get_item()
        self.bound[row] = cell
        if cell not in self.plays or self.plays[cell].row is not row:  # it may be bound again
            self.stop(cell)
            self.play(row, cell)

    def unbind(self, _: Any, cell: Any) -> None:
        row = cell.get_item()
        if self.bound.get(row) is cell:
            del self.bound[row]

    def teardown(self, _: Any, cell: Any) -> None:
        self.stop(cell)


def show_changes(view: Any, rows: RowModel) -> Changes:
    """Shows what changes in rows. The list has its factory and no model yet: it is told first."""
    if view.get_model():
        raise ValueError("show_changes: call it before the list has its model")
    display, changes = view.get_display(), Changes(view, rows)
    if display not in _styles:
        _styles[display] = Gtk.CssProvider()
        _styles[display].load_from_data(CSS.encode())
        priority = Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION
        Gtk.StyleContext.add_provider_for_display(display, _styles[display], priority)
    view.get_factory().connect("bind", changes.bind)
    view.get_factory().connect("unbind", changes.unbind)
    view.get_factory().connect("teardown", changes.teardown)
    rows.connect("items-changed", changes.changed)
    return changes

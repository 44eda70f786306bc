# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Values and commands of view models, tied to widgets: one file to copy, for PyGObject.

attach(context)                                            # the GLib main loop delivers
view = mainstem.view(
    window, Lookup, number, go_alpha=shows(button, "opacity"), is_idle=shows(spinner, "!visible")
)
writes(view, "username", entry, "text")
runs(view.go, button, "clicked")

todos = RowModel(key=lambda row: row["id"])                # a list value, for Gtk.ListView
view = mainstem.view(window, Todos, owner, rows=todos.show)

What a write or a run is refused with goes to `on_refused`: mainstem_bars.py shows it in the window.
"""

from __future__ import annotations

import sys
from typing import Any, Callable, Optional
from weakref import WeakValueDictionary

import mainstem
from gi.repository import Gio, GLib, GObject, Gtk  # type: ignore

Again = Optional[Callable[[], None]]


def print_refusal(_widget: Any, error: mainstem.MainstemError, _again: Again) -> None:
    print(error, file=sys.stderr)


#: Gets the widget, the error, and what tries it again; no widget: the context was refused a drain.
on_refused: Callable[[Any, mainstem.MainstemError, Again], None] = print_refusal


def attempt(widget: Any, call: Callable[[], object]) -> None:
    """Calls, and reports a refusal. Of commands, DISABLED and EXECUTING are answers."""
    try:
        call()
    except mainstem.MainstemError as error:
        if error.status not in (mainstem.Status.DISABLED, mainstem.Status.EXECUTING):
            on_refused(widget, error, lambda: attempt(widget, call))


def attach(context: mainstem.Context) -> int:
    """Lets the main loop deliver what waits. Returns its source, for GLib.source_remove."""

    def readable(*_: object) -> bool:
        try:
            context.drain()
        except mainstem.MainstemError as error:
            on_refused(None, error, None)
        return True

    return GLib.unix_fd_add_full(  # type: ignore[no-any-return]
        GLib.PRIORITY_DEFAULT, context.fileno(), GLib.IOCondition.IN, readable
    )


def shows(widget: Any, prop: str, next: Any = None) -> Callable[[Any], None]:
    """A row that shows a value in a property; with a `!` before its name, the opposite.

    If a widget that has the keys is turned off or hidden, `next` gets them.
    """
    is_opposite, prop = prop.startswith("!"), prop.lstrip("!")

    def show(value: Any) -> None:
        value = not value if is_opposite else value
        if next and not value and widget.has_focus():
            next.grab_focus()
        widget.set_property(prop, value)

    return show


def writes(view: Any, name: str, widget: Any, prop: str) -> Callable[[], None]:
    """Writes what the user makes of a property. To show it, too: `two_way(shows(widget, prop))`.

    Returns a function that empties a text, and tells nobody.
    """

    def write(*_: object) -> None:
        attempt(widget, lambda: setattr(view, name, widget.get_property(prop)))

    handler = widget.connect(f"notify::{prop}", write)

    def empty() -> None:
        with widget.handler_block(handler):
            widget.set_property(prop, "")

    return empty


def runs(command: Callable[[], object], widget: Any, signal: str) -> None:
    """Runs a command for each signal."""
    widget.connect(signal, lambda *_: attempt(widget, command))


class Row(GObject.Object):  # type: ignore[misc]
    """A row of a list: the same object wherever the row moves, so it stays selected and focused."""

    __gtype_name__ = "MainstemRow"
    #: What the row is now: tie it with "notify::value".
    value: Any = GObject.Property(type=object)


class RowModel(GObject.Object, Gio.ListModel):  # type: ignore[misc]
    """A list value as a Gio.ListModel; its items are Rows. `show` is the row of a binding."""

    def __init__(self, key: Callable[[Any], object]) -> None:
        super().__init__()
        self.rows: Any = ()
        self.key = key
        self._made: Any = WeakValueDictionary()  # of a long list, only what is on the screen

    def show(self, rows: mainstem.Rows[Any]) -> None:
        """Takes a new version: one "items-changed" for all that has changed."""
        before, self.rows = len(self.rows), () if rows is None else rows
        at, removed, added = (0, before, 0) if rows is None else rows.span
        if rows is not None and rows.changes[:1] and rows.changes[0].kind == "reset":
            removed = before
        if removed or added:
            self.items_changed(at, removed, added)

    def do_get_item_type(self) -> Any:
        return Row.__gtype__

    def do_get_n_items(self) -> int:
        return len(self.rows)

    def do_get_item(self, place: int) -> Any:
        if place >= len(self.rows):
            return None
        value = self.rows[place]
        key = self.key(value)
        row = self._made.get(key)
        if row is None:
            row = self._made[key] = Row()
        if row.value != value:
            row.value = value
        return row


def factory_of(make: Callable[[], Any], show: Callable[[Any, Any], None]) -> Any:
    """A factory of the widgets of a list. `show` gets a widget and the row that it shows now."""
    factory, handlers = Gtk.SignalListItemFactory(), {}

    def bind(_: Any, cell: Any) -> None:
        widget, item = cell.get_child(), cell.get_item()
        show(widget, item.value)
        handlers[cell] = item.connect("notify::value", lambda item, _: show(widget, item.value))

    factory.connect("setup", lambda _, cell: cell.set_child(make()))
    factory.connect("bind", bind)
    factory.connect("unbind", lambda _, cell: cell.get_item().disconnect(handlers.pop(cell)))
    return factory

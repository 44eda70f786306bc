# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Values and commands of view models, tied to widgets: one file to copy, for PyGObject.

attach(context)                                            # the GLib main loop delivers
view = mainstem.view(
    window, Lookup, number, go_alpha=shows(button, "opacity"), is_idle=shows(spinner, "!visible")
)
writes(view, "username", entry, "text")
runs(view.go, button, "clicked")
"""

from __future__ import annotations

from typing import Any, Callable

import mainstem
from gi.repository import GLib  # type: ignore


def attach(context: mainstem.Context) -> int:
    """Lets the main loop deliver what waits. Returns its source, for GLib.source_remove."""

    def readable(*_: object) -> bool:
        context.drain()
        return True

    return GLib.unix_fd_add_full(  # type: ignore[no-any-return]
        GLib.PRIORITY_DEFAULT, context.fileno(), GLib.IOCondition.IN, readable
    )


def shows(widget: Any, prop: str) -> Callable[[Any], None]:
    """A row that shows a value in a property; with a `!` before its name, the opposite."""
    if prop.startswith("!"):
        return lambda value: widget.set_property(prop[1:], not value)
    return lambda value: widget.set_property(prop, value)


def writes(view: Any, name: str, widget: Any, prop: str) -> Callable[[], None]:
    """Writes what the user makes of a property. To show it, too: `two_way(shows(widget, prop))`.

    Returns a function that empties a text, and tells nobody.
    """
    write = widget.connect(
        f"notify::{prop}", lambda *_: setattr(view, name, widget.get_property(prop))
    )

    def empty() -> None:
        with widget.handler_block(write):
            widget.set_property(prop, "")

    return empty


def runs(command: Callable[[], object], widget: Any, signal: str) -> None:
    """Runs a command for each signal."""

    def run(*_: object) -> None:
        try:
            command()
        except mainstem.MainstemError as error:  # answers, too: the command's values say so
            if error.status not in (mainstem.Status.DISABLED, mainstem.Status.EXECUTING):
                raise

    widget.connect(signal, run)

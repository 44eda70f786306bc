# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Changes a long list that a user has scrolled, and prints what is seen: for test_window.py.

window_list.py DATABASE      a diary of Ada with 60 entries
"""

from __future__ import annotations

import faulthandler
import json
import sys
from pathlib import Path
from typing import Any, Callable, List, Tuple

sys.path.append(str(Path(__file__).resolve().parents[2] / "hosts"))
from diary_app import add_store, mainstem
from diary_window import App, GLib

MIDDLE = 30


class Use:
    def __init__(self, context: mainstem.Context) -> None:
        self.context, self.app = context, App(context, close=lambda: None)
        add_store(context, sys.argv[1], "2026-11-23")
        self.app.open("")
        self.app.settle()
        (self.screen,) = self.app.stage.screens.values()
        while self.screen.view.can_more:
            self.screen.view.more()
            self.app.settle()
        self.model = self.screen.model
        self.selection = self.screen.at("entries").get_model()
        #: Where the selected row is.
        self.top = 0.0
        self.signals: List[Tuple[int, int, int]] = []
        self.model.connect("items-changed", lambda _, *what: self.signals.append(what))

    def until(self, holds: Callable[[], Any]) -> None:
        """Lets the window work until something holds, or the test is stopped."""
        while not holds():
            GLib.MainContext.default().iteration(True)

    def top_of(self, id: int) -> float:
        """Where the cell of an entry is in the window; -1: nowhere."""
        entries = self.screen.at("entries")
        cell = entries.get_first_child()
        while cell is not None:
            if cell.get_first_child().get_first_child().get_label().startswith(f"Entry {id}."):
                return float(cell.compute_bounds(entries)[1].get_y())
            cell = cell.get_next_sibling()
        return -1

    def ask(self, name: str, **fields: Any) -> None:
        """Has the diary change something, and prints what the list says of it."""
        self.context.request(name, json.dumps(fields), then=lambda _: None)
        self.app.settle()
        print(name, self.signals, self.selected, self.top_of(MIDDLE) == self.top)
        self.signals.clear()

    @property
    def selected(self) -> Any:
        item = self.selection.get_selected_item()
        return item and item.value.id


def main() -> None:
    faulthandler.dump_traceback_later(80, exit=True)  # says what it waits for in vain
    with mainstem.Context() as context:
        use = Use(context)
        print(use.model.get_n_items(), "entries, selected:", use.selected)
        place = next(at for at, item in enumerate(use.model) if item.value.id == MIDDLE)
        use.selection.set_selected(place)
        scroll = "list.scroll-to-item"
        use.until(
            lambda: use.screen.at("entries").activate_action(scroll, GLib.Variant("u", place))
        )
        use.until(lambda: use.top_of(MIDDLE) > 0)
        use.app.settle()
        use.top = use.top_of(MIDDLE)
        use.ask("RequestCreateEntry", text="New.")
        use.ask("RequestUpdateEntry", id=MIDDLE + 1, text="Changed.")
        use.ask("RequestDeleteEntry", id=MIDDLE + 2)
        use.ask("RequestUpdateEntry", id=MIDDLE, text=f"Entry {MIDDLE}. Again.")
        use.screen.view.refresh()  # the first page takes the place of all others
        use.app.settle()
        print("refresh", use.signals, use.selected)
        use.signals.clear()
        while use.screen.view.can_more:
            use.screen.view.more()
            use.app.settle()
        print(use.model.get_n_items(), "entries")
        use.app.stage.hide(list(use.app.stage.screens))


if __name__ == "__main__":
    main()

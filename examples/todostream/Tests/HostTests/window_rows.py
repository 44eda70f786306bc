# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A long list in a window, and a session that is shown again: for test_window_rows.py.

window_rows.py long DATABASE        10,000 todos: how often the view is told, and what it makes
window_rows.py locked DATABASE      another program has locked the file
window_rows.py changes DATABASE     which rows are animated, and when
window_rows.py again DATABASE       records a session in two windows, and shows it again
"""

from __future__ import annotations

import faulthandler
import os
import random
import sqlite3
import sys
from pathlib import Path
from typing import Any, Callable, List, Tuple

sys.path.append(str(Path(__file__).resolve().parents[2] / "hosts"))
import todo_screen
import todo_window
from todo_window import App, Frame, GLib, Window, attach, mainstem, playing

MANY = 10_000
mainstem_changes: Any = sys.modules["mainstem_changes"]  # which todo_screen has found


def until(holds: Callable[[], Any]) -> None:
    """Lets the windows work until something holds, or the test is stopped."""
    while not holds():
        GLib.MainContext.default().iteration(True)


def settle(app: App) -> None:
    until(lambda: not app.context.request_count())
    while GLib.MainContext.default().iteration(False):
        pass


def shown(window: Window) -> Any:
    """What a user sees of it."""
    at = window.at
    rows = [[row.value["title"] for row in model] for model in (window.todos, window.deleted)]
    detail = at("title").get_text() if at("dialog").get_visible() else None
    said = at("problem").get_label() if detail is not None else ""
    return rows, at("summary").get_label(), at("name").get_label(), detail, said


class Use:
    """What the user does, without keys: the actions of the window."""

    def __init__(self, app: App) -> None:
        self.app = app

    def act(self, window: Window, *names: str) -> None:
        for name in names:
            window.actions[name]()
            settle(self.app)

    def select(self, window: Window, place: int) -> None:
        window.at("rows").get_model().set_selected(place)

    def save(self, window: Window, title: str) -> None:
        window.at("title").set_text(title)
        self.act(window, "save")


def long_list(path: str) -> None:
    made: List[Any] = []
    told: List[Any] = []
    row_view = todo_screen.RowView
    todo_screen.RowView = lambda *of: made.append(of) or row_view(*of)  # type: ignore
    with mainstem.Context() as context:
        app = App()
        app.install(context, path)
        source = attach(context)
        window, use = app.open(), Use(app)
        window.read("home")
        settle(app)
        with sqlite3.connect(path) as file:  # the columns are those of a todo that it has kept
            use.act(window, "new")
            use.save(window, "first")
            columns = [row[1] for row in file.execute("PRAGMA table_info(todo)")]
            rest = ", ".join(name for name in columns if name not in ("id", "title"))
            file.execute(
                f"WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < {MANY})"
                f" INSERT INTO todo (id, title, {rest}) SELECT 'id' || i, 'todo ' || i, {rest}"
                " FROM n, todo"
            )
        events: List[Any] = []
        window.todos.connect("items-changed", lambda *change: told.append(change[1:]))
        window.scope.observe("ViewModelServer.rows", lambda event: events.append(event.value.span))
        use.act(window, "read")
        print("rows:", window.todos.get_n_items(), "told:", len(told))
        told.clear()
        events.clear()
        for place in (MANY - 1, 5000, 0):
            use.select(window, place)
            chosen = window.chosen()
            use.act(window, "toggle", "up", "down", "down")
            assert window.chosen() is chosen, "the selection has not moved with its row"
        use.select(window, MANY - 1)
        chosen = window.chosen()
        window.move(chosen, 0)
        settle(app)
        assert window.place == 0 and window.chosen() is chosen
        window.move(chosen, MANY)
        settle(app)
        assert window.place == MANY - 1 and window.chosen() is chosen
        use.act(window, "delete", "undo")
        use.select(window, 0)
        use.act(window, "toggle")
        window.at("rows").activate_action("list.scroll-to-item", GLib.Variant("u", MANY // 2))
        settle(app)
        titles = {title_of(row) for row in rows_of(window) if is_animated(row)}
        assert titles <= {window.todos.rows[0]["title"]}, titles  # others have their widgets now
        print("told as often as something has changed:", told == events, len(told) > 10)
        print("made no more than some screens:", len(made) <= 600)
        app.gone(window)
        GLib.source_remove(source)


class Watch:
    """Which rows of a window are animated."""

    def __init__(self) -> None:
        self.seen: List[Any] = []
        self.made = mainstem_changes.Play
        mainstem_changes.Play = self.play
        self.shown: List[Any] = []
        self.made_shown = todo_screen.show_changes
        todo_screen.show_changes = self.show

    def play(self, row: Any, widget: Any, kind: str) -> Any:
        made = self.made(row, widget, kind)
        assert widget.has_css_class(kind)
        self.seen.append(f"{row.value['title']} {kind[9:]}")
        return made

    def show(self, *of: Any) -> Any:
        self.shown.append(self.made_shown(*of))

    def is_over(self) -> bool:
        return not any(each.marks or each.tick for each in self.shown)

    def take(self) -> List[Any]:
        seen, self.seen = self.seen, []
        return seen


def rows_of(window: Window, name: str = "rows") -> List[Any]:
    row, rows = window.at(name).get_first_child(), []
    while row:
        rows.append(row)
        row = row.get_next_sibling()
    return rows


def is_animated(row: Any) -> bool:
    return any(map(row.has_css_class, (mainstem_changes.INSERTED, mainstem_changes.CHANGED)))


def title_of(row: Any) -> str:
    text = row.get_first_child().get_first_child().get_next_sibling()
    return str(text.get_first_child().get_label())


def is_still(window: Window) -> bool:
    return not any(map(is_animated, rows_of(window) + rows_of(window, "deleted_rows")))


class Numbers(mainstem.ViewModel):
    """Rows of a key and a payload."""

    rows: Tuple[Any, ...] = mainstem.shown((), key=lambda row: row[0])

    @mainstem.command
    def set(self, rows: Tuple[Any, ...]) -> None:
        self.rows = rows


def noted(seeds: int) -> None:
    """What is noted of random changes: what is new, and what has moved or changed."""
    for seed in range(seeds):
        draw, got = random.Random(seed), []
        with mainstem.Context() as context:
            view = context.open(Numbers()).bind(rows=got.append)
            for _ in range(10):
                keys = draw.sample(range(12), draw.randint(1, 12))
                view.set(tuple((key, draw.randint(0, 1)) for key in keys))
                context.flush()
        for before, after in zip(got, got[1:]):
            old, new = dict(list(before)), dict(list(after))
            kinds = {after[at][0]: kind for at, kind in mainstem_changes.noted(after)}
            if not old.keys() & new.keys():
                assert not kinds, (seed, kinds)
                continue
            assert {key for key in kinds if "inserted" in kinds[key]} == new.keys() - old.keys()
            assert {key for key in new if old.get(key, new[key]) != new[key]} <= kinds.keys()
            still = [
                [key for key in rows if key in new and key not in kinds] for rows in (old, new)
            ]
            assert still[0] == still[1], (seed, kinds)


class Edited(List[str]):
    """Rows that were moved and inserted at random, in any order of places; they say so."""

    def __init__(self, draw: random.Random) -> None:
        super().__init__("abcdefgh")
        self.changes: List[Any] = []
        for _ in range(draw.randint(0, 3)):
            count = draw.randint(1, 3)
            index, to = (draw.randint(0, len(self) - count) for _ in range(2))
            run = [f"{row} moved" for row in self[index : index + count]]
            del self[index : index + count]
            self[to:to] = run
            self.changes.append(("move", index, count, to))
        for _ in range(draw.randint(0, 2)):
            count, index = draw.randint(1, 3), draw.randint(0, len(self))
            self[index:index] = ["inserted"] * count
            self.changes.append(("insert", index, count, 0))


def noted_anywhere(seeds: int) -> None:
    for seed in range(seeds):
        rows = Edited(random.Random(seed))
        places = dict(mainstem_changes.noted(rows))
        kinds = {at: "inserted" if row == "inserted" else "changed" for at, row in enumerate(rows)}
        marked = {at: f"mainstem-{kinds[at]}" for at in kinds if len(rows[at]) > 1}
        assert places == marked, (seed, rows, places)


def changes(path: str) -> None:
    noted(50)
    noted_anywhere(500)
    watch = Watch()
    with mainstem.Context() as context:
        app = App()
        app.install(context, path)
        source = attach(context)
        window, use = app.open(), Use(app)
        until(window.at("rows").get_mapped)
        window.read("home")
        settle(app)
        for title in ("Milk", "Bread", "Tea"):
            use.act(window, "new")
            use.save(window, title)
            print("add:", watch.take())
        until(lambda: is_still(window))
        for place, name in ((1, "toggle"), (0, "down"), (2, "delete"), (0, "undo")):
            use.select(window, place)
            use.act(window, name)
            print(f"{name}:", watch.take())
        use.act(window, "read")
        print("read:", watch.take())
        window.at("search").set_text("ea")
        until(lambda: window.todos.get_n_items() == 2)
        window.at("search").set_text("")
        until(lambda: window.todos.get_n_items() == 3)
        print("searched:", watch.take())
        until(lambda: is_still(window))
        use.act(window, "page")
        until(window.at("deleted_rows").get_mapped)
        print("another page:", watch.take())
        use.act(window, "page")
        window.at("rows").set_visible(False)
        use.act(window, "toggle")
        window.at("rows").set_visible(True)
        until(window.at("rows").get_mapped)
        print("hidden:", watch.take())
        window.at("window").get_settings().set_property("gtk-enable-animations", False)
        use.act(window, "toggle")
        print("switched off:", watch.take())
        window.at("window").get_settings().set_property("gtk-enable-animations", True)
        other = app.open()
        until(other.at("rows").get_mapped)
        print("a second window:", watch.take())
        use.act(other, "toggle")
        print("in both:", watch.take())
        until(lambda: is_still(window) and is_still(other) and watch.is_over())
        print("over")
        for each in list(app.windows):
            app.gone(each)
        GLib.source_remove(source)


def locked(path: str) -> None:
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA journal_mode = DELETE")
    with mainstem.Context() as context:
        app = App()
        app.install(context, path, patience=60_000)
        source = attach(context)
        window, use = app.open(), Use(app)
        window.read("home")
        settle(app)
        other.execute("BEGIN EXCLUSIVE")
        for title in ("Milk", "Bread"):  # the user need not wait for the disk
            window.actions["new"]()
            window.at("title").set_text(title)
            window.actions["save"]()
            print("the dialog:", window.at("dialog").get_visible())
        until(window.at("busy").get_visible)
        print(window.at("doing").get_label(), window.todos.get_n_items())
        other.execute("ROLLBACK")
        settle(app)
        until(lambda: not window.at("busy").get_visible())
        print("rows:", window.todos.get_n_items())
        window.actions["close"]()
        until(lambda: not app.windows)
        GLib.source_remove(source)
    with mainstem.Context() as context:
        app = App()
        app.install(context, path, patience=1)
        source = attach(context)
        window, use = app.open(), Use(app)
        window.read("home")
        settle(app)
        other.execute("BEGIN EXCLUSIVE")
        use.act(window, "delete")
        error = window.frame.bars.error
        print(error.is_open, error.text.get_label(), error.button.get_label())
        other.execute("ROLLBACK")
        error.button.emit("clicked")
        settle(app)
        print(error.is_open, window.todos.get_n_items(), window.at("deleted_title").get_label())
        app.gone(window)
        GLib.source_remove(source)
    other.close()


def session(app: App) -> List[Any]:
    """A session in two windows; what the first one has shown at the end of each step."""
    first, use, seen = app.open(), Use(app), []
    first.read("home")
    settle(app)
    for title in ("Milk", "Bread", "日本語 🎉 שלום"):
        use.act(first, "new")
        use.save(first, title)
        seen.append(shown(first))
    second = app.open()
    assert shown(second) == shown(first)
    use.act(second, "new", "save")
    assert second.detail and not first.detail  # the dialog is in the window that asked
    assert second.at("problem").get_label() == "Please add a title."
    use.act(second, "escape")
    for window, place, name in ((second, 0, "toggle"), (first, 1, "delete"), (second, 0, "down")):
        use.select(window, place)
        use.act(window, name)
        assert shown(second) == shown(first)
        seen.append(shown(first))
    use.act(second, "undo")
    first.read("work")
    settle(app)
    seen.append(shown(first))
    assert shown(second) == shown(first)
    app.gone(second)
    seen.append(shown(first))
    app.gone(first)
    return seen


def again(path: str) -> None:
    journal = f"{path}.journal"
    with mainstem.Context() as context:
        app = App(journal)
        context.record(journal)
        app.install(context, path)
        source = attach(context)
        seen = session(app)
        GLib.source_remove(source)
        assert context.first_error() is None
    windows: List[Window] = []
    replay, frame = App(is_replay=True), Frame()
    made = todo_window.Window
    todo_window.Window = lambda *of: windows.append(made(*of)) or windows[-1]  # type: ignore
    player = frame.bars.replay(journal, lambda context: replay.open_again(frame, context))
    frame.window.present()
    states = []
    for position in range(1, len(player.times) + 1):
        player.go(position)
        states.append(shown(windows[-1]))
    places = [states.index(state) for state in seen]
    print("the same, in this order:", places == sorted(places), len(set(places)) > 6)
    problems = [state[4] for state in states]
    print("said:", {problem for problem in problems if problem})
    last = shown(windows[-1])
    player.go(1)
    player.go(len(player.times))
    print("again from its beginning:", shown(windows[-1]) == last, len(windows))
    read, write = os.pipe()
    ends: List[str] = []
    player.follow(playing.Positions(read), lambda: ends.append("to its end"))
    followed = []
    for position in (len(states) // 2, len(states), 7, len(states)):
        os.write(write, b"%d\n" % position)
        until(lambda at=position: player.position == player.drawn == at)
        followed.append(shown(windows[-1]) == states[position - 1])
    os.close(write)
    until(lambda: ends)
    print("stepped by another process:", *followed, *ends)
    windows[-1].delete(windows[-1].chosen())  # nothing is sent
    print("asked:", replay.context.request_count())
    player.close()
    frame.window.destroy()


if __name__ == "__main__":
    faulthandler.dump_traceback_later(200, exit=True)  # says what it waits for in vain
    {"long": long_list, "locked": locked, "changes": changes, "again": again}[sys.argv[1]](
        sys.argv[2]
    )

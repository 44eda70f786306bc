# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What is in a window: what the core shows, and what the user does."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Set

import gi  # type: ignore
from todostream import ROOT, Todos, key_of, mainstem

sys.path.append(str(ROOT / "examples" / "gtk"))
gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import Gio, GLib, Gtk  # type: ignore  # noqa: E402
from mainstem_bars import Bars  # noqa: E402
from mainstem_changes import show_changes  # noqa: E402
from mainstem_gtk import RowModel, attempt  # noqa: E402
from todo_row import RowView  # noqa: E402

HERE = Path(__file__).parent
#: What to do about what the store says, beside what its text says: see todostream.h.
WHAT_TO_DO = {
    1010: "",
    1011: "Make the file writable, then try again.",
    1012: "Free some space, then try again.",
    1013: "Check the folder of the file, then try again.",
    1014: "Start the program with another file: --db PATH.",
}
TOAST_S = 10
#: What is searched for is a value of the query, and no part of its condition.
FOUND = "lower(title) contains lower($text) or lower(todo.subtitle) contains lower($text)"


def built(name: str) -> Callable[[str], Any]:
    """The widgets of a file, by their ids."""
    return Gtk.Builder.new_from_file(str(HERE / name)).get_object  # type: ignore[no-any-return]


class Frame:
    """A window with its title bar. What is in it comes and goes when a session is shown again."""

    def __init__(self) -> None:
        self.at = built("todo.ui")
        self.window = self.at("window")
        self.bars = Bars(self.window)


class Window:
    """What the user does becomes a request; what the core shows becomes widgets."""

    def __init__(self, app: Any, scope: mainstem.Scope, frame: Frame) -> None:
        self.app, self.scope, self.frame = app, scope, frame
        parts = built("todo_list.ui")
        self.at: Callable[[str], Any] = lambda name: parts(name) or frame.at(name)
        frame.bars.show(self.at("top"))
        self.list: Any = None
        self.todos, self.deleted = RowModel(key_of), RowModel(key_of)
        #: The edit session in the dialog; those that were saved here; those that come back, as
        #: they could not be kept.
        self.detail: Any = None
        self.saved: Set[str] = set()
        self.unsaved: List[Any] = []
        self.purged: Any = None  # what the user is asked about
        self.toasted: Optional[str] = None  # the row of the toast, which goes by itself
        self.timer = 0
        self.is_closing = False
        #: The edit that could not be kept when the user closed the window: closing again means it.
        self.warned: Any = None
        self.cover: Any = None  # what lies over the rest
        self.focus: Any = None  # what had the keys before that
        self.fill("rows", self.todos, is_deleted=False)
        self.fill("deleted_rows", self.deleted, is_deleted=True)
        self.add_actions()
        self.tie()

    def tie(self) -> None:
        app, at = self.app, self.at
        shown: Dict[str, Any] = {"detail": self.show_detail} if app.is_replay else {}
        mainstem.view(
            self.scope,
            Todos,
            app.todos,
            list=self.show_list,
            rows=partial(self.show_rows, self.todos),
            deleted_rows=partial(self.show_rows, self.deleted),
            **shown,
        )
        self.scope.observe(self.notice, role="response")
        at("pages").connect("notify::visible-child", lambda *_: self.show_summary())

    def present(self) -> None:
        """From now on, the user may use it."""
        at = self.at
        for name in ("title", "subtitle"):
            at(name).connect("activate", lambda _: self.save())
        at("search_bar").connect_entry(at("search"))
        # It is there at once: while it comes, GTK drops what is typed.
        at("search_bar").get_first_child().set_transition_duration(0)
        at("search").connect("search-changed", lambda _: self.read(self.name, self.leave_focus))
        at("search").connect("activate", lambda _: self.give_focus(None))
        at("list").connect("activate", lambda entry: self.read(entry.get_text()))
        at("known").connect("row-activated", lambda _, row: self.read(row.get_child().get_text()))
        at("names").connect("notify::visible", lambda *_: at("list").set_text(""))
        at("window").connect("close-request", lambda _: self.close())
        at("window").present()
        self.give_focus(None)

    def fill(self, name: str, model: RowModel, is_deleted: bool) -> None:
        """Shows rows with as many widgets as the screen needs."""
        views: Dict[Any, RowView] = {}
        factory = Gtk.SignalListItemFactory()
        factory.connect(
            "setup", lambda _, cell: views.update({cell: RowView(self, cell, is_deleted)})
        )
        factory.connect("bind", lambda _, cell: views[cell].bind())
        factory.connect("unbind", lambda _, cell: views[cell].unbind())
        factory.connect("teardown", lambda _, cell: views.pop(cell))
        self.at(name).set_factory(factory)
        show_changes(self.at(name), model)
        self.at(name).set_model(Gtk.SingleSelection.new(model))
        chosen = self.restore if is_deleted else self.edit
        self.at(name).connect("activate", lambda _, place: chosen(model.get_item(place)))

    def add_actions(self) -> None:
        """The shortcuts, buttons and menus of todo.ui name them."""
        chosen = self.chosen
        self.actions: Dict[str, Callable[[], object]] = {
            "new": lambda: self.ask("RequestNewTodoDetailViewModel", self.open, list=self.name),
            "undo": lambda: self.ask("RequestUndoDeleteTodoViewModel", list=self.name),
            "read": lambda: self.read(self.name),
            "search": self.search,
            "lists": lambda: self.at("lists").popup(),
            "page": self.turn,
            "toggle": lambda: self.toggle(chosen()),
            "delete": lambda: self.delete(chosen()),
            "purge": lambda: self.purge(chosen()),
            "up": lambda: self.move(chosen(), self.place - 1),
            "down": lambda: self.move(chosen(), self.place + 2),
            "window": self.app.open,
            "help": self.help,
            "save": self.save,
            "confirm": self.confirm,
            "escape": self.escape,
            "close": self.at("window").close,
        }
        self.group = Gio.SimpleActionGroup()
        for name, act in self.actions.items():
            action = Gio.SimpleAction.new(name, None)
            action.connect("activate", lambda *_, act=act: act())
            self.group.add_action(action)
        settings = Gtk.Settings.get_default()
        self.group.add_action(
            Gio.PropertyAction.new("dark", settings, "gtk-application-prefer-dark-theme")
        )
        self.at("window").insert_action_group("win", self.group)
        self.enable()

    def enable(self) -> None:
        """What is under a dialog takes nothing; where a session is shown again, nothing at all."""
        always = {"close", "help"}
        if not self.app.is_replay:
            always |= {"escape"} | ({"save", "confirm"} if self.cover else set(self.actions))
        for name in self.actions:
            self.group.lookup_action(name).set_enabled(name in always)
        self.at("lists").set_sensitive(not self.cover and not self.app.is_replay)
        self.at("main").set_sensitive(not self.cover)
        for change in ("can-target", "can-focus"):
            self.at("content").set_property(change, not self.cover)

    # What the core shows

    @property
    def name(self) -> str:
        return self.list["id"] if self.list else "home"

    def show_rows(self, model: RowModel, rows: mainstem.Rows[Any]) -> None:
        model.show(rows)
        focus = self.at("window").get_focus()
        if not focus or not focus.get_root():  # a row that was removed: GTK leaves it the keys
            self.give_focus(None)

    def give_focus(self, focus: Any) -> None:
        """Gives the keys to what had them, or to the list."""
        if self.app.is_replay:
            return
        had = focus and focus.get_root() and focus.grab_focus()
        if not had and not self.page_list().grab_focus():
            self.at("window").set_focus(None)

    def show_list(self, shown: Any) -> None:
        self.list = shown
        self.at("name").set_label(shown["id"] if shown else "")
        if shown:
            self.at("window").set_title(shown["id"] + self.app.title)
            self.app.add_name(shown["id"])
        self.show_summary()

    def add_name(self, name: str) -> None:
        self.at("known").append(Gtk.Label(label=name, xalign=0))

    def show_summary(self) -> None:
        shown = self.list or {"summary": "", "deletedSummary": ""}
        is_deleted = self.at("pages").get_visible_child_name() == "deleted"
        self.at("summary").set_label(shown["deletedSummary" if is_deleted else "summary"])
        for name, label, model in (
            ("summary", "empty", self.todos),
            ("deletedSummary", "none_deleted", self.deleted),
        ):
            self.at(label).set_label(shown[name])
            self.at(label).set_visible(not model.get_n_items())

    def show_detail(self, detail: Any) -> None:
        """The edit session of a session that is shown again."""
        if self.detail:
            self.uncover()
        self.detail = None
        if detail:
            self.open({"detail": detail})

    def notice(self, event: mainstem.Event) -> None:
        """What any view has caused; answers to this one come to `answered`, too."""
        self.app.watch()
        if event.failed:
            if self.detail and event.error and event.error.subject == self.detail["session"]:
                self.show_problem(event.text)
            elif self.app.is_replay:
                self.show_failure(event)
            return
        if self.app.is_replay:
            self.frame.bars.error.close()
        answer = json.loads(event.data)
        if event.name == "ResponseTodoViewModel":
            self.toast(answer["row"])
        elif event.name == "ResponseTodoDetailViewModel" and "error" in answer["detail"]:
            self.reopen(answer)

    def reopen(self, answer: Any) -> None:
        """An edit could not be kept. It comes back where it was made."""
        if answer["detail"]["session"] in self.saved:
            self.open(answer)

    def toast(self, row: Any) -> None:
        """A delete can be undone, whichever view made it."""
        if not row["deleted"] and self.toasted != key_of(row):
            return
        self.hide_toast()
        if row["deleted"]:
            self.toasted = key_of(row)
            self.at("deleted_title").set_label(f"Deleted “{row['title']}”")
            self.at("toast").set_reveal_child(True)
            self.timer = GLib.timeout_add_seconds(TOAST_S, self.hide_toast)

    def hide_toast(self) -> bool:
        if self.timer:
            GLib.source_remove(self.timer)
        self.toasted, self.timer = None, 0
        self.at("toast").set_reveal_child(False)
        return False

    def show_failure(self, event: Any, again: Optional[Callable[[], None]] = None) -> None:
        """Says what has failed and what to do, and offers to try again if that may help."""
        hint = WHAT_TO_DO.get(int(event.error.code))
        self.frame.bars.error.show(event.text, hint or "", None if hint is None else again)

    # What the user does

    def ask(
        self, what: str, then: Optional[Callable[[Any], None]] = None, **payload: object
    ) -> None:
        """Asks. If it fails, the user is told, and may ask again."""
        if self.app.is_replay:
            return
        self.frame.bars.error.close()
        data = json.dumps(payload, ensure_ascii=False)
        again = partial(self.ask, what, then, **payload)
        answered = partial(self.answered, again, then)
        attempt(self.at("top"), lambda: self.scope.request(what, data, then=answered))
        self.app.watch(what)

    def answered(
        self, again: Callable[[], None], then: Optional[Callable[[Any], None]], event: Any
    ) -> None:
        if not event.failed:
            if then:
                then(json.loads(event.data))
        elif event.status != mainstem.Status.CANCELLED:  # the window is there
            self.warned = self.edited if self.is_closing and self.detail else None
            self.is_closing = False  # there is something to read
            if not self.detail or event.error.subject != self.detail["session"]:
                self.show_failure(event, again)

    def page_list(self) -> Any:
        is_deleted = self.at("pages").get_visible_child_name() == "deleted"
        return self.at("deleted_rows" if is_deleted else "rows")

    def chosen(self) -> Any:
        return self.page_list().get_model().get_selected_item()

    @property
    def place(self) -> int:
        return int(self.page_list().get_model().get_selected())

    def search(self) -> None:
        self.at("search_bar").set_search_mode(True)
        self.at("search").grab_focus()

    def leave_focus(self, _answer: Any) -> None:
        """The user goes on typing; where the search was closed, it is in the list."""
        if not self.at("search_bar").get_search_mode():
            self.give_focus(None)

    def read(self, name: str, then: Optional[Callable[[Any], None]] = None) -> None:
        """Reads a list, or what is searched for in it."""
        if self.at("names").get_visible():
            self.at("names").popdown()
        if name:
            text = self.at("search").get_text()
            query = {"query": {"where": FOUND, "values": {"text": text}}} if text else {}
            then = then or (lambda _: self.give_focus(None))
            self.ask("RequestTodoViewModels", then, list=name, **query)

    def turn(self) -> None:
        is_deleted = self.at("pages").get_visible_child_name() == "deleted"
        self.at("pages").set_visible_child_name("todos" if is_deleted else "deleted")
        self.give_focus(None)

    def toggle(self, row: Any) -> None:
        if row:
            self.ask("RequestToggleCompleteTodoViewModel", row=row.value)

    def delete(self, row: Any) -> None:
        if row:
            self.ask("RequestDeleteTodoViewModel", row=row.value)

    def restore(self, row: Any) -> None:
        if row:
            self.ask("RequestRestoreTodoViewModel", row=row.value)

    def edit(self, row: Any) -> None:
        if row:
            self.ask("RequestTodoDetailViewModel", self.open, row=row.value)

    def move(self, row: Any, place: int) -> None:
        """Moves a row in front of the one at a place, or behind the last one."""
        rows = self.todos.rows
        if not row or not 0 <= place <= len(rows):
            return
        before = {"before": rows[place]} if place < len(rows) else {}
        if not before or key_of(before["before"]) != key_of(row.value):
            self.ask("RequestMoveTodoViewModel", lambda _: self.scroll(), row=row.value, **before)

    def scroll(self) -> None:
        if self.todos.get_n_items():
            place = GLib.Variant("u", self.at("rows").get_model().get_selected())
            self.at("rows").activate_action("list.scroll-to-item", place)

    def purge(self, row: Any) -> None:
        """This one cannot be undone: the user is asked."""
        if row:
            self.purged = row
            self.at("purged_title").set_label(row.value["title"])
            self.put_over("question", "keep")

    def confirm(self) -> None:
        self.uncover()
        row, self.purged = self.purged, None
        self.ask("RequestPurgeTodoViewModel", row=row.value)

    # The dialog

    def open(self, answer: Any) -> None:
        detail = answer["detail"]
        if self.cover:  # one after the other
            self.unsaved.append(answer)
            return
        self.warned = detail if self.is_closing and "error" in detail else None
        self.detail, self.is_closing = detail, False
        self.at("heading").set_label("Edit Todo" if detail["title"] else "New Todo")
        for name in ("title", "subtitle"):
            self.at(name).set_enable_undo(False)  # of the todo before
            self.at(name).set_text(detail[name])
            self.at(name).set_enable_undo(True)
        self.at("high").set_active(detail["priority"] == "high")
        self.put_over("dialog", "title")
        self.show_problem(detail.get("error", ""))

    def show_problem(self, text: str) -> None:
        self.at("problem").set_label(text)
        self.at("problem").set_visible(bool(text))
        self.at("title").grab_focus()

    @property
    def edited(self) -> Any:
        title, subtitle = (self.at(name).get_text() for name in ("title", "subtitle"))
        priority = "high" if self.at("high").get_active() else "normal"
        return {**self.detail, "title": title, "subtitle": subtitle, "priority": priority}

    def save(self) -> None:
        if self.detail and not self.app.is_replay:
            self.saved.add(self.detail["session"])
            self.ask("RequestUpdateDetailViewModel", self.leave, detail=self.edited)

    def leave(self, _answer: Any = None) -> None:
        self.detail = None
        self.uncover()

    def escape(self) -> None:
        """Leaves what is on top: a dialog, or else what has been said."""
        if self.detail:
            self.ask("RequestCancelDetailViewModel", self.leave, detail=self.detail)
        elif self.cover:
            self.purged = None
            self.uncover()
        else:
            self.hide_toast()

    def put_over(self, name: str, focus: str) -> None:
        self.cover, self.focus = self.at(name), self.at("window").get_focus()
        self.cover.set_visible(True)
        self.at(focus).grab_focus()
        self.enable()

    def uncover(self) -> None:
        cover, self.cover = self.cover, None
        self.enable()
        self.give_focus(self.focus)
        cover.set_visible(False)
        if self.unsaved:
            self.open(self.unsaved.pop(0))

    def help(self) -> None:
        self.at("help").set_transient_for(self.at("window"))
        self.at("help").present()

    # The end

    def close(self) -> bool:
        """The user closes the window: an edit is saved, and what is open is waited for.

        What fails then is shown, and the window stays. Who closes it again means it.
        """
        if self.is_closing:
            self.app.gone(self)
            return True
        self.is_closing = True
        if self.detail:
            is_kept = self.edited == self.detail and "error" not in self.detail
            (self.escape if is_kept or self.edited == self.warned else self.save)()
        self.end_when_quiet()
        return True

    def end(self) -> None:
        """Ends what is in the window, before the context closes."""
        self.hide_toast()
        self.frame.bars.show(None)
        self.scope.end()

    def end_when_quiet(self) -> None:
        if self.is_closing and not self.detail and not self.app.context.request_count():
            self.app.gone(self)

#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A todo list in a terminal: the view of libtodostream.so, and nothing else."""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from select import select
from typing import Any, Dict, Iterator, Optional, Set

from todostream import Todos, Uploads, install, lines, mainstem, playing

ROWS = {
    "show": "RequestTodoDetailViewModel",
    "edit": "RequestTodoDetailViewModel",
    "subtitle": "RequestTodoDetailViewModel",
    "priority": "RequestTodoDetailViewModel",
    "toggle": "RequestToggleCompleteTodoViewModel",
    "move": "RequestMoveTodoViewModel",
    "delete": "RequestDeleteTodoViewModel",
    "restore": "RequestRestoreTodoViewModel",
    "purge": "RequestPurgeTodoViewModel",
}
FIELDS = {"add": "title", "edit": "title", "subtitle": "subtitle", "priority": "priority"}
OTHER = {"high": "normal", "normal": "high"}
SIGNS = {"insert": "+ ", "remove": "- ", "move": "> ", "update": "* "}
SORTS = {
    "title": "lower(title)",
    "priority": "todo.priority",
    "created": "-todo.createdAt",
    "done": "-complete",
}
FOUND = "lower(title) contains lower($text) or lower(todo.subtitle) contains lower($text)"
PAGE, PAGES = 10, 1000000
HELP = (
    "list [deleted], find [TEXT], sort [FIELD], page N, add TITLE, show N, edit N TITLE, "
    "subtitle N TEXT, priority N, toggle N, move N M, delete N, undo, restore N, purge N, quit"
)


class View:
    def __init__(self, scope: mainstem.Scope, todos: mainstem.Scope) -> None:
        self.scope = scope
        # The list that was read, its rows and those of the deleted todos, as they are shown.
        self.list: Any = None
        # What it shows of them, and whether it is about to show something else.
        self.sought, self.sorted, self.page = "", "", 0
        self.has_query = self.is_quiet = False
        self.rows: Any = ()
        self.deleted: Any = ()
        self.shown = mainstem.view(
            scope,
            Todos,
            todos,
            list=partial(setattr, self, "list"),
            rows=self.show_rows,
            deleted_rows=self.show_deleted,
        )
        scope.observe("RequestTodoViewModels", self.note_query)
        self.doing = "Loading …"
        self.saved: Set[str] = set()  # the edit sessions that were saved here

    def open(self) -> None:
        # On the host: what a view sends is an input, as a verification has no view.
        self.scope.observe("ResponseTodoDetailViewModel", self.print_unsaved, on="host")
        self.ask("RequestTodoViewModels", list="home")
        self.settle()

    def show_again(self, fed: Iterator[bool]) -> None:
        """Shows a session: what was asked is answered as it was."""
        self.scope.observe(self.print_answer, role="response")
        for _ in fed:
            self.scope.context.drain()

    def note_query(self, event: mainstem.Event) -> None:
        """Where this view asks for other rows, the answer prints them, and not what changes."""
        had_query, self.has_query = self.has_query, "query" in json.loads(event.data)
        self.is_quiet = event.origin == self.scope.name and (had_query or self.has_query)

    def show_rows(self, rows: mainstem.Rows[Any]) -> None:  # what has changed, by any view
        before, self.rows = self.rows, rows
        for kind, index, count, to in rows.changes if self.list and not self.is_quiet else ():
            at = to if kind == "move" else index
            for place in range(at, at + count) if kind in SIGNS else ():
                self.print_row(SIGNS[kind], place, before if kind == "remove" else rows)

    def show_deleted(self, rows: mainstem.Rows[Any]) -> None:
        """A deleted row that is in no list now was purged."""
        before, self.deleted = self.deleted, rows
        for kind, index, count, _ in rows.changes if self.list and not self.is_quiet else ():
            for place in range(index, index + count) if kind == "remove" else ():
                if self.rows.find(before[place]["todo"]["id"]) is None:
                    self.print_row(SIGNS[kind], place, before)

    def print_row(self, sign: str, place: int, rows: mainstem.Rows[Any]) -> None:
        mark = " x"[rows[place]["complete"]]
        lines.say(f"{sign}{rows.offset + place + 1}. [{mark}] {rows[place]['title']}")

    def print_detail(self) -> None:
        detail = self.shown.detail
        lines.say(f"{detail['title']} ({detail['completedText']}, {detail['priorityText']})")
        if detail["subtitle"]:
            lines.say(detail["subtitle"])

    def print_unsaved(self, event: mainstem.Event) -> None:
        """What could not be kept is open again; here, it is typed again."""
        detail = {} if event.failed else json.loads(event.data)["detail"]
        if "error" in detail and detail["session"] in self.saved:
            self.saved.remove(detail["session"])
            lines.say(detail["error"])
            self.ask("RequestCancelDetailViewModel", detail=detail)

    def print_answer(self, event: mainstem.Event) -> None:
        payload = {} if event.failed else json.loads(event.data)
        if event.failed:
            self.is_quiet = False
            lines.say(event.text)
        elif "error" in payload.get("detail", {}):
            lines.say(payload["detail"]["error"])
        elif "deleted" in payload:  # a list was read
            self.print_list(payload["deleted"])

    def print_list(self, is_deleted: bool) -> None:
        self.is_quiet = False
        rows = self.deleted if is_deleted else self.rows
        for place in range(len(rows)):
            self.print_row("", place, rows)
        lines.say(self.list["deletedSummary" if is_deleted else "summary"])

    def ask(self, what: str, printed: Optional[bool] = None, **payload: object) -> None:
        """Asks; the answer prints a list, or what went wrong."""
        then = partial(self.answered, printed)
        self.scope.request(what, json.dumps(payload, ensure_ascii=False), then=then)

    def answered(self, printed: Optional[bool], event: mainstem.Event) -> None:
        if event.failed:
            self.is_quiet = False
            lines.say(event.text)
        elif printed is not None:  # what is shown is up to date
            self.print_list(printed)

    def settle(self, *inputs: Any) -> None:
        """Waits until the store, on its thread, has answered everything, or until input comes.

        A terminal is told what takes long.
        """
        app, silence = self.scope.context, 0.3 if sys.stdout.isatty() else None
        while (waits := app.request_count()) or app.drain():
            ready = select([app, *inputs], [], [], silence)[0] if waits else [app]
            if not ready:
                lines.say(self.doing)
                silence = None
            elif app not in ready:
                return
            app.drain()

    def save(self, field: str, text: str) -> None:
        try:
            edited = {**self.shown.detail, field: text}
            self.saved.add(edited["session"])
            self.ask("RequestUpdateDetailViewModel", detail=edited)
        except UnicodeError:
            lines.say("This is no text.")

    def select(self, command: str, argument: str) -> None:
        """Shows the list, or what is selected from it; what was typed is a value of the query."""
        is_deleted = command == "list" and argument == "deleted"
        page = lines.number(argument)[0]
        if command == "sort" and argument and argument not in SORTS:
            lines.say(f"sort by one of: {', '.join(SORTS)}")
            return
        if command == "page" and not 0 < page <= PAGES:
            lines.say("There is no such page.")
            return
        self.page = page if command == "page" else 0
        if command != "page":
            self.sought = {"find": argument, "sort": self.sought}.get(command, "")
            self.sorted = {"find": self.sorted, "sort": argument}.get(command, "")
        query: Dict[str, Any] = {}
        if self.sought:
            query.update(where=FOUND, values={"text": self.sought})
        if self.sorted:
            query["sort"] = [SORTS[self.sorted]]
        if self.page:
            query.update(offset=PAGE * (self.page - 1), limit=PAGE)
        asked = {"list": "home", "deleted": is_deleted, **({"query": query} if query else {})}
        try:
            self.ask("RequestTodoViewModels", is_deleted, **asked)
        except UnicodeError:
            self.sought = ""
            lines.say("This is no text.")

    def obey(self, command: str, argument: str) -> None:
        self.doing = "Loading …" if command in ("list", "find", "sort", "page") else "Saving …"
        number, text = lines.number(argument)
        if command in ("list", "find", "sort", "page"):
            self.select(command, argument)
        elif command == "add":
            self.ask("RequestNewTodoDetailViewModel", list="home")
            text = argument
        elif command == "undo":
            self.ask("RequestUndoDeleteTodoViewModel", list="home")
        elif command not in ROWS:
            lines.say(HELP)
        else:
            rows = self.deleted if command in ("restore", "purge") else self.rows
            to = lines.number(text)[0] if command == "move" else number
            number, to = number - rows.offset, to - rows.offset
            if not 0 < number <= len(rows) or not 0 < to <= len(rows):
                lines.say("There is no such row.")
            elif command == "move" and to + (to > number) <= len(rows):
                before = rows[to + (to > number) - 1]
                self.ask(ROWS[command], row=rows[number - 1], before=before)
            else:
                self.ask(ROWS[command], row=rows[number - 1])
        if self.shown.detail and command == "show":
            self.print_detail()
        elif self.shown.detail and command in FIELDS:
            is_toggle = command == "priority"
            self.save(FIELDS[command], OTHER[self.shown.detail[command]] if is_toggle else text)
        if self.shown.detail:  # unless it was saved
            self.ask("RequestCancelDetailViewModel", detail=self.shown.detail)


def prepared(
    context: mainstem.Context, options: argparse.Namespace, uploads: Optional[Uploads] = None
) -> mainstem.Scope:
    """Installs the app, and returns what a view is bound to."""
    if options.record:
        context.record(options.record)
    if options.trace:
        context.trace()
    return install(context, options.db, options.patience, uploads=uploads)


def view_of(context: mainstem.Context, todos: mainstem.Scope) -> View:
    return View(context.scope("view", sends="viewmodel", observes="viewmodel"), todos)


def main() -> None:
    parser = argparse.ArgumentParser(prog="todo")
    parser.add_argument("--db", default="todo.sqlite", metavar="PATH")
    parser.add_argument("--patience", type=int, default=0, metavar="MS")
    parser.add_argument("--record", metavar="PATH")
    parser.add_argument("--analytics", metavar="FILE")
    parser.add_argument("--trace", action="store_true")
    parser.add_argument("--describe", action="store_true")
    options = playing.parsed(parser)
    if options.replay and options.analytics:
        parser.error("a session is uploaded when it is made, and not when it is shown again")
    if options.replay:
        for context, fed in playing.contexts(options, verify=True):
            view_of(context, prepared(context, options)).show_again(fed)
        return
    uploads = Uploads(options.analytics) if options.analytics else None
    with mainstem.Context() as context:
        todos = prepared(context, options, uploads)
        if options.describe:
            print(context.describe().json)
            return
        view = view_of(context, todos)
        view.open()
        for command, argument in lines.commands("todo> "):
            view.obey(command, argument)
            view.settle(*[sys.stdin] * sys.stdin.isatty())  # or until the next command is typed
        view.settle()  # what is not saved yet
        if uploads:
            uploads.rest(context)
        if failed := context.first_error():
            sys.exit(str(failed))


if __name__ == "__main__":
    lines.run(main)

#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A todo list in a terminal: the view of libtodostream.so, and nothing else."""

from __future__ import annotations

import argparse
import json
import re
import sys
from functools import partial
from select import select
from typing import Any

from todostream import Todos, install, lines, mainstem

ROWS = {
    "show": "RequestTodoDetailViewModel",
    "edit": "RequestTodoDetailViewModel",
    "toggle": "RequestToggleCompleteTodoViewModel",
    "delete": "RequestDeleteTodoViewModel",
    "restore": "RequestRestoreTodoViewModel",
}
SIGNS = {"insert": "+ ", "delete": "- ", "move": "> ", "reload": "* "}
HELP = "list [deleted], add TITLE, show N, edit N TITLE, toggle N, delete N, restore N, quit"


class View:
    def __init__(self, scope: mainstem.Scope, todos: mainstem.Scope) -> None:
        self.scope = scope
        self.shown = mainstem.view(scope, Todos, todos)
        scope.observe("ResponseTodoViewModel", self.print_changes)
        self.ask("RequestTodoViewModels", list="home")
        self.settle()

    def print_changes(self, event: mainstem.Event) -> None:  # by any view
        payload = {"changes": ()} if event.failed else json.loads(event.data)
        for change in payload["changes"]:
            self.print_row(SIGNS[change["kind"]], change["at"], payload["row"])

    def print_row(self, sign: str, place: int, row: Any) -> None:
        mark = " x"[row["complete"]]
        lines.say(f"{sign}{place + 1}. [{mark}] {row['title']} ({row['subtitle']})")

    def print_detail(self) -> None:
        detail = self.shown.detail
        lines.say(f"{detail['title']} ({detail['priorityText']}, {detail['completedText']})")
        if detail["subtitle"]:
            lines.say(detail["subtitle"])

    def ask(self, what: str, printed: str = "", **payload: object) -> None:
        """Asks; the answer prints a list, or what went wrong."""
        then = partial(self.answered, printed)
        self.scope.request(what, json.dumps(payload, ensure_ascii=False), then=then)

    def answered(self, printed: str, event: mainstem.Event) -> None:  # what is shown is up to date
        if event.failed:
            lines.say(event.text)
        elif printed:
            shown = getattr(self.shown, printed)
            for place, row in enumerate(shown["rows"]):
                self.print_row("", place, row)
            lines.say(shown["summary"])

    def settle(self, *inputs: Any) -> None:
        """Waits until the store, on its thread, has answered everything, or until input comes."""
        app = self.scope.context
        while (waits := app.activity()) or app.drain():
            if waits and app not in select([app, *inputs], [], [])[0]:
                return
            app.drain()

    def save(self, title: str) -> None:
        try:
            edited = {**self.shown.detail, "title": title}
            self.ask("RequestUpdateDetailViewModel", detail=edited)
        except UnicodeError:
            lines.say("This is no text.")
        self.settle()
        if self.shown.detail and "error" in self.shown.detail:
            lines.say(self.shown.detail["error"])

    def obey(self, command: str, argument: str) -> None:
        number, title = re.findall("^([0-9]*) ?(.*)", argument, re.DOTALL)[0]
        if command == "list":
            name = "deleted" if argument == "deleted" else "list"
            self.ask("RequestTodoViewModels", name, list="home", deleted=name == "deleted")
        elif command == "add":
            self.ask("RequestNewTodoDetailViewModel", list="home")
            title = argument
        elif command not in ROWS:
            lines.say(HELP)
        else:
            shown = self.shown.deleted if command == "restore" else self.shown.list
            rows = dict(enumerate(shown["rows"] if shown else (), 1))
            if row := rows.get(int(number.lstrip("0")[:19] or 0)):
                self.ask(ROWS[command], row=row)
            else:
                lines.say("There is no such row.")
        if self.shown.detail:
            self.print_detail() if command == "show" else self.save(title)
        if self.shown.detail:  # unless it was saved
            self.ask("RequestCancelDetailViewModel", detail=self.shown.detail)


def main() -> None:
    parser = argparse.ArgumentParser(prog="todo")
    parser.add_argument("--db", default="todo.sqlite", metavar="PATH")
    parser.add_argument("--patience", type=int, default=0, metavar="MS")
    parser.add_argument("--record", metavar="PATH")
    parser.add_argument("--trace", action="store_true")
    options = parser.parse_args()
    with mainstem.Context() as context:
        if options.record:
            context.record(options.record)
        if options.trace:
            context.trace()
        todos = install(context, options.db, options.patience)
        view = View(context.scope("view", sends="viewmodel", observes="viewmodel"), todos)
        for command, argument in lines.commands("todo> "):
            view.obey(command, argument)
            view.settle(*[sys.stdin] * sys.stdin.isatty())  # or until the next command is typed
        if failed := context.first_error():
            sys.exit(str(failed))


if __name__ == "__main__":
    lines.run(main)

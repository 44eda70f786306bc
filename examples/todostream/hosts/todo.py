#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A todo list in a terminal: the view of libtodostream.so, and nothing else."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from ctypes import CDLL, Structure, byref, c_char_p, c_int32, c_uint32, c_void_p, sizeof
from pathlib import Path
from select import select
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
BUILT = ROOT / "build" / "examples" / "examples"
if (BUILT.parent / "libmainstem.so").exists():
    os.environ.setdefault("MAINSTEM_LIBRARY", str(BUILT.parent / "libmainstem.so"))
sys.path.append(str(ROOT / "Sources" / "MainstemPython"))
import mainstem  # noqa: E402

ROWS = {
    "show": "RequestTodoDetailViewModel",
    "edit": "RequestTodoDetailViewModel",
    "toggle": "RequestToggleCompleteTodoViewModel",
    "delete": "RequestDeleteTodoViewModel",
    "restore": "RequestRestoreTodoViewModel",
}
SIGNS = {"insert": "+ ", "delete": "- ", "move": "> ", "reload": "* "}
HELP = "list [deleted], add TITLE, show N, edit N TITLE, toggle N, delete N, restore N, quit"


class Options(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("patience_ms", c_int32),
        ("path", c_char_p),
        ("now", c_void_p),
        ("user_data", c_void_p),
    ]


class View:  # what is on the screen: the rows from the core, and the open edit session
    def __init__(self, context: mainstem.Scope) -> None:
        self.lists: Any = {False: None, True: None}
        self.context = context
        self.detail: Any = None
        context.observe(self.show, role="response")
        self.list(deleted=False, printed=False)

    def show(self, event: mainstem.Event) -> None:  # every answer for a view, whichever asked
        payload = {} if event.failed else json.loads(event.data)
        if event.failed:
            print(event.text)
        elif "detail" in payload:
            self.detail = None if "outcome" in payload else payload["detail"]
            if self.detail and "error" in self.detail:
                print(self.detail["error"])
        elif "changes" not in payload:
            self.lists[payload["list"]["deleted"]] = payload["list"]
        elif self.lists[False]:
            for change in payload["changes"]:
                self.change(self.lists[False]["rows"], change, payload["row"])

    def change(self, rows: Any, change: Any, row: Any) -> None:
        kind, at = change["kind"], change["at"]
        if kind in ("delete", "move", "reload"):
            del rows[change.get("from", at)]
        if kind != "delete":
            rows.insert(at, row)
        self.print_row(SIGNS[kind], at, row)

    def print_row(self, sign: str, place: int, row: Any) -> None:
        print(f"{sign}{place + 1}. [{' x'[row['complete']]}] {row['title']} ({row['subtitle']})")

    def ask(self, what: str, **payload: object) -> None:
        if None not in payload.values():
            self.context.send(what, json.dumps(payload, ensure_ascii=False))

    def settle(self, *inputs: Any) -> None:
        """Waits until the store, on its thread, has answered everything, or until input comes."""
        app = self.context.context
        while (waits := app.activity()) or app.drain():
            if waits and app not in select([app, *inputs], [], [])[0]:
                return
            app.drain()

    def list(self, deleted: bool, printed: bool) -> Any:
        self.lists[deleted] = None
        self.ask("RequestTodoViewModels", list="home", deleted=deleted)
        self.settle()
        shown = self.lists[deleted]
        if printed and shown:
            for place, row in enumerate(shown["rows"]):
                self.print_row("", place, row)
            print(shown["summary"])
        return shown

    def save(self, title: bytes) -> None:
        try:
            if self.detail:
                self.detail["title"] = title.decode()
                self.ask("RequestUpdateDetailViewModel", detail=self.detail)
        except UnicodeDecodeError:
            print("This is no text.")
        self.settle()
        self.ask("RequestCancelDetailViewModel", detail=self.detail)  # unless it was saved

    def print_detail(self) -> None:
        detail, subtitle = self.detail, self.detail["subtitle"]
        print(f"{detail['title']} ({detail['priorityText']}, {detail['completedText']})")
        print(subtitle, end="\n" if subtitle else "")
        self.ask("RequestCancelDetailViewModel", detail=detail)

    def obey(self, command: str, argument: bytes) -> None:
        if command == "list":
            self.list(deleted=argument == b"deleted", printed=True)
        elif command == "add":
            self.ask("RequestNewTodoDetailViewModel", list="home")
            self.save(argument)
        elif command not in ROWS:
            print(HELP)
        else:
            shown = self.list(True, printed=False) if command == "restore" else self.lists[False]
            number, title = re.findall(rb"^([0-9]*) ?(.*)", argument, re.DOTALL)[0]
            rows = enumerate(shown["rows"] if shown else (), 1)
            row = dict(rows).get(int(number.lstrip(b"0")[:19] or 0))
            if shown and not row:
                print("There is no such row.")
            self.ask(ROWS[command], row=row)
            if self.detail:
                self.print_detail() if command == "show" else self.save(title)


def main() -> None:
    parser = argparse.ArgumentParser(prog="todo")
    parser.add_argument("--db", default="todo.sqlite", metavar="PATH")
    parser.add_argument("--patience", type=int, default=0, metavar="MS")
    parser.add_argument("--record", metavar="PATH")
    parser.add_argument("--trace", action="store_true")
    options = parser.parse_args()
    library = CDLL(os.environ.get("TODOSTREAM_LIBRARY") or f"{BUILT}/todostream/libtodostream.so")
    library.todostream_install.argtypes = [c_void_p, c_void_p, c_void_p]
    core = Options(sizeof(Options), options.patience, path=os.fsencode(options.db))
    prompt = "todo> " if sys.stdin.isatty() else ""
    sys.stdout = os.fdopen(1, "w", 1, encoding="utf-8", newline="\n")
    with mainstem.Context() as context:
        if options.record:
            context.record(options.record)
        if options.trace:
            context.trace()
        library.todostream_install(context.handle, byref(core), None)
        view = View(context.scope("view", sends="viewmodel", observes="viewmodel"))
        while line := print(prompt, end="", flush=True) or sys.stdin.buffer.readline():
            command, _, argument = line.rstrip(b"\n").split(b"\0")[0].lstrip(b" ").partition(b" ")
            if command == b"quit":
                break
            if command:
                view.obey(command.decode(errors="replace"), argument)
                view.settle(*[sys.stdin] * sys.stdin.isatty())  # or until the next command is typed
        if failed := context.first_error():
            sys.exit(str(failed))


if __name__ == "__main__":
    main()

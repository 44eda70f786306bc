# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests run: the app in this process, on a store that answers when told to; its hosts.

DIARY_LIBRARY   libDiaryCore.so, with the programs in C and Swift beside it
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

HERE = Path(__file__).resolve().parents[2]
sys.path.append(str(HERE / "hosts"))
from diary_app import Confirm, DiaryList, DiaryPage, Drawer, EntryRow, SignIn, install, mainstem  # noqa: E402
from mainstem import Failure, Request, Response  # noqa: E402

__all__ = ["Confirm", "DiaryList", "DiaryPage", "Drawer", "EntryRow", "SignIn", "mainstem"]
__all__ += ["HERE", "HOSTS", "VERIFIERS", "Shelf", "World", "install", "run"]

PROGRAMS = Path(os.environ["DIARY_LIBRARY"]).parent
HOSTS = {
    "C": [str(PROGRAMS / "diary")],
    "Python": [sys.executable, str(HERE / "hosts" / "diary_host.py")],
}
VERIFIERS = {
    "Swift": [str(PROGRAMS / "diary-verify")],
    "Python": [sys.executable, str(HERE / "hosts" / "diary_verify.py")],
}


def run(*words: str, commands: str = "") -> Tuple[int, str]:
    """Runs a program to its end. Returns its status, and all that it said."""
    done = subprocess.run(
        words,
        input=commands.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
    )
    return done.returncode, done.stdout.decode()


# What the store is asked: see StoreEvents.swift.


@mainstem.event(layer="model")
class ResponseAccount(Response):
    account: Dict[str, Any]


@mainstem.event(layer="model")
class RequestReadAccount(Request[ResponseAccount]):
    pass


@mainstem.event(layer="model")
class RequestWriteAccount(Request[ResponseAccount]):
    account: Dict[str, Any]
    signsIn: bool  # noqa: N815 - the name on the stream


@mainstem.event(layer="model")
class ResponseEntries(Response):
    entries: List[Dict[str, Any]]
    total: int
    isLast: bool  # noqa: N815


@mainstem.event(layer="model")
class RequestReadEntries(Request[ResponseEntries]):
    token: str
    count: int
    before: Optional[int] = None


@mainstem.event(layer="model")
class ResponseWritten(Response):
    entry: Dict[str, Any]
    total: int


@mainstem.event(layer="model")
class RequestReadEntry(Request[ResponseWritten]):
    token: str
    id: int


@mainstem.event(layer="model")
class RequestWriteEntry(Request[ResponseWritten]):
    token: str
    text: str
    id: Optional[int] = None


@mainstem.event(layer="model")
class RequestEraseEntry(Request[ResponseWritten]):
    token: str
    id: int


class Shelf:
    """A store in memory. It does what it is asked at once, and answers when a test says so."""

    def __init__(self, entries: int = 0) -> None:
        self.account: Dict[str, Any] = {
            "token": "Ada",
            "nickname": "Ada",
            "hasAgreed": True,
            "hasSeenGuide": True,
        }
        #: What each user has written, by id.
        self.kept: Dict[str, Dict[int, str]] = {}
        self.last = entries
        self.kept["Ada"] = {id: f"Day {id}." for id in range(1, entries + 1)}
        #: "up"; "down", each request fails; "hang", none is answered.
        self.mode = "up"
        self.asked: List[str] = []
        self.waiting: List[Callable[[], None]] = []

    def _later(self, request: Any, body: Callable[[], Any]) -> Any:
        self.asked.append(type(request).__name__)
        kept, answer = request.retain(), self._answer(request, body)

        def respond() -> None:
            kept.respond(answer)

        if self.mode != "hang":
            self.waiting.append(respond)

        def settled() -> None:
            if respond in self.waiting:
                self.waiting.remove(respond)
            kept.release()

        request.on_settled(settled)
        return mainstem.LATER

    def _answer(self, request: Any, body: Callable[[], Any]) -> Any:
        if self.mode == "down":
            return Failure("DOWN", user_text="No disk.")
        if getattr(request, "token", self.account["token"]) != self.account["token"]:
            return Failure("SIGNED_OUT", user_text="Please sign in.")
        try:
            return body()
        except KeyError:
            return Failure("NO_ENTRY", user_text="This entry is gone.")

    @mainstem.handles(RequestReadAccount)
    def read_account(self, request: Any) -> Any:
        return self._later(request, lambda: ResponseAccount(dict(self.account)))

    @mainstem.handles(RequestWriteAccount)
    def write_account(self, request: Any) -> Any:
        def write() -> ResponseAccount:
            self.account = dict(request.account)
            if request.signsIn:
                self.account["token"] = self.account["nickname"]
            return ResponseAccount(dict(self.account))

        return self._later(request, write)

    @mainstem.handles(RequestReadEntries)
    def read_entries(self, request: Any) -> Any:
        def read() -> ResponseEntries:
            kept = self.kept.setdefault(request.token, {})
            before = self.last + 1 if request.before is None else request.before
            ids = sorted((id for id in kept if id < before), reverse=True)
            page = [self.entry(kept, id) for id in ids[: request.count]]
            return ResponseEntries(page, len(kept), len(ids) <= request.count)

        return self._later(request, read)

    @mainstem.handles(RequestReadEntry)
    def read_entry(self, request: Any) -> Any:
        return self._later(request, lambda: self.written(request, request.id))

    @mainstem.handles(RequestWriteEntry)
    def write_entry(self, request: Any) -> Any:
        def write() -> ResponseWritten:
            kept = self.kept.setdefault(request.token, {})
            if request.id is not None and request.id not in kept:
                raise KeyError(request.id)
            self.last += request.id is None
            id = self.last if request.id is None else request.id
            kept[id] = request.text
            return self.written(request, id)

        return self._later(request, write)

    @mainstem.handles(RequestEraseEntry)
    def erase_entry(self, request: Any) -> Any:
        def erase() -> ResponseWritten:
            written = self.written(request, request.id)
            kept = self.kept[request.token]
            del kept[request.id]
            return ResponseWritten(written.entry, len(kept))

        return self._later(request, erase)

    def written(self, request: Any, id: int) -> ResponseWritten:
        kept = self.kept.setdefault(request.token, {})
        return ResponseWritten(self.entry(kept, id), len(kept))

    @staticmethod
    def entry(kept: Dict[int, str], id: int) -> Dict[str, Any]:
        return {"id": id, "day": "today", "text": kept[id]}


class World:
    """The app in a context with virtual time, on a shelf."""

    def __init__(self, journal: Optional[Path] = None, entries: int = 0, seed: int = 1) -> None:
        self.context = mainstem.Context(clock="virtual", seed=seed)
        install(self.context)
        self.shelf = Shelf(entries)
        self.context.install(self.shelf, on="host")
        if journal:
            self.context.record(str(journal))

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()

    def window(self) -> mainstem.Scope:
        """The rights of a view, and no more."""
        return self.context.scope("Window", sends="view", observes=["view", "viewmodel"])

    def open(self, kind: Any, data: Any = None, window: Any = None, **rows: Any) -> Any:
        """Opens a screen, and views it."""
        window = window or self.window()
        number = window.open_owner(kind.__name__, data)
        view = mainstem.view(window, kind, self.context.find_scope(number), **rows)
        self.context.drain()
        return view

    def answer(self) -> None:
        """Lets the store answer all that it was asked, and what that asks."""
        self.context.drain()
        while self.shelf.waiting:
            self.shelf.waiting.pop(0)()
            self.context.drain()

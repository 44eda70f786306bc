# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests run: the app in this process, on a store that answers when told to; its hosts.

DIARY_LIBRARY   libDiaryCore.so, with the programs in C and Swift beside it
"""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

HERE = Path(__file__).resolve().parents[2]
sys.path.append(str(HERE / "hosts"))
from diary_app import (  # noqa: E402
    Confirm,
    DiaryList,
    DiaryPage,
    Drawer,
    Guide,
    Idea,
    SignIn,
    activity,
    add_store,
    install,
    mainstem,
    verifier,
)
from diary_stage import Stage  # noqa: E402
from mainstem import Failure, Request, Response  # noqa: E402

__all__ = ["Confirm", "DiaryList", "DiaryPage", "Drawer", "Guide", "Idea", "SignIn"]
__all__ += ["HERE", "HOSTS", "SCREENS", "Shelf", "Stage", "VERIFIERS", "World"]
__all__ += ["ids", "install", "mainstem", "run", "verifier"]

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
        input=commands.encode(errors="surrogateescape"),
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
class ResponseSession(Response):
    pass


@mainstem.event(layer="model")
class RequestRenewSession(Request[ResponseSession]):
    pass


@mainstem.event(layer="model")
class ResponseEntries(Response):
    entries: List[Dict[str, Any]]
    total: int
    isLast: bool  # noqa: N815
    keepsDrafts: Optional[bool] = None  # noqa: N815
    today: Optional[Dict[str, Any]] = None


@mainstem.event(layer="model")
class RequestReadEntries(Request[ResponseEntries]):
    user: str
    count: int
    before: Optional[int] = None


@mainstem.event(layer="model")
class ResponseWritten(Response):
    entry: Dict[str, Any]
    total: int


@mainstem.event(layer="model")
class RequestReadEntry(Request[ResponseWritten]):
    user: str
    id: int


@mainstem.event(layer="model")
class RequestWriteEntry(Request[ResponseWritten]):
    user: str
    text: str
    id: Optional[int] = None


@mainstem.event(layer="model")
class RequestEraseEntry(Request[ResponseWritten]):
    user: str
    id: int


@mainstem.event(layer="model")
class ResponseDraft(Response):
    text: Optional[str] = None


@mainstem.event(layer="model")
class RequestReadDraft(Request[ResponseDraft]):
    user: str
    id: int


@mainstem.event(layer="model")
class ResponseDraftKept(Response):
    pass


@mainstem.event(layer="model", record="inputs")
class RequestWriteDraft(Request[ResponseDraftKept]):
    user: str
    id: int
    text: Optional[str] = None


#: The session has ended; there is no other one without a sign-in.
ENDED, SIGNED_OUT = 1401, 1402


def ids(view: Any) -> Optional[List[int]]:
    """The entries that a list shows; None: it is not known which there are."""
    return [row.id for row in view.rows] if view.is_known else None


class Shelf:
    """A store in memory. It does what it is asked at once, and answers when a test says so."""

    def __init__(self, entries: int, now: Callable[[], float]) -> None:
        self.now = now
        self.account: Dict[str, Any] = {
            "isSignedIn": True,
            "nickname": "Ada",
            "hasAgreed": True,
            "hasSeenGuide": True,
        }
        #: Whose session it is; empty: it has ended.
        self.session = "Ada"
        #: Whether the user has been signed out elsewhere: there is no other session.
        self.is_revoked = False
        #: How long a day is, in seconds, of which the first is 2026-11-23; 0: it does not end.
        self.day = 0
        #: What each user has written, by id.
        self.kept: Dict[str, Dict[int, str]] = {}
        self.last = entries
        #: What is typed and not saved, by user and entry.
        self.drafts: Dict[Tuple[str, int], str] = {}
        self.kept["Ada"] = {id: f"Day {id}." for id in range(1, entries + 1)}
        #: "up"; "down", each request fails; "hang", none is answered.
        self.mode = "up"
        self.asked: List[str] = []
        #: The texts of entries that it was asked to keep, and has kept.
        self.saved: List[str] = []
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
            return Failure("DOWN", user_message="No disk.")
        is_account = isinstance(request, (RequestReadAccount, RequestWriteAccount))
        if not (self.session or is_account or isinstance(request, RequestRenewSession)):
            return Failure("ENDED", user_message="The session is over.", code=ENDED)
        if getattr(request, "user", self.session) != self.session:
            return Failure("ANOTHER_USER", user_message="Please sign in.")
        try:
            return body()
        except KeyError:
            return Failure("NO_ENTRY", user_message="This entry is gone.")

    @mainstem.handles(RequestReadAccount)
    def read_account(self, request: Any) -> Any:
        return self._later(request, lambda: ResponseAccount(dict(self.account)))

    @mainstem.handles(RequestWriteAccount)
    def write_account(self, request: Any) -> Any:
        def write() -> ResponseAccount:
            self.account = dict(request.account)
            if request.signsIn:
                self.is_revoked = False
            if request.signsIn or not self.account["isSignedIn"]:
                self.session = self.account["nickname"] if request.signsIn else ""
            return ResponseAccount(dict(self.account))

        return self._later(request, write)

    @mainstem.handles(RequestRenewSession)
    def renew_session(self, request: Any) -> Any:
        def renew() -> Any:
            if self.is_revoked or not self.account["isSignedIn"]:
                return Failure("OUT", user_message="Sign in again.", code=SIGNED_OUT)
            self.session = self.account["nickname"]
            return ResponseSession()

        return self._later(request, renew)

    @mainstem.handles(RequestReadEntries)
    def read_entries(self, request: Any) -> Any:
        def read() -> ResponseEntries:
            kept = self.kept.setdefault(request.user, {})
            before = self.last + 1 if request.before is None else request.before
            ids = sorted((id for id in kept if id < before), reverse=True)
            page = [self.entry(kept, id) for id in ids[: request.count]]
            return ResponseEntries(page, len(kept), len(ids) <= request.count, True, self.today())

        return self._later(request, read)

    @mainstem.handles(RequestReadEntry)
    def read_entry(self, request: Any) -> Any:
        return self._later(request, lambda: self.written(request, request.id))

    @mainstem.handles(RequestWriteEntry)
    def write_entry(self, request: Any) -> Any:
        def write() -> ResponseWritten:
            kept = self.kept.setdefault(request.user, {})
            if request.id is not None and request.id not in kept:
                raise KeyError(request.id)
            self.last += request.id is None
            id = self.last if request.id is None else request.id
            kept[id] = request.text
            self.saved.append(request.text)
            self.drafts.pop((request.user, request.id or 0), None)
            return self.written(request, id)

        return self._later(request, write)

    @mainstem.handles(RequestEraseEntry)
    def erase_entry(self, request: Any) -> Any:
        def erase() -> ResponseWritten:
            written = self.written(request, request.id)
            kept = self.kept[request.user]
            del kept[request.id]
            self.drafts.pop((request.user, request.id), None)
            return ResponseWritten(written.entry, len(kept))

        return self._later(request, erase)

    @mainstem.handles(RequestReadDraft)
    def read_draft(self, request: Any) -> Any:
        key = (request.user, request.id)
        return self._later(request, lambda: ResponseDraft(self.drafts.get(key)))

    @mainstem.handles(RequestWriteDraft)
    def write_draft(self, request: Any) -> Any:
        def write() -> ResponseDraftKept:
            self.drafts.pop((request.user, request.id), None)
            if request.text is not None:
                self.drafts[request.user, request.id] = request.text
            return ResponseDraftKept()

        return self._later(request, write)

    def written(self, request: Any, id: int) -> ResponseWritten:
        kept = self.kept.setdefault(request.user, {})
        return ResponseWritten(self.entry(kept, id), len(kept))

    def today(self) -> Dict[str, Any]:
        if not self.day:
            return {"day": "2026-11-23"}
        days = int(self.now()) // self.day
        day = date(2026, 11, 23) + timedelta(days)
        return {"day": day.isoformat(), "ends": (days + 1) * self.day}

    @staticmethod
    def entry(kept: Dict[int, str], id: int) -> Dict[str, Any]:
        return {"id": id, "day": "2026-11-23", "text": kept[id]}


class Screen:
    """What a test sees of a component: a view, and what it was told."""

    def __init__(self, kind: Any, context: mainstem.Context, component: Any) -> None:
        self.kind, self.component = kind, component
        self.told: List[Any] = []
        self.window = context.scope("Window", sends="view", observes=["view", "viewmodel"])
        rows = {"alert_message": self.told.append} if kind is DiaryList else {}
        owner = context.find_scope(component.owner)
        self.view = mainstem.view(self.window, kind, owner, **rows)

    def close(self) -> None:
        self.window.end()


KINDS = [DiaryList, DiaryPage, Idea, Confirm, SignIn, Guide, Drawer]
SCREENS = {kind.__name__: partial(Screen, kind) for kind in KINDS}


class World:
    """The app in a context with a stage; on a shelf with virtual time, or on a file."""

    def __init__(
        self,
        journal: Optional[Path] = None,
        entries: int = 0,
        seed: int = 1,
        file: Optional[Path] = None,
    ) -> None:
        # With a virtual clock, a store would have no thread of its own.
        self.context = mainstem.Context(clock="monotonic" if file else "virtual", seed=seed)
        self.nav = mainstem.Navigator(self.context)
        install(self.context)
        self.stage = Stage(self.context, SCREENS)
        self.nav.stage(self.stage)
        self.shelf = Shelf(entries, self.context.now)
        self.file = file
        if file:
            add_store(self.context, str(file), "2026-11-23")
        else:
            self.context.install(self.shelf, on="host")
        if journal:
            self.context.record(str(journal))

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()

    def go(self, move: Callable[..., Any], url: str) -> List[Any]:
        """Opens or links a URL, and returns what becomes of it, once it has."""
        told: List[Any] = []
        move(url, then=told.append, failed=lambda failure: told.append(failure.status))
        self.settle()
        return told

    def start(self) -> Any:
        """Opens the app, and returns its list, which has not been answered yet."""
        self.go(self.nav.open, "app")
        self.nav.ready()
        self.answer_one()
        return self.view(DiaryList)

    def screens(self, kind: Any) -> List[Any]:
        """The screens of a kind, the last opened last."""
        return [each for each in self.stage.screens.values() if each.kind is kind]

    def view(self, kind: Any) -> Any:
        """The view of the last screen of a kind."""
        return self.screens(kind)[-1].view

    def do(self, command: Any, *arguments: Any) -> None:
        """Runs a command, and lets the store answer all that this asks."""
        command(*arguments)
        self.answer()

    def swipe(self, screen: Any = None) -> None:
        """The user takes a screen away by a gesture: the topmost one."""
        number = (screen or self.stage.tops[-1]).component.number
        self.stage.hide([number])
        self.nav.gone(number)
        self.settle()

    def leave(self) -> None:
        """The user closes the window: all that is there goes."""
        for component in self.nav.tree:
            if not component.parent:
                self.nav.gone(component.number)
        for number in list(self.stage.screens):
            if number not in {component.number for component in self.nav.tree}:
                self.stage.hide([number])
        self.settle()

    def tree(self) -> List[str]:
        """The URLs of what is open."""
        return [component.url for component in self.nav.tree]

    def settle(self) -> None:
        """Lets the stage do what it was asked, and what that asks."""
        while self.context.drain():
            pass

    def answer_one(self) -> None:
        """Lets the store answer what it was asked first."""
        self.settle()
        self.shelf.waiting.pop(0)()
        self.settle()

    def answer(self) -> None:
        """Lets the store answer all that it was asked, and what that asks."""
        self.settle()
        while self.shelf.waiting:
            self.answer_one()
        while self.file and activity(self.context):
            self.context.wait()
            self.settle()

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The places of a journal, which are its routes, and the ways between them: what `diagram` maps."""

from __future__ import annotations

from typing import Dict, List, Optional, Tuple

from .._escape import plain
from .._journal.record import SESSION
from ..failure import Status
from ..journal_file import Record
from .line import status_name
from .moves import Component, Move, Note
from .navigation import Navigation
from .steps import short_url

#: What is the source where no component asked.
APP = "the app"
#: What becomes of a link to all flows, and of what another guard has wanted first already.
TOLD, SHARED = "told to all flows", "shared with another"


class Way:
    """Moves from one place to another, or to none, for the same reason."""

    def __init__(self, target: Optional[Place], label: str, refusal: str) -> None:
        self.target = target
        #: What led there: the event whose delivery caused the move, or the verb.
        self.label = label
        #: Why nothing was opened; "": it was.
        self.refusal = refusal
        #: The URL of the first.
        self.url = ""
        self.count = self.redirected = self.cancelled = self.finished = 0
        #: The guards that were asked on the way.
        self.guards: Dict[str, None] = {}

    def take(self, move: Move) -> None:
        """Counts a move."""
        self.count += 1
        self.url = self.url or short_url(move.url)
        self.redirected += bool(move.redirects)
        self.guards.update(dict.fromkeys(map(plain, move.guards)))
        if move.opened is not None and move.opened.why is not None:
            self._end(move.opened)

    @property
    def is_bad(self) -> bool:
        """Whether something was to be opened, and was not."""
        return bool(self.refusal) and self.refusal not in (TOLD, SHARED)

    def _end(self, component: Component) -> None:
        is_finished = component.why is not None and _is_result(component)
        self.finished += is_finished
        self.cancelled += not is_finished


class Place:
    """A route, of which components were shown."""

    def __init__(self, number: int, route: str, kind: str) -> None:
        self.number, self.route, self.kind = number, route, kind
        #: The names of its factories.
        self.names: Dict[str, None] = {}
        self.count = self.open = 0
        #: How often each result ended it; and what else did, or what it closed with.
        self.results: Dict[str, int] = {}
        self.cancels: Dict[str, int] = {}
        self.ways: Dict[Tuple[int, str, str], Way] = {}

    def take(self, component: Component) -> None:
        """Counts a component."""
        self.count += 1
        if component.name:
            self.names[plain(component.name)] = None
        why = component.why
        if why is None:
            self.open += 1
        elif _is_result(component):
            name = plain(why.result) or "finished"
            self.results[name] = self.results.get(name, 0) + 1
        else:
            what = "along with others" if why.along else _CANCELS.get(why.what, why.what)
            self.cancels[what] = self.cancels.get(what, 0) + 1

    def way(self, target: Optional[Place], label: str, refusal: str = "") -> Way:
        """Returns a way from here."""
        key = (target.number if target else -1, label, refusal)
        if key not in self.ways:
            self.ways[key] = Way(target, label, refusal)
        return self.ways[key]


_CANCELS = {
    "ended": "its owner ended",
    "open": "replaced",
    "replace-root": "replaced",
    "replace": "replaced",
    "": "not kept",
    "failed": "given up",
}


class Places:
    """The places of a journal, given all its records in order."""

    def __init__(self) -> None:
        #: The first one is the app itself, which is never shown.
        self.app = Place(0, APP, "app")
        self.places: List[Place] = [self.app]
        self.moves = 0
        self._navigation = Navigation()
        self._places: Dict[Tuple[str, str], Place] = {}
        # The name of each event that may have caused a move, or what it told.
        self._names: Dict[int, str] = {}

    def take(self, record: Record) -> None:
        """Takes the next record."""
        if not record.is_event:
            if record.kind == SESSION and not record.session.continues:
                self.end()
            self._navigation.learn(record)
            return
        note = self._navigation.take(record)
        self._names[record.position] = _name(record, note)

    def end(self) -> None:
        """Counts what a session has done, when all of it was taken."""
        navigation = self._navigation
        for component in navigation.components:
            self._place(component).take(component)
        for move in navigation.moves.values():
            if move.opens or move.verb == "move":
                self._lead(move)
        for component in navigation.components:
            opener = navigation.moves.get(component.move)
            if opener is None or opener.opened is not component:
                self._lead_to_part(component)
        self.moves += len(navigation.moves)
        self._navigation = Navigation()

    def _place(self, component: Component) -> Place:
        key = (component.route, component.kind)
        if key not in self._places:
            self._places[key] = Place(len(self.places), plain(component.route), component.kind)
            self.places.append(self._places[key])
        return self._places[key]

    def _lead(self, move: Move) -> None:
        asker = self._navigation.asker_of(move)
        source = self.app if asker is None else self._place(asker)
        target = None if move.opened is None else self._place(move.opened)
        refusal = "" if target else self._refusal(move)
        source.way(target, self._label(move), refusal).take(move)

    def _lead_to_part(self, component: Component) -> None:
        group = component.below
        source = self.app if group is None else self._place(group)
        source.way(self._place(component), "a part of it" if group else "not kept").count += 1

    def _label(self, move: Move) -> str:
        cause = self._names.get(move.cause, "")
        if move.verb != "open":
            return f"{move.verb}, {cause}" if cause else move.verb
        return cause or ("from outside" if not move.cause else f"#{move.cause}")

    @staticmethod
    def _refusal(move: Move) -> str:
        """Returns why a move has opened nothing."""
        if not move.answer:
            return "waits"
        if not move.status:
            return TOLD if move.is_for_all else SHARED
        is_refused = move.status == Status.DENIED and move.refused_by
        by = f" by {plain(move.refused_by)}" if is_refused else ""
        return status_name(move.status) + by


def _is_result(component: Component) -> bool:
    why = component.why
    return why is not None and why.what == "result" and not why.along


def _name(event: Record, note: Optional[Note]) -> str:
    """Returns what a label says of the event that has caused a move."""
    if note is None:
        name = event.name
        return "its start" if name.startswith("RequestOpen.") else plain(name)
    if note.kind == "result":
        result = plain(note.text) or "it finished"
        return "cancelled" if event.status else f"result {result}" if note.text else result
    if note.kind == "verdict" and note.text.startswith("after "):
        return f"{plain(event.name[len('ResponseGuard.') :])} wants it first"
    return {"ready": "ready", "opened": "once it is there"}.get(note.kind, "the navigator")

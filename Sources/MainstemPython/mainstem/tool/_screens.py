# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What was on the screen: `screens`, `shown`, and the places of a whole session."""

from __future__ import annotations

import argparse
import json
import os
from array import array
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple

from ..failure import Status
from ..journal_file import Journal, Record, Session
from ..journal_file._record import SESSION
from ._dump import CONTEXT, Owner, Owners, flags_of, name_in
from ._index import Index
from ._info import moment, place_of, short_url, told, told_all, why_of
from ._navigation import STACKED, UNSEEN, Change, Component, Move, Navigation, Note, Why
from ._reading import CheckedJournal, count, opened, plain, plain_json, status_name, tell, upto
from ._runs import Positions
from ._tree import clock, short

__all__ = ["APP", "Covered", "Place", "Places", "Way", "add_screens", "add_shown"]


# Which of the components that are shown a screen covers, as the navigator counts it ---------------


class Covered:
    """The components of a tree that are covered."""

    def __init__(self, shown: Dict[int, Component]) -> None:
        # What is a screen, or has one on it. The last opened comes first: what stands on others.
        self._screens: Set[int] = set()
        # How many of those stand on each like a screen.
        self._covers: Dict[int, int] = {}
        for component in reversed(list(shown.values())):
            self._add(component)

    def _add(self, component: Component) -> None:
        if component.kind == "screen":
            self._screens.add(component.number)
        if component.number in self._screens and component.below is not None:
            below = component.below.number
            self._screens.add(below)
            if component.kind in STACKED:
                self._covers[below] = self._covers.get(below, 0) + 1

    def __contains__(self, component: Component) -> bool:
        is_seen = component.kind not in UNSEEN
        below = component if is_seen else component.below
        above = None if is_seen else component
        while below is not None:
            own = above is not None and above.kind in STACKED and above.number in self._screens
            if self._covers.get(below.number, 0) > own:
                return True
            if below.kind in ("screen", "overlay"):
                return False
            above, below = below, below.below
        return False


# `screens`: what the navigator showed when, and what was there at one moment ----------------------

_DEEPEST = 24


def add_screens(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "screens",
        help="which screens, dialogs and so on were shown when, and why they closed",
        description="Shows each change of the navigator's tree: what was opened and by what, what "
        "closed and why. Then the tree at the end; or only the tree as it was after a position.",
    )
    own.add_argument("path", metavar="PATH", help="the journal")
    own.add_argument(
        "--at", metavar="N", type=int, default=None, help="only the tree after position N"
    )
    own.add_argument("--json", action="store_true", help="JSON, one object a line, texts whole")
    own.set_defaults(run=run_screens)


def run_screens(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    with opened(chosen.path) as journal:
        reading = Reading(journal, chosen.at)
        for line in (_screens_json if chosen.json else _screens_text)(reading, chosen.at is None):
            print(line)
        return tell(journal)


class Reading:
    """A journal up to a position, one change after the other."""

    def __init__(self, journal: CheckedJournal, at: Optional[int]) -> None:
        self.journal = journal
        self.at = 1 << 64 if at is None else at
        self.navigation = Navigation()
        #: The last event; the time of the first.
        self.last: Optional[Record] = None
        self.began: Optional[int] = None
        #: The session that is read, and which one it is.
        self.session: Optional[Session] = None
        self.number = 0
        #: Whether any session had a navigator; and how many changes were not kept, in all.
        self.is_there = False
        self.changes = self.lost = 0

    def read(self) -> Iterator[Change]:
        """Yields each change, when the tree is as it was then."""
        for piece in upto(self.journal.pieces(), self.at):
            if isinstance(piece, Record):
                self._learn(piece)
            elif len(piece):
                self.began = piece.column("time")[0] if self.began is None else self.began
                for event in piece.of_types(self.navigation.telling.keys()):
                    note = self.navigation.take(event)
                    if note is not None and note.change is not None:
                        self.changes += 1
                        yield note.change
                self.last = piece.event(len(piece) - 1)
        self._count()

    def _learn(self, record: Record) -> None:
        if record.kind == SESSION and not record.session.continues:
            self._count()
            self.number += 1
            self.session = record.session
        self.navigation.learn(record)

    def _count(self) -> None:
        self.is_there = self.is_there or self.navigation.is_there
        self.lost += self.navigation.lost


# Text --------------------------------------------------------------------------------------------


def _screens_text(reading: Reading, is_whole: bool) -> Iterator[str]:
    name, session = plain(os.path.basename(reading.journal.path)), reading.session
    lines: List[Tuple[str, str]] = []
    for change in reading.read():
        if is_whole:
            lines += _heading(reading) if session is not reading.session else []
            session = reading.session
            when = clock(change.time - (reading.began or 0)) if change.time else ""
            lines += ((when, line) for line in _change(change, reading))
    width = max((len(when) for when, line in lines if line), default=0)
    shown = list(reading.navigation.shown.values())
    if reading.last is None:
        yield f"{name}: no events"
        return
    if not reading.is_there:
        yield f"{name}: no navigator"
        return
    then = f", {moment(reading.last.time)}" if reading.last.time else ""
    many = count(len(shown), "component")
    if is_whole:
        yield f"{name}: {count(reading.changes, 'change')} of what is shown"
        yield from (f"  {when.rjust(width)}  {line}" if line else when for when, line in lines)
        yield ""
        yield f"At the end, after #{reading.last.position}{then}: {many}"
    else:
        yield f"{name} after #{reading.last.position}{then}: {many}"
    yield from _tree(reading.navigation)
    if reading.lost:
        yield f"  {count(reading.lost, 'change')} cannot be read: the tree may have been another"


def _heading(reading: Reading) -> List[Tuple[str, str]]:
    """Returns the lines above a session's changes."""
    if reading.session is None or reading.number < 2:
        return [("", "")]
    return [("", ""), (f"Session {reading.number}, {moment(reading.session.time)}", "")]


def _change(change: Change, reading: Reading) -> Iterator[str]:
    navigation = reading.navigation
    head = f"#{change.position}  "
    if change.opened is not None:
        place = place_of(change.opened, navigation)
        yield head + "  ".join(
            part for part in (f"+ {told(change.opened)}", place, _by(change, navigation)) if part
        )
    if change.closed:
        yield head + _closed(change, navigation)


def _by(change: Change, navigation: Navigation) -> str:
    """Returns by what something was opened, in words."""
    move = navigation.moves.get(change.by)
    if move is None:
        return f"by #{change.by}"
    asker = navigation.asker_of(move)
    words = f"by #{change.by}" if move.verb == "open" else f"by #{change.by} {move.verb}"
    words += f" of {short_url(asker.url)}" if asker else ""
    if move.redirects:
        words += f", redirected from {short_url(move.url)}"
    return words


def _closed(change: Change, navigation: Navigation) -> str:
    meant = [one for one in change.closed if one.why and not one.why.along]
    along = [one for one in change.closed if one not in meant]
    why = why_of((meant or along)[0].why)
    parts = [f"− {told_all(meant or along)}", f"{why}  #{change.by}"]
    if meant and along:
        parts.append(f"and with it {told_all(along)}")
    if len(meant) == 1 and meant[0].time and change.time:
        parts.insert(1, f"after {short(change.time - meant[0].time)}")
    return "  ".join(parts)


def _tree(navigation: Navigation) -> Iterator[str]:
    covered = Covered(navigation.shown)
    for component, depth in walk(navigation):
        notes = [f"#{component.opened}"]
        notes += [f"in {plain(component.slot)}"] if component.slot else []
        notes += ["covered"] if component in covered else []
        notes += ["the topmost"] if component.number == navigation.top else []
        yield f"  {'  ' * min(depth, _DEEPEST)}{told(component)}  {', '.join(notes)}"


def walk(navigation: Navigation) -> Iterator["tuple[Component, int]"]:
    """Yields what is shown, each with its depth; what stands on one comes right behind it."""
    below: Dict[int, List[Component]] = {}
    for component in navigation.shown.values():
        number = component.below.number if component.below and not component.below.closed else 0
        below.setdefault(number, []).append(component)
    waiting = [(component, 0) for component in reversed(below.get(0, []))]
    while waiting:
        component, depth = waiting.pop()
        yield component, depth
        waiting += [(each, depth + 1) for each in reversed(below.get(component.number, []))]


# JSON --------------------------------------------------------------------------------------------


def _screens_json(reading: Reading, is_whole: bool) -> Iterator[str]:
    for change in reading.read():
        if is_whole:
            yield _line(_change_fields(change, reading))
    covered = Covered(reading.navigation.shown)
    for component in reading.navigation.shown.values():
        fields = _fields(component)
        fields["hidden"] = component in covered
        yield _line({"shown": fields})


def _line(fields: Dict[str, Any]) -> str:
    return plain_json(json.dumps(fields, ensure_ascii=False))


def _change_fields(change: Change, reading: Reading) -> Dict[str, Any]:
    fields: Dict[str, Any] = {
        "position": change.position,
        "time": change.time,
        "session": reading.number,
        "by": change.by,
    }
    move = reading.navigation.moves.get(change.by)
    if move is not None:
        asker = reading.navigation.asker_of(move)
        fields["move"] = {"verb": move.verb, "url": move.url, "cause": move.cause}
        fields["move"]["asker"] = asker.number if asker else 0
    if change.opened is not None:
        fields["opened"] = _fields(change.opened)
    if change.closed:
        fields["closed"] = [_closed_fields(component) for component in change.closed]
    fields["top"] = change.top
    return fields


def _closed_fields(component: Component) -> Dict[str, Any]:
    why = component.why or Why("")
    fields = {"component": component.number, "url": component.url, "why": why.what}
    fields.update({"result": why.result} if why.result else {}, along=why.along)
    return fields


def _fields(component: Component) -> Dict[str, Any]:
    names = ("component", "parent", "owner", "kind", "name", "url", "route", "slot", "opened")
    return {name: getattr(component, "number" if name == "component" else name) for name in names}


# `shown`: what every owner showed at one moment of a session --------------------------------------

_LONGEST = 80


def add_shown(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "shown",
        help="what every owner showed after an event, or at the end",
        description="Shows the values of every owner as they were after an event: what was on "
        "the screens then. Owners whose end is in the journal are left out. Of a long journal, it "
        "keeps an index beside it (PATH.index), which the next call uses.",
    )
    own.add_argument("path", metavar="PATH", help="the journal")
    own.add_argument(
        "--at", metavar="N", type=int, default=1 << 64, help="after position N; else at the end"
    )
    own.add_argument("--json", action="store_true", help="JSON, one owner a line, payloads whole")
    own.set_defaults(run=run_shown)


def run_shown(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    with opened(chosen.path) as journal, Index(journal) as index:
        owners, last = index.owners(chosen.at)
        if chosen.json:
            lines = [_owner_json(owner, owners) for owner in owners]
        else:
            lines = _owners_text(journal, owners, last)
        print("\n".join(lines), end="\n" if lines else "")
        return tell(journal)


def _owners_text(journal: Journal, owners: Owners, last: "Record | None") -> List[str]:
    name = plain(os.path.basename(journal.path))
    if last is None:
        return [f"{name}: no events"]
    when = f", {moment(last.time)}" if last.time else ""
    lines = [f"{name} after #{last.position}{when}: {count(len(owners), 'owner')} with values"]
    for owner in owners:
        name = (plain(owner.name) or CONTEXT) + owners.which(owner.scope)
        lines += ["", name, *_values(owner, owners)]
    return lines


def _values(owner: Owner, owners: Owners) -> List[str]:
    names = [plain(name_in(owner.name, event.name)) for event in owner.values.values()]
    width = max(map(len, names))
    return [
        f"  {name.ljust(width)} = {owners.shown(owner, event, _LONGEST)}  #{event.position}"
        + ("  written by a view" if event.written else "")
        for name, event in zip(names, owner.values.values())
    ]


def _owner_json(owner: Owner, owners: Owners) -> str:
    fields: Dict[str, Any] = {"owner": owner.name, "scope": owner.scope, "parent": owner.parent}
    if owner.scope in owners.opened:
        fields["opened"] = owners.opened[owner.scope]
    values = ", ".join(
        f"{json.dumps(event.name)}: {_value(owner, event, owners)}"
        for event in owner.values.values()
    )
    return plain_json(json.dumps(fields, ensure_ascii=False)[:-1] + f', "values": {{{values}}}}}')


def _value(owner: Owner, event: Record, owners: Owners) -> str:
    fields = {"position": event.position, "flags": flags_of(event)}
    return json.dumps(fields)[:-1] + owners.shown_json(owner, event) + "}"


# The places of a journal, which are its routes, and the ways between them: what `diagram` maps ----

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
        # What each event told, for it may have caused a move. Each name is kept once.
        self._positions, self._named = Positions(), array("I")
        self._names: Dict[str, int] = {}
        self._texts: List[str] = []

    def take(self, record: Record) -> None:
        """Takes the next record."""
        if not record.is_event:
            if record.kind == SESSION and not record.session.continues:
                self.end()
            self._navigation.learn(record)
            return
        note = self._navigation.take(record)
        self._positions.add(record.position)
        self._named.append(self._names.setdefault(_name(record, note), len(self._names)))

    def end(self) -> None:
        """Counts what a session has done, when all of it was taken."""
        navigation, self._texts = self._navigation, list(self._names)
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
        at = self._positions.index(move.cause)
        cause = self._texts[self._named[at]] if at >= 0 else ""
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

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`screens`: what the navigator showed when, and what was there at one moment."""

from __future__ import annotations

import argparse
import json
import os
from typing import Any, Dict, Iterator, List, Optional, Tuple

from .._escape import plain, plain_json
from .._journal.record import SESSION
from ..journal_file import Journal, Record, Session
from .covered import Covered
from .info import moment
from .moves import Change, Component, Why
from .navigation import Navigation
from .reading import count, opened, tell
from .steps import place_of, short_url, told, told_all, why_of
from .tree import clock, short

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

    def __init__(self, journal: Journal, at: Optional[int]) -> None:
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
        for record in self.journal.records():
            if record.position > self.at or self._is_over(record):
                break
            if not record.is_event:
                self._learn(record)
                continue
            self.began = record.time if self.began is None else self.began
            self.last = record
            note = self.navigation.take(record)
            if note is not None and note.change is not None:
                self.changes += 1
                yield note.change
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

    def _is_over(self, record: Record) -> bool:
        """Whether another session begins there, after the position."""
        is_next = record.kind == SESSION and not record.session.continues
        return is_next and record.position >= self.at > 0


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

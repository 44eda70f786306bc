# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`info`: what is in a journal; what its navigator did, in words and in numbers."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from datetime import datetime, timezone
from itertools import islice
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Set, Tuple

from ..journal_file import Journal, Record, Session, TypeInfo
from ..journal_file._record import ORIGIN, SESSION, TYPE, named, text_of
from ._dump import CONTEXT, Owner, Owners, name_in
from ._navigation import Component, Move, Navigation, Note, Why, scope_of_sender
from ._reading import (
    REFUSALS,
    CheckedJournal,
    count,
    ending_of,
    is_failed,
    opened,
    plain,
    role_of,
    shortened,
    tell,
)
from ._runs import Run

__all__ = [
    "Step",
    "add_info",
    "moment",
    "place_of",
    "short_url",
    "step_of",
    "told",
    "told_all",
    "why_of",
]


# What the navigator's events say, in words --------------------------------------------------------

#: How much of a URL, of a result and of what closes together is shown.
_URL, _RESULT, _TOGETHER = 60, 60, 6
_WHYS = {
    "gesture": "a gesture",
    "ended": "its owner's end",
    "open": "another took its place",
    "replace": "another took its place",
    "failed": "its own move failed",
    "": "what closed it is not kept",
}


class Step(NamedTuple):
    """An event of navigation in words."""

    kind: str
    title: str
    text: str = ""
    #: The position of the event that it is shown below; 0: of its cause.
    group: int = 0
    #: The number of the component that is to be shown.
    component: int = 0
    #: The URL of the component that asks, if it asks itself.
    asker: str = ""


def short_url(url: str) -> str:
    """Returns as much of a URL, or of another text, as a line has room for."""
    return plain(url if len(url) <= _URL else url[:_URL] + "…")


def told(component: Component) -> str:
    """Returns what a component is called: its kind and its URL."""
    return f"{component.kind} {short_url(component.url)}"


def told_all(components: Iterable[Component]) -> str:
    """Returns the URLs of components, the first of them."""
    urls = [short_url(component.url) for component in components]
    more = len(urls) - _TOGETHER
    return ", ".join(urls[:_TOGETHER]) + (f" and {more:,} more" if more > 0 else "")


def place_of(component: Component, navigation: Navigation) -> str:
    """Returns what a component stands on, in words; "": nothing."""
    slot = f"in {plain(component.slot)} of " if component.slot else "on "
    below = component.below or navigation.shown.get(component.parent)
    if below is None:
        return f"{slot}what is not known" if component.parent else ""
    return slot + short_url(below.url)


def why_of(why: Optional[Why]) -> str:
    """Returns why something closed, in words."""
    if why is None:
        return ""
    if why.what == "result":
        return f"result {plain(why.result)}" if why.result else "finished without a result"
    return _WHYS.get(why.what, why.what)


def title_of(move: Move, navigation: Navigation) -> str:
    """Returns what a move is called: its verb, and the URL of what it is about."""
    if move.url or move.opens:
        return f"{move.verb} {short_url(move.url)}".rstrip()
    target = navigation.shown.get(move.target)
    return f"{move.verb} {short_url(target.url)}" if target else move.verb


def step_of(event: Record, note: Note, navigation: Navigation) -> Step:
    """Puts an event of navigation into words."""
    making = {"move": _move, "result": _result, "guard": _guard, "verdict": _verdict}
    making.update(show=_show, hide=_hide, change=_change, finish=_finish, gone=_gone)
    make = making.get(note.kind)
    if make is not None:
        return make(event, note, navigation)
    titles = {"link": "link to all flows"}
    return Step(note.kind, titles.get(note.kind, note.kind), short_url(note.text), note.group)


def _move(event: Record, note: Note, navigation: Navigation) -> Step:
    move = note.move
    assert move is not None
    target = navigation.shown.get(move.target) if move.opens else None
    text = f"on {short_url(target.url)}" if target else ""
    asker = navigation.asker_of(move) if event.origin_bytes == b"Component" else None
    step = Step("move", title_of(move, navigation), "<marked>" if event.marked else text)
    return step._replace(asker=short_url(asker.url)) if asker else step


def _result(event: Record, note: Note, navigation: Navigation) -> Step:
    move = note.move
    assert move is not None
    title = f"result {plain(note.text)}".rstrip() if move.opens else "done"
    text = _payload(event)
    if event.status:
        why = move.opened.why if move.opened else None
        text = why_of(why) or short_url(event.error[1] or event.error[0])
    return Step("result", title, text, note.group)


def _payload(event: Record) -> str:
    return "" if event.marked else shortened(event.data.partition(b"\0")[2], _RESULT)


def _guard(event: Record, note: Note, navigation: Navigation) -> Step:
    url = "<marked>" if event.marked else shortened(event.data, _URL)
    return Step("guard", f"guard {plain(note.text)}", url, note.group)


def _verdict(event: Record, note: Note, navigation: Navigation) -> Step:
    verdict, _, url = note.text.partition(" ")
    says = {"redirect": "redirects to", "after": "wants first"}.get(verdict)
    text = "<marked>" if event.marked else f"{says} {short_url(url)}" if says else "lets it go on"
    if event.status:
        text = short_url(event.error[1] or event.error[0])
    return Step("verdict", "refuses" if event.status else "verdict", text)


def _show(event: Record, note: Note, navigation: Navigation) -> Step:
    component = note.components[0]
    # A group is shown when its first part is.
    place = place_of(component, navigation) if component.parent in navigation.shown else ""
    return Step("show", f"show {told(component)}", place, note.group, component.number)


def _hide(event: Record, note: Note, navigation: Navigation) -> Step:
    return Step("hide", f"hide {told_all(note.components)}", "", note.group)


def _change(event: Record, note: Note, navigation: Navigation) -> Step:
    change = note.change
    assert change is not None
    words, text = [], ""
    if change.opened is not None:
        words.append(f"opened {told(change.opened)}")
        text = place_of(change.opened, navigation)
    if change.closed:
        words.append(f"closed {told_all(change.closed)}")
        text = text or why_of(change.closed[0].why)
    number = change.opened.number if change.opened else 0
    return Step("change", ", ".join(words) or "nothing changed", text, note.group, number)


def _finish(event: Record, note: Note, navigation: Navigation) -> Step:
    result = f"{plain(note.text)} {_payload(event)}".strip()
    return Step("finish", f"finish {told_all(note.components)}".rstrip(), result)


def _gone(event: Record, note: Note, navigation: Navigation) -> Step:
    return Step("gone", f"gone {told_all(note.components)}".rstrip(), "by a gesture")


# What `info` keeps of a navigator: what it was asked for and has opened, counted ------------------


class Survey(Navigation):
    """A navigator of which no move and nothing that was closed is kept.

    Once it is known who the navigator is, only moves and changes of the tree say anything.
    """

    def _begin(self) -> None:
        super()._begin()
        #: How many moves there were of each verb, and what they have opened of each kind.
        self.verbs: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        #: Whether it is known who the navigator is.
        self.is_settled = False

    def learn(self, record: Record) -> None:
        """Takes the next record, if that is no event; who asks for a move does not matter."""
        if record.kind != ORIGIN:
            super().learn(record)

    def _is_of_navigator(self, event: Record) -> bool:
        is_it = super()._is_of_navigator(event)
        if not self.is_settled and self._home is not None:
            self.is_settled = True
            self.moves.clear()
            for number in list(self.telling):
                self._leave_out(number)
        return is_it

    def _learn_type(self, number: int, info: TypeInfo) -> None:
        super()._learn_type(number, info)
        if self.is_settled:
            self._leave_out(number)

    def _leave_out(self, number: int) -> None:
        """Takes no more events of a type, if they only told who the navigator is."""
        if self.telling.get(number) not in (self._move, self._tree):
            self.telling.pop(number, None)

    def _move(self, event: Record) -> Note:
        move = Move(event, scope_of_sender(event))
        self.verbs[move.verb] += 1
        if not self.is_settled:
            self.moves[event.position] = move
        return Note("move", move=move)

    def _change(
        self, event: Record, by: int, opened: Optional[Component], closed: List[int], top: int
    ) -> Note:
        for number in closed:
            self.shown.pop(number, None)
        if opened is not None:
            self.shown[opened.number] = opened
            self.kinds[opened.kind] += 1
        return Note("change", by)

    # What only tells why -------------------------------------------------------------------------

    def _result(self, event: Record) -> None:
        return None

    def _gone(self, event: Record) -> None:
        return None

    def _finish(self, event: Record) -> None:
        return None

    def _ended(self, event: Record) -> None:
        return None


def summary_of(survey: Survey) -> List[str]:
    """Returns a line on a navigator, if there is one: its moves, and what they opened."""
    if not survey.is_there:
        return []
    moves, components = sum(survey.verbs.values()), sum(survey.kinds.values())
    return [
        f"  {count(moves, 'move')}{_counted(survey.verbs)} opened "
        f"{count(components, 'component')}{_counted(survey.kinds)}; "
        f"at the end there is {told_all(survey.shown.values()) or 'nothing'}"
    ]


def _counted(words: Counter[str]) -> str:
    names = [f"{word} {much:,}" for word, much in words.most_common()]
    return f" ({', '.join(names)})" if names else ""


# The command --------------------------------------------------------------------------------------

_LEVELS = {0: "process", 1: "power", 2: "buffered"}
#: How much is shown of a session's end: owners, values of each, and of a value.
_OWNERS, _VALUES, _VALUE = 20, 16, 40
_KEPT = {0: "full", 1: "mark", 2: "none", 3: "inputs"}


def add_info(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "info",
        help="what is in it: sessions, event types, how it ended",
        description="Shows what is in a journal: its files, its sessions, the event types with "
        "their counts, and how it ended.",
    )
    own.add_argument("path", metavar="PATH", help="the journal")
    own.set_defaults(run=run_info)


class Part:
    """The counts of one session, as far as it is in one file."""

    def __init__(self, session: Session, owners: Owners, navigation: Survey) -> None:
        self.session = session
        self.navigation = navigation
        #: What is shown; what was shown at the session's end, as lines.
        self.owners = owners
        self.shown: List[str] = []
        self.first = self.refused = 0
        self.counts: Dict[int, int] = {}
        self.failures: Dict[int, int] = {}
        #: Who sent how many events, the busiest first; set when it has ended.
        self.senders: List[Tuple[str, int]] = []
        # How many events of each type and status were not counted yet.
        self._outcomes: Counter[Tuple[int, int]] = Counter()
        # How many events each origin sent; those of numbers that now mean another, by name.
        self._origins: Counter[int] = Counter()
        self._names: Dict[int, bytes] = {}
        self._former: Dict[bytes, int] = {}
        # What its types are, and those whose events say more than how many there are.
        self._types: Dict[int, TypeInfo] = {}
        self._telling: Set[int] = set()
        self._choose()

    def take(self, run: Run) -> None:
        """Takes the next events: those that only count need not be made."""
        self.first = self.first or run.first
        self._outcomes.update(run.outcomes())
        self._origins.update(run.origins)
        self._tell(run.of_types(self._telling))

    def learn(self, record: Record) -> None:
        """Takes the next record, if that is no event."""
        self.owners.learn(record)
        self.navigation.learn(record)
        if record.kind == SESSION:
            self._choose()
        elif record.kind == TYPE:
            self._learn_type(*named(record))
        elif record.kind == ORIGIN:
            name: bytes
            number, name = named(record)
            former = self._names.get(number, name)
            self._former[former] = self._former.get(former, 0) + self._origins.pop(number, 0)
            self._names[number] = name

    def _learn_type(self, number: int, info: TypeInfo) -> None:
        if number in self._types:
            self._count()
        self._types[number] = info
        tells = number in self.owners.telling or number in self.navigation.telling
        (self._telling.add if tells else self._telling.discard)(number)

    def _tell(self, events: Iterable[Record]) -> None:
        for event in events:
            if event.type in self.owners.telling:
                self.owners.take(event)
            self.navigation.take(event)
        if self._is_settled is not self.navigation.is_settled:
            self._choose()

    def _choose(self) -> None:
        self._is_settled = self.navigation.is_settled
        self._telling = {*self.owners.telling, *self.navigation.telling}

    def _count(self) -> None:
        """Counts what there was, as long as the numbers of types mean the same."""
        for (number, status), much in self._outcomes.items():
            self.counts[number] = self.counts.get(number, 0) + much
            if status in REFUSALS:
                self.refused += much
            elif is_failed(status, self._types.get(number)):
                self.failures[number] = self.failures.get(number, 0) + much
        self._outcomes.clear()

    def _find_senders(self) -> List[Tuple[str, int]]:
        sent: Dict[str, int] = {}
        for each, much in self._former.items():
            sent[_name(each)] = sent.get(_name(each), 0) + much
        for number, much in self._origins.items():
            name = _name(self.session.origins.get(number, b"origin %d" % number))
            sent[name] = sent.get(name, 0) + much
        return sorted((item for item in sent.items() if item[1]), key=lambda item: -item[1])

    def end(self, is_last: bool) -> None:
        """Ends the part; of the last one of its session, notes what is shown then.

        A journal may have many files, and each many scopes: only their names are kept.
        """
        self._count()
        self.senders = self._find_senders()
        for each in (self._origins, self._names, self.session.origins, self.session.scopes):
            each.clear()
        if is_last:
            self.shown = summary_of(self.navigation) + _shown(self.owners)


def run_info(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    with opened(chosen.path) as journal:
        parts = _parts(journal)
        print("\n".join(_journal(journal, parts)))
        number, known = 0, {id(session) for session in journal.sessions}
        for part in parts:
            if id(part.session) in known:
                number += not part.session.continues or number == 0
                print("\n".join(["", *_session(number, part), *part.shown]))
        return tell(journal)


def _parts(journal: CheckedJournal) -> List[Part]:
    """Reads all records."""
    part = Part(Session(), Owners(), Survey())
    parts = [part]
    for record in journal.pieces():
        if isinstance(record, Run):
            part.take(record)
            continue
        if record.kind == SESSION:
            # The next file continues the session of the one before, and repeats its names.
            part.end(is_last=not record.session.continues)
            former = (part.owners, part.navigation)
            here = former if record.session.continues else (Owners(), Survey())
            part = Part(record.session, *here)
            parts.append(part)
        part.learn(record)
    part.end(is_last=True)
    return parts


def moment(time: int) -> str:
    """Returns nanoseconds since 1970 as a date and a time of day."""
    try:
        when = datetime.fromtimestamp(time // 10**9, timezone.utc)
    except (ValueError, OverflowError, OSError):
        return f"{time} ns"
    return when.strftime("%Y-%m-%d %H:%M:%S UTC")


def _journal(journal: Journal, parts: List[Part]) -> List[str]:
    header, ending = journal.headers[0], ending_of(journal)
    events = sum(sum(part.counts.values()) for part in parts)
    failed = sum(sum(part.failures.values()) for part in parts)
    refused = sum(part.refused for part in parts)
    first = min((part.first for part in parts if part.first), default=0)
    where = f", positions {first:,} to {ending.position:,}" if events else ""
    names = [plain(os.path.basename(path)) for path in journal.paths]
    files = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    closed = bool(journal.sessions) and journal.sessions[-1].ended
    how = "closed" if closed else "still being written, or its program was killed"
    if ending.kind == "torn":
        how += f"; a torn tail of {count(ending.torn, 'byte')} is dropped"
    if ending.kind == "damaged":
        how = f"DAMAGED at byte {ending.offset} of {plain(ending.path)}; what follows is not read"
    if not journal.is_begun:
        how = "none was begun: a crash came before its header was whole"
        return [f"journal  {how}", f"files    {count(journal.size, 'byte')}: {files}"]
    return [
        f"journal  {header.journal.hex()}",
        f"files    {count(len(names), 'file')}, {count(journal.size, 'byte')}: {files}",
        f"made     {moment(header.made)}",
        f"events   {events:,}{where}, {failed:,} failed"
        + (f", {refused:,} refused" * (refused > 0)),
        f"ending   {how}",
    ]


def _session(number: int, part: Part) -> List[str]:
    session = part.session
    again = ", continued in another file" if session.continues else ""
    level = _LEVELS.get(session.level, str(session.level))
    rows: List[Tuple[str, ...]] = [("events", "failed", "type", "role", "layer", "payload", "kept")]
    for type_number, much in sorted(part.counts.items(), key=lambda item: (-item[1], item[0])):
        rows.append(_row(session, type_number, much, part.failures.get(type_number, 0)))
    names = [f"{name} {much:,}" for name, much in part.senders]
    lines = [
        f"session {number}{again}: {moment(session.time)}, process {session.process}, "
        f"Mainstem {plain(session.version) or '?'}, level {level}, seed {session.seed}",
        f"  {count(sum(part.counts.values()), 'event')} sent by: {', '.join(names) or 'nobody'}",
    ]
    return lines + (_table(rows) if len(rows) > 1 else [])


def _name(name: bytes) -> str:
    return plain(text_of(name)) or CONTEXT


def _row(session: Session, number: int, much: int, failed: int) -> "tuple[str, ...]":
    info = session.types.get(number)
    if info is None:
        return (f"{much:,}", f"{failed:,}", f"type {number}", "?", "?", "?", "?")
    kept = "secret" if info.is_secret else _KEPT.get(info.contract >> 48 & 3, "?")
    form = info.payload
    if form == "struct":
        form = count(info.contract & 0xFFFFFFFF, "byte")
    form = f"list of {form}" if info.is_list else form
    layer = plain(text_of(session.layers.get(info.layer, b"layer %d" % info.layer)))
    return (f"{much:,}", f"{failed:,}", plain(text_of(info.name)), role_of(info), layer, form, kept)


def _shown(owners: Owners) -> List[str]:
    """Returns a line for each owner: what it shows."""
    if not len(owners):
        return []
    lines = [f"  shown at its end by {count(len(owners), 'owner')}:"]
    lines += [f"    {_owner(owner, owners)}" for owner in islice(owners, _OWNERS)]
    more = len(owners) - _OWNERS
    return lines + ([f"    and {count(more, 'more owner')}"] if more > 0 else [])


def _owner(owner: Owner, owners: Owners) -> str:
    pairs = [
        f"{plain(name_in(owner.name, event.name))} {owners.shown(owner, event, _VALUE)}"
        for event in islice(owner.values.values(), _VALUES)
    ]
    if len(owner.values) > _VALUES:
        pairs.append(f"and {len(owner.values) - _VALUES:,} more")
    name = (plain(owner.name) or CONTEXT) + owners.names.of_scope(owner.scope)
    return f"{name}: {', '.join(pairs)}"


def _table(rows: "List[tuple[str, ...]]") -> List[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if column < 2 else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths))
        ]
        lines.append(("  " + "  ".join(cells)).rstrip())
    return lines

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What happened, as gestures: each event from outside, and how much followed it.

Writes of one value that follow each other are one row, and so is whatever else repeats itself.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from itertools import compress
from operator import add
from typing import TYPE_CHECKING, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

from ..journal_file import Record, TypeInfo
from ..journal_file._record import SESSION, TYPE, named, text_of
from ._band import Band
from ._dump import name_in
from ._info import step_of
from ._navigation import Navigation
from ._reading import is_failed, plain
from ._runs import Run

if TYPE_CHECKING:
    from ._live import Names

__all__ = ["Gesture", "Gestures", "Kind"]


class Kind(NamedTuple):
    """What was done, wherever it was."""

    #: "pressed", "typed" …; "": `what` says it.
    verb: str
    what: str
    #: The value that was written, if `what` does not say it.
    part: str = ""
    #: Whether its payload belongs to what is shown.
    has_text: bool = False
    #: Whether several that follow each other are one row.
    folds: bool = True
    #: Whether its sender says where it was.
    is_sent: bool = True


class Gesture(NamedTuple):
    """A row: one event from outside, or several of one kind."""

    row: int
    kind: Kind
    #: The part that it was done on, or that has sent it.
    by: str
    session: int
    #: The positions of the first and of the last one, and how many they are.
    first: int
    last: int
    many: int
    #: The last position that followed, so far.
    end: int
    time: int
    #: How many events there were in all, and how many of them set a value.
    events: int
    values: int
    failed: bool


class Mark(NamedTuple):
    """Where something happened: an event from outside, or the first of several rows."""

    row: int
    position: int
    time: int
    #: Whether something failed there, and whether it is one of many that a row is, as in typing.
    failed: bool
    is_one_of_many: bool


#: A row has no more of them: its sums are made when it is asked for.
_FOLDED = 4096
#: What is too far for an array of four bytes.
_FAR = 0xFFFFFFFF


class Gestures:
    """The gestures of a journal, given its pieces in order."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._kinds: List[Kind] = []
        self._numbers: Dict[Kind, int] = {}
        # Of each event from outside: position, kind, origin, time; what followed, how far.
        self._roots, self._kind, self._origins = array("Q"), array("I"), array("I")
        self._times = array("q")
        self._events, self._values, self._ends = array("I"), array("I"), array("I")
        self._failed = bytearray()
        # Of each row the index of its first one.
        self._rows = array("I")
        # The kind and the sender of the last one.
        self._last: Tuple[int, Optional[Tuple[bytes, int]]] = (-1, None)
        self._last_failed = -1
        # Of the types of this session, and the kind of each type, flags and owner's name.
        self._value_types: Set[int] = set()
        self._known: Dict[Tuple[int, int, bytes], int] = {}
        self._navigation = Navigation()
        #: What was on the screen when.
        self.band = Band()
        self._now = (0, 0)

    # Reading -------------------------------------------------------------------------------------

    def learn(self, record: Record) -> None:
        """Takes the next record that is no event."""
        self._navigation.learn(record)
        if record.kind == SESSION:
            self._value_types = set()
            self._known.clear()
            if not record.session.continues:
                self._last = (-1, None)
                self.band.end(*self._now)
        elif record.kind == TYPE:
            self._known.clear()
            number, info = named(record)
            (self._value_types.add if info.role == "value" else self._value_types.discard)(number)

    def take(self, run: Run) -> None:
        """Takes the next events."""
        if not len(run):
            return
        roots, types, statuses = (run.column(name) for name in ("correlation", "type", "status"))
        begun = [at for at, root in enumerate(roots, run.first) if at == root]
        self._now = (run.first + len(run) - 1, run.column("time")[-1])
        steps = dict(self._steps(run))
        if begun:
            self._begin(run, begun, steps)
        if len(begun) < len(run):
            self._follow(run.first, roots, types)
        if any(statuses):
            self._fail(run, roots, types, statuses)

    def _steps(self, run: Run) -> Iterator[Tuple[int, str]]:
        """Yields what the navigator's events say, and their positions."""
        for event in run.of_types(self._navigation.telling.keys()):
            note = self._navigation.take(event)
            if note is not None and note.change is not None:
                self.band.take(note.change)
            if note is not None and event.correlation == event.position:
                yield event.position, step_of(event, note, self._navigation).title

    def _begin(self, run: Run, begun: List[int], steps: Dict[int, str]) -> None:
        """Takes the events from outside of a run, given their positions."""
        columns = [run.column(name) for name in ("type", "origin", "flags", "time")]
        if len(begun) < len(run):
            columns = [[column[at - run.first] for at in begun] for column in columns]
        types, origins, flags, times = columns
        senders = {origin: run.sender(origin) for origin in set(origins)}
        sent = list(map(senders.__getitem__, origins))
        kinds = []
        for key in zip(types, flags, (name for name, _ in sent)):
            known = self._known.get(key)
            kinds.append(self._learn_kind(run, key) if known is None else known)
        for at, step in steps.items():
            kinds[bisect_left(begun, at)] = self._number(Kind("", step, is_sent=False))
        last = self._last
        for index, each in enumerate(zip(kinds, sent), len(self._roots)):
            if each != last or not self._kinds[each[0]].folds or self._is_long(index):
                self._rows.append(index)
                last = each
        self._last = last
        self._roots.extend(begun)
        self._kind.extend(kinds)
        self._origins.extend(origins)
        self._times.extend(times)
        self._events.extend([1] * len(begun))
        self._values.extend(map(self._value_types.__contains__, types))
        self._ends.extend([0] * len(begun))
        self._failed.extend(bytes(len(begun)))

    def _is_long(self, index: int) -> bool:
        return index - self._rows[-1] >= _FOLDED

    def _follow(self, first: int, roots: List[int], types: List[int]) -> None:
        """Counts what followed, and which values that has set."""
        follow = [at != root for at, root in enumerate(roots, first)]
        below = list(compress(roots, follow))
        sets = map(self._value_types.__contains__, compress(types, follow))
        values = Counter(compress(below, sets))
        # The last event of each root: what comes later stands for what came before.
        ends = dict(zip(below, compress(range(first, first + len(roots)), follow)))
        for root, count in Counter(below).items():
            index = self._index(root)
            if index >= 0:
                self._events[index] += count
                self._values[index] += values.get(root, 0)
                self._ends[index] = min(ends[root] - root, _FAR)

    def _index(self, root: int) -> int:
        index = bisect_left(self._roots, root)
        return index if index < len(self._roots) and self._roots[index] == root else -1

    def _learn_kind(self, run: Run, key: Tuple[int, int, bytes]) -> int:
        number, flags, owner = key
        known = self._known[key] = self._number(_kind(run.info(number), flags, text_of(owner)))
        return known

    def _number(self, kind: Kind) -> int:
        if kind not in self._numbers:
            self._numbers[kind] = len(self._kinds)
            self._kinds.append(kind)
        return self._numbers[kind]

    def _fail(self, run: Run, roots: List[int], types: List[int], statuses: List[int]) -> None:
        for root, number, status in zip(roots, types, statuses):
            if status and is_failed(status, run.info(number)):
                index = self._index(root)
                if index >= 0:
                    self._failed[index] = 1
                    self._last_failed = max(self._last_failed, index)

    # Asking --------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def failure(self) -> int:
        """The last row in which something has failed; -1: nothing has."""
        return -1 if self._last_failed < 0 else bisect_right(self._rows, self._last_failed) - 1

    def __getitem__(self, row: int) -> Gesture:
        """A row; raises IndexError."""
        if not 0 <= row < len(self._rows):
            raise IndexError(row)
        first, end = self._span(row)
        kind, root = self._kinds[self._kind[first]], self._roots[first]
        return Gesture(
            row,
            kind,
            self._by(kind, root, self._origins[first]),
            self._names.number(root),
            root,
            self._roots[end - 1],
            end - first,
            max(map(add, self._roots[first:end], self._ends[first:end])),
            self._times[first],
            sum(self._events[first:end]),
            sum(self._values[first:end]),
            any(self._failed[first:end]),
        )

    def _by(self, kind: Kind, position: int, origin: int) -> str:
        if not kind.is_sent:
            return ""
        by = self._names.sender(position, origin).title
        return f"{by}.{kind.part}" if kind.part else by

    def marks(self, most: int) -> List[Mark]:
        """Marks of the events from outside; if they are too many, of so many rows at most."""
        step = -(-len(self._rows) // most) or 1
        is_each = len(self._roots) <= most
        begins = range(len(self._roots)) if is_each else self._rows[::step]
        marks = []
        for first, end in zip(begins, [*begins[1:], len(self._roots)]):
            row = bisect_right(self._rows, first) - 1
            begin, over = self._span(row)
            is_failed = 1 in self._failed[first:end]
            time = self._times[first]
            marks.append(Mark(row, self._roots[first], time, is_failed, over - begin > 1))
        return marks

    def around(self, time: int) -> Tuple[int, int]:
        """The last event from outside at or before a time, and the next; 0: there is none."""
        index = bisect_right(self._times, time)
        last = self._roots[index - 1] if index else 0
        return last, self._roots[index] if index < len(self._roots) else 0

    def roots(self, row: int) -> List[int]:
        """The positions of the events from outside that a row is."""
        return self._roots[slice(*self._span(row))].tolist()

    def row_of(self, root: int) -> int:
        """The row that an event from outside is in; -1: none."""
        index = self._index(root)
        return -1 if index < 0 else bisect_right(self._rows, index) - 1

    def _span(self, row: int) -> Tuple[int, int]:
        is_last = row + 1 == len(self._rows)
        return self._rows[row], len(self._roots) if is_last else self._rows[row + 1]


_VERBS = {"request": "asked", "response": "answered", "notice": "sent", "value": "set"}
#: Flags of an event.
_TIMER, _WRITTEN = 256, 512
_TYPED = {"text": "typed", "bool": "switched"}


def _kind(info: TypeInfo, flags: int, owner: str) -> Kind:
    """Says what an event from outside is."""
    name, form = text_of(info.name), info.payload
    own = plain(name_in(owner, name)) or plain(name)
    has_text = form not in ("none", "bytes", "struct") and not (info.is_secret or info.is_list)
    if info.is_command:
        return Kind("pressed", own, "", has_text, folds=False)
    if flags & _TIMER:
        return Kind("timer", own)
    if flags & _WRITTEN:
        part = "" if own == plain(name) else own
        return Kind(_TYPED.get(form, "set"), "" if form == "text" else own, part, has_text)
    return Kind(_VERBS[info.role], own, "", has_text, folds=info.role in ("value", "notice"))

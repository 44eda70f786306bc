# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What followed a gesture: its events as a tree, in sentences, and what they have changed."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from itertools import islice
from typing import Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

from ..journal_file import Record
from ..journal_file._record import PROGRESS
from ._blocks import FAR, Row
from ._contrast import Value
from ._dump import Owner, Owners, ended_by
from ._gestures import Gesture
from ._live import Live
from ._reading import is_failure, payload_of, plain, status_name
from ._tree import short

__all__ = ["LONGEST", "Chain", "Changes", "Link", "between", "told_of", "words_of"]

#: How much of a payload is shown where there are many.
LONGEST = 120
#: So many events has a chain, which takes 40 microseconds each; so many are looked through for one.
_CHAIN, _SPAN = 2_000, 4_000_000
#: In so many positions, what came in between is looked for.
_NEAR = 20_000
#: What comes later than this after all before it, in nanoseconds, is told apart; what takes no
#: longer than that is not told.
_PAUSE, _SHORT = 2_000_000_000, 1_000_000


# Its events ---------------------------------------------------------------------------------------


class Link(NamedTuple):
    """An event of a chain, and how deep it is in the tree."""

    event: Record
    depth: int


class Chain:
    """The events that followed a gesture, read from the journal; of many, those around one."""

    def __init__(self, live: Live, gesture: Gesture, at: int = 0) -> None:
        self._events: Dict[int, Record] = {}
        self._below: Dict[int, List[int]] = {}
        #: The answer of each request.
        self.answers: Dict[int, Record] = {}
        for position, row in _around(live, gesture, at):
            self._take(live.event_at(position, row))
        #: The time of the first one.
        self.began = next((event.time for event in self._events.values()), 0)

    def __len__(self) -> int:
        return len(self._events)

    def __iter__(self) -> Iterator[Record]:
        return iter(self._events.values())

    def _take(self, event: Record) -> None:
        self._events[event.position] = event
        # What has another cause is below the request that it answers.
        above = (each for each in (event.cause, event.answers) if each in self._events)
        self._below.setdefault(next(above, 0), []).append(event.position)
        if event.answers and not event.flags & PROGRESS:
            self.answers.setdefault(event.answers, event)

    def get(self, position: int) -> Optional[Record]:
        """An event of it; None: it is none."""
        return self._events.get(position)

    def walk(self) -> Iterator[Link]:
        """Yields all, each right behind what caused it."""
        waiting = [(position, 0) for position in reversed(self._below.get(0, []))]
        while waiting:
            position, depth = waiting.pop()
            yield Link(self._events[position], depth)
            waiting += [(each, depth + 1) for each in reversed(self._below.get(position, []))]


def _around(live: Live, gesture: Gesture, at: int) -> List[Tuple[int, Row]]:
    """Returns the first events; if one that is asked for is not among them, those from its root on,
    or from it on."""
    roots = set(live.gestures.roots(gesture.row))
    found = list(islice(_caused(live, roots, gesture), _CHAIN))
    if len(found) < _CHAIN or at <= found[-1][0]:
        return found
    asked = live.row(at)
    if asked is None or asked.root not in roots:
        return found
    for begin in (asked.root, at):
        found = list(islice(_caused(live, roots, gesture._replace(first=begin)), _CHAIN))
        if found and found[-1][0] >= at:
            break
    return found


def _caused(live: Live, roots: Set[int], gesture: Gesture) -> Iterator[Tuple[int, Row]]:
    """Yields the events of some roots, in order."""
    seen = 0
    for block in live.index.blocks(gesture.first, gesture.end):
        seen += len(block)
        if seen > _SPAN:
            return
        for position, distance in enumerate(block.column("correlation"), block.first):
            if position - distance in roots and distance != FAR and position >= gesture.first:
                row = block.row(position)
                if row is not None:
                    yield position, row


def words_of(gesture: Gesture) -> str:
    """Says what was done, in few words."""
    kind = gesture.kind
    return f"{kind.verb} {kind.what or gesture.by}".strip()


def told_of(gesture: Gesture, chain: Chain, text: str) -> Iterator[str]:
    """Yields sentences: what was done, what followed, what took long, what came later."""
    # Of a part, how long it took says nothing.
    is_whole = len(chain) >= gesture.events
    times = sorted(event.time for event in chain if event.time and is_whole)
    end = _end_of(times)
    yield _done(gesture, text) + " " + _followed(gesture, chain, times, end)
    slow = _slowest(chain, times[end - 1] if times else 0)
    if slow:
        yield slow
    failed = [event for event in chain if is_failure(event)]
    if failed:
        event = failed[0]
        said = payload_of(event, LONGEST) or ""
        yield f"{plain(event.name)} failed with {status_name(event.status)}: {said}".rstrip(": ")
    late = len(times) - end
    if late:
        many = "1 event came" if late == 1 else f"{late:,} events came"
        yield f"{many} later, {short(times[-1] - times[0])} after it."


def between(live: Live, gesture: Gesture, chain: Chain) -> Iterator[str]:
    """Yields a sentence, if events of other gestures came between those of one."""
    own = {event.position for event in chain}
    if len(own) < max(gesture.events, 2) or max(own) - min(own) > _NEAR:
        return
    first, last = min(own), max(own)
    others = [
        position
        for block in live.index.blocks(first, last)
        for position, place in enumerate(block.column("place"), block.first)
        if place and first < position < last and position not in own
    ]
    if len(others) == 1:
        yield f"1 event of another gesture came in between: #{others[0]}."
    elif others:
        many = f"{len(others):,} events of other gestures came in between"
        yield f"{many}, from #{others[0]} to #{others[-1]}."


def _end_of(times: List[int]) -> int:
    """How many events there were before the first long pause."""
    for index, (before, after) in enumerate(zip(times, times[1:]), 1):
        if after - before > _PAUSE and after - before > times[index - 1] - times[0]:
            return index
    return len(times)


def _done(gesture: Gesture, text: str) -> str:
    kind, many = gesture.kind, gesture.many
    times = "" if many == 1 else f", {many:,} times"
    if not kind.verb:
        return f"{kind.what}{times}."
    if kind.verb == "typed":
        return f"“{text}” was typed into {gesture.by}{times}."
    if kind.verb in ("switched", "set"):
        return f"{kind.what} was {kind.verb} to {text or 'another value'}{times}."
    if kind.verb == "timer":
        return f"The timer {kind.what} fired{times}."
    return f"{kind.what} was {kind.verb}{times}."


def _followed(gesture: Gesture, chain: Chain, times: List[int], end: int) -> str:
    followed = gesture.events - gesture.many
    if not followed:
        return "Nothing followed."
    many = "1 event followed" if followed == 1 else f"{followed:,} events followed"
    values = "1 value" if gesture.values == 1 else f"{gesture.values:,} values"
    parts = [many, f"{values} changed"]
    if times:
        parts.append(f"in {short(times[end - 1] - times[0])}")
    return ", ".join(parts) + "."


def _slowest(chain: Chain, until: int) -> str:
    """Says which request took most of the time up to a moment, if one did."""
    answered = [
        (answer.time - request.time, request, answer)
        for position, answer in chain.answers.items()
        for request in (chain.get(position),)
        if request is not None and request.time and answer.time <= until
    ]
    most = max((took for took, _, _ in answered), default=0)
    if most < _SHORT:
        return ""
    # What waits for another request takes as long as that: the last one did the work.
    took, request, answer = max(
        (each for each in answered if each[0] * 4 >= most * 3), key=lambda each: each[1].position
    )
    by = plain(answer.origin_name) or "the app"
    return f"{short(took)} of it {by} took to answer {plain(request.name)}."


# What it has changed ------------------------------------------------------------------------------


class Changes:
    """What a gesture has changed up to a position."""

    def __init__(self, live: Live, gesture: Gesture, at: int) -> None:
        self._live = live
        self._gesture = gesture._replace(end=min(gesture.end, at))
        self._roots = set(live.gestures.roots(gesture.row)) if at >= gesture.first else set()
        #: The owners before it; none, if it begins a session.
        self.before = Owners()
        number = live.names.number
        if gesture.first > live.first and number(gesture.first - 1) == number(gesture.first):
            self.before, _ = live.owners(gesture.first - 1)
        self.olds = {owner.source: owner for owner in self.before}

    def made(self, event: Record) -> bool:
        """Whether it has led to an event."""
        return event.correlation in self._roots

    def old(self, owner: Owner, event: Record) -> Optional[Value]:
        """What an owner showed by a value before it, or what another gesture had set meanwhile;
        None: nothing, or it has not changed that."""
        if not self.made(event):
            return None
        meanwhile = self._meanwhile.get((event.type, event.origin), [])
        last = bisect_left(meanwhile, event.position)
        if last and not event.type_info.is_list:
            set_by = self._live.event(meanwhile[last - 1])
            return None if set_by is None else (None, None, set_by)
        owners, former = self.before, self.olds.get(owner.source)
        if last:
            owners, _ = self._live.owners(meanwhile[last - 1])
            former = next((one for one in owners if one.source == owner.source), None)
        value = None if former is None else former.values.get(event.type)
        return None if former is None or value is None else (owners, former, value)

    @cached_property
    def _meanwhile(self) -> Dict[Tuple[int, int], List[int]]:
        """Where others have set what it may have set, too, by type and origin."""
        found: Dict[Tuple[int, int], List[int]] = {}
        first, last = self._gesture.first, self._gesture.end
        if last - first > _NEAR:
            return found
        for block in self._live.index.blocks(first, last):
            columns = (block.column(name) for name in ("correlation", "type", "origin"))
            for position, (distance, kind, origin) in enumerate(zip(*columns), block.first):
                if first < position <= last and position - distance not in self._roots:
                    found.setdefault((kind, origin), []).append(position)
        return found

    def opened(self, owner: Owner) -> bool:
        """Whether it has opened an owner."""
        if owner.source in self.olds:
            return False
        cause = self._live.row(owner.born[1])
        if cause is None or cause.root is None:
            return any(map(self.made, owner.values.values()))
        return cause.root in self._roots

    def gone(self, after: Owners) -> List[Owner]:
        """The owners that it has ended."""
        there = {owner.source for owner in after}
        gone = [owner for owner in self.before if owner.source not in there and owner.scope]
        ends = self._ends() if gone else set()
        return [owner for owner in gone if not ends.isdisjoint(self._above(owner))]

    def _above(self, owner: Owner) -> Set[int]:
        """The scope of an owner, and those that it is below."""
        scopes: Set[int] = set()
        above: Optional[Owner] = owner
        while above is not None and above.scope not in scopes:
            scopes |= {above.scope, -above.parent}
            above = self.olds.get((above.parent, b""))
        return scopes

    def _ends(self) -> Set[int]:
        """The scopes that it has ended; below zero, those that have said what is below them."""
        live, ends = self._live, set()
        for position, row in _caused(live, self._roots, self._gesture):
            info = live.names.info(position, row.type)
            is_list = info.role == "value" and info.payload == "bytes"
            if info.name == b"MainstemEnded":
                ends.add(ended_by(live.event_at(position, row)))
            elif is_list or info.name.endswith(b".ended"):
                ends.add(-live.names.sender(position, row.origin).scope)
        return ends - {0}

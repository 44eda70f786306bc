# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The pictures of a diagram: who sends and handles each type, and when."""

from __future__ import annotations

import math
from array import array
from html import escape
from statistics import median
from typing import Dict, Iterator, List, NamedTuple, Set, Tuple

from ..journal_file import Record
from ..journal_file._record import text_of
from ._dump import name_in
from ._reading import REFUSALS, count, is_failure, plain, role_of
from ._runs import Positions
from ._tree import clock, short

__all__ = [
    "ANSWERS",
    "ASKED",
    "BOX",
    "HEAD",
    "LONGEST",
    "NAME",
    "PROGRAM",
    "REACTS",
    "SIGNS",
    "SMALL",
    "VIEWS",
    "Cast",
    "Kind",
    "Part",
    "Picture",
    "Timeline",
    "Wire",
    "facts_of",
    "fitted",
    "listed",
    "middle",
    "told",
    "width_of",
]


# The greatest width a text can have, in any font a browser may use here ---------------------------

_WIDEST, _CAPITAL, _USUAL, _NARROW = 1.14, 0.82, 0.72, 0.42


def width_of(text: str, size: float) -> float:
    """Returns the width in pixels, in bold; `size` is the font size."""
    # Exact, so that a picture is the same in each version of Python.
    return size * math.fsum(map(_letter, text))


def _letter(letter: str) -> float:
    if letter in "WMmw@%—…" or letter > "\u017f":
        return _WIDEST
    if letter in "ijltf.,:;'|!()[] ":
        return _NARROW
    return _CAPITAL if letter.isupper() else _USUAL


def fitted(text: str, size: float, room: float) -> str:
    """Returns as much of a text as fits."""
    if width_of(text, size) <= room:
        return text
    room -= width_of("…", size)
    end = 0
    while end < len(text) and room >= _letter(text[end]) * size:
        room -= _letter(text[end]) * size
        end += 1
    return text[:end] + "…"


# The cast of a journal: the parts of the program, the event types, and who reacts to which --------

_FAILED, _TRACKED = 1, 2
#: What the context and all views that write are called.
PROGRAM, VIEWS = "the program", "views"
#: How a part reacts to an event type; the first that applies is shown.
ANSWERS, ASKED, REACTS = "answers", "asked", "reacts"


class Part:
    """One origin: a server, a view, the program itself."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.number = number
        self.sent = 0


class Kind:
    """One event type; or the values that one owner shows, or that views write there."""

    def __init__(self, number: int, event: Record, name: str) -> None:
        self.number = number
        self.name = name
        self.role = role_of(event.type_info)
        self.count = self.failed = self.refused = self.open = 0
        self.layers: List[str] = []
        #: If it stands for values: their names, each with its count.
        self.values: Dict[str, int] = {}
        #: How often each part sent it, and how each part reacts to it.
        self.senders: Dict[int, int] = {}
        self.takers: Dict[int, str] = {}
        #: The types that its events caused, each with the part that sent it, and how often.
        self.effects: Dict[Tuple[int, int], int] = {}
        #: What its events are found by: the type, or the owner of the values.
        self.found_by = plain(event.name)
        #: How long each answer took.
        self.durations: List[int] = []

    @property
    def sender(self) -> int:
        """The part that sends it most often."""
        return max(self.senders, key=lambda part: (self.senders[part], -part))

    def is_taken(self, part: int, how: str) -> None:
        """Notes that a part reacted to one."""
        order = (ANSWERS, ASKED, REACTS)
        before = self.takers.get(part, REACTS)
        self.takers[part] = min(before, how, key=order.index)

    def note_layer(self, event: Record) -> None:
        """Notes the layer of one."""
        number = event.type_info.layer
        layer = plain(text_of(event.session.layers.get(number, b"layer %d" % number)))
        if layer not in self.layers:
            self.layers.append(layer)


class Cast:
    """The cast of a journal, given all its events in order."""

    def __init__(self) -> None:
        self.parts: List[Part] = []
        self.kinds: List[Kind] = []
        self.events = self.failed = 0
        #: The names of all event types.
        self.types: Set[str] = set()
        #: Of each event: when it was, its part, its kind, and whether it failed or is tracked.
        self.times = array("q")
        self._senders, self._sent = array("I"), array("I")
        self._flags = array("B")
        self._positions = Positions()
        # Views that write are one part. Whatever an origin is called, it is another one.
        self._parts: Dict[Tuple[bool, str], int] = {}
        self._kinds: Dict[Tuple[str, str], int] = {}

    def take(self, event: Record) -> None:
        """Takes the next event."""
        owner = self._part(event.origin_name)
        is_of_view = event.written or event.is_run
        part = self._part(VIEWS, is_views=True) if is_of_view else owner
        kind = self._kind(event, owner)
        refused = event.status in REFUSALS
        failed = is_failure(event)
        self.events += 1
        self.failed += failed
        part.sent += 1
        kind.count += 1
        kind.failed += failed
        kind.refused += refused
        kind.open += event.tracked
        kind.senders[part.number] = kind.senders.get(part.number, 0) + 1
        if is_of_view:
            kind.is_taken(owner.number, REACTS)
        self._join(event, part, kind)
        self._positions.add(event.position)
        self.times.append(event.time)
        self._senders.append(part.number)
        self._sent.append(kind.number)
        self._flags.append(failed * _FAILED | event.tracked * _TRACKED)

    def parts_and_kinds(self) -> Iterator[Tuple[int, int, bool]]:
        """Yields for each event its part, its kind, and whether it failed."""
        for part, kind, flags in zip(self._senders, self._sent, self._flags):
            yield part, kind, bool(flags & _FAILED)

    def _join(self, event: Record, part: Part, kind: Kind) -> None:
        cause, asked = map(self._positions.index, (event.cause, event.answers))
        if cause >= 0:
            above = self.kinds[self._sent[cause]]
            above.is_taken(part.number, REACTS)
            key = (kind.number, part.number)
            above.effects[key] = above.effects.get(key, 0) + 1
        if asked >= 0:
            question = self.kinds[self._sent[asked]]
            question.is_taken(part.number, ANSWERS)
            kind.is_taken(self._senders[asked], ASKED)
            if not event.is_progress:
                question.open -= bool(self._flags[asked] & _TRACKED)
                if event.time and self.times[asked]:
                    question.durations.append(event.time - self.times[asked])

    def _part(self, origin: str, is_views: bool = False) -> Part:
        name = plain(origin)
        key = (is_views, name)
        if key not in self._parts:
            self._parts[key] = len(self.parts)
            self.parts.append(Part(name or PROGRAM, len(self.parts)))
        return self.parts[self._parts[key]]

    def _kind(self, event: Record, owner: Part) -> Kind:
        name = event.name
        self.types.add(name)
        is_value = event.type_info.role == "value"
        key, title = ("", name), plain(name)
        if is_value:
            # One kind for all of an owner: a view model of ten values does not fill the page.
            title = f"written to {owner.name}" if event.written else f"{owner.name} shows"
            key = ("written" if event.written else "shown", owner.name)
        if key not in self._kinds:
            self._kinds[key] = len(self.kinds)
            self.kinds.append(Kind(len(self.kinds), event, title))
            if is_value:
                self.kinds[-1].found_by = owner.name
        kind = self.kinds[self._kinds[key]]
        kind.note_layer(event)
        if is_value:
            short = plain(name_in(event.origin_name, name))
            kind.values[short] = kind.values.get(short, 0) + 1
        return kind


# The long picture: a column for each part, a row for each event type, in causal order -------------

#: The most rows and columns in the picture; the table has all of them.
ROWS, COLUMNS = 60, 10
_ROW, BOX, HEAD, _TOP = 66, 44, 34, 62
# The font sizes of a name and of the text below it; the widest name.
NAME, SMALL, LONGEST = 13, 11, 350
_WIDE, _WIDEST_GAP = 1100, 340
# How many letters a list of names has.
_LIST = 40
SIGNS = {"request": "?", "response": "↩", "notice": "!", "value": "=", "command": "▸"}


class Wire(NamedTuple):
    """A line between the box of an event type and a part."""

    part: int
    #: How the part reacts; "": it has sent some.
    how: str
    path: str


class Picture:
    """The picture's layout."""

    #: How wide a column is at least, and how much of it a box leaves free.
    least, beside = 200.0, 76.0

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self.kinds = _shown(cast)
        self.parts = sorted(_busiest(cast), key=lambda part: part.number)
        self._rows = {kind.number: row for row, kind in enumerate(self.kinds)}
        self._column = {part.number: index for index, part in enumerate(self.parts)}
        widest = max((self.box_width(kind) for kind in self.kinds), default=0)
        #: The width of a column.
        self.gap = max(self.least, widest / 2 + self.beside)
        self._left = max(widest / 2, self.gap / 2) + 40
        if len(self.parts) > 1:
            room = (_WIDE - 2 * self._left) / (len(self.parts) - 1)
            self.gap = max(self.gap, min(room, _WIDEST_GAP))
        self._outer = {part.number for part in (*self.parts[:1], *self.parts[-1:])}
        self.width = 2 * self._left + (len(self.parts) - 1) * self.gap
        self.height = _TOP + len(self.kinds) * _ROW + HEAD + 24

    def svg(self) -> str:
        """Returns the picture as SVG."""
        title = f"Which part sends and which parts react to {count(len(self.kinds), 'event type')}"
        bottom = self.height - HEAD / 2 - 4
        lines = [
            f'<svg viewBox="0 0 {self.width:.0f} {self.height:.0f}" width="{self.width:.0f}" '
            f'height="{self.height:.0f}" role="group" aria-label="{title}">',
            '<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" '
            'markerHeight="9" markerUnits="userSpaceOnUse" orient="auto-start-reverse">'
            '<path d="M0 0 10 5 0 10z"/></marker></defs>',
        ]
        for part in self.parts:
            x = self.x_of(part.number)
            lines.append(f'<path class="life" d="M{x:.0f} {HEAD + 4}V{bottom:.0f}"/>')
        lines += self._work()
        lines += [self._head(part, y) for y in (HEAD / 2 + 4, bottom) for part in self.parts]
        lines += [self._row(row, kind) for row, kind in enumerate(self.kinds)]
        return "\n".join([*lines, "</svg>"])

    # Columns -------------------------------------------------------------------------------------

    def x_of(self, part: int) -> float:
        """Returns where the middle of a part's column is."""
        return self._left + self._column.get(part, len(self.parts) - 1) * self.gap

    def _head(self, part: Part, y: float) -> str:
        width = min(self.gap - 28, 230)
        label = escape(fitted(part.name, NAME, width - 24))
        told = escape(f"{part.name}: {count(part.sent, 'event')} sent")
        x = self.x_of(part.number)
        return (
            f'<g class="part"><title>{told}</title><rect x="{x - width / 2:.0f}" '
            f'y="{y - HEAD / 2:.0f}" width="{width:.0f}" height="{HEAD}" rx="17"/>'
            f'<text x="{x:.0f}" y="{y + 5:.0f}">{label}</text></g>'
        )

    def _work(self) -> List[str]:
        """Returns the bars on a part's line, from an event type it reacts to, to one it sends."""
        rows = self._rows
        spans: Dict[int, List[Tuple[float, float]]] = {}
        for kind in self.kinds:
            for effect, part in kind.effects:
                if effect in rows and rows[effect] > rows[kind.number] and part in self._column:
                    span = (middle(rows[kind.number]), middle(rows[effect]))
                    spans.setdefault(part, []).append(span)
        return [
            f'<rect class="work" x="{self.x_of(part) - 5:.0f}" y="{begin:.0f}" width="10" '
            f'height="{end - begin:.0f}" rx="5"/>'
            for part in sorted(spans)
            for begin, end in _joined(spans[part])
        ]

    # Rows ----------------------------------------------------------------------------------------

    def box_width(self, kind: Kind) -> float:
        """Returns the width of an event type's box."""
        facts = " · ".join(facts_of(kind))
        name = width_of(fitted(kind.name, NAME, LONGEST), NAME) + 46
        return max(name, width_of(facts, SMALL) + 14)

    def _row(self, row: int, kind: Kind) -> str:
        y, x, width = middle(row), self.x_of(kind.sender), self.box_width(kind)
        kinds = [f"kind {kind.role}", "failing" if kind.failed or kind.open > 0 else ""]
        facts = facts_of(kind)
        return (
            f'<a class="{" ".join(kinds).strip()}" href="#type-{kind.number}" '
            f'aria-label="{escape(told(self.cast, kind))}"><title>{escape(told(self.cast, kind))}'
            f"</title>{self._wires(kind, x, y, width)}"
            f'<rect class="box" x="{x - width / 2:.1f}" y="{y - BOX / 2:.0f}" '
            f'width="{width:.1f}" height="{BOX}" rx="9"/>'
            f'<text class="sign" x="{x - width / 2 + 17:.1f}" y="{y - 1:.0f}">'
            f"{SIGNS[kind.role]}</text>"
            f'<text class="name" x="{x + 10:.1f}" y="{y - 2:.0f}">'
            f"{escape(fitted(kind.name, NAME, LONGEST))}</text>"
            f'<text class="facts" x="{x:.1f}" y="{y + 14:.0f}">{_spans(facts)}</text>'
            f"{self._earlier(row, kind)}</a>"
        )

    def _earlier(self, row: int, kind: Kind) -> str:
        """Returns the names of what parts send next, if its row is further up."""
        names: Dict[int, List[str]] = {}
        for (effect, part), _ in sorted(kind.effects.items()):
            if self._rows.get(effect, row) < row and part in self._column:
                next_one = self.cast.kinds[effect]
                names.setdefault(part, []).append(f"{SIGNS[next_one.role]} {next_one.name}")
        lines = []
        for part, found in names.items():
            x, is_left = self.x_of(part), self.x_of(part) < self.x_of(kind.sender)
            place, anchor = (x - 12, "end") if is_left else (x + 12, "start")
            room = (self._left if part in self._outer else self.gap) - 24
            label = escape(fitted(", ".join(found), SMALL, room))
            y = middle(row) + (BOX / 2 + 12 if part == kind.sender else -6)
            at = f'text-anchor="{anchor}" x="{place:.0f}" y="{y:.0f}"'
            lines.append(f'<text class="next" {at}>{label}</text>')
        return "".join(lines)

    def _wires(self, kind: Kind, x: float, y: float, width: float) -> str:
        wires = []
        for wire in self.wires(kind, x, y, width):
            if not wire.how:
                there = self.x_of(wire.part)
                wires.append(f'<circle class="from" cx="{there:.0f}" cy="{y:.0f}" r="5"/>')
                wires.append(f'<path class="wire thin" d="{wire.path}"/>')
                continue
            style = "wire" if wire.how in (ANSWERS, ASKED) else "wire thin"
            wires.append(f'<path class="{style}" marker-end="url(#head)" d="{wire.path}"/>')
        return "".join(wires)

    def wires(self, kind: Kind, x: float, y: float, width: float) -> Iterator[Wire]:
        """Yields the lines between a box and the parts that send or take its events."""
        for sender in kind.senders:
            there = self.x_of(sender)
            if there != x:
                edge = x - width / 2 if there < x else x + width / 2
                yield Wire(sender, "", f"M{there:.0f} {y:.0f}H{edge:.1f}")
        for taker, how in sorted(kind.takers.items()):
            there = self.x_of(taker)
            if there == x:
                right = x + width / 2
                yield Wire(taker, how, f"M{right:.1f} {y - 8:.0f}c26 0 26 16 1 16")
                continue
            edge, end = (x + width / 2, there - 7) if there > x else (x - width / 2, there + 7)
            shift = 8 if taker in kind.senders else 0
            yield Wire(taker, how, f"M{edge:.1f} {y + shift:.0f}H{end:.0f}")


def middle(row: int) -> float:
    """Returns where the middle of a row is."""
    return _TOP + row * _ROW + _ROW / 2


def _shown(cast: Cast) -> List[Kind]:
    """Returns the event types in the picture, in the order of their first event."""
    often = sorted(cast.kinds, key=lambda kind: -kind.count)[:ROWS]
    return sorted(often, key=lambda kind: kind.number)


def _busiest(cast: Cast) -> List[Part]:
    return sorted(cast.parts, key=lambda part: -part.sent)[:COLUMNS]


def _joined(spans: List[Tuple[float, float]]) -> List[Tuple[float, float]]:
    joined: List[Tuple[float, float]] = []
    for begin, end in sorted(spans):
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return joined


def facts_of(kind: Kind) -> List[str]:
    """Returns the text in a box below the name."""
    names = fitted(listed(list(kind.values), _LIST), SMALL, LONGEST)
    facts = [names] if names else []
    facts += ["once" if kind.count == 1 else f"{kind.count:,} times"]
    if kind.durations:
        facts.append(f"answered after {short(int(median(kind.durations)))}")
    if kind.failed:
        facts.append(f"{kind.failed:,} failed")
    if kind.refused:
        facts.append(f"{kind.refused:,} refused")
    if kind.open > 0:
        facts.append(f"{kind.open:,} unanswered")
    return facts


def listed(names: List[str], longest: int) -> str:
    """Returns names in a row, as many as fit."""
    shown = names[:1]
    for name in names[1:]:
        if sum(map(len, shown)) + 2 * len(shown) + len(name) > longest:
            break
        shown.append(name)
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")


def _spans(facts: List[str]) -> str:
    bad = ("failed", "unanswered")
    return " · ".join(
        f'<tspan class="bad">{fact}</tspan>' if fact.endswith(bad) else fact for fact in facts
    )


def told(cast: Cast, kind: Kind) -> str:
    """Describes an event type in a message."""
    names = {part.number: part.name for part in cast.parts}
    senders = ", ".join(names[part] for part in kind.senders)
    what = "values" if kind.values else f"a {kind.role}"
    parts = [f"{kind.name}, {what}: {', '.join(facts_of(kind))}; sent by {senders}"]
    for how, verb in ((ANSWERS, "answered by"), (ASKED, "asked for by"), ("reacts", "taken by")):
        takers = [names[part] for part, way in sorted(kind.takers.items()) if way == how]
        if takers:
            parts.append(f"{verb} {', '.join(takers)}")
    return "; ".join(parts)


# The timeline: a row for each part, time from left to right ---------------------------------------

_BINS = 160
_WIDTH, _LEFT, _RIGHT = 1100, 190, 24
_BAND, _MARGIN = 40, 10
_ROUND_TIMES = [
    milliseconds * 1_000_000
    for milliseconds in (
        *(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000),
        *(60_000 * minutes for minutes in (1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 720, 1440)),
    )
]


class Bin:
    """The events of one part in one interval."""

    __slots__ = ("count", "failed", "kinds")

    def __init__(self) -> None:
        self.count = self.failed = 0
        self.kinds: Dict[int, int] = {}


class Timeline:
    """All events, in intervals of time; in a journal without times, of positions."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self.has_times = any(cast.times)
        self._parts = sorted(
            sorted(cast.parts, key=lambda part: -part.sent)[:COLUMNS], key=lambda part: part.number
        )
        places = cast.times if self.has_times else range(1, len(cast.times) + 1)
        self._begin = min(places, default=0)
        self._span = max(max(places, default=0) - self._begin, 1)
        self._bins: Dict[Tuple[int, int], Bin] = {}
        for place, (part, kind, failed) in zip(places, cast.parts_and_kinds()):
            at = min((place - self._begin) * _BINS // self._span, _BINS - 1)
            one = self._bins.setdefault((part, at), Bin())
            one.count += 1
            one.failed += failed
            one.kinds[kind] = one.kinds.get(kind, 0) + 1
        self._most = max((one.count for one in self._bins.values()), default=1)

    def svg(self) -> str:
        """Returns the timeline as SVG."""
        height = _MARGIN + len(self._parts) * _BAND + 34
        lines = [
            f'<svg viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" role="img" '
            f'aria-label="When each part sent its events: {count(self.cast.events, "event")}">'
        ]
        lines += self._scale(height)
        for row, part in enumerate(self._parts):
            y = _MARGIN + (row + 1) * _BAND
            name = fitted(part.name, 13, _LEFT - 20)
            lines.append(f'<path class="life" d="M{_LEFT} {y}H{_WIDTH - _RIGHT}"/>')
            lines.append(f'<text class="label" x="{_LEFT - 14}" y="{y - 8}">{escape(name)}</text>')
            lines += self._bars(part.number, y)
        return "\n".join([*lines, "</svg>"])

    def _scale(self, height: int) -> List[str]:
        lines = []
        step = _step(self._span, self.has_times)
        for place in range(0, self._span + 1, step):
            x = _LEFT + (_WIDTH - _LEFT - _RIGHT) * place / self._span
            label = clock(place) if self.has_times else f"#{self._begin + place:,}"
            lines.append(f'<path class="grid" d="M{x:.0f} {_MARGIN}V{height - 28}"/>')
            lines.append(f'<text class="tick" x="{x:.0f}" y="{height - 10}">{label}</text>')
        return lines

    def _bars(self, part: int, y: float) -> List[str]:
        step = (_WIDTH - _LEFT - _RIGHT) / _BINS
        bars = []
        for at in range(_BINS):
            one = self._bins.get((part, at))
            if one is None:
                continue
            # The square root keeps one event visible beside a thousand.
            tall = max((_BAND - 12) * (one.count / self._most) ** 0.5, 4)
            bad = tall * one.failed / one.count
            x = _LEFT + at * step
            bars.append(f"<g><title>{escape(self._told(at, one))}</title>")
            bars.append(_bar("bar", x, y - tall, step, tall - bad))
            if bad:
                bars.append(_bar("bar bad", x, y - bad, step, bad))
            bars.append("</g>")
        return bars

    def _told(self, at: int, one: Bin) -> str:
        place = self._span * at // _BINS
        when = clock(place) if self.has_times else f"from #{self._begin + place} on"
        often = sorted(one.kinds.items(), key=lambda item: -item[1])
        names = ", ".join(f"{self.cast.kinds[kind].name} {much}" for kind, much in often[:6])
        more = f" and {len(often) - 6} more types" if len(often) > 6 else ""
        failed = f", {one.failed} failed" if one.failed else ""
        return f"{when}: {count(one.count, 'event')}{failed}: {names}{more}"


def _step(span: int, is_time: bool) -> int:
    """Returns a round step that fits into a span at most seven times."""
    for step in _ROUND_TIMES if is_time else ():
        if span <= 7 * step:
            return step
    step = _ROUND_TIMES[-1] if is_time else 1
    while span > 7 * step:
        step *= 2 if str(step)[0] == "1" else 5
    return step


def _bar(name: str, x: float, y: float, width: float, height: float) -> str:
    return (
        f'<rect class="{name}" x="{x:.1f}" y="{y:.1f}" width="{width - 1:.1f}" '
        f'height="{height:.1f}"/>'
    )

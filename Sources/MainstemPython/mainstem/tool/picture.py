# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The long picture: a column for each part, a row for each event type, in causal order."""

from __future__ import annotations

from html import escape
from statistics import median
from typing import Dict, List, Tuple

from .cast import ANSWERS, ASKED, Cast, Kind, Part
from .reading import count
from .tree import short
from .width import fitted, width_of

#: The most rows and columns in the picture; the table has all of them.
ROWS, COLUMNS = 60, 10
_ROW, _BOX, _HEAD, _TOP = 66, 44, 34, 62
# The font sizes of a name and of the text below it; the widest name.
_NAME, _SMALL, _LONGEST = 13, 11, 350
_WIDE, _WIDEST_GAP = 1100, 340
# How many letters a list of names has.
_LIST = 40
SIGNS = {"request": "?", "response": "↩", "notice": "!", "value": "=", "command": "▸"}


class Picture:
    """The picture's layout."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self.kinds = _shown(cast)
        self.parts = sorted(_busiest(cast), key=lambda part: part.number)
        self._rows = {kind.number: row for row, kind in enumerate(self.kinds)}
        self._column = {part.number: index for index, part in enumerate(self.parts)}
        widest = max((self._box(kind) for kind in self.kinds), default=0)
        self._gap = max(200.0, widest / 2 + 76)
        self._left = max(widest / 2, self._gap / 2) + 40
        if len(self.parts) > 1:
            room = (_WIDE - 2 * self._left) / (len(self.parts) - 1)
            self._gap = max(self._gap, min(room, _WIDEST_GAP))
        self._outer = {part.number for part in (*self.parts[:1], *self.parts[-1:])}
        self.width = 2 * self._left + (len(self.parts) - 1) * self._gap
        self.height = _TOP + len(self.kinds) * _ROW + _HEAD + 24

    def svg(self) -> str:
        """Returns the picture as SVG."""
        title = f"Which part sends and which parts react to {count(len(self.kinds), 'event type')}"
        bottom = self.height - _HEAD / 2 - 4
        lines = [
            f'<svg viewBox="0 0 {self.width:.0f} {self.height:.0f}" width="{self.width:.0f}" '
            f'height="{self.height:.0f}" role="group" aria-label="{title}">',
            '<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" '
            'markerHeight="9" markerUnits="userSpaceOnUse" orient="auto-start-reverse">'
            '<path d="M0 0 10 5 0 10z"/></marker></defs>',
        ]
        for part in self.parts:
            x = self._x(part.number)
            lines.append(f'<path class="life" d="M{x:.0f} {_HEAD + 4}V{bottom:.0f}"/>')
        lines += self._work()
        lines += [self._head(part, y) for y in (_HEAD / 2 + 4, bottom) for part in self.parts]
        lines += [self._row(row, kind) for row, kind in enumerate(self.kinds)]
        return "\n".join([*lines, "</svg>"])

    # Columns -------------------------------------------------------------------------------------

    def _x(self, part: int) -> float:
        return self._left + self._column.get(part, len(self.parts) - 1) * self._gap

    def _head(self, part: Part, y: float) -> str:
        width = min(self._gap - 28, 230)
        label = escape(fitted(part.name, _NAME, width - 24))
        told = escape(f"{part.name}: {count(part.sent, 'event')} sent")
        x = self._x(part.number)
        return (
            f'<g class="part"><title>{told}</title><rect x="{x - width / 2:.0f}" '
            f'y="{y - _HEAD / 2:.0f}" width="{width:.0f}" height="{_HEAD}" rx="17"/>'
            f'<text x="{x:.0f}" y="{y + 5:.0f}">{label}</text></g>'
        )

    def _work(self) -> List[str]:
        """Returns the bars on a part's line, from an event type it reacts to, to one it sends."""
        rows = self._rows
        spans: Dict[int, List[Tuple[float, float]]] = {}
        for kind in self.kinds:
            for effect, part in kind.effects:
                if effect in rows and rows[effect] > rows[kind.number] and part in self._column:
                    span = (_middle(rows[kind.number]), _middle(rows[effect]))
                    spans.setdefault(part, []).append(span)
        return [
            f'<rect class="work" x="{self._x(part) - 5:.0f}" y="{begin:.0f}" width="10" '
            f'height="{end - begin:.0f}" rx="5"/>'
            for part in sorted(spans)
            for begin, end in _joined(spans[part])
        ]

    # Rows ----------------------------------------------------------------------------------------

    def _box(self, kind: Kind) -> float:
        facts = " · ".join(_facts(kind))
        name = width_of(fitted(kind.name, _NAME, _LONGEST), _NAME) + 46
        return max(name, width_of(facts, _SMALL) + 14)

    def _row(self, row: int, kind: Kind) -> str:
        y, x, width = _middle(row), self._x(kind.sender), self._box(kind)
        kinds = [f"kind {kind.role}", "failing" if kind.failed or kind.open > 0 else ""]
        facts = _facts(kind)
        return (
            f'<a class="{" ".join(kinds).strip()}" href="#type-{kind.number}" '
            f'aria-label="{escape(told(self.cast, kind))}"><title>{escape(told(self.cast, kind))}'
            f"</title>{self._wires(kind, x, y, width)}"
            f'<rect class="box" x="{x - width / 2:.1f}" y="{y - _BOX / 2:.0f}" '
            f'width="{width:.1f}" height="{_BOX}" rx="9"/>'
            f'<text class="sign" x="{x - width / 2 + 17:.1f}" y="{y - 1:.0f}">'
            f"{SIGNS[kind.role]}</text>"
            f'<text class="name" x="{x + 10:.1f}" y="{y - 2:.0f}">'
            f"{escape(fitted(kind.name, _NAME, _LONGEST))}</text>"
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
            x, is_left = self._x(part), self._x(part) < self._x(kind.sender)
            place, anchor = (x - 12, "end") if is_left else (x + 12, "start")
            room = (self._left if part in self._outer else self._gap) - 24
            label = escape(fitted(", ".join(found), _SMALL, room))
            y = _middle(row) + (_BOX / 2 + 12 if part == kind.sender else -6)
            at = f'text-anchor="{anchor}" x="{place:.0f}" y="{y:.0f}"'
            lines.append(f'<text class="next" {at}>{label}</text>')
        return "".join(lines)

    def _wires(self, kind: Kind, x: float, y: float, width: float) -> str:
        wires = []
        for sender in kind.senders:
            there = self._x(sender)
            if there != x:
                edge = x - width / 2 if there < x else x + width / 2
                wires.append(f'<circle class="from" cx="{there:.0f}" cy="{y:.0f}" r="5"/>')
                wires.append(f'<path class="wire thin" d="M{there:.0f} {y:.0f}H{edge:.1f}"/>')
        for taker, how in sorted(kind.takers.items()):
            there = self._x(taker)
            style = "wire" if how in (ANSWERS, ASKED) else "wire thin"
            if there == x:
                right = x + width / 2
                wires.append(
                    f'<path class="{style}" marker-end="url(#head)" d="M{right:.1f} {y - 8:.0f}'
                    f'c26 0 26 16 1 16"/>'
                )
                continue
            edge, end = (x + width / 2, there - 7) if there > x else (x - width / 2, there + 7)
            shift = 8 if taker in kind.senders else 0
            wires.append(
                f'<path class="{style}" marker-end="url(#head)" '
                f'd="M{edge:.1f} {y + shift:.0f}H{end:.0f}"/>'
            )
        return "".join(wires)


def _middle(row: int) -> float:
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


def _facts(kind: Kind) -> List[str]:
    """Returns the text in a box below the name."""
    names = fitted(listed(list(kind.values), _LIST), _SMALL, _LONGEST)
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
    parts = [f"{kind.name}, {what}: {', '.join(_facts(kind))}; sent by {senders}"]
    for how, verb in ((ANSWERS, "answered by"), (ASKED, "asked for by"), ("reacts", "taken by")):
        takers = [names[part] for part, way in sorted(kind.takers.items()) if way == how]
        if takers:
            parts.append(f"{verb} {', '.join(takers)}")
    return "; ".join(parts)

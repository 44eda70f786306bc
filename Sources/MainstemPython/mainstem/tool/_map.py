# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The map of screens: places as cards, with the ways that lead from one to another."""

from __future__ import annotations

import math
from html import escape
from typing import Dict, Iterator, List, NamedTuple, Tuple

from ._picture import fitted, listed, width_of
from ._reading import count
from ._screens import Place, Places, Way

__all__ = [
    "BAR",
    "CARDS",
    "HEAD",
    "Card",
    "Map",
    "cards_of",
    "chosen_of",
    "ends_of",
    "on_the_way",
    "section_of",
    "shown_of",
    "table_of",
    "told",
]


# What the map of screens says of places and ways, in words ----------------------------------------

#: The ways on a card; the table has all of them.
WAYS = 8
#: Kinds that ask for something, so that a result is missed.
_ASKING = ("dialog", "present")


def to_of(way: Way) -> str:
    """Returns where a way leads; "": nowhere."""
    return f" → {way.target.route}" if way.target else ""


def on_the_way(way: Way) -> List[str]:
    """Returns what lay on a way, and how it ended, as texts."""
    if way.refusal:
        return [f"{'✗ ' if way.is_bad else ''}{way.refusal}: {way.url}"]
    notes = [f"redirected {way.redirected:,}×"] if way.redirected else []
    notes += [f"guard {listed(list(way.guards), 30)}"] if way.guards else []
    is_asking = way.target is not None and way.target.kind in _ASKING
    notes += [f"{way.finished:,} finished"] if way.finished else []
    notes += [f"{way.cancelled:,} cancelled"] if way.cancelled and is_asking else []
    return notes


def times_of(number: int) -> str:
    """Returns how often something was."""
    return "once" if number == 1 else f"{number:,} times"


def shown_of(place: Place) -> str:
    """Returns what kind a place is, and how often it was shown."""
    still = [f"{place.open:,} there still"] if place.open else []
    return " · ".join([place.kind, times_of(place.count), *still])


def ends_of(place: Place) -> str:
    """Returns how a place was left, in words."""
    done = [f"{name} {much:,}" for name, much in place.results.items()]
    gone = [f"{name} {much:,}" for name, much in place.cancels.items()]
    ends = [f"✓ {listed(done, 60)}"] if done else []
    sign = "✗ " if place.kind in _ASKING else ""
    return " · ".join(ends + ([f"{sign}{listed(gone, 60)}"] if gone else []))


def told(place: Place) -> str:
    """Describes a place in a message."""
    ways = [
        "; ".join([f"{way.label}{to_of(way)}, {times_of(way.count)}", *on_the_way(way)])
        for way in list(place.ways.values())[:WAYS]
    ]
    head = f"{place.route}, {place.kind}" if place.kind != "app" else place.route
    facts = [times_of(place.count), ends_of(place)] if place.kind != "app" else []
    return ". ".join([", ".join([head, *filter(None, facts)]), *ways])


# Where the cards of the map of screens stand: in columns from left to right -----------------------

#: The most cards in the picture; the table has all of them.
CARDS = 40
#: Deeper ones stand in the last column.
_COLUMNS = 8
_WIDTH, _NARROW, GAP, _BETWEEN, EDGE = 236, 168, 64, 24, 10
#: The heights of a card's title, of its head, of a line's first and second text, of a bar.
TITLE, HEAD, _LINE, ABOUT, FOOT, BAR = 32, 46, 24, 15, 6, 5


class Card(NamedTuple):
    """The card of a place."""

    place: Place
    column: int
    y: float
    #: The ways on it, and where the line of each begins and ends.
    ways: List[Way]
    lines: List[Tuple[float, float]]

    @property
    def x(self) -> float:
        return EDGE + (self.column > 0) * (_NARROW + GAP + (self.column - 1) * (_WIDTH + GAP))

    @property
    def width(self) -> float:
        return _WIDTH if self.column else _NARROW

    @property
    def bottom(self) -> float:
        last = self.lines[-1][1] if self.lines else self.y + _head(self.place)
        return last + FOOT + (len(self.ways) < len(self.place.ways)) * ABOUT

    def port(self, index: int) -> float:
        """The middle of a line: where its wire begins."""
        return sum(self.lines[index]) / 2


def chosen_of(places: Places) -> List[Place]:
    """Returns the app, and the places that were shown most, in the order of their first time."""
    often = sorted(places.places[1:], key=lambda place: -place.count)[: CARDS - 1]
    chosen = sorted(often, key=lambda place: place.number)
    return [places.app, *chosen]


def cards_of(places: List[Place]) -> Dict[int, Card]:
    """Lays cards out from left to right, each near the line that first led to it."""
    cards: Dict[int, Card] = {}
    columns = _columns(places)
    wanted: Dict[int, float] = {}
    bottoms: Dict[int, float] = {}
    order = sorted(places, key=lambda place: columns[place.number])
    for column in range(_COLUMNS):
        here = [place for place in order if columns[place.number] == column]
        here.sort(key=lambda place: (wanted.get(place.number, math.inf), place.number))
        for place in here:
            y = max(bottoms.get(column, EDGE), wanted.get(place.number, 0.0))
            card = cards[place.number] = _card(place, column, y)
            bottoms[column] = card.bottom + _BETWEEN
            for index, way in enumerate(card.ways):
                if way.target is not None:
                    wanted.setdefault(way.target.number, card.port(index) - TITLE / 2)
    return cards


def _card(place: Place, column: int, y: float) -> Card:
    ways = list(place.ways.values())
    often = set(sorted(ways, key=lambda way: -way.count)[:WAYS])
    shown = [way for way in ways if way in often]
    lines, top = [], y + _head(place)
    for way in shown:
        bottom = top + _LINE + ABOUT * bool(on_the_way(way))
        lines.append((top, bottom))
        top = bottom
    return Card(place, column, y, shown, lines)


def _head(place: Place) -> float:
    if place.kind == "app":
        return TITLE
    return HEAD + (BAR + 20) * bool(ends_of(place))


def _columns(places: List[Place]) -> Dict[int, int]:
    """Returns the column of each place: how many ways lead to it from the app, at least."""
    drawn = {place.number: place for place in places}
    columns: Dict[int, int] = {}
    for start in places:
        if start.number in columns:
            continue
        columns[start.number] = 0 if start.number == 0 else 1
        waiting = [start]
        for place in waiting:
            for way in place.ways.values():
                target = way.target
                if target is not None and target.number in drawn and target.number not in columns:
                    columns[target.number] = min(columns[place.number] + 1, _COLUMNS - 1)
                    waiting.append(target)
    return columns


# The map of screens: a card for each place, with the ways that lead from it -----------------------

_NAME, _SMALL = 13, 11
SIGNS = {
    "app": "•",
    "screen": "▭",
    "dialog": "◈",
    "present": "▣",
    "overlay": "◳",
    "embed": "▤",
    "group": "⊞",
    "flow": "⇉",
}


class Map:
    """The map."""

    def __init__(self, places: Places) -> None:
        self.places = chosen_of(places)
        #: The cards, by the numbers of their places.
        self.cards = cards_of(self.places)
        cards = self.cards.values()
        # Wires between cards of the last column turn to the right of them.
        self.width = max(card.x + card.width for card in cards) + 3 * EDGE
        self.height = max(card.bottom for card in cards) + EDGE

    def svg(self) -> str:
        """Returns the map as SVG."""
        title = f"How {count(len(self.places) - 1, 'screen')} were reached"
        cards = list(self.cards.values())
        return "\n".join(
            [
                f'<svg viewBox="0 0 {self.width:.0f} {self.height:.0f}" width="{self.width:.0f}" '
                f'height="{self.height:.0f}" role="group" aria-label="{title}">',
                f"<style>{''.join(_lit(card.place) for card in cards)}</style>",
                *(wire for card in cards for wire in self._wires(card)),
                *(self._drawn(card) for card in cards),
                "</svg>",
            ]
        )

    def wires(self, card: Card) -> Iterator[Tuple[Way, Card, str]]:
        """Yields the ways from a card to others: which one, where it leads, and its line."""
        for index, way in enumerate(card.ways):
            there = self.cards.get(way.target.number) if way.target else None
            if there is not None:
                line = _curve(card, card.port(index), there, there.y + TITLE / 2)
                yield way, there, line

    def _wires(self, card: Card) -> Iterator[str]:
        for way, there, line in self.wires(card):
            kind = "wire thin sent" if way.redirected else "wire thin"
            names = f"{kind} way-{card.place.number} to-{there.place.number}"
            yield f'<path class="{names}" marker-end="url(#head)" d="{line}"/>'

    def _drawn(self, card: Card) -> str:
        place, x, y = card.place, card.x, card.y
        what = escape(told(place))
        name = escape(fitted(place.route, _NAME, card.width - 46))
        parts = [
            f'<a class="place {place.kind} place-{place.number}" href="#place-{place.number}" '
            f'aria-label="{what}"><title>{what}</title>',
            f'<rect class="box" x="{x:.0f}" y="{y:.1f}" width="{card.width:.0f}" '
            f'height="{card.bottom - y:.1f}" rx="9"/>',
            f'<text class="sign" x="{x + 18:.0f}" y="{y + 21:.1f}">{SIGNS[place.kind]}</text>',
            f'<text class="name" x="{x + 34:.0f}" y="{y + 21:.1f}">{name}</text>',
            *_facts(card),
            *(self._line(card, index) for index in range(len(card.ways))),
        ]
        more = len(place.ways) - len(card.ways)
        if more > 0:
            at = f'x="{x + 18:.0f}" y="{card.bottom - FOOT:.1f}"'
            parts.append(f'<text class="about" {at}>and {count(more, "more way")}</text>')
        return "".join([*parts, "</a>"])

    def label_of(self, card: Card, way: Way) -> str:
        """Returns what a way is called on its card."""
        there = self.cards.get(way.target.number) if way.target else None
        # The wire shows where a way leads, if it does not have to go around.
        is_plain = there is not None and there.column == card.column + 1
        return way.label if is_plain else f"{way.label}{to_of(way)}"

    def _line(self, card: Card, index: int) -> str:
        """Returns a way on its card: what led there, how often, and what lay on the way."""
        way, (top, _), x, width = card.ways[index], card.lines[index], card.x, card.width
        often = f"{way.count:,}×" if way.count > 1 else ""
        room = width - 36 - width_of(often, _SMALL)
        label = escape(fitted(self.label_of(card, way), _SMALL, room))
        bad = " bad" if way.is_bad else ""
        lines = [
            f'<path class="grid" d="M{x:.0f} {top:.1f}h{width:.0f}"/>',
            f'<text class="label{bad}" x="{x + 18:.0f}" y="{top + 15:.1f}">{label}</text>',
        ]
        if often:
            at = f'x="{x + width - 10:.0f}" y="{top + 15:.1f}"'
            lines.append(f'<text class="often" {at}>{often}</text>')
        about = escape(fitted(" · ".join(on_the_way(way)), _SMALL, width - 28))
        if about:
            at = f'x="{x + 18:.0f}" y="{top + 15 + ABOUT:.1f}"'
            lines.append(f'<text class="about{bad}" {at}>{about}</text>')
        return "".join(lines)


def _curve(card: Card, y: float, there: Card, end: float) -> str:
    """Returns the way of a wire: to the left side of a card, or around to its right side."""
    right, edge = card.x + card.width, there.x + there.width
    if there.column > card.column:
        bend = GAP * 0.6
        begin, first = (right, y), (right + bend, y)
        last, at = (there.x - bend, end), (there.x - 2, end)
    elif there.column == card.column:
        begin, first = (right, y), (right + 3 * EDGE, y)
        last, at = (edge + 3 * EDGE, end + 9), (edge + 2, end + 9)
    else:
        begin, first = (card.x, y), (card.x - GAP, y)
        last, at = (edge + GAP, end + 9), (edge + 2, end + 9)
    points = " ".join(f"{x:.0f} {y:.1f}" for x, y in (first, last, at))
    return f"M{begin[0]:.0f} {begin[1]:.1f}C{points}"


def _facts(card: Card) -> List[str]:
    """Returns how often a place was shown, and how that ended: as text, and as a bar."""
    place, x, y = card.place, card.x, card.y
    if place.kind == "app":
        return []
    small = escape(shown_of(place))
    rows = [f'<text class="about" x="{x + 34:.0f}" y="{y + 36:.1f}">{small}</text>']
    ends = ends_of(place)
    if ends:
        text = escape(fitted(ends, _SMALL, card.width - 36))
        at = f'x="{x + 18:.0f}" y="{y + HEAD + BAR + 13:.1f}"'
        rows += [*_bar(card), f'<text class="about" {at}>{text}</text>']
    return rows


def _bar(card: Card) -> List[str]:
    done, gone = sum(card.place.results.values()), sum(card.place.cancels.values())
    room, bars = card.width - 36, []
    split = room * done / (done + gone)
    for name, start, width in (("done", 0.0, split), ("gone", split, room - split)):
        if width > 0:
            bars.append(
                f'<rect class="{name}" x="{card.x + 18 + start:.1f}" y="{card.y + HEAD:.1f}" '
                f'width="{width:.1f}" height="{BAR}"/>'
            )
    return bars


def _lit(place: Place) -> str:
    """Returns the rule by which the ways of a place stand out while it is pointed at."""
    number = place.number
    return (
        f"svg:has(.place-{number}:is(:hover,:focus-visible)) :is(.way-{number},.to-{number})"
        "{stroke:var(--focus);stroke-width:3}"
    )


# The part of a diagram's page that is about screens: the map, and a table of all places -----------

_ROWS, _LIST = 1000, 400


def section_of(places: Places) -> str:
    """Returns the map, with what its signs mean; "" if there is nothing to map."""
    if len(places.places) < 2 and not places.moves:
        return ""
    left_out = len(places.places) - CARDS
    more = ""
    if left_out > 0:
        more = f" The {CARDS - 1} that were shown most are drawn; the table has all of them."
    return f"""\
<section aria-labelledby="screens">
<h2 id="screens">How the screens were reached</h2>
<p>Each card is a route. Each line on it is a way from there: what led to it, how often, which
guards were asked. The bar says how it was left: green with a result; without one grey, or red if it
is a dialog.{more}</p>
<ul class="key">
{_key(places)}
</ul>
<div class="frame" role="region" tabindex="0" aria-labelledby="screens">
{Map(places).svg()}
</div>
</section>"""


def _key(places: Places) -> str:
    there = {place.kind for place in places.places}
    lines = [
        f'<li class="{kind}"><b>{sign}</b> {kind}</li>'
        for kind, sign in SIGNS.items()
        if kind in there and kind != "app"
    ]
    return "\n".join([*lines, '<li class="failing"><b>✗</b> nothing was opened</li>'])


def table_of(places: Places) -> str:
    """Returns the table of all places; "" if there are none."""
    shown = places.places[1 : _ROWS + 1]
    # A card of the map leads to its row.
    rows = "\n".join(_row(place, places) for place in [places.app, *shown])
    left = len(places.places) - 1 - len(shown)
    more = f"<p>And {count(left, 'more route')}.</p>" if left > 0 else ""
    if len(places.places) < 2 and not places.moves:
        return ""
    return f"""\
<section aria-labelledby="routes">
<h2 id="routes">The routes, in the order in which they were first shown</h2>
<div class="frame" role="region" tabindex="0" aria-labelledby="routes">
<table>
<thead><tr><th>route</th><th>owner</th><th class="number">shown</th><th>results</th>
<th>without a result</th><th class="number">there still</th><th>ways from it</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
</div>{more}
</section>"""


def _row(place: Place, places: Places) -> str:
    ways = [
        f"{way.label} → {way.target.route if way.target else '✗ ' + way.refusal} {way.count:,}"
        for way in place.ways.values()
    ]
    cells = [
        f'<th scope="row" class="{place.kind}"><b>{SIGNS[place.kind]}</b> '
        f"{escape(place.route)}</th>",
        f"<td>{escape(listed(list(place.names), _LIST))}</td>",
        _number(place.count),
        f"<td>{_counts(place.results)}</td>",
        f"<td>{_counts(place.cancels)}</td>",
        _number(place.open),
        f"<td>{escape(listed(ways, _LIST))}</td>",
    ]
    title = escape(told(place))
    return f'<tr id="place-{place.number}" title="{title}">{"".join(cells)}</tr>'


def _counts(counts: "dict[str, int]") -> str:
    names: List[str] = [f"{name} {much:,}" for name, much in counts.items()]
    return escape(listed(names, _LIST))


def _number(number: int) -> str:
    return f'<td class="number">{number:,}</td>' if number else '<td class="number"></td>'

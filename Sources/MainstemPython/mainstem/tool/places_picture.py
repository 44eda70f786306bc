# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The map of screens: a card for each place, with the ways that lead from it."""

from __future__ import annotations

from html import escape
from typing import List

from .places import Place, Places
from .places_layout import ABOUT, BAR, EDGE, FOOT, GAP, HEAD, TITLE, Card, cards_of, chosen_of
from .places_words import ends_of, on_the_way, times_of, to_of, told
from .reading import count
from .width import fitted, width_of

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
        self._cards = cards_of(self.places)
        cards = self._cards.values()
        # Wires between cards of the last column turn to the right of them.
        self.width = max(card.x + card.width for card in cards) + 3 * EDGE
        self.height = max(card.bottom for card in cards) + EDGE

    def svg(self) -> str:
        """Returns the map as SVG."""
        title = f"How {count(len(self.places) - 1, 'screen')} were reached"
        cards = list(self._cards.values())
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

    def _wires(self, card: Card) -> List[str]:
        wires = []
        for index, way in enumerate(card.ways):
            there = self._cards.get(way.target.number) if way.target else None
            if there is not None:
                kind = "wire thin sent" if way.redirected else "wire thin"
                names = f"{kind} way-{card.place.number} to-{there.place.number}"
                line = _curve(card, card.port(index), there, there.y + TITLE / 2)
                wires.append(f'<path class="{names}" marker-end="url(#head)" d="{line}"/>')
        return wires

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

    def _line(self, card: Card, index: int) -> str:
        """Returns a way on its card: what led there, how often, and what lay on the way."""
        way, (top, _), x, width = card.ways[index], card.lines[index], card.x, card.width
        often = f"{way.count:,}×" if way.count > 1 else ""
        there = self._cards.get(way.target.number) if way.target else None
        # The wire shows where a way leads, if it does not have to go around.
        is_plain = there is not None and there.column == card.column + 1
        label = way.label if is_plain else f"{way.label}{to_of(way)}"
        label = escape(fitted(label, _SMALL, width - 36 - width_of(often, _SMALL)))
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
    small = " · ".join([place.kind, times_of(place.count)])
    small += f" · {place.open:,} there still" if place.open else ""
    rows = [f'<text class="about" x="{x + 34:.0f}" y="{y + 36:.1f}">{escape(small)}</text>']
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

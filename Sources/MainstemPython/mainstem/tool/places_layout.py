# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Where the cards of the map of screens stand: in columns from left to right."""

from __future__ import annotations

import math
from typing import Dict, List, NamedTuple, Tuple

from .places import Place, Places, Way
from .places_words import WAYS, ends_of, on_the_way

#: The most cards in the picture; the table has all of them.
CARDS = 40
#: Deeper ones stand in the last column.
_COLUMNS = 8
_WIDTH, _NARROW, GAP, _BETWEEN, EDGE = 236, 168, 64, 24, 10
#: The heights of a card's title, of its head, of a line's first and second text, of a bar.
TITLE, HEAD, _LINE, ABOUT, FOOT, BAR = 32, 46, 22, 13, 6, 5


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

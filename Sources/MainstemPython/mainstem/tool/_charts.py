# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The maps of the studio, as boxes and arrows: of parts, as `diagram` draws it, and of screens."""

from __future__ import annotations

import threading
from typing import Any, Dict, List, Tuple

from ._map import BAR, Card, Map, ends_of, on_the_way, shown_of
from ._map import HEAD as CARD_HEAD
from ._map import told as told_of_place
from ._picture import (
    BOX,
    HEAD,
    NAME,
    PROGRAM,
    SIGNS,
    SMALL,
    VIEWS,
    Cast,
    Kind,
    Part,
    Picture,
    Wire,
    facts_of,
    fitted,
    middle,
    told,
)
from ._reading import CheckedJournal, count
from ._screens import Place, Places, Way

__all__ = ["Charts"]

#: So many events are read for a map.
_MOST = 1_000_000


class Charts:
    """The maps of a journal, made when they are asked for, and kept until it has grown."""

    def __init__(self, path: str, most: int = _MOST) -> None:
        self._path, self._most = path, most
        self._lock = threading.Lock()
        self._size = -1
        self._said: Dict[str, Any] = {}

    def map(self) -> Dict[str, Any]:
        """Answers with both maps; reads the journal from its beginning."""
        with self._lock, CheckedJournal(self._path) as journal:
            if journal.size != self._size:
                self._said, self._size = self._read(journal), journal.size
            return self._said

    def _read(self, journal: CheckedJournal) -> Dict[str, Any]:
        cast, places, note = Cast(), Places(), ""
        for record in journal.records():
            if record.is_event and cast.events == self._most:
                note = f"Only the first {count(cast.events, 'event')} are drawn."
                break
            places.take(record)
            if record.is_event:
                cast.take(record)
        places.end()
        has_screens = len(places.places) > 1 or places.moves > 0
        return {
            "parts": _parts(cast) if cast.events else None,
            "screens": _screens(places) if has_screens else None,
            "note": note,
        }


def _text(x: float, y: float, text: str, name: str) -> Dict[str, Any]:
    return {"x": round(x, 1), "y": round(y, 1), "text": text, "name": name}


def _box(place: Tuple[float, float, float, float], texts: List[Any], **said: Any) -> Dict[str, Any]:
    names = ("x", "y", "width", "height")
    return {**dict(zip(names, (round(each, 1) for each in place))), "texts": texts, **said}


# Parts, and the types of the events that go from one to another -----------------------------------


class Narrow(Picture):
    """The same picture for a window: its columns are narrow, and its names cut."""

    least, beside = 130.0, 30.0

    def box_width(self, kind: Kind) -> float:
        """Returns the width of an event type's box."""
        return min(super().box_width(kind), _WIDEST)


#: How wide the box of an event type is at most.
_WIDEST = 230.0


def _parts(cast: Cast) -> Dict[str, Any]:
    picture = Narrow(cast)
    bottom = picture.height - HEAD / 2 - 4
    boxes, arrows, lines = [], [], []
    for part in picture.parts:
        x = picture.x_of(part.number)
        lines.append({"d": f"M{x:.0f} {HEAD + 4}V{bottom:.0f}"})
        boxes += [_head(part, x, y, picture.gap) for y in (HEAD / 2 + 4, bottom)]
    for row, kind in enumerate(picture.kinds):
        x, y, width = picture.x_of(kind.sender), middle(row), picture.box_width(kind)
        boxes.append(_kind(cast, kind, (x, y, width)))
        arrows += [_wire(cast, kind, wire) for wire in picture.wires(kind, x, y, width)]
    return _chart(picture.width, picture.height, boxes, arrows, lines)


def _chart(width: float, height: float, *drawn: List[Any]) -> Dict[str, Any]:
    boxes, arrows, lines = drawn
    return {
        "width": round(width),
        "height": round(height),
        "boxes": boxes,
        "arrows": arrows,
        "lines": lines,
    }


def _head(part: Part, x: float, y: float, gap: float) -> Dict[str, Any]:
    width = min(gap - 8, 230)
    name = fitted(part.name, NAME, width - 16)
    return _box(
        (x - width / 2, y - HEAD / 2, width, HEAD),
        [_text(x, y + 5, name, "name middle")],
        kind="part",
        title=f"{part.name}: {count(part.sent, 'event')} sent",
        find="" if part.name in (PROGRAM, VIEWS) else part.name,
        count=part.sent,
        failed=0,
    )


def _kind(cast: Cast, kind: Kind, place: Tuple[float, float, float]) -> Dict[str, Any]:
    x, y, width = place
    facts = " · ".join(facts_of(kind))
    return _box(
        (x - width / 2, y - BOX / 2, width, BOX),
        [
            _text(x - width / 2 + 17, y - 1, SIGNS[kind.role], "sign middle"),
            _text(x + 10, y - 2, fitted(kind.name, NAME, width - 46), "name middle"),
            _text(x, y + 14, fitted(facts, SMALL, width - 14), "about middle"),
        ],
        kind=kind.role,
        title=told(cast, kind),
        find=kind.found_by,
        count=kind.count,
        failed=kind.failed,
    )


def _wire(cast: Cast, kind: Kind, wire: Wire) -> Dict[str, Any]:
    part = cast.parts[wire.part].name
    return {
        "d": wire.path,
        "kind": kind.role,
        "thin": wire.how == "" or wire.how == "reacts",
        "head": wire.how != "",
        "title": f"{kind.name}: {part} {wire.how or 'sends'}",
        "find": kind.found_by,
        "count": kind.count if wire.how else kind.senders[wire.part],
        "failed": kind.failed,
    }


# Screens, and the ways between them ---------------------------------------------------------------


def _screens(places: Places) -> Dict[str, Any]:
    chart = Map(places)
    cards = list(chart.cards.values())
    boxes = [_card(chart, card) for card in cards]
    arrows = [
        _way(card.place, way, there.place, line)
        for card in cards
        for way, there, line in chart.wires(card)
    ]
    lines = [{"d": f"M{c.x:.0f} {top:.1f}h{c.width:.0f}"} for c in cards for top, _ in c.lines]
    return _chart(chart.width, chart.height, boxes, arrows, lines)


def _card(chart: Map, card: Card) -> Dict[str, Any]:
    place, x, y, width = card.place, card.x, card.y, card.width
    is_app = place.kind == "app"
    texts = [_text(x + 14, y + 21, fitted(place.route, NAME, width - 28), "name")]
    if not is_app:
        texts.append(_text(x + 14, y + 36, shown_of(place), "about"))
        ends = fitted(ends_of(place), SMALL, width - 28)
        texts += [_text(x + 14, y + CARD_HEAD + BAR + 11, ends, "about")] if ends else []
    for way, (top, _) in zip(card.ways, card.lines):
        often = f" {way.count:,}×" if way.count > 1 else ""
        label = fitted(chart.label_of(card, way) + often, SMALL, width - 28)
        bad = " bad" if way.is_bad else ""
        texts.append(_text(x + 14, top + 15, label, f"label{bad}"))
        about = fitted(" · ".join(on_the_way(way)), SMALL, width - 28)
        texts += [_text(x + 14, top + 30, about, f"about{bad}")] if about else []
    return _box(
        (x, y, width, card.bottom - y),
        texts,
        kind=place.kind,
        title=told_of_place(place),
        find="" if is_app else place.route,
        count=place.count,
        failed=sum(way.count for way in place.ways.values() if way.is_bad),
    )


def _way(place: Place, way: Way, there: Place, line: str) -> Dict[str, Any]:
    # A label of one word is the name of the event that has led there.
    return {
        "d": line,
        "kind": there.kind,
        "thin": True,
        "head": True,
        "title": f"{way.label}: {place.route} → {there.route}, {way.count:,}×",
        "find": there.route if " " in way.label else way.label,
        "count": way.count,
        "failed": 0,
    }

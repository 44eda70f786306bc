# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the map of screens says of places and ways, in words."""

from __future__ import annotations

from typing import List

from .picture import listed
from .places import Place, Way

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

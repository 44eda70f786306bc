# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The timeline: a row for each part, time from left to right."""

from __future__ import annotations

from html import escape
from typing import Dict, List, Tuple

from .cast import Cast
from .picture import COLUMNS
from .reading import count
from .tree import clock
from .width import fitted

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
        self.has_times = any(time for time, *_ in cast.times)
        self._parts = sorted(
            sorted(cast.parts, key=lambda part: -part.sent)[:COLUMNS], key=lambda part: part.number
        )
        places = [
            time if self.has_times else place for place, (time, *_) in enumerate(cast.times, 1)
        ]
        self._begin = min(places, default=0)
        self._span = max(max(places, default=0) - self._begin, 1)
        self._bins: Dict[Tuple[int, int], Bin] = {}
        for place, (_, part, kind, failed) in zip(places, cast.times):
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

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What was on the screen when: bars over time, one lane for each place, for the band at the top."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from ._info import short_url
from ._navigation import UNSEEN, Change, Component
from ._reading import plain

__all__ = ["Band"]

#: So many lanes are told apart; the others share one.
_LANES = 12
#: So many bars are told; then the shortest are left out.
_BARS = 2000


class Bar(NamedTuple):
    """A component that was shown."""

    lane: str
    kind: str
    #: The position and the time of the change that opened it, and of the one that closed it.
    first: int
    began: int
    last: Optional[int] = None
    ended: int = 0


class Band:
    """The screens, dialogs and so on of a journal, given the changes of its navigator."""

    def __init__(self) -> None:
        self._open: Dict[int, Bar] = {}
        self._over: List[Bar] = []

    def take(self, change: Change) -> None:
        """Takes the next change."""
        for component in change.closed:
            bar = self._open.pop(component.number, None)
            if bar is not None:
                self._over.append(bar._replace(last=change.position, ended=change.time))
        one = change.opened
        if one is not None and one.kind not in UNSEEN:
            self._open[one.number] = Bar(_lane(one), one.kind, change.position, change.time)

    def end(self, position: int, time: int) -> None:
        """A session has ended: what was open is closed."""
        bars = (bar._replace(last=position, ended=time) for bar in self._open.values())
        self._over += bars
        self._open.clear()

    def lanes(self, began: int) -> List[Dict[str, Any]]:
        """The lanes, in the order in which they came, each with its bars."""
        bars = sorted([*self._over, *self._open.values()], key=lambda bar: bar.first)
        if len(bars) > _BARS:
            longest = sorted(bars, key=_length, reverse=True)[:_BARS]
            bars = sorted(longest, key=lambda bar: bar.first)
        names: Dict[str, List[Dict[str, Any]]] = {}
        for bar in bars:
            is_own = bar.lane in names or len(names) < _LANES
            names.setdefault(bar.lane if is_own else "others", []).append(_said(bar, began))
        return [{"name": plain(name), "bars": its} for name, its in names.items()]


def _lane(component: Component) -> str:
    """What a component's lane is called: its URL without parameters, or its name."""
    return short_url(component.url.partition("?")[0]) or plain(component.name) or component.kind


def _length(bar: Bar) -> Tuple[bool, int, int]:
    return bar.last is None, bar.ended - bar.began, (bar.last or 0) - bar.first


def _said(bar: Bar, began: int) -> Dict[str, Any]:
    return {
        "kind": bar.kind,
        "at": str(bar.first),
        "begin": bar.began - began if bar.began else 0,
        "last": "" if bar.last is None else str(bar.last),
        "end": bar.ended - began if bar.ended else None,
    }

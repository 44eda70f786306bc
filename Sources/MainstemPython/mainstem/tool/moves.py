# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the navigator's events say: moves, components, changes of the tree."""

from __future__ import annotations

import json
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from .._journal.record import text_of
from ..journal_file import Record

VERBS = ("open", "link", "close", "pop", "pop-to", "dismiss", "replace-root", "replace")
KINDS = ("screen", "dialog", "present", "overlay", "embed", "group", "flow")
#: Kinds that have no view of their own; that stand where a screen does.
UNSEEN = ("group", "flow")
STACKED = ("screen", "group", "flow")
_MOST = (1 << 64) - 1


class Move:
    """A move: what was asked for, and what has become of it."""

    __slots__ = (
        "answer",
        "asker",
        "cause",
        "guards",
        "is_for_all",
        "opened",
        "position",
        "redirects",
        "refused_by",
        "scope",
        "status",
        "target",
        "url",
        "verb",
    )

    def __init__(self, event: Record, scope: int) -> None:
        said = {} if event.marked else members(event.data)
        self.position, self.cause = event.position, event.cause
        #: The number of the scope that asks, and of the component in which that is, once known.
        self.scope = scope
        self.asker: Optional[Component] = None
        #: What it does; "move" if that was not kept, or is none.
        verb = said.get("verb")
        self.verb = verb if verb in VERBS else "move"
        self.url = _text(said, "url")
        #: Whether it is a link that all flows are told of.
        self.is_for_all = _number(said, "all") != 0
        #: The number of what it closes, pops to, or opens something on; 0: none is named.
        self.target = _number(said, "component")
        #: What it has opened; of a group or a flow, that.
        self.opened: Optional[Component] = None
        #: The position of its answer, 0: none yet; and what that says.
        self.answer = self.status = 0
        #: The guards that were asked, where they sent it, and which one refused it.
        self.guards: List[str] = []
        self.redirects: List[str] = []
        self.refused_by = ""

    @property
    def opens(self) -> bool:
        """Whether it is asked to open something."""
        return self.verb in ("open", "link", "replace-root", "replace")


class Component:
    """A component that was shown."""

    __slots__ = (
        "below",
        "closed",
        "kind",
        "move",
        "name",
        "number",
        "opened",
        "owner",
        "parent",
        "route",
        "slot",
        "time",
        "url",
        "why",
    )

    def __init__(self, said: Dict[str, Any]) -> None:
        self.number = _number(said, "component")
        self.parent = _number(said, "parent")
        self.owner = _number(said, "owner")
        self.kind: str = said["kind"]
        self.name, self.url = _text(said, "name"), _text(said, "url")
        self.route, self.slot = _text(said, "route"), _text(said, "slot")
        #: What it stands on, which was opened before; None: nothing, or it is not known.
        self.below: Optional[Component] = None
        #: The position of the move that opened it.
        self.move = _number(said, "move")
        #: The position and the time of the change that opened it; the position of the one that
        #: closed it, 0: none.
        self.opened = self.time = self.closed = 0
        self.why: Optional[Why] = None


class Why(NamedTuple):
    """Why something closed."""

    #: "result", "gesture", "ended" (its owner), a verb, "failed", or "" (it was not kept).
    what: str
    #: The position of that; 0: not known.
    position: int = 0
    #: The type of a result.
    result: str = ""
    #: Whether it closed with another one, which this is about.
    along: bool = False


class Change(NamedTuple):
    """One change of the tree."""

    position: int
    time: int
    #: The position of what has changed it: a move, a gesture, a result, an end.
    by: int
    opened: Optional[Component]
    #: The last opened first.
    closed: Tuple[Component, ...]
    #: The number of the topmost; 0: nothing.
    top: int


class Note(NamedTuple):
    """What an event of navigation tells."""

    kind: str
    #: The position of the move that it belongs to, or of what it follows; 0: none.
    group: int = 0
    move: Optional[Move] = None
    change: Optional[Change] = None
    components: Sequence[Component] = ()
    #: The name of a guard, a verdict, the type of a result, a URL.
    text: str = ""


def members(data: bytes) -> Dict[str, Any]:
    """Reads the object in a payload; {}: there is none as the navigator writes it."""
    try:
        said = json.loads(data.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def number_in(said: Dict[str, Any], name: str) -> int:
    """Reads a number that must be there; -1: it is not."""
    number = said.get(name)
    return number if isinstance(number, int) and _is_number(number) else -1


def component_in(said: Dict[str, Any]) -> Optional[Component]:
    """Reads a component; None: there is none."""
    texts = ("name", "url", "route", "slot")
    numbers = ("move", "component", "parent", "owner")
    is_one = all(isinstance(said.get(name), str) for name in texts)
    is_one = is_one and all(_is_number(said.get(name)) for name in numbers)
    return Component(said) if is_one and said.get("kind") in KINDS and said["component"] else None


def closed_in(said: Dict[str, Any]) -> Optional[List[int]]:
    """Reads the numbers that a change closes; None: there is no such list."""
    closed = said.get("closed")
    if not isinstance(closed, list) or not all(map(_is_number, closed)):
        return None
    return closed


def result_in(event: Record) -> str:
    """Reads the type of a result; "": it has none."""
    name, zero, _ = (b"", b"", b"") if event.marked or event.status else event.data.partition(b"\0")
    return text_of(name) if zero else ""


def _is_number(number: object) -> bool:
    return type(number) is int and 0 <= number <= _MOST


def _number(said: Dict[str, Any], name: str) -> int:
    return max(number_in(said, name), 0)


def _text(said: Dict[str, Any], name: str) -> str:
    text = said.get(name)
    return text if isinstance(text, str) else ""

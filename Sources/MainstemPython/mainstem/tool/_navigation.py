# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the navigator of a session has done: its moves, its guards, and what is shown."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ..journal_file import Record, TypeInfo
from ..journal_file._record import ORIGIN, SESSION, TYPE, named, scope_of, text_of

__all__ = [
    "KINDS",
    "STACKED",
    "UNSEEN",
    "Change",
    "Component",
    "Move",
    "Navigation",
    "Note",
    "Why",
    "scope_of_sender",
]


# What the navigator's events say: moves, components, changes of the tree --------------------------

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


# The guards of a session: which moves they were asked about, and what they said -------------------

GUARD, VERDICT = b"RequestGuard.", b"ResponseGuard."


class Guards:
    """What guards were asked. The navigator goes on with a move where its guard has answered."""

    def __init__(self) -> None:
        # The move of each request of a guard, and of what makes the navigator ask the next one.
        self._moves: Dict[int, Move] = {}

    def ask(self, event: Record, move: Optional[Move]) -> Note:
        """Takes a guard's request; `move` is its cause, if that is a move."""
        move = self._moves.get(event.cause, move)
        name = event.name[len(GUARD) :]
        if move is None:
            return Note("guard", text=name)
        move.guards.append(name)
        self._moves[event.position] = move
        return Note("guard", move.position, move, text=name)

    def take(self, event: Record) -> Optional[Note]:
        """Takes a guard's answer."""
        move = self._moves.get(event.answers)
        if move is None:
            return None
        self._moves[event.position] = move
        said = (
            "" if event.status or event.marked else event.data.decode("utf-8", "backslashreplace")
        )
        verdict, _, url = said.partition(" ")
        if event.status:
            move.refused_by = event.name[len(VERDICT) :]
        elif verdict == "redirect":
            move.redirects.append(url)
        return Note("verdict", 0, move, text=said)

    def go_on(self, first: Move, position: int) -> None:
        """Takes the answer of a move, which a guard may have wanted first: it is asked again."""
        if first.cause in self._moves:
            self._moves[position] = self._moves[first.cause]


# What is shown ------------------------------------------------------------------------------------

_LAYER = 4
_NAVIGATOR = b"Navigator"
#: Scopes below each other that are looked at to find who asks.
_DEEPEST = 64


class Navigation:
    """The navigator of one session, given the session's records in order.

    It believes what the navigator says: a scope named so, and of several the first. What was not
    kept, or is not as the navigator writes it, changes nothing; `lost` counts it.
    """

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        #: The types that say something; all others need not be taken.
        self.telling: Dict[int, Callable[[Record], Optional[Note]]] = {}
        #: Whether the session has a navigator, as far as one can see.
        self.is_there = False
        self.moves: Dict[int, Move] = {}
        #: What is shown, by number, in the order in which it was opened; and all that ever was.
        self.shown: Dict[int, Component] = {}
        self.components: List[Component] = []
        #: The topmost.
        self.top = 0
        self.lost = 0
        self._home: Optional[int] = None
        self._parents: Dict[int, int] = {}
        # The last component that was shown of each number, its own or its owner's.
        self._known: Dict[int, Component] = {}
        # What else than a move closes components, by position, and which one is meant.
        self._causes: Dict[int, Tuple[Why, int]] = {}
        self._guards = Guards()

    def learn(self, record: Record) -> None:
        """Takes the next record, if that is no event."""
        if record.kind == TYPE:
            self._learn_type(*named(record))
        elif record.kind == ORIGIN:
            scope, parent = scope_of(record)
            if scope:
                self._parents[scope] = parent
        elif record.kind == SESSION and not record.session.continues:
            self._begin()

    def take(self, event: Record) -> Optional[Note]:
        """Takes the next event; what it tells, if that is of navigation."""
        taking = self.telling.get(event.type)
        return None if taking is None else taking(event)

    def asker_of(self, move: Move) -> Optional[Component]:
        """Returns the component for which a move was asked; None: none, or it is not known."""
        if move.asker is None:
            move.asker = (move.opens and self._known.get(move.target)) or self._around(move.scope)
        return move.asker

    # Names ---------------------------------------------------------------------------------------

    def _learn_type(self, number: int, info: TypeInfo) -> None:
        self.telling.pop(number, None)
        if info.name == b"MainstemEnded":
            self.telling[number] = self._ended
        if info.layer != _LAYER:
            return
        name, is_text = info.name, info.payload == "text"
        taking = self._events().get((name, info.payload))
        if is_text and name.startswith(GUARD):
            taking = self._guard
        elif is_text and name.startswith(VERDICT):
            taking = self._guards.take
        if taking is not None:
            self.telling[number] = taking
            self.is_there = True

    def _events(self) -> Dict[Tuple[bytes, str], Callable[[Record], Optional[Note]]]:
        return {
            (b"MainstemMove", "json"): self._move,
            (b"MainstemResult", "bytes"): self._result,
            (b"MainstemOpened", "integer"): self._opened,
            (b"MainstemShow", "json"): self._show,
            (b"MainstemShown", "none"): lambda event: Note("shown"),
            (b"MainstemHide", "json"): self._hide,
            (b"MainstemHidden", "none"): lambda event: Note("hidden"),
            (b"MainstemTree", "json"): self._tree,
            (b"MainstemReady", "none"): lambda event: Note("ready"),
            (b"MainstemGone", "integer"): self._gone,
            (b"MainstemFinish", "bytes"): self._finish,
            (b"MainstemLink", "text"): self._link,
        }

    def _is_of_navigator(self, event: Record) -> bool:
        if event.origin_bytes != _NAVIGATOR or event.outside:
            return False
        scope = scope_of_sender(event)
        if self._home is None:
            self._home = scope
        return scope == self._home

    def _around(self, scope: int) -> Optional[Component]:
        for _ in range(_DEEPEST):
            if not scope or scope in self._known:
                return self._known.get(scope)
            scope = self._parents.get(scope, 0)
        return None

    # Moves ---------------------------------------------------------------------------------------

    def _move(self, event: Record) -> Note:
        move = self.moves[event.position] = Move(event, scope_of_sender(event))
        self.asker_of(move)
        return Note("move", move=move)

    def _result(self, event: Record) -> Optional[Note]:
        move = self.moves.get(event.answers)
        if move is None or move.answer:
            return None
        move.answer, move.status = event.position, event.status
        self._guards.go_on(move, event.position)
        why = move.opened.why if move.opened else None
        group = 0 if move.opened and why is None else why.position if why else move.position
        return Note("result", group, move, text=result_in(event))

    def _opened(self, event: Record) -> Optional[Note]:
        move = self.moves.get(event.answers)
        is_step = move is not None and event.is_progress and self._is_of_navigator(event)
        return Note("opened", event.answers, move) if is_step else None

    def _guard(self, event: Record) -> Optional[Note]:
        if not self._is_of_navigator(event):
            return None
        return self._guards.ask(event, self.moves.get(event.cause))

    # The stage, and the tree ---------------------------------------------------------------------

    def _show(self, event: Record) -> Optional[Note]:
        said = self._said(event)
        component = component_in(said) if said else None
        if component is None:
            return None
        return Note("show", component.move, self.moves.get(component.move), None, (component,))

    def _hide(self, event: Record) -> Optional[Note]:
        said = self._said(event)
        closed = closed_in(said) if said else None
        if said is None or closed is None:
            return None
        known = [self._known[number] for number in closed if number in self._known]
        return Note("hide", max(number_in(said, "move"), 0), components=known)

    def _tree(self, event: Record) -> Optional[Note]:
        said = self._said(event)
        if said is None:
            return None
        by, top, closed = number_in(said, "move"), number_in(said, "top"), closed_in(said)
        opened = component_in(said) if "component" in said else None
        wrong = by < 0 or top < 0 or closed is None or ("component" in said and opened is None)
        if closed is None or wrong or (opened and opened.number in self.shown):
            self.lost += 1
            return None
        return self._change(event, by, opened, closed, top)

    def _change(
        self, event: Record, by: int, opened: Optional[Component], closed: List[int], top: int
    ) -> Note:
        why, meant = self._why(by)
        gone = [self.shown.pop(number) for number in closed if number in self.shown]
        numbers = {component.number for component in gone}
        is_named = meant in numbers
        for component in gone:
            is_first = component.parent not in numbers
            along = component.number != meant if is_named else not is_first
            is_own = component.move == by and why.what in ("open", "replace")
            own = Why("failed", by) if is_own else why
            component.closed = event.position
            component.why = own._replace(along=along)
        if opened is not None:
            opened.opened, opened.time = event.position, event.time
            opened.below = self.shown.get(opened.parent)
            self.shown[opened.number] = opened
            self.components.append(opened)
            self._known[opened.number] = opened
            if opened.owner:
                self._known[opened.owner] = opened
            move = self.moves.get(by)
            if move is not None and move.opened is None:
                move.opened = opened
        self.top = top
        change = Change(event.position, event.time, by, opened, tuple(gone), top)
        return Note("change", by, self.moves.get(by), change)

    def _why(self, by: int) -> Tuple[Why, int]:
        """Returns why something closes, and the number of what is meant; 0: that is not known."""
        move = self.moves.get(by)
        if move is None:
            return self._causes.get(by, (Why("", by), 0))
        return Why(move.verb, by), move.target if move.verb == "close" else 0

    def _said(self, event: Record) -> Optional[Dict[str, object]]:
        """Returns what the navigator says; None: it is not the navigator, or that is not known."""
        if not self._is_of_navigator(event):
            return None
        said = {} if event.marked or event.status else members(event.data)
        if not said:
            self.lost += 1
        return said or None

    # What closes components ----------------------------------------------------------------------

    def _gone(self, event: Record) -> Optional[Note]:
        number = 0 if event.marked else int.from_bytes(event.data[:8], "little")
        component = self.shown.get(number)
        self._causes[event.position] = (Why("gesture", event.position), number)
        return Note("gone", components=() if component is None else (component,))

    def _finish(self, event: Record) -> Optional[Note]:
        component = self._around(scope_of_sender(event))
        if component is not None and self.shown.get(component.number) is not component:
            component = None
        while component is not None and self._is_of_group(component):
            component = component.below
        why = Why("result", event.position, result_in(event))
        self._causes[event.position] = (why, component.number if component else 0)
        return Note("finish", components=(component,) if component else (), text=why.result)

    def _is_of_group(self, component: Component) -> bool:
        group = component.below
        return group is not None and group.kind == "group" and group.move == component.move

    def _ended(self, event: Record) -> None:
        component = self._known.get(scope_of_sender(event))
        if component is not None:
            self._causes[event.position] = (Why("ended", event.position), component.number)

    def _link(self, event: Record) -> Optional[Note]:
        if not self._is_of_navigator(event):
            return None
        move = self.moves.get(event.cause)
        url = "" if event.marked else event.data.decode("utf-8", "backslashreplace")
        return Note("link", event.cause if move else 0, move, text=url)


def scope_of_sender(event: Record) -> int:
    """Returns the number of the scope that has sent an event; 0: the context, or not known."""
    return event.session.scopes.get(event.origin, (0, 0))[0]

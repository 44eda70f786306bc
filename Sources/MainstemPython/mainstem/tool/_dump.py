# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`dump`: each event as a line of text, or of JSON; and what the owners of a session show."""

from __future__ import annotations

import argparse
import base64
import json
import re
import struct
import sys
from math import isfinite
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple

from ..events._wire import shown
from ..journal_file import Record, TypeInfo
from ..journal_file._record import ORIGIN, SESSION, TYPE, named, scope_of, text_of
from ._reading import line_of, opened, plain_json, role_of, scalar_of, status_name, tell

__all__ = [
    "CONTEXT",
    "Owner",
    "Owners",
    "add_dump",
    "add_range",
    "ended_by",
    "flags_of",
    "name_in",
    "opened_by",
    "payload_json",
]


# Scopes of one name, told apart: `Cell`, `Cell[2]`, `Cell[3]` in the order in which they came -----


class Namesakes:
    """Which one of its name each scope of a session is, given the records in order."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._counts: Dict[bytes, int] = {}
        #: What follows the name, by scope; of those without a number, and for events, by origin.
        self._by_scope: Dict[int, str] = {}
        self._by_origin: Dict[int, str] = {}

    def learn(self, record: Record) -> None:
        """Takes the next record, if that is no event."""
        if record.kind == SESSION and not record.session.continues:
            self._begin()
        elif record.kind == ORIGIN:
            number, name = named(record)
            scope = scope_of(record)[0]
            # Each file names again those that live.
            known = self._by_scope.get(scope) if scope else self._by_origin.get(number)
            if known is None:
                count = self._counts[name] = self._counts.get(name, 0) + 1
                known = f"[{count}]" if count > 1 else ""
            self._by_origin[number] = known
            if scope:
                self._by_scope[scope] = known

    def of_origin(self, number: int) -> str:
        """What follows the name of an origin."""
        return self._by_origin.get(number, "")

    def of_scope(self, number: int) -> str:
        """What follows the name of a scope."""
        return self._by_scope.get(number, "")


# What the owners of a session show: the last event of each value, until its owner ends ------------

#: What the context is called, which has no name.
CONTEXT = "(the context)"
#: Longer values are no lists of scopes, in bytes.
_LONGEST_LIST = 1 << 20
_ENDED, _OPENED, _CHILD_ENDED = b"MainstemEnded", b"ResponseOpen.", b".ended"


class Owner:
    """A scope that has values."""

    __slots__ = ("born", "name", "origin", "parent", "scope", "values")

    def __init__(self, event: Record) -> None:
        """Makes the owner of a value, given its first event."""
        scope, parent = event.session.scopes.get(event.origin, (0, 0))
        self.origin = event.origin
        self.name = event.origin_name
        #: The name, and the cause of its first value: if it was opened, that request.
        self.born = (self.name, event.cause)
        #: The numbers of its scope and of that scope's parent; 0: the context, or not known.
        self.scope = scope
        self.parent = parent
        #: For each type the last event, in the order first set.
        self.values: Dict[int, Record] = {}


class Owners:
    """The owners of a session that live, given its records in order."""

    def __init__(self) -> None:
        #: Which one of its name each is.
        self.names = Namesakes()
        self._begin()

    def _begin(self) -> None:
        #: The types whose events say anything about owners; all others need not be taken. And those
        #: of them that are values.
        self.telling: Set[int] = set()
        self.value_types: Set[int] = set()
        #: The scopes that an open made, each with the position of its answer.
        self.opened: Dict[int, int] = {}
        self._ends = 0
        self._child_ends: Set[int] = set()
        self._owners: Dict[int, Owner] = {}
        self._origins: Dict[int, int] = {}
        self._below: Dict[int, Set[int]] = {}
        #: The origins that have ended, each with its scope, and the opens that failed: what they
        #: had sent before may still come.
        self._over: Dict[int, int] = {}
        self._failed: Set[Tuple[str, int]] = set()

    def __iter__(self) -> Iterator[Owner]:
        return iter(self._owners.values())

    def __len__(self) -> int:
        return len(self._owners)

    def learn(self, record: Record) -> None:
        """Takes the next record, if that is no event."""
        self.names.learn(record)
        if record.kind == TYPE:
            self._learn_type(*named(record))
        elif record.kind == ORIGIN:
            self._learn_origin(*named(record), scope_of(record)[0])
        elif record.kind == SESSION and not record.session.continues:
            self._begin()

    def which(self, scope: int) -> str:
        """What follows the name of an owner: the answer that opened it, or which one it is."""
        position = self.opened.get(scope)
        return f" of #{position}" if position else self.names.of_scope(scope)

    def take(self, event: Record) -> Optional[Record]:
        """Takes the next event of a telling type; the value that was there before, if it is one."""
        if event.type in self.value_types:
            owner = self._owners.get(event.origin) or self._add(Owner(event))
            former = owner.values.get(event.type)
            owner.values[event.type] = event
            if former is not None and owner.scope and owner.scope in self._below:
                self._end_unlisted(owner, former)
            return former
        if event.type == self._ends:
            self._over[event.origin] = ended_by(event)
            self._end_scope(ended_by(event))
        elif event.type in self._child_ends:
            parent = event.session.scopes.get(event.origin, (0, 0))[0]
            self._end_children(parent, _numbers(event))
        elif opened_by(event):
            self.opened[opened_by(event)] = event.position
        elif event.status:
            self._fail(event)
        return None

    # Names ---------------------------------------------------------------------------------------

    def _learn_type(self, number: int, info: TypeInfo) -> None:
        for some in (self.telling, self.value_types, self._child_ends):
            some.discard(number)
        if info.role == "value":
            self.value_types.add(number)
        elif info.name == _ENDED:
            self._ends = number
        elif info.name.endswith(_CHILD_ENDED) and info.payload == "integer":
            self._child_ends.add(number)
        elif not info.name.startswith(_OPENED):
            return
        self.telling.add(number)

    def _learn_origin(self, number: int, name: bytes, scope: int) -> None:
        """If an origin has a new scope, or a scope a new origin, the one before has ended."""
        if self._over.get(number) != scope:
            self._over.pop(number, None)
        owner = self._owners.get(number)
        if owner is not None and (owner.scope, owner.name) != (scope, text_of(name)):
            self._remove(owner)
        former = self._owners.get(self._origins.get(scope, -1))
        if former is not None and former.origin != number:
            self._remove(former)

    # Owners --------------------------------------------------------------------------------------

    def _add(self, owner: Owner) -> Owner:
        if owner.origin in self._over or owner.born in self._failed:
            return owner
        self._owners[owner.origin] = owner
        if owner.scope:
            self._origins[owner.scope] = owner.origin
            self._below.setdefault(owner.parent, set()).add(owner.origin)
        return owner

    def _fail(self, answer: Record) -> None:
        """An open has failed: what it had made is gone."""
        born = (text_of(answer.type_info.name[len(_OPENED) :]), answer.answers)
        self._failed.add(born)
        for owner in [owner for owner in self if owner.born == born]:
            self._end_scope(owner.scope)

    def _remove(self, owner: Owner) -> None:
        self._owners.pop(owner.origin, None)
        if owner.scope:
            self._origins.pop(owner.scope, None)
            below = self._below.get(owner.parent, set())
            below.discard(owner.origin)
            if not below:
                self._below.pop(owner.parent, None)

    def _end_unlisted(self, parent: Owner, former: Record) -> None:
        """Removes the children that no list of their parent has any longer: none tells its end."""
        gone = _numbers(former) if former.type_info.payload == "bytes" else set()
        if gone:
            lists = [one for one in parent.values.values() if one.type_info.payload == "bytes"]
            self._end_children(parent.scope, gone.difference(*map(_numbers, lists)))

    def _end_children(self, parent: int, scopes: Set[int]) -> None:
        for scope in scopes:
            child = self._owners.get(self._origins.get(scope, -1))
            if child is not None and child.parent == parent and scope not in self.opened:
                self._end_scope(scope)

    def _end_scope(self, scope: int) -> None:
        """Removes a scope, and what is below it; the end of what was opened there is told."""
        self.opened.pop(scope, None)
        waiting = [scope] if scope else []
        while waiting:
            number = waiting.pop()
            owner = self._owners.get(self._origins.get(number, -1))
            if owner is not None:
                self._over[owner.origin] = number
                self._remove(owner)
            for origin in list(self._below.get(number, ())):
                below = self._owners[origin]
                if below.scope not in self.opened:
                    waiting.append(below.scope)


def _numbers(event: Record) -> Set[int]:
    """Returns the scopes that an event names, if it has their numbers."""
    size = event.size
    if size % 8 or size > _LONGEST_LIST or event.marked:
        return set()
    return set(struct.unpack(f"<{size // 8}Q", event.data))


def opened_by(event: Record) -> int:
    """Returns the number of the scope that an open made, if the event is its answer; else 0."""
    if event.status or event.marked or event.size != 8 or not event.answers:
        return 0
    is_answer = event.type_info.name.startswith(_OPENED)
    return int.from_bytes(event.data, "little") if is_answer else 0


def ended_by(event: Record) -> int:
    """Returns the number of the scope whose end the event tells; else 0."""
    is_end = event.type_info.name == _ENDED and event.size == 8 and not event.marked
    return int.from_bytes(event.data, "little") if is_end else 0


def name_in(owner: str, name: str) -> str:
    """Returns the name of a value without its owner's."""
    return name[len(owner) + 1 :] if owner and name.startswith(owner + ".") else name


# The command --------------------------------------------------------------------------------------

_FLAGS = (
    (1, "outside"),
    (2, "tracked"),
    (4, "progress"),
    (32, "marked"),
    (64, "withheld"),
    (128, "secret"),
    (256, "timer"),
    (512, "written"),
    (1024, "shared"),
)


def add_dump(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "dump",
        help="each event as a line of text, or of JSON",
        description="Writes each event as a line: position, type, status of responses, cause, "
        "origin, payload. It is the line that mainstem_trace writes; of several scopes of one "
        "name, all but the first are numbered, as in Cell[2].",
    )
    own.add_argument("path", metavar="PATH", help="the journal")
    own.add_argument("--json", action="store_true", help="JSON, one object a line, payloads whole")
    add_range(own)
    own.add_argument("--type", metavar="NAME", action="append", help="only this type; repeatable")
    own.set_defaults(run=run_dump)


def add_range(own: argparse.ArgumentParser) -> None:
    """Adds the arguments that choose positions."""
    own.add_argument(
        "--from", dest="first", metavar="N", type=int, default=0, help="from position N on"
    )
    own.add_argument(
        "--to", dest="last", metavar="N", type=int, default=1 << 64, help="up to position N"
    )


def run_dump(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    names = Namesakes()
    with opened(chosen.path) as journal:
        for event in journal.records():
            if not event.is_event:
                names.learn(event)
                continue
            if event.position > chosen.last:
                break
            if event.position < chosen.first or (chosen.type and event.name not in chosen.type):
                continue
            line = json_of(event) if chosen.json else line_of(event, names.of_origin(event.origin))
            sys.stdout.write(line + "\n")
        return tell(journal)


def json_of(event: Record) -> str:
    """Returns an event as a JSON object on one line; `time` is in nanoseconds since 1970."""
    info = event.type_info
    fields: Dict[str, Any] = {
        "position": event.position,
        "type": event.name,
        "role": role_of(info),
        "status": status_name(event.status) if event.status else "ok",
        "cause": event.cause,
        "correlation": event.correlation,
        "answers": event.answers,
        "time": event.time,
        "origin": event.origin_name,
        "flags": flags_of(event),
    }
    scope = event.session.scopes.get(event.origin, (0, 0))[0]
    if scope:
        fields["scope"] = scope
    if event.status and not (event.marked or info.is_secret):
        fields["error"] = dict(zip(("message", "user_message", "subject"), event.error))
    text = json.dumps(fields, ensure_ascii=False)[:-1] + payload_json(event, info)
    return plain_json(text) + "}"


def flags_of(event: Record) -> List[str]:
    """Returns the names of an event's flags."""
    return [name for bit, name in _FLAGS if event.flags & bit]


def payload_json(event: Record, info: TypeInfo) -> str:
    """Returns the payload of an event, if it has one and it was kept, as a further JSON field."""
    form = info.payload
    if form == "none" or event.status or event.marked or info.is_secret:
        return ""
    scalar = scalar_of(event)
    if scalar is not None:
        # JSON has neither infinities nor NaN.
        return f', "value": {shown(scalar) if isfinite(scalar) else json.dumps(shown(scalar))}'
    try:
        text = event.data.decode("utf-8") if form in ("text", "json") else None
    except UnicodeDecodeError:
        text = None
    if text is None:
        return f', "base64": "{base64.b64encode(event.data).decode()}"'
    if form == "json" and is_json(text):
        # Not parsed, so that no number loses digits. Line ends can only be between its tokens.
        return ', "json": ' + re.sub(r"[\r\n\t]", " ", text)
    return ', "text": ' + json.dumps(text, ensure_ascii=False)


def is_json(text: str) -> bool:
    """Whether a text is JSON as the standard defines it."""
    try:
        json.loads(text, parse_int=str, parse_float=str, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return False
    return True


def _refuse(name: str) -> None:
    raise ValueError(name)

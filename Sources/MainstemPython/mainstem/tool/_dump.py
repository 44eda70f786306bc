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
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Set, Tuple

from ..events._wire import shown
from ..journal_file import ListChanges, ListRow, Lists, Record, TypeInfo
from ..journal_file._lists import Source, bytes_in, source_of, whole_list, whole_number
from ..journal_file._record import LIST, ORIGIN, SESSION, TYPE, named, scope_of, text_of
from ._reading import (
    line_of,
    list_of,
    opened,
    plain_json,
    role_of,
    scalar_in,
    status_name,
    tell,
    value_of,
)

__all__ = [
    "CONTEXT",
    "Namesakes",
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

    def forget(self, scope: int) -> None:
        """Forgets a scope that has ended."""
        self._by_scope.pop(scope, None)

    def state(self) -> List[Any]:
        """Returns all that it knows, as JSON can hold it."""
        counts = [(_put(name), count) for name, count in self._counts.items()]
        return [counts, list(self._by_scope.items()), list(self._by_origin.items())]

    def restore(self, state: List[Any]) -> None:
        """Takes such a state; raises TypeError or ValueError if it is none."""
        counts, by_scope, by_origin = state
        self._counts = {bytes_in(name): whole_number(count) for name, count in counts}
        self._by_scope = {whole_number(scope): f"{which}" for scope, which in by_scope}
        self._by_origin = {whole_number(number): f"{which}" for number, which in by_origin}

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

    __slots__ = ("born", "name", "parent", "scope", "source", "values")

    def __init__(self, event: Record) -> None:
        """Makes the owner of a value, given its first event."""
        scope, parent = event.session.scopes.get(event.origin, (0, 0))
        self.source = source_of(event)
        self.name = event.origin_name
        #: The name, and the cause of its first value: if it was opened, that request.
        self.born = (self.name, event.cause)
        #: The numbers of its scope and of that scope's parent; 0: the context, or not known.
        self.scope = scope
        self.parent = parent
        #: For each type the last event, in the order first set.
        self.values: Dict[int, Record] = {}

    @classmethod
    def restored(cls, source: Source, state: List[Any], get: Callable[[Any], Record]) -> Owner:
        """Makes an owner of what an index keeps of it."""
        name, cause, scope, parent, *values = state
        owner = cls.__new__(cls)
        owner.source, owner.name = source, f"{name}"
        owner.born = (owner.name, whole_number(cause))
        owner.scope, owner.parent = whole_number(scope), whole_number(parent)
        owner.values = {event.type: event for event in map(get, values)}
        return owner


def _put(data: bytes) -> str:
    return data.decode("latin-1")


def _put_source(source: Source) -> Tuple[int, str]:
    return source[0], _put(source[1])


def _source_in(said: Sequence[Any]) -> Source:
    scope, name = said
    return whole_number(scope), bytes_in(name)


class Owners:
    """The owners of a session that live, given its records in order."""

    def __init__(self, forgets: bool = False) -> None:
        """Makes them; `forgets`: scopes that have ended need not be told apart any longer."""
        self._forgets = forgets
        #: Which one of its name each is.
        self.names = Namesakes()
        self._lists = Lists()
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
        #: Those that are lists, or end them.
        self._listing: Set[int] = set()
        self._owners: Dict[Source, Owner] = {}
        #: What has each number in this file, and the number of each scope.
        self._named: Dict[int, Source] = {}
        self._numbers: Dict[int, int] = {}
        #: The scopes below each that are owners.
        self._below: Dict[int, Set[int]] = {}
        #: What has ended, and the opens that failed: what they had sent before may still come.
        self._over: Set[Source] = set()
        self._failed: Set[Tuple[str, int]] = set()

    def __iter__(self) -> Iterator[Owner]:
        return iter(self._owners.values())

    def __len__(self) -> int:
        return len(self._owners)

    def learn(self, record: Record) -> None:
        """Takes the next record, if that is no event."""
        self.names.learn(record)
        self._lists.take(record)
        if record.kind == TYPE:
            self._learn_type(*named(record))
        elif record.kind == ORIGIN:
            self._learn_origin(*named(record), scope_of(record)[0])
        elif record.kind == SESSION:
            # The next file gives other numbers.
            self._named, self._numbers = {}, {}
            if not record.session.continues:
                self._begin()
        elif record.kind == LIST:
            self._learn_list(whole_list(record))

    def which(self, scope: int) -> str:
        """What follows the name of an owner: the answer that opened it, or which one it is."""
        position = self.opened.get(scope)
        return f" of #{position}" if position else self.names.of_scope(scope)

    def take(self, event: Record) -> Optional[Record]:
        """Takes the next event of a telling type; the value that was there before, if it is one."""
        if event.type in self._listing:
            self._lists.take(event)
        if event.type in self.value_types:
            owner = self._owners.get(source_of(event)) or self._add(Owner(event))
            former = owner.values.get(event.type)
            owner.values[event.type] = event
            if former is not None and owner.scope and owner.scope in self._below:
                self._end_unlisted(owner, former)
            return former
        if event.type == self._ends:
            self._over.add(source_of(event))
            self._end_scope(ended_by(event))
        elif event.type in self._child_ends:
            parent = event.session.scopes.get(event.origin, (0, 0))[0]
            self._end_children(parent, _numbers(event))
        elif opened_by(event):
            self.opened[opened_by(event)] = event.position
        elif event.status:
            self._fail(event)
        return None

    def rows(self, owner: Owner, event: Record) -> Optional[Sequence[ListRow]]:
        """The rows of a list that an owner shows, given its last event; None: not known."""
        return self._lists._rows_of(owner.source, event.type_info.name)

    def shown(self, owner: Owner, event: Record, longest: int) -> str:
        """What an owner shows by a value, given its last event."""
        if event.type_info.is_list:
            return list_of(event, self.rows(owner, event), longest)
        return value_of(event, longest)

    def shown_json(self, owner: Owner, event: Record) -> str:
        """The same, whole, as a further field of a JSON object."""
        info, changes = event.type_info, event.list_changes
        if changes is None or info.is_secret:
            return payload_json(event, info)
        rows = self._lists._rows_of(owner.source, info.name)
        return _window_json(changes) + ("" if rows is None else rows_json(rows, info))

    # What an index keeps of them -----------------------------------------------------------------

    def state(self, put: Callable[[Record], Any]) -> List[Any]:
        """Returns all that it knows, as JSON can hold it; `put` says what stands for an event."""
        return [
            *(self.names.state(), self._lists._state(), self._ends),
            *(list(some) for some in (self.telling, self.value_types)),
            *(list(some) for some in (self._child_ends, self._listing)),
            *(list(some.items()) for some in (self.opened, self._numbers)),
            [(number, *_put_source(source)) for number, source in self._named.items()],
            *([_put_source(source) for source in self._over], list(self._failed)),
            [
                (*_put_source(owner.source), *owner.born, owner.scope, owner.parent)
                + tuple(map(put, owner.values.values()))
                for owner in self
            ],
        ]

    def restore(self, state: List[Any], get: Callable[[Any], Record]) -> None:
        """Takes such a state; raises TypeError or ValueError if it is none."""
        names, lists, ends, *types, opened, numbers, named_, over, failed, owners = state
        self.names.restore(names)
        self._lists._restore(lists)
        self._ends = whole_number(ends)
        self.telling, self.value_types, self._child_ends, self._listing = (
            set(map(whole_number, some)) for some in types
        )
        self.opened, self._numbers = (
            {whole_number(key): whole_number(value) for key, value in some}
            for some in (opened, numbers)
        )
        self._named = {whole_number(number): _source_in(source) for number, *source in named_}
        self._over = set(map(_source_in, over))
        self._failed = {(f"{name}", whole_number(position)) for name, position in failed}
        for scope, name, *rest in owners:
            self._keep(Owner.restored(_source_in((scope, name)), rest, get))

    # Names ---------------------------------------------------------------------------------------

    def _learn_type(self, number: int, info: TypeInfo) -> None:
        for some in (self.telling, self.value_types, self._child_ends, self._listing):
            some.discard(number)
        if info.is_list or info.name == _ENDED:
            self._listing.add(number)
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
        """If a number in this file has a new scope, or a scope a new number, the old one ended."""
        source = (scope, b"" if scope else name)
        former = self._named.get(number, source)
        if former != source:
            self._over.discard(former)
            self._numbers.pop(former[0], None)
            self._forget(former)
            if self._forgets:
                self.names.forget(former[0])
        if scope and self._numbers.get(scope, number) != number:
            self._forget(source)
        self._named[number] = source
        self._numbers[scope] = number

    def _forget(self, source: Source) -> None:
        owner = self._owners.get(source)
        if owner is not None:
            self._remove(owner)

    def _learn_list(self, event: Record) -> None:
        """Takes a list that a file begins with, unless its event was there."""
        owner = self._owners.get(source_of(event))
        former = None if owner is None else owner.values.get(event.type)
        if event.list_changes is None or event.type not in self.value_types:
            return
        if former is None or former.position < event.position:
            owner = owner or self._add(Owner(event))
            owner.values[event.type] = event

    # Owners --------------------------------------------------------------------------------------

    def _add(self, owner: Owner) -> Owner:
        if owner.source in self._over or owner.born in self._failed:
            return owner
        return self._keep(owner)

    def _keep(self, owner: Owner) -> Owner:
        self._owners[owner.source] = owner
        if owner.scope:
            self._below.setdefault(owner.parent, set()).add(owner.scope)
        return owner

    def _fail(self, answer: Record) -> None:
        """An open has failed: what it had made is gone."""
        born = (text_of(answer.type_info.name[len(_OPENED) :]), answer.answers)
        self._failed.add(born)
        for owner in [owner for owner in self if owner.born == born]:
            self._end_scope(owner.scope)

    def _remove(self, owner: Owner) -> None:
        self._owners.pop(owner.source, None)
        if owner.scope:
            below = self._below.get(owner.parent, set())
            below.discard(owner.scope)
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
            child = self._owners.get((scope, b""))
            if child is not None and child.parent == parent and scope not in self.opened:
                self._end_scope(scope)

    def _end_scope(self, scope: int) -> None:
        """Removes a scope, and what is below it; the end of what was opened there is told."""
        self.opened.pop(scope, None)
        waiting = [scope] if scope else []
        while waiting:
            number = waiting.pop()
            owner = self._owners.get((number, b""))
            if owner is not None:
                self._over.add(owner.source)
                self._remove(owner)
            waiting += [below for below in self._below.get(number, ()) if below not in self.opened]


def _numbers(event: Record) -> Set[int]:
    """Returns the scopes that an event names, if it has their numbers."""
    size = event.size
    if size % 8 or size > _LONGEST_LIST or event.marked or event.type_info.is_list:
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
    if event.size != 8 or event.marked or event.type_info.name != _ENDED:
        return 0
    return int.from_bytes(event.data, "little")


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
    if info.payload == "none" or event.status or event.marked or info.is_secret:
        return ""
    if info.is_list:
        return _changes_json(event, info)
    return content_json(event.data, info)


def content_json(data: bytes, info: TypeInfo) -> str:
    """Returns the payload of an event, or of a row, as a further JSON field."""
    form = info.payload
    scalar = scalar_in(data, info)
    if scalar is not None:
        # JSON has neither infinities nor NaN.
        return f', "value": {shown(scalar) if isfinite(scalar) else json.dumps(shown(scalar))}'
    try:
        text = data.decode("utf-8") if form in ("text", "json") else None
    except UnicodeDecodeError:
        text = None
    if text is None:
        return f', "base64": "{base64.b64encode(data).decode()}"'
    if form == "json" and is_json(text):
        # Not parsed, so that no number loses digits. Line ends can only be between its tokens.
        return ', "json": ' + re.sub(r"[\r\n\t]", " ", text)
    return ', "text": ' + json.dumps(text, ensure_ascii=False)


def _changes_json(event: Record, info: TypeInfo) -> str:
    """Returns the changes of a list, with the rows that they bring, and how many it has then."""
    changes = event.list_changes
    if changes is None:
        return f', "base64": "{base64.b64encode(event.data).decode()}"'
    parts = []
    for change, rows in changes.each():
        fields: Dict[str, Any] = {"kind": change.kind, "index": change.index, "count": change.count}
        fields.update({"to": change.to} if change.kind == "move" else {})
        parts.append(json.dumps(fields)[:-1] + (rows_json(rows, info) if rows else "") + "}")
    return f'{_window_json(changes)}, "changes": [{", ".join(parts)}]'


def _window_json(changes: ListChanges) -> str:
    """Returns how many rows there are, and which of them the list has, as further JSON fields."""
    part = f', "offset": {changes.offset}, "count": {changes.count}'
    return ("" if changes.count == changes.total else part) + f', "total": {changes.total}'


def rows_json(rows: Sequence[ListRow], info: TypeInfo) -> str:
    """Returns rows, each with its key and its payload, as a further JSON field."""
    parts = (
        json.dumps({"key": text_of(row.key)}, ensure_ascii=False)[:-1]
        + content_json(row.data, info)
        + "}"
        for row in rows
    )
    return f', "rows": [{", ".join(parts)}]'


def is_json(text: str) -> bool:
    """Whether a text is JSON as the standard defines it."""
    try:
        json.loads(text, parse_int=str, parse_float=str, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return False
    return True


def _refuse(name: str) -> None:
    raise ValueError(name)

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What an index keeps of a moment: the owners, the session, the last event."""

from __future__ import annotations

import json
import struct
import zlib
from typing import Any, Dict, List, Optional, Tuple, Union

from ..journal_file import JournalError, Record, Session, TypeInfo
from ..journal_file._lists import bytes_in, whole_list, whole_number
from ..journal_file._record import LIST, SESSION
from ._dump import Owners
from ._reading import CheckedJournal
from ._runs import Run

__all__ = ["WRONG", "State", "Unfit"]

#: A state is no longer than this, and than so many times the journal whose names and rows it has.
_MOST, _MOST_PART = 1 << 16, 8


class Unfit(Exception):
    """An index does not fit."""


#: What reading something that is no index, or another one, raises.
WRONG = (ValueError, TypeError, LookupError, struct.error, RecursionError)


class State:
    """What has been read up to a place: the owners, the session, the last event."""

    def __init__(self) -> None:
        self.owners = Owners(forgets=True)
        self.session: Optional[Session] = None
        #: Where the session's record is.
        self.began: Optional[Tuple[int, int]] = None
        self.last: Optional[Record] = None

    def take(self, piece: Union[Run, Record], file: int) -> None:
        """Takes what was read next in a file."""
        owners = self.owners
        if isinstance(piece, Run):
            for event in piece.of_types(owners.telling):
                owners.take(event)
            self.last = piece.event(len(piece) - 1) if len(piece) else self.last
        else:
            if piece.kind == SESSION:
                self.began = (file, piece.offset)
            owners.learn(piece)
        self.session = piece.session

    def saved(self, files: Dict[str, int]) -> Tuple[bytes, int]:
        """Returns what is kept of it, and the bytes of the records that this names."""
        sessions: Dict[int, Tuple[int, Session]] = {}
        types: List[Dict[int, TypeInfo]] = []
        weight = 0

        def put(event: Record) -> Any:
            nonlocal weight
            weight += event.length
            if event.session is self.session:
                number = -1
            else:
                known = sessions.setdefault(id(event.session), (len(types), event.session))
                number = known[0]
                if number == len(types):
                    types.append({})
                if event.type in event.session.types:
                    types[number][event.type] = event.session.types[event.type]
            return number, files[event.path], event.offset, event.position

        last = None if self.last is None else put(self.last)
        owners = self.owners.state(put)
        session = self.session or Session()
        names = [
            _put_types(session.types),
            [(number, _text(name)) for number, name in session.layers.items()],
            [
                (number, _text(name), *session.scopes.get(number, (0, 0)))
                for number, name in session.origins.items()
            ],
        ]
        said = [self.began, names, list(map(_put_types, types)), last, owners]
        text = json.dumps(said, separators=(",", ":"), ensure_ascii=False)
        return zlib.compress(text.encode(), 1), weight

    @classmethod
    def restored(cls, data: bytes, journal: CheckedJournal, names_only: bool = False) -> State:
        """Takes what was kept; raises Unfit if it is not that of the journal."""
        try:
            reader = zlib.decompressobj()
            text = reader.decompress(data, _MOST + _MOST_PART * journal.size)
            if not reader.eof:
                raise Unfit
            said = json.loads(text.decode())
            state = cls._with_names(said, journal)
            return state if names_only else state._with_owners(said, journal)
        except (*WRONG, JournalError, zlib.error):
            raise Unfit from None

    @classmethod
    def _with_names(cls, said: List[Any], journal: CheckedJournal) -> State:
        state = cls()
        began, (types, layers, origins), *_ = said
        state.began = None if began is None else _place_in(began, journal)
        record = None if state.began is None else journal.record_at(state.began)
        if record is not None and record.kind != SESSION:
            raise ValueError(record)
        state.session = session = Session(record)
        session.types = _types_in(types)
        session.layers = {whole_number(number): bytes_in(name) for number, name in layers}
        for number, name, scope, parent in origins:
            session.origins[whole_number(number)] = bytes_in(name)
            session.scopes[number] = (whole_number(scope), whole_number(parent))
        return state

    def _with_owners(self, said: List[Any], journal: CheckedJournal) -> State:
        session = self.session or Session()
        _, _, others, last, owners = said
        sessions = [Session() for _ in others]
        for one, its in zip(sessions, others):
            one.types = _types_in(its)

        def get(kept: Any) -> Record:
            number, file, offset, position = kept
            event = journal.record_at(_place_in((file, offset), journal))
            event.session = session if number == -1 else sessions[whole_number(number)]
            event = whole_list(event) if event.kind == LIST else event
            if event.position != position or not event.is_event:
                raise ValueError(event)
            return event

        self.last = None if last is None else get(last)
        self.owners.restore(owners, get)
        return self


def _text(data: bytes) -> str:
    return data.decode("latin-1")


def _put_types(types: Dict[int, TypeInfo]) -> List[Any]:
    return [
        (number, info.number, info.contract, _text(info.name), _text(info.response))
        for number, info in types.items()
    ]


def _types_in(said: List[Any]) -> Dict[int, TypeInfo]:
    return {
        whole_number(number): TypeInfo(
            whole_number(same), whole_number(contract), bytes_in(name), bytes_in(response)
        )
        for number, same, contract, name, response in said
    }


def _place_in(said: Any, journal: CheckedJournal) -> Tuple[int, int]:
    file, offset = map(whole_number, said)
    if file >= len(journal.files):
        raise ValueError(said)
    return file, offset

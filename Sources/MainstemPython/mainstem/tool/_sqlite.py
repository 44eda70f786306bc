# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`sqlite`: a journal as a database, to ask it what no command answers."""

from __future__ import annotations

import argparse
import os
import tempfile
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple, Union

from ..events._wire import shown
from ..journal_file import JournalError, Record, TypeInfo
from ..journal_file._lists import source_of
from ..journal_file._record import SESSION, TIMER, text_of
from ._dump import Owner, Owners, name_in, payload_json
from ._navigation import Component, Navigation, scope_of_sender
from ._reading import (
    UNREADABLE,
    CheckedJournal,
    count,
    has_time,
    is_failure,
    opened,
    plain,
    role_of,
    say,
    scalar_in,
    status_name,
    tell,
)
from ._runs import Run

if TYPE_CHECKING:
    import sqlite3

__all__ = ["add_sqlite"]

#: The tables, which the database itself describes: `.schema` shows the comments, too. Columns
#: without a type keep whatever is put into them.
SCHEMA = """
CREATE TABLE events (
  position INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,    -- the first session of the journal is 1
  time INTEGER,                -- nanoseconds since 1970; NULL: not kept
  type TEXT NOT NULL,
  role TEXT NOT NULL,          -- request, command, response, notice, value
  layer TEXT NOT NULL,
  origin TEXT NOT NULL,        -- the name of the sender; empty: the context
  scope,                       -- the number of the sender; NULL: the context, or not known
  cause INTEGER,               -- the position of the event that caused it; NULL: none
  correlation INTEGER,         -- the position of the event from outside that began the chain
  answers INTEGER,             -- the position of the request that it answers, or is progress of
  status TEXT NOT NULL,        -- ok, the name of the error, or the number of the app's own
  failed INTEGER NOT NULL,     -- 1: an error, but no refused command and no cancelled screen
  error TEXT,                  -- the messages of an error
  user_message TEXT,
  subject TEXT,
  outside INTEGER NOT NULL,    -- 1: an input
  tracked INTEGER NOT NULL,    -- 1: a request that exactly one response answers
  progress INTEGER NOT NULL,   -- 1: progress of a request
  timer INTEGER NOT NULL,      -- 1: a timer sent it
  written INTEGER NOT NULL,    -- 1: a view wrote it
  shared INTEGER NOT NULL,     -- 1: a request that shares the answer of another, or that answer
  secret INTEGER NOT NULL,     -- 1: a secret, whose payload is not kept
  marked INTEGER NOT NULL,     -- 1: the journal has only a mark of it, no payload
  form TEXT NOT NULL,          -- none, bytes, text, json, struct, bool, integer, number, list
  payload                      -- NULL: none, not kept, or an error; the changes of a list
);
CREATE TABLE shown_values (
  position INTEGER NOT NULL,   -- the event that set it
  until INTEGER,               -- the event that replaced it or ended its owner; NULL: none
  session INTEGER NOT NULL,
  owner TEXT NOT NULL,
  scope,                       -- the number of the owner
  name TEXT NOT NULL,          -- without the owner's name
  type TEXT NOT NULL,
  before,                      -- the payload that it replaced; NULL for lists
  after,                       -- its payload; the changes of a list
  kept INTEGER NOT NULL,       -- 0: the payload is a secret, or only a mark was kept
  written INTEGER NOT NULL     -- 1: a view wrote it
);
CREATE TABLE requests (
  position INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  type TEXT NOT NULL,
  origin TEXT NOT NULL,        -- the sender of the request
  scope,
  answer INTEGER,              -- the position of the answer; NULL: there is none
  answered_by TEXT,            -- the sender of the answer
  status TEXT,                 -- that of the answer
  failed INTEGER,
  progress INTEGER NOT NULL,   -- how many steps of progress there were
  duration INTEGER             -- nanoseconds from the request to the answer
);
CREATE TABLE screens (
  session INTEGER NOT NULL,
  component,                   -- its number
  parent,                      -- the number of the component that it is on
  owner,                       -- the number of the scope that has its values
  kind TEXT NOT NULL,          -- screen, dialog, present, overlay, embed, group, flow
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  route TEXT NOT NULL,
  slot TEXT NOT NULL,
  opened INTEGER NOT NULL,     -- the position of the change that showed it
  opened_by,                   -- the position of the move
  closed INTEGER,              -- the position of the change that removed it; NULL: still shown
  closed_by,                   -- the position of the move, gesture, result or end
  why TEXT,                    -- result, gesture, ended, failed, or what the move did
  result TEXT,                 -- the type of its result
  along INTEGER                -- 1: it was closed along with another one
);
"""
INDEXES = """
CREATE INDEX events_type ON events (type);
CREATE INDEX events_cause ON events (cause);
CREATE INDEX events_correlation ON events (correlation);
CREATE INDEX events_answers ON events (answers);
CREATE INDEX shown_values_name ON shown_values (owner, name, position);
"""
#: The requests that somebody had to answer, or did answer, each with its first answer.
REQUESTS = """
INSERT INTO requests
SELECT
  asked.position, asked.session, asked.type, asked.origin, asked.scope,
  answer.position, answer.origin, answer.status, answer.failed,
  (SELECT count(*) FROM events WHERE answers = asked.position AND progress),
  answer.time - asked.time
FROM events AS asked LEFT JOIN events AS answer ON answer.position = (
  SELECT min(position) FROM events
  WHERE answers = asked.position AND NOT progress AND session = asked.session
)
WHERE asked.tracked OR (asked.role IN ('request', 'command') AND answer.position IS NOT NULL)
"""
#: The largest number that SQLite holds.
_MOST = (1 << 63) - 1
#: So many rows, and so many bytes of payloads, are written at once.
_ROWS, _BYTES = 1000, 1 << 20


# What is in a column ------------------------------------------------------------------------------


def number(value: int) -> Union[int, str, None]:
    """Returns the number of a scope, which may be larger than SQLite's: then as text."""
    return None if value == 0 else value if value <= _MOST else str(value)


def text(value: str) -> str:
    """Returns text that can be UTF-8: JSON can have halves of surrogate pairs."""
    return value.encode("utf-8", "backslashreplace").decode()


def payload_of(event: Record) -> Any:
    """Returns the payload of an event; None: it has none, or it is not to be seen."""
    info = event.type_info
    if info.payload == "none" or event.status or not _is_kept(event):
        return None
    if info.is_list:
        return "{" + payload_json(event, info)[2:] + "}"
    return _content(event.data, info)


def _content(data: bytes, info: TypeInfo) -> Any:
    scalar = scalar_in(data, info)
    if scalar is not None:
        # SQLite takes NaN for NULL.
        return scalar if scalar == scalar else shown(scalar)
    if info.payload in ("text", "json"):
        with suppress(UnicodeDecodeError):
            return data.decode("utf-8")
    return data


def _is_kept(event: Record) -> bool:
    return not (event.marked or event.type_info.is_secret)


def _time_of(event: Record) -> Optional[int]:
    """Returns the time of an event; None: it was not kept."""
    return event.time if has_time(event.time, event.flags) else None


# The tables ---------------------------------------------------------------------------------------


class Tables:
    """Rows of several tables, many written at a time."""

    def __init__(self, database: sqlite3.Connection) -> None:
        #: How many rows each table has.
        self.counts = {"events": 0, "shown_values": 0, "screens": 0}
        self._database = database
        self._rows: Dict[str, List[Tuple[Any, ...]]] = {table: [] for table in self.counts}
        self._waiting = self._bytes = 0

    def add(self, table: str, row: Tuple[Any, ...], size: int = 0) -> None:
        """Adds a row, whose payload has so many bytes."""
        self._rows[table].append(row)
        self._waiting += 1
        self._bytes += size
        if self._waiting >= _ROWS or self._bytes >= _BYTES:
            self.flush()

    def flush(self) -> None:
        """Writes what waits."""
        for table, rows in self._rows.items():
            if rows:
                marks = ", ".join("?" * len(rows[0]))
                self._database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
                self.counts[table] += len(rows)
                rows.clear()
        self._waiting = self._bytes = 0


class ShownValues(Owners):
    """The owners that live, which say of each value how long it was shown."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        #: The session, and the position from which on a value that ends now is not shown.
        self.session = self.until = 0
        #: The rows of what is shown, without their ends, by position.
        self._open: Dict[int, Tuple[Any, ...]] = {}
        super().__init__(forgets=True)

    def learn(self, record: Record) -> None:
        """Takes the next record, if that is no event."""
        self.until = record.position
        super().learn(record)

    def set(self, event: Record) -> None:
        """Takes the next event of a telling type."""
        self.until = event.position
        former = self.take(event)
        owner = self._owners.get(source_of(event))
        if event.type in self.value_types and owner is not None:
            self._replace(owner, event, former)

    def end(self, until: Optional[int]) -> None:
        """Writes what is shown at the end of a session."""
        for position in list(self._open):
            self._close(position, until)

    def _replace(self, owner: Owner, event: Record, former: Optional[Record]) -> None:
        if former is not None:
            self._close(former.position, self.until)
        is_list = event.type_info.is_list
        before = None if former is None or is_list else payload_of(former)
        self._open[event.position] = (
            self.session,
            owner.name,
            number(owner.scope),
            name_in(owner.name, event.name),
            event.name,
            before,
            payload_of(event),
            _is_kept(event),
            event.written,
        )

    def _close(self, position: int, until: Optional[int]) -> None:
        row = self._open.pop(position, None)
        if row is not None:
            self._tables.add("shown_values", (position, until, *row), _size(row[5], row[6]))

    # What ends values, and how lists of a file before come in -----------------------------------

    def _remove(self, owner: Owner) -> None:
        super()._remove(owner)
        for event in owner.values.values():
            self._close(event.position, self.until)

    def _learn_list(self, event: Record) -> None:
        owner = self._owners.get(source_of(event))
        former = None if owner is None else owner.values.get(event.type)
        super()._learn_list(event)
        owner = self._owners.get(source_of(event))
        if owner is not None and owner.values.get(event.type) is event:
            self._replace(owner, event, former)


class Filling:
    """Fills the tables with a journal, given what is read of it in order."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._session = 0
        self._values = ShownValues(tables)
        self._navigation = Navigation()

    def read(self, journal: CheckedJournal) -> None:
        """Reads all of it."""
        for piece in journal.pieces():
            if isinstance(piece, Run):
                self._take_run(piece)
            else:
                self._learn(piece)
        self._end_session(None)
        self._tables.flush()

    def _learn(self, record: Record) -> None:
        if record.kind == SESSION and not record.session.continues:
            self._end_session(record.position + 1)
            self._session += 1
        self._begin_session()
        self._values.learn(record)
        self._navigation.learn(record)

    def _take_run(self, run: Run) -> None:
        if run.first + len(run) - 1 > _MOST:
            last = run.first + len(run) - 1
            raise JournalError(f"position {last} is larger than any number that SQLite holds")
        session = self._begin_session()
        telling, guiding = self._values.telling, self._navigation.telling
        for event in run.records():
            self._tables.add("events", _row(event, session), event.size)
            if event.type in telling:
                self._values.set(event)
            if event.type in guiding:
                self._navigation.take(event)

    def _begin_session(self) -> int:
        """Returns which session it is: the first one may have begun before the journal."""
        self._session = self._values.session = max(self._session, 1)
        return self._session

    def _end_session(self, until: Optional[int]) -> None:
        self._values.end(until)
        for component in self._navigation.components:
            self._tables.add("screens", _screen(component, self._session))
        self._navigation.components.clear()


def _row(event: Record, session: int) -> Tuple[Any, ...]:
    info = event.type_info
    is_told = event.status != 0 and _is_kept(event)
    return (
        event.position,
        session,
        _time_of(event),
        event.name,
        role_of(info),
        text_of(event.session.layers.get(info.layer, b"")),
        event.origin_name,
        number(scope_of_sender(event)),
        event.cause or None,
        event.correlation or None,
        event.answers or None,
        status_of(event),
        is_failure(event),
        *(event.error if is_told else (None, None, None)),
        event.outside,
        event.tracked,
        event.is_progress,
        bool(event.flags & TIMER),
        event.written,
        event.shared,
        event.withheld or info.is_secret,
        event.marked,
        "list" if info.is_list else info.payload,
        payload_of(event),
    )


def status_of(event: Record) -> str:
    """Returns the status of an event in a word."""
    return status_name(event.status) if event.status else "ok"


def _screen(component: Component, session: int) -> Tuple[Any, ...]:
    why = component.why
    texts = (component.name, component.url, component.route, component.slot)
    return (
        session,
        number(component.number),
        number(component.parent),
        number(component.owner),
        component.kind,
        *map(text, texts),
        component.opened,
        number(component.move),
        component.closed or None,
        number(why.position) if why else None,
        why.what or None if why else None,
        why.result or None if why else None,
        why.along if why else None,
    )


def _size(*payloads: Any) -> int:
    return sum(len(each) for each in payloads if isinstance(each, (str, bytes)))


# The command --------------------------------------------------------------------------------------


def add_sqlite(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "sqlite",
        help="a database of SQLite, to ask it anything",
        description="Writes the new database TO with the tables events, shown_values, requests "
        "and screens. TO must not exist yet, and is there only when it is complete. It has all "
        "payloads of the journal.",
    )
    own.add_argument("path", metavar="PATH", help="the journal")
    own.add_argument("to", metavar="TO", help="where to write the database")
    own.set_defaults(run=run_sqlite)


def run_sqlite(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    try:
        import sqlite3
    except ImportError:
        say("this Python has no sqlite3: install it, or use another Python")
        return UNREADABLE
    with opened(chosen.path) as journal:
        if os.path.lexists(chosen.to):
            say(f"{plain(chosen.to)} exists already: remove it, or choose another name")
            return UNREADABLE
        try:
            with _beside(chosen.to) as path:
                counts = _fill(sqlite3.connect(path, isolation_level=None), journal)
        except sqlite3.Error as error:
            say(f"{plain(chosen.to)}: {error}: nothing was written")
            return UNREADABLE
        parts = [
            count(counts["events"], "event"),
            count(counts["shown_values"], "shown value"),
            count(counts["requests"], "request"),
            count(counts["screens"], "screen"),
        ]
        print(f"{plain(chosen.to)}: {', '.join(parts)}")
        return tell(journal)


@contextmanager
def _beside(path: str) -> Iterator[str]:
    """Makes a file that gets a path's name at the end; if something fails, it is removed."""
    folder, name = os.path.split(path)
    handle, part = tempfile.mkstemp(".part", f"{name}.", folder or ".")
    os.close(handle)
    try:
        yield part
        os.rename(part, path)
    except BaseException:
        os.unlink(part)
        raise


def _fill(database: sqlite3.Connection, journal: CheckedJournal) -> Dict[str, int]:
    """Writes a journal into an empty database, in one transaction; how many rows each table has."""
    try:
        # What fails is removed as a whole.
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("BEGIN")
        for statement in SCHEMA.strip().split(";\n"):
            database.execute(statement)
        tables = Tables(database)
        Filling(tables).read(journal)
        for statement in INDEXES.strip().split(";\n"):
            database.execute(statement)
        requests = database.execute(REQUESTS).rowcount
        database.execute("COMMIT")
        return {**tables.counts, "requests": requests}
    finally:
        database.close()

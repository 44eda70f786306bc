# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A journal that is read behind its writer, and what is kept of it: an index, names, gestures."""

from __future__ import annotations

import os
import threading
import time
from array import array
from bisect import bisect_left
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

from ..failure import MainstemError
from ..journal_file import Ending, JournalError, Record, Session, TypeInfo
from ..journal_file._file import FILE_HEADER_SIZE, FileBytes, files_of, number_of
from ..journal_file._record import END, ORIGIN, SESSION, named, offsets_of, scope_of, text_of
from ..recording._journal import Journal as LibraryJournal
from ._blocks import Entry, NewBlock, Row
from ._dump import Namesakes, Owners
from ._gestures import Gestures
from ._index import Index
from ._reading import CheckedJournal, begins_file, count, plain
from ._runs import Page, Run
from ._state import State

__all__ = ["Live", "Names", "Sender"]


# A journal, and what is appended to it ------------------------------------------------------------


class FollowedJournal(CheckedJournal):
    """A journal that the library reads, and what is appended to it while it is open."""

    _reading: Optional[LibraryJournal] = None

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._is_begun = False
        # Where the records of each file end that were read before this one.
        self._ends: List[int] = []
        #: The bytes behind the last whole record.
        self.torn = 0

    def close(self) -> None:
        """Closes the files."""
        if self._reading is not None:
            self._reading.close()
        super().close()

    def pieces(self) -> Iterator[Union[Run, Record]]:
        """Yields what was not read yet; raises MainstemError at damage."""
        if self._reading is not None and self._is_begun:
            self._reading.follow()
        else:
            # What has no header yet is no journal to follow.
            self._reading = LibraryJournal(self.path)
        for batch in self._reading.batches():
            begin = int(begins_file(batch))
            if begin:
                self._measure()
                if self._is_begun:
                    self._ends.append(self._offset)
                else:
                    # When it was opened, its header may not have been there.
                    self.headers.clear()
                self._offset = FILE_HEADER_SIZE
                self._head(len(self.headers))
                self._is_begun = True
            offsets = offsets_of(batch.column("size")[begin:], self._offset)
            page = Page(batch, [0] * begin + offsets, self.paths[self.file], self.version)
            self._files[self.file].measure()
            yield from self._pieces_of(page, begin)
        self.torn = self._reading.info.torn_bytes
        self._measure()

    @property
    def read(self) -> int:
        """How many bytes were read."""
        return sum(file.size for file in self._files[: self.file]) + self._offset

    def end(self, index: int) -> int:
        """Where the records of a file end, as far as they were read."""
        return self._ends[index] if index < len(self._ends) else self._offset

    def check(self) -> None:
        """Raises JournalError if its files are no longer those that were opened."""
        for file in self._files[-1:]:
            try:
                facts = os.stat(file.path)
            except OSError:
                raise JournalError(f"{file.path} is not there any longer") from None
            if (facts.st_ino, facts.st_dev) != (file.facts.st_ino, file.facts.st_dev):
                raise JournalError(f"{file.path} was replaced by another file")
            if self._is_begun and facts.st_size < self._offset and file is self._files[self.file]:
                raise JournalError(f"{file.path} was cut off")

    def _measure(self) -> None:
        """Looks how long the files are now, and which are new."""
        if self.paths != [self.path]:
            last = number_of(self.paths[-1])
            for path in (path for path in files_of(self.path)[0] if number_of(path) > last):
                self._files.append(FileBytes(path))
                self.paths.append(path)
        self._files[-1].measure()


class Looked(CheckedJournal):
    """What was read of a journal, from any place once more: it is as it was, and checked."""

    def __init__(self, journal: FollowedJournal) -> None:
        self._journal = journal
        self.path, self.paths, self.left_over = journal.path, journal.paths, []
        self._files, self.headers = journal.files, journal.headers[:1]
        self._progress = lambda done, size: None
        self._begin()

    def close(self) -> None:
        """Leaves the files to whom they belong."""

    def pieces(self) -> Iterator[Union[Run, Record]]:
        """Yields all from the beginning."""
        return self.pieces_at((0, 0), self._last, Session())

    def record_at(self, place: Tuple[int, int], is_checked: bool = True) -> Record:
        """Reads the record at a place."""
        return super().record_at(place, is_checked)

    def _records_of(self, index: int, offset: int) -> Iterator[Record]:
        return super()._records_of(index, offset) if index <= self._journal.file else iter(())

    def _record_at(self, index: int) -> Optional[Record]:
        is_over = self._offset >= self._journal.end(index)
        return None if is_over else self.record_at((index, self._offset))

    def _damage(self, index: int, message: str) -> Optional[Ending]:
        raise JournalError(f"{self.paths[index]} was changed while it was read")


class LiveIndex(Index):
    """The index of a journal that grows: it takes what was read, piece by piece."""

    def __init__(self, journal: FollowedJournal) -> None:
        """Begins with nothing; what is kept beside the journal stays as it is."""
        super().__init__(journal, is_kept=False)
        self._now = State()
        self._looked = Looked(journal)
        # The last block, which can be asked for and goes on with what is read next.
        self._settled: Optional[NewBlock] = None
        # The rows that were read last, and of which block.
        self._near: Tuple[Optional[Entry], bytes] = (None, b"")

    def close(self) -> None:
        """Gives back what it has."""
        self._begin_anew()

    def take(self, piece: Union[Run, Record]) -> None:
        """Takes what was read next."""
        if self._settled is not None:
            self._unsettle(self._settled)
        for path in self.journal.paths[len(self._numbers) :]:
            self._numbers[path] = len(self._numbers)
        self._add(piece, self.journal.file, self._now)
        self._now.take(piece, self.journal.file)

    def settle(self) -> None:
        """All that there is was taken: it can be asked for."""
        if self._block is not None:
            self._settled = self._block
            self._end_block()
        self._is_sure = self.whole = True

    def _rows(self, entry: Entry) -> bytes:
        if self._near[0] is not entry:
            self._near = (entry, super()._rows(entry))
        return self._near[1]

    def _unsettle(self, block: NewBlock) -> None:
        entry = self._entries.pop()
        self._settled, self._block = None, block
        if self._added is not None:
            self._added.seek(entry.place + entry.size - self._end)
            self._added.truncate()

    def owners(self, at: int) -> Tuple[Owners, Optional[Record]]:
        """Returns the owners after a position, and the last event up to there."""
        return self._read_on(*self._state_before(at), at)

    @property
    def known(self) -> int:
        """The last position that can be asked for."""
        return self.last if self._block is None else self._block.entry.last

    @property
    def looked(self) -> CheckedJournal:
        """The journal as it is read at a place, away from where it is read on."""
        return self._looked


# Names, which change while a session goes on ------------------------------------------------------


class Sender(NamedTuple):
    """What an origin was called from a position on."""

    position: int
    name: bytes
    scope: int
    parent: int
    #: Which one of its name it is: what follows the name.
    which: str

    @property
    def title(self) -> str:
        """What it is shown as."""
        return plain(text_of(self.name)) + self.which


_EVER = 1 << 64
_NOBODY = Sender(0, b"", 0, 0, "")


class Names:
    """The names of a journal's types, layers and origins, at each position."""

    def __init__(self) -> None:
        # The files and sessions: behind which position each begins, and what it names.
        self._begins: List[int] = []
        self._senders: List[Dict[int, List[Sender]]] = []
        #: The names of each file.
        self.sessions: List[Session] = []
        self._namesakes = Namesakes()
        self._texts: Dict[bytes, bytes] = {}
        # Behind which positions origins were named.
        self._changes = array("Q")
        #: How many sessions have begun.
        self.count = 0
        self.numbers: List[int] = []

    def learn(self, record: Record) -> None:
        """Takes the next record that is no event."""
        if record.kind == SESSION:
            self.count += not record.session.continues
            self._begins.append(record.position)
            self.sessions.append(record.session)
            self._senders.append({})
            self.numbers.append(self.count)
            self._namesakes.learn(record)
        elif record.kind == ORIGIN and self._senders:
            self._learn_sender(record)

    def _learn_sender(self, record: Record) -> None:
        number, name = named(record)
        scope, parent = scope_of(record)
        known = self._senders[-1].setdefault(number, [])
        if known and known[-1].scope != scope:
            self._namesakes.forget(known[-1].scope)
        self._namesakes.learn(record)
        name = self._texts.setdefault(name, name)
        which = self._namesakes.of_origin(number)
        known.append(Sender(record.position, name, scope, parent, which))
        self._changes.append(record.position)

    def same_until(self, position: int) -> int:
        """The last event from one on at which all names are the same, as far as was read."""
        ends = [
            some[at]
            for some in (self._begins, self._changes)
            for at in (bisect_left(some, position),)
            if at < len(some)
        ]
        return min(ends, default=_EVER)

    def _file(self, position: int) -> int:
        return bisect_left(self._begins, position) - 1

    def session(self, position: int) -> Session:
        """The names at an event."""
        file = self._file(position)
        return self.sessions[file] if file >= 0 else Session()

    def number(self, position: int) -> int:
        """Which session an event is in, from 1 on."""
        file = self._file(position)
        return self.numbers[file] if file >= 0 else 1

    def info(self, position: int, kind: int) -> TypeInfo:
        """The type of an event."""
        return self.session(position).info(kind)

    def sender(self, position: int, origin: int) -> Sender:
        """Who sent an event."""
        file = self._file(position)
        found = self._senders[file].get(origin, []) if file >= 0 else []
        at = bisect_left(found, (position,)) - 1
        if at >= 0:
            return found[at]
        return _NOBODY._replace(name=self.session(position).origin(origin)) if origin else _NOBODY


# All of it ----------------------------------------------------------------------------------------

#: How often it looks for what was appended, in seconds; it is live if something was, so long ago.
_PERIOD, _LIVE = 0.1, 3.0
#: It reads for so many seconds at a time; then whoever asks is given as many to begin.
_TURN, _PAUSE = 0.02, 0.0005
#: So many owners of moments are kept: stepping back and forth reads them once.
_MOMENTS = 8


class Live:
    """A journal that is read on by a thread of its own. `lock` guards all of it."""

    def __init__(self, path: str) -> None:
        """Opens a journal; raises OSError, JournalError or MainstemError."""
        self.journal = FollowedJournal(path)
        self.lock = threading.Lock()
        self.index = LiveIndex(self.journal)
        self.names = Names()
        self.gestures = Gestures(self.names)
        #: What is wrong with the journal, in words.
        self.problem = ""
        #: The first time, and the last; 0: there is none.
        self.began = self.ended = 0
        self.is_reading = True
        #: How many events were read.
        self.count = self._first = 0
        self._grew = 0.0
        self._is_closed = False
        self._moments: Dict[int, Tuple[Owners, Optional[Record]]] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Live:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._stop.set()
        self._thread.join()
        self.index.close()
        self.journal.close()

    # Reading -------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._stop.is_set():
            was_reading = self.is_reading
            try:
                is_more = self.read()
            except Exception as error:  # It is told: without it, the page could only wait.
                self._fail(error)
                return
            if is_more and not was_reading:
                self._grew = time.monotonic()
            self._stop.wait(_PERIOD)

    def read(self) -> bool:
        """Reads what there is now; whether there was anything."""
        self.journal.check()
        pieces, is_more, is_over = self.journal.pieces(), False, False
        while not (is_over or self._stop.is_set()):
            with self.lock:
                until = time.monotonic() + _TURN
                for piece in pieces:
                    self._take(piece)
                    is_more = True
                    if time.monotonic() > until:
                        break
                else:
                    is_over, self.is_reading = True, False
                self.index.settle()
            # A lock is not fair: without it, those who ask would wait to the end.
            self._stop.wait(0 if is_over else _PAUSE)
        return is_more

    def _take(self, piece: Union[Run, Record]) -> None:
        self.index.take(piece)
        if isinstance(piece, Run):
            if len(piece):
                self._first = self._first or piece.first
                self.count += len(piece)
                times = piece.column("time")
                self.began = self.began or times[0]
                self.ended = times[-1] or self.ended
            self.gestures.take(piece)
        else:
            self.names.learn(piece)
            self.gestures.learn(piece)
            self._is_closed = piece.kind == END

    def _fail(self, error: Exception) -> None:
        is_known = isinstance(error, (MainstemError, JournalError, OSError))
        text = str(error) if is_known else f"it was not read further: {error!r}"
        text = (isinstance(error, OSError) and error.strerror) or text
        with self.lock:
            self.problem, self.is_reading = plain(text), False
            self.index.settle()

    # Asking; the lock is held --------------------------------------------------------------------

    @property
    def last(self) -> int:
        """The last position that can be asked for."""
        return self.index.known

    @property
    def first(self) -> int:
        """The first position; 0: there is none."""
        return self._first

    @property
    def notes(self) -> List[str]:
        """What is wrong with the journal, in words."""
        torn = "" if self.is_live or not self.journal.torn else count(self.journal.torn, "byte")
        told = f"it ends with a record that is not whole: a torn tail of {torn}" if torn else ""
        return [note for note in (self.problem, told) if note]

    @property
    def is_live(self) -> bool:
        """Whether something was appended a moment ago."""
        return not self.is_reading and time.monotonic() - self._grew < _LIVE and bool(self._grew)

    @property
    def is_closed(self) -> bool:
        """Whether it ends with the close of its context."""
        return self._is_closed

    def row(self, position: int) -> Optional[Row]:
        """What the index says of an event; None: it was not kept, or not read yet."""
        return self.index.row(position)

    def event(self, position: int) -> Optional[Record]:
        """Reads an event with its names; None: it was not kept, or not read yet."""
        row = self.index.row(position)
        return None if row is None else self.event_at(position, row)

    def event_at(self, position: int, row: Row) -> Record:
        """Reads an event that the index knows."""
        event = self.journal.record_at((row.file, row.offset), is_checked=True)
        sender = self.names.sender(position, row.origin)
        names, event.session = self.names.session(position), Session()
        event.session.types, event.session.layers = names.types, names.layers
        event.session.origins[row.origin] = sender.name
        event.session.scopes[row.origin] = (sender.scope, sender.parent)
        return event

    def owners(self, at: int) -> Tuple[Owners, Optional[Record]]:
        """Returns the owners after a position, and the last event up to there."""
        if at not in self._moments:
            if len(self._moments) >= _MOMENTS:
                del self._moments[next(iter(self._moments))]
            self._moments[at] = self.index.owners(at)
        return self._moments[at]

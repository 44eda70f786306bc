# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Reads journals: the second implementation of docs/journal-format.md, in pure Python.

journal = Journal("session.journal")
for event in journal.events():
    print(event.position, event.name, event.data)
print(journal.ending)
"""

from __future__ import annotations

import os
import struct
from typing import (
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Tuple,
    TypeVar,
)

from ._changes import ListChange, ListChanges, ListRow, ListSpan
from ._file import (
    FILE_HEADER_SIZE,
    MAGIC,
    FileBytes,
    FileHeader,
    JournalError,
    TypeInfo,
    VersionError,
    crc32c,
    file_header,
    files_of,
    number_of,
)
from ._lists import Lists
from ._record import (
    DIGEST,
    END,
    HEADER_SIZE,
    SESSION,
    SKIPPED,
    WITHHELD,
    Record,
    Run,
    Search,
    Session,
    check_sound,
    is_ahead,
    length_of,
    runs_of,
)

__all__ = [
    "FILE_HEADER_SIZE",
    "Digest",
    "Ending",
    "FileHeader",
    "Journal",
    "JournalError",
    "ListChange",
    "ListChanges",
    "ListRow",
    "ListSpan",
    "Lists",
    "Proof",
    "Record",
    "Session",
    "TypeInfo",
    "crc32c",
]


# 64 bits that show whether two runs had the same events -------------------------------------------

BEGIN = 0x9E3779B97F4A7C15
_FACTOR = 0x9FB21C651E98DF25
_ONES = 0xFFFFFFFFFFFFFFFF


def take(digest: int, words: Iterable[int]) -> int:
    """Returns a digest after taking in some words."""
    for word in words:
        digest = (digest ^ word) * _FACTOR & _ONES
        digest ^= digest >> 32
    return digest


def words_of(data: bytes) -> Tuple[int, ...]:
    """Returns bytes as words of eight bytes, the last one padded with zeros."""
    count = (len(data) + 7) // 8
    return struct.unpack(f"<{count}Q", data.ljust(8 * count, b"\0"))


def of_name(name: bytes) -> int:
    """The digest of a name."""
    return take(BEGIN, words_of(name))


class Digest:
    """The digest of a sequence of events."""

    __slots__ = ("_names", "bits")

    def __init__(self, bits: int = BEGIN) -> None:
        self.bits = bits
        self._names: Dict[bytes, int] = {}

    def take(self, event: Record, origin: bytes) -> None:
        """Takes in an event, with the name of its origin."""
        name = self._names.get(origin)
        if name is None:
            name = self._names.setdefault(origin, of_name(origin))
        words = (
            event.position,
            event.cause,
            event.correlation,
            event.answers,
            event.size | event.type << 32,
            event.status & 0xFFFFFFFF | (event.flags & 7) << 32,
            name,
        )
        self.bits = take(take(self.bits, words), words_of(event.data))


# Computes the digest of the events again, and compares it with the digests in the journal ---------

_WORD = struct.Struct("<Q")


class Proof:
    """Checks the digests of a journal, given all its records in order."""

    def __init__(self) -> None:
        #: What does not agree: the record, and a message.
        self.findings: List[Tuple[Record, str]] = []
        #: The digest so far; None if something that it covers is not in the file.
        self.digest: Optional[Digest] = None
        #: How many digests agreed, and how many could not be computed again.
        self.agreed = 0
        self.open = 0
        #: How many events the digests that agreed cover.
        self.events = 0
        self._waiting = 0

    def take(self, record: Record) -> None:
        """Takes the next record."""
        if record.is_event:
            self._take_event(record)
        elif record.kind == SESSION:
            self._begin(record)
        elif record.kind == SKIPPED:
            self.digest = None
        elif record.kind in (DIGEST, END):
            self._compare(record)

    def _take_event(self, event: Record) -> None:
        self._waiting += 1
        if event.flags & WITHHELD:
            return
        if event.marked:
            self.digest = None
        elif self.digest is not None:
            self.digest.take(event, event.origin_bytes)

    def _begin(self, record: Record) -> None:
        session = record.session
        if not session.continues:
            self.digest, self._waiting = Digest(), 0
            return
        if self.digest is not None and self.digest.bits != session.digest:
            self.findings.append((record, "the file goes on with another digest"))
        self.digest = Digest(session.digest)

    def _compare(self, record: Record) -> None:
        (said,) = _WORD.unpack_from(record.data)
        if self.digest is None:
            self.open += 1
        elif self.digest.bits == said:
            self.agreed += 1
            self.events += self._waiting
        else:
            is_ = f"{self.digest.bits:016x}, but the journal says {said:016x}"
            self.findings.append((record, f"the events up to here have the digest {is_}"))
        self.digest, self._waiting = Digest(said), 0


# The reader ---------------------------------------------------------------------------------------

Self = TypeVar("Self", bound="Journal")

CLEAN, TORN, DAMAGED = "clean", "torn", "damaged"
#: The suffix of the first numbered file.
_FIRST = ".000001"
_NO_HEADER = FileHeader(bytes(16), 1, 1, 0, 0, 0)
_SIZE = struct.Struct("<I")
_RANGE = struct.Struct("<QQ")
#: The largest position.
_LAST = (1 << 64) - 2
#: A file of zeros that is longer than this was not left by a crash.
_MOST_BLANK = 1 << 23


class Ending(NamedTuple):
    """How reading ended."""

    #: "clean", "torn" (a crash left an unfinished end, which is dropped) or "damaged".
    kind: str
    #: The last position that counts.
    position: int
    #: The file, and the offset in it, where the valid records end.
    path: str
    offset: int
    #: What is wrong there.
    message: str = ""
    #: The bytes of a torn tail.
    torn: int = 0
    #: In a damaged journal: where the next intact record is, and its position.
    next_path: str = ""
    next_offset: int = 0
    next_position: int = 0


class _Wrong(Exception):
    """The reason a record does not count."""


class _Unsound(Exception):
    """The reason an intact record does not belong in a journal."""


class Journal:
    """A journal on disk: one file, or its segments PATH.000001, PATH.000002 …

    Opening reads the header of the first file. It raises OSError, or JournalError if it is not a
    journal. If a crash left less of the file than its header, no journal was begun: `is_begun` is
    False, and the journal is empty.
    """

    def __init__(
        self,
        path: str,
        progress: Optional[Callable[[int, int], None]] = None,
        tolerant: bool = False,
    ) -> None:
        self.path = path
        #: The files with consecutive numbers, in order; and those after a gap in the numbers.
        self.paths, self.left_over = files_of(path)
        self._files = [FileBytes(each) for each in self.paths]
        self._progress = progress or (lambda done, size: None)
        self.is_begun = tolerant or not self._is_blank()
        try:
            self.headers: List[FileHeader] = [
                self._first_header(tolerant) if self.is_begun else _NO_HEADER
            ]
        except BaseException:
            self.close()
            raise
        #: How reading ended; None until records() has reached its end.
        self.ending: Optional[Ending] = None
        #: The sessions read so far.
        self.sessions: List[Session] = []
        self._begin()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the files."""
        for file in self._files:
            file.close()

    @property
    def version(self) -> int:
        """The format's version, the same in all its files; 0: its header is damaged."""
        return self.headers[0].version

    @property
    def size(self) -> int:
        """The size of all its files, in bytes."""
        return sum(file.size for file in self._files)

    def events(self) -> Iterator[Record]:
        """Yields every event that counts, in order."""
        return (record for record in self.records() if record.is_event)

    def records(self) -> Iterator[Record]:
        """Yields every record that counts, in order. Afterwards `ending` says how reading ended."""
        self._begin()
        if not self.is_begun:
            self._offset, self._torn = 0, self._files[0].end_of_data(0)
            self._message = "its header was not whole yet"
            self.ending = self._at_the_end()
            return
        yield from self._records_from(0, 0)

    def _records_from(self, begin: int, offset: int) -> Iterator[Record]:
        """Yields what follows an offset in a file; 0: the file's header."""
        for index in range(begin, len(self._files)):
            yield from self._records_of(index, offset if index == begin else 0)
            if self.ending is not None:
                return
        self.ending = self._at_the_end()

    def intact(self) -> Iterator[Record]:
        """Yields every intact record, whether the journal is damaged or not: what salvage keeps.

        Links need not be right. Records come in order of position; out-of-place copies are skipped.
        """
        self._begin()
        last, first = 0, self.headers[0]
        runs: List[Run] = []
        for path in self.paths + self.left_over:
            number = number_of(path) if len(self.paths) > 1 or self.left_over else first.number
            runs.extend(runs_of(path, first._replace(number=number).key, self.version))
        for index, run in enumerate(runs):
            if is_ahead(runs, index, last):
                continue
            for record in run.records(self.version):
                if record.position < last + record.is_event or not self._is_learned(record):
                    continue
                last = _RANGE.unpack_from(record.data)[1] if record.kind == SKIPPED else last
                last = max(last, record.position)
                yield record

    def _is_learned(self, record: Record) -> bool:
        try:
            self._learn(record)
        except JournalError:
            return False
        return True

    # One file ------------------------------------------------------------------------------------

    def _begin(self) -> None:
        del self.headers[1:]
        self.sessions = []
        self.ending = None
        self._session = Session()
        self._size = self.size
        self._done = 0
        self._torn = 0
        self._link = 0
        self._message = ""
        #: The last position so far.
        self._last = max(self.headers[0].first, 1) - 1
        self._offset = FILE_HEADER_SIZE

    def _is_blank(self) -> bool:
        """Whether a crash left less than the first header: nothing, zeros, or part of it."""
        names = (self.path, self.path + _FIRST)
        if len(self.paths) > 1 or self.left_over or self.paths[0] not in names:
            return False
        file = self._files[0]
        begin = file.read(0, len(MAGIC))
        if file.size < FILE_HEADER_SIZE and begin == MAGIC[: file.size]:
            return True
        return file.size <= _MOST_BLANK and file.end_of_data(0) == 0

    def _first_header(self, tolerant: bool) -> FileHeader:
        """Reads the header of the first file; `tolerant`: as much of it as the files can tell."""
        for index, file in enumerate(self._files):
            data = file.read(0, FILE_HEADER_SIZE)
            try:
                header = file_header(data)
            except JournalError as error:
                if not tolerant or len(data) < FILE_HEADER_SIZE:
                    raise type(error)(f"{file.path} {error}") from None
                if index < len(self._files) - 1:
                    continue
                header = FileHeader(
                    data[16:32], max(index, int.from_bytes(data[32:40], "little")), 0, 0, 0, 0, 0
                )
            if index == 0:
                if (
                    not tolerant
                    and file.path != self.path
                    and number_of(file.path) != header.number
                ):
                    raise JournalError(f"{file.path} has the header of another file")
                return header
            return header._replace(number=header.number - index, first=0)
        raise JournalError(f"{self.path} is not a journal")

    def _records_of(self, index: int, offset: int) -> Iterator[Record]:
        file, self._offset = self._files[index], offset
        try:
            if index > 0 and not offset:
                self._follow(file)
            self._link = self.headers[index].checksum
            self._offset = max(offset, FILE_HEADER_SIZE)
            yield from self._ahead(index)
            while True:
                record = self._next_in(index)
                if record is None:
                    break
                self._count(record)
                yield record
                self._link = record.checksum
                self._offset += record.length
                self._progress(self._done + self._offset, self._size)
        except VersionError as error:
            raise VersionError(f"{file.path} {error}") from None
        except (_Wrong, JournalError) as wrong:
            self.ending = self._damage(index, str(wrong))
            self._torn += file.end_of_data(self._offset) - self._offset
            self._message = str(wrong)
        except _Unsound as wrong:
            self.ending = Ending(DAMAGED, self._last, file.path, self._offset, str(wrong))
        self._done += file.size

    def _ahead(self, index: int) -> Iterator[Record]:
        """Yields the first records of a file, if another reader checks them: none here."""
        return iter(())

    def _follow(self, file: FileBytes) -> None:
        """Reads the header of the next file, which must follow the one before."""
        before = self.headers[-1]
        header = file_header(file.read(0, FILE_HEADER_SIZE))
        if header.version != before.version:
            raise _Wrong(f"the file is of version {header.version}, not {before.version}")
        if header.journal != before.journal:
            raise _Wrong("the file belongs to another journal")
        if header.number != before.number + 1:
            raise _Wrong(f"the file has number {header.number}, not {before.number + 1}")
        if header.link != self._link:
            raise _Wrong("the file does not follow the one before: its link is wrong")
        if header.first != self._last + 1:
            raise _Wrong(f"the file begins at position {header.first}, not {self._last + 1}")
        self.headers.append(header)

    def _next_in(self, index: int) -> Optional[Record]:
        """Reads the next record; None at the end of what was written when the file was opened."""
        try:
            return self._record_at(index)
        except _Wrong:
            # The last file may be being written: a record that was cut off may be whole now.
            file, is_last = self._files[index], index == len(self._files) - 1
            record = file.later(lambda: self._record_at(index), _Wrong) if is_last else None
            if record is None:
                raise
            return record if record.offset + record.length <= file.size else None

    def _record_at(self, index: int) -> Optional[Record]:
        """Reads the next record; None if the rest of the file is zeros."""
        file, offset = self._files[index], self._offset
        left = file.size - offset
        head, at = file.window(offset, HEADER_SIZE)
        if not any(head[at : at + HEADER_SIZE]):
            if file.end_of_data(offset) == offset:
                return None
            raise _Wrong("no record begins there, and the rest of the file is not zeros")
        if left < HEADER_SIZE:
            raise _Wrong("a record is cut off")
        length = length_of(*_SIZE.unpack_from(head, at + 40))
        if length > left:
            raise _Wrong(f"a record of {length} bytes is cut off, or its size is wrong")
        data, at = file.window(offset, length)
        if len(data) - at < length:
            raise _Wrong("a record is cut off")
        record = Record(file.path, offset, data, at, self.version)
        if record.checksum != crc32c(self.headers[index].key, data[at : at + length - 4]):
            raise _Wrong("the checksum of a record is wrong")
        if record.link != self._link:
            raise _Wrong("the link of a record is wrong: it does not follow the one before")
        return record

    def _count(self, record: Record) -> None:
        """Checks that a record may come next, and learns from it."""
        if record.is_event and record.position != self._last + 1:
            raise _Wrong(f"an event has position {record.position}, not {self._last + 1}")
        last = self._last
        try:
            self._learn(record)
            if record.kind == SKIPPED:
                last = self._skip(record)
        except JournalError as error:
            raise _Unsound(str(error)) from None
        self._last = record.position if record.is_event else last

    def _skip(self, record: Record) -> int:
        first: int
        last: int
        first, last = _RANGE.unpack_from(record.data)
        if first != self._last + 1 or last < first or last > _LAST:
            raise JournalError(
                f"positions {first} to {last} are skipped, not from {self._last + 1} on"
            )
        return last

    def _learn(self, record: Record) -> None:
        check_sound(record)
        if record.kind == SESSION:
            self._session = Session(record)
            self.sessions.append(self._session)
        self._session.learn(record)
        self._session.ended = self._session.ended or record.kind == END
        record.session = self._session

    # What is wrong -------------------------------------------------------------------------------

    def _damage(self, index: int, message: str) -> Optional[Ending]:
        """Returns the ending if it is damage: an intact record follows. None: a torn end."""
        file, key = self._files[index], self._key_of(index)
        end = Ending(DAMAGED, self._last, file.path, self._offset, message)
        begin = max(self._offset, FILE_HEADER_SIZE)
        for record in Search(file, key, begin, self.version).records(self._last):
            return end._replace(
                next_path=record.path, next_offset=record.offset, next_position=record.position
            )
        # A crash leaves only the last file without a header.
        is_last = index == len(self._files) - 1
        return end if self._offset == 0 and (not is_last or _has_header(file)) else None

    def _at_the_end(self) -> Ending:
        path = self._files[-1].path
        if self.left_over:
            message = f"{os.path.basename(path)} is followed by no file, but by others"
            following = self.left_over[0]
            return Ending(DAMAGED, self._last, path, self._offset, message, next_path=following)
        kind = TORN if self._torn else CLEAN
        return Ending(kind, self._last, path, self._offset, self._message, self._torn)

    def _key_of(self, index: int) -> int:
        first = self.headers[0]
        return first._replace(number=first.number + index).key


def _has_header(file: FileBytes) -> bool:
    try:
        return bool(file_header(file.read(0, FILE_HEADER_SIZE)))
    except JournalError:
        return False

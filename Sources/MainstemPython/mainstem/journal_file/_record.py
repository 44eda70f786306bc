# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Records: their layout, which a writer can have made, and where they are in unknown bytes."""

from __future__ import annotations

import struct
from array import array
from itertools import accumulate
from typing import Any, Dict, Iterator, List, Optional, Tuple

from ._changes import ListChanges, changes_of
from ._file import FILE_HEADER_SIZE, VERSION, FileBytes, JournalError, PartChecksums, TypeInfo

__all__ = [
    "ANSWERED",
    "DIGEST",
    "END",
    "ENDED",
    "HEADER_SIZE",
    "LIST",
    "MARKED",
    "ORIGIN",
    "PROGRESS",
    "SESSION",
    "SKIPPED",
    "TIMER",
    "TYPE",
    "WITHHELD",
    "WRITTEN",
    "Record",
    "Run",
    "Search",
    "Session",
    "check_sound",
    "is_ahead",
    "length_of",
    "named",
    "offsets_of",
    "runs_of",
    "scope_of",
    "text_of",
]


# The layout of records, and what records that are not events say ----------------------------------

HEADER_SIZE = 64
#: The size of the smallest record.
SMALLEST = HEADER_SIZE + 8

SESSION, TYPE, LAYER, ORIGIN, DIGEST, SKIPPED, END, READ_POINT, CLOSING, REFUSED = range(1, 11)
ENDED, ANSWERED, LIST = 11, 12, 14
KINDS = {
    SESSION: "session",
    TYPE: "type",
    LAYER: "layer",
    ORIGIN: "origin",
    DIGEST: "digest",
    SKIPPED: "skipped",
    END: "end",
    READ_POINT: "read point",
    CLOSING: "closing",
    REFUSED: "refused",
    ENDED: "ended",
    ANSWERED: "answered",
    LIST: "list",
}

OUTSIDE, TRACKED, PROGRESS, MARKED, WITHHELD, TIMER, WRITTEN = 1, 2, 4, 32, 64, 256, 512
SHARED = 1024

_HEADER = struct.Struct("<4Qq3Ii2I")
_CHECKSUM = struct.Struct("<I")
_SESSION = struct.Struct("<qQQIIII")
_TYPE = struct.Struct("<IIQ")
_ORIGIN = struct.Struct("<IIQQ")

_MOST_LAYERS = 64


def length_of(size: int) -> int:
    """Returns the length of a record, given the size of its payload."""
    return HEADER_SIZE + size + 4 + 7 & ~7


def offsets_of(sizes: List[int], begin: int) -> List[int]:
    """Returns where records with such payloads begin, one behind the other, and the end."""
    around = HEADER_SIZE + 4 + 7
    return list(accumulate([size + around & ~7 for size in sizes], initial=begin))


class Record:
    """One record: an event, or information about the journal."""

    __slots__ = (
        "answers",
        "cause",
        "checksum",
        "correlation",
        "data",
        "flags",
        "link",
        "offset",
        "origin",
        "path",
        "position",
        "said",
        "session",
        "size",
        "status",
        "time",
        "type",
        "version",
    )

    position: int
    cause: int
    correlation: int
    answers: int
    time: int
    size: int
    link: int
    type: int
    status: int
    origin: int
    flags: int
    checksum: int
    #: Its session, with the names of types, layers and origins: set while reading.
    session: "Session"
    #: What `named` has read.
    said: "Optional[Tuple[int, Any]]"

    def __init__(
        self, path: str, offset: int, data: bytes, at: int, version: int = VERSION
    ) -> None:
        #: The file, and the offset in it.
        self.path = path
        self.offset = offset
        #: The file's format version; 0: unknown.
        self.version = version
        (
            self.position,
            self.cause,
            self.correlation,
            self.answers,
            self.time,
            self.size,
            self.link,
            self.type,
            self.status,
            self.origin,
            self.flags,
        ) = _HEADER.unpack_from(data, at)
        self.data = bytes(data[at + HEADER_SIZE : at + HEADER_SIZE + self.size])
        (self.checksum,) = _CHECKSUM.unpack_from(data, at + length_of(self.size) - 4)
        self.session = _NO_SESSION
        self.said = None

    @classmethod
    def checked(
        cls, place: "Tuple[str, int, int]", header: "Tuple[int, ...]", data: bytes
    ) -> "Record":
        """A record that the library has checked, of a path, an offset and a version.

        The library tells neither its link nor its checksum.
        """
        record = cls.__new__(cls)
        record.path, record.offset, record.version = place
        (
            record.position,
            record.cause,
            record.correlation,
            record.answers,
            record.time,
            record.size,
            _,
            record.type,
            record.status,
            record.origin,
            record.flags,
        ) = header
        record.data = data
        record.session = _NO_SESSION
        record.said = None
        return record

    def __repr__(self) -> str:
        what = self.name if self.is_event else KINDS.get(self.status, f"kind {self.status}")
        return f"<{what} #{self.position} at {self.offset} of {self.path}>"

    @property
    def length(self) -> int:
        """Its length in bytes."""
        return length_of(self.size)

    @property
    def is_event(self) -> bool:
        """Whether it is an event."""
        return self.type != 0

    @property
    def kind(self) -> int:
        """The kind of a record that is not an event; 0 for an event."""
        return 0 if self.type else self.status

    @property
    def outside(self) -> bool:
        """Whether the event came from outside: an input."""
        return bool(self.flags & OUTSIDE)

    @property
    def tracked(self) -> bool:
        """Whether the event is a tracked request, which exactly one response answers."""
        return bool(self.flags & TRACKED)

    @property
    def is_progress(self) -> bool:
        """Whether the event is progress of a request, not its response."""
        return bool(self.flags & PROGRESS)

    @property
    def marked(self) -> bool:
        """Whether only its mark was kept, as for a mark type or a secret."""
        return bool(self.flags & (MARKED | WITHHELD))

    @property
    def written(self) -> bool:
        """Whether a view wrote the event, through a binding; its origin is the owner."""
        return bool(self.flags & WRITTEN)

    @property
    def is_run(self) -> bool:
        """Whether a view ran a command: what it asks is an input, sent through the owner."""
        return self.outside and self.type_info.is_command and not self.answers

    @property
    def shared(self) -> bool:
        """Whether it is a request that handlers do not get, or its copy of an answer or a step."""
        return bool(self.flags & SHARED)

    @property
    def withheld(self) -> bool:
        """Whether only its mark was kept because it is a secret."""
        return bool(self.flags & WITHHELD)

    @property
    def type_info(self) -> "TypeInfo":
        """The description of its type; a made-up one if no record names it."""
        return self.session.info(self.type)

    @property
    def name(self) -> str:
        """The name of its type."""
        return text_of(self.type_info.name)

    @property
    def origin_name(self) -> str:
        """The name of the scope it was sent through; empty for the context itself."""
        return text_of(self.origin_bytes)

    @property
    def origin_bytes(self) -> bytes:
        """`origin_name` as bytes, as it is in the journal."""
        return self.session.origin(self.origin)

    @property
    def list_changes(self) -> Optional[ListChanges]:
        """What the event of a list says; None: it is no such event, or nothing of it was kept."""
        if not self.is_event or self.status or self.marked or not self.type_info.is_list:
            return None
        return changes_of(self.data, self.type_info)

    @property
    def error(self) -> "tuple[str, str, str]":
        """The error that the event carries: message, text and subject."""
        parts = (self.data.split(b"\0") + [b"", b"", b""])[:3]
        return (text_of(parts[0]), text_of(parts[1]), text_of(parts[2]))


def text_of(data: bytes) -> str:
    """Decodes text of a journal; bytes that are not UTF-8 are escaped."""
    return data.decode("utf-8", "backslashreplace")


class Session:
    """What one context recorded: the facts at its beginning, and the names."""

    def __init__(self, record: Optional[Record] = None) -> None:
        """Makes a session from its record; without one, for what comes before the first session."""
        data = record.data if record else bytes(_SESSION.size)
        fields = _SESSION.unpack_from(data)
        self.time: int
        self.digest: int
        self.flags: int
        self.time, self.seed, self.digest, self.process, self.level, self.flags = fields[:6]
        self.version = text_of(data[_SESSION.size :].rstrip(b"\0"))
        #: The last position before it.
        self.position = record.position if record else 0
        self.types: Dict[int, TypeInfo] = {}
        self.layers: Dict[int, bytes] = {
            number: name.encode()
            for number, name in enumerate(
                ("app", "model", "viewmodel", "view", "navigation", "system")
            )
        }
        self.origins: Dict[int, bytes] = {0: b""}
        #: For each origin, the numbers of its scope and of that scope's parent.
        self.scopes: Dict[int, Tuple[int, int]] = {}
        #: Whether its end record was read.
        self.ended = False

    @property
    def continues(self) -> bool:
        """Whether it continues the session of the file before, with its digest."""
        return bool(self.flags & 1)

    def info(self, number: int) -> TypeInfo:
        """The description of a type; a made-up one if no record names it."""
        return self.types.get(number) or TypeInfo(number, 0x100000000, b"type %d" % number, b"")

    def origin(self, number: int) -> bytes:
        """The name of an origin; a made-up one if no record names it."""
        return self.origins.get(number, b"origin %d" % number)

    def learn(self, record: Record) -> None:
        """Learns a name, if the record gives one."""
        if record.kind not in (TYPE, LAYER, ORIGIN):
            return
        number, what = named(record)
        if record.kind == ORIGIN:
            self.scopes[number] = scope_of(record)
            self.origins[number] = what
        elif record.kind == TYPE:
            self.types[number] = what
        else:
            self.layers[number] = what


#: The session of a record that nobody has read a session for.
_NO_SESSION = Session()


def named(record: Record) -> "tuple[int, Any]":
    """Returns what a type, layer or origin record says: a number, and what that number is."""
    if record.said is None:
        record.said = _read_name(record)
    return record.said


def _read_name(record: Record) -> "tuple[int, Any]":
    data = record.data
    try:
        if record.kind == TYPE:
            number, _, contract = _TYPE.unpack_from(data)
            names = data[_TYPE.size :].split(b"\0")
            # A name without a zero byte at its end does not count.
            name, response = names[:-1][:2]
            _check_name(record, number, name, is_good=number != 0 and _is_text(response))
            return number, TypeInfo(number, contract, name, response)
        if record.kind == ORIGIN and _has_scope(record):
            number, zero, _, _ = _ORIGIN.unpack_from(data)
            name = data[_ORIGIN.size :]
            if zero:
                raise ValueError
        else:
            number, name = _CHECKSUM.unpack_from(data)[0], data[4:]
    except (struct.error, ValueError):
        raise JournalError(f"a {KINDS[record.kind]} record is too short") from None
    is_good = number < _MOST_LAYERS if record.kind == LAYER else number != 0
    _check_name(record, number, name, is_good=is_good and b"\0" not in name)
    return number, name


def scope_of(record: Record) -> "tuple[int, int]":
    """Returns the numbers of an origin's scope and of its parent; zeros: not known."""
    if not _has_scope(record):
        return (0, 0)
    _, _, scope, parent = _ORIGIN.unpack_from(record.data)
    return (scope, parent)


def _has_scope(record: Record) -> bool:
    """Whether an origin record has a scope: since version 2.

    If the version is unknown, the first byte tells: no name begins with a zero byte.
    """
    return record.version > 1 or not record.version and record.data[4:5] == b"\0"


def _check_name(record: Record, number: int, name: bytes, is_good: bool) -> None:
    if not is_good or not name or not _is_text(name):
        raise JournalError(f"a {KINDS[record.kind]} record gives {number} an invalid name")


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


# What a writer makes: an intact record that is not like that was forged ---------------------------

_RANGE, _END = struct.Struct("<QQ"), struct.Struct("<3Q")
_REFUSED = struct.Struct("<4QII")
_MOST = (1 << 64) - 1

#: The flags that an event in a journal may have.
_FLAGS = OUTSIDE | TRACKED | PROGRESS | MARKED | WITHHELD | TIMER | WRITTEN | SHARED
#: The smallest payload of each kind of record that is not an event.
_LEAST = {
    SESSION: 40,
    DIGEST: 8,
    END: 8,
    SKIPPED: 16,
    READ_POINT: 24,
    CLOSING: 24,
    REFUSED: 40,
    ENDED: 32,
    ANSWERED: 24,
    LIST: 40,
}
#: The size of a mark's payload if it is the digest of the original payload.
_DIGEST_SIZE = 8


def is_sound_header(
    position: int, before: Tuple[int, int, int], kind: int, status: int, origin: int, flags: int
) -> bool:
    """Whether a writer makes such headers; `before` has cause, correlation and answers."""
    cause, correlation, answers = before
    if kind == 0:
        return status > 0 and not (flags or origin or any(before))
    return (
        not flags & ~_FLAGS and cause < position and answers < position and correlation <= position
    )


def _bare_sizes(record: Record) -> Tuple[int, ...]:
    return (0,) if record.withheld else (0, _DIGEST_SIZE)


def skipped_cause(record: Record) -> int:
    """The event whose callbacks sent what was skipped; 0: none, or not known."""
    return int.from_bytes(record.data[16:24], "little") if record.size >= 24 else 0


def _is_sound_refusal(record: Record) -> bool:
    event, number, count, accepted, status, _ = _REFUSED.unpack_from(record.data)
    return bool(
        0 < event <= record.position <= accepted
        and number > 0
        and 0 < count <= _MOST - number
        and status != 0
    )


def _is_sound_end(record: Record) -> bool:
    first, last, delivered = _END.unpack_from(record.data)
    return bool(delivered < first <= last)


def check_sound(record: Record) -> None:
    """Raises JournalError if a record is not one that a writer makes."""
    before = (record.cause, record.correlation, record.answers)
    rest = (record.type, record.status, record.origin, record.flags)
    if not is_sound_header(record.position, before, *rest):
        raise JournalError("a record has a header that no journal has")
    if not record.is_event:
        if record.size < _LEAST.get(record.kind, 0):
            raise JournalError(f"a {KINDS[record.kind]} record is too short")
        if record.kind in (TYPE, LAYER, ORIGIN):
            named(record)
        elif record.kind == REFUSED and not _is_sound_refusal(record):
            raise JournalError("a refused record says what cannot be")
        elif record.kind == ENDED and not _is_sound_end(record):
            raise JournalError("an ended record says what cannot be")
        elif record.kind == LIST and _RANGE.unpack_from(record.data)[1] > record.position:
            raise JournalError("a list record has a list that comes later")
        elif record.kind == SKIPPED and skipped_cause(record) >= _RANGE.unpack_from(record.data)[0]:
            raise JournalError("a skipped record has a cause that comes later")
    elif record.marked and (record.status or record.size not in _bare_sizes(record)):
        raise JournalError("an event of which only the mark was kept has more than that")
    elif record.status and record.data.count(b"\0") < 3:
        raise JournalError("an event with an error does not have its three texts")


# Looks for intact records in unknown bytes --------------------------------------------------------

_FIELDS = struct.Struct("<4Q")
_REST = struct.Struct("<I4xIiII")


class Search:
    """The intact records of a file from some offset on; links need not be right."""

    def __init__(self, file: FileBytes, key: int, offset: int, version: int) -> None:
        self._file = file
        self._version = version
        self._key = key
        self._begin = offset
        # A record ends at a multiple of 8, and its checksum may end in zeros.
        end = min(file.end_of_data(offset) + 15 & ~7, file.size)
        self._data = file.read(offset, end - offset)
        self._checksums = PartChecksums(self._data) if len(self._data) >= SMALLEST else None

    def records(self, position: int) -> Iterator[Record]:
        """Yields the records whose position is not below this one."""
        place = self._next(0, position)
        while place is not None:
            record = Record(self._file.path, self._begin + place, self._data, place, self._version)
            yield record
            place = self._next(place + record.length, position)

    def _next(self, place: int, position: int) -> Optional[int]:
        if self._checksums is None:
            return None
        last = len(self._data) - SMALLEST
        while place <= last:
            if self._is_intact(self._checksums, place, position):
                return place
            place += 8
        return None

    def _is_intact(self, checksums: PartChecksums, place: int, last: int) -> bool:
        # The cheapest checks come first: this runs at every eighth byte.
        position, cause, correlation, answers = _FIELDS.unpack_from(self._data, place)
        if position < last:
            return False
        size, *rest = _REST.unpack_from(self._data, place + 40)
        end, before = place + length_of(size), (cause, correlation, answers)
        if end > len(self._data) or not is_sound_header(position, before, *rest):
            return False
        checksum: int
        (checksum,) = _CHECKSUM.unpack_from(self._data, end - 4)
        return checksum == checksums.of(self._key, place, end - 4)


# Runs: intact records that follow each other in a file, each linked to the one before -------------

#: How many runs are compared: a file could be forged to have only runs that are out of place.
_MOST_PASSED = 64


class Run:
    """The places of a run's records; they are read again, to keep the journal out of memory."""

    def __init__(self, path: str, record: Record) -> None:
        self.path = path
        #: The position of its first record if that is an event, else the one after it.
        self.first = record.position + (not record.is_event)
        self._offsets = array("Q")
        self._lengths = array("Q")

    def __len__(self) -> int:
        return len(self._offsets)

    def add(self, record: Record) -> None:
        """Adds the next record."""
        self._offsets.append(record.offset)
        self._lengths.append(record.length)

    def records(self, version: int) -> Iterator[Record]:
        """Yields its records."""
        file = FileBytes(self.path)
        try:
            for offset, length in zip(self._offsets, self._lengths):
                data, at = file.window(offset, length)
                yield Record(self.path, offset, data, at, version)
        finally:
            file.close()


def runs_of(path: str, key: int, version: int) -> List[Run]:
    """Returns all runs of a file."""
    runs: List[Run] = []
    file = FileBytes(path)
    end, link = -1, 0
    try:
        for record in Search(file, key, FILE_HEADER_SIZE, version).records(0):
            if record.offset != end or record.link != link:
                runs.append(Run(path, record))
            runs[-1].add(record)
            end, link = record.offset + record.length, record.checksum
    finally:
        file.close()
    return runs


def is_ahead(runs: List[Run], index: int, last: int) -> bool:
    """Whether a run is out of place: the next one that counts begins earlier and is no shorter."""
    run = runs[index]
    if run.first <= last + 1:
        return False
    for other in runs[index + 1 : index + 1 + _MOST_PASSED]:
        if other.first > last:
            return other.first <= run.first and len(other) >= len(run)
    return False

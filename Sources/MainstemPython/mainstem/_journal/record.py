# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The layout of records, and what records that are not events say."""

from __future__ import annotations

import struct
from itertools import accumulate
from typing import Any, Dict, List, Optional, Tuple

from .file_header import VERSION, JournalError
from .type_info import TypeInfo

HEADER_SIZE = 64
#: The size of the smallest record.
SMALLEST = 72

SESSION, TYPE, LAYER, ORIGIN, DIGEST, SKIPPED, END, READ_POINT, CLOSING, REFUSED = range(1, 11)
ENDED, ANSWERED = 11, 12
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
        found = self.session.types.get(self.type)
        return found or TypeInfo(self.type, 0x100000000, b"type %d" % self.type, b"")

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
        found = self.session.origins.get(self.origin)
        if found is None:
            return b"" if self.origin == 0 else b"origin %d" % self.origin
        return found

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

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Reads a journal through the library: every event is checked before it is returned.

with Journal("session.journal") as journal:
    for event in journal:
        print(event)
    print(journal.info.torn_bytes)
"""

from __future__ import annotations

import ctypes
import json
import os
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

from .._library import C
from .._library import _header as d
from ..events._payload import EventType
from ..events._received import Event, Gap, from_record, text_of, write_struct
from ..events._wire import is_scalar, unpacked
from ..failure import MainstemError, Status, check, discreet, encoded_path
from ..observers._subscription import Batch, Buffer, Record, record_at

__all__ = ["Journal", "JournalInfo", "RecordedEvent", "Salvaged", "salvage"]


Path = Union[str, bytes, "os.PathLike[str]"]

_SIZE = 1 << 18
#: The kind of a session's record, and its flag if it goes on from the file before.
_SESSION, _CONTINUES = 1, 1
_LINE = 512
_RANGES = 4096


class JournalInfo(NamedTuple):
    """What is known about a journal, as far as it was read (mainstem_journal_info)."""

    version: int
    id: bytes
    files: int
    sessions: int
    events: int
    #: The position of the first event; 0: there was none.
    first: int
    #: The last accepted position.
    last: int
    bytes: int
    #: Bytes at the end that a crash left half written.
    torn_bytes: int
    #: The number of the damaged file; 0: none found.
    damaged_file: int
    damaged_at: int
    #: The last digest in it, and the last position that digest covers.
    digest: int
    digest_position: int
    #: Whether it was read to the end, or to the damage.
    is_read: bool
    #: Whether it ends with its context's close, and nothing follows.
    is_clean: bool


class RecordedEvent(Event):
    """An event of a journal: it can be read, but neither answered nor retained."""

    __slots__ = ("_origin", "_text", "_type")

    _origin: str
    _text: str
    _type: Optional[EventType]

    @property
    def type_info(self) -> Optional[EventType]:
        """The description of its type; None if the journal does not have it."""
        return self._type

    @property
    def name(self) -> str:
        """The name of its type."""
        return self._type.name if self._type else ""

    @property
    def origin(self) -> str:
        """The name of the scope it was sent through; empty for the context itself."""
        return self._origin

    @property
    def marked(self) -> bool:
        """Whether only its mark was kept: position, type, cause, time and flags."""
        return bool(self._facts[10] & d.EVENT_MARKED)

    @property
    def withheld(self) -> bool:
        """Whether only its mark was kept because it is a secret."""
        return bool(self._facts[10] & d.EVENT_WITHHELD)

    @property
    @discreet
    def value(self) -> Any:
        """The payload by its contract: decoded JSON, text, a scalar or bytes; None: none was kept.

        For a failed response, its Failure. For a list, the bytes of its changes.
        """
        if self.failed:
            return self.error
        kind = self._type.payload if self._type else bytes
        if kind is None or self.marked or self.withheld:
            return None
        if self._type is not None and self._type.contract & d.LIST:
            return self.data
        if kind == "json":
            return self._parsed()
        if is_scalar(kind):
            return unpacked(kind, self.data)
        return text_of(self) if kind is str else self.data

    def _parsed(self) -> Any:
        try:
            return json.loads(text_of(self))
        except json.JSONDecodeError:
            message = f"#{self.position} {self.name}: its payload is not JSON"
            raise MainstemError(Status.INVALID, message) from None

    def __str__(self) -> str:
        """The library's line, the same everywhere."""
        return self._text

    __repr__ = __str__

    def _readable(self) -> Any:
        raise RuntimeError(f"{self}: it is an event of a journal")

    _live = _readable


class Journal:
    """A journal being read from beginning to end. Only one thread at a time may use it."""

    __slots__ = ("_buffer", "_event", "_fetched", "_handle", "_line", "_origins", "_types")

    def __init__(self, path: Path) -> None:
        self._handle: Optional[int] = None
        handle = ctypes.c_void_p()
        check(C.mainstem_journal_open(encoded_path(path), ctypes.byref(handle)))
        self._handle = handle.value
        self._buffer = Buffer(_SIZE)
        self._fetched: Iterator[Record] = iter(())
        # The names looked up so far; they are right for all events of the batch.
        self._types: Dict[int, Optional[EventType]] = {}
        self._origins: Dict[int, str] = {}
        self._event = d.EventStruct()
        self._line = ctypes.create_string_buffer(_LINE)

    def __iter__(self) -> Iterator[RecordedEvent]:
        return self

    def __next__(self) -> RecordedEvent:
        """Reads the next event; raises MainstemError with Status.CORRUPT at damage."""
        header, data = self._next_record()
        event = from_record(RecordedEvent, None, header, data)
        number, origin = header[7], header[9]
        if number not in self._types:
            self._types[number] = self.type(number)
        if origin not in self._origins:
            self._origins[origin] = self._name_of_origin(origin)
        event._type = self._types[number]
        event._origin = self._origins[origin]
        event._text = self._line_of(event)
        return event

    def records(self) -> Iterator[Record]:
        """Yields the next events, each as its header and its payload: the fastest way.

        The header is a tuple in the order of `EventHeader`. To get the type's name, call `type`
        before reading on. If you stop early, the next call goes on from there.
        """
        while True:
            yield from self._fetched
            try:
                yield self._next_record()
            except StopIteration:
                return

    def batches(self) -> Iterator[Batch]:
        """Yields the next records in batches, also those that are not events: to count millions.

        They are those of `every_record`, but the offset in a header is not the record's link. A
        batch ends where its file does. Do not mix it with iterating.
        """
        while True:
            batch = self._buffer.fill(
                C.mainstem_journal_next_many, self._handle, d.JOURNAL_EVERY_RECORD
            )
            if not len(batch):
                return
            yield batch

    def every_record(self) -> Iterator[Record]:
        """Yields the next records, also those that are not events: for copies and tools.

        Those have type 0, their kind as status, and the payload that docs/journal-format.md says;
        kind 0 is the header of a file. The offset in a header is the record's link. Do not mix it
        with iterating, which reads in batches.
        """
        found = ctypes.c_void_p()
        while True:
            check(
                C.mainstem_journal_next(self._handle, d.JOURNAL_EVERY_RECORD, ctypes.byref(found))
            )
            if not found.value:
                return
            yield record_at(found.value)

    def sessions(self) -> List[Tuple[int, int]]:
        """Reads to the end, and returns the first and the last position of each session.

        That of session N is at `[N - 1]`: `Context.replay(path, verify=True, session=N)` proves it.
        Of a session without events, the last position is before the first.
        """
        found: List[Tuple[int, int]] = []
        last = 0
        for batch in self.batches():
            kinds = batch.column("status")
            for index, number in enumerate(batch.column("type")):
                if number or kinds[index] != _SESSION:
                    continue
                header, data = batch[index]
                if not int.from_bytes(data[32:36], "little") & _CONTINUES or not found:
                    found = [*found[:-1], *((one[0], header[0]) for one in found[-1:])]
                    found.append((header[0] + 1, header[0]))
            last = max(last, batch[-1][0][0])
        return [*found[:-1], *((one[0], max(one[1], last)) for one in found[-1:])]

    def follow(self) -> None:
        """Reads on behind the end: iterating goes on with what was appended since, if anything was.

        while True:
            journal.follow()
            for event in journal: ...
            time.sleep(0.1)
        """
        check(C.mainstem_journal_follow(self._handle))

    def type(self, number: int) -> Optional[EventType]:
        """Reads the description of a type, in the session of the last event; None if unknown."""
        info = d.TypeInfoStruct(size=ctypes.sizeof(d.TypeInfoStruct))
        if C.mainstem_journal_type_read(self._handle, number, ctypes.byref(info)):
            return None
        return EventType(
            number,
            info.name.decode(),
            info.contract,
            info.response,
            layer_name=info.layer.decode(),
        )

    @property
    def info(self) -> JournalInfo:
        """What is known about the journal so far. Events are read in batches: it may be ahead."""
        read = d.JournalInfoStruct(size=ctypes.sizeof(d.JournalInfoStruct))
        check(C.mainstem_journal_info_read(self._handle, ctypes.byref(read)))
        fields = {name: getattr(read, name) for name in JournalInfo._fields}
        fields.update(id=bytes(read.id), is_read=bool(read.is_read), is_clean=bool(read.is_clean))
        return JournalInfo(**fields)

    def close(self) -> None:
        """Closes the journal; a second call does nothing."""
        handle, self._handle = self._handle, None
        self._fetched = iter(())
        if handle is not None:
            C.mainstem_journal_close(handle)

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            self.close()

    def _name_of_origin(self, number: int) -> str:
        name = ctypes.c_char_p()
        if number == 0 or C.mainstem_journal_origin_name(self._handle, number, ctypes.byref(name)):
            return ""
        return (name.value or b"").decode()

    def _next_record(self) -> Record:
        for record in self._fetched:
            return record
        self._fetched = iter(self._buffer.fill(C.mainstem_journal_next_many, self._handle, 0))
        self._types.clear()
        self._origins.clear()
        return next(self._fetched)

    def _line_of(self, event: RecordedEvent) -> str:
        """Writes the line of an event, while the names looked up are right for it."""
        write_struct(event, self._event, self._buffer.address + event._facts[6])
        length = ctypes.c_size_t()
        write = C.mainstem_journal_event_line
        address = ctypes.byref(self._event)
        check(write(self._handle, address, self._line, len(self._line), ctypes.byref(length)))
        if length.value >= len(self._line):
            self._line = ctypes.create_string_buffer(length.value + 1)
            check(write(self._handle, address, self._line, len(self._line), None))
        return self._line.value.decode("utf-8", "replace")


class Salvaged(NamedTuple):
    """What `salvage` kept, and what was lost (mainstem_salvage_report)."""

    events: int
    #: The positions of the first and the last one kept; 0: none.
    first: int
    last: int
    lost_positions: int
    lost_bytes: int
    #: The lost ranges of positions; at most the first 4,096.
    lost: Tuple[Gap, ...]


def salvage(path: Path, to: Path) -> Salvaged:
    """Copies every intact event of a journal, damaged or not, into a new journal at `to`."""
    ranges = (d.GapStruct * _RANGES)()
    report = d.SalvageReportStruct(ctypes.sizeof(d.SalvageReportStruct), _RANGES, ranges)
    paths = encoded_path(path), encoded_path(to, "to")
    check(C.mainstem_journal_salvage(*paths, ctypes.byref(report)))
    count = min(report.range_count, _RANGES)
    lost = tuple(Gap(each.from_, each.to, each.count) for each in ranges[:count])
    return Salvaged(
        report.events, report.first, report.last, report.lost_positions, report.lost_bytes, lost
    )

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What every command does: reads a journal, escapes what it shows, says how it ended."""

from __future__ import annotations

import os
import re
import sys
import time
from contextlib import contextmanager
from typing import Iterator, List, Optional, Sequence, Tuple, Union, cast

from ..events._wire import Scalar, shown, unpacked
from ..failure import MainstemError, Status
from ..journal_file import Ending, Journal, JournalError, ListRow, Record, Session, TypeInfo
from ..journal_file._file import FILE_HEADER_SIZE, FileBytes, crc32c, file_header
from ..journal_file._record import MARKED, SESSION, WITHHELD, length_of, offsets_of
from ..observers._subscription import Batch
from ..recording._journal import Journal as LibraryJournal
from ._runs import Page, Run, run_of

__all__ = [
    "CLEAN",
    "DAMAGED",
    "LONGEST",
    "REFUSALS",
    "TORN",
    "UNREADABLE",
    "CheckedJournal",
    "begins_file",
    "content_of",
    "count",
    "ending_of",
    "has_time",
    "is_failed",
    "is_failure",
    "is_one_of",
    "is_over",
    "line_of",
    "list_of",
    "messages",
    "opened",
    "payload_of",
    "plain",
    "plain_json",
    "role_of",
    "say",
    "scalar_in",
    "shortened",
    "status_name",
    "tell",
    "upto",
    "value_of",
]


# Escapes text as the library does, for one line; Bytes.swift has the same table ------------------

# Controls, separators and format characters; and halves of surrogate pairs, which only Python has.
_UNSEEN = (
    "\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff"
    "\ufff0-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e007f"
)
_FOUND = re.compile(f"[{_UNSEEN}]")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _escape(found: "re.Match[str]") -> str:
    unseen = found.group()
    return _SHORT.get(unseen) or _digits(ord(unseen))


def _escape_in_json(found: "re.Match[str]") -> str:
    return _digits(ord(found.group()))


def _digits(scalar: int) -> str:
    if scalar > 0xFFFF:
        rest = scalar - 0x10000
        return f"\\u{0xD800 | rest >> 10:04x}\\u{0xDC00 | rest & 0x3FF:04x}"
    return f"\\u{scalar:04x}"


def plain(text: str) -> str:
    """Escapes text: it cannot control a terminal, start another line, or read as something else."""
    return _FOUND.sub(_escape, text)


def plain_json(text: str) -> str:
    """Escapes JSON on one line, where such characters can only be inside strings."""
    return _FOUND.sub(_escape_in_json, text)


def shortened(data: bytes, longest: int) -> str:
    """Escapes the bytes of a text for one line, cut after a whole character."""
    if len(data) <= longest:
        return plain(data.decode("utf-8", "backslashreplace"))
    end = longest
    for start in range(longest - 3, longest):
        if start >= 0 and start + _length(data, start) > longest:
            end = start
            break
    return plain(data[:end].decode("utf-8", "backslashreplace")) + "…"


def _length(data: bytes, start: int) -> int:
    """The length of the character that begins there; 1 if none does."""
    first = data[start]
    length = 4 if first >= 0xF0 else 3 if first >= 0xE0 else 2 if first >= 0xC0 else 1
    try:
        data[start : start + length].decode("utf-8")
    except UnicodeDecodeError:
        return 1
    return length


# An event of a journal as one line of text, as mainstem_event_line writes it ----------------------

#: How many bytes of a payload are shown.
LONGEST = 240
#: How a command refuses a run: it is disabled now, or executing already.
REFUSALS = {int(one): one.name.lower() for one in (Status.DISABLED, Status.EXECUTING)}
_STATUSES = {int(status): status.name.lower() for status in Status if status != Status.APP}


def is_failure(event: Record) -> bool:
    """Whether an event says that something failed: a refused run is none, nor what a user left."""
    return is_failed(event.status, event.session.types.get(event.type))


def is_failed(status: int, info: Optional[TypeInfo]) -> bool:
    """The same, given the status of an event, and its type if the journal names that."""
    left = status == Status.CANCELLED and info is not None and info.name == b"MainstemResult"
    return status != 0 and status not in REFUSALS and not left


def status_name(status: int) -> str:
    """Returns what a line calls a status: its name, or the number of the app's own code."""
    return _STATUSES.get(status, str(status))


def has_time(time: int, flags: int) -> bool:
    """Whether the time of an event was kept: without one, it is that of the event before."""
    return time != 0 or not flags & (MARKED | WITHHELD)


_SCALARS = {"bool": bool, "integer": int, "number": float}


def scalar_in(data: bytes, info: TypeInfo) -> Optional[Scalar]:
    """Returns the scalar in a payload, or in that of a row; None: it has none of the right size."""
    kind = _SCALARS.get(info.payload)
    try:
        return None if kind is None else unpacked(kind, data)
    except ValueError:
        return None


def payload_of(event: Record, longest: int = LONGEST) -> Optional[str]:
    """Returns what a line shows of a payload; None: nothing."""
    if event.withheld or event.type_info.is_secret:
        return "<secret>"
    if event.marked:
        return "<marked>"
    if event.status:
        message, text = (event.data.split(b"\0") + [b"", b""])[:2]
        return f'"{shortened(message or text, longest)}"'
    if event.type_info.is_list:
        changes = event.list_changes
        return None if changes is None else str(changes)
    return content_of(event.data, event.type_info, longest)


def content_of(data: bytes, info: TypeInfo, longest: int) -> Optional[str]:
    """Returns what a line shows of an event's payload, or of a row's; None: nothing."""
    form = info.payload
    if form in ("text", "json"):
        return shortened(data, longest) if data else None
    if form == "none":
        return None
    scalar = scalar_in(data, info)
    if scalar is not None:
        return shown(scalar)
    return f"<{len(data)} byte>" if len(data) == 1 else f"<{len(data)} bytes>"


def value_of(event: Record, longest: int) -> str:
    """Returns what an owner shows by a value: like payload_of, with a text in quotes."""
    payload = payload_of(event, longest)
    hidden = event.marked or event.type_info.is_secret or event.status
    if event.type_info.payload == "text" and not hidden and not event.type_info.is_list:
        return f'"{payload or ""}"'
    return "set" if payload is None else payload


def list_of(event: Record, rows: Optional[Sequence[ListRow]], longest: int) -> str:
    """Returns what an owner shows by a list: its first rows; None for rows: they are not known."""
    info, changes = event.type_info, event.list_changes
    if changes is None or info.is_secret:
        return value_of(event, longest)
    if rows is None:
        return f"[… of {changes.count}]{changes._part}"
    parts: List[str] = []
    room = longest
    for row in rows:
        text = content_of(row.data, info, longest) or ""
        part = f'"{text}"' if info.payload == "text" else text or "set"
        if parts and len(part) > room:
            parts.append(f"… of {len(rows)}")
            break
        parts.append(part)
        room -= len(part)
    return f"[{', '.join(parts)}]{changes._part}"


def role_of(info: TypeInfo) -> str:
    """Returns what the tools call the role of a type."""
    role = info.role
    return "command" if role == "request" and info.is_command else role


def line_of(event: Record, which: str = "") -> str:
    """Returns the line: position, type, status of responses, cause, request, origin, payload.

    `which` follows the origin: which one of its name that is.
    """
    info = event.type_info
    parts = [f"#{event.position} {plain(event.name)}"]
    if event.status or info.role == "response":
        parts.append(status_name(event.status))
    if event.cause:
        parts.append(f"← #{event.cause}")
    if event.answers not in (0, event.cause):
        parts.append(f"answers #{event.answers}")
    if event.origin_bytes:
        parts.append(shortened(event.origin_bytes, LONGEST) + which)
    payload = payload_of(event)
    if payload is not None:
        parts.append(payload)
    return " ".join(parts)


# A journal as the tools read it: the library checks its records, and tells many with one call -----


#: As much is read of a record before its size is known.
_NEAR = 512


class CheckedJournal(Journal):
    """The same records and the same ending as in Python, many times as fast.

    The library reads ahead. Where it stops, be it at an end, at a torn tail or at damage, and where
    it has read what was appended since, the reader in Python goes on and says what is there.
    """

    # The library's reader, its batches, and the first one of the next file.
    _reader: Optional[LibraryJournal] = None
    _batches: Iterator[Batch] = iter(())
    _waiting: Optional[Batch] = None

    def close(self) -> None:
        """Closes the files."""
        self._drop()
        super().close()

    def records(self) -> Iterator[Record]:
        """Yields every record that counts, in order."""
        for piece in self.pieces():
            if isinstance(piece, Run):
                yield from piece.records()
            else:
                yield piece

    def pieces(self) -> Iterator[Union[Run, Record]]:
        """Yields the same, but events in runs: what only counts them needs no objects."""
        self._drop()
        try:
            self._reader = LibraryJournal(self.path)
            self._batches = self._reader.batches()
        except MainstemError:
            pass  # The reader in Python says what is wrong.
        return _in_runs(super().records())

    # Any place, which an index knows -------------------------------------------------------------

    @property
    def file(self) -> int:
        """Which of its files is read."""
        return len(self.headers) - 1

    @property
    def position(self) -> int:
        """The last position so far; before anything was read, the one before the first."""
        return self._last

    @property
    def files(self) -> List[FileBytes]:
        """Its files."""
        return self._files

    def link_before(self, file: int, offset: int) -> int:
        """The checksum of the record that ends at a place, as it is in the file."""
        return int.from_bytes(self._files[file].few(offset - 4, 4), "little")

    def pieces_at(
        self, place: Tuple[int, int], last: int, session: Session
    ) -> Iterator[Union[Run, Record]]:
        """Yields what follows a place, checked in Python; `last` is the position before."""
        file, offset = place
        self._drop()
        self._begin()
        self._head(file)
        self._last, self._session = last, session
        self._done = sum(each.size for each in self._files[:file])
        return _in_runs(self._records_from(file, offset))

    def record_at(self, place: Tuple[int, int], is_checked: bool = False) -> Record:
        """Reads the record at a place; raises JournalError if none is there.

        `is_checked`: it was read before, and is where it was.
        """
        index, offset = place
        self._head(index)
        file, header = self._files[index], self.headers[index]
        data = file.few(offset, _NEAR)
        size = int.from_bytes(data[40:44], "little")
        length = length_of(size)
        if offset < FILE_HEADER_SIZE or offset % 8 or offset + length > file.size:
            raise JournalError("no record is there")
        data = data[:length] if length <= len(data) else file.few(offset, length)
        if len(data) < length:  # It was cut off.
            raise JournalError("no record is there")
        record = Record(file.path, offset, data, 0, self.version)
        if not is_checked and record.checksum != crc32c(header.key, data[: length - 4]):
            raise JournalError("no record is there")
        return record

    def _head(self, index: int) -> None:
        """Reads the headers of the files up to one."""
        for file in self._files[len(self.headers) : index + 1]:
            self.headers.append(file_header(file.few(0, FILE_HEADER_SIZE)))

    # The library's batches -----------------------------------------------------------------------

    def _ahead(self, index: int) -> Iterator[Record]:
        file = self._files[index]
        for batch in self._batches_of(index):
            begin = int(begins_file(batch))
            sizes = batch.column("size")[begin:]
            offsets = offsets_of(sizes, self._offset)
            if offsets[-1] > file.size:
                self._drop()
                break
            page = Page(batch, [0] * begin + offsets, file.path, self.version)
            # Runs are no records, but pass through what yields those.
            yield from cast(Iterator[Record], self._pieces_of(page, begin))
        if self._offset > FILE_HEADER_SIZE:
            self._link = int.from_bytes(file.read(self._offset - 4, 4), "little")

    def _pieces_of(self, page: Page, begin: int) -> Iterator[Union[Run, Record]]:
        for index in page.others(begin):
            if index > begin:
                run = Run(page, begin, index, self._last + 1, self._session)
                self._last += len(run)
                self._offset = page.offsets[index]
                self._progress(self._done + self._offset, self._size)
                yield run
            if index < len(page):
                record = page.record(index)
                self._count(record)
                yield record
                self._offset = page.offsets[index + 1]
            begin = index + 1

    def _batches_of(self, index: int) -> Iterator[Batch]:
        """Yields the batches of a file, if the library reads the same one."""
        batch = self._fetch()
        if batch is None or batch[0][1] != self._files[index].read(0, FILE_HEADER_SIZE):
            return self._drop()
        while batch is not None:
            yield batch
            batch = self._fetch()
            if batch is not None and begins_file(batch):
                self._waiting = batch
                return None
        return None

    def _fetch(self) -> Optional[Batch]:
        batch, self._waiting = self._waiting, None
        try:
            return batch or next(self._batches, None)
        except MainstemError:
            return None

    def _drop(self) -> None:
        reader, self._reader = self._reader, None
        self._batches, self._waiting = iter(()), None
        if reader is not None:
            reader.close()


def _in_runs(records: Iterator[Record]) -> Iterator[Union[Run, Record]]:
    """Yields the same, but every event in a run. (Runs pass through what yields records.)"""
    for piece in cast(Iterator[Union[Run, Record]], records):
        if isinstance(piece, Record) and piece.is_event:
            yield run_of(piece)
        else:
            yield piece


def upto(pieces: Iterator[Union[Run, Record]], at: int) -> Iterator[Union[Run, Record]]:
    """Yields what is read up to a position, and not in a session that begins behind it."""
    for piece in pieces:
        if isinstance(piece, Run):
            yield piece.part(0, min(len(piece), max(at - piece.first + 1, 0)))
            if piece.first + len(piece) - 1 > at:
                return
        elif piece.position > at or is_over(piece, at):
            return
        else:
            yield piece


def is_over(record: Record, position: int) -> bool:
    """Whether another session begins there, after this position."""
    is_next = record.kind == SESSION and not record.session.continues
    return is_next and record.position >= position > 0


def begins_file(batch: Batch) -> bool:
    """Whether its first record is the header of a file."""
    header = batch[0][0]
    return header[7] == 0 and header[8] == 0


# Shows the progress of long work on a terminal; elsewhere nothing ---------------------------------

_PATIENCE = 0.5
_PERIOD = 0.1


class Progress:
    """One line on standard error, if that is a terminal."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._shown = False
        self._next = time.monotonic() + _PATIENCE
        self._calls = 0
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()

    def __call__(self, done: int, size: int) -> None:
        """Shows how much is done."""
        self._calls += 1
        if not self._is_terminal or self._calls % 256:
            return
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _PERIOD
            self._shown = True
            sys.stderr.write(f"\r{self._what}: {100 * done // max(size, 1):3} %")
            sys.stderr.flush()

    def end(self) -> None:
        """Removes the line."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False


# What each command does first and last ------------------------------------------------------------

CLEAN, DAMAGED, UNREADABLE, TORN = 0, 1, 2, 3


@contextmanager
def opened(path: str) -> Iterator[CheckedJournal]:
    """Opens a journal, with progress on a terminal."""
    progress = Progress("reading " + plain(os.path.basename(path)))
    try:
        with CheckedJournal(path, progress) as journal:
            yield journal
    finally:
        progress.end()


def is_one_of(path: str, files: Sequence[str]) -> bool:
    """Whether a path leads to one of some files."""
    return os.path.exists(path) and any(os.path.samefile(path, each) for each in files)


def say(message: str) -> None:
    """Writes a message to standard error."""
    sys.stdout.flush()
    sys.stderr.write(f"mainstem: {message}\n")


def tell(journal: Journal) -> int:
    """Says on standard error what is wrong at the end, and returns the exit status."""
    ending = journal.ending
    if ending is None or ending.kind == "clean":
        return CLEAN
    for message in messages(ending):
        say(message)
    return DAMAGED if ending.kind == "damaged" else CLEAN


def ending_of(journal: Journal) -> Ending:
    """Returns how reading ended; all records must have been read."""
    assert journal.ending is not None
    return journal.ending


def messages(ending: Ending) -> "list[str]":
    """Describes how reading ended."""
    place = f"{plain(ending.path)}, byte {ending.offset}, after position {ending.position}"
    if ending.kind == "torn":
        what = "1 byte" if ending.torn == 1 else f"{ending.torn} bytes"
        return [f"{place}: a torn tail of {what}, left by a crash, is dropped: {ending.message}"]
    if ending.kind != "damaged":
        return []
    follows = ""
    if ending.next_offset:
        follows = f"; an intact record follows at byte {ending.next_offset}"
        follows += f" of {plain(ending.next_path)}, position {ending.next_position}"
    return [f"{place}: damaged: {ending.message}{follows}. What follows is not read"]


def count(number: int, one: str, many: str = "") -> str:
    """Returns a number with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"

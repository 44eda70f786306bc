# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The index of a journal: where each event is, and what its owners showed at many moments.

It is made while the journal is read, a block after the other, and kept beside the journal as
`PATH.index`. It says what it fits; what does not fit is made anew. What it says of a value is only
where its event is: that is read, and checked, in the journal.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import struct
import tempfile
import time
import zlib
from bisect import bisect_left, bisect_right
from contextlib import suppress
from typing import (
    Any,
    BinaryIO,
    Iterator,
    List,
    Optional,
    Tuple,
    Union,
    cast,
)

from ..journal_file import Record, Session
from ..journal_file._lists import whole_number
from ._blocks import ENTRY, ROW, Block, Entry, NewBlock, Row, row_in
from ._dump import Owners
from ._reading import CheckedJournal, is_over, upto
from ._runs import Run
from ._state import WRONG, State, Unfit

__all__ = ["Index"]


# The file: a head, blocks, what it fits, the places of the blocks, a tail -------------------------

_SUFFIX = ".index"
#: Changes whenever what is kept changes; read in the machine's byte order, it is another elsewhere.
_VERSION = 1
_HEAD = struct.Struct("=8sII")
_TAIL = struct.Struct("=QIII")
_MAGIC = b"\x89MSX\r\n\x1a\n"

#: A block ends when it has so many events, or so many bytes of the journal.
_EVENTS, _BYTES = 1024, 1 << 18
#: So much of the journal is read for each byte of a state: else states would be most of an index.
_SPACING = 8
#: An index is kept if it saves reading so many bytes; and if they are such a part of all.
_WORTH, _PART = 1 << 22, 8
#: Python checks a record as much more slowly than the library.
_SLOWER = 16
#: When a file was written longer ago, in nanoseconds, its time changes with the next write.
_SETTLED = 100_000_000


# The index ----------------------------------------------------------------------------------------


class Index:
    """The index of a journal, as far as that was read with it.

    index = Index(journal)
    owners, event = index.owners(264)
    """

    def __init__(self, journal: CheckedJournal, is_kept: bool = True) -> None:
        """Takes the index that is kept beside the journal, if it fits; or begins with nothing."""
        self.journal = journal
        #: How many bytes of the journal it knows, the last position, whether that is all of it.
        self.done = 0
        self.last = self._before = journal.position
        self.whole = False
        self._entries: List[Entry] = []
        self._numbers = {path: number for number, path in enumerate(journal.paths)}
        # The bytes of the kept one that count, and what was added.
        self._kept: Optional[BinaryIO] = None
        self._end = _HEAD.size
        self._added: Optional[BinaryIO] = None
        self._block: Optional[NewBlock] = None
        # How many bytes of the journal the kept one knows, and whether all files are as they were;
        # whether that is so, or all that it knows was read again.
        self._kept_done = 0
        self._is_same = self._is_sure = False
        now = time.time_ns()
        self._facts = _facts_of(journal)
        self._is_settled = all(now - each[2] > _SETTLED for each in self._facts)
        try:
            if is_kept:
                self._load(journal.path + _SUFFIX)
        except (*WRONG, OSError, Unfit):
            self._begin_anew()

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes it, and keeps it if that pays."""
        # Where the folder cannot be written, the next command reads the journal again.
        with suppress(OSError):
            self._save()
        self._begin_anew()

    # Events --------------------------------------------------------------------------------------

    def row(self, position: int) -> Optional[Row]:
        """Returns what it says of an event; None: it was not kept, or not read yet."""
        at = bisect_left(self._entries, (position,)) - 1
        if at < 0:
            return None
        entry = self._entries[at]
        index = position - entry.first
        if not 0 <= index < entry.rows:
            return None
        try:
            return row_in(entry, self._rows(entry), index)
        except Unfit:
            self._begin_anew()
            return None

    def blocks(self, first: int, last: int) -> Iterator[Block]:
        """Yields what it says of the events from one position to another, a block at a time."""
        begin = max(bisect_left(self._entries, (first,)) - 1, 0)
        for entry in self._entries[begin:]:
            if entry.first > last:
                return
            if entry.rows and entry.first + entry.rows > first:
                yield Block(entry, self._rows(entry))

    def _rows(self, entry: Entry) -> bytes:
        return self._read(entry.place + entry.size, entry.rows * ROW, entry.row_sums)

    def event(self, position: int) -> Optional[Record]:
        """Reads an event with its names; None: it was not kept, or not read yet."""
        row = self.row(position)
        if row is None:
            return None
        try:
            state = self._state_before(position, names_only=True)
        except Unfit:
            self._begin_anew()
            return None
        for piece in upto(self._pieces(*state), position):
            if isinstance(piece, Run) and piece.first + len(piece) - 1 == position:
                return piece.event(len(piece) - 1)
        return None

    # What every owner shows ----------------------------------------------------------------------

    def owners(self, at: int) -> Tuple[Owners, Optional[Record]]:
        """Returns the owners after a position, and the last event up to there."""
        if self._is_sure and (self.whole or at <= self.last):
            try:
                entry, state = self._state_before(at)
                if entry and _SLOWER * (entry.weight + _BYTES) <= entry.done:
                    return self._read_on(entry, state, at)
            except Unfit:
                self._begin_anew()
        try:
            return self._scan(at)
        except Unfit:
            self._begin_anew()
            return self._scan(at)

    def _read_on(
        self, entry: Optional[Entry], state: State, at: int
    ) -> Tuple[Owners, Optional[Record]]:
        for piece in upto(self._pieces(entry, state), at):
            state.take(piece, self.looked.file)
        ending = self.looked.ending
        if ending is not None and ending.kind == "damaged":
            raise Unfit  # Perhaps it is the index that is wrong.
        return state.owners, state.last

    def _pieces(self, entry: Optional[Entry], state: State) -> Iterator[Union[Run, Record]]:
        if entry is None:
            return self.looked.pieces()
        place = (entry.file, entry.offset)
        return self.looked.pieces_at(place, entry.last, state.session or Session())

    @property
    def looked(self) -> CheckedJournal:
        """The journal as it is read at a place."""
        return self.journal

    def _base(self, at: int) -> Optional[Entry]:
        """The last block before a position that has a state."""
        for index in range(bisect_left(self._entries, (at,)) - 1, -1, -1):
            if self._entries[index].size:
                return self._entries[index]
        return None

    def _state_before(self, at: int, names_only: bool = False) -> Tuple[Optional[Entry], State]:
        entry = self._base(at)
        if entry is None:
            return None, State()
        if not _is_in(entry, self.journal):
            raise Unfit
        return entry, State.restored(self._state(entry), self.looked, names_only)

    def _state(self, entry: Entry) -> bytes:
        return self._read(entry.place, entry.size, entry.sums)

    # Reading the journal -------------------------------------------------------------------------

    def _scan(self, at: int) -> Tuple[Owners, Optional[Record]]:
        """Reads the journal up to a position; what it does not know yet, it adds."""
        base, journal = self._base(at), self.journal
        adds = base is self._base(1 << 64)
        if adds and base is not None:
            self._cut(base)
        state = State() if base is None else State.restored(self._state(base), journal)
        is_there = base is None
        for piece in journal.pieces():
            file = journal.file
            if base is not None and not is_there:
                behind = _behind(piece, file, base)
                if behind is None:
                    continue
                if journal.link_before(file, behind.offset) != base.link:
                    raise Unfit
                piece, is_there = behind, True
            if _first(piece) > at or (isinstance(piece, Record) and is_over(piece, at)):
                break
            if adds:
                adds = self._add(piece, file, state)
            rest = piece.first + len(piece) - 1 - at if isinstance(piece, Run) else 0
            if isinstance(piece, Run) and rest > 0:
                state.take(piece.part(0, len(piece) - rest), file)
                break
            state.take(piece, file)
        if not is_there:
            raise Unfit
        if self._block is not None:
            self._end_block()
            self.whole, self._is_sure = journal.ending is not None, True
        return state.owners, state.last

    def _add(self, piece: Union[Run, Record], file: int, state: State) -> bool:
        """Adds what is read next, before the state takes it; False: it has no room for it."""
        block, journal = self._block, self.journal
        done = sum(each.size for each in journal.files[:file]) + piece.offset
        if block is None or _is_full(block, piece, file, done):
            if block is not None:
                self._end_block()
            block = self._block = self._next_block(piece, file, done, state)
        self.done, self.last = done + piece.length, journal.position
        try:
            if isinstance(piece, Run):
                block.take(piece)
        except OverflowError:
            self._begin_anew()
            return False
        return True

    def _next_block(
        self, piece: Union[Run, Record], file: int, done: int, state: State
    ) -> NewBlock:
        place = self._end + (self._added.tell() if self._added else 0)
        link = self.journal.link_before(file, piece.offset)
        entry = Entry(
            self.last, self.last + 1, 0, piece.offset, file, link, done, place, 0, 0, 0, 0, 0
        )
        before = self._base(1 << 64)
        if before is None or done - before.done >= _SPACING * before.size:
            data, weight = state.saved(self._numbers)
            self._write(data)
            entry = entry._replace(size=len(data), sums=zlib.crc32(data), weight=weight)
        return NewBlock(entry)

    def _end_block(self) -> None:
        block, self._block = self._block, None
        assert block is not None
        data = block.bytes()
        self._write(data)
        self._entries.append(block.entry._replace(rows=len(block), row_sums=zlib.crc32(data)))

    def _cut(self, base: Entry) -> None:
        """Drops a block and what follows: it is read again."""
        del self._entries[self._entries.index(base) :]
        if self._added is not None:
            self._added.seek(max(base.place - self._end, 0))
            self._added.truncate()
        self._end, self._block = min(base.place, self._end), None
        self.whole = self._is_sure = False
        self.last, self.done = base.last, base.done

    def _begin_anew(self) -> None:
        for file in (self._kept, self._added):
            if file is not None:
                file.close()
        self._kept = self._added = self._block = None
        self._entries, self._end = [], _HEAD.size
        self.done = self._kept_done = 0
        self.last = self._before
        self.whole = self._is_same = self._is_sure = False

    # Its bytes -----------------------------------------------------------------------------------

    def _write(self, data: bytes) -> None:
        if self._added is None:
            # In memory while it is short; then a file without a name, that only its owner can read.
            self._added = cast(BinaryIO, tempfile.SpooledTemporaryFile(_WORTH))  # noqa: SIM115
        self._added.write(data)

    def _read(self, place: int, size: int, sums: int) -> bytes:
        file, place = (self._kept, place) if place < self._end else (self._added, place - self._end)
        if file is None:
            raise Unfit
        end = file.seek(0, os.SEEK_END)
        if place + size > end:
            raise Unfit
        file.seek(place)
        data = file.read(size)
        file.seek(end)
        if len(data) != size or zlib.crc32(data) != sums:
            raise Unfit
        return data

    def _load(self, path: str) -> None:
        """Reads which blocks are kept; raises an error if the file is no index of the journal."""
        flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | getattr(os, "O_NOFOLLOW", 0)
        self._kept = file = open(os.open(path, flags), "rb")  # noqa: SIM115
        facts = os.fstat(file.fileno())
        owners = (os.geteuid(), self.journal.files[0].facts.st_uid)
        if not stat.S_ISREG(facts.st_mode) or facts.st_uid not in owners or facts.st_mode & 0o022:
            raise Unfit
        file.seek(max(facts.st_size - _TAIL.size, 0))
        place, count, size, sums = _TAIL.unpack(file.read())
        length = size + count * ENTRY.size
        if place + length + _TAIL.size != facts.st_size or place < _HEAD.size:
            raise Unfit
        file.seek(0)
        if file.read(_HEAD.size) != _HEAD.pack(_MAGIC, _VERSION, ROW):
            raise Unfit
        file.seek(place)
        data = file.read(length)
        if zlib.crc32(data) != sums:
            raise Unfit
        said = json.loads(data[:size])
        if said["of"] != _identity(self.journal):
            raise Unfit
        self._entries = [Entry(*each) for each in ENTRY.iter_unpack(data[size:])]
        order = [(entry.last, entry.file, entry.offset) for entry in self._entries]
        if order != sorted(order):
            raise Unfit
        self.last, self.done = whole_number(said["last"]), whole_number(said["done"])
        self.whole, self._end, self._kept_done = said["whole"] is True, place, self.done
        self._is_same = said["files"] == [list(each) for each in self._facts]
        self._is_sure = self._is_same

    def _save(self) -> None:
        """Keeps it, if it knows enough more than the kept one; or if that did not say of when."""
        more = self.done - self._kept_done
        is_worth = more >= _WORTH and more * _PART >= self._kept_done
        is_worth = is_worth or (self._is_settled and not self._is_same and self.done >= _WORTH)
        if self._added is None or not is_worth:
            return
        folder, name = os.path.split(self.journal.path)
        descriptor, path = tempfile.mkstemp(".tmp", f".{name}{_SUFFIX}.", folder or ".")
        try:
            with open(descriptor, "wb") as file:
                os.fchmod(file.fileno(), 0o600 & self.journal.files[0].facts.st_mode)
                self._write_to(file)
            os.replace(path, self.journal.path + _SUFFIX)
        except BaseException:
            os.unlink(path)
            raise

    def _write_to(self, file: BinaryIO) -> None:
        file.write(_HEAD.pack(_MAGIC, _VERSION, ROW))
        if self._kept is not None:
            self._kept.seek(_HEAD.size)
            left = self._end - _HEAD.size
            while left:
                part = self._kept.read(min(left, 1 << 20))
                if not part:
                    raise OSError("the index was cut off")
                file.write(part)
                left -= len(part)
        if self._added is not None:
            self._added.seek(0)
            shutil.copyfileobj(self._added, file, 1 << 20)
        said = {"of": _identity(self.journal), "last": self.last, "done": self.done}
        files = self._facts if self._is_settled else None
        data = json.dumps({**said, "whole": self.whole, "files": files}).encode()
        size, place = len(data), file.tell()
        data += b"".join(ENTRY.pack(*entry) for entry in self._entries)
        file.write(data + _TAIL.pack(place, len(self._entries), size, zlib.crc32(data)))


def _first(piece: Union[Run, Record]) -> int:
    return piece.first if isinstance(piece, Run) else piece.position


def _is_full(block: NewBlock, piece: Union[Run, Record], file: int, done: int) -> bool:
    """Whether a block ends before what is read next."""
    entry = block.entry
    if file != entry.file or len(block) >= _EVENTS or done - entry.done >= _BYTES:
        return True
    return len(block) > 0 and block.misses(_first(piece))


def _behind(piece: Union[Run, Record], file: int, base: Entry) -> Optional[Union[Run, Record]]:
    """The part of what was read that is behind the beginning of a block; None: nothing."""
    if file < base.file:
        return None
    if file == base.file and piece.offset < base.offset:
        if not isinstance(piece, Run) or piece.offsets[-1] <= base.offset:
            return None
        piece = piece.part(bisect_right(piece.offsets, base.offset) - 1, len(piece))
    if (file, piece.offset) != (base.file, base.offset):
        raise Unfit
    return piece


def _is_in(entry: Entry, journal: CheckedJournal) -> bool:
    """Whether a block begins where a record of the journal does, as far as its link tells."""
    return (
        entry.file < len(journal.files)
        and entry.offset <= journal.files[entry.file].size
        and journal.link_before(entry.file, entry.offset) == entry.link
    )


def _identity(journal: CheckedJournal) -> List[Any]:
    """What tells a journal from others, also from itself when its first file was removed."""
    header = journal.headers[0]
    return [header.journal.hex(), header.number, header.checksum, header.version]


def _facts_of(journal: CheckedJournal) -> List[Tuple[int, ...]]:
    """What changes when anything writes to a file, or replaces it."""
    return [
        (facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns, facts.st_ino, facts.st_dev)
        for facts in (file.facts for file in journal.files)
    ]

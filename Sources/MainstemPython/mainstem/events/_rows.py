# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The rows of a list as an event shows them, and what has changed."""

from __future__ import annotations

import collections.abc
import ctypes
import struct
import threading
import uuid
import weakref
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Generic,
    Iterator,
    List,
    Literal,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
    overload,
)

from .._library import C
from .._library import _header as d
from ..failure import MainstemError, Status, check

__all__ = ["KeptRows", "RowChange", "RowKey", "RowSpan", "Rows", "key_bytes"]


# The keys of rows ---------------------------------------------------------------------------------

#: What identifies a row. On the stream it is text: an int in decimal, a UUID in lower case.
RowKey = Union[str, int, uuid.UUID]


def key_bytes(key: Any, path: str) -> bytes:
    """Returns a key as it is on the stream; TypeError if it cannot be one."""
    if isinstance(key, str):
        try:
            return key.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{path}: its key {key!r} is not Unicode: give another") from None
    if isinstance(key, int) and not isinstance(key, bool):
        return b"%d" % key
    if isinstance(key, uuid.UUID):
        return str(key).encode()
    raise TypeError(
        f"{path}: a key is text, an int or a UUID, and this is a {type(key).__name__}: let key= be"
        " a function that makes one of these, as in key=lambda row: str(row.id)"
    )


# What has changed ---------------------------------------------------------------------------------

ChangeKind = Literal["reset", "remove", "move", "insert", "update"]
_KINDS: Tuple[ChangeKind, ...] = ("reset", "remove", "move", "insert", "update")


class RowChange(NamedTuple):
    """What happens to a run of rows. Changes are applied one after another, in their order.

    "reset": read the whole list; "remove"; "move" to `to`, counted without the run; "insert" and
    "update": rows that are new or have changed, and are in the event's list.
    """

    kind: ChangeKind
    #: The first row of the run when the change begins.
    index: int  # type: ignore[assignment]
    count: int  # type: ignore[assignment]
    #: Of a move: where the run goes.
    to: int = 0


class RowSpan(NamedTuple):
    """All changes as one: from row `at` on, `removed` rows were replaced by `added` rows."""

    at: int
    removed: int
    added: int


# The rows -----------------------------------------------------------------------------------------

Row = TypeVar("Row")
#: A row's key and payload.
_Raw = Tuple[bytes, bytes]

#: How many rows are read at a time.
_CHUNK = 256
_NOTHING: Any = object()
#: The address and size of a row's key, and those of its payload.
_read_row = struct.Struct("=4Q").unpack_from

if TYPE_CHECKING:
    _Sequence = Sequence
else:

    class _Sequence(collections.abc.Sequence, Generic[Row]):
        __slots__ = ()


class Rows(_Sequence[Row]):
    """The rows of a list as they are with an event, whatever has been set since.

    A sequence of decoded rows: each is decoded when it is first read. It stays as it is for as long
    as it is kept, also when its context has closed. Any thread may read it.
    """

    __slots__ = (
        "__weakref__",
        "_catalogue",
        "_changes",
        "_decode",
        "_handle",
        "_kept",
        "_length",
        "_raw",
        "_rows",
        "_span",
        "_type",
        "_window",
    )

    def __init__(
        self,
        catalogue: Any,
        address: int,
        number: int,
        decode: Optional[Callable[[bytes], Any]] = None,
    ) -> None:
        self._catalogue = catalogue
        kept: KeptRows = catalogue.rows
        self._kept = kept
        self._type = number
        self._decode = decode
        #: The retained event; None: `_raw` has the rows.
        self._handle: Optional[int] = None
        self._raw: Optional[List[_Raw]] = None
        self._changes: Optional[Tuple[RowChange, ...]] = None
        self._span: Optional[RowSpan] = None
        #: Offset and total.
        self._window: Optional[Tuple[int, int]] = None
        self._length = -1
        #: What was decoded so far, by index.
        self._rows: Dict[int, Any] = {}
        kept.add(self, address)

    # Rows

    def __len__(self) -> int:
        if self._length < 0:
            with self._kept.lock:
                if self._length < 0:
                    self._length = _count(self._pointer())
        return self._length

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Tuple[Row, ...]: ...
    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            places = range(*index.indices(len(self)))
            return tuple(self._read(places))
        try:
            place = range(len(self))[index]
        except IndexError:
            raise IndexError(f"there is no row {index}: the list has {len(self)}") from None
        found = self._rows.get(place, _NOTHING)
        return next(self._read((place,))) if found is _NOTHING else found

    def __iter__(self) -> Iterator[Row]:
        return self._read(range(len(self)))

    def __reversed__(self) -> Iterator[Row]:
        return self._read(range(len(self) - 1, -1, -1))

    def __eq__(self, other: object) -> bool:
        """Whether another list, or a tuple, has equal rows in the same order."""
        if not isinstance(other, (Rows, tuple)):
            return NotImplemented
        return len(self) == len(other) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<mainstem Rows: {len(self)}>"

    @property
    def keys(self) -> Tuple[str, ...]:
        """The keys of all rows, as they are on the stream."""
        return tuple(key.decode() for key, _ in self._read_raw(range(len(self))))

    def find(self, key: RowKey) -> Optional[int]:
        """Returns the index of the row with a key; None: there is none."""
        data = key_bytes(key, "find")
        with self._kept.lock:
            if self._raw is not None:
                found = (place for place, (known, _) in enumerate(self._raw) if known == data)
                return next(found, None)
            index = ctypes.c_size_t()
            status = C.mainstem_list_find(self._pointer(), data, len(data), ctypes.byref(index))
        if status == Status.UNSET:
            return None
        check(status)
        return index.value

    @property
    def offset(self) -> int:
        """How many rows of a longer sequence come before these; 0 if they are all."""
        return self._part()[0]

    @property
    def total(self) -> int:
        """How many rows the sequence has that these are a part of; their number if they are all."""
        return self._part()[1]

    def _part(self) -> Tuple[int, int]:
        if self._window is None:
            with self._kept.lock:
                if self._window is None:
                    self._window = _window(self._pointer())
        return self._window

    # Changes

    @property
    def changes(self) -> Tuple[RowChange, ...]:
        """What has changed since the list that the observer got before.

        The first list that an observer gets has one change: "reset".
        """
        if self._changes is None:
            with self._kept.lock:
                if self._changes is None:
                    self._changes = tuple(_changes(self._pointer()))
        return self._changes

    @property
    def span(self) -> RowSpan:
        """All changes as one. After a "reset" all rows are new: `at` and `removed` are 0."""
        if self._span is None:
            with self._kept.lock:
                if self._span is None:
                    self._span = _span(self._pointer())
        return self._span

    # For other parts of the package

    def _read_with(self, decode: Callable[[bytes], Any]) -> "Rows[Any]":
        """Returns these rows, which are to be decoded like this."""
        self._decode = decode
        return self

    def _copy(self, known: Dict[Tuple[int, int], _Raw]) -> None:
        """Copies everything, so that the library's event is needed no more. Call it locked."""
        if self._raw is None:
            self._copy_from(self._pointer(), known)

    def _release(self) -> None:
        """Releases the library's event."""
        handle, self._handle = self._handle, None
        # A finalizer may run between a call that has failed and its `check`: after the close it
        # would fail, too.
        if handle is not None and not self._kept.is_closed:
            C.mainstem_retained_release(handle)

    def __del__(self) -> None:
        # An interrupt in __init__ may have left it without a handle.
        if getattr(self, "_handle", None) is not None:
            self._release()

    def _hold(self, address: int) -> None:
        """Retains the event; without that, copies it now."""
        handle = ctypes.c_void_p()
        if not self._kept.is_closing and not C.mainstem_event_retain(address, ctypes.byref(handle)):
            self._handle = handle.value
            return
        self._copy_from(address, {})

    def _copy_from(self, address: int, known: Dict[Tuple[int, int], _Raw]) -> None:
        self._length = _count(address)
        self._changes = tuple(_changes(address))
        self._span = _span(address)
        self._window = _window(address)
        raw, row = [], d.ListRow()
        for place in range(self._length):
            check(C.mainstem_list_row_get(address, place, ctypes.byref(row)))
            facts = _read_row(row)
            # Versions of a list share their rows.
            where = (facts[0], facts[2])
            found = known.get(where)
            if found is None:
                found = known[where] = _raw_of(facts)
            raw.append(found)
        self._raw = raw

    def _pointer(self) -> int:
        """The library's event. Use it only while the lock is held."""
        pointer = ctypes.c_void_p()
        check(C.mainstem_retained_event(self._handle, ctypes.byref(pointer)))
        return pointer.value or 0

    def _read(self, places: Sequence[int]) -> Iterator[Any]:
        """Decodes rows, some at a time."""
        rows = self._rows
        for first in range(0, len(places), _CHUNK):
            some = places[first : first + _CHUNK]
            missing = [place for place in some if place not in rows]
            if missing:
                decode = self._decode
                if decode is None:
                    decode = self._decode = self._catalogue.row_decoder(self._type)
                for place, (_, data) in zip(missing, self._read_raw(missing)):
                    # If another thread has decoded it, too: one object for all.
                    rows.setdefault(place, decode(data))
            for place in some:
                yield rows[place]

    def _read_raw(self, places: Sequence[int]) -> List[_Raw]:
        with self._kept.lock:
            if self._raw is not None:
                return [self._raw[place] for place in places]
            address, row, found = self._pointer(), d.ListRow(), []
            for place in places:
                check(C.mainstem_list_row_get(address, place, ctypes.byref(row)))
                found.append(_raw_of(_read_row(row)))
            return found


def _raw_of(facts: Sequence[int]) -> _Raw:
    key, key_size, data, size = facts
    return ctypes.string_at(key, key_size), ctypes.string_at(data, size)


def _count(address: int) -> int:
    count = ctypes.c_size_t()
    check(C.mainstem_list_count(address, ctypes.byref(count)))
    return count.value


def _window(address: int) -> Tuple[int, int]:
    window = d.ListWindowStruct()
    check(C.mainstem_list_window_get(address, ctypes.byref(window)))
    return window.offset, window.total


def _changes(address: int) -> Iterator[RowChange]:
    change = d.ListChangeStruct()
    place = 0
    while C.mainstem_list_read(address, place, ctypes.byref(change)) == Status.OK:
        yield RowChange(_KINDS[change.kind], change.index, change.count, change.to)
        place += 1


def _span(address: int) -> RowSpan:
    at, removed, added = ctypes.c_size_t(), ctypes.c_size_t(), ctypes.c_size_t()
    check(C.mainstem_list_span(address, *map(ctypes.byref, (at, removed, added))))
    return RowSpan(at.value, removed.value, added.value)


# The rows that a program keeps: they outlive the context ------------------------------------------


class KeptRows:
    """The rows of one context that its program keeps."""

    __slots__ = ("_rows", "is_closed", "is_closing", "lock")

    def __init__(self) -> None:
        #: By the handles of their retained events.
        self._rows: weakref.WeakValueDictionary[int, Rows[Any]] = weakref.WeakValueDictionary()
        #: Held while an event is read: no other thread may close the context then.
        self.lock = threading.RLock()
        self.is_closing = self.is_closed = False

    def add(self, rows: "Rows[Any]", address: int) -> None:
        """Keeps the event of some rows."""
        with self.lock:
            rows._hold(address)
            if rows._handle is not None:
                self._rows[rows._handle] = rows

    def copy(self) -> None:
        """Copies the rows that are kept, since the context is about to close."""
        known: Dict[Tuple[int, int], _Raw] = {}
        with self.lock:
            self.is_closing = True
            copied = []
            for rows in list(self._rows.values()):
                try:
                    rows._copy(known)
                except MainstemError:
                    continue  # Of another process: there was a fork.
                copied.append(rows)
            # Only now: as long as all are held, no two rows have one address.
            for rows in copied:
                rows._release()
            self._rows.clear()

    def went_on(self) -> None:
        """Notes that the context did not close."""
        self.is_closing = False

    def closed(self) -> None:
        """Notes that the context has closed."""
        self.is_closed = True

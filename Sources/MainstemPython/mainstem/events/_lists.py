# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Lists: what their rows are made of, and how a list is set."""

from __future__ import annotations

import array
import collections.abc
import ctypes
import dataclasses
import itertools
import operator
import typing
from typing import (
    Any,
    Callable,
    Generic,
    Iterable,
    Iterator,
    List,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
    cast,
)

from .._library import C, whole
from .._library import _header as d
from ..failure import Status
from ._codec import Form, check_type, form_of, is_fixed
from ._payload import fields_of
from ._rows import RowKey, Rows, key_bytes
from ._wire import TEXTS, bare, is_class, is_named_tuple, is_typed_dict, meant, record_fields

__all__ = [
    "NUMBERS",
    "KeyOf",
    "ListForm",
    "ListSetter",
    "Selection",
    "list_form",
    "row_table",
    "row_type",
]

#: The name of the field that is a row's key, or a function that makes the key of a row.
KeyOf = Union[str, Callable[[Any], RowKey]]


# What the rows of a list are made of --------------------------------------------------------------


class ListForm(Form):
    """How the rows of a list travel: each like a value of its type, with a key."""

    __slots__ = ("is_fixed", "key")

    #: Whether a row is the same as long as it is the same object.
    is_fixed: bool
    #: Makes the key of a row.
    key: Callable[[Any], RowKey]

    def __init__(self, row: Any, key: KeyOf, path: str) -> None:
        check_type(row, path)
        form = form_of(row)
        super().__init__(form.payload, form.encode, form.decode, form.copy)
        self.is_fixed = _stays_as_it_is(bare(row))
        self.key = _getter(bare(row), key, path)


def list_form(row: Any, key: Any, path: str) -> ListForm:
    """Returns the form of a list with such rows; TypeError if there is none."""
    if not isinstance(key, str) and not callable(key):
        raise TypeError(
            f"{path}: key is the name of a field or a function that gets a row, not {key!r}"
        )
    return ListForm(row, cast("KeyOf", key), path)


def row_type(wanted: Any, path: str) -> Any:
    """Returns the type of the rows, given that of the list."""
    wanted = bare(wanted)
    origin, parts = typing.get_origin(wanted), typing.get_args(wanted)
    if origin is tuple and len(parts) == 2 and parts[1] is Ellipsis:
        return parts[0]
    if origin in (list, collections.abc.Sequence, Selection) and len(parts) == 1:
        return parts[0]
    raise TypeError(f"{path} has a key, and is no list: declare it as in `Tuple[Row, ...]`")


def _getter(row: Any, key: KeyOf, path: str) -> Callable[[Any], RowKey]:
    if not isinstance(key, str):
        return key
    if is_typed_dict(row) or row is dict or typing.get_origin(row) is dict:
        names = [name for name, _, _ in record_fields(row)] if is_typed_dict(row) else [key]
        if key in names:
            return operator.itemgetter(key)
    elif is_named_tuple(row):
        names = [name for name, _, _ in record_fields(row)]
    elif hasattr(row, "__dataclass_fields__"):
        names = [name for name, _, _ in fields_of(row)]
    else:
        kind = getattr(row, "__name__", row)
        raise TypeError(
            f"{path}: a {kind} has no fields: let key= be a function, as in key=lambda row: row"
        )
    if key in names or hasattr(row, key):
        return operator.attrgetter(key)
    raise TypeError(f"{path}: {row.__name__} has no {key!r}{meant(key, names)}")


def _stays_as_it_is(row: Any) -> bool:
    """Whether a row of this type never changes in place."""
    if is_named_tuple(row):
        return all(_stays_as_it_is(bare(part)) for _, part, _ in record_fields(row))
    return is_fixed(row) or (is_class(row) and row in TEXTS)


def _number(data: bytes) -> int:
    return int.from_bytes(data, "little")


#: The numbers of the scopes of children. The library makes the rows.
NUMBERS = ListForm(int, str, "children")
NUMBERS.decode = _number


# Setting a list -----------------------------------------------------------------------------------

Row = TypeVar("Row")


@dataclasses.dataclass(frozen=True)
class Selection(Generic[Row]):
    """A part of a longer sequence: what a query has selected, or what a list is set to."""

    #: The rows of the part, in order.
    rows: Sequence[Row]
    #: How many rows of the sequence come before them.
    offset: int
    #: How many rows the sequence has.
    total: int


#: The rows that were accepted last, and the version of the list that has them.
_Accepted = Tuple[Tuple[Any, ...], int]


class ListSetter:
    """Sets one list of one scope, and encodes only what differs from what was accepted last."""

    __slots__ = ("_accepted", "_form", "_path", "_type")

    def __init__(self, number: int, form: ListForm, path: str) -> None:
        self._type = number
        self._form = form
        self._path = path
        # One object: other threads may set the list, too.
        self._accepted: _Accepted = ((), 0)

    def set(self, handle: int, rows: Any) -> int:
        """Sets the list, and returns the status. What cannot be a row is a TypeError."""
        window: Optional[d.ListWindowStruct] = None
        if isinstance(rows, (Selection, Rows)):
            window = self._window(rows.offset, rows.total)
        if isinstance(rows, Selection):
            rows = rows.rows
        if isinstance(rows, (str, bytes)) or not isinstance(rows, collections.abc.Iterable):
            raise TypeError(f"{self._path}: expected a tuple of rows, got {type(rows).__name__}")
        rows = tuple(rows)
        before, version = self._accepted
        first, last = _ends(before, rows) if self._form.is_fixed else (0, 0)
        ends = d.ListEndsStruct(version, first, last)
        if window is not None:
            window.count = len(rows)
        status = self._set(handle, rows, ends, window)
        if status == Status.STALE and (first or last):
            # Somebody else has set it, or its scope has ended.
            ends = d.ListEndsStruct(version, 0, 0)
            status = self._set(handle, rows, ends, window)
        if status == 0:
            self._accepted = (rows, ends.version)
        return status

    def _window(self, offset: Any, total: Any) -> d.ListWindowStruct:
        offset, total = whole(offset, f"{self._path}.offset"), whole(total, f"{self._path}.total")
        return d.ListWindowStruct(offset, 0, total)

    def _set(
        self,
        handle: int,
        rows: Tuple[Any, ...],
        ends: d.ListEndsStruct,
        window: Optional[d.ListWindowStruct],
    ) -> int:
        stop = len(rows) - ends.last
        table, _held = self._table(rows, range(ends.first, stop))
        size = ctypes.sizeof(d.ListRow)
        part = None if window is None else ctypes.byref(window)
        status: int = C.mainstem_list_set_window(
            handle, self._type, table, size, stop - ends.first, ctypes.byref(ends), part
        )
        return status

    def _table(self, rows: Sequence[Any], places: Sequence[int]) -> Tuple[Any, Any]:
        """The rows at some places as the library gets them, and the memory that they are in."""
        encode, key_of, path = self._form.encode, self._form.key, self._path

        def each() -> Iterator[Tuple[bytes, bytes]]:
            for place in places:
                row, where = rows[place], f"{path}[{place}]"
                data = encode(row, where)
                yield key_bytes(_key(key_of, row, where), where), data

        return row_table(each())


def row_table(rows: Iterable[Tuple[bytes, bytes]]) -> Tuple[Any, Any]:
    """Rows, of a key and data each, as the library gets them, and the memory that they are in."""
    parts: List[bytes] = []
    facts = array.array("Q")
    offset = 0
    for key, data in rows:
        # A number begins where one may be read.
        behind = b"\0" * (-(len(data) + len(key)) % 8)
        facts.extend((offset + len(data), len(key), offset, len(data)))
        parts += (data, key, behind)
        offset += len(data) + len(key) + len(behind)
    if not facts:
        return None, None
    memory = b"".join(parts)
    start = ctypes.cast(ctypes.c_char_p(memory), ctypes.c_void_p).value or 0
    for fact in range(0, len(facts), 2):
        facts[fact] += start
    return (d.ListRow * (len(facts) // 4)).from_buffer(facts), memory


def _key(key_of: Callable[[Any], Any], row: Any, path: str) -> Any:
    try:
        return key_of(row)
    except (AttributeError, KeyError) as error:
        raise TypeError(f"{path} has no key: {error}") from None


def _ends(before: Tuple[Any, ...], rows: Tuple[Any, ...]) -> Tuple[int, int]:
    """How many rows at the beginning, and then at the end, are the same objects as before."""
    if before is rows:
        return len(rows), 0
    shorter = min(len(before), len(rows))
    first = _same(before, rows, shorter)
    if first == shorter:
        return first, 0
    return first, _same(reversed(before), reversed(rows), shorter - first)


def _same(one: Any, other: Any, most: int) -> int:
    differs = map(operator.is_not, one, other)
    return min(next(itertools.compress(itertools.count(), differs), most), most)

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Queries that select and sort rows, and keys that keep rows in order."""

from __future__ import annotations

import ctypes
import dataclasses
import json
import re
from typing import Any, Iterable, List, Mapping, Optional, TypeVar, Union

from .._library import C, whole
from .._library import _header as d
from ..failure import MainstemError, Status, check, encoded
from ._codec import form_of
from ._lists import Selection, row_table
from ._wire import OWN_FORMS, json_form, meant, spelled

__all__ = ["Query", "Selection", "order_key", "order_keys"]

Row = TypeVar("Row")

#: A column in SQL, or a text, which is skipped.
_COLUMN = re.compile(r"'(?:[^']|'')*'|`((?:[^`]|``)*)`")


class Query:
    """A query: which rows, in which order, and which part of them. It never changes.

        query = Query("not done and lower(title) contains $text", values={"text": "milk"},
                      sort=["-priority", "title"], limit=50)
        query.select(todos).rows

    The names of fields are those in JSON: a `due_on` of Python is `dueOn`. docs/queries.md has the
    language. A malformed query raises MainstemError with Status.INVALID.
    """

    __slots__ = ("__weakref__", "_columns", "_handle", "_json")

    def __init__(
        self,
        where: Optional[str] = None,
        *,
        values: Optional[Mapping[str, Union[str, int, float, bool, None]]] = None,
        sort: Union[str, Iterable[str]] = (),
        offset: int = 0,
        limit: Optional[int] = None,
    ) -> None:
        members = {
            "where": where,
            "values": dict(values) if values else None,
            "sort": [sort] if isinstance(sort, str) else list(sort) or None,
            "offset": offset or None,
            "limit": limit,
        }
        given = {name: value for name, value in members.items() if value is not None}
        self._make(json.dumps(given, ensure_ascii=False))

    @classmethod
    def from_json(cls, text: str) -> "Query":
        """Makes a query of JSON, such as that of another query."""
        query = cls.__new__(cls)
        query._make(text)
        return query

    def _make(self, text: str) -> None:
        self._handle: Optional[int] = None
        self._json = text
        handle = ctypes.c_void_p()
        data = text.encode("utf-8", "surrogatepass")
        check(C.mainstem_query_make(data, len(data), ctypes.byref(handle)))
        self._handle = handle.value
        self._columns: Optional[List[str]] = None

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            C.mainstem_query_release(self._handle)

    @property
    def json(self) -> str:
        """The query as JSON."""
        return self._json

    def sql(self) -> str:
        """Returns the query for SQLite: the text from WHERE on.

        With columns that are named as the fields and have no type, it selects the same rows.
        """
        length = ctypes.c_size_t()
        status = C.mainstem_query_sql(self._handle, None, 0, ctypes.byref(length))
        if status != Status.TOO_BIG:
            check(status)
        text = ctypes.create_string_buffer(length.value + 1)
        check(C.mainstem_query_sql(self._handle, text, len(text), None))
        return text.raw[:-1].decode("utf-8")

    def select(self, items: Iterable[Row]) -> "Selection[Row]":
        """Selects from rows, which are dataclasses, dicts or what else travels as a JSON object."""
        rows = list(items)
        kinds: List[Any] = [type(row) for row in rows]
        for kind in dict.fromkeys(kinds):
            self._check(kind)
        table, _held = row_table(
            (str(place).encode(), form_of(kinds[place]).encode(row, f"items[{place}]"))
            for place, row in enumerate(rows)
        )
        indexes = (ctypes.c_size_t * len(rows))()
        window = d.ListWindowStruct()
        size = ctypes.sizeof(d.ListRow)
        select = C.mainstem_query_select
        check(select(self._handle, table, size, len(rows), indexes, ctypes.byref(window)))
        found = [rows[index] for index in indexes[: window.count]]
        return Selection(found, window.offset, window.total)

    def _check(self, kind: Any) -> None:
        """Refuses a field that a dataclass does not have: it would be null in each row."""
        said = kind.__name__
        if not dataclasses.is_dataclass(kind) or kind in OWN_FORMS:
            return
        if self._columns is None:
            self._columns = [name for name in _COLUMN.findall(self.sql()) if name]
        names = {spelled(field.name) for field in dataclasses.fields(kind)}
        for name in self._columns:
            if name not in names and name.partition(".")[0] not in names:
                raise ValueError(f"{said} has no field {name!r}{meant(name, names)}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Query) and self._json == other._json

    def __hash__(self) -> int:
        return hash(self._json)

    def __reduce__(self) -> Any:
        return Query.from_json, (self._json,)

    def __repr__(self) -> str:
        return f"<Query {self._json}>"


def _decode(value: Any) -> Query:
    try:
        return Query.from_json(json.dumps(value, ensure_ascii=False))
    except MainstemError as error:
        raise ValueError(str(error)) from None


json_form(Query, encode=lambda query: json.loads(query.json), decode=_decode)


# Order keys ---------------------------------------------------------------------------------------


def order_key(low: Optional[str] = None, high: Optional[str] = None) -> str:
    """Returns a key between two others; None: the beginning, or the end.

    Keys are sorted as text. MainstemError with Status.LIMIT: there is no room between them, so give
    all rows new keys, with order_keys.
    """
    key = ctypes.create_string_buffer(d.ORDER_KEY_SIZE)
    ends = (None if each is None else encoded(each, "an order key") for each in (low, high))
    check(C.mainstem_order_key(*ends, key))
    return key.value.decode("ascii")


def order_keys(count: int) -> List[str]:
    """Returns keys that are short and evenly spaced, in order."""
    key = ctypes.create_string_buffer(d.ORDER_KEY_SIZE)
    keys = []
    for index in range(whole(count, "count")):
        check(C.mainstem_order_key_at(index, count, key))
        keys.append(key.value.decode("ascii"))
    return keys

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The calls of the header for lists: a part of the real library (library.py)."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_size_t, c_void_p, sizeof
from typing import Any, Sequence

from reference.declarations import d
from reference.flow.changes import Change, Span
from reference.flow.children import Given, Open
from reference.flow.lists import Ends, Window
from reference.flow.values import Row

#: No row has it.
NO_KEY = b"no such key"


class ListCalls:
    """In the language of reference/model.py, as Library."""

    def list_set(
        self,
        scope: int,
        number: int,
        rows: Sequence[Row],
        ends: Ends | None = None,
        window: Window | None = None,
    ) -> tuple[int, int]:
        table = (d.ListRow * len(rows))()
        for index, (key, data) in enumerate(rows):
            payload = ctypes.cast(ctypes.c_char_p(data), c_void_p)
            table[index] = d.ListRow(key, len(key), payload, len(data))
        given = d.ListEndsStruct(ends.version, ends.first, ends.last) if ends else None
        part = d.ListWindowStruct(*[number % 2**64 for number in window]) if window else None
        status = self.called(
            "list_set_window",
            scope,
            number,
            table if rows else None,
            sizeof(d.ListRow),
            len(rows),
            byref(given) if given else None,
            byref(part) if part else None,
        )
        return status, given.version if given else 0

    def children_set(
        self,
        scope: int,
        number: int,
        children: Sequence[Given],
        ends: Ends | None,
        open_child: Open,
    ) -> tuple[int, int]:
        rows = [d.ChildStruct(key, len(key), flags) for key, flags in children]
        table = (d.ChildStruct * len(rows))(*rows)
        given = d.ListEndsStruct(ends.version, ends.first, ends.last) if ends else None

        def fill(_: Any, __: Any, index: int, child: Any) -> int:
            status, opened = self.run(open_child, index, failed=(d.INVALID, None))
            child[0] = opened
            return status

        opens = d.CHILD_FN(fill)
        what = (scope, number, table if rows else None, sizeof(d.ChildStruct), len(rows))
        status = self.called("children_set", *what, byref(given) if given else None, opens, None)
        return status, given.version if given else 0

    def list_status(self, event: Any) -> int:
        return self.called("list_count", event)[0]

    def shown_list(self, event: Any) -> ListView | None:
        return ListView(self, event) if event.flags & d.EVENT_LIST else None


class ListView:
    """The list of an event, read at once, and what is wrong with how it is read."""

    def __init__(self, library: Any, event: Any) -> None:
        self.library, self.event, self.trouble = library, event, ""
        self.changes = list(self.read_changes())
        count = self.get("list_count")
        part = d.ListWindowStruct()
        self.expect(library.called("list_window_get", event, byref(part)) == d.OK, "no window")
        self.expect(part.count == count, "a window of another list")
        self.window = (part.offset, part.total)
        self.rows = [self.read_row(index) for index in range(count)]
        at, removed, added = c_size_t(), c_size_t(), c_size_t()
        outs = (byref(at), byref(removed), byref(added))
        self.expect(library.called("list_span", event, *outs) == d.OK, "no span")
        self.span = Span(at.value, removed.value, added.value)
        row = d.ListRow()
        behind = library.called("list_row_get", event, count, byref(row))
        self.expect(behind == d.INVALID, "a row behind the last")
        found = library.called("list_find", event, NO_KEY)
        self.expect(found[0] == d.UNSET, "a row without a key")

    def expect(self, is_right: bool, trouble: str) -> None:
        if not is_right:
            self.trouble = self.trouble or trouble

    def get(self, name: str, *given: Any) -> Any:
        status, value = self.library.called(name, self.event, *given)
        self.expect(status == d.OK, f"{name}: {status}")
        return value

    def read_changes(self) -> list[Change]:
        change = d.ListChangeStruct()
        found: list[Change] = []
        while self.library.called("list_read", self.event, len(found), byref(change)) == d.OK:
            self.expect(not change.reserved, "reserved")
            found.append((change.kind, change.index, change.count, change.to))
        return found

    def read_row(self, index: int) -> Row:
        row = d.ListRow()
        status = self.library.called("list_row_get", self.event, index, byref(row))
        self.expect(status == d.OK, f"row {index}: {status}")
        # As a pointer: a key may have zero bytes.
        address = c_void_p.from_buffer(row, d.ListRow.key.offset).value
        key = ctypes.string_at(address, row.key_size + 1)
        data = ctypes.string_at(row.data, row.size + 1)
        self.expect(key[-1] == data[-1] == 0, "no zero behind it")
        self.expect(self.get("list_find", key[:-1]) == index, f"row {index} is found elsewhere")
        return key[:-1], data[:-1]

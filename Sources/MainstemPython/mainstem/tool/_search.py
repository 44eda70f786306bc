# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Search: the events that have a text, the history of a value, or all that failed."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import Dict, Iterator, Set, Tuple

from ..journal_file import Record
from ..journal_file._record import text_of
from ._blocks import Block
from ._live import Live
from ._reading import is_failure, payload_of, plain, status_name

__all__ = ["Search"]

#: What the text of a number or a bool may have.
_SCALAR = re.compile(r"[-+.0-9a-z]{1,25}")
#: Halves of surrogate pairs are in no journal.
_BAD = ("utf-8", "replace")


class Search:
    """What is looked for: a text in names, status and payload, or the history of a value."""

    def __init__(self, live: Live, query: str) -> None:
        self._live = live
        self._query = query.strip().lower()
        self._value = self._query[6:].strip() if self._query.startswith("value:") else ""
        self._fails = self._query == "failed"
        self._bytes = re.compile(b"".join(map(_in_any_case, self._query)))
        self._is_scalar = _SCALAR.fullmatch(self._query) is not None

    def positions(self, block: Block, begin: int) -> Iterator[int]:
        """Yields the events of a block that may have it."""
        names, until = self._live.names, -1
        known: Dict[Tuple[int, int], bool] = {}
        texts = set() if self._value or self._fails else self._in_bytes(block)
        columns = (block.column(name) for name in ("type", "origin", "flags"))
        for position, (kind, origin, flags) in enumerate(zip(*columns), block.first):
            if position < begin or not kind:
                continue
            if position > until:
                until = names.same_until(position)
                known.clear()
            key = (kind, origin)
            if key not in known:
                known[key] = self._is_named(position, kind, origin)
            is_failed = flags >> 15 and not self._value
            if is_failed or (known[key] and not self._fails) or position in texts:
                yield position

    def _is_named(self, position: int, kind: int, origin: int) -> bool:
        """Whether the names of an event have it, or its payload may have it in another form."""
        names = self._live.names
        session, info = names.session(position), names.info(position, kind)
        name = text_of(info.name).lower()
        if self._value:
            return info.role == "value" and name == self._value
        sender = text_of(names.sender(position, origin).name).lower()
        layer = text_of(session.layers.get(info.layer, b"")).lower()
        is_scalar = self._is_scalar and info.payload in ("bool", "integer", "number")
        return is_scalar or any(self._query in each for each in (name, sender, layer))

    def _in_bytes(self, block: Block) -> Set[int]:
        """The events of a block whose bytes have it, in capitals or not."""
        places = block.column("place")
        whole = [place for place in places if place]
        last = block.row(block.first + len(places) - 1)
        if not whole or last is None:
            return set()
        begin = whole[0] << 3
        file = self._live.journal.files[last.file]
        end = last.offset + self._live.journal.record_at((last.file, last.offset), True).length
        data = file.few(begin, end - begin).lower()
        # Of those that were skipped, no byte is there.
        starts = list(accumulate((max((place << 3) - begin, 0) for place in places), max))
        found = (match.start() for match in self._bytes.finditer(data))
        return {block.first + bisect_right(starts, at) - 1 for at in found}

    @property
    def is_history(self) -> bool:
        """Whether all that a value was is looked for."""
        return bool(self._value)

    def has(self, event: Record) -> bool:
        """Whether an event has it."""
        if self._value or self._fails:
            return is_failure(event) if self._fails else True
        return any(self._query in text.lower() for text in _texts(event))


def _in_any_case(character: str) -> bytes:
    """A pattern of a character in bytes whose own capitals are small already."""
    forms = {character, character.upper(), character.title()} if character > "\x7f" else {character}
    return b"(?:%s)" % b"|".join(re.escape(form.encode(*_BAD).lower()) for form in sorted(forms))


def _texts(event: Record) -> Iterator[str]:
    """Yields all that an event is found by."""
    info, status = event.type_info, event.status
    yield from (plain(event.name), event.origin_name, status_name(status) if status else "")
    yield text_of(event.session.layers.get(info.layer, b""))
    if event.marked or info.is_secret:
        return
    if status:
        yield from event.error
    elif info.is_list:
        changes = event.list_changes
        yield from (text_of(row.data) for row in (changes.rows if changes else ()))
    elif info.payload in ("text", "json", "bytes", "struct"):
        yield text_of(event.data)
    else:
        yield payload_of(event) or ""

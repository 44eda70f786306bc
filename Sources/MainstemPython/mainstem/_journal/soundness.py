# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a writer makes: an intact record that is not like that was forged."""

from __future__ import annotations

import struct
from typing import Tuple

from .file_header import JournalError
from .record import (
    ANSWERED,
    CLOSING,
    DIGEST,
    END,
    ENDED,
    KINDS,
    LAYER,
    MARKED,
    ORIGIN,
    OUTSIDE,
    PROGRESS,
    READ_POINT,
    REFUSED,
    SESSION,
    SHARED,
    SKIPPED,
    TIMER,
    TRACKED,
    TYPE,
    WITHHELD,
    WRITTEN,
    Record,
    named,
)

_RANGE = struct.Struct("<QQ")
_REFUSED = struct.Struct("<4QII")
_END = struct.Struct("<3Q")
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
        elif record.kind == SKIPPED and skipped_cause(record) >= _RANGE.unpack_from(record.data)[0]:
            raise JournalError("a skipped record has a cause that comes later")
    elif record.marked and (record.status or record.size not in _bare_sizes(record)):
        raise JournalError("an event of which only the mark was kept has more than that")
    elif record.status and record.data.count(b"\0") < 3:
        raise JournalError("an event with an error does not have its three texts")

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Computes the digest of the events again, and compares it with the digests in the journal."""

from __future__ import annotations

import struct
from typing import List, Optional, Tuple

from .digest import Digest
from .record import DIGEST, END, SESSION, SKIPPED, WITHHELD, Record

_WORD = struct.Struct("<Q")


class Proof:
    """Checks the digests of a journal, given all its records in order."""

    def __init__(self) -> None:
        #: What does not agree: the record, and a message.
        self.findings: List[Tuple[Record, str]] = []
        #: The digest so far; None if something that it covers is not in the file.
        self.digest: Optional[Digest] = None
        #: How many digests agreed, and how many could not be computed again.
        self.agreed = 0
        self.open = 0
        #: How many events the digests that agreed cover.
        self.events = 0
        self._waiting = 0

    def take(self, record: Record) -> None:
        """Takes the next record."""
        if record.is_event:
            self._take_event(record)
        elif record.kind == SESSION:
            self._begin(record)
        elif record.kind == SKIPPED:
            self.digest = None
        elif record.kind in (DIGEST, END):
            self._compare(record)

    def _take_event(self, event: Record) -> None:
        self._waiting += 1
        if event.flags & WITHHELD:
            return
        if event.marked:
            self.digest = None
        elif self.digest is not None:
            self.digest.take(event, event.origin_bytes)

    def _begin(self, record: Record) -> None:
        session = record.session
        if not session.continues:
            self.digest, self._waiting = Digest(), 0
            return
        if self.digest is not None and self.digest.bits != session.digest:
            self.findings.append((record, "the file goes on with another digest"))
        self.digest = Digest(session.digest)

    def _compare(self, record: Record) -> None:
        (said,) = _WORD.unpack_from(record.data)
        if self.digest is None:
            self.open += 1
        elif self.digest.bits == said:
            self.agreed += 1
            self.events += self._waiting
        else:
            is_ = f"{self.digest.bits:016x}, but the journal says {said:016x}"
            self.findings.append((record, f"the events up to here have the digest {is_}"))
        self.digest, self._waiting = Digest(said), 0

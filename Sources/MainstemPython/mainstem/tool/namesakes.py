# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Scopes of one name, told apart: `Cell`, `Cell[2]`, `Cell[3]` in the order in which they came."""

from __future__ import annotations

from typing import Dict

from .._journal.record import ORIGIN, SESSION, named, scope_of
from ..journal_file import Record


class Namesakes:
    """Which one of its name each scope of a session is, given the records in order."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._counts: Dict[bytes, int] = {}
        #: What follows the name, by scope; of those without a number, and for events, by origin.
        self._by_scope: Dict[int, str] = {}
        self._by_origin: Dict[int, str] = {}

    def learn(self, record: Record) -> None:
        """Takes the next record, if that is no event."""
        if record.kind == SESSION and not record.session.continues:
            self._begin()
        elif record.kind == ORIGIN:
            number, name = named(record)
            scope = scope_of(record)[0]
            # Each file names again those that live.
            known = self._by_scope.get(scope) if scope else self._by_origin.get(number)
            if known is None:
                count = self._counts[name] = self._counts.get(name, 0) + 1
                known = f"[{count}]" if count > 1 else ""
            self._by_origin[number] = known
            if scope:
                self._by_scope[scope] = known

    def of_origin(self, number: int) -> str:
        """What follows the name of an origin."""
        return self._by_origin.get(number, "")

    def of_scope(self, number: int) -> str:
        """What follows the name of a scope."""
        return self._by_scope.get(number, "")

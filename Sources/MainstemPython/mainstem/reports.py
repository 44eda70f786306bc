# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The library's own events: what it reports on the stream."""

from __future__ import annotations

from typing import Any, List

from .declaration import event
from .value import Notice


@event
class MainstemFailure(Notice):
    """The library's report of a subscription's 1st, 2nd, 4th, 8th … failure (law 7)."""

    type: str
    origin: Any
    code: int
    #: The member's name in journals, which never changes.
    sentence: str
    count: int

    @property
    def message(self) -> str:
        """What has failed, as in `Failure.message`."""
        return self.sentence


@event
class MainstemActivity(Notice):
    """The library's report that a request type is busy, or idle (count 0): `report_activity`."""

    type: str
    count: int


@event
class MainstemDenied(Notice):
    """The library's report of a scope's 1st, 2nd, 4th, 8th … call beyond its rights."""

    origin: str
    what: str
    type: str
    layer: str
    count: int


@event
class MainstemLimit(Notice):
    """The library's report of the 1st, 2nd, 4th, 8th … cascade cut at its limit (law 9)."""

    type: str
    origin: str
    limit: int
    chain: List[str]
    count: int


@event
class MainstemJournalFailed(Notice):
    """The library's report that writing a journal failed and its context goes on (law 10)."""

    path: str
    status: str
    written: int

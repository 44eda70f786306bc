# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Events that wait until they are fetched, many with one library call."""

from __future__ import annotations

import ctypes
from typing import Generic, Iterator, TypeVar

from ._batch import Buffer, Record
from ._library import C, whole
from ._library import _header as d
from ._protocols import ScopeLike
from .failure import Status, check
from .gap import gap_of
from .received import recorded
from .scheduler import POLICIES
from .statistics import SubscriptionStats, read_subscription_stats
from .subscription import Filter, Lost

_FIRST_SIZE = 1 << 16


Waiting = TypeVar("Waiting")


class Mailbox(Generic[Waiting]):
    """An observer without a function: its events wait until they are fetched.

    It ends by `cancel`, with its `with` block, or with its scope.
    """

    __slots__ = ("_buffer", "_declared", "_fetched", "_handle", "_lost", "_scope")

    def __init__(self, scope: ScopeLike, which: Filter, policy: str, limit: int) -> None:
        if policy not in POLICIES:
            raise ValueError(f"policy is one of {', '.join(POLICIES)}, not {policy!r}")
        options = which.options()
        options.flags &= ~d.OBSERVE_CONFIRM
        options.scheduler = d.SCHEDULER_HOST
        options.policy = POLICIES[policy]
        options.limit_events = whole(limit, "limit")
        handle = ctypes.c_void_p()
        check(
            C.mainstem_observe_with(
                scope.handle,
                ctypes.byref(options),
                d.EVENT_FN(),
                None,
                d.RELEASE_FN(),
                ctypes.byref(handle),
            )
        )
        self._scope = scope
        self._declared = which.declared
        which.queue = which.queue._replace(policy=POLICIES[policy])
        self._lost = Lost(which, self)
        self._handle = handle.value or 0
        self._buffer = Buffer(_FIRST_SIZE)
        self._fetched: Iterator[Record] = iter(())

    @property
    def handle(self) -> int:
        """The library's handle."""
        return self._handle

    def records(self) -> Iterator[Record]:
        """Yields each waiting event as its header and its payload: the fastest way.

        The header is a tuple in the order of `EventHeader`; a loss has the flag EVENT_GAP. If you
        stop early, the next call goes on from there.
        """
        while True:
            yield from self._fetched
            self._fetch()
            record = next(self._fetched, None)
            if record is None:
                return
            yield record

    def events(self) -> Iterator[Waiting]:
        """Yields each waiting event as an observer would get it; tells `on_gap` of lost ones."""
        for header, data in self.records():
            if header[10] & d.EVENT_GAP:
                self._lost.tell(gap_of(data))
            else:
                yield recorded(self._scope, header, data, self._declared)

    def stats(self) -> SubscriptionStats:
        """Reads the mailbox's counters. Any thread may call this."""
        return read_subscription_stats(self._handle)

    def cancel(self) -> None:
        """Ends the mailbox and drops waiting events. Never waits. Does nothing if it has ended."""
        status = C.mainstem_cancel(self._handle)
        self._scope.context.thrown.returned(0 if status == Status.STALE else status)

    def __enter__(self) -> "Mailbox[Waiting]":
        return self

    def __exit__(self, *exception: object) -> None:
        self.cancel()

    def _fetch(self) -> None:
        # Stored first: an exception from a callback this call ran must not lose fetched events.
        self._fetched = iter(self._buffer.fill(C.mainstem_mailbox_take, self._handle))
        self._scope.context.thrown.raise_caught()

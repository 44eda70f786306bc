# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Events as an async iterator: they wait in the library's queue until asked for."""

from __future__ import annotations

import asyncio
import collections
from typing import TYPE_CHECKING, Any, Callable, Deque, Generic, Optional, Tuple, TypeVar

from ._library._header import QUEUE_LATEST
from .events._catalogue import ScopeLike
from .events._received import Event, Gap
from .observers._subscription import Filter, Lost, Taken

#: How many events are asked for at once: enough that the calls into the library cost little.
_BATCH = 64


#: What has arrived: how many up to this one, how many of those are events, and its place.
_Arrival = Tuple[int, int, int]


Arriving = TypeVar("Arriving")


class EventIterator(Generic[Arriving]):
    """`async for` yields the events since it was made; `async with` ends it."""

    def __init__(self, scope: ScopeLike, which: Filter, soon: Callable[..., None]) -> None:
        which.queue = which.queue._replace(on_demand=True)
        # With the policy "latest" nothing is asked for ahead: it would be out of date.
        self._batch = 1 if which.queue.policy == QUEUE_LATEST else _BATCH
        self._count = which.count
        self._waiting: Deque[Tuple[_Arrival, Any]] = collections.deque()
        self._asked = 0
        self._last: _Arrival = (0, 0, 0)
        self._keeps = False
        self._arrived: Optional[asyncio.Event] = None
        self._soon = soon
        self._lost = Lost(which, self)
        self.subscription = Taken(scope, self._take, which, self._ended)

    def cancel(self) -> None:
        """Ends the iterator (law 5): waiting events are dropped, and the iteration stops."""
        self.subscription.cancel()

    def take_rest(self) -> None:
        """Prepares for the context's close: the next drain brings all that waits, to read later."""
        self._keeps = True
        self._ask(1 << 32)

    async def __aenter__(self) -> "EventIterator[Arriving]":
        return self

    async def __aexit__(self, *exception: object) -> None:
        self.cancel()

    if not TYPE_CHECKING:

        def __iter__(self) -> None:
            raise TypeError("events() are awaited: use `async for`")

        def __enter__(self) -> None:
            raise TypeError("events() end in the loop: use `async with`")

        def __exit__(self, *exception: object) -> None: ...

    def __aiter__(self) -> "EventIterator[Arriving]":
        return self

    async def __anext__(self) -> Arriving:
        while True:
            while not self._waiting:
                if self.subscription.released:
                    raise StopAsyncIteration
                if self._asked <= self._last[0]:
                    self._ask(self._batch)
                await self._arrival()
            value: Arriving = self._waiting.popleft()[1]
            if not isinstance(value, Gap):
                return value
            self._lost.tell(value)

    async def _arrival(self) -> None:
        """Waits until something arrives or it ends; returns at once if that may have happened."""
        # Another thread tells only what it sees is not told yet. So look again after each change.
        if self._arrived is None:
            self._arrived = asyncio.Event()
        elif self._arrived.is_set():
            self._arrived.clear()
        else:
            await self._arrived.wait()

    def _ask(self, count: int) -> None:
        # In this order: an interrupt in between makes it ask for too many, never for too few.
        self.subscription.demand(count)
        self._asked += count

    def _take(self, event: Event, value: Any) -> None:
        """Takes the next arrival; called again for it after an interrupt at any line here."""
        # The position of an event; of a gap the last, below 0.
        place = -value.last if isinstance(value, Gap) else event._facts[0]
        last, waiting = self._last, self._waiting
        if place != last[2]:
            if not waiting or waiting[-1][0][2] != place:
                waiting.append(((last[0] + 1, last[1] + (place > 0), place), value))
            self._last = waiting[-1][0]
        self._wake()

    def _ended(self) -> None:
        if not self._keeps and not (self._count and self._count == self._last[1]):
            self._waiting.clear()
        self._wake()

    def _wake(self) -> None:
        # Once for all that arrive before it is looked at.
        if self._arrived is not None and not self._arrived.is_set():
            self._soon(self._arrived.set)

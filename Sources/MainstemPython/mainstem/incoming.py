# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Events as an async iterator, bounded."""

from __future__ import annotations

import asyncio
import collections
from typing import TYPE_CHECKING, Any, Deque, Optional

from .gap import Gap
from .received import event_of
from .subscription import Subscription

if TYPE_CHECKING:
    from .context import Context
    from .subscription import Filter


class Incoming:
    """`async for` gives events from the moment it was made; `async with` ends it."""

    def __init__(
        self, context: "Context", which: "Filter", limit: int, loop: asyncio.AbstractEventLoop
    ) -> None:
        if limit < 1:
            raise ValueError("limit: at least 1")
        self._waiting: Deque[Any] = collections.deque()
        self._limit = limit
        self._gap: Optional[Gap] = None
        self._ended = False
        self._arrived = asyncio.Event()
        self._loop = loop
        self._subscription = Subscription(context, self._take, which, self._wake)

    def cancel(self) -> None:
        """Ends it: what waits can still be taken, then the iteration stops."""
        self._subscription.cancel()
        self._ended = True
        self._wake()

    async def __aenter__(self) -> "Incoming":
        return self

    async def __aexit__(self, *exception: object) -> None:
        self.cancel()

    def __aiter__(self) -> "Incoming":
        return self

    async def __anext__(self) -> Any:
        while True:
            if self._gap is not None:
                gap, self._gap = self._gap, None
                return gap
            if self._waiting:
                return self._waiting.popleft()
            if self._ended or self._subscription.released:
                raise StopAsyncIteration
            self._arrived.clear()
            await self._arrived.wait()

    def _take(self, event: Any) -> None:
        if len(self._waiting) >= self._limit:
            lost = event_of(self._waiting.popleft()).position
            gap = self._gap or Gap(lost, lost, 0)
            self._gap = Gap(gap.first, lost, gap.count + 1)
        self._waiting.append(event)
        self._wake()

    def _wake(self) -> None:
        # An any-thread context may deliver on another thread; the loop is woken from there too.
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._arrived.set)

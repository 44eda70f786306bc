# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Events as an async iterator: they wait in the library's queue until they are asked for."""

from __future__ import annotations

import asyncio
import collections
from typing import TYPE_CHECKING, Any, Deque, Optional

from ._declarations import QUEUE_LATEST
from .gap import Gap
from .subscription import Subscription

if TYPE_CHECKING:
    from .loop import Loop
    from .scope import Scope
    from .subscription import Filter

#: How many are asked for at once: enough to make the way to the library and back cheap.
_BATCH = 64


class Incoming:
    """`async for` gives events from the moment it was made; `async with` ends it."""

    def __init__(self, scope: "Scope", which: "Filter", loop: "Loop") -> None:
        which.queue = which.queue._replace(on_demand=True)
        # Of what is told only as it is now, nothing is taken beforehand.
        self._batch = 1 if which.queue.policy == QUEUE_LATEST else _BATCH
        self._left = which.count or -1
        self._waiting: Deque[Any] = collections.deque()
        self._asked = 0
        self._keeps = False
        self._arrived: Optional[asyncio.Event] = None
        self._loop = loop
        self.subscription = Subscription(scope, self._take, which, self._ended)

    def cancel(self) -> None:
        """Ends it (law 5): what waits is dropped, the iteration stops."""
        self.subscription.cancel()

    def take_rest(self) -> None:
        """Its context closes: the next drain brings what waits, and it can still be taken."""
        self._keeps = True
        self._ask(1 << 32)

    async def __aenter__(self) -> "Incoming":
        return self

    async def __aexit__(self, *exception: object) -> None:
        self.cancel()

    def __aiter__(self) -> "Incoming":
        return self

    async def __anext__(self) -> Any:
        self._arrived = self._arrived or asyncio.Event()
        while not self._waiting:
            if self.subscription.released:
                raise StopAsyncIteration
            if self._asked == 0:
                self._ask(self._batch)
            self._arrived.clear()
            await self._arrived.wait()
        return self._waiting.popleft()

    def _ask(self, count: int) -> None:
        self._asked += count
        self.subscription.ask(count)

    def _take(self, event: Any) -> None:
        self._asked -= 1
        self._left -= not isinstance(event, Gap)
        self._waiting.append(event)
        self._wake()

    def _ended(self) -> None:
        if not self._keeps and self._left != 0:
            self._waiting.clear()
        self._wake()

    def _wake(self) -> None:
        if self._arrived is not None:
            self._loop.soon(self._arrived.set)

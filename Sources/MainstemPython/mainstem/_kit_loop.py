# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The part of the test kit that is about asyncio: a loop whose clock is the context's."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import selectors
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Tuple

from .aio import Loop
from .events._received import Event

if TYPE_CHECKING:
    from .events._catalogue import ContextLike


class _Selector(selectors.BaseSelector):
    """A selector that never waits for time: where it would, nothing is left to be run now.

    It waits only for threads that the loop has started, such as those of `asyncio.to_thread`.
    """

    def __init__(self) -> None:
        self._inner = selectors.DefaultSelector()
        self.idle: Callable[[], None] = self.close
        self.outside: Callable[[], int] = lambda: 0

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self._inner.register(fileobj, events, data)

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self._inner.unregister(fileobj)

    def modify(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self._inner.modify(fileobj, events, data)

    def select(self, timeout: Optional[float] = None) -> List[Tuple[selectors.SelectorKey, int]]:
        is_idle = timeout is None or timeout > 0
        ready = self._inner.select(None if is_idle and self.outside() else 0)
        if is_idle and not ready:
            self.idle()
        return ready

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return self._inner.get_map()

    def close(self) -> None:
        self._inner.close()


class VirtualLoop(asyncio.SelectorEventLoop):
    """An asyncio loop whose time is that of a test."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._selects = _Selector()
        self._now = now
        self._timers: List[Tuple[float, int, asyncio.TimerHandle]] = []
        self._armed = self._threads = 0
        super().__init__(self._selects)
        self._selects.idle = self.stop
        self._selects.outside = lambda: self._threads

    def time(self) -> float:
        """The test's time, in seconds."""
        return self._now()

    def call_at(  # type: ignore[override]
        self, when: float, callback: Any, *args: Any, context: Any = None
    ) -> asyncio.TimerHandle:
        """Notes when it comes, beside what a loop does."""
        handle = super().call_at(when, callback, *args, context=context)
        self._armed += 1
        heapq.heappush(self._timers, (when, self._armed, handle))
        return handle

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Any, *args: Any
    ) -> Any:
        """Notes that a thread is at work: what waits for it is not over."""
        future = super().run_in_executor(executor, func, *args)
        self._threads += 1
        future.add_done_callback(self._is_back)
        return future

    def _is_back(self, _: Any) -> None:
        self._threads -= 1

    def next_time(self) -> Optional[float]:
        """When its next timer comes; None: it has none."""
        while self._timers and (
            self._timers[0][2].cancelled() or self._timers[0][0] <= self._now()
        ):
            heapq.heappop(self._timers)
        return self._timers[0][0] if self._timers else None


class TestLoop(Loop):
    """Ties a test's context to a loop that runs when the test moves time."""

    __test__ = False

    def __init__(self, context: "ContextLike", now: Callable[[], float]) -> None:
        with contextlib.suppress(RuntimeError):
            asyncio.get_running_loop()
            raise TypeError(
                "another loop runs this test: with async handlers a test is a plain function, not"
                " an async def, since its time is virtual"
            )
        self.virtual = VirtualLoop(now)
        self._answering: Dict["asyncio.Task[Any]", Event] = {}
        super().__init__(context, self.virtual)

    def is_running(self) -> bool:
        """Whether this is code that the loop runs."""
        return self.virtual.is_running()

    def is_busy(self) -> bool:
        """Whether an async function has not come to its end."""
        return bool(self._tasks)

    def unended(self) -> List[Event]:
        """The requests whose async handlers have not ended, although nothing tracks them."""
        return [event for event in self._answering.values() if not event.tracked]

    def _begin_answer(self, handler: Any, owed: Any) -> None:
        before = set(self._tasks)
        super()._begin_answer(handler, owed)
        for task in self._tasks - before:
            self._answering[task] = owed.kept.event
            task.add_done_callback(self._answering.pop)

    def run_ready(self) -> None:
        """Runs everything that is ready now."""
        self.virtual.run_forever()

    def next_time(self) -> Optional[float]:
        """When the next timer of the loop comes; None: it has none."""
        return self.virtual.next_time()

    def finish(self) -> None:
        """Ends its tasks; what they still owe is answered by the context's close."""
        self.is_ending = True
        for task in list(self._tasks):
            task.cancel()
        self.run_ready()
        self.virtual.run_until_complete(self.virtual.shutdown_asyncgens())
        self.virtual.close()

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The part of a test context that is about time: it stands still until the test moves it."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import math
import selectors
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Tuple

from .._library import milliseconds_of
from ..aio import Loop
from ..context._context import Context
from ..events._received import Event, Retained
from ..failure import MainstemError, Status
from ..servers._requests import Awaited, answer_or_raise
from ._transcript import After, Delayed, Transcript

if TYPE_CHECKING:
    from ..events._catalogue import ContextLike

__all__ = ["Timing"]


# The part of the test kit that is about asyncio: a loop whose clock is the context's --------------


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


# The part of a test context that is about time: it stands still until the test moves it -----------

#: A request still open after this many steps of time is never answered.
_STEPS = 20_000


class Timing(Context):
    """The part of a test context that is about time."""

    __slots__ = ("_delayed", "_numbers", "_transcript")

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._transcript = Transcript()
        self._delayed: List[Delayed] = []
        self._numbers = itertools.count()

    def _answer_later(self, request: Retained[Any], answer: After) -> None:
        due = self._time() + max(1, milliseconds_of(answer.seconds))
        heapq.heappush(self._delayed, Delayed(due, next(self._numbers), request, answer.answer))

    def _time(self) -> int:
        """Milliseconds of the virtual clock."""
        return round(self.now() * 1000)

    def advance(self, seconds: float = 0) -> None:
        """Moves the virtual clock forward and drains. 0 only drains.

        Everything that falls due happens, in order, including the delayed answers of stubs and what
        async handlers do: `await asyncio.sleep(5)` passes when the test has moved time by 5 s.
        """
        if seconds < 0:
            super().advance(seconds)
        target = self._time() + milliseconds_of(seconds)
        while True:
            self._run_loop()
            until = min([target, *self._comes()])
            super().advance(max(0, until - self._time()) / 1000)
            if not (self._run_loop() or self._give_due(until)) and until == target:
                return

    def _comes(self) -> List[int]:
        """When a stub's delayed answer comes, and the next timer of the loop."""
        comes = [delayed.due for delayed in self._delayed[:1]]
        timer = None if self._loop is None else self._virtual().next_time()
        if timer is not None:
            # What was due by now has run.
            comes.append(max(self._time() + 1, math.ceil(timer * 1000)))
        return comes

    def _run_loop(self) -> bool:
        """Does what async functions can do now. Returns whether they have done something."""
        if self._loop is None or self.thrown.inside():
            return False
        before, is_first = self.stats().events, True
        while is_first or self.next_timeout() == 0:
            if not is_first:
                super().advance(0)
            is_first = False
            self._virtual().run_ready()
            self.thrown.raise_caught()
        return self.stats().events != before

    def _virtual(self) -> TestLoop:
        assert isinstance(self._loop, TestLoop)
        return self._loop

    def _loop_or_refuse(self, what: str) -> Loop:
        """Makes the loop when the first async function needs it."""
        if self._loop is None:
            self._loop = TestLoop(self, self.now)
        return self._loop

    def _give_due(self, until: int) -> bool:
        """Gives the first delayed answer due by `until`, if there is one."""
        if not self._delayed or self._delayed[0].due > until:
            return False
        heapq.heappop(self._delayed).give()
        self.thrown.raise_caught()
        return True

    def _ask(
        self,
        scope: Any,
        number: int,
        payload: bytes,
        timeout: Optional[float],
        progress: Any,
        named: bool,
        share: bool,
    ) -> Any:
        """Sends a request, and moves time forward until the answer has come."""
        if self._loop is not None and self._virtual().is_running():
            return self._loop.ask(scope, number, payload, timeout, progress, named, share)
        if self.thrown.inside():
            raise MainstemError(
                Status.BUSY, "request: it waits, and this is a callback of the context: use then="
            )
        answers: List[Any] = []
        pending = Awaited(scope, answers.append, lambda: None, progress, named)
        ends = None if timeout is None else self._time() + max(1, milliseconds_of(timeout))
        try:
            pending.ask(number, payload, timeout, share)
            self._advance_until(lambda: bool(answers), ends)
        except BaseException:
            pending.give_up()
            raise
        if answers:
            return answer_or_raise(scope, number, answers[0], timeout)
        asked = self._transcript.events[pending.position - 1]
        pending.cancel()
        raise AssertionError(f"nobody answers {asked}, however far time moves on")

    def _advance_until(self, is_over: Callable[[], bool], ends: Optional[int]) -> None:
        steps = 0
        if self._loop is not None and not is_over():
            self.advance()
        while not is_over() and steps < _STEPS:
            self.advance(self._step(ends))
            steps += 1

    def _step(self, ends: Optional[int]) -> float:
        """How far to move time in one step without passing a delayed answer or the timeout."""
        comes = self._comes() + ([] if ends is None else [ends])
        step = min(comes, default=self._time() + 1) - self._time()
        # When a timer fires cannot be read from here, so with one armed time moves 1 ms at a time.
        return (min(step, 1) if self.stats().timers else max(0, step)) / 1000

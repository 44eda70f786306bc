# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""asyncio: a loop that drains a context, and events as an async iterator."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import functools
import threading
from typing import (
    TYPE_CHECKING,
    Any,
    Awaitable,
    Callable,
    Deque,
    Generic,
    List,
    Optional,
    Set,
    Tuple,
    TypeVar,
)

from ._library import _header as d
from ._library._header import QUEUE_LATEST
from ._library._interrupts import warn
from .events._catalogue import ContextLike, ScopeLike, WrongAnswer
from .events._received import Event, Gap, Retained, event_of
from .failure import Failure, MainstemError, Status
from .observers._calls import message_of
from .observers._subscription import Filter, Lost, Subscription, Taken
from .servers._requests import Awaited, failure_of, lost
from .servers._server import LATER, no_answer

__all__ = ["EventIterator"]


# Events as an async iterator: they wait in the library's queue until asked for --------------------

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


# asyncio: the loop polls one file descriptor of the context; handlers and observers are tasks -----

_LEFT_OUT = "an async observer cannot send in a replay: the journal has what it sent"

Async = Callable[[Any], Awaitable[Any]]


if TYPE_CHECKING:
    _Future = asyncio.Future[Any]
else:
    _Future = asyncio.Future


class PendingAnswer(_Future):
    """An answer that comes: await it."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the answer has not come yet: await the request to read its {name!r}")


class Loop:
    """Ties a context to the running loop, which drains it."""

    def __init__(
        self, context: ContextLike, loop: Optional[asyncio.AbstractEventLoop] = None
    ) -> None:
        self._context = context
        self._loop = loop or asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._tasks: Set["asyncio.Task[Any]"] = set()
        self._incoming: Set[EventIterator[Any]] = set()
        #: Whether it has warned about what a replay leaves out.
        self._has_warned = False
        self.is_ending = False
        # A loop that is given is not polled: its test drains.
        self._descriptor = -1
        if loop is None:
            self._descriptor = context.fileno()
            self._loop.add_reader(self._descriptor, self._readable)

    async def end(self) -> None:
        """Ends the context's tasks, also if the last drain raises.

        The close that follows answers open requests.
        """
        self.leave()
        try:
            if not self._context.closed:
                for incoming in self._incoming:
                    incoming.take_rest()
                self._context.drain()
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def leave(self) -> None:
        """Polls the descriptor no more: once it is closed, another file may get its number."""
        if threading.get_ident() == self._thread and not self.is_ending:
            self.is_ending = True
            if self._descriptor >= 0:
                self._loop.remove_reader(self._descriptor)

    def _readable(self) -> None:
        self._context.drain()

    def events(self, which: Filter) -> EventIterator[Any]:
        """Makes an iterator over the context's events, from now on."""
        incoming: EventIterator[Any] = EventIterator(self._context, which, self.soon)
        self._incoming = {one for one in self._incoming if not one.subscription.released}
        self._incoming.add(incoming)
        return incoming

    # Requests

    def ask(
        self,
        scope: ScopeLike,
        number: int,
        payload: bytes,
        timeout: Optional[float],
        progress: Any = None,
        named: bool = False,
        share: bool = False,
    ) -> "asyncio.Future[Any]":
        """Sends a request at once and returns a future. Cancelling it cancels the request."""
        future = PendingAnswer(loop=self._loop)
        answers: List[Any] = []

        # Called for the answer, and again when the request is over, since an interrupt can stop one
        # of the two calls.
        def settle() -> None:
            if future.done():
                return
            failure = (
                failure_of(scope, number, answers[0], timeout) if answers else lost(scope.context)
            )
            if failure is None:
                future.set_result(answers[0])
            else:
                future.set_exception(failure)

        def over() -> None:
            if self._context.any_thread:
                # RuntimeError: the loop is closed, so nobody waits.
                with contextlib.suppress(RuntimeError):
                    self._loop.call_soon_threadsafe(settle)
            else:
                settle()

        def answered(answer: Any) -> None:
            answers.append(answer)
            over()

        pending = Awaited(scope, answered, over, progress, named)
        try:
            pending.ask(number, payload, timeout, share)
        except BaseException:
            pending.give_up()
            raise
        if not future.done():
            future.add_done_callback(functools.partial(_asked, pending))
        return future

    # Async handlers

    def answering(self, handler: Async) -> Callable[[Any], Any]:
        """Wraps an async handler: starts a task for it, which answers when the handler returns.

        A replay does not call it: the journal has its answers.
        """

        def start(value: Any) -> Any:
            if self._context.replaying:
                return LATER
            event = event_of(value)
            owed = _Owed(self, event.retain(), isinstance(value, Event), handler)
            event.on_settled(owed.stop)
            self.soon(self._begin_answer, handler, owed)
            return LATER

        return start

    def _begin_answer(self, handler: Async, owed: "_Owed") -> None:
        task = self.start(self._answer(handler, owed))
        task.add_done_callback(lambda _: owed.end())
        owed.is_done_by(task)

    def cancel(self, task: "asyncio.Task[Any]") -> None:
        """Cancels a task of the loop, from any thread; on the loop's thread at once."""
        # RuntimeError: the loop is closed, and the task with it.
        with contextlib.suppress(RuntimeError):
            self.soon(task.cancel)

    async def _answer(self, handler: Async, owed: "_Owed") -> None:
        kept = owed.kept
        try:
            answer = await handler(owed.asked)
            if answer is None and kept.event.tracked and not kept.event.has_answered:
                raise WrongAnswer(no_answer(kept.event))
        except Failure as failure:
            answer = failure
        except Exception as exception:
            if isinstance(exception, WrongAnswer):
                exception.name(handler)
            self._context.thrown.report(exception, kept.value)
            answer = Failure(message_of(exception, kept.value))
        except BaseException as exception:
            # Cancelled, interrupted, or the end of the program.
            owed.settle(_failure_of(exception, kept.value))
            raise
        try:
            owed.settle(answer)
        finally:
            del answer

    # Async observers

    def observe(self, scope: ScopeLike, observer: Async, which: Filter) -> Subscription:
        """Adds an observer whose calls run in a task of the loop, one after the other."""
        if which.queue.scheduler != d.SCHEDULER_HOST:
            raise TypeError('an async def is called in the loop: on is "host"')
        incoming: EventIterator[Any] = EventIterator(scope, which, self.soon)
        self.soon(lambda: self.start(self._follow(incoming, observer)))
        return incoming.subscription

    async def _follow(self, incoming: EventIterator[Any], observer: Async) -> None:
        try:
            async for event in incoming:
                try:
                    await observer(event)
                except Exception as exception:
                    if self._is_left_out(exception):
                        self._warn_of_replay(observer)
                    else:
                        self._context.thrown.report(exception, event)
        except (KeyboardInterrupt, SystemExit):
            # They end the loop's run, but may be caught: a new task goes on with the next event.
            self.start(self._follow(incoming, observer))
            raise

    # Replay

    def _is_left_out(self, exception: Exception) -> bool:
        """Whether a replay refused it: what a task does is from outside, and in the journal."""
        return (
            isinstance(exception, MainstemError)
            and exception.status == Status.BUSY
            and self._context.replaying
        )

    def _warn_of_replay(self, observer: Async) -> None:
        """Warns once that a replay leaves out what async observers send."""
        if not self._has_warned:
            self._has_warned = True
            warn(_LEFT_OUT, observer)

    def soon(self, call: Callable[..., Any], *arguments: Any) -> None:
        """Calls at once on the loop's thread; from another thread, soon."""
        if threading.get_ident() == self._thread:
            call(*arguments)
        else:
            self._loop.call_soon_threadsafe(call, *arguments)

    def start(self, work: Any) -> "asyncio.Task[Any]":
        """Makes a task of the context, which ends with it at the latest."""
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _asked(pending: Awaited, future: Any) -> None:
    if future.cancelled() and not pending.answered:
        pending.give_up()


class _Owed:
    """A request that a task answers. However the task ends, the requester gets an answer."""

    __slots__ = ("_is_stopped", "_loop", "_task", "asked", "handler", "kept")

    def __init__(self, loop: Loop, kept: Retained[Any], named: bool, handler: Async) -> None:
        self._loop = loop
        self._task: Optional["asyncio.Task[Any]"] = None
        self._is_stopped = False
        self.handler = handler
        self.kept = kept
        #: What the handler gets: an object of the class, or for a name the Event.
        self.asked = kept.event if named else kept.value

    def is_done_by(self, task: "asyncio.Task[Any]") -> None:
        """Notes the task that answers, and cancels it if nobody waits any more."""
        self._task = task
        if self._is_stopped:
            task.cancel()

    def stop(self) -> None:
        """Cancels the task: somebody else has answered. Called on the context's thread."""
        self._is_stopped = True
        if self._task is not None:
            self._loop.cancel(self._task)

    def settle(self, answer: Any) -> None:
        """Gives the answer. If the context is ending, its close answers instead."""
        if self._loop.is_ending:
            # Not released: it is open, so that the close finds it.
            self.kept._handle = None
            return
        if answer is not None:
            self._respond(answer)
        self.kept.release()

    def _respond(self, answer: Any, is_last: bool = False) -> None:
        kept, thrown = self.kept, self.kept.event.scope.context.thrown
        try:
            kept.answer(answer)
            return
        except Exception as error:
            # Already answered, by another server or a timeout.
            if isinstance(error, MainstemError) and error.status == Status.STALE:
                return
            if isinstance(error, WrongAnswer):
                error.name(self.handler)
            thrown.report(error, kept.value)
            failure = Failure(message_of(error, kept.value))
        if not is_last:
            self._respond(failure, is_last=isinstance(answer, Failure))

    def end(self) -> None:
        """Fails the request if its task ended without an answer.

        An interrupt may have struck before the task's first line.
        """
        kept = getattr(self, "kept", None)
        if kept is not None and not kept.released:
            self.settle(Failure("an interrupt kept the handler from answering"))

    # An interrupt may even have struck before there was a task.
    __del__ = end


def _failure_of(exception: BaseException, value: Any) -> Failure:
    if isinstance(exception, asyncio.CancelledError):
        return Failure("the handler was cancelled", code=Status.CANCELLED)
    return Failure(message_of(exception, value))

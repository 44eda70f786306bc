# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""asyncio: the loop polls one file descriptor of the context; handlers and observers are tasks."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import threading
from typing import TYPE_CHECKING, Any, Awaitable, Callable, List, Optional, Set

from ._library import _header as d
from ._library._interrupts import warn
from .asking import lost
from .events._catalogue import ContextLike, ScopeLike, WrongAnswer
from .events._received import Event, Retained, event_of
from .failure import Failure, MainstemError, Status
from .incoming import EventIterator
from .observers._calls import message_of
from .observers._subscription import Filter, Subscription
from .pending import Awaited, failure_of
from .server import LATER, no_answer

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

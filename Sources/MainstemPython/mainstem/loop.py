# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""asyncio: one file descriptor of the context in the loop, handlers and observers as tasks."""

from __future__ import annotations

import asyncio
import functools
import threading
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, Optional, Sequence, Set

from . import _declarations as d
from .asking import answer_or_raise
from .failure import Failure, MainstemError
from .incoming import Incoming
from .pending import Pending
from .received import Retained, event_of
from .server import LATER
from .status import Status
from .subscription import Filter, Subscription
from .thrown import sentence_of

if TYPE_CHECKING:
    from .context import Context
    from .scheduler import Queue
    from .scope import Scope

Async = Callable[[Any], Awaitable[Any]]


class Loop:
    """What ties a context to the running loop: its host scheduler is drained here."""

    def __init__(self, context: "Context") -> None:
        self._context = context
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._descriptor = context.fileno()
        self._tasks: Set["asyncio.Task[Any]"] = set()
        self._answering_tasks: Dict[int, "asyncio.Task[Any]"] = {}
        self._incoming: Set[Incoming] = set()
        self._watches_answers = False
        self._loop.add_reader(self._descriptor, self._readable)

    async def end(self) -> None:
        """Ends what runs for the context; it is closed next, which answers what is open."""
        self._loop.remove_reader(self._descriptor)
        for incoming in self._incoming:
            incoming.take_rest()
        self._context.drain()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _readable(self) -> None:
        self._context.drain()

    def events(
        self, scope: "Scope", what: Sequence[Any], queue: "Queue", options: Dict[str, Any]
    ) -> Incoming:
        """An iterator over events, from now on."""
        count = 1 if options.pop("once", False) else options.pop("count", 0)
        arguments = {name: options.pop(name, None) for name in ("role", "layer", "status")}
        if options:
            raise TypeError(f"events() has no option {', '.join(options)}")
        which = scope._filter(what, **arguments)
        which.count = count
        which.queue = queue
        incoming = Incoming(scope, which, self)
        self._incoming = {one for one in self._incoming if not one.subscription.released}
        self._incoming.add(incoming)
        return incoming

    # Requests

    def ask(
        self,
        scope: "Scope",
        number: int,
        payload: bytes,
        timeout: Optional[float],
        progress: Any = None,
    ) -> "asyncio.Future[Any]":
        """Asks at once; the result is awaitable. Cancelling it cancels the request."""
        future: "asyncio.Future[Any]" = self._loop.create_future()

        def settle(answer: Any) -> None:
            if future.done():
                return
            try:
                future.set_result(answer_or_raise(scope, number, answer, timeout))
            except MainstemError as error:
                future.set_exception(error)

        def answered(answer: Any) -> None:
            if self._context.any_thread:
                self._loop.call_soon_threadsafe(settle, answer)
            else:
                settle(answer)

        pending = Pending(scope, number, payload, answered, progress, timeout)
        future.add_done_callback(functools.partial(_asked, pending))
        return future

    # Async handlers

    def _answering(self, handler: Async) -> Callable[[Any], Any]:
        """A handler that starts a task, which answers when the async one returns."""
        if not self._watches_answers:
            self._watches_answers = True
            self._context._subscribe(self._answered, Filter([], d.ROLE_RESPONSE, 0, 0, 0))

        def start(value: Any) -> Any:
            kept = event_of(value).retain()
            self.soon(self._begin_answer, handler, kept)
            return LATER

        return start

    def _begin_answer(self, handler: Async, kept: Retained) -> None:
        task = self._start(self._answer(handler, kept))
        self._answering_tasks[kept.event.position] = task

    async def _answer(self, handler: Async, kept: Retained) -> None:
        with kept:
            try:
                answer = await handler(kept.value)
                if answer is None and kept.event.tracked:
                    raise TypeError(
                        f"the handler of {kept.event.name} returned None, not its answer"
                    )
            except Failure as failure:
                answer = failure
            except Exception as exception:
                self._context.thrown.report(exception, kept.value)
                answer = Failure(sentence_of(exception, kept.value))
            finally:
                self._answering_tasks.pop(kept.event.position, None)
            self._respond(kept, answer)

    def _respond(self, kept: Retained, answer: Any) -> None:
        if answer is None:
            return
        try:
            kept.respond(answer)
        except MainstemError as error:
            if error.status != Status.STALE:
                self._context.thrown.report(error, kept.value)
        except TypeError as error:
            self._context.thrown.report(error, kept.value)
            kept.respond(Failure(sentence_of(error, kept.value)))

    def _answered(self, response: Any) -> None:
        """A request answered otherwise, by a time-out or another server, needs its task no more."""
        task = self._answering_tasks.pop(response.event.answers, None)
        if task is not None:
            self._loop.call_soon_threadsafe(task.cancel)

    # Async observers

    def observe(self, scope: "Scope", observer: Async, which: Filter) -> Subscription:
        """An observer whose calls run in a task of the loop, one after the other."""
        if which.queue.scheduler != d.SCHEDULER_HOST:
            raise TypeError('an async def is called in the loop: on is "host"')
        incoming = Incoming(scope, which, self)
        self.soon(lambda: self._start(self._follow(incoming, observer)))
        return incoming.subscription

    async def _follow(self, incoming: Incoming, observer: Async) -> None:
        async for event in incoming:
            try:
                await observer(event)
            except Exception as exception:
                self._context.thrown.report(exception, event)

    def soon(self, call: Callable[..., Any], *arguments: Any) -> None:
        """Calls now on the loop's thread, soon from another one."""
        if threading.get_ident() == self._thread:
            call(*arguments)
        else:
            self._loop.call_soon_threadsafe(call, *arguments)

    def _start(self, work: Any) -> "asyncio.Task[Any]":
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _asked(pending: Pending, future: Any) -> None:
    if future.cancelled() and not pending.answered:
        pending.cancel()

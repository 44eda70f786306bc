# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Steps of async commands: each runs inside the callback that brings what it awaited."""

from __future__ import annotations

import functools
import weakref
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Coroutine,
    Dict,
    Generator,
    Generic,
    List,
    Optional,
    Tuple,
    TypeVar,
)

from ._library import C
from .context._scope import Timer
from .failure import Cancelled, Failure, Status, again

if TYPE_CHECKING:
    from .live import Live

Answer = TypeVar("Answer")


class PendingAnswer(Generic[Answer]):
    """What a view model asked for. An async command awaits it."""

    __slots__ = (
        "__weakref__",
        "_failure",
        "_is_seen",
        "_live",
        "_resume",
        "_stop",
        "_value",
        "is_over",
    )

    #: Whether the answer has come.
    is_over: bool

    def __init__(self, live: "Live") -> None:
        self._live = live
        self._value: Any = None
        self._failure: Optional[BaseException] = None
        self._is_seen = True
        self._resume: List[Callable[[], None]] = []
        self._stop: Optional[Callable[[], object]] = None
        self.is_over = False

    def __await__(self) -> Generator[Any, None, Answer]:
        if not self.is_over:
            yield self
        self._is_seen = True
        if self._failure is not None:
            raise again(self._failure)
        answer: Answer = self._value
        return answer

    def stop_with(self, stop: Callable[[], object]) -> None:
        """Says how it is given up. That holds what settles it: without an answer, a cycle."""
        if not self.is_over:
            self._stop = stop

    def cancel(self) -> None:
        """Gives it up. Does nothing if the answer has come."""
        if not self.is_over and self._stop is not None:
            self._stop()

    def await_no_more(self, go_on: Callable[[], None]) -> None:
        """Forgets who awaits it. If nobody else does, it is given up."""
        if go_on in self._resume:
            self._resume.remove(go_on)
        if not self._resume:
            self.cancel()

    def settle(self, value: Any, failure: Optional[BaseException] = None) -> None:
        """Notes the answer, and goes on with the command that awaits it."""
        if self.is_over:
            return
        self._value, self._failure = value, failure
        self._is_seen = failure is None
        self.is_over = True
        self._stop = None
        resume, self._resume = self._resume, []
        for go_on in resume:
            go_on()
        if not self._is_seen:
            self._live.steps.has_failed(self)

    def tell(self) -> None:
        """Reports its failure, if nobody has got it. That it was given up is no failure."""
        failure, is_seen, self._is_seen = self._failure, self._is_seen, True
        if failure is None or is_seen:
            return
        if not isinstance(failure, Failure) or failure.status != Status.CANCELLED:
            self._live.context.thrown.report(failure, self._live.owner)

    # No error is silent. Nothing on the way of a request makes a cycle, so this comes at once.
    __del__ = tell


class Steps:
    """The async commands of a view model that are going on."""

    __slots__ = (
        "_answered",
        "_answers",
        "_count",
        "_failed",
        "_live",
        "_sleepers",
        "_type",
        "running",
    )

    def __init__(self, live: "Live") -> None:
        self._live = live
        self._count = 0
        #: What sleeps, and for how many seconds.
        self._sleepers: Dict[int, Tuple[PendingAnswer[None], float]] = {}
        self._type = 0
        self.running: List["Step"] = []
        #: What has failed, and may still be awaited.
        self._failed: List["weakref.ref[PendingAnswer[Any]]"] = []
        #: What other view models have answered, by the number that `Owner.request.answered` has.
        self._answers: Dict[int, Tuple[PendingAnswer[Any], Any, Optional[BaseException]]] = {}
        self._answered = 0

    def sleep(self, seconds: float) -> PendingAnswer[None]:
        """Arms a timer that goes on with who awaits it."""
        live = self._live
        if not self._type:
            self._type = live.own_notice("sleep", int)
            live.observe(self._type, self._wake, live.owner)
        self._count += 1
        asked: PendingAnswer[None] = PendingAnswer(live)
        data = self._count.to_bytes(8, "little")
        timer = Timer(live.owner, self._type, data, seconds, False)
        asked.stop_with(functools.partial(self._wake_never, self._count, timer))
        self._sleepers[self._count] = (asked, seconds)
        return asked

    def sleeps(self) -> List[float]:
        """For how many seconds each of its sleeps is."""
        return [seconds for _, seconds in self._sleepers.values()]

    def _wake_never(self, number: int, timer: Timer) -> None:
        sleeper = self._sleepers.pop(number, None)
        timer.cancel()
        if sleeper is not None:
            self._live.within(sleeper[0].settle, None, Cancelled("the sleep was cancelled"))

    def _wake(self, event: Any) -> None:
        sleeper = self._sleepers.pop(int.from_bytes(event.data, "little"), None)
        if sleeper is not None:
            self._live.within(sleeper[0].settle, None)

    def hear_answers(self) -> None:
        """Hears its own events for the answers of other view models."""
        if not self._answered:
            live = self._live
            self._answered = live.own_notice("request.answered", int)
            live.observe(self._answered, self._hear, live.owner)

    def settle(
        self, asked: PendingAnswer[Any], value: Any, failure: Optional[BaseException]
    ) -> None:
        """Settles what another view model has answered, with an event of this one."""
        self._count += 1
        data = self._count.to_bytes(8, "little")
        self._answers[self._count] = (asked, value, failure)
        if C.mainstem_send(self._live.owner.handle, self._answered, data, len(data)):
            # There is no room: it goes on at once, and shows after its next event.
            self._settle(self._count)

    def _hear(self, event: Any) -> None:
        self._settle(int.from_bytes(event.data, "little"))

    def _settle(self, number: int) -> None:
        asked, value, failure = self._answers.pop(number, (None, None, None))
        if asked is not None:
            self._live.within(asked.settle, value, failure)

    def has_failed(self, asked: PendingAnswer[Any]) -> None:
        """Reports a failure that nobody awaits: at once, unless an async command still may."""
        if not self.running:
            asked.tell()
        else:
            self._failed = [one for one in self._failed if one() is not None]
            self._failed.append(weakref.ref(asked))

    def is_over(self, step: "Step") -> None:
        """Notes that an async command has ended."""
        if step in self.running:
            self.running.remove(step)
        if not self.running and self._failed:
            failed, self._failed = self._failed, []
            for reference in failed:
                asked = reference()
                if asked is not None:
                    asked.tell()

    def end(self) -> None:
        """Ends all that is going on: the view model has ended."""
        for step in list(self.running):
            try:
                step.close()
            except Exception as exception:
                self._live.context.thrown.report(exception, self._live.owner)


class Step:
    """One async command that is going on: it takes its next step when what it awaits is there."""

    __slots__ = ("_awaits", "_coroutine", "_done", "_live", "_path", "is_over")

    def __init__(
        self,
        live: "Live",
        path: str,
        coroutine: Coroutine[Any, Any, Any],
        done: Callable[[Any, Optional[BaseException]], None],
    ) -> None:
        self._live = live
        self._path = path
        self._coroutine = coroutine
        self._done = done
        self._awaits: Optional[PendingAnswer[Any]] = None
        self.is_over = False
        live.steps.running.append(self)

    def go_on(self) -> None:
        """Runs it to where it awaits something, or to its end."""
        if self.is_over:
            return
        self._awaits = None
        wrong: List[BaseException] = []
        while True:
            try:
                if not wrong:
                    awaits = self._coroutine.send(None)
                else:
                    awaits = self._coroutine.throw(wrong.pop())
            except StopIteration as stop:
                self._end(stop.value, None)
                return
            except BaseException as exception:
                self._end(None, exception)
                return
            if isinstance(awaits, PendingAnswer) and awaits._live.context is self._live.context:
                self._awaits = awaits
                awaits._resume.append(self.go_on)
                return
            wrong.append(
                RuntimeError(
                    f"{self._path} awaits {_kind(awaits)}: a command awaits only what it asked"
                    " through self.request, a command of another view model, and self.sleep; what"
                    " the world answers belongs into a server"
                )
            )

    def stop(self) -> None:
        """Stops it where it is: nobody waits for it any more."""
        if self.is_over:
            return
        awaits, self._awaits = self._awaits, None
        if awaits is not None:
            awaits.await_no_more(self.go_on)
        self._live.within(self.close)

    def close(self) -> None:
        """Ends the coroutine: its `finally` runs."""
        self._is_ending()
        self._coroutine.close()

    def _is_ending(self) -> Callable[[Any, Optional[BaseException]], None]:
        """Lets go of everything. Returns what is to be told of the end."""
        self.is_over = True
        self._awaits = None
        # What gets the outcome holds this step.
        done, self._done = self._done, _nothing
        self._live.steps.is_over(self)
        return done

    def _end(self, value: Any, failure: Optional[BaseException]) -> None:
        try:
            self._is_ending()(value, failure)
        finally:
            del failure


def _nothing(*_: Any) -> None: ...


def _kind(awaits: Any) -> str:
    """What something that is awaited is called."""
    if awaits is None:
        return "the loop"
    if isinstance(awaits, PendingAnswer):
        return "what was asked in another context"
    return f"a {type(awaits).__name__}"

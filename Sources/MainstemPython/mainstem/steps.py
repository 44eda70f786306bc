# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Steps of async commands: each runs inside the callback that brings what it awaited."""

from __future__ import annotations

import functools
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

from ._declarations import C
from .failure import Failure
from .status import Status
from .timer import Timer

if TYPE_CHECKING:
    from .live import Live

Answer = TypeVar("Answer")


class Asked(Generic[Answer]):
    """What a view model asked for. An async command awaits it."""

    __slots__ = ("_failure", "_is_seen", "_live", "_resume", "_stop", "_value", "is_over")

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
            raise self._failure
        answer: Answer = self._value
        return answer

    def cancel(self) -> None:
        """Gives it up. Does nothing if the answer has come."""
        if not self.is_over and self._stop is not None:
            self._stop()

    def settle(self, value: Any, failure: Optional[BaseException] = None) -> None:
        """Notes the answer, and goes on with the command that awaits it."""
        if self.is_over:
            return
        self._value, self._failure = value, failure
        self._is_seen = failure is None
        self.is_over = True
        resume, self._resume = self._resume, []
        for go_on in resume:
            go_on()

    def __del__(self) -> None:
        # No error is silent; that it was given up is none.
        failure = self._failure
        if (
            failure is not None
            and not self._is_seen
            and not (isinstance(failure, Failure) and failure.status == Status.CANCELLED)
        ):
            self._live.context.thrown.report(failure, self._live.owner)


class Steps:
    """The async commands of a view model that are going on."""

    __slots__ = ("_count", "_live", "_answered", "_answers", "_sleepers", "_type", "running")

    def __init__(self, live: "Live") -> None:
        self._live = live
        self._count = 0
        self._sleepers: Dict[int, Asked[None]] = {}
        self._type = 0
        self.running: List["Step"] = []
        #: What other view models have answered, by the number that `Owner.request.answered` has.
        self._answers: Dict[int, Tuple[Asked[Any], Any, Optional[BaseException]]] = {}
        self._answered = 0

    def sleep(self, seconds: float) -> Asked[None]:
        """Arms a timer that goes on with who awaits it."""
        live = self._live
        if not self._type:
            self._type = live.own_notice("sleep", int)
            live.observe(self._type, self._wake, live.owner)
        self._count += 1
        asked: Asked[None] = Asked(live)
        data = self._count.to_bytes(8, "little")
        timer = Timer(live.owner, self._type, data, seconds, False)
        asked._stop = functools.partial(self._wake_never, self._count, timer)
        self._sleepers[self._count] = asked
        return asked

    def _wake_never(self, number: int, timer: Timer) -> None:
        self._sleepers.pop(number, None)
        timer.cancel()

    def _wake(self, event: Any) -> None:
        asked = self._sleepers.pop(int.from_bytes(event.data, "little"), None)
        if asked is not None:
            self._live.within(asked.settle, None)

    def hear_answers(self) -> None:
        """Hears its own events for the answers of other view models."""
        if not self._answered:
            live = self._live
            self._answered = live.own_notice("request.answered", int)
            live.observe(self._answered, self._hear, live.owner)

    def settle(self, asked: Asked[Any], value: Any, failure: Optional[BaseException]) -> None:
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
        self._awaits: Optional[Asked[Any]] = None
        self.is_over = False
        live.steps.running.append(self)

    def go_on(self) -> None:
        """Runs it to where it awaits something, or to its end."""
        if self.is_over:
            return
        self._awaits = None
        wrong: Optional[BaseException] = None
        while True:
            try:
                if wrong is None:
                    awaits = self._coroutine.send(None)
                else:
                    awaits = self._coroutine.throw(wrong)
            except StopIteration as stop:
                self._end(stop.value, None)
                return
            except BaseException as exception:
                self._end(None, exception)
                return
            if isinstance(awaits, Asked) and awaits._live.context is self._live.context:
                self._awaits = awaits
                awaits._resume.append(self.go_on)
                return
            wrong = RuntimeError(
                f"{self._path} awaits {_kind(awaits)}: a command awaits only what it asked through"
                " self.request, a command of another view model, and self.sleep; what the world"
                " answers belongs into a server"
            )

    def stop(self) -> None:
        """Stops it where it is: nobody waits for it any more."""
        if self.is_over:
            return
        awaits, self._awaits = self._awaits, None
        if awaits is not None:
            awaits._resume.clear()
            awaits.cancel()
        self._live.within(self.close)

    def close(self) -> None:
        """Ends the coroutine: its `finally` runs."""
        self._is_ending()
        self._coroutine.close()

    def _is_ending(self) -> None:
        self.is_over = True
        if self in self._live.steps.running:
            self._live.steps.running.remove(self)

    def _end(self, value: Any, failure: Optional[BaseException]) -> None:
        self._is_ending()
        self._done(value, failure)


def _kind(awaits: Any) -> str:
    """What something that is awaited is called."""
    if awaits is None:
        return "the loop"
    if isinstance(awaits, Asked):
        return "what was asked in another context"
    return f"a {type(awaits).__name__}"

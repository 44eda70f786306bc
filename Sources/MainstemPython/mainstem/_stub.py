# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Stubs: servers that give the answers a test has set."""

from __future__ import annotations

from typing import Any, Callable, List, NamedTuple, Optional

from .events._received import Retained, event_of
from .failure import Failure, MainstemError, Status, again, refuse_async
from .servers._server import LATER

#: An answer that never comes.
NEVER: Any = LATER


class After(NamedTuple):
    """An answer given `seconds` later, inside `advance`, from outside, as if from a network."""

    seconds: float
    answer: Any


class Stub:
    """A server that answers requests of one type; `requests` has those it got."""

    __slots__ = ("_answers", "_beyond", "_function", "_later", "_never", "kind", "requests")

    #: The requests it got, in order.
    requests: List[Any]

    def __init__(
        self, kind: str, answers: Any, later: Callable[[Retained[Any], After], None]
    ) -> None:
        #: Keeps a request, to answer it later.
        self._later = later
        self._function: Optional[Callable[[Any], Any]] = None
        self._answers: List[Any] = []
        self._beyond = 0
        #: The requests that are never answered: one that nobody keeps would be.
        self._never: List[Retained[Any]] = []
        if isinstance(answers, (list, tuple)) and not isinstance(answers, After):
            self._answers = list(answers)
        elif callable(answers):
            refuse_async(answers, "a stub's function")
            self._function = answers
        else:
            self._answers = [answers]
        self.kind = kind
        self.requests = []

    @property
    def calls(self) -> int:
        """How often it was asked."""
        return len(self.requests)

    def left(self) -> List[str]:
        """Says if it was asked more or less often than it has answers."""
        if self._beyond:
            return [self._told(f"{self._beyond} more than it has answers")]
        if self._answers:
            return [self._told(f"and has {len(self._answers)} answers left")]
        return []

    def _told(self, what: str) -> str:
        return f"the stub of {self.kind} was asked {self.calls} times, {what}"

    def answer(self, request: Any) -> Any:
        """Handles a request."""
        self.requests.append(request)
        answer = self._next(request)
        if isinstance(answer, After):
            self._later(event_of(request).retain(), answer)
            return LATER
        if answer is NEVER:
            self._never.append(event_of(request).retain())
        if isinstance(answer, Failure):
            raise again(answer)
        return answer

    def _next(self, request: Any) -> Any:
        if self._function is not None:
            return self._function(request)
        if not self._answers:
            self._beyond += 1
            return Failure("the stub has no answer left")
        return self._answers.pop(0)


class Delayed(NamedTuple):
    """A delayed answer."""

    due: int
    number: int
    request: Retained[Any]
    answer: Any

    def give(self) -> None:
        """Gives the answer. It is not an error if the request has been answered otherwise."""
        try:
            self.request.answer(self.answer)
        except MainstemError as error:
            if error.status != Status.STALE:
                raise
        finally:
            self.request.release()

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Two contexts in one thread, one that asks and one that is asked, with a server between them."""

from __future__ import annotations

import contextlib
import select
from typing import Any, Callable, Iterator, List, NamedTuple

import mainstem
from mainstem import Failure, Notice, Request, Response, nats

#: Seconds after which a test has failed.
PATIENCE = 40


@mainstem.event(payload=bytes)
class ResponseTotal(Response):
    what: bytes


@mainstem.event(payload=bytes)
class RequestTotal(Request[ResponseTotal]):
    what: bytes


@mainstem.event(payload=int)
class Step(Notice):
    number: int


def context(**options: Any) -> mainstem.Context:
    """A context that knows the events above."""
    made = mainstem.Context(**options)
    made.register(RequestTotal, ResponseTotal, Step)
    return made


def until(happened: Callable[[], Any], *contexts: mainstem.Context) -> Any:
    """Lets the contexts run until something has happened, and returns it."""
    for _ in range(PATIENCE * 20):
        value = happened()
        if value:
            return value
        select.select(contexts, [], [], 0.05)
        for each in contexts:
            each.drain()
    raise AssertionError("it did not happen")


class Asked:
    """What became of a request."""

    def __init__(self, asker: Any, event: Any, **options: Any) -> None:
        self.answers: List[Any] = []
        self.steps: List[int] = []
        note = self.answers.append
        options.setdefault("progress", lambda step: self.steps.append(step.number))
        self.pending = asker.request(event, then=note, failed=note, **options)

    @property
    def failure(self) -> Failure:
        """That of a request that has failed."""
        (answer,) = self.answers
        assert isinstance(answer, Failure), answer
        return answer


class Pair(NamedTuple):
    """Both sides."""

    here: mainstem.Context
    there: mainstem.Context
    forward: nats.Bridge
    serving: nats.Bridge

    def ask(self, what: bytes, **options: Any) -> Asked:
        """Asks on this side."""
        return Asked(self.here, RequestTotal(what), **options)

    def until(self, happened: Callable[[], Any]) -> Any:
        """Lets both run until something has happened."""
        return until(happened, self.here, self.there)

    def answer(self, what: bytes, **options: Any) -> Any:
        """Asks, and returns what came."""
        asked = self.ask(what, **options)
        self.until(lambda: asked.answers)
        return asked.answers[0]


@contextlib.contextmanager
def pair(
    url: str, handler: Any, here: Any = None, there: Any = None, **options: Any
) -> Iterator[Pair]:
    """Both sides, connected, and closed at the end."""
    with here or context() as one, there or context() as other:
        other.serve(RequestTotal, handler)
        of_forward = {key: value for key, value in options.items() if key != "queue"}
        of_serving = {key: value for key, value in options.items() if key != "on"}
        with nats.serve(other, RequestTotal, url, **of_serving) as serving, nats.forward(
            one, RequestTotal, url, **of_forward
        ) as forward:
            serving.flush(PATIENCE)
            forward.flush(PATIENCE)
            yield Pair(one, other, forward, serving)


def echo(request: Any) -> ResponseTotal:
    """Answers with what was asked."""
    return ResponseTotal(request.what)


def keeping() -> Any:
    """A handler that keeps its requests, and notes which nobody waits for any more."""

    def keep(request: Any) -> Any:
        event = request.event
        keep.kept.append(event.retain())
        event.on_settled(lambda: keep.settled.append(request.what))
        return mainstem.LATER

    keep.kept, keep.settled = [], []
    return keep

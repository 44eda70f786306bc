#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Analytics: a part of a program that observes its events and reports some of them.

It is a scope like any other. It observes, and it may send events of its own layer only. So it
cannot change what the program does, and the program is the same without it. Its events wait in a
bounded queue that drops the oldest first, so the program never waits for it. Analytics.swift is the
same for app cores in Swift. Run it with: python3 analytics.py
"""

from __future__ import annotations

import json
import sys
from typing import Any, Callable, Dict, List, Optional, Sequence

import mainstem
from mainstem import Failure, Gap, MainstemError, Notice, Request, Response, Status

#: What a rule tells about an event; None: nothing.
Rule = Callable[[Any], Optional[Dict[str, Any]]]


@mainstem.event(layer="analytics")
class ResponseUploaded(Response):
    batch: str


@mainstem.event(layer="analytics")
class RequestUpload(Request[ResponseUploaded]):
    """Asks the host to upload a batch. Asked again, it is the same batch: its name says so."""

    batch: str
    records: List[Dict[str, Any]]


@mainstem.event(layer="analytics", record="none")
class NoticeUploadDue(Notice):
    """What waits is to be uploaded now. A program sends it before it ends."""


class Analytics:
    """Maps events by rules, collects the records, and uploads them in batches, one at a time."""

    def __init__(
        self,
        context: mainstem.Context,
        rules: Dict[type, Rule],
        *,
        size: int = 20,
        seconds: float = 30,
        timeout: float = 60,
        retry: Sequence[float] = (1, 5, 30),
        keep: int = 1000,
        hidden: Sequence[str] = ("password", "token"),
    ) -> None:
        self.scope = context.scope("Analytics", sends="analytics")
        self.rules = {kind.__name__: rule for kind, rule in rules.items()}
        self.size, self.seconds, self.keep = size, seconds, keep
        self.timeout, self.retry = timeout, retry
        self.hidden = frozenset(hidden)
        self.waiting: List[Dict[str, Any]] = []
        self.lost = 0
        #: The batch being uploaded, until it has arrived, and whether a request for it is open.
        self._batch: Optional[RequestUpload] = None
        self._is_asked = False
        self._attempts = 0
        #: Whether all that waits is to be uploaded, and not only full batches.
        self._is_due = False
        self._timer: Optional[mainstem.Timer] = None
        context.register(RequestUpload)
        look = self.scope.observe(
            *rules, on="host", policy="drop-oldest", limit=keep, on_gap=self._lose
        )
        look(self._look)
        self.scope.observe(NoticeUploadDue, self._due)

    def end(self) -> None:
        """Stops observing. What has not been uploaded is lost."""
        self.scope.end()

    # Looking

    def _look(self, event: Any) -> None:
        # Of a secret, only that it happened is told: no rule sees it.
        properties = {} if event.secret else self.rules[event.event.name](event)
        if properties is None:
            return
        record = {"event": event.event.name, "at": event.position, **self._redacted(properties)}
        self.waiting.append(record)
        if len(self.waiting) > self.keep:
            del self.waiting[0]
            self.lost += 1
        self._go_on()

    def _lose(self, gap: Gap) -> None:
        self.lost += gap.count

    def _redacted(self, value: Any) -> Any:
        """The parts that may leave the program, whatever a rule has let through."""
        if isinstance(value, dict):
            return {k: self._redacted(v) for k, v in value.items() if k not in self.hidden}
        return [self._redacted(each) for each in value] if isinstance(value, list) else value

    # Uploading

    def _go_on(self) -> None:
        """Uploads a full batch at once, and any other when its time has come."""
        if self._batch is not None:
            return
        if not self.waiting:
            self._is_due = False
        elif self._is_due or len(self.waiting) >= self.size:
            self._upload()
        elif self._timer is None:
            self._wait(self.seconds)

    def _wait(self, seconds: float) -> None:
        self._timer = self.scope.send_after(seconds, NoticeUploadDue())

    def _due(self, _: NoticeUploadDue) -> None:
        self._is_due = True
        if self._batch is None:
            self._go_on()
        elif not self._is_asked:
            self._upload()

    def _upload(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._batch is None:
            records, self.waiting = self.waiting[: self.size], self.waiting[self.size :]
            if self.lost:
                records.append({"event": "lost", "count": self.lost})
                self.lost = 0
            self._batch = RequestUpload(self.scope.context.id(), records)
        self._is_asked = True
        self.scope.request(
            self._batch, then=self._uploaded, failed=self._refused, timeout=self.timeout
        )

    def _refused(self, failure: Failure) -> None:
        # The same batch again before any other, so that each comes once and in order.
        self._is_asked = self._is_due = False
        try:
            self._wait(self.retry[min(self._attempts, len(self.retry) - 1)])
        except MainstemError as error:
            if error.status != Status.STALE:  # it has ended, and the upload with it
                raise
        self._attempts += 1

    def _uploaded(self, answer: ResponseUploaded) -> None:
        self._is_asked = False
        self._batch, self._attempts = None, 0
        self._go_on()


# A program to look at.


@mainstem.event(secret=True)
class ResponseSession(Response):
    token: str


@mainstem.event(secret=True)
class RequestSignIn(Request[ResponseSession]):
    password: str


@mainstem.event
class NoticeOpened(Notice):
    page: str
    seconds: float


RULES: Dict[type, Rule] = {
    RequestSignIn: lambda event: {"password": event.password},
    NoticeOpened: lambda event: {"page": event.page} if event.seconds >= 1 else None,
}


def main() -> None:
    with mainstem.Context(raises=True) as context:
        context.trace(lambda line: print(line, file=sys.stderr))
        refusals = iter([Failure("OFFLINE"), Failure("OFFLINE")])
        uploaded: List[Any] = []

        def upload(request: RequestUpload) -> ResponseUploaded:
            failure = next(refusals, None)
            if failure is not None:
                raise failure
            uploaded.extend(request.records)
            return ResponseUploaded(request.batch)

        context.serve(RequestUpload, upload, name="Uploader")
        context.serve(RequestSignIn, lambda _: ResponseSession("t-4711"), name="Session")
        with Analytics(context, RULES, size=2, seconds=0.05, retry=(0.01,)).scope:
            context.request(RequestSignIn("opensesame"))
            for page, seconds in (("home", 3.5), ("help", 0.2), ("lists", 12.0)):
                context.send(NoticeOpened(page, seconds))
            while len(uploaded) < 3:
                context.wait()
        for record in uploaded:
            print(json.dumps(record))


if __name__ == "__main__":
    main()

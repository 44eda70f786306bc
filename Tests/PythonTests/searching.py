# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The events of the tests of mainstem.rx."""

from __future__ import annotations

from typing import Any, List, Tuple

import mainstem
from mainstem import Notice, Request, Response


@mainstem.event(payload=str)
class Typed(Notice):
    text: str


@mainstem.event(payload=str)
class Settled(Notice):
    text: str


@mainstem.event
class Looked(Notice):
    places: int


@mainstem.event
class ResponseSearch(Response):
    found: Tuple[str, ...]


@mainstem.event
class RequestSearch(Request[ResponseSearch]):
    text: str


class Librarian:
    """Keeps its requests, so that a test answers them."""

    def __init__(self) -> None:
        self.requests: List[Any] = []
        self.settled = 0

    @mainstem.handles(RequestSearch)
    def search(self, request: RequestSearch) -> Any:
        self.requests.append(request.event.retain())
        request.event.on_settled(self.settle)
        return mainstem.LATER

    def settle(self) -> None:
        self.settled += 1


class Heard:
    """What an observable sent: next, completed and failed."""

    def __init__(self, source: Any, **options: Any) -> None:
        self.all: List[Any] = []
        self.run = source.subscribe(
            self.all.append,
            lambda error: self.all.append(("failed", error)),
            lambda: self.all.append("completed"),
            **options,
        )

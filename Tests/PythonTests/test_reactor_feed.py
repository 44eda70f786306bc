# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A-40: a reactor that loads pages, and what a service keeps for it."""

from __future__ import annotations

import contextlib
from typing import Any, List

import mainstem
import pytest
from mainstem import Status
from reactors import Feed, RequestPage, ResponsePage


def test_a_40_pages_replace_are_appended_come_once_and_too_late() -> None:
    with mainstem.Context(raises=True) as context:
        waiting: List[Any] = []
        asked: List[int] = []

        @context.serve(RequestPage)
        def keep(request: RequestPage) -> Any:
            asked.append(request.number)
            waiting.append(request.event.retain())
            return mainstem.LATER

        def page(text: str) -> None:
            with contextlib.suppress(mainstem.MainstemError):  # Nobody waits for it any more.
                waiting.pop(0).respond(ResponsePage(text))

        def refused(run: Any) -> int:
            with pytest.raises(mainstem.MainstemError) as caught:
                run()
            return caught.value.status

        feed = context.open(Feed())
        view = feed.bind()
        assert refused(view.more) == Status.DISABLED
        view.refresh()
        page("a,b")
        view.more()
        assert [refused(view.more) for _ in range(3)] == [Status.EXECUTING] * 3
        page("c")
        assert (view.items, asked) == ("a,b,c", [1, 2])
        view.more()
        view.refresh()
        assert (view.is_loading, view.is_loading_more) == (True, False)
        page("late")
        assert view.items == "a,b,c"
        page("d")
        assert (view.items, view.is_loading) == ("d", False)
        view.more()
        page("")
        assert (view.items, view.no_more) == ("d", True)
        assert refused(view.more) == Status.DISABLED
        assert asked == [1, 2, 3, 1, 2]


def test_a_40_a_feed_that_ends_is_opened_as_new() -> None:
    with mainstem.Context(raises=True) as context:
        asked: List[RequestPage] = []

        @context.serve(RequestPage)
        def answer(request: RequestPage) -> ResponsePage:
            asked.append(request)
            return ResponsePage("a,b")

        feed = context.open(Feed())
        feed.bind().refresh()
        assert (feed.items, feed.can_more) == ("a,b", True)
        feed.scope.end()
        feed = context.open(Feed())
        assert (feed.items, feed.can_more) == ("", False)
        assert asked == [RequestPage(1)]


class Shelf:
    """A service: it has the pages, and counts who asked."""

    def __init__(self) -> None:
        self.calls = 0

    @mainstem.handles(RequestPage)
    def page(self, request: RequestPage) -> ResponsePage:
        self.calls += 1
        return ResponsePage(f"page {request.number}")

    @mainstem.show_function
    def show(self, server: Any) -> None:
        server.set("Shelf.calls", str(self.calls))


def test_a_40_what_a_service_knows_outlives_the_feed() -> None:
    with mainstem.Context(raises=True) as context:
        context.add_type("Shelf.calls", str, role="value")
        context.service(Shelf)
        feed = context.open(Feed())
        view = feed.bind()
        view.refresh()
        view.more()
        assert feed.items == "page 1,page 2"
        mainstem.end(view)
        feed.scope.end()
        feed = context.open(Feed())
        assert (feed.items, feed.can_more) == ("", False)
        assert context.find(Shelf).get("Shelf.calls").text == "2"
        feed.bind().refresh()
        assert feed.items == "page 1"
        assert context.find(Shelf).get("Shelf.calls").text == "3"

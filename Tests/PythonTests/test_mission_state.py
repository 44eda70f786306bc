# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Acceptance tests of State by their numbers, with view models in Python."""

from __future__ import annotations

from typing import Any, List, Tuple

import mainstem
import pytest
from lookup import Lookup, RequestTimeline, ResponseTimeline, Tweet, TweetCell
from mainstem import Failure, MainstemError, Status
from mainstem.testing import After, TestContext


class Timeline(mainstem.ViewModel):
    """Changes two values in one turn."""

    tweets: Tuple[str, ...] = mainstem.shown(())
    is_last: bool = mainstem.shown(False)
    page: int = mainstem.writable(0)

    @mainstem.on_write("page")
    def turn(self, page: int) -> None:
        self.tweets, self.is_last = (f"tweet {page}",), page == 2


def test_a_55_a_property_is_there_at_once_and_tells_changes_only() -> None:
    with mainstem.Context(raises=True) as context:
        seen: List[Any] = []
        view = mainstem.view(context, Timeline, page=seen.append)
        assert seen == []  # it points nowhere
        mainstem.retarget(view, context.open(Timeline()))
        view.page, view.page = 1, 1
        assert seen == [0, 1]


@pytest.mark.parametrize(
    ("count", "age", "seen"), [(0, None, []), (2, None, [2, 3]), (9, 0.05, [3])]
)
def test_a_56_publish_and_replay(count, age, seen) -> None:
    with mainstem.Context(clock="virtual", raises=True) as context:
        context.add_type("Published", int)
        if count:
            context.keep_history("Published", count, max_age=age)
        for number in (1, 2, 3):
            context.send("Published", number)
            context.advance(0.03)
        late: List[int] = []
        context.observe("Published", lambda event: late.append(event.value))
        assert late == seen


def test_a_57_values_that_change_together_are_one_change_set() -> None:
    with mainstem.Context(raises=True) as context:
        told: List[List[str]] = []
        view = context.open(Timeline()).bind(tweets=None, is_last=None)
        mainstem.on_changes(view, told.append)
        view.page = 2
        context.drain()
        assert told == [["tweets", "isLast"]]


def test_a_58_a_view_is_given_another_view_model() -> None:
    with mainstem.Context(raises=True) as context:
        one, two = (context.open(TweetCell(Tweet(n, f"tweet {n}"))) for n in (1, 2))
        seen: List[Any] = []
        view = one.bind(text=seen.append, likes=seen.append)
        mainstem.retarget(view, two)
        one.bind().like()
        two.bind().like()
        assert seen == ["tweet 1", 0, "tweet 2", 0, 1]


def test_a_58_a_view_hears_that_its_view_model_has_ended() -> None:
    with mainstem.Context(raises=True) as context:
        ended: List[str] = []
        cell = context.open(TweetCell(Tweet(1)))
        view = cell.bind()
        mainstem.on_ended(view, lambda: ended.append("ended"))
        mainstem.end(cell)
        context.drain()
        assert ended == ["ended"]
        with pytest.raises(MainstemError, match="STALE"):
            view.like()


def test_a_59_a_command_runs_once() -> None:
    with TestContext() as test:
        late = After(1, ResponseTimeline((Tweet(1),)))
        asked = test.stub(RequestTimeline, [late, Failure("NO_USER", user_message="Who?"), late])
        executing: List[bool] = []
        view = test.open(Lookup()).bind(go_executing=executing.append)
        with pytest.raises(MainstemError) as disabled:
            view.go()
        view.username = "jack"
        run = view.go()
        with pytest.raises(MainstemError) as second:
            view.go()
        assert run.result() == 1
        with pytest.raises(Failure):
            view.go().result()
        assert view.go.error == "Who?"
        assert view.go().cancel()
        statuses = [disabled.value.status, second.value.status]
        assert statuses == [Status.DISABLED, Status.EXECUTING]
        assert (executing, asked.calls) == ([False, *[True, False] * 3], 3)
        test.advance(1)
        test.skip()


def test_a_61_a_two_way_row_converges() -> None:
    with mainstem.Context(raises=True) as context:
        entry: List[str] = []

        def set_text(text: str) -> None:
            entry.append(text)
            view.username = text  # as a toolkit does that tells each change

        view = context.open(Lookup()).bind(username=mainstem.two_way(set_text))
        context.drain()
        view.username = " jack "
        for _ in range(3):
            context.drain()
        assert entry == ["", "jack"]
        assert view.username == "jack"

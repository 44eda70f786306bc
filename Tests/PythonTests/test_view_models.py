# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""View models: what they show, what views write, and who is told."""

from __future__ import annotations

import dataclasses
import enum
from typing import Any, Dict, FrozenSet, List, Set, Tuple

import mainstem
import pytest
from lookup import Lookup, RequestTimeline, ResponseTimeline, Session, Tweet, TweetCell
from mainstem.testing import TestContext


def test_a_view_model_ends_with_its_with():
    with mainstem.Context() as context:
        scopes = context.stats().scopes
        with context.open(Plain()):
            assert context.stats().scopes > scopes
        assert context.stats().scopes == scopes


class Plain(mainstem.ViewModel):
    count: int = 0


class Dividing(mainstem.ViewModel):
    @mainstem.command
    def divide(self, by: int) -> int:
        if by < 0:
            raise mainstem.Failure("NEGATIVE", user_message="Not below zero.")
        return 1 // by


def test_views_read_no_text_for_developers_after_an_unexpected_exception() -> None:
    told: List[str] = []
    with mainstem.Context(on_exception=lambda exception, event: None) as context:
        view = context.open(Dividing()).bind(divide_error=told.append)
        view.divide(0)
        assert view.divide.error == "Something went wrong."
        view.divide(-1)
        assert view.divide.error == "Not below zero."
        view.divide(1)
    assert told == ["", "Something went wrong.", "", "Not below zero.", ""]


def test_a_view_model_is_a_value_until_it_is_opened() -> None:
    lookup = Lookup()
    lookup.username = "ab"
    assert not lookup.is_username_valid
    lookup.username = "abc"
    assert lookup.is_username_valid
    cell = TweetCell(Tweet(1, "hello"))
    assert (cell.text, cell.like(), cell.likes) == ("hello", 1, 1)


def test_a_view_sees_what_is_there_and_each_change_once(context: mainstem.Context) -> None:
    seen: List[Any] = []
    lookup = context.open(Lookup())
    view = lookup.bind(is_username_valid=seen.append, username=None)
    assert seen == [False]
    view.username = "jack"
    assert (seen, view.username, lookup.username) == ([False, True], "jack", "jack")
    view.username = "jill"
    assert seen == [False, True]
    view.username = "jo"
    assert seen == [False, True, False]
    assert view.is_username_valid is False


def test_what_is_written_may_be_mended(context: mainstem.Context) -> None:
    seen: List[str] = []
    lookup = context.open(Lookup())
    view = lookup.bind(username=seen.append)
    view.username = " jack "
    assert seen == ["", " jack ", "jack"]
    assert lookup.writes == [" jack "]
    with mainstem.view(context, Lookup, lookup.scope.number) as other:
        assert other.username == "jack"


def test_big_values_are_asked_for_where_their_parts_differ(context: mainstem.Context) -> None:
    context.serve(RequestTimeline, lambda asked: ResponseTimeline((Tweet(1, "a"), Tweet(2))))
    lookup = context.open(Lookup())
    view = lookup.bind()
    assert lookup.summaries == 1
    view.username = "jack"
    assert lookup.summaries == 1
    assert view.go().result() == 2
    assert (lookup.summaries, view.summary) == (2, "2 tweets, 0 likes")


def test_names_are_spelled_for_the_stream(context: mainstem.Context) -> None:
    @dataclasses.dataclass(frozen=True)
    class Row:
        row_id: int
        in_stock: bool

    class Shop(mainstem.ViewModel, name="Store"):
        open_hours: Tuple[Row, ...] = mainstem.shown((Row(1, True),))
        taken: str = mainstem.shown("x", name="bind")

        @mainstem.command
        def sell_all(self, at_price: float, to_whom: str = "all") -> None:
            self.taken = f"{to_whom} {at_price}"

    lines: List[str] = []
    shop = context.open(Shop())
    context.observe(
        lambda event: event.name.count(".") == 2 or lines.append(str(event).split(" ", 1)[1])
    )
    view = shop.bind(open_hours=lambda rows: lines.append(rows))
    view.sell_all(at_price=1.5)
    assert [str(line).replace("← #6 ", "").replace("← #3 ", "") for line in lines] == [
        'Store.openHours Store [{"rowId":1,"inStock":true}]',
        "Store.bind Store x",
        str((Row(1, True),)),
        'Store.sellAll Store {"atPrice":1.5,"toWhom":"all"}',
        "Store.bind Store all 1.5",
    ]


class Color(enum.Enum):
    RED = "red"


class Forms(mainstem.ViewModel):
    """A value of each kind."""

    text: str = mainstem.writable("é")
    count: int = mainstem.writable(-3)
    ratio: float = mainstem.writable(0.5)
    data: bytes = mainstem.writable(b"\0\xff")
    names: Set[str] = mainstem.shown(frozenset())  # type: ignore[assignment]
    numbers: FrozenSet[int] = mainstem.shown(frozenset({10, 9, 2}))
    color: Color = mainstem.writable(Color.RED)
    lists: List[List[int]] = mainstem.shown(())  # type: ignore[assignment]
    table: Dict[str, int] = mainstem.shown(())  # type: ignore[assignment]

    def __init__(self) -> None:
        self.names = {"b", "a"}
        self.lists = [[1]]
        self.table = {"one": 1}

    @mainstem.command
    def grow(self) -> None:
        self.names.add("c")
        self.lists[0].append(2)
        self.table["two"] = 2


def test_each_kind_of_value_comes_back_as_it_was(context: mainstem.Context) -> None:
    lines: List[str] = []
    view = context.open(Forms()).bind()
    assert (view.text, view.count, view.ratio, view.data) == ("é", -3, 0.5, b"\0\xff")
    assert (view.names, view.numbers, view.color) == ({"a", "b"}, {2, 9, 10}, Color.RED)
    context.observe("Forms.names", "Forms.numbers", lambda event: lines.append(event.text))
    assert lines == ['["a","b"]', "[2,9,10]"]
    view.text, view.count, view.ratio = "x", 7, 2
    assert (view.text, view.count, view.ratio) == ("x", 7, 2.0)
    with pytest.raises(TypeError, match=r"Forms\.count: expected int, got str"):
        view.count = "7"  # type: ignore[assignment]


def test_what_is_mutated_in_place_is_seen_to_differ(context: mainstem.Context) -> None:
    view = context.open(Forms()).bind()
    view.grow().result()
    assert view.names == {"a", "b", "c"}
    assert (view.lists, view.table) == ([[1, 2]], {"one": 1, "two": 2})


def test_a_view_is_pointed_elsewhere(context: mainstem.Context) -> None:
    seen: List[str] = []
    one = context.open(TweetCell(Tweet(1, "one")))
    two = context.open(TweetCell(Tweet(2, "two")))
    view = mainstem.view(context, TweetCell, text=seen.append)
    with pytest.raises(RuntimeError, match="this view of TweetCell points nowhere"):
        view.like()
    for owner in (one, two.scope.number, one.scope, None):
        mainstem.retarget(view, owner)
    assert seen == ["one", "two", "one"]
    mainstem.end(view)


def test_a_change_set_comes_once_per_drain(context: mainstem.Context) -> None:
    told: List[List[str]] = []
    view = context.open(Lookup()).bind(is_username_valid=None, username=None)
    mainstem.on_changes(view, told.append)
    view.username = "jack"
    view.username = "jill"
    context.drain()
    assert told == [["username", "isUsernameValid"]]


def test_a_view_model_hears_another(context: mainstem.Context) -> None:
    class Header(mainstem.ViewModel):
        title: str = mainstem.shown("")

        @mainstem.observes(Session, "state")
        def changed(self, state: str) -> None:
            self.title = f"logged {state}"

    header = context.open(Header())
    session = context.open(Session())
    view = header.bind()
    assert view.title == "logged out"
    assert session.bind().log_in("Ada").result() == "Ada for 1"
    assert view.title == "logged in as Ada"


def test_opened_runs_once_before_the_first_show(context: mainstem.Context) -> None:
    calls: List[str] = []

    class Clock(mainstem.ViewModel):
        now: str = mainstem.shown("")

        def opened(self) -> None:
            calls.append("opened")
            self.now = "12:00"

    lines: List[str] = []
    context.observe(lambda event: lines.append(str(event)))
    view = context.open(Clock()).bind()
    assert (view.now, calls) == ("12:00", ["opened"])
    assert lines == ["#1 Clock.opened Clock", "#2 Clock.now ← #1 Clock 12:00"]


def test_a_pulse_comes_after_the_values_and_is_not_kept(context: mainstem.Context) -> None:
    context.serve(RequestTimeline, lambda asked: ResponseTimeline(()))
    seen: List[Any] = []
    lookup = context.open(Lookup())
    view = lookup.bind(alert=seen.append, is_username_valid=seen.append)
    view.username = "jack"
    assert view.go().result() == 0
    assert seen == [False, True, "jack is silent"]
    lookup.bind(alert=seen.append)
    assert len(seen) == 3


def test_one_value_that_fails_leaves_the_others() -> None:
    told: List[BaseException] = []

    class Half(mainstem.ViewModel):
        number: int = mainstem.writable(1)

        @mainstem.shown
        def inverse(self) -> float:
            return 1 / self.number

        @mainstem.shown
        def double(self) -> int:
            return 2 * self.number

    with mainstem.Context(on_exception=lambda error, _: told.append(error)) as context:
        view = context.open(Half()).bind()
        view.number = 0
        assert (view.inverse, view.double) == (1.0, 0)
        assert isinstance(told[0], ZeroDivisionError) and len(told) == 1
        view.number = 2
        assert (view.inverse, view.double) == (0.5, 4)


def test_the_kit_opens_a_view_model_without_a_host() -> None:
    with TestContext() as test:
        test.stub(RequestTimeline, [ResponseTimeline((Tweet(1, "a"),))])
        view = test.open(Lookup()).bind()
        test.shows(view, is_username_valid=False, tweets=())
        test.skip()
        view.username = "jack"
        test.expect("Lookup.isUsernameValid", True)
        assert view.go().result() == 1
        test.expect(RequestTimeline("jack"))
        test.next(ResponseTimeline)
        test.shows(view, summary="1 tweets, 0 likes")
        with pytest.raises(AssertionError, match="likes: 1 was expected, and it is 0"):
            test.shows(view, likes=1)


def test_a_two_way_row_gets_what_its_view_has_not_written(context: mainstem.Context) -> None:
    seen: List[str] = []
    view = context.open(Lookup()).bind(username=mainstem.two_way(seen.append))
    view.username = "jack"
    context.drain()
    assert seen == []
    view.username = " jill "
    context.drain()
    assert seen == ["jill"]

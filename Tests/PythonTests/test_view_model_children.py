# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Children of view models: lists of them, and those that are asked for."""

from __future__ import annotations

import dataclasses
import random
import sys
from typing import Any, Callable, Dict, List, Tuple

import mainstem
import pytest
from lookup import Lookup, Profile, RequestTimeline, ResponseTimeline, Tweet
from mainstem import MainstemError

FIRST = (Tweet(1, "one"), Tweet(2, "two"), Tweet(3, "three"))


class Twitter:
    """Answers with what is set."""

    def __init__(self) -> None:
        self.tweets: Tuple[Tweet, ...] = FIRST

    @mainstem.handles(RequestTimeline)
    def answer(self, request: RequestTimeline) -> ResponseTimeline:
        return ResponseTimeline(self.tweets)


@pytest.fixture
def twitter(context: mainstem.Context) -> Twitter:
    twitter = Twitter()
    context.install(twitter)
    return twitter


def opened(context: mainstem.Context) -> Any:
    """A view that shows the first tweets."""
    view = context.open(Lookup()).bind()
    view.username = "jack"
    assert view.go().result() == 3
    return view


def test_children_come_and_go_by_identity(context: mainstem.Context, twitter: Twitter) -> None:
    view = opened(context)
    one, two, three = view.cells
    assert [cell.text for cell in view.cells] == ["one", "two", "three"]
    scopes = context.stats().scopes
    twitter.tweets = (FIRST[2], Tweet(4, "four"), FIRST[0])
    view.go().result()
    assert [cell.text for cell in view.cells] == ["three", "four", "one"]
    assert (view.cells[0], view.cells[2]) == (three, one)
    assert context.stats().scopes == scopes
    assert context.find_scope(two._live._number) is None


def test_a_row_that_hears_of_a_child_finds_it_ready(
    context: mainstem.Context, twitter: Twitter
) -> None:
    texts: List[str] = []

    def show(cells: Any) -> None:
        for cell in cells:
            cell.bind(text=texts.append)

    lookup = context.open(Lookup())
    view = lookup.bind(cells=show)
    view.username = "jack"
    view.go().result()
    assert texts == ["one", "two", "three"]


def test_an_element_that_changed_is_assigned(context: mainstem.Context, twitter: Twitter) -> None:
    view = opened(context)
    before, texts = view.cells, []
    before[1].bind(text=texts.append)
    twitter.tweets = (FIRST[0], Tweet(2, "new"), FIRST[2])
    view.go().result()
    assert (view.cells, texts) == (before, ["two", "new"])


def test_what_children_show_is_heard(context: mainstem.Context, twitter: Twitter) -> None:
    view = opened(context)
    likes: List[int] = []
    mainstem.view(context, Lookup, view.cells and context_of(view), likes=likes.append)
    view.cells[1].bind().like().result()
    view.cells[0].bind().like().result()
    assert (view.likes, view.last, likes) == (2, "one", [0, 1, 2])


def context_of(view: Any) -> Any:
    """The scope that a view points at."""
    return object.__getattribute__(view, "_held")._owner


@dataclasses.dataclass(frozen=True)
class Word:
    id: int
    text: str


class Cell(mainstem.ViewModel):
    text: str = mainstem.shown("")

    def __init__(self, word: Word) -> None:
        self.text = word.text

    @mainstem.shown
    def is_long(self) -> bool:
        return len(self.text) > 2

    @mainstem.command(enabled="is_long")
    def cut(self) -> None:
        self.text = self.text[:2]

    @mainstem.command
    def clear(self) -> None:
        self.text = ""


def _show(cell: Cell, word: Word) -> None:
    cell.text = word.text


class Page(mainstem.ViewModel):
    words: Tuple[Word, ...] = mainstem.writable(())

    def __init__(self, *words: Word) -> None:
        self.words = words

    @mainstem.children("words", update=_show)
    def cells(self, word: Word) -> Cell:
        return Cell(word)


def test_who_hears_of_children_finds_them_ready(context: mainstem.Context) -> None:
    # Catches: values of a child's commands that come after the numbers.
    names: List[str] = []
    ready = ["Cell.text", "Cell.isLong"]
    for command in ("cut", "clear"):
        ready += [f"Cell.{command}.{each}" for each in ("enabled", "executing", "error")]
    context.observe(lambda event: names.append(event.name))
    view = context.open(Page(Word(1, "one"))).bind()
    assert names == [*ready, "Page.words", "Page.cells"]
    names.clear()
    view.words = (*view.words, Word(2, "two"))
    assert names == ["Page.words", *ready, "Page.cells"]


def test_children_that_a_closing_context_refuses_are_no_failure() -> None:
    # Catches: a session that does not verify, as a replay opens the first children.
    names: List[str] = []
    context = mainstem.Context(deliver="host")
    view = context.open(Page(Word(1, "one"))).bind()
    context.observe(lambda event: names.append(event.name))
    view.words = ()
    context.close()  # which delivers it, without a drain before
    assert names == ["Page.words"]


def test_a_child_that_its_parent_changes_says_which_commands_are_enabled(
    context: mainstem.Context,
) -> None:
    view = context.open(Page(Word(1, "one"))).bind()
    cell = view.cells[0].bind()
    assert cell.cut.enabled
    view.words = (Word(1, "a"),)
    assert not cell.cut.enabled
    view.words = (Word(1, "three"),)
    assert cell.cut.enabled
    cell.cut().result()
    assert (cell.text, cell.cut.enabled) == ("th", False)
    with pytest.raises(MainstemError, match="DISABLED"):
        cell.cut()


def test_a_child_is_made_when_it_is_asked_for(context: mainstem.Context) -> None:
    view = context.open(Lookup()).bind()
    view.username = "jack"
    child = mainstem.open_child(view, "profile", suffix="!").result()
    assert isinstance(child, Profile)
    profile = child.bind()
    profile.name = "joe"
    assert profile.name == "joe"
    number = child.scope.number
    mainstem.end(child)
    assert view.username == "joe"
    assert context.find_scope(number) is None
    with pytest.raises(MainstemError, match="STALE"):
        profile.name = "jim"


def test_a_view_model_asks_for_its_own_child(context: mainstem.Context) -> None:
    class Wizard(mainstem.ViewModel):
        page: str = mainstem.shown("none")

        @mainstem.child
        def step(self, name: str) -> Profile:
            return Profile(name)

        @mainstem.command
        def next(self, name: str) -> None:
            self.page = mainstem.open_child(self, "step", name).name

        @mainstem.command
        def done(self) -> None:
            for child in self.context.view_models.values():
                if isinstance(child, Profile):
                    mainstem.end(child)

        @mainstem.child_ended("step")
        def back(self, step: Profile) -> None:
            self.page = f"after {step.name}"

    view = context.open(Wizard()).bind()
    view.next("first").result()
    assert (view.page, len(context.view_models)) == ("first", 2)
    view.done().result()
    assert (view.page, len(context.view_models)) == ("after first", 1)


def test_children_end_with_their_parent(context: mainstem.Context, twitter: Twitter) -> None:
    view = opened(context)
    cell = view.cells[0]
    context_of(view).end()
    assert context.view_models == {}
    with pytest.raises(MainstemError, match="STALE"):
        cell.bind()


def test_two_elements_of_one_identity_are_refused(
    context: mainstem.Context, twitter: Twitter
) -> None:
    view = opened(context)
    before = view.cells
    twitter.tweets = (Tweet(7), Tweet(7))
    with pytest.raises(ValueError, match=r"Lookup\.cells: two elements have the id 7"):
        view.go()
    assert view.cells == before


def test_elements_that_may_change_in_place_are_refused(context: mainstem.Context) -> None:
    @dataclasses.dataclass
    class Loose:
        id: int

    class Shelf(mainstem.ViewModel):
        def __init__(self) -> None:
            self.items = [Loose(1)]

        @mainstem.children("items")
        def rows(self, item: Loose) -> Profile:
            return Profile("x")

    with pytest.raises(TypeError, match=r"Shelf\.rows: a Loose may change and be the same"):
        context.open(Shelf())


def test_a_child_without_update_is_made_anew(context: mainstem.Context) -> None:
    class Shelf(mainstem.ViewModel):
        items: Tuple[Tweet, ...] = mainstem.writable(FIRST)

        @mainstem.children("items", key="id")
        def rows(self, item: Tweet) -> Profile:
            return Profile(item.full_text)

    view = context.open(Shelf()).bind()
    before = view.rows
    assert [row.name for row in before] == ["one", "two", "three"]
    view.items = (FIRST[0], Tweet(2, "new"))
    assert [row.name for row in view.rows] == ["one", "new"]
    assert view.rows[0] is before[0]
    assert len(context.view_models) == 3


def test_a_child_without_arguments_is_one_while_it_lives(context: mainstem.Context) -> None:
    class Main(mainstem.ViewModel):
        @mainstem.child
        def settings(self) -> Profile:
            return Profile("settings")

        @mainstem.child
        def page(self, number: int) -> Profile:
            return Profile(f"page {number}")

    view = context.open(Main()).bind()
    first = mainstem.open_child(view, "settings").result()
    assert mainstem.open_child(view, "settings").result() is first
    mainstem.end(first)
    assert mainstem.open_child(view, "settings").result() is not first
    pages = [mainstem.open_child(view, "page", 1).result() for _ in range(2)]
    assert pages[0] is not pages[1]


def test_an_element_that_changes_and_changes_back_is_assigned_each_time(
    context: mainstem.Context, twitter: Twitter
) -> None:
    view = opened(context)
    before, texts = view.cells, []
    before[1].bind(text=texts.append)
    for text in ("new", "two", "new", "two", "two", "other"):
        twitter.tweets = (FIRST[0], Tweet(2, text), FIRST[2])
        view.go().result()
    assert view.cells == before
    assert texts == ["two", "new", "two", "new", "two", "other"]


def lines_of_families(run: Callable[[], object]) -> int:
    """How many lines run of the code that lets children come and go."""
    count = 0

    def trace(frame: Any, what: str, _: Any) -> Any:
        nonlocal count
        if not frame.f_code.co_filename.endswith("family.py"):
            return None
        count += what == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("change", ["nothing", "one", "none at the front", "one more behind"])
def test_what_changes_one_child_costs_the_same_among_many(
    change: str, context: mainstem.Context
) -> None:
    # Catches: a walk over all children at each event.
    counts = []
    for many in (10, 300):
        page = Page(*(Word(id, "word") for id in range(many)))
        view = context.open(page).bind()
        words, cells = view.words, page.cells
        wanted = {
            "nothing": words,
            "one": (*words[:5], Word(5, "other"), *words[6:]),
            "none at the front": words[1:],
            "one more behind": (*words, Word(many, "more")),
        }[change]

        def edit(view: Any = view, wanted: Any = wanted) -> None:
            view.words = wanted

        counts.append(lines_of_families(edit))
        texts = [cell.text for cell in page.cells]
        assert texts == [word.text for word in wanted]
        skipped = many - len(texts) if len(texts) < many else 0
        assert page.cells[: many - 1] == cells[skipped : skipped + many - 1]
    # Where the same elements begin and end is found by halves.
    assert counts[1] < counts[0] + 150


def test_elements_change_in_any_way_and_their_children_follow(context: mainstem.Context) -> None:
    # Catches: an element at the front or the back that is taken for another one.
    chance = random.Random(7)
    page = Page()
    view = context.open(page).bind()
    born: Dict[int, Cell] = {}
    words: List[Word] = []
    for _ in range(300):
        words = [word for word in words if chance.random() < 0.9]
        if chance.random() < 0.2:
            chance.shuffle(words)
        for place, word in enumerate(words):
            if chance.random() < 0.1:
                words[place] = Word(word.id, chance.choice(["a", "b"]))
        for _ in range(chance.randrange(3)):
            free = [id for id in range(20) if all(word.id != id for word in words)]
            words.insert(chance.randrange(len(words) + 1), Word(chance.choice(free), "new"))
        view.words = tuple(words)
        ids = [word.id for word in words]
        assert [cell.text for cell in page.cells] == [word.text for word in words]
        assert all(born.get(id, cell) is cell for id, cell in zip(ids, page.cells))
        born = dict(zip(ids, page.cells))


def test_children_of_the_beginning_are_heard(context: mainstem.Context, twitter: Twitter) -> None:
    # Catches: a view model that does not hear the children that it was opened with.
    lookup = Lookup()
    lookup.tweets = FIRST
    view = context.open(lookup).bind()
    assert [cell.text for cell in view.cells] == ["one", "two", "three"]
    view.cells[1].bind().like().result()
    assert (view.likes, view.last) == (1, "two")
    assert context.stats().failures == 0


def test_views_get_what_has_changed_of_the_children(context: mainstem.Context) -> None:
    changes: List[Any] = []
    page = context.open(Page(Word(1, "one"), Word(2, "two")))
    view = page.bind(cells=lambda cells: changes.append((len(cells), *cells.changes)))
    view.words = (Word(2, "two"), Word(3, "three"))
    assert changes == [(2, ("reset", 0, 2, 0)), (2, ("remove", 0, 1, 0), ("insert", 1, 1, 0))]


def test_a_child_ends_behind_the_list_without_it(context: mainstem.Context) -> None:
    # Catches: a list that is shown with a child that has ended.
    told: List[str] = []
    view = context.open(Page(Word(1, "one"), Word(2, "two"))).bind()
    context.observe(lambda event: told.append(event.name))
    told.clear()
    view.words = (Word(2, "two"),)
    assert told == ["Page.words", "Page.cells", "MainstemEnded"]

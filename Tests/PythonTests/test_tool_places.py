# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The map of screens in `mainstem diagram`: which intent led from where to where."""

from __future__ import annotations

import random
import time

import pytest
from diary_session import diary_session
from journal_writer import MARKED, OUTSIDE, TRACKED
from mainstem import Match, OpenFirst
from mainstem.journal_file import Journal
from mainstem.testing import RecordingStage, TestContext
from mainstem.tool import main
from mainstem.tool._map import CARDS, Card, Map, _bar, cards_of, chosen_of
from mainstem.tool._screens import APP, Place, Places
from navigating import App
from navigator_writer import HOME, NavigatorWriter
from random_navigation import Session
from test_tool_diagram import Tags, page_of
from test_tool_hostile import hostile_navigator
from todo_session import todo_session


def places_of(path):
    places = Places()
    with Journal(str(path)) as journal:
        for record in journal.records():
            places.take(record)
    places.end()
    return places


def ways_of(places, route):
    """The ways from a route: where to, why, what was refused, and how often."""
    place = next(one for one in places.places if one.route == route)
    return {
        (way.target.route if way.target else "", way.label, way.refusal): way.count
        for way in place.ways.values()
    }


@pytest.fixture(scope="module")
def diary(tmp_path_factory):
    return diary_session(str(tmp_path_factory.mktemp("diary") / "diary.journal"))


def test_the_ways_of_a_diary_are_its_intents(diary):
    places = places_of(diary)

    assert ways_of(places, APP) == {("app", "from outside", ""): 1, ("about", "link", ""): 1}
    assert ways_of(places, "app") == {("diary", "from outside", ""): 1}
    assert ways_of(places, "diary") == {
        ("drawer", "from outside", ""): 1,
        ("diary/<int:id>", "DiaryList.picked", ""): 5,
        ("", "DiaryList.picked", "denied by is_written"): 1,
        ("signin", "is_signed_in wants it first", ""): 2,
        ("", "DiaryList.secretPressed", "denied"): 1,
        ("secret", "DiaryList.secretPressed", ""): 1,
    }
    assert ways_of(places, "diary/<int:id>") == {("confirm", "DiaryPage.deletePressed", ""): 5}


def test_results_cancels_guards_and_redirects_are_counted(diary):
    places = {place.route: place for place in places_of(diary).places}
    picked = next(way for way in places["diary"].ways.values() if way.label == "DiaryList.picked")

    assert (picked.redirected, list(picked.guards)) == (1, ["is_written"])
    assert places["confirm"].results == {"Confirmed": 2}
    assert places["confirm"].cancels == {"gesture": 2, "along with others": 1}
    assert places["signin"].results == {"finished": 1}
    assert places["signin"].cancels == {"gesture": 1}
    assert places["diary/<int:id>"].cancels == {"pop": 4, "along with others": 1}
    assert list(places["diary/<int:id>"].names) == ["DiaryPage"]


def test_the_page_has_a_card_for_each_route_and_a_row(diary, tmp_path):
    page = tmp_path / "page.html"
    assert main(["diagram", diary, "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    tags = Tags(text)
    cards = [a for a in tags.of("a") if a["class"].startswith("place ")]
    rows = [row["id"] for row in tags.of("tr") if row.get("id", "").startswith("place-")]
    told = {card["aria-label"].split(",")[0].split(".")[0]: card["aria-label"] for card in cards}

    assert len(cards) == 9
    assert sorted(card["href"][1:] for card in cards) == sorted(rows)
    assert told["confirm"] == (
        "confirm, dialog, 5 times, ✓ Confirmed 2 · ✗ gesture 2, along with others 1"
    )
    assert (
        "DiaryList.picked → diary/&lt;int:id&gt;, 5 times; redirected 1×; guard is_written" in text
    )
    assert "✗ denied by is_written: diary/99" in text
    wires = [path for path in tags.of("path") if path.get("class", "").startswith("wire thin")]
    assert len([wire for wire in wires if "way-" in wire["class"]]) == 8
    assert len([wire for wire in wires if "sent" in wire["class"]]) == 1


def test_what_two_guards_want_first_is_one_screen(tmp_path):
    path, is_known = str(tmp_path / "a.journal"), []
    with TestContext() as test:
        test.record(path)
        app = App(test, RecordingStage())

        @app.nav.guard("diary/<path:_>")
        def signed_in(route: Match) -> object:
            return bool(is_known) or OpenFirst("signin")

        app.open("home")
        home = app.of("home")
        app.ask(home.open, "diary/1")
        app.ask(home.open, "diary/2")
        is_known.append(True)
        app.of("signin").finish()
        test.advance()
        test.skip()
    places = places_of(path)

    assert ways_of(places, "home") == {
        ("diary/<int:id>", "from outside", ""): 2,
        ("signin", "signed_in wants it first", ""): 1,
        ("", "signed_in wants it first", "shared with another"): 1,
    }
    assert not any(way.is_bad for place in places.places for way in place.ways.values())


def test_a_link_to_all_flows_opens_nothing_and_is_no_failure(tmp_path):
    path = str(tmp_path / "a.journal")
    with TestContext() as test:
        test.record(path)
        app = App(test, RecordingStage())
        app.nav.ready()
        app.ask(app.nav.link, "diary", all_flows=True)
        test.skip()

    assert ways_of(places_of(path), APP) == {("", "link", "told to all flows"): 1}


def test_without_a_navigator_there_is_no_map(tmp_path):
    text = page_of(todo_session(), tmp_path)

    assert "How the screens" not in text
    assert 'id="routes"' not in text


@pytest.mark.parametrize("seed", range(0, 60, 3))
def test_nothing_of_a_random_session_is_lost(seed, tmp_path):
    path = str(tmp_path / "a.journal")
    session = Session(seed, path)
    try:
        session.play()
    finally:
        session.context.close()
    places = places_of(path)
    with Journal(path) as journal:
        trees = [e for e in journal.events() if e.name == "MainstemTree"]
        opened = sum(b'"component"' in event.data for event in trees)
    with Journal(path) as journal:
        asked = [e.data for e in journal.events() if e.name == "MainstemMove"]
    verbs = (b'"open"', b'"link"', b'"replace-root"', b'"replace"')
    opening = sum(any(verb in data for verb in verbs) for data in asked)
    ways = [way for place in places.places for way in place.ways.values()]

    assert places.moves == len(asked)
    assert sum(place.count for place in places.places) == opened
    assert sum(way.count for way in ways if way.target) == opened
    assert sum(way.count for way in ways if way.label != "a part of it") == opening
    for place in places.places[1:]:
        ends = sum(place.results.values()) + sum(place.cancels.values())
        assert ends + place.open == place.count
    laid_out(places)


def laid_out(places):
    """Checks that no two cards of the map overlap, and that all are on it."""
    picture = Map(places)
    cards = list(cards_of(chosen_of(places)).values())
    assert len(cards) == len(chosen_of(places))
    for card in cards:
        assert 0 <= card.x < card.x + card.width <= picture.width
        assert 0 <= card.y < card.bottom <= picture.height
        for other in cards:
            if other is not card and other.column == card.column:
                assert other.bottom <= card.y or card.bottom <= other.y
    Tags(picture.svg())


@pytest.mark.parametrize("seed", range(40))
def test_the_map_of_anything_is_laid_out(tmp_path, seed):
    path = hostile_navigator(random.Random(seed)).save(tmp_path / "a.journal")
    laid_out(places_of(path))


def test_a_place_that_no_way_leads_to_is_beside_the_app():
    (card,) = cards_of([Place(7, "diary/<int:id>", "screen")]).values()

    assert card.column == 1


def test_each_part_of_a_bar_is_there_however_narrow():
    place = Place(1, "diary/<int:id>", "screen")
    place.results, place.cancels = {"saved": 1}, {"CANCELLED": 4000}

    done, gone = _bar(Card(place, 0, 0.0, [], []))

    assert 'class="done"' in done and 'class="gone"' in gone
    place.cancels = {}
    assert len(_bar(Card(place, 0, 0.0, [], []))) == 1


# Written by hand ---------------------------------------------------------------------------------


def test_sessions_are_one_map(tmp_path):
    made = NavigatorWriter()
    made.opens(11, "home", route="home")
    made.session()
    made.types = {}
    made.name_all()
    made.opens(11, "home", route="home")
    places = places_of(made.save(tmp_path / "a.journal"))

    assert ways_of(places, APP) == {("home", "from outside", ""): 2}
    assert places.places[1].open == 2


def test_what_was_not_kept_is_mapped_as_that(tmp_path):
    made = NavigatorWriter()
    move = made.event("MainstemMove", flags=OUTSIDE | TRACKED | MARKED)
    made.tree(move, component=11, url="home", route="home")
    made.tree(0, component=12, url="about", route="about", cause=0)
    made.tree(made.move("diary"), flags=MARKED)
    places = places_of(made.save(tmp_path / "a.journal"))

    assert ways_of(places, APP) == {
        ("home", "move", ""): 1,
        ("about", "not kept", ""): 1,
        ("", "from outside", "waits"): 1,
    }


def test_names_on_the_map_are_text(tmp_path):
    made = NavigatorWriter()
    evil = '</title><script>alert(1)</script>"\x1b\u202e'
    cause = made.event(f"Said{evil}".replace("\x1b", ""), origin=evil)
    move = made.move(evil, cause=cause)
    made.tree(move, component=11, url=evil, route=evil, name=evil)
    text = page_of(made, tmp_path)

    assert "<script" not in text
    assert Tags(text).of("script") == []
    assert "\u202e" not in text
    assert "\x1b" not in text


def test_five_thousand_routes_are_folded(tmp_path):
    made = NavigatorWriter()
    for number in range(5000):
        made.opens(number + 100, f"r{number}", route=f"r{number}", parent=number // 7 + 99)
        if number % 3 == 0:
            made.opens(number + 10_000, f"r{number}", route=f"r{number}")
    path = made.save(tmp_path / "a.journal")
    began = time.process_time()
    page = tmp_path / "page.html"
    assert main(["diagram", str(path), "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    tags = Tags(text)

    assert time.process_time() - began < 20
    assert len(text) < 1_500_000
    assert len([a for a in tags.of("a") if a["class"].startswith("place ")]) == CARDS
    assert f"The {CARDS - 1} that were shown most are drawn; the table has all of them." in text
    assert "<p>And 4,000 more routes.</p>" in text
    laid_out(places_of(path))


def test_a_chain_of_many_screens_is_of_bounded_width(tmp_path):
    made = NavigatorWriter()
    for number in range(30):
        made.name_origin(3 + number, f"Component{number}", 99 + number, HOME)
        url = f"r{number}"
        move = made.move(url, origin=f"Component{number}" if number else "")
        parent = 99 + number if number else 0
        made.tree(move, component=100 + number, url=url, route=url, parent=parent)
    places = places_of(made.save(tmp_path / "a.journal"))

    assert ways_of(places, "r3") == {("r4", "from outside", ""): 1}
    assert Map(places).width < 2600
    laid_out(places)

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What `studio` says of time and of the whole: the band, a moment of it, and the maps."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from contextlib import contextmanager

import pytest
from counter_session import FIRST, Session, counter_session
from diary_session import diary_session
from journal_writer import MS, OUTSIDE, TEXT, VALUE, VIEW, WRITTEN, JournalWriter
from mainstem.tool._answers import Answers, Wrong
from mainstem.tool._charts import Charts
from mainstem.tool._live import Live
from mainstem.tool._server import Server
from navigator_writer import NavigatorWriter


@contextmanager
def answers_of(path):
    """The answers on a journal, all of which is read."""
    live = Live(str(path))
    try:
        live.read()
        yield Answers(live)
    finally:
        live.index.close()
        live.journal.close()


@pytest.fixture(scope="module")
def diary(tmp_path_factory):
    return diary_session(str(tmp_path_factory.mktemp("diary") / "diary.journal"))


# The band -----------------------------------------------------------------------------------------


def test_the_band_has_a_lane_for_each_place(diary):
    with answers_of(diary) as answers:
        lanes = {lane["name"]: lane["bars"] for lane in answers.band()["lanes"]}

    assert list(lanes)[:4] == ["diary", "drawer", "diary/3", "confirm"]
    assert [bar["kind"] for bar in lanes["confirm"]] == ["dialog"] * 5
    spans = [(bar["at"], bar["last"]) for bar in lanes["diary/7"]]
    assert spans == [("187", "211"), ("309", "326")]
    second = 1000 * MS
    assert (lanes["drawer"][0]["begin"], lanes["drawer"][0]["end"]) == (2.7 * second, 23.5 * second)


def test_a_bar_that_is_not_closed_has_no_end(tmp_path):
    made = NavigatorWriter()
    made.opens(31, "a")
    with answers_of(made.save(tmp_path / "open.journal")) as answers:
        (lane,) = answers.band()["lanes"]

    assert [(bar["last"], bar["end"]) for bar in lane["bars"]] == [("", None)]


def test_there_is_a_mark_for_each_event_from_outside(tmp_path):
    with answers_of(counter_session().save(tmp_path / "counter.journal")) as answers:
        band, rows = answers.band(), answers.rows(0, 100)["rows"]

    assert band["lanes"] == []
    assert [(mark["row"], mark["at"], mark["time"]) for mark in band["marks"]] == [
        (row["row"], row["at"], row["time"]) for row in rows
    ]


def test_a_mark_says_that_something_failed(tmp_path):
    made = counter_session()
    made.refuse("save", made.run("save"), 1000, "The disk is full.")
    with answers_of(made.save(tmp_path / "failed.journal")) as answers:
        failed = [mark["row"] for mark in answers.band()["marks"] if mark["failed"]]

        assert failed == [answers.status()["failure"]]


def typed(many):
    made = JournalWriter()
    made.type("Page.text", TEXT | VALUE | VIEW)
    made.name_origin(1, "Page", 5)
    for number in range(many):
        text = "x" * number
        made.event("Page.text", text, origin="Page", flags=OUTSIDE | WRITTEN, after=MS)
    return made


def test_each_letter_that_was_typed_has_a_mark(tmp_path):
    with answers_of(typed(20).save(tmp_path / "typed.journal")) as answers:
        marks = answers.band()["marks"]

    assert [(mark["row"], mark["at"], mark["many"]) for mark in marks] == [
        (0, str(position), True) for position in range(1, 21)
    ]


def test_where_letters_are_too_many_each_row_has_a_mark(tmp_path):
    with answers_of(typed(1500).save(tmp_path / "typed.journal")) as answers:
        assert [mark["at"] for mark in answers.band()["marks"]] == ["1"]


def test_of_many_rows_some_have_a_mark_that_fails_if_one_of_them_failed(tmp_path):
    made = Session()
    made.open(FIRST)
    for number in range(2500):
        run = made.run("up" if number % 2 else "save", after=MS)
        if number == 1000:
            made.refuse("save", run, 1000, "The disk is full.")
    with answers_of(made.save(tmp_path / "many.journal")) as answers:
        marks, failure = answers.band()["marks"], answers.status()["failure"]

    assert len(marks) <= 1000
    assert [mark["row"] for mark in marks] == list(range(0, 2501, 3))
    assert [mark["row"] for mark in marks if mark["failed"]] == [failure - failure % 3]


# A moment of it -----------------------------------------------------------------------------------


def test_a_moment_is_the_last_event_at_or_before_a_time(diary):
    with answers_of(diary) as answers:
        positions = range(1, int(answers.status()["last"]) + 1)
        times = {at: answers.why(at)["time"] for at in positions}
        for time in (0, 1, 1600 * MS, 1601 * MS, 16_900 * MS, 23_499 * MS, 10**15):
            last = max(at for at in positions if times[at] <= time + 1023)

            assert answers.moment(time, 0) == {"at": str(last), "row": answers.why(last)["row"]}


def test_a_moment_may_be_a_position_whose_event_was_not_kept(tmp_path):
    made = JournalWriter()
    first = made.event("RequestA", flags=OUTSIDE)
    made.skip(3, cause=first)
    last = made.event("RequestB", flags=OUTSIDE)
    with answers_of(made.save(tmp_path / "gap.journal")) as answers:
        found = [answers.moment(0, at)["at"] for at in range(first, last + 3)]

    assert found == ["1", "1", "1", "1", "5", "5", "5"]


def test_an_empty_journal_has_no_moment(tmp_path):
    with answers_of(JournalWriter().save(tmp_path / "empty.journal")) as answers:
        assert answers.band() == {"lanes": [], "marks": []}
        with pytest.raises(Wrong):
            answers.moment(0, 0)


# The maps -----------------------------------------------------------------------------------------


def test_the_map_of_parts_has_a_box_for_each_type_and_part(tmp_path):
    path = counter_session().save(tmp_path / "counter.journal")
    said = Charts(str(path)).map()

    parts = said["parts"]
    boxes = {box["title"].partition(",")[0].partition(":")[0]: box for box in parts["boxes"]}
    assert boxes["Counter.up"]["kind"] == "command"
    assert boxes["Counter.up"]["count"] == 1
    assert boxes["Counter shows"]["find"] == "Counter"
    assert boxes["KeyPressed"]["find"] == "KeyPressed"
    heads = [box["find"] for box in parts["boxes"] if box["kind"] == "part"]
    # Each part has one at the top and one at the bottom; what cannot be looked for has no text.
    assert {name: heads.count(name) for name in ("View", "Counter", "")} == {
        "View": 2,
        "Counter": 2,
        "": 4,
    }
    titles = [arrow["title"] for arrow in parts["arrows"]]
    assert "Counter.up: Counter answers" in titles, titles
    for box in parts["boxes"]:
        assert 0 <= box["x"] <= box["x"] + box["width"] <= parts["width"]
        assert 0 <= box["y"] <= box["y"] + box["height"] <= parts["height"]
    assert said["screens"] is None and said["note"] == ""


def test_what_has_failed_is_marked_on_the_map(tmp_path):
    made = counter_session()
    made.refuse("save", made.run("save"), 1000, "The disk is full.")
    said = Charts(str(made.save(tmp_path / "failed.journal"))).map()

    failed = [box["find"] for box in said["parts"]["boxes"] if box["failed"]]
    assert failed == ["Counter.save.done"]
    assert {arrow["find"] for arrow in said["parts"]["arrows"] if arrow["failed"]} == {*failed}


def test_the_map_of_screens_has_the_ways_between_them(diary):
    screens = Charts(diary).map()["screens"]

    boxes = {box["find"]: box for box in screens["boxes"]}
    assert boxes["diary/<int:id>"]["count"] == 5
    assert boxes["confirm"]["kind"] == "dialog"
    titles = {arrow["title"]: arrow for arrow in screens["arrows"]}
    picked = titles["DiaryList.picked: diary → diary/<int:id>, 5×"]
    assert (picked["find"], picked["count"]) == ("DiaryList.picked", 5)


def test_what_a_map_is_found_by_is_found(diary):
    said = Charts(diary).map()
    names = {one["find"] for chart in (said["parts"], said["screens"]) for one in chart["boxes"]}
    with answers_of(diary) as answers:
        missing = [name for name in names - {""} if not answers.search(name, 0)["found"]]

    assert missing == []


def test_a_map_is_made_anew_only_when_the_journal_has_grown(tmp_path):
    made = counter_session()
    path = made.save(tmp_path / "counter.journal")
    charts = Charts(str(path))
    first = charts.map()

    assert charts.map() is first
    made.run("up")
    made.save(path)
    assert charts.map() is not first


def test_a_map_says_how_much_it_has_read(tmp_path):
    path = counter_session().save(tmp_path / "counter.journal")

    assert Charts(str(path), most=5).map()["note"] == "Only the first 5 events are drawn."


def test_a_map_of_nothing_has_no_pictures(tmp_path):
    path = JournalWriter().save(tmp_path / "empty.journal")

    assert Charts(str(path)).map() == {"parts": None, "screens": None, "note": ""}


# Served -------------------------------------------------------------------------------------------


def test_a_map_is_served_while_others_hold_the_journal(tmp_path):
    live = Live(str(counter_session().save(tmp_path / "counter.journal")))
    with live, Server(live, Answers(live)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            with live.lock, urllib.request.urlopen(f"{server.address}map", timeout=20) as answer:
                assert json.load(answer)["parts"]["boxes"]
            with urllib.request.urlopen(f"{server.address}moment?time=0", timeout=20) as answer:
                assert json.load(answer) == {"at": "1", "row": 0}
            with pytest.raises(urllib.error.HTTPError) as caught:
                urllib.request.urlopen(f"{server.address}moment?time=-1", timeout=20)
            assert caught.value.code == 400
        finally:
            server.shutdown()
            thread.join()

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`mainstem tree`: a move, its guards, what it shows and what becomes of it, as one group."""

from __future__ import annotations

import re
import time

import pytest
from diary_session import diary_session
from journal_writer import MARKED, OUTSIDE, TRACKED
from mainstem import Status
from mainstem.journal_file import Journal
from mainstem.testing import NEVER, After, RecordingStage, TestContext
from mainstem.tool import main
from navigating import App
from navigator_writer import NavigatorWriter
from random_navigation import Session

LEFT = int(Status.CANCELLED)
PAGE = """\
└─ #126 open diary/15  by diary  cancelled by #166: pop  on diary
   ├─ #127 guard is_written  answered by #128  diary/15
   │  └─ #128 verdict  by is_written  answers #127  redirects to diary/11
   ├─ #129 guard is_written  answered by #130  diary/11
   │  └─ #130 verdict  by is_written  answers #129  lets it go on
   ├─ #139 show screen diary/11  shown by #140  on diary
   └─ #141 opened screen diary/11  on diary
""".splitlines()


@pytest.fixture
def lines(tmp_path, capsys):
    """The lines below the first, without times."""

    def get(made, *arguments):
        path = made if isinstance(made, str) else str(made.save(tmp_path / "a.journal"))
        assert main(["tree", path, *map(str, arguments)]) == 0
        said = capsys.readouterr().out.splitlines()[1:]
        said = [re.sub(r" after [\d.]+ .?s", "", line) for line in said if line]
        return [re.sub(r"^ *[+\d][\d:.]* ?(ns|ms|s|µs)?  ", "", line) for line in said]

    return get


@pytest.fixture(scope="module")
def diary(tmp_path_factory):
    return diary_session(str(tmp_path_factory.mktemp("diary") / "diary.journal"))


def position(lines, text):
    """The position of the first event whose line has a text."""
    return int(re.search(r"#(\d+)", next(line for line in lines if text in line)).group(1))


def test_a_move_is_one_group(lines, diary):
    said = [line.strip() for line in lines(diary)]

    for line in PAGE:
        assert line.strip().lstrip("│ ") in [one.lstrip("│ ") for one in said], line
    assert not [line for line in said if '"move":' in line or '"verb":' in line]


def test_what_ends_a_dialog_is_one_group(lines, diary):
    said = [line.lstrip("│ ") for line in lines(diary, "--from", 53, "--to", 60)]

    assert said == [
        "#54 Confirm.answer  run on Confirm of #49 by a view  answered by #56  true",
        '├─ #55 finish confirm  Confirmed {"is_sure":true}',
        "├─ #57 hide confirm  hidden by #62",
        "├─ #58 closed confirm  result Confirmed",
        '├─ #59 result Confirmed  answers #44  {"is_sure":true}',
        "└─ #60 MainstemEnded  ended Component[4]",
        "└─ #61 MainstemEnded  ended Confirm of #49",
        "└─ #56 Confirm.answer.done  by Confirm of #49  answers #54",
    ]


def test_gestures_links_and_what_is_denied_are_told(lines, diary):
    said = [line.lstrip("│├└─✗ ") for line in lines(diary)]
    for wanted in (
        "#1 ready",
        "#156 gone confirm  by a gesture",
        "#157 closed confirm  a gesture",
        "#158 result  cancels #146  a gesture",
        "#277 link diary://about  cancelled by #284: a gesture",
        "#64 pop  by DiaryPage of #36  answered by #69",
        "#69 done  answers #64",
        "#222 refuses  by is_written  answers #221 with error denied  is_written refuses",
        "#223 result  answers #220 with error denied  is_written refuses",
        "#229 verdict  by is_signed_in  answers #228  wants first signin",
        "#230 open signin  by Navigator  cancelled by #242: a gesture  on diary",
    ):
        assert wanted in said, wanted


def test_what_waits_for_another_move_stands_below_its_own(lines, tmp_path):
    path = str(tmp_path / "a.journal")
    urls = ("home", "diary/1", "pick/x")
    with TestContext() as test:
        test.record(path)
        app = App(test, RecordingStage(*[After(1, None)] * 3))
        test.keep()
        for url in urls:
            app.nav.open(url, then=lambda result: None, failed=lambda error: None)
        for _ in urls:
            test.advance(1)
        said = lines(path)
        test.skip()
    roots = [number for number, line in enumerate(said) if line.startswith("#")]
    groups = [said[begin:end] for begin, end in zip(roots, [*roots[1:], len(said)])]

    assert (
        max(position([group[0]], "#") for group in groups) < position(said, "show screen home") + 3
    )
    for group, url, name in zip(groups, urls, ("Home", "Page", "pick")):
        heads = [line for line in group if line[0] in "├└#"]
        assert [re.sub(r"^[├└]?[─ ]*#\d+ ", "", line).split("  ")[0] for line in heads] == [
            f"open {url}",
            f"RequestOpen.{name}",
            f"show {'dialog' if name == 'pick' else 'screen'} {url}",
            f"opened {'dialog' if name == 'pick' else 'screen'} {url}",
        ]
        assert heads[0].endswith("is there still")


def test_a_stage_that_does_not_answer_is_said(lines, tmp_path):
    path = str(tmp_path / "a.journal")
    with TestContext() as test:
        test.record(path)
        app = App(test, RecordingStage(NEVER))
        test.keep()
        app.nav.open("diary", then=lambda result: None, failed=lambda error: None)
        test.advance(11)
        said = lines(path)
        test.skip()

    assert "├─ #2 show screen diary  ✗ failed by #3" in said
    assert any("answers #1 with error timeout" in line for line in said)
    assert "#1 open diary  ✗ failed by #5" in said


def test_who_asks_by_its_component_is_named(lines, tmp_path):
    path = str(tmp_path / "a.journal")
    with TestContext() as test:
        test.record(path)
        app = App(test, RecordingStage())
        app.open("diary")
        app.open("info")
        said = lines(path)
        test.skip()

    assert any(line.endswith("open info  by diary  is there still") for line in said)


@pytest.mark.parametrize("seed", range(0, 60, 3))
def test_every_event_of_a_random_session_is_told(lines, seed, tmp_path):
    path = str(tmp_path / "a.journal")
    session = Session(seed, path)
    try:
        session.play()
    finally:
        session.context.close()
    said = lines(path)
    told = {int(number) for line in said for number in re.findall(r"#(\d+)", line)}
    heads = [int(re.search(r"#(\d+)", line).group(1)) for line in said]
    with Journal(path) as journal:
        names = {event.position: event.name for event in journal.events()}

    assert len(heads) == len(set(heads))
    assert {names[position] for position in set(names) - told} <= {"MainstemOpened"}
    folded = {names[position] for position in set(names) - set(heads)}
    assert folded <= {"MainstemOpened", "MainstemShown", "MainstemHidden"}
    assert not [line for line in said if '"move":' in line or '"verb":' in line]


# Written by hand ---------------------------------------------------------------------------------


def test_what_others_say_stays_as_it_is(lines):
    made = NavigatorWriter()
    made.name_origin(2, "View", 8)
    move = made.opens(11, "home")
    made.tree(move, component=12, url="fake", origin="View")
    said = lines(made)

    assert said[1] == "├─ #2 opened screen home"
    assert said[2].startswith('└─ #3 MainstemTree  by View  {"move": 1, ')


def test_what_was_not_kept_is_said(lines):
    made = NavigatorWriter()
    move = made.event("MainstemMove", flags=OUTSIDE | TRACKED | MARKED)
    made.tree(move, flags=MARKED)

    assert lines(made) == [
        "#1 move  ✗ no answer  <marked>",
        "└─ #2 MainstemTree  by Navigator  <marked>",
    ]


def test_a_change_may_name_a_move_that_is_no_event_before_it(lines):
    made = NavigatorWriter()
    made.event("MainstemReady", flags=OUTSIDE)
    for by in (2, 3, 99, (1 << 64) - 1):
        made.tree(by, component=by, url="x", cause=1)
    said = lines(made)

    assert len(said) == 5
    assert said[0] == "#1 ready"


def test_an_answer_stands_below_what_has_closed_its_component(lines):
    made = NavigatorWriter()
    first = made.opens(11, "home")
    pop = made.move(verb="pop")
    late = made.event("MainstemReady", flags=OUTSIDE)
    made.tree(pop, [11], cause=late)
    closed = b"closed\0\0\0"
    made.event("MainstemResult", closed, cause=late, answers=first, status=LEFT, origin="Navigator")
    made.event("MainstemResult", cause=late, answers=pop, origin="Navigator")

    assert lines(made) == [
        "#1 open home  cancelled by #6: pop",
        "└─ #2 opened screen home",
        "#3 pop  answered by #7",
        "├─ #5 closed home  pop",
        "├─ #6 result  cancels #1  pop",
        "└─ #7 done  answers #3",
        "#4 ready",
    ]


def test_a_guard_that_wanted_something_first_is_asked_again_for_the_same_move(lines, diary):
    said = lines(diary)
    begin, end = (
        next(number for number, line in enumerate(said) if text in line)
        for text in ("#249 open secret", "#248 DiaryList.unlock.done")
    )
    asked = [line for line in said[begin:end] if re.search("#(250|269) guard is_signed_in ", line)]

    assert [line.index("#") for line in asked] == [said[begin].index("#") + 3] * 2


def test_ten_thousand_moves_take_seconds(lines, tmp_path):
    made = NavigatorWriter()
    for number in range(10_000):
        move = made.opens(100 + number, f"u{number}")
        made.tree(made.gone(100 + number), [100 + number])
        made.fail("MainstemResult", "closed", cause=move, answers=move, status=LEFT)
    began = time.process_time()
    said = lines(made)

    assert len(said) == 50_000
    # It is for quadratic time, which would be minutes.
    assert time.process_time() - began < 40

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`mainstem screens`: what the navigator showed when, and why it closed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from diary_session import diary_session
from journal_writer import OUTSIDE, JournalWriter, flipped
from mainstem.journal_file import Journal
from mainstem.testing import NEVER, RecordingStage, TestContext
from mainstem.tool import main
from mainstem.tool._navigation import Navigation
from navigating import App
from navigator_writer import NavigatorWriter
from screens_told import screens, tree
from test_tool_recorded import session as without_navigator

__all__ = ["screens", "tree"]


@pytest.fixture(scope="module")
def diary(tmp_path_factory):
    return diary_session(str(tmp_path_factory.mktemp("diary") / "diary.journal"))


# Recorded by the library -------------------------------------------------------------------------


def test_what_a_diary_showed(screens, diary):
    said = screens(diary).splitlines()

    assert said[0] == "diary.journal: 30 changes of what is shown"
    assert said[2] == "  0:00.800  #3  + flow app  by #2"
    assert "  0:09.900  #141  + screen diary/11  on diary  by #126 of diary, redirected from " in (
        "\n".join(said)
    )
    assert "  0:10.700  #154  + dialog confirm  on diary/11  by #146 of diary/11" in said
    assert "  0:11.200  #157  − confirm  after 500 ms  a gesture  #156" in said
    assert "  0:08.000  #108  − confirm  after 500 ms  result Confirmed  #105" in said
    assert "  0:20.300  #280  + overlay about  by #277 link" in said
    assert "  0:05.600  #67  − diary/3  after 2.1 s  pop  #64" in said


def test_what_was_there_at_a_moment(screens, diary):
    assert screens(diary, "--at", 155) == (
        "diary.journal after #155, 1970-01-01 00:00:11 UTC: 5 components\n"
        "  flow app  #3\n"
        "    screen diary  #16, covered\n"
        "      embed drawer  #21, in left, covered\n"
        "      screen diary/11  #141\n"
        "        dialog confirm  #154, the topmost\n"
    )
    assert screens(diary, "--at", 0) == "diary.journal: no events\n"


def test_a_change_is_json(screens, diary):
    lines = [json.loads(line) for line in screens(diary, "--json").splitlines()]
    confirm = next(one for one in lines if one.get("opened", {}).get("url") == "confirm")
    left = next(one for one in lines if one.get("closed", [{}])[0].get("url") == "confirm")
    last = lines[-1]

    assert len(lines) == 30
    assert confirm["position"] == 52
    assert confirm["by"] == 44
    assert confirm["move"]["verb"] == "open"
    assert confirm["opened"]["kind"] == "dialog"
    assert confirm["opened"]["parent"] == confirm["move"]["asker"] != 0
    assert confirm["top"] == confirm["opened"]["component"]
    assert left["closed"] == [
        {
            "component": confirm["opened"]["component"],
            "url": "confirm",
            "why": "result",
            "result": "Confirmed",
            "along": False,
        }
    ]
    assert [(one["url"], one["along"]) for one in last["closed"]] == [
        ("confirm", True),
        ("diary/7", True),
        ("drawer", True),
        ("diary", True),
        ("app", False),
    ]


def reasons(path):
    """Why each component closed, by its URL."""
    navigation = Navigation()
    with Journal(path) as journal:
        for record in journal.records():
            (navigation.take if record.is_event else navigation.learn)(record)
    return {one.url: one.why and (one.why.what, one.why.along) for one in navigation.components}


@pytest.mark.parametrize(
    ("close", "reason"),
    [
        (lambda app: app.view("diary/1").done(), "result"),
        (lambda app: app.nav.gone(app.number("diary/1")), "gesture"),
        (lambda app: app.ask(app.nav.pop), "pop"),
        (lambda app: app.ask(app.nav.close, app.number("diary/1")), "close"),
        (lambda app: app.ask(app.nav.pop_to, app.number("home")), "pop-to"),
        (lambda app: app.ask(app.nav.replace_root, "diary"), "replace-root"),
        (lambda app: app.context.find_scope(app.nav.top.owner).end(), "ended"),
    ],
)
def test_why_a_screen_closes(tmp_path, close, reason):
    path = str(tmp_path / "a.journal")
    with TestContext() as test:
        test.record(path)
        app = App(test, RecordingStage())
        app.open("home")
        app.open("diary/1")
        app.open("users")
        close(app)
        test.advance()
        told = reasons(path)
        test.skip()

    # All that a new root replaces closes with the first root.
    assert told["diary/1"] == (reason, reason == "replace-root")
    assert told["users"] == (reason, True)
    assert told["home"] == (("replace-root", False) if reason == "replace-root" else None)


def test_why_what_is_no_screen_closes(tmp_path):
    path = str(tmp_path / "a.journal")
    with TestContext() as test:
        test.record(path)
        app = App(test, RecordingStage())
        app.nav.ready()
        app.open("home")
        app.open("pick/x")
        app.ask(app.nav.dismiss)
        app.open("pick/y")
        app.ask(app.nav.link, "diary")
        app.open("users")
        app.open("drawer", slot="users")
        app.open("compose")
        app.of("drawer").finish()
        test.advance()
        told = reasons(path)
        test.skip()

    assert told["pick/x"] == ("dismiss", False)
    assert told["pick/y"] == ("link", False)
    assert told["users"] == ("open", False)
    assert told["compose"] == ("result", False)
    assert told["toolbar"] == ("result", True)


def test_a_move_that_is_given_up_takes_back_what_it_had_opened(tmp_path):
    path = str(tmp_path / "a.journal")
    with TestContext() as test:
        test.record(path)
        stage = RecordingStage(None, NEVER)
        app = App(test, stage)
        pending = app.nav.open("compose", then=lambda result: None, failed=lambda error: None)
        test.advance()
        pending.cancel()
        test.advance()
        told = reasons(path)
        test.skip()

    assert {reason for reason, _ in told.values()} == {"failed"}


def test_two_sessions_in_segments_are_told_apart(screens, tree, tmp_path):
    path = str(tmp_path / "b.journal")
    for _ in range(2):
        with TestContext() as test:
            test.record(path, segment_size=1 << 16)
            app = App(test, RecordingStage())
            for number in range(60):
                app.open(f"diary/{number}")
                test.advance(1)
            test.skip()
    with Journal(path) as journal:
        assert len(journal.paths) > 2
    said = screens(path)

    assert "\nSession 2, " in said
    assert said.count("+ screen diary/59") == 2
    first = next(line for line in said.splitlines() if "+ screen diary/59 " in line)
    at = int(first.partition("#")[2].partition(" ")[0])
    assert tree(path, at) == [f"diary/{number}" for number in range(60)]


def test_a_session_that_was_cut_off_shows_what_there_was(screens, tree, diary, tmp_path, capsys):
    with Journal(diary) as journal:
        ends = [(record.offset + record.length, record.position) for record in journal.events()]
    whole = Path(diary).read_bytes()
    for end, position in ends[::23]:
        path = str(tmp_path / f"{position}.journal")
        with open(path, "wb") as file:
            file.write(whole[: end + 20])
        assert tree(path) == tree(diary, position)
        assert main(["screens", path]) == 0
        assert "torn tail" in capsys.readouterr().err or position == ends[-1][1]


def test_a_damaged_journal_is_shown_up_to_there(screens, diary, tmp_path):
    with Journal(diary) as journal:
        at, position = next(
            (record.offset, record.position) for record in journal.events() if record.position > 160
        )
    path = str(tmp_path / "hurt.journal")
    with open(diary, "rb") as whole, open(path, "wb") as file:
        file.write(flipped(whole.read(), (at + 70) * 8))
    said = screens(path, status=1)

    assert "At the end, after #160, " in said
    assert "− confirm  after 500 ms  a gesture  #156" in said
    assert position == 161


def test_a_salvaged_journal_says_what_it_does_not_know(screens, diary, tmp_path, capsys):
    """The change that opened the list is lost: what stands on it is shown all the same."""
    with Journal(diary) as journal:
        at = next(record.offset for record in journal.events() if record.position == 16)
    hurt, rest = str(tmp_path / "hurt.journal"), str(tmp_path / "rest.journal")
    with open(diary, "rb") as whole, open(hurt, "wb") as file:
        file.write(flipped(whole.read(), (at + 70) * 8))
    assert main(["salvage", hurt, rest]) == 1
    capsys.readouterr()

    assert "#21  + embed drawer  in left of what is not known  by #18" in screens(rest)
    assert screens(rest, "--at", 22).endswith(
        "2 components\n  flow app  #3\n  embed drawer  #21, in left\n"
    )


def test_without_a_navigator_it_says_so(screens, tmp_path):
    path = str(tmp_path / "b.journal")
    without_navigator(path)

    assert screens(path) == screens(path, "--at", 5) == "b.journal: no navigator\n"
    assert screens(path, "--json") == ""
    assert screens(JournalWriter()) == "a.journal: no events\n"


def test_a_navigator_that_has_opened_nothing_is_one(screens):
    made = NavigatorWriter()
    made.event("MainstemReady", flags=OUTSIDE)

    assert screens(made).startswith("a.journal: 0 changes of what is shown\n\nAt the end, after #1")

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`mainstem studio` reads behind a writer: what it tells of a journal that grows, or is damaged."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from contextlib import contextmanager

import mainstem
import pytest
from conftest import PACKAGE
from counter_session import FIRST, Session, counter_session
from journal_writer import TEXT, VALUE, JournalWriter
from mainstem.journal_file import JournalError
from mainstem.tool import _index, _live
from mainstem.tool._state import Unfit
from studio_asked import Asked, differences
from test_tool_index import drawn

#: Records until it is killed: a record each time a line is read.
_WRITER = """
import sys, mainstem
context = mainstem.Context()
context.add_type("Said", payload=str)
context.record(sys.argv[1])
for line in sys.stdin:
    context.send("Said", line.strip())
    print("said", flush=True)
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a.journal"


@pytest.fixture
def watch(path):
    """Watches the journal; the test says when it is read."""
    opened = []

    def get():
        opened.append(Asked(path))
        return opened[-1]

    yield get
    for asked in opened:
        asked.close()


@pytest.fixture
def recording(path):
    with mainstem.Context() as context:
        context.add_type("Page.text", payload=str, role="value")
        context.add_type("Pressed", payload=str)
        context.record(path)
        yield context


def told(asked):
    """All that it tells of each event."""
    status = asked.status()
    status = {name: status[name] for name in ("events", "first", "last", "failure", "sessions")}
    rows = asked.all_rows()
    events = range(asked.live.first, asked.live.last + 1) if asked.live.count else ()
    shown = [asked.shown(at, 0) for at in events] if rows else []
    return status, rows, [asked.chain(row["row"]) for row in rows], shown


# A journal that grows -----------------------------------------------------------------------------


def test_what_is_recorded_is_told(watch, recording):
    asked = watch()
    page = recording.scope("Page")
    before = asked.status()
    for number in range(20):
        recording.send("Pressed", f"{number}")
        page.send("Page.text", f"{number}")
        assert asked.live.read()
        assert not asked.live.read()
        assert asked.titles()[-2:] == [f"sent Pressed {number}", f"set text {number} Page"]
        last = asked.live.last
        assert asked.owner("Page", last, 0)["values"][0]["text"] == f'"{number}"'
        assert asked.event(last)["payload"] == f"{number}"
        assert asked.find("pressed")[-1] == last - 1

    assert before["events"] == "0"
    assert asked.status()["events"] == "40"
    assert not asked.status()["closed"]


def test_the_last_row_goes_on(watch, recording):
    asked = watch()
    page = recording.scope("Page")
    counts = []
    for number in range(5):
        page.send("Page.text", f"{number}")
        asked.live.read()
        (row,) = asked.all_rows()
        counts.append((row["count"], row["text"], row["events"]))

    assert counts == [(number + 1, f"{number}", number + 1) for number in range(5)]


def test_an_earlier_row_grows_when_its_answer_comes(watch, path):
    made = counter_session()
    made.save(path)
    asked = watch()
    made.event("KeyPressed", "x")
    made.save(path)
    asked.live.read()
    made.event("Counter.count", b"12345678", cause=18, origin="Counter")
    made.save(path)
    asked.live.read()

    assert (asked.all_rows()[3]["events"], asked.all_rows()[3]["values"]) == (7, 3)
    assert asked.chain(3)["events"][-1]["at"] == "28"


@pytest.mark.parametrize("seed", range(4))
def test_read_in_any_pieces_it_tells_the_same(seed, watch, path, tmp_path, monkeypatch):
    """What was appended between two looks ends anywhere, also in the middle of a record."""
    monkeypatch.setattr(_index, "_EVENTS", 8)
    monkeypatch.setattr(_index, "_SPACING", 0)
    chance = random.Random(seed)
    made = JournalWriter()
    while True:
        drawn(chance, made, 60)
        if not made.files:
            break
        made = JournalWriter()
    data = made.bytes
    path.write_bytes(data[:128])
    asked, end = watch(), 128
    while end < len(data):
        end = min(end + chance.choice((1, 8, 60, 300, 2000)), len(data))
        path.write_bytes(data[:end])
        asked.live.read()
        if asked.live.count:
            asked.shown(asked.live.last, 0)
            asked.find("t1")
    (tmp_path / "whole").write_bytes(data)
    whole = Asked(tmp_path / "whole")

    assert told(asked) == told(whole)
    assert differences(asked, path) == []
    # What was read in small pieces is kept in whole blocks.
    assert len(asked.live.index._entries) < 2 * len(whole.live.index._entries)
    whole.close()


def test_further_segments_are_read(watch, path):
    with mainstem.Context() as context:
        context.add_type("Pressed", payload=str)
        context.record(path, segment_size=65_536)
        asked = watch()
        for number in range(3_000):
            context.send("Pressed", f"{number} {'x' * 100}")
            if number % 100 == 0:
                asked.live.read()
        asked.live.read()
        assert len(asked.live.journal.paths) > 4
        assert asked.status()["events"] == "3000"
        assert asked.status()["notes"] == []
        for at in (1, 700, 1500, 2999, 3000):
            assert asked.event(at)["payload"].startswith(f"{at - 1} ")
            assert asked.shown(at, 0)["at"] == str(at)


def test_old_segments_may_be_removed_while_new_ones_come(watch, path):
    made = Session()
    made.open(FIRST)
    made.rotate()
    made.name_origin(2, "Counter", FIRST)
    made.write("label", "a")
    made.save(path)
    asked = watch()
    first = path.with_name("a.journal.000001")
    first.unlink()
    made.rotate()
    made.name_origin(2, "Counter", FIRST)
    made.write("label", "b")
    path.with_name("a.journal.000003").write_bytes(made.bytes)
    asked.live.read()

    assert asked.status()["events"] == "13"
    assert asked.status()["notes"] == []
    assert asked.owner("Counter of #11", 13, 1)["values"][0]["text"] == '"b"'
    assert asked.event(1)["payload"] == ""


def test_a_second_session_is_told(watch, path):
    made = counter_session().end()
    made.save(path)
    asked = watch()
    assert asked.status()["closed"]
    made.session()
    made.name_origin(2, "Counter", FIRST)
    made.write("label", "new")
    made.save(path)
    asked.live.read()

    assert (asked.status()["sessions"], asked.status()["closed"]) == (2, False)
    assert [row["session"] for row in asked.all_rows()] == [1] * 5 + [2]
    assert len(asked.shown(27, 5)["owners"]) == 1


def test_a_journal_that_is_begun_later_is_read(watch, path):
    path.write_bytes(b"")
    asked = watch()
    made = counter_session()
    path.write_bytes(made.bytes[:60])
    asked.live.read()
    made.save(path)
    asked.live.read()

    assert asked.status()["events"] == "26"
    assert asked.owner("Counter of #11", 26, 1)["changes"] == 3


# Writers that are killed --------------------------------------------------------------------------


def test_a_writer_that_is_killed_leaves_what_it_has_written(watch, path):
    environment = dict(os.environ, PYTHONPATH=str(PACKAGE))
    command = [sys.executable, "-c", _WRITER, str(path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, env=environment, text=True, bufsize=1, **pipes) as process:
        process.stdin.write("one\n")
        assert process.stdout.readline() == "said\n"
        asked = watch()
        process.stdin.write("two\n")
        assert process.stdout.readline() == "said\n"
        process.kill()
    asked.live.read()

    assert [asked.event(at)["payload"] for at in (1, 2)] == ["one", "two"]
    assert asked.status()["notes"] == []
    assert not asked.status()["closed"]


def test_a_torn_tail_is_told_until_it_is_whole(watch, path):
    made = counter_session()
    whole = made.bytes
    made.write("label", "more")
    path.write_bytes(made.bytes[: len(whole) + 40])
    asked = watch()
    torn = asked.status()
    made.save(path)
    asked.live.read()

    assert torn["events"] == "26"
    assert torn["notes"] == ["it ends with a record that is not whole: a torn tail of 40 bytes"]
    assert (asked.status()["events"], asked.status()["notes"]) == ("27", [])


# Files that change otherwise ----------------------------------------------------------------------


@contextmanager
def failing(asked, said):
    """Reading fails with a message; what was read can still be asked for."""
    with asked.live:
        asked.live._thread.join(60)
        assert not asked.live._thread.is_alive()
        status = asked.status()
        assert said in " ".join(status["notes"])
        assert not status["reading"]
        assert not status["live"]
        yield status


def replaced(path, made):
    other = path.with_name("other")
    other.write_bytes(made.bytes)
    os.replace(other, path)


@pytest.mark.parametrize(
    "change, said",
    [
        (lambda path, made: os.truncate(path, 500), "was cut off"),
        (lambda path, made: os.truncate(path, 0), "was cut off"),
        (lambda path, made: path.unlink(), "is not there any longer"),
        (replaced, "was replaced by another file"),
    ],
)
def test_a_file_that_is_changed_is_told(watch, path, change, said):
    made = counter_session()
    made.save(path)
    asked = watch()
    change(path, made)
    with failing(asked, said):
        assert asked.titles()


def test_what_was_read_of_a_file_that_is_gone_is_still_there(watch, path):
    counter_session().save(path)
    asked = watch()
    before = told(asked)
    path.unlink()
    with pytest.raises(JournalError):
        asked.live.read()
    asked.live._fail(JournalError("gone"))
    asked.live._moments.clear()

    assert told(asked) == before


def test_what_is_cut_off_while_it_is_looked_at_is_no_crash(watch, path):
    counter_session().save(path)
    asked = watch()
    os.truncate(path, 900)
    for call in (lambda: asked.event(26), lambda: asked.shown(26, 0), lambda: asked.chain(0)):
        with pytest.raises((JournalError, Unfit)):
            call()


def test_damage_is_told_and_what_is_before_it_is_there(path):
    made = counter_session()
    data = bytearray(made.bytes)
    data[made.offsets[-8] + 66] ^= 1
    path.write_bytes(bytes(data))
    asked = Asked(path, reads=False)
    with failing(asked, "at byte 4016, after position 19, is damaged") as status:
        assert (status["events"], status["last"]) == ("19", "19")
        assert asked.owner("Counter of #11", 19, 1)["changes"] == 3
        assert asked.event(19)["at"] == "19"
        assert [row["at"] for row in asked.all_rows()] == ["1", "12", "17", "18"]


def test_another_journal_is_no_further_segment(watch, path):
    made = counter_session()
    made.rotate()
    made.open(FIRST)
    made.save(path)
    asked = watch()
    other = JournalWriter(journal=bytes(range(1, 17)), number=3)
    path.with_name("a.journal.000003").write_bytes(other.bytes)
    with failing(asked, ""):
        assert asked.titles()


def test_whatever_is_wrong_is_told(watch, path):
    counter_session().save(path)
    asked = watch()

    def fail():
        raise KeyError("surprise")

    asked.live.journal.check = fail
    with failing(asked, "it was not read further: KeyError('surprise')"):
        assert asked.titles()


# Threads ------------------------------------------------------------------------------------------


def test_it_can_be_asked_while_it_reads(path, monkeypatch):
    monkeypatch.setattr(_live, "_TURN", 0.0)
    made = JournalWriter()
    made.type("Page.text", TEXT | VALUE)
    for number in range(3_000):
        cause = made.event(f"Pressed{number % 7}", f"{number}")
        made.event("Page.text", f"{number}", cause=cause, origin="Page")
        if number % 50 == 0:
            made.say_digest()
    made.save(path)
    asked = Asked(path, reads=False)
    wrong, seen, turn = [], set(), threading.Event()

    def look():
        while True:
            with asked.live.lock:
                status = asked.status()
                rows = asked.rows(max(status["rows"] - 5, 0), 5)["rows"]
                for row in rows:
                    chain = asked.chain(row["row"])["events"]
                    if len(chain) != row["events"]:
                        wrong.append((row, chain))
                if (
                    status["events"] > "1"
                    and not asked.shown(int(status["last"]), rows[-1]["row"])["owners"]
                ):
                    wrong.append(status)
            seen.add(status["events"])
            turn.wait(0.001)
            if not status["reading"]:
                return

    threads = [threading.Thread(target=look) for _ in range(3)]
    with asked.live:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert wrong == []
    assert "6000" in seen
    assert len(seen) > 3

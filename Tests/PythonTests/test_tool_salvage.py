# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`python3 -m mainstem salvage`: all that is intact, and a report of what is not."""

from __future__ import annotations

import os
import random
import resource
import stat

import mainstem
import pytest
from journal_writer import JSON, JournalWriter, flipped
from mainstem.journal_file import Journal
from mainstem.tool import main
from todo_session import todo_session
from tool import run


def salvaged(capsys, tmp_path, data, to="new.journal"):
    path = tmp_path / "a.journal"
    if data is not None:
        path.write_bytes(data)
    status = main(["salvage", str(path), str(tmp_path / to)])
    return status, capsys.readouterr().out.splitlines()


def events(path):
    with Journal(str(path)) as journal:
        found = [
            (event.position, event.name, event.origin_name, event.data)
            for event in journal.events()
        ]
        assert journal.ending.kind == "clean"
        return found


def test_a_whole_journal_loses_nothing(tmp_path, capsys):
    made = todo_session()
    status, lines = salvaged(capsys, tmp_path, made.bytes)

    assert (status, lines) == (0, [f"{tmp_path}/new.journal: 15 events kept, nothing lost"])
    assert events(tmp_path / "new.journal") == events(tmp_path / "a.journal")
    assert main(["verify", str(tmp_path / "new.journal")]) == 0


def test_what_is_lost_is_named_and_all_else_is_kept(tmp_path, capsys):
    made = todo_session()
    whole = events(made.save(tmp_path / "whole.journal"))
    a, b = made.offsets[-8], made.offsets[-3]
    data = flipped(flipped(made.bytes, a * 8 + 9), b * 8 + 600)
    status, lines = salvaged(capsys, tmp_path, data)

    assert status == 1
    lost = made.offsets[-7] - a + made.offsets[-2] - b
    assert lines == [
        "lost: position 9",
        "lost: position 14",
        f"{tmp_path}/new.journal: 13 events kept, 2 events and {lost} bytes lost",
    ]
    kept = events(tmp_path / "new.journal")
    assert kept == [event for event in whole if event[0] not in (9, 14)]


def test_what_salvage_writes_is_whole_whatever_was_hurt(tmp_path, capsys):
    made = todo_session()
    whole = events(made.save(tmp_path / "whole.journal"))
    chance = random.Random(4)
    for number in range(120):
        data = bytearray(made.bytes)
        for _ in range(chance.randrange(1, 6)):
            data[chance.randrange(128, len(data))] ^= 1 << chance.randrange(8)
        to = f"{number}.journal"
        salvaged(capsys, tmp_path, bytes(data), to=to)
        kept = events(tmp_path / to)
        assert [event[0] for event in kept] == sorted({event[0] for event in kept})
        names = {event[0]: event for event in whole}
        assert all(event[3] == names[event[0]][3] for event in kept)


@pytest.mark.parametrize("at", [0, 9, 40, 50, 70, 126])
def test_a_damaged_header_loses_no_event(tmp_path, capsys, at):
    status, lines = salvaged(capsys, tmp_path, flipped(todo_session().bytes, at * 8))
    assert (status, lines) == (
        1,
        [f"{tmp_path}/new.journal: 15 events kept, 0 events and 128 bytes lost"],
    )

    assert len(events(tmp_path / "new.journal")) == 15


def test_segments_become_one_journal(tmp_path, capsys):
    made = JournalWriter()
    for _ in range(4):
        made.event("One", "1", origin="View")
        made.event("Two", "2")
        made.rotate()
    made.event("Three", "3", origin="View")
    path = made.save(tmp_path / "a.journal")
    whole = events(path)
    hurt = tmp_path / "a.journal.000002"
    hurt.write_bytes(bytes(128) + hurt.read_bytes()[128:])
    (tmp_path / "a.journal.000004").unlink()
    status, lines = salvaged(capsys, tmp_path, None)

    assert status == 1
    assert lines[0] == "lost: positions 7 to 8 (2 events)"
    assert events(tmp_path / "new.journal") == [one for one in whole if one[0] not in (7, 8)]


def test_a_journal_whose_first_records_are_lost_can_be_read(tmp_path, capsys):
    made = todo_session()
    data = made.bytes[:128] + b"\xff" * 64 + made.bytes[192:]
    status, _ = salvaged(capsys, tmp_path, data)

    assert status == 1
    assert len(events(tmp_path / "new.journal")) == 15


def test_only_its_owner_may_read_it_and_nothing_is_overwritten(tmp_path, capsys):
    salvaged(capsys, tmp_path, todo_session().bytes)
    path = tmp_path / "new.journal"
    assert stat.S_IMODE(os.stat(str(path)).st_mode) == 0o600
    before = path.read_bytes()

    assert salvaged(capsys, tmp_path, None)[0] == 2
    assert path.read_bytes() == before


def test_random_bytes_are_no_journal(tmp_path, capsys):
    chance = random.Random(1)
    data = bytes(chance.randrange(256) for _ in range(5000))
    status, lines = salvaged(capsys, tmp_path, data)

    assert status == 2
    assert not (tmp_path / "new.journal").exists()


def test_positions_that_are_said_to_be_skipped_later_are_not_lost(tmp_path, capsys):
    made = JournalWriter()
    made.event("Some", "a")
    # As a writer does: the name of a type comes before what is skipped until the next event.
    made.position += 3
    made.type("Other", JSON)
    made.position -= 3
    made.skip(3)
    made.event("Other", "1")
    status, lines = salvaged(capsys, tmp_path, made.end().bytes)

    assert (status, lines) == (0, [f"{tmp_path}/new.journal: 2 events kept, nothing lost"])


def test_a_record_that_was_copied_elsewhere_hides_nothing(tmp_path, capsys):
    made = JournalWriter()
    for number in range(20):
        made.event("Some", str(number))
    data, at = made.bytes, made.offsets
    whole = events(made.save(tmp_path / "whole.journal"))
    status, lines = salvaged(
        capsys, tmp_path, data[: at[8]] + data[at[15] : at[16]] + data[at[8] :]
    )

    assert events(tmp_path / "new.journal") == whole


@pytest.mark.parametrize("room", [50, 500])
def test_a_copy_that_finds_no_room_leaves_no_file(tmp_path, room):
    """It would look like a journal that a crash has cut, and stand in the way of another try."""
    path = todo_session().save(tmp_path / "a.journal")
    limits = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))}
    status, output, said = run("salvage", path, tmp_path / "b.journal", **limits)

    assert (status, output) == (2, "")
    assert said == f"mainstem: {tmp_path}/b.journal cannot be written: no space left\n"
    assert os.listdir(tmp_path) == ["a.journal"]
    assert run("salvage", path, tmp_path / "b.journal")[0] == 0


def test_it_is_what_the_library_salvages(tmp_path, capsys):
    """And so it is as fast."""
    data = flipped(todo_session().bytes, 1500 * 8)
    salvaged(capsys, tmp_path, data)
    kept = mainstem.salvage(tmp_path / "a.journal", tmp_path / "theirs.journal")
    assert events(tmp_path / "new.journal") == events(tmp_path / "theirs.journal")
    assert kept.events == len(events(tmp_path / "new.journal"))

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`python3 -m mainstem verify`: whether a journal is as it was written."""

from __future__ import annotations

import struct

from journal_writer import MARKED, OUTSIDE, JournalWriter, flipped
from mainstem.tool import main
from todo_session import todo_session


def verified(capsys, path):
    status = main(["verify", str(path)])
    return status, capsys.readouterr().out.splitlines()


def saved(tmp_path, data):
    path = tmp_path / "a.journal"
    path.write_bytes(data)
    return path


def test_a_clean_journal(tmp_path, capsys):
    path = todo_session().save(tmp_path / "a.journal", reserve=4096)

    assert verified(capsys, path) == (
        0,
        [f"{path}: clean: 15 events in 1 file; 1 digest recomputed, over 15 events"],
    )


def test_a_torn_tail_has_a_status_of_its_own(tmp_path, capsys):
    made = todo_session()
    at = made.offsets[-2]
    path = saved(tmp_path, made.bytes[: at + 33])

    assert verified(capsys, path) == (
        3,
        [
            f"{path}, byte {at}, after position 14: a torn tail of 33 bytes, left by a crash, is "
            "dropped: a record is cut off",
            f"{path}: torn: 14 events in 1 file; 0 digests recomputed, over 0 events",
        ],
    )


def test_damage_has_its_place_and_what_follows(tmp_path, capsys):
    made = todo_session()
    at, following = made.offsets[-4:-2]
    path = saved(tmp_path, flipped(made.bytes, at * 8 + 700))
    status, lines = verified(capsys, path)

    assert status == 1
    assert lines[0] == (
        f"{path}, byte {at}, after position 12: damaged: the checksum of a record is wrong; "
        f"an intact record follows at byte {following} of {path}, position 14. What follows is "
        "not read"
    )


def test_a_wrong_digest_is_damage(tmp_path, capsys):
    made = todo_session()
    made.say(5, struct.pack("<Q", 1))
    status, lines = verified(capsys, made.save(tmp_path / "a.journal"))

    assert status == 1
    assert (
        f"byte {made.offsets[-1]}, position 15: the events up to here have the digest" in lines[0]
    )


def test_types_and_origins_without_a_name_are_found(tmp_path, capsys):
    made = JournalWriter()
    made.event("One", type=7)
    made.event("One", type=7, origin="View")
    made.event("One", origin="View")
    path = made.save(tmp_path / "a.journal")
    status, lines = verified(capsys, path)

    assert status == 1
    assert lines[0] == f"{path}, byte {made.offsets[2]}, position 1: no record says what type 7 is"
    assert len(lines) == 2


def test_what_cannot_be_computed_is_said(tmp_path, capsys):
    made = JournalWriter()
    made.event("Changed", flags=MARKED | OUTSIDE)
    status, lines = verified(capsys, made.end().save(tmp_path / "a.journal"))

    assert status == 0
    assert lines[0].endswith("1 could not be, since not everything they cover is in the file")


def test_a_segment_that_is_missing_is_damage(tmp_path, capsys):
    made = JournalWriter()
    for _ in range(2):
        made.event("One")
        made.rotate()
    path = made.save(tmp_path / "a.journal")
    (tmp_path / "a.journal.000002").unlink()
    status, lines = verified(capsys, path)

    assert status == 1
    assert "damaged: a.journal.000001 is followed by no file, but by others" in lines[0]

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The second implementation of docs/journal-format.md: what it reads, and what it refuses."""

from __future__ import annotations

import os
import struct
import threading
import time

import pytest
from journal_writer import JSON, MARKED, OUTSIDE, WITHHELD, JournalWriter, flipped
from mainstem.journal_file import Journal, JournalError, Proof, crc32c
from mainstem.journal_file._file import PartChecksums
from mainstem.tool import main


def small(events=5):
    """A journal of a few events, with names and digests."""
    made = JournalWriter()
    made.type("RequestTodo", JSON, "ResponseTodo")
    made.type("ResponseTodo", JSON)
    for number in range(events):
        asked = made.event("RequestTodo", f'{{"id":{number}}}', origin="View")
        made.event("ResponseTodo", '{"title":"Milk"}', cause=asked, answers=asked, origin="Model")
    made.say_digest()
    return made


def read(path):
    """The positions that count, and how it ended."""
    with Journal(str(path)) as journal:
        return [event.position for event in journal.events()], journal.ending


def written(tmp_path, data, name="a.journal"):
    path = tmp_path / name
    path.write_bytes(data)
    return path


def test_the_checksum_is_that_of_the_page():
    assert crc32c(0, b"123456789") == 0xE3069283
    assert crc32c(crc32c(0, b"1234"), b"56789") == 0xE3069283


def test_the_checksum_of_a_part_is_that_of_its_bytes():
    data = bytes(range(251)) * 9
    parts = PartChecksums(data)
    for begin, end in ((0, 0), (0, 9), (8, 1000), (96, 2257), (2248, 2259), (1600, 1604)):
        assert parts.of(77, begin, end) == crc32c(77, data[begin:end]), (begin, end)


def test_what_was_written_is_read(tmp_path):
    made = JournalWriter()
    made.layer(7, "billing")
    made.type("RequestTodo", JSON | 7 << 40, "ResponseTodo")
    made.event("RequestTodo", '{"id":3}', origin="View")
    made.fail("ResponseTodo", "No such todo.", "It is gone.", "3", cause=1, answers=1)
    path = made.end().save(tmp_path / "a.journal")

    with Journal(str(path)) as journal:
        asked, answer = journal.events()
        assert (asked.name, asked.origin_name, asked.data) == ("RequestTodo", "View", b'{"id":3}')
        assert (asked.outside, asked.tracked, asked.time) == (True, True, made.time - 1_000_000)
        info = asked.type_info
        assert (info.payload, info.role, info.response) == ("json", "request", b"ResponseTodo")
        assert asked.session.layers[info.layer] == b"billing"
        assert (answer.cause, answer.answers, answer.correlation) == (1, 1, 1)
        assert (answer.status, answer.origin_name) == (1000, "")
        assert answer.error == ("No such todo.", "It is gone.", "3")
        assert (journal.ending.kind, journal.ending.position) == ("clean", 2)
        (session,) = journal.sessions
        assert (session.seed, session.process, session.version) == (7, 4711, "0.1.0")
        assert session.ended


def whole_files():
    """Files by what they show: the positions that count, and what is said of the ending."""
    made = small()
    yield "reserved room is no tail", made.bytes + bytes(5000), range(1, 11), {"kind": "clean"}
    made = JournalWriter(first=41)
    made.event("Noted")
    yield "a journal may begin at any position", made.bytes, [41], {"kind": "clean"}
    made = small(1)
    made.skip(3)
    made.event("Noted", cause=2)
    yield "positions that are not kept are named", made.bytes, [1, 2, 6], {"kind": "clean"}
    made = small(1)
    made.say(77, b"from the future")
    made.event("Noted", "after", cause=2)
    yield "kinds of later versions are passed over", made.bytes, [1, 2, 3], {"kind": "clean"}


def torn_and_damaged_files():
    made = small(2)
    at = made.offsets[-2]
    torn = {"kind": "torn", "offset": at, "torn": len(made.bytes[at : at + 30].rstrip(b"\0"))}
    yield "a torn tail before reserved room", made.bytes[: at + 30] + bytes(4096), [1, 2, 3], torn
    other = JournalWriter(journal=b"another journal!")
    other.event("RequestTodo", '{"id":0}')
    recycled = other.bytes + made.bytes[len(other.bytes) :]
    yield "records of another journal are none here", recycled, [1], {"kind": "torn"}

    made = small(3)
    data = made.bytes
    a, b, c = made.offsets[-5:-2]
    follows = {"offset": b, "position": 3, "next_offset": c, "next_position": 5}
    yield "damage names what follows", flipped(data, b * 8 + 77), [1, 2, 3], follows
    for how, changed in (
        ("taken out", data[:a] + data[b:]),
        ("doubled", data[:b] + data[a:]),
        ("moved", data[:a] + data[b:c] + data[a:b] + data[c:]),
    ):
        count = 3 if how == "doubled" else 2
        yield f"a record is {how}", changed, range(1, count + 1), {"kind": "damaged"}
    for size in (0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 4096):
        lie = data[: a + 40] + struct.pack("<I", size) + data[a + 44 :]
        yield f"a size that is a lie, {size}", lie, [1, 2], {"kind": "damaged"}


def files_that_no_writer_writes():
    made = small(1)
    made.position += 1
    made.event("Noted")
    wrong = {"kind": "damaged", "message": "an event has position 4, not 3"}
    yield "an event at a wrong position", made.bytes, [1, 2], wrong
    said = ("session", "type", "layer", "origin", "digest", "skipped", "end")
    for kind, name in enumerate(said, start=1):
        made = small(1)
        made.say(kind, b"12")
        short = {"kind": "damaged", "message": f"a {name} record is too short"}
        yield f"a {name} record that says too little", made.bytes, [1, 2], short


def rows(cases):
    """The cases of a table, by name."""
    return [pytest.param(*rest, id=name) for name, *rest in cases]


FILES = rows([*whole_files(), *torn_and_damaged_files(), *files_that_no_writer_writes()])


@pytest.mark.parametrize("data, positions, ending", FILES)
def test_what_a_file_has_and_how_it_ends(tmp_path, data, positions, ending):
    found, ended = read(written(tmp_path, data))

    assert found == list(positions)
    assert {name: getattr(ended, name) for name in ending} == ending


def test_a_flip_anywhere_is_found(tmp_path):
    """In a complete record, and with a record behind it, each is damage; none is an event."""
    made = JournalWriter()
    made.event("One", "1")
    made.event("One", "22", cause=1)
    data = made.bytes
    whole = read(written(tmp_path, data))[0]
    # Each 7th: every bit of a byte has its turn. The library's own reader is shown all of them.
    for bit in range(0, len(data) * 8, 7):
        path = written(tmp_path, flipped(data, bit))
        if bit < 128 * 8:
            with pytest.raises(JournalError):
                Journal(str(path))
            continue
        positions, ending = read(path)
        assert positions == whole[: len(positions)]
        last = bit >= made.offsets[-1] * 8
        assert ending.kind == ("torn" if last else "damaged"), bit
        assert ending.offset <= bit // 8


def test_every_cut_is_a_torn_tail_or_an_end(tmp_path):
    made = small(2)
    data = made.bytes
    ends = {*made.offsets, len(data)}
    for length in range(128, len(data) + 1):
        path = written(tmp_path, data[:length])
        positions, ending = read(path)
        assert positions == list(range(1, len(positions) + 1))
        if length in ends:
            assert (ending.kind, ending.torn) == ("clean", 0), length
            continue
        cut = data[ending.offset : length]
        if cut.strip(b"\0"):
            assert ending.kind == "torn", length
            assert ending.torn == len(cut.rstrip(b"\0"))
    for length in range(128):
        positions, ending = read(written(tmp_path, data[:length]))
        torn = len(data[:length].rstrip(b"\0"))
        assert (positions, ending.torn) == ([], torn)
        assert ending.kind == ("torn" if torn else "clean")


def segments(tmp_path, count=3):
    made = small(2)
    for _ in range(count - 1):
        made.rotate()
        asked = made.event("RequestTodo", '{"id":9}', origin="View")
        made.event("ResponseTodo", "{}", cause=asked, answers=asked, origin="Model")
    made.end()
    return made.save(tmp_path / "b.journal")


def proof_of(path):
    proof = Proof()
    with Journal(str(path)) as journal:
        for record in journal.records():
            proof.take(record)
    return proof


def segment(path, number, data):
    """Changes a segment, or takes it away."""
    file = path.with_name(f"{path.name}.{number:06}")
    if data is None:
        file.unlink()
    else:
        file.write_bytes(data(file.read_bytes()))


FOREIGN = JournalWriter(journal=b"another journal!", first=5, number=2).bytes
ANOTHER = {"kind": "damaged", "message": "the file belongs to another journal"}
SEGMENTS = [
    ("they are one journal", 1, lambda data: data, range(1, 9), {"kind": "clean"}),
    ("a flight recorder begins with the lowest", 1, None, range(5, 9), {"kind": "clean"}),
    ("files behind a hole are damage", 2, None, range(1, 5), {"kind": "damaged"}),
    (
        "a torn tail inside is passed over",
        1,
        lambda data: data + b"half a record",
        range(1, 9),
        {"kind": "torn", "torn": 13},
    ),
    ("one of another journal is damage", 2, lambda data: FOREIGN, range(1, 5), ANOTHER),
    ("the last is empty", 3, lambda data: b"", range(1, 7), {"kind": "clean", "torn": 0}),
    ("the last is of zeros", 3, lambda data: bytes(4096), range(1, 7), {"kind": "clean"}),
    ("the last is half a header", 3, lambda data: data[:70], range(1, 7), {"kind": "torn"}),
]


@pytest.mark.parametrize("number, change, positions, ending", rows(SEGMENTS))
def test_what_segments_have_and_how_they_end(tmp_path, number, change, positions, ending):
    path = segments(tmp_path)
    segment(path, number, change)
    found, ended = read(path)

    assert found == list(positions)
    assert {name: getattr(ended, name) for name in ending} == ending
    if ending["kind"] == "clean":
        assert proof_of(path).findings == []
    if change is None and number == 2:
        assert ended.next_path == f"{path}.000003"


def test_the_digest_is_computed_anew(tmp_path):
    proof = proof_of(small().save(tmp_path / "a.journal"))

    assert (proof.findings, proof.agreed, proof.open, proof.events) == ([], 1, 0, 10)


def test_a_wrong_digest_is_found(tmp_path):
    made = small()
    made.say(5, struct.pack("<Q", 5))
    (finding,) = proof_of(made.save(tmp_path / "a.journal")).findings

    assert finding[0].offset == made.offsets[-1]
    assert "0000000000000005" in finding[1]


def test_what_is_not_in_the_file_leaves_one_digest_open(tmp_path):
    made = small()
    made.event("Changed", flags=MARKED | OUTSIDE)
    made.say_digest()
    made.event("Secret", flags=WITHHELD | OUTSIDE)
    made.event("Noted", "x")
    proof = proof_of(made.end().save(tmp_path / "a.journal"))

    assert (proof.findings, proof.agreed, proof.open, proof.events) == ([], 2, 1, 12)


def test_salvage_finds_every_intact_record(tmp_path):
    made = small(4)
    data = flipped(flipped(made.bytes, made.offsets[-4] * 8), made.offsets[-7] * 8 + 500)
    lost = {made.offsets[-4], made.offsets[-7]}
    with Journal(str(written(tmp_path, data))) as journal:
        found = [record.offset for record in journal.intact()]

    assert found == [offset for offset in made.offsets if offset not in lost]


def test_salvage_needs_no_alignment_but_that_of_eight(tmp_path):
    made = small(2)
    at = made.offsets[-3]
    data = made.bytes[:at] + b"\xff" * 24 + made.bytes[at:]
    with Journal(str(written(tmp_path, data))) as journal:
        assert len(list(journal.intact())) == len(made.offsets)


def test_another_version_and_another_file_are_refused(tmp_path):
    newer = bytearray(small().bytes)
    newer[8] = 4
    flipped = bytes(newer)
    newer[124:128] = crc32c(0, bytes(newer[:124])).to_bytes(4, "little")
    for data, message in (
        (flipped, "is damaged: the checksum of its header is wrong"),
        (bytes(newer), "is a journal of version 4, but this reads versions up to 3"),
        (b"\x89MSI", "is not a journal: it does not begin like one"),
        (bytes(5000) + b"1", "is not a journal: it does not begin like one"),
        (b"SQLite format 3\0" * 20, "is not a journal: it does not begin like one"),
    ):
        path = written(tmp_path, data)
        with pytest.raises(JournalError) as raised:
            Journal(str(path))
        assert str(raised.value) == f"{path} {message}"


@pytest.mark.parametrize("version", (1, 2, 3))
def test_origins_of_all_versions_are_read(tmp_path, version):
    made = JournalWriter(version=version)
    made.name_origin(1, "V", scope=11, parent=7)
    made.event("Noted", "a", origin="V")
    made.name_origin(1, "W", scope=12, parent=11)
    made.event("Noted", "b", origin="W")
    path = written(tmp_path, made.end().bytes)
    with Journal(str(path)) as journal:
        seen = [(each.origin_name, each.session.scopes[1]) for each in journal.events()]
        assert (journal.version, journal.ending.kind) == (version, "clean")

    known = [("V", (11, 7)), ("W", (12, 11))]
    assert seen == (known if version > 1 else [(name, (0, 0)) for name, _ in known])


def test_the_files_of_a_journal_are_of_one_version(tmp_path):
    made = JournalWriter()
    made.event("Noted", "a")
    made.version = 1
    made.rotate()
    with Journal(str(made.save(tmp_path / "a.journal"))) as journal:
        assert len(list(journal.events())) == 1
        assert journal.ending.kind == "damaged"
        assert journal.ending.message == "the file is of version 1, not 3"


def test_what_is_no_file_is_refused_at_once(tmp_path):
    os.mkfifo(str(tmp_path / "pipe"))
    for name in ("pipe", "none", "."):
        with pytest.raises(OSError):
            Journal(str(tmp_path / name))


def test_reserved_room_of_a_terabyte_is_read_at_once(tmp_path):
    path = small(2).save(tmp_path / "a.journal")
    try:
        os.truncate(str(path), 1 << 40)
    except OSError:
        pytest.skip("no sparse file of that size here")
    began = time.monotonic()

    assert read(path)[1].kind == "clean"
    assert time.monotonic() - began < 5


def test_a_search_in_hostile_bytes_takes_no_longer_than_in_others(tmp_path):
    """Each eighth byte claims a record as long as all that follows."""
    made = small(1)
    claim = struct.pack("<Q", 1 << 16) * (1 << 14)
    began = time.monotonic()
    positions, ending = read(written(tmp_path, made.bytes + claim))

    assert (positions, ending.kind) == ([1, 2], "torn")
    assert time.monotonic() - began < 10


def test_names_that_are_no_text_and_names_that_are_missing_can_be_read(tmp_path):
    made = JournalWriter()
    made.event("Noted", b"\xff\xfe", type=99, origin="x")
    made.event("Noted", b"", cause=1, type=98)
    with Journal(str(made.save(tmp_path / "a.journal"))) as journal:
        assert [event.name for event in journal.events()] == ["type 99", "type 98"]


# A journal that is being written ----------------------------------------------------------------


@pytest.mark.parametrize("left", [1, 17, 40, 79])
@pytest.mark.parametrize("reserve", [0, 4096])
def test_what_is_written_after_it_was_opened_is_no_tail(tmp_path, left, reserve):
    """The size at the opening cuts a record in two, as a write does that is under way."""
    made = small()
    data, at = made.bytes, made.offsets[-3]
    path = written(tmp_path, data[: at + left] + bytes(reserve))
    with Journal(str(path)) as journal:
        path.write_bytes(data + bytes(reserve))
        positions = [event.position for event in journal.events()]
    assert journal.ending.kind == "clean"
    assert positions == list(range(1, len(positions) + 1))
    assert len(positions) == (10 if reserve else 8)


def test_a_write_that_is_under_way_is_waited_for(tmp_path):
    made = small()
    data, at = made.bytes, made.offsets[-3]
    path = written(tmp_path, data[: at + 33])
    with Journal(str(path)) as journal:
        path.write_bytes(data[: at + 40])
        later = threading.Timer(0.004, path.write_bytes, [data])
        later.start()
        list(journal.events())
        later.join()
    assert journal.ending.kind == "clean"


def test_a_tail_that_stays_is_torn(tmp_path):
    made = small()
    path = written(tmp_path, made.bytes[: made.offsets[-3] + 33])
    assert read(path)[1].kind == "torn"
    os.utime(path, (1, 1))
    begun = time.monotonic()
    assert read(path)[1].kind == "torn"
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize("command", ["verify", "info", "dump", "tree"])
def test_the_commands_read_a_live_journal(tmp_path, capsys, command, monkeypatch):
    made = small()
    data, at = made.bytes, made.offsets[-3]
    path = written(tmp_path, data[: at + 33])
    begin = Journal._begin

    def begin_and_write(journal):
        begin(journal)
        path.write_bytes(data)

    monkeypatch.setattr(Journal, "_begin", begin_and_write)
    assert main([command, str(path)]) == 0
    said = capsys.readouterr()
    assert "torn" not in said.out + said.err

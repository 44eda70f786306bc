# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Reading a journal through the library, beside the second implementation of its format."""

from __future__ import annotations

import journal_writer
import mainstem
import pytest
from journal_writer import JSON, MARKED, STRUCT, WITHHELD, JournalWriter
from mainstem import Failure, MainstemError, Status, journal_file


def small():
    """A little of everything."""
    made = JournalWriter()
    made.type("RequestRain", journal_writer.TEXT | journal_writer.REQUEST, "ResponseRain")
    made.event("RequestRain", "Oslo")
    made.type("ResponseRain", JSON | journal_writer.RESPONSE)
    made.event("ResponseRain", '{"mm":3}', cause=1, answers=1, origin="Clouds")
    made.fail("ResponseRain", "no clouds", "Sunny", "o", cause=1, answers=1)
    made.skip(4)
    made.type("Point", STRUCT | 8)
    made.event("Point", b"12345678")
    made.event("Point", b"", flags=MARKED | 1)
    made.event("Point", b"", flags=WITHHELD | 1)
    return made.end()


def test_every_event_comes_with_its_names_and_its_value(tmp_path):
    path = small().save(tmp_path / "journal")
    with mainstem.Journal(path) as journal:
        events = list(journal)
        info = journal.info

    assert [event.position for event in events] == [1, 2, 3, 8, 9, 10]
    assert [event.value for event in events] == [
        "Oslo",
        {"mm": 3},
        Failure("no clouds", user_message="Sunny", subject="o"),
        b"12345678",
        None,
        None,
    ]
    assert str(events[1]) == '#2 ResponseRain ok ← #1 Clouds {"mm":3}'
    assert events[1].origin == "Clouds"
    assert events[1].type_info.payload == "json"
    assert events[2].error.subject == "o"
    assert [event.marked for event in events] == [False] * 4 + [True, False]
    assert [event.withheld for event in events] == [False] * 5 + [True]
    assert info.is_read and info.is_clean
    assert (info.first, info.last, info.events, info.sessions) == (1, 10, 6, 1)
    assert info.bytes == path.stat().st_size
    assert info.id == journal_writer.ID


def test_every_record_is_what_the_file_has(tmp_path):
    """Compared with the second implementation; and the offset is the link."""
    path = small().save(tmp_path / "journal")
    with mainstem.Journal(path) as journal:
        (head, header), *found = journal.every_record()
    with journal_file.Journal(str(path)) as journal:
        wanted = list(journal.records())
    assert (head[0], head[7:9], header) == (0, (0, 0), path.read_bytes()[:128])
    assert [(h[0], h[7] == 0, data) for h, data in found] == [
        (record.position, not record.is_event, record.data) for record in wanted
    ]
    assert [h[6] for h, _ in found] == [record.link for record in wanted]


def test_records_are_headers_and_payloads(tmp_path):
    with mainstem.Journal(small().save(tmp_path / "journal")) as journal:
        assert next(journal).position == 1
        for header, data in journal.records():
            assert (header[0], data) == (2, b'{"mm":3}')
            break
        named = [(mainstem.EventHeader._make(header), data) for header, data in journal.records()]
        assert [header.position for header, _ in named] == [3, 8, 9, 10]
        assert named[0][1] == b"no clouds\0Sunny\0o\0"
        assert journal.type(named[1][0].type).name == "Point"
        assert list(journal.records()) == []
        assert journal.info.is_read


def test_each_event_has_the_names_of_its_session(tmp_path):
    made = JournalWriter()
    for name in ("First", "Second"):
        made.session()
        made.type(name, journal_writer.TEXT, number=1)
        made.event(name, "x", origin=f"From{name}")
    with mainstem.Journal(made.save(tmp_path / "journal")) as journal:
        events = list(journal)
    assert events[0].type == events[1].type
    assert [(event.name, event.origin) for event in events] == [
        ("First", "FromFirst"),
        ("Second", "FromSecond"),
    ]
    assert str(events[0]) == "#1 First FromFirst x"


def test_an_event_may_be_longer_than_the_memory_for_many(tmp_path):
    made = JournalWriter()
    made.type("Long", journal_writer.BYTES)
    for size in (3, 1 << 20, 4):
        made.event("Long", bytes(size))
    with mainstem.Journal(made.save(tmp_path / "journal")) as journal:
        assert [len(event.data) for event in journal] == [3, 1 << 20, 4]


def test_what_was_fetched_ends_with_the_journal(tmp_path):
    with mainstem.Journal(small().save(tmp_path / "journal")) as journal:
        assert next(journal).position == 1
    with pytest.raises(MainstemError) as raised:
        next(journal)
    assert raised.value.status in (Status.INVALID, Status.STALE)


def test_an_event_of_a_journal_can_only_be_read(tmp_path):
    with mainstem.Journal(small().save(tmp_path / "journal")) as journal:
        event = next(journal)
        for call in (event.retain, lambda: event.respond(""), lambda: event.progress("Point")):
            with pytest.raises(RuntimeError, match="an event of a journal"):
                call()
    journal.close()
    with pytest.raises(MainstemError):
        next(journal)
    assert str(event) == "#1 RequestRain Oslo"


def test_damage_is_an_exception_that_says_where(tmp_path):
    made = small()
    path = made.save(tmp_path / "journal")
    path.write_bytes(journal_writer.flipped(made.bytes, (made.offsets[4] + 9) * 8))
    journal = mainstem.Journal(path)

    assert next(journal).position == 1
    for _ in range(2):
        with pytest.raises(MainstemError) as raised:
            next(journal)
        assert raised.value.status == Status.CORRUPT
        assert f"at byte {made.offsets[4]}, after position 1," in raised.value.message
    assert journal.info.damaged_at == made.offsets[4]
    journal.close()


def test_salvaging_keeps_what_is_intact_and_says_what_is_lost(tmp_path):
    made = small()
    path = made.save(tmp_path / "journal")
    # The record of event 2: one of no event has type 0.
    hurt = next(at for at in made.offsets if made.bytes[at] == 2 and made.bytes[at + 48] != 0)
    path.write_bytes(journal_writer.flipped(made.bytes, (hurt + 70) * 8))
    kept = mainstem.salvage(path, tmp_path / "salvaged")

    assert (kept.events, kept.first, kept.last) == (5, 1, 10)
    assert (kept.lost_positions, kept.lost) == (1, (mainstem.Gap(2, 2, 1),))
    assert kept.lost_bytes > 0
    with mainstem.Journal(tmp_path / "salvaged") as journal:
        assert [event.position for event in journal] == [1, 3, 8, 9, 10]
        assert journal.info.is_read and not journal.info.torn_bytes
    with pytest.raises(MainstemError, match="already exists"):
        mainstem.salvage(path, tmp_path / "salvaged")


def test_a_reader_goes_on_behind_the_one_that_writes(tmp_path):
    with mainstem.Context() as context:
        context.record(tmp_path / "live")
        tick = context.add_type("Tick", int, layer="clock")
        context.send(tick, 1)
        with mainstem.Journal(tmp_path / "live") as journal:
            assert [event.value for event in journal] == [1]
            for number in (2, 3):
                context.send(tick, number)
                assert not list(journal)
                journal.follow()
                [event] = journal
                assert event.value == number
            assert event.type_info.layer_name == "clock"

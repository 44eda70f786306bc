# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The two readers, the library's and that of the page, see the same in any file."""

from __future__ import annotations

import random
import re

import mainstem
import pytest
from journal_writer import BYTES, JSON, MARKED, OUTSIDE, WITHHELD, JournalWriter, resealed
from mainstem import MainstemError, Status
from mainstem.journal_file import Journal, JournalError
from mainstem.tool.line import line_of


def by_the_library(path):
    """The lines, and how it ended: kind, torn bytes, place of the damage."""
    lines = []
    try:
        with mainstem.Journal(str(path)) as journal:
            try:
                for event in journal:
                    lines.append(str(event))
            except MainstemError as error:
                assert error.status == Status.CORRUPT
                return lines, "damaged", 0, journal.info.damaged_at
            torn = journal.info.torn_bytes
            return lines, "torn" if torn else "clean", torn, 0
    except MainstemError as error:
        assert error.status in (Status.CORRUPT, Status.VERSION)
        return lines, "none", 0, 0


def by_the_page(path):
    """The same, read a second time."""
    try:
        with Journal(str(path)) as journal:
            lines = [line_of(event) for event in journal.events()]
            end = journal.ending
            damaged_at = end.offset if end.kind == "damaged" else 0
            return lines, end.kind, end.torn if end.kind == "torn" else 0, damaged_at
    except JournalError:
        return [], "none", 0, 0


def sample(chance):
    """Events of all kinds, names, digests, skipped positions, sessions."""
    made = JournalWriter(first=chance.choice((1, 1, 9)))
    made.type("RequestTodo", JSON, "ResponseTodo")
    made.type("ResponseTodo", JSON)
    made.type("Some", BYTES)
    made.type("Hidden", BYTES | 1 << 50)
    for number in range(chance.randrange(2, 12)):
        asked = made.event("RequestTodo", f'{{"id":{number}}}', origin=chance.choice(("", "View")))
        if number % 3:
            made.event("ResponseTodo", '"x\\n"', cause=asked, answers=asked, origin="Model")
        else:
            made.fail("ResponseTodo", "Gone.\x1b", "It is gone.", "3", cause=asked, answers=asked)
        made.event("Some", bytes(chance.randrange(40)))
        if chance.random() < 0.2:
            made.event("Some", flags=OUTSIDE | MARKED)
            made.event("Hidden", flags=OUTSIDE | WITHHELD)
        if chance.random() < 0.2:
            made.skip(chance.randrange(1, 5))
        if chance.random() < 0.2:
            made.say_digest()
        if chance.random() < 0.1:
            made.end()
            made.session()
    return made


def flip(data, chance, offsets):
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def cut(data, chance, offsets):
    del data[chance.randrange(len(data)) :]


def reserve(data, chance, offsets):
    data += bytes(chance.randrange(5000))


def splice(data, chance, offsets):
    """A record or some of them, taken out, doubled or moved."""
    begin, end = sorted(chance.sample([*offsets, len(data)], 2))
    at = chance.choice(offsets)
    taken = bytes(data[begin:end])
    if chance.random() < 0.5:
        del data[begin:end]
    data[min(at, len(data)) : min(at, len(data))] = taken


def overwrite(data, chance, offsets):
    at = chance.randrange(len(data))
    data[at : at + chance.randrange(200)] = bytes(chance.randrange(300))


CHANGES = (flip, cut, reserve, splice, overwrite)


def forge_field(data, chance, offsets):
    """What a record's header says is another."""
    at = chance.choice(offsets) + chance.choice((0, 8, 16, 24, 40, 48, 52, 56, 60))
    data[at : at + 4] = chance.choice(FORGED).to_bytes(4, "little")


def forge_payload(data, chance, offsets):
    at = chance.choice(offsets) + 64 + chance.choice((0, 0, 4, 8, 16, 17, 20))
    data[at : at + 1] = bytes([chance.choice((0, 1, 2, 7, 64, 200, 255))])


def forge_header(data, chance, offsets):
    at = chance.choice((8, 12, 32, 40, 48))
    data[at] = chance.choice((0, 1, 2, 128))


def forge_nothing(data, chance, offsets):
    """Only links and checksums are mended, behind what was spliced."""


FORGED = (0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 33, 64, 128, 256, 512, 1000, (1 << 32) - 1)
FORGERIES = (forge_field, forge_field, forge_payload, forge_payload, forge_header, forge_nothing)


def expect_same(page, library):
    """The same, but for bytes that are no text, and for names that are said behind an event.

    Many events are read at once: such a name is known for all of them.
    """
    assert page[1:] == library[1:]
    assert len(page[0]) == len(library[0])
    for one, other in zip(page[0], library[0]):
        if re.search(r" (type|origin) \d", one):
            assert one.split()[0] == other.split()[0]
        else:
            assert re.split(r"\\x", one)[0] == re.split("\ufffd", other)[0]


@pytest.mark.parametrize("seed", range(400))
def test_both_readers_see_the_same_in_what_no_writer_writes(tmp_path, seed):
    chance = random.Random(seed)
    made = sample(chance)
    data = bytearray(made.bytes)
    if chance.random() < 0.3:
        splice(data, chance, made.offsets)
    chance.choice(FORGERIES)(data, chance, [at for at in made.offsets if at + 100 < len(data)])
    data = bytearray(resealed(data))
    if chance.random() < 0.3:
        flip(data, chance, made.offsets)
    path = tmp_path / "a.journal"
    path.write_bytes(data)

    expect_same(by_the_page(path), by_the_library(path))


@pytest.mark.parametrize("size", [*range(132), 5000])
def test_both_readers_see_the_same_in_what_was_just_begun(tmp_path, size):
    path = tmp_path / "a.journal"
    for data in (JournalWriter().bytes[:size], bytes(size), bytes(size) + b"1", b"\x89M" * size):
        path.write_bytes(data)
        assert by_the_page(path) == by_the_library(path)


@pytest.mark.parametrize("seed", range(150))
def test_both_readers_see_the_same_in_a_file_that_was_changed(tmp_path, seed):
    chance = random.Random(seed)
    made = sample(chance)
    data = bytearray(made.bytes)
    for _ in range(chance.randrange(3)):
        if data:
            chance.choice(CHANGES)(data, chance, made.offsets)
    path = tmp_path / "a.journal"
    path.write_bytes(data)

    assert by_the_page(path) == by_the_library(path)


@pytest.mark.parametrize("seed", range(60))
def test_both_readers_see_the_same_in_segments_that_were_changed(tmp_path, seed):
    chance = random.Random(seed)
    made = JournalWriter()
    for _ in range(chance.randrange(1, 5)):
        for number in range(chance.randrange(4)):
            made.event("Noted", str(number), origin=chance.choice(("", "View")))
        made.rotate()
    made.event("Noted", "last")
    path = made.save(tmp_path / "a.journal")
    names = sorted(tmp_path.iterdir())
    for _ in range(chance.randrange(3)):
        one = chance.choice(names)
        data = bytearray(one.read_bytes()) if one.exists() else bytearray()
        if chance.random() < 0.2 and one.exists() and len(list(tmp_path.iterdir())) > 1:
            one.unlink()
        elif data:
            chance.choice((flip, cut, reserve, overwrite))(data, chance, [128])
            one.write_bytes(data)

    assert by_the_page(path) == by_the_library(path)

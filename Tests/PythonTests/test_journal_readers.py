# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The two readers, the library's and that of the page, see the same in any file.

MAINSTEM_FORGED says how many files are forged, and MAINSTEM_LARGE_FILES how many large ones are
changed. Where nothing is said, it is some of the 100,000 and of the 24 that Tests/run long tries:
which, changes with MAINSTEM_TURN.
"""

from __future__ import annotations

import os
import random
import re
import struct

import mainstem
import pytest
from journal_writer import (
    BYTES,
    INSERT,
    JSON,
    LIST,
    MARKED,
    OUTSIDE,
    TEXT,
    VALUE,
    WITHHELD,
    JournalWriter,
    list_changes,
    resealed,
    whole,
)
from mainstem import MainstemError, Status
from mainstem.journal_file import Journal, JournalError
from mainstem.journal_file._file import VersionError
from mainstem.tool._reading import line_of


def by_the_library(path):
    """The lines and times, and how it ended: kind, torn bytes, place of the damage."""
    lines = []
    try:
        with mainstem.Journal(str(path)) as journal:
            try:
                for event in journal:
                    lines.append(f"{event} at {event.time}")
            except MainstemError as error:
                assert error.status == Status.CORRUPT
                return lines, "damaged", 0, journal.info.damaged_at
            torn = journal.info.torn_bytes
            return lines, "torn" if torn else "clean", torn, 0
    except MainstemError as error:
        assert error.status in (Status.CORRUPT, Status.VERSION)
        return lines, "none" if error.status == Status.CORRUPT else "version", 0, 0


def by_the_page(path):
    """The same, read a second time."""
    try:
        with Journal(str(path)) as journal:
            lines = [f"{line_of(event)} at {event.time}" for event in journal.events()]
            end = journal.ending
            damaged_at = end.offset if end.kind == "damaged" else 0
            return lines, end.kind, end.torn if end.kind == "torn" else 0, damaged_at
    except VersionError:
        return [], "version", 0, 0
    except JournalError:
        return [], "none", 0, 0


def sample(chance):
    """Events of all kinds, names, digests, skipped positions, sessions."""
    made = JournalWriter(first=chance.choice((1, 1, 9)), version=chance.choice((1, 2, 3, 3)))
    made.type("RequestTodo", JSON, "ResponseTodo")
    made.type("ResponseTodo", JSON)
    made.type("Some", BYTES)
    made.type("Hidden", BYTES | 1 << 50)
    made.type("Rows", chance.choice((BYTES, TEXT, JSON)) | VALUE | LIST)
    for number in range(chance.randrange(2, 12)):
        asked = made.event("RequestTodo", f'{{"id":{number}}}', origin=chance.choice(("", "View")))
        if number % 3:
            made.event("ResponseTodo", '"x\\n"', cause=asked, answers=asked, origin="Model")
        else:
            made.fail("ResponseTodo", "Gone.\x1b", "It is gone.", "3", cause=asked, answers=asked)
        made.event("Some", bytes(chance.randrange(40)))
        if chance.random() < 0.3:
            rows = [("a", b"1"), ("b", b"2")]
            made.event("Rows", whole(*rows))
            made.event("Rows", list_changes(3, [(INSERT, 2, 1)], [("c", b"")], (2, 0, 1)))
            made.say_list("Rows", made.position - 1, *rows)
        if chance.random() < 0.2:
            made.event("Some", chance.choice((b"", b"8 digest")), flags=OUTSIDE | MARKED)
            made.event("Hidden", flags=OUTSIDE | WITHHELD)
        if chance.random() < 0.2:
            made.skip(chance.randrange(1, 5))
        if chance.random() < 0.2:
            made.say_digest()
        if chance.random() < 0.2:
            made.name_origin(1, chance.choice(("View", "Cell", "V")), scope=number, parent=7)
        if chance.random() < 0.1:
            made.event("Some", flags=512)
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
    at = chance.choice(offsets) + 64 + chance.choice((0, 0, 4, 7, 8, 16, 17, 20, 23, 24, 25))
    data[at : at + 1] = bytes([chance.choice((0, 1, 2, 7, 64, 200, 255))])


def forge_padding(data, chance, offsets):
    """What fills a record up to a multiple of 8."""
    at = chance.choice(offsets)
    (size,) = struct.unpack_from("<I", data, at + 40)
    end = at + (64 + size + 4 + 7 & ~7) - 4
    if at + 64 + size < end < len(data):
        data[end - 1] = chance.randrange(256)


def forge_kind(data, chance, offsets):
    """What says something about the journal says something else, or is an event."""
    at = chance.choice(offsets)
    field, values = chance.choice(((48, (0, 1, 2, 99)), (52, (*range(-2, 16), 1 << 30))))
    struct.pack_into("<i", data, at + field, chance.choice(values))


def forge_size(data, chance, offsets):
    """A payload is cut, or has more bytes than its record has room for."""
    at = chance.choice(offsets)
    (size,) = struct.unpack_from("<I", data, at + 40)
    struct.pack_into("<I", data, at + 40, max(0, size + chance.choice((-9, -8, -1, 1, 7, 8))))


def forge_header(data, chance, offsets):
    at = chance.choice((8, 12, 32, 40, 48))
    data[at] = chance.choice((0, 1, 2, 128))


def forge_nothing(data, chance, offsets):
    """Only links and checksums are mended, behind what was spliced."""


FORGED = (0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 33, 64, 128, 256, 512, 1000, (1 << 32) - 1)
FORGERIES = (
    forge_field,
    forge_field,
    forge_payload,
    forge_payload,
    forge_padding,
    forge_kind,
    forge_size,
    forge_header,
    forge_nothing,
)
TURN = int(os.environ.get("MAINSTEM_TURN", "0"))
COUNT = int(os.environ.get("MAINSTEM_FORGED", "500"))
FIRST = COUNT * TURN % max(COUNT, 100_000)
LARGE_COUNT = int(os.environ.get("MAINSTEM_LARGE_FILES", "4"))
LARGE_FIRST = LARGE_COUNT * TURN % max(LARGE_COUNT, 24)
#: So many files in one case of this test; one in so many is longer than three windows.
TOGETHER, LARGE = 250, 500


def expect_same(page, library):
    """The same, but for names that are said behind an event.

    Many events are read at once: such a name is known for all of them.
    """
    assert page[1:] == library[1:]
    assert len(page[0]) == len(library[0])
    for one, other in zip(page[0], library[0]):
        if re.search(r" (type|origin) \d", one):
            assert one.split()[0] == other.split()[0]
        else:
            assert one == other


def forge(seed):
    """A file whose bytes were changed, and whose checksums were then made right."""
    chance = random.Random(seed)
    made = sample(chance)
    if seed % LARGE == LARGE - 1:
        for _ in range(chance.randrange(8, 20)):
            size = chance.choice((1000, 60_000, 140_000))
            made.event("Some", chance.getrandbits(8 * size).to_bytes(size, "little"))
        made.event("Some", b"last")
    data = bytearray(made.bytes)
    if chance.random() < 0.3:
        splice(data, chance, made.offsets)
    chance.choice(FORGERIES)(data, chance, [at for at in made.offsets if at + 100 < len(data)])
    if chance.random() < 0.2:
        chance.choice(FORGERIES)(data, chance, [at for at in made.offsets if at + 100 < len(data)])
    data = bytearray(resealed(data))
    if chance.random() < 0.3:
        flip(data, chance, made.offsets)
    return data


@pytest.mark.parametrize("first", range(FIRST, FIRST + COUNT, TOGETHER))
def test_both_readers_see_the_same_in_what_no_writer_writes(tmp_path, first):
    path = tmp_path / "a.journal"
    for seed in range(first, min(first + TOGETHER, FIRST + COUNT)):
        path.write_bytes(forge(seed))
        page, library = by_the_page(path), by_the_library(path)
        try:
            expect_same(page, library)
        except AssertionError:
            raise AssertionError(f"seed {seed}: {page[1:]}, {library[1:]}") from None


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


@pytest.mark.parametrize("seed", range(10))
def test_text_that_is_no_text_reads_the_same(tmp_path, seed):
    """Bytes of a stranger, cut at 240: not a character of them is split or shown as it is."""
    chance = random.Random(seed)
    parts = (b"\x80", b"\xe2\x80", b"\xe2\x80\xae", b"\xf0\x9f\x98\x80", b"\xf4\x90", b"\xc2\x9b")
    parts += (b"\xed\xa0\x80", b"a", b"\xff", "€".encode(), b"\xf3\xa0\x81\xa1", b"\xef\xbb\xbf")
    made = JournalWriter()
    made.type("Text", TEXT)
    for _ in range(200):
        data = b"".join(chance.choice(parts) for _ in range(chance.choice((3, 80, 200))))
        made.event("Text", data)
    path = made.save(tmp_path / "a.journal")

    lines, *_ = by_the_library(path)
    assert by_the_page(path)[0] == lines
    assert len(lines) == 200


# Several windows, several segments, records that are longer than a window -------------------------


def large_sample(path):
    """Three files of several windows (128 KiB) each, with records that are longer than one."""
    chance = random.Random(1)
    made = JournalWriter()
    offsets = []
    for number in range(3):
        if number:
            offsets.append(made.offsets)
            made.rotate()
        for index in range(60):
            made.event("Some", random_bytes(chance, chance.randrange(4000)))
            if index % 20 == 10:
                made.event("Some", random_bytes(chance, chance.choice((131004, 131012, 140000))))
            if chance.random() < 0.2:
                made.skip(chance.randrange(1, 5))
            if chance.random() < 0.2:
                made.say_digest()
    made.save(path)
    return [*offsets, made.offsets]


def random_bytes(chance, size):
    return chance.getrandbits(8 * size).to_bytes(size, "little") if size else b""


def zero_sectors(data, chance, offsets):
    at = chance.randrange(len(data) // 512) * 512
    end = min(at + 512 * chance.randrange(1, 8), len(data))
    data[at:end] = bytes(end - at)


def lengthen(data, chance, offsets):
    """A record claims another length, perhaps all that is left of the file."""
    at = chance.choice(offsets)
    sizes = (0, 8, 131004, 1 << 31, (1 << 32) - 1, len(data) - at - 68)
    data[at + 40 : at + 44] = chance.choice(sizes).to_bytes(4, "little")


LARGE_CHANGES = (flip, flip, cut, zero_sectors, lengthen, splice)


@pytest.mark.parametrize("seed", range(LARGE_FIRST, LARGE_FIRST + LARGE_COUNT))
def test_both_readers_see_the_same_in_large_files_that_were_changed(tmp_path, seed):
    chance = random.Random(seed)
    path = tmp_path / "a.journal"
    offsets = large_sample(path)
    names = sorted(tmp_path.iterdir())
    for _ in range(chance.randrange(1, 3)):
        at = chance.randrange(3)
        data = bytearray(names[at].read_bytes())
        chance.choice(LARGE_CHANGES)(
            data, chance, [each for each in offsets[at] if each + 100 < len(data)]
        )
        names[at].write_bytes(data)

    assert by_the_page(path) == by_the_library(path)
    kept = mainstem.salvage(path, tmp_path / "kept")
    with Journal(str(path), tolerant=True) as journal:
        intact = {each.position for each in journal.intact() if each.is_event}
    assert kept.events == len(intact)
    with Journal(str(tmp_path / "kept")) as journal:
        assert {each.position for each in journal.events()} == intact

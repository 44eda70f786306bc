# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The index beside a journal: what a tool shows is the same with and without it."""

from __future__ import annotations

import itertools
import json
import os
import random
import struct
import zlib

import mainstem
import pytest
from journal_writer import INTEGER, LIST, MARKED, TEXT, VALUE, JournalWriter, list_changes, whole
from mainstem.journal_file import Journal, Record
from mainstem.tool import _index, main
from mainstem.tool._blocks import ENTRY, ROW, Entry
from mainstem.tool._dump import Owners
from mainstem.tool._index import Index
from mainstem.tool._reading import CheckedJournal, is_over
from random_options import Options
from random_outside import act_from_outside
from random_session import Program, add_types

_TIMES = itertools.count(1_800_000_000_000_000_000, 1_000_000_000)


@pytest.fixture
def small(monkeypatch):
    """Each journal has an index, of many short blocks."""
    sizes = {"_EVENTS": 4, "_WORTH": 0, "_SLOWER": 0, "_SPACING": 0, "_SETTLED": -(1 << 62)}
    for name, size in sizes.items():
        monkeypatch.setattr(_index, name, size)


def put(made, path):
    """Saves a journal; as time is what tells that a file has changed, each time is another."""
    for old in path.parent.glob("*.0*"):
        old.unlink()
    made.save(path)
    touch(path)
    return path


def touch(path):
    for file in path.parent.iterdir():
        if not file.name.endswith(".index"):
            time = next(_TIMES)
            os.utime(file, ns=(time, time))


def drawn(chance, made=None, events=120):
    """A journal of values, lists and scopes that end; in several files and sessions."""
    made = made or JournalWriter(first=chance.choice((1, 1, 7)))
    for number in range(4):
        made.type(f"Page.v{number}", TEXT | VALUE)
    made.type("Page.rows", TEXT | VALUE | LIST)
    made.type("MainstemEnded", INTEGER)
    # The scope that has each number. Files name again those that live; a scope comes only once.
    scopes, named = vars(made).setdefault("scopes", {}), vars(made).setdefault("named", set())
    for _ in range(events):
        kind = chance.random()
        made.origins = {"": 0, **{f"{number}": number for number in named}}
        if kind < 0.1:
            number = chance.randrange(1, 4)
            if number in named or number not in scopes:
                scopes[number] = 1000 + made.position * 10 + number
            made.name_origin(number, "Page", scopes[number], chance.choice((0, *scopes.values())))
            named.add(number)
        elif kind < 0.14:
            made.skip(chance.choice((1, 2, 30)), chance.choice((None, made.position or None)))
        elif kind < 0.18:
            made.say_digest()
        elif kind < 0.2:
            made.rotate()
            named.clear()
        elif kind < 0.21:
            made.session()
            scopes.clear()
            named.clear()
        elif kind < 0.25:
            ended = chance.choice((0, *scopes.values()))
            made.event("MainstemEnded", struct.pack("<Q", ended))
        elif kind < 0.35:
            rows = [(f"k{n}", f"r{chance.randrange(9)}") for n in range(chance.randrange(4))]
            rows = [(key, text.encode()) for key, text in rows]
            data = chance.choice((whole(*rows), list_changes(9, [(1, 0, 1)]), whole(*rows)))
            made.event("Page.rows", data, origin=chance.choice(list(made.origins)))
        elif kind < 0.4:
            made.event("Page.v0", b"", flags=MARKED, origin=chance.choice(list(made.origins)))
        else:
            name = chance.choice(("Page.v0", "Page.v1", "Page.v2", "Page.v3", "Pressed"))
            cause = chance.choice((0, made.position))
            origin = chance.choice(list(made.origins))
            made.event(name, f"t{chance.randrange(99)}", cause=cause, origin=origin)
    return made


def without(index, at):
    """What `owners` says, read from the first record on."""
    owners, last = Owners(), None
    for record in index.journal.records():
        if record.position > at or is_over(record, at):
            break
        if not record.is_event:
            owners.learn(record)
            continue
        last = record
        if record.type in owners.telling:
            owners.take(record)
    return owners, last


def said(capsys, path, *more):
    status = main(["shown", str(path), *map(str, more)])
    return status, capsys.readouterr()


def check(capsys, monkeypatch, path, at):
    """Compares what is shown with an index and without it."""
    for more in ([], ["--json"]) if at is None else (["--at", at], ["--at", at, "--json"]):
        with monkeypatch.context() as patched:
            patched.setattr(Index, "owners", without)
            patched.setattr(Index, "_save", lambda index: None)
            expected = said(capsys, path, *more)
        assert said(capsys, path, *more) == expected, (path, more)


def _ats(chance, last):
    return [None, *(chance.randrange(-1, last + 3) for _ in range(8))]


@pytest.mark.parametrize("seed", range(30))
def test_what_is_shown_is_the_same(seed, small, tmp_path, capsys, monkeypatch):
    """Also of a journal that grows between."""
    chance = random.Random(seed)
    made = drawn(chance)
    for _ in range(3):
        path = put(made, tmp_path / "a.journal")
        for at in _ats(chance, made.position):
            check(capsys, monkeypatch, path, at)
        assert (tmp_path / "a.journal.index").exists()
        drawn(chance, made, chance.choice((0, 3, 40)))


@pytest.mark.parametrize("seed", range(12))
def test_what_a_program_did_is_shown_the_same(seed, small, tmp_path, capsys, monkeypatch):
    path = tmp_path / "a.journal"
    chance = random.Random(seed)
    options = Options.drawn(chance)
    context = options.open()
    context.record(str(path))
    add_types(context)
    program = Program(context, options)
    act_from_outside(program, options, chance)
    program.end()
    touch(path)
    with Journal(str(path)) as journal:
        last = max((event.position for event in journal.events()), default=0)
    for at in _ats(chance, last):
        check(capsys, monkeypatch, path, at)


@pytest.mark.parametrize("seed", range(20))
def test_damage_and_torn_tails_are_told_the_same(seed, small, tmp_path, capsys, monkeypatch):
    chance = random.Random(seed)
    made = drawn(chance)
    path = put(made, tmp_path / "a.journal")
    check(capsys, monkeypatch, path, None)
    files = sorted(file for file in tmp_path.iterdir() if not file.name.endswith(".index"))
    for _ in range(6):
        file = chance.choice(files)
        data = bytearray(file.read_bytes())
        place = chance.randrange(128, len(data))
        if chance.random() < 0.5:
            data[place] ^= 1 << chance.randrange(8)
        else:
            data[place:] = bytes(chance.choice((0, len(data) - place)))
        file.write_bytes(data)
        touch(path)
        for at in _ats(chance, made.position)[:4]:
            check(capsys, monkeypatch, path, at)
        put(made, path)


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_or_foreign_index_is_made_anew(seed, small, tmp_path, capsys, monkeypatch):
    chance = random.Random(seed)
    made = drawn(chance)
    path, index = put(made, tmp_path / "a.journal"), tmp_path / "a.journal.index"
    check(capsys, monkeypatch, path, None)
    kept = index.read_bytes()
    for _ in range(12):
        data = bytearray(kept)
        change = chance.randrange(4)
        if change == 0:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        elif change == 1:
            del data[chance.randrange(len(data)) :]
        elif change == 2:
            place = chance.randrange(len(data))
            data[place : place + 50] = bytes(50)
        else:
            data = bytearray(chance.getrandbits(8) for _ in range(chance.randrange(300)))
        index.write_bytes(data)
        for at in (None, chance.randrange(made.position)):
            check(capsys, monkeypatch, path, at)
    other = JournalWriter(journal=bytes(range(1, 17)))
    path = put(drawn(chance, other), tmp_path / "a.journal")
    index.write_bytes(kept)
    check(capsys, monkeypatch, path, None)
    assert index.read_bytes() != kept


def _sealed(kept, change):
    """The same index with other states, whose checksums are right."""
    place, count, size, _ = _index._TAIL.unpack(kept[-_index._TAIL.size :])
    facts, entries = kept[place : place + size], kept[place + size : -_index._TAIL.size]
    area, made = bytearray(kept[: _index._HEAD.size]), []
    for entry in map(Entry._make, ENTRY.iter_unpack(entries)):
        state = change(kept[entry.place : entry.place + entry.size])
        rows = kept[entry.place + entry.size :][: entry.rows * ROW]
        made.append(entry._replace(place=len(area), size=len(state), sums=zlib.crc32(state)))
        area += state + rows
    rest = facts + b"".join(ENTRY.pack(*entry) for entry in made)
    return bytes(area) + rest + _index._TAIL.pack(len(area), count, size, zlib.crc32(rest))


def _another(chance, said):
    if isinstance(said, list) and said and chance.random() < 0.9:
        place = chance.randrange(len(said))
        return [*said[:place], _another(chance, said[place]), *said[place + 1 :]]
    return chance.choice(
        (None, -1, 0, 1, 7, 1.5, True, 1 << 64, "x", "\u20ac", [], {}, [[]], [1, 2])
    )


@pytest.mark.parametrize("seed", range(40))
def test_an_index_that_says_anything_is_no_crash(seed, small, tmp_path, capsys):
    """Its checksums are right: somebody made it so."""
    chance = random.Random(seed)
    path, index = put(drawn(chance), tmp_path / "a.journal"), tmp_path / "a.journal.index"
    said(capsys, path)
    kept = index.read_bytes()

    def change(state):
        said = json.loads(zlib.decompress(state)) if state else None
        return zlib.compress(json.dumps(_another(chance, said)).encode())

    for _ in range(20):
        index.write_bytes(_sealed(kept, change))
        for at in (20, 60, 1 << 64):
            status, told = said(capsys, path, "--at", at)
            assert (status, told.err) == (0, "")


# What it says of each event -----------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_each_event_is_found(seed, small, tmp_path):
    path = put(drawn(random.Random(seed)), tmp_path / "a.journal")
    with Journal(str(path)) as journal:
        records = {event.position: event for event in journal.events()}
        names = {event.position: (event.name, event.origin_name) for event in records.values()}
    with CheckedJournal(str(path)) as journal, Index(journal) as index:
        index.owners(1 << 64)
        for position in range(max(records) + 3):
            row, expected = index.row(position), records.get(position)
            assert (row is None) == (expected is None)
            if row is None:
                continue
            assert (journal.paths[row.file], row.offset) == (expected.path, expected.offset)
            told = (row.cause, row.root, row.answers, row.type, row.origin, row.flags)
            assert told == (
                *(expected.cause, expected.correlation, expected.answers),
                *(expected.type, expected.origin, expected.flags),
            )
            assert 0 <= expected.time - row.time < 1024
            assert row.failed == bool(expected.status)
            event = index.event(position)
            assert (event.name, event.origin_name) == names[position]
            assert event.data == expected.data


def recorded(path, events):
    """A journal of few live values, that the library has recorded."""
    with mainstem.Context() as context:
        context.record(path, durability="buffered")
        for number in range(8):
            context.add_type(f"Page.v{number}", payload=str, role="value")
            context.add_type(f"Sensor{number}", payload=str)
        pairs = [
            (f"Sensor{number % 8}" if number % 3 else f"Page.v{number % 8}", b"%d" % number)
            for number in range(1_000)
        ]
        for _ in range(events // 1_000):
            scope = context.scope("Page")
            scope.send_many(pairs)
            scope.end()
    time = next(_TIMES)
    os.utime(path, ns=(time, time))
    return path


def test_a_look_reads_few_records_of_many(tmp_path, capsys, monkeypatch):
    """And the index is short. Both are counts; docs/tools.md has times."""
    monkeypatch.setattr(_index, "_SETTLED", -(1 << 62))
    events = 100_000
    path = recorded(tmp_path / "a.journal", events)
    first = said(capsys, path, "--at", 90_000)
    read = []
    init = Record.__init__

    def counted(record, *what):
        read.append(what)
        init(record, *what)

    monkeypatch.setattr(Record, "__init__", counted)
    monkeypatch.setattr(CheckedJournal, "pieces", None)
    assert said(capsys, path, "--at", 90_000) == first
    assert 0 < len(read) < 2 * _index._EVENTS
    assert os.path.getsize(f"{path}.index") < 40 * events


def test_a_short_journal_has_no_index(tmp_path, capsys):
    path = recorded(tmp_path / "a.journal", 2_000)
    assert said(capsys, path)[0] == 0
    assert [file.name for file in tmp_path.iterdir()] == ["a.journal"]


def test_only_whom_the_journal_is_for_reads_its_index(small, tmp_path, capsys):
    path = put(drawn(random.Random(1)), tmp_path / "a.journal")
    for mode, expected in ((0o644, 0o600), (0o400, 0o400)):
        for file in tmp_path.iterdir():
            file.chmod(mode)
        index = tmp_path / "a.journal.index"
        index.unlink(missing_ok=True)
        said(capsys, path)
        assert index.stat().st_mode & 0o777 == expected


def test_an_index_that_others_can_write_is_not_believed(small, tmp_path, capsys, monkeypatch):
    path, index = put(drawn(random.Random(1)), tmp_path / "a.journal"), tmp_path / "a.journal.index"
    said(capsys, path)
    index.chmod(0o666)
    check(capsys, monkeypatch, path, 60)
    assert index.stat().st_mode & 0o777 == 0o600


def test_where_it_cannot_be_written_nothing_is_said(small, tmp_path, capsys, monkeypatch):
    path = put(drawn(random.Random(1)), tmp_path / "a.journal")

    def refuse(*what, **more):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(_index.tempfile, "mkstemp", refuse)
    check(capsys, monkeypatch, path, None)
    assert said(capsys, path)[1].err == ""
    assert not (tmp_path / "a.journal.index").exists()


def test_what_is_left_unfinished_is_removed(small, tmp_path, capsys, monkeypatch):
    path = put(drawn(random.Random(1)), tmp_path / "a.journal")
    before = sorted(tmp_path.iterdir())

    def refuse(*what):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(_index.os, "replace", refuse)
    assert said(capsys, path)[0] == 0
    assert sorted(tmp_path.iterdir()) == before

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The tools on journals of the sizes that users have: a million events, and damage in them."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import mainstem
import pytest
from conftest import PACKAGE
from counter_session import FIRST, counter_session
from journal_writer import resealed
from mainstem import journal_file
from mainstem.tool import main
from mainstem.tool._reading import CheckedJournal
from mainstem.tool._runs import Page

#: What `info` may take above what it takes for a short journal, in bytes.
_SPARE = 6 << 20
#: Runs a command and says the most memory that it took, in KiB, which Linux tells.
_MEASURED = """
import resource, sys
from mainstem.tool import main
status = main(sys.argv[1:])
sys.stderr.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))
sys.exit(status)
"""


def recorded(path, events, segment_size=0):
    """A journal that the library has recorded: many types, some scopes, requests and values."""
    with mainstem.Context() as context:
        context.record(path, durability="buffered", segment_size=segment_size)
        for number in range(40):
            context.add_type(f"Sensor{number}", payload=str)
        context.add_type("Secret", payload=str, secret=True)
        context.add_type("Seen", payload=str, record="mark")
        names = [f"Sensor{number}" for number in range(40)]
        pairs = [(names[number % 40], b"%d" % number) for number in range(5_000)]
        for round in range(events // 5_000):
            scope = context.scope(f"Worker{round % 7}")
            scope.send_many(pairs)
            scope.send("Secret", "s")
            scope.send("Seen", "s")
            scope.end()
    return path


def most_memory(*arguments):
    """The most memory that a command took, in bytes."""
    environment = dict(os.environ, PYTHONPATH=str(PACKAGE))
    command = [sys.executable, "-c", _MEASURED, *map(str, arguments)]
    ended = subprocess.run(command, env=environment, capture_output=True, check=True)
    return 1024 * int(ended.stderr)


@pytest.fixture(scope="module")
def million(tmp_path_factory):
    folder = tmp_path_factory.mktemp("million")
    yield recorded(folder / "journal", 1_000_000, 8 << 20)
    for file in folder.iterdir():
        file.unlink()


def test_a_million_events_take_no_more_memory_than_few(million, tmp_path):
    few = recorded(tmp_path / "few", 5_000)
    for command in ("info", "shown", "verify", "screens"):
        assert most_memory(command, million) < most_memory(command, few) + _SPARE


def test_tree_keeps_few_bytes_of_each_event(million, tmp_path):
    few = recorded(tmp_path / "few", 5_000)
    assert most_memory("tree", million, "--to", 1) < most_memory("tree", few) + 64 * 1_000_000


def test_info_makes_no_object_for_an_event_that_it_counts(million, capsys, monkeypatch):
    """What costs in Python is what is done for each event: here, for each of a million."""
    made = []
    make = Page.record

    def counted(page, index):
        made.append(page.types[index])
        return make(page, index)

    monkeypatch.setattr(Page, "record", counted)
    assert main(["info", str(million)]) == 0
    said = capsys.readouterr().out
    assert "\n  1,000,000 events" not in said
    # The scopes that end say so; digests, names and sessions are no events.
    assert sum(1 for kind in made if kind) < 1_000
    assert len(made) < 1_000_000 // 100
    assert "Worker3" in said


def _facts(record):
    names = ("position", "cause", "answers", "time", "size", "type", "status", "origin", "flags")
    facts = [getattr(record, name) for name in (*names, "correlation", "data", "path", "offset")]
    return (*facts, record.name, record.origin_bytes)


def _told(kind, path):
    """What a reader makes of a journal: its records, how it ended and its sessions."""
    try:
        with kind(str(path)) as journal:
            records = [_facts(record) for record in journal.records()]
            return records, journal.ending, [session.ended for session in journal.sessions]
    except journal_file.JournalError as error:
        return str(error)


def test_both_readers_say_the_same_of_many_files(tmp_path):
    path = recorded(tmp_path / "journal", 20_000, 1 << 18)
    assert len(list(tmp_path.iterdir())) > 4
    assert _told(CheckedJournal, path) == _told(journal_file.Journal, path)


@pytest.mark.parametrize("seed", range(12))
def test_both_readers_say_the_same_of_damage(tmp_path, seed):
    """Wherever it is, and if it is what a crash leaves: bits turned over, ends cut off, zeros."""
    draw = random.Random(seed)
    made = counter_session()
    for _ in range(2):
        made.rotate()
        made.open(FIRST)
        made.say_digest()
    path = made.save(tmp_path / "journal")
    files = sorted(tmp_path.iterdir())
    whole = {file: file.read_bytes() for file in files}
    for _ in range(25):
        file = draw.choice(files)
        data = bytearray(whole[file])
        place = draw.randrange(len(data))
        change = draw.choice(["flip", "cut", "zeros", "more", "resealed"])
        if change == "cut":
            del data[place:]
        elif change == "zeros":
            data[place:] = bytes(len(data) - place)
        elif change == "more":
            data += bytes(draw.randrange(200)) + data[place:]
        else:
            data[place] ^= 1 << draw.randrange(8)
        file.write_bytes(resealed(data) if change == "resealed" else data)
        assert _told(CheckedJournal, path) == _told(journal_file.Journal, path), (file, change)
        file.write_bytes(whole[file])


def test_what_is_appended_while_a_tool_reads_does_not_count(tmp_path):
    """Its size is that of the moment when it was opened, whatever the library sees."""
    made = counter_session()
    path = made.save(tmp_path / "journal")
    with CheckedJournal(str(path)) as journal:
        before = made.position
        for _ in range(300):
            made.write("label", "more")
        made.save(path)
        assert [record.position for record in journal.records()][-1] == before
        assert journal.ending.kind == "clean"

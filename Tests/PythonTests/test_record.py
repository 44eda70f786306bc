# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Recording: what a context writes, read by the second implementation of the format."""

from __future__ import annotations

import os
import subprocess
import sys

import mainstem
import pytest
from journal_writer import JournalWriter
from mainstem import MainstemError, Notice, Request, Response, Status
from mainstem.journal_file import Journal, Proof, crc32c


@mainstem.event(layer="model")
class Noted(Notice):
    text: str


@mainstem.event
class ResponseLength(Response):
    length: int


@mainstem.event
class RequestLength(Request[ResponseLength]):
    text: str


def test_a_session_is_read_by_another_implementation(tmp_path):
    path = tmp_path / "a.journal"
    with mainstem.Context(seed=7) as context:
        context.record(path)
        context.register(Noted, RequestLength)
        scope = context.scope("Editor")
        context.server("Counter", {RequestLength: lambda ask: ResponseLength(len(ask.text))})
        scope.send(Noted("ä" * 300))
        assert context.request(RequestLength("four")).length == 4
        stats = context.journal_stats()
        assert (stats.status, stats.written, stats.events) == (Status.OK, 3, 3)

    with Journal(str(path)) as journal:
        events = list(journal.events())
        assert journal.ending.kind == "clean"
        assert journal.sessions[0].seed == 7
        assert [event.name for event in events] == ["Noted", "RequestLength", "ResponseLength"]
        assert [event.origin_name for event in events] == ["Editor", "", "Counter"]
        assert events[2].answers == 2
        assert os.stat(path).st_size == journal.size < 2000
        assert os.stat(path).st_mode & 0o777 == 0o600


def test_the_digest_that_is_written_is_that_of_the_events(tmp_path):
    path = tmp_path / "digest.journal"
    with mainstem.Context() as context:
        context.record(path)
        for number in range(1000):
            context.send(Noted(str(number)))

    proof = Proof()
    with Journal(str(path)) as journal:
        for one in journal.records():
            proof.take(one)
    assert (proof.findings, proof.agreed > 3, proof.events) == ([], True, 1000)


def test_a_context_that_has_begun_is_refused(tmp_path, context):
    context.send(Noted("x"))
    with pytest.raises(MainstemError) as caught:
        context.record(tmp_path / "late.journal")
    assert caught.value.status == Status.INVALID
    assert not list(tmp_path.iterdir())


def positions_of(path):
    """The positions in a journal, which must be whole."""
    with Journal(str(path)) as journal:
        found = [event.position for event in journal.events()]
        assert journal.ending.kind == "clean", journal.ending
    return found


@pytest.mark.parametrize("threads", ["one", "any"])
@pytest.mark.parametrize("deliver", ["immediate", "host"])
@pytest.mark.parametrize("level", ["process", "power", "buffered"])
def test_a_journal_goes_on(tmp_path, level, deliver, threads):
    path = tmp_path / "on.journal"
    for session in range(3):
        with mainstem.Context(threads=threads, deliver=deliver) as context:
            context.record(path, durability=level)
            seen = []
            context.register(Noted)
            context.observe("Noted", lambda event, seen=seen: seen.append(event.position))
            context.send(Noted("a"))
            context.send(Noted("b"))
            context.flush()
            assert seen == [session * 2 + 1, session * 2 + 2]
            assert context.journal_stats().written == session * 2 + 2
            assert context.journal_stats().durable == (session * 2 + 2 if level == "power" else 0)
    assert positions_of(path) == [1, 2, 3, 4, 5, 6]


def test_a_torn_end_is_dropped_and_counted(tmp_path):
    path = tmp_path / "torn.journal"
    with mainstem.Context() as context:
        context.record(path)
        context.send(Noted("a"))
    whole = path.read_bytes()
    path.write_bytes(whole + b"half a record" + bytes(1000))
    with mainstem.Context() as context:
        context.record(path)
        assert context.journal_stats().torn == 13
        context.send(Noted("b"))
    assert positions_of(path) == [1, 2]


def test_a_damaged_journal_is_refused_and_not_touched(tmp_path):
    path = tmp_path / "damaged.journal"
    with mainstem.Context() as context:
        context.record(path)
        for number in range(10):
            context.send(Noted(str(number)))
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    flipped = bytes(damaged[:8]) + b"\4" + bytes(damaged[9:])
    newer = flipped[:124] + crc32c(0, flipped[:124]).to_bytes(4, "little") + flipped[128:]
    for data, status in (
        (bytes(damaged), Status.CORRUPT),
        (b"no journal" * 20, Status.CORRUPT),
        (flipped, Status.CORRUPT),
        (newer, Status.VERSION),
    ):
        path.write_bytes(data)
        with mainstem.Context() as context:
            with pytest.raises(MainstemError) as caught:
                context.record(path)
            assert caught.value.status == status
            context.send(Noted("unrecorded"))
        assert path.read_bytes() == data


@pytest.mark.parametrize("level", ["process", "power", "buffered"])
@pytest.mark.parametrize("change", [os.unlink, lambda path: os.truncate(path, 200)])
def test_a_journal_that_another_program_changes_is_told(tmp_path, level, change):
    path = tmp_path / "changed.journal"
    with pytest.raises(MainstemError) as caught, mainstem.Context() as context:
        context.record(path, durability=level)
        context.send(Noted("before"))
        change(path)
        for number in range(16):
            context.send(Noted(str(number)))
    assert caught.value.status == Status.CORRUPT
    assert "another program has changed or removed its journal" in str(caught.value)
    assert context.closed


@pytest.mark.parametrize("left", [b"", bytes(128), bytes(5000), JournalWriter().bytes[:60]])
def test_a_file_that_nobody_came_to_write_is_begun(tmp_path, left):
    path = tmp_path / "blank.journal"
    path.write_bytes(left)
    with mainstem.Context() as context:
        context.record(path)
        context.send(Noted("a"))
    assert positions_of(path) == [1]


def test_there_is_one_writer_and_its_process_is_named(tmp_path):
    path = tmp_path / "locked.journal"
    with mainstem.Context() as first, mainstem.Context() as second:
        first.record(path)
        with pytest.raises(MainstemError) as caught:
            second.record(path)
        assert caught.value.status == Status.LOCKED
        assert f"process {os.getpid()} " in str(caught.value)
        first.close()
        second.record(path)


@pytest.mark.parametrize("level", ["process", "power", "buffered"])
def test_the_next_file_begins_in_time(tmp_path, level):
    path = tmp_path / "parts.journal"
    for _session in range(2):
        with mainstem.Context() as context:
            context.record(path, segment_size=8192, durability=level)
            for _number in range(200):
                context.send(Noted("x" * 100))
            assert context.journal_stats().segments >= (0 if level == "buffered" else 4)
    names = sorted(one.name for one in tmp_path.iterdir())
    assert names == [f"parts.journal.{number:06}" for number in range(1, len(names) + 1)]
    assert positions_of(path) == list(range(1, 401))
    if level != "buffered":
        assert max(one.stat().st_size for one in tmp_path.iterdir()) < 9000


@pytest.mark.parametrize("size", [40_000, 70_000, 1 << 20])
def test_a_buffered_journal_of_large_events_has_segments(tmp_path, size):
    """Whether an event is gathered with others, or is too long for that."""
    path = tmp_path / "large.journal"
    with mainstem.Context() as context:
        context.record(path, durability="buffered", segment_size=1 << 20, keep=3)
        context.add_type("Picture", payload=bytes)
        for _ in range(20 * (1 << 20) // size):
            context.send("Picture", bytes(size))
        assert context.journal_stats().segments >= 10
    files = sorted(tmp_path.iterdir())
    assert len(files) == 3
    assert max(file.stat().st_size for file in files) < (1 << 20) + size + (1 << 17)


def test_a_flight_recorder_keeps_the_last(tmp_path):
    path = tmp_path / "flight.journal"
    with mainstem.Context() as context:
        context.record(path, segment_size=4096, keep=3)
        for _number in range(500):
            context.send(Noted("x" * 100))
    assert len(list(tmp_path.iterdir())) == 3
    positions = positions_of(path)
    assert positions == list(range(positions[0], 501))
    assert 30 < len(positions) < 200


def test_options_that_do_not_fit_are_refused(tmp_path, context):
    for options in ({"keep": 3}, {"durability": "process", "new": True}):
        (tmp_path / "there.journal").write_bytes(b"")
        with pytest.raises(MainstemError) as caught:
            context.record(tmp_path / "there.journal", **options)
        assert caught.value.status == Status.INVALID
    with pytest.raises(MainstemError) as caught:
        context.record(tmp_path / "there.journal", segment_size=4096)
    assert caught.value.status == Status.INVALID
    with pytest.raises(TypeError):
        context.record(tmp_path / "x", durability="paper")


def test_what_is_durable_can_be_observed(tmp_path):
    told = []
    with mainstem.Context() as context:
        with pytest.raises(MainstemError):
            context.sync_journal()
        with pytest.raises(MainstemError, match="is not recorded"):
            context.on_durable(told.append)
        context.record(tmp_path / "told.journal")
        context.on_durable(told.append)
        context.send(Noted("a"))
        assert told == []
        context.sync_journal()
        context.sync_journal()
        assert told == [1]
        context.send(Noted("b"))
        context.sync_journal()
        context.on_durable(None)
        context.send(Noted("c"))
        context.sync_journal()
        assert context.journal_stats().durable == 3
    assert told == [1, 2]


def test_at_level_power_the_disk_is_asked_once_for_a_batch_however_long(tmp_path):
    told = []
    with mainstem.Context() as context:
        context.record(tmp_path / "batch.journal", durability="power")
        context.on_durable(told.append)
        context.send_many([Noted("a")] * 1000)
        assert told == [1000]


def test_at_level_power_a_send_returns_when_it_is_durable(tmp_path):
    told = []
    with mainstem.Context() as context:
        context.record(tmp_path / "power.journal", durability="power")
        context.on_durable(told.append)
        context.observe(Noted, lambda note: context.send("Echo", b""))
        context.add_type("Echo", bytes)
        context.send(Noted("a"))
        assert told == [2]
        assert context.journal_stats().durable == 2


@mainstem.event(record="inputs")
class Shown(Notice):
    rows: str


@pytest.mark.parametrize("shown", ("a" * 50_000, "b" * 50_000))
def test_of_outputs_that_are_kept_as_digests_a_verification_finds_another(tmp_path, shown):
    def open_program(context, rows):
        context.register(Noted, Shown)
        context.observe(Noted, lambda note: context.send(Shown(rows)))

    path = tmp_path / "inputs.journal"
    with mainstem.Context() as context:
        open_program(context, "a" * 50_000)
        context.record(path)
        context.send(Noted("x"))
        context.send(Shown("from outside"))
    with Journal(str(path)) as journal:
        kept = [(event.name, event.outside, len(event.data)) for event in journal.events()]
    assert kept[1:] == [("Shown", False, 8), ("Shown", True, len('{"rows":"from outside"}'))]

    with mainstem.Context() as context:
        open_program(context, shown)
        with context.replay(path, verify=True) as replay:
            if shown[0] == "a":
                assert replay.to_end() == 2
            else:
                with pytest.raises(MainstemError) as caught:
                    replay.to_end()
                assert caught.value.status == Status.DIFFERENT
                assert replay.difference.field == "payload"


@pytest.mark.parametrize(
    "use",
    [
        lambda context, path: context.record(path),
        lambda context, path: context.replay(path),
        lambda context, path: mainstem.Journal(path),
        lambda context, path: mainstem.salvage(path, "to"),
        lambda context, path: mainstem.salvage("a", path),
    ],
)
def test_a_path_with_a_zero_byte_names_no_other_file(use, tmp_path, monkeypatch):
    """C would end it there: another file would be written."""
    monkeypatch.chdir(tmp_path)
    with mainstem.Context() as context:
        context.record("a")
    before = os.listdir()
    with mainstem.Context() as context:
        for path in ("a\0b", b"a\0b", "new\0b"):
            with pytest.raises(MainstemError, match="INVALID: (path|to): .* has a zero byte in it"):
                use(context, path)
    assert os.listdir() == before


def test_to_ask_whether_a_context_is_recorded_is_no_mistake():
    with mainstem.Context() as context:
        with pytest.raises(MainstemError, match="INVALID: .* is not recorded"):
            context.journal_stats()
        assert context.first_error() is None


RUN = """
import sys, mainstem
with mainstem.Context() as context, mainstem.Context() as other:
    context.send(context.add_type("Noted", payload=str), "kept")
    other.send(other.add_type("Noted", payload=str), "not kept")
    try:
        context.record(sys.argv[1])
    except mainstem.MainstemError as error:
        sys.exit(error.status.name)
"""


def run_recorded(path, *words):
    environment = dict(os.environ, MAINSTEM_RECORD=str(path), PYTHONPATH=os.pathsep.join(sys.path))
    command = [sys.executable, "-c", RUN, *map(str, words)]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def test_the_environment_says_where_the_first_context_is_recorded(tmp_path):
    path = tmp_path / "asked.journal"
    for session in (1, 2):
        ended = run_recorded(path, tmp_path / "other.journal")
        assert (ended.returncode, ended.stderr) == (1, "INVALID\n")
        with Journal(str(path)) as journal:
            assert [event.data for event in journal.events()] == [b"kept"] * session
            assert len(journal.sessions) == session
    assert os.listdir(tmp_path) == ["asked.journal"]


def test_a_context_is_not_created_where_it_cannot_be_recorded(tmp_path):
    ended = run_recorded(tmp_path / "nowhere" / "asked.journal")
    assert ended.returncode == 1
    said = ended.stderr.splitlines()[-1]
    assert "MAINSTEM_RECORD" in said and "nowhere/asked.journal" in said

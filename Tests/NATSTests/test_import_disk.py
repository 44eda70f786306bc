# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The context's own journal fails while a stream comes in: what is not written is not acknowledged,
the import says why, and in the end each event is there once."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import resource

import mainstem
import pytest
from imported import expect_same, taken
from importing import WAIT, identity, importing, in_a_thread, mirror, record
from mainstem import MainstemError, Status, nats

COUNT = 5000
EVENTS = [
    ("Bulk", b"b" * (number * 7 % 3000)) if number % 10 == 0 else ("Tick", number)
    for number in range(COUNT)
]


@pytest.fixture
def source(server, tmp_path):
    """A stream."""
    record(tmp_path / "one", EVENTS)
    mirror(tmp_path / "one", server, "all")


@contextlib.contextmanager
def little_room(size):
    """No file of this process grows beyond that."""
    usual, most = resource.getrlimit(resource.RLIMIT_FSIZE)

    def change(size):
        resource.setrlimit(resource.RLIMIT_FSIZE, (size or usual, most))

    change(size)
    yield change
    change(0)


def expect_acknowledged_is_taken(server, tmp_path):
    """The server was not told of more than what the journal has."""
    there = {each.position for each in taken(tmp_path / "own", "all")}
    with server.client() as client:
        floor = client.ask(f"CONSUMER.INFO.all.{identity(tmp_path / 'own')}")["ack_floor"]
        for entry in client.entries("all"):
            if entry.sequence <= floor["stream_seq"] and "Mainstem-Type" in entry.headers:
                assert int(entry.headers["Nats-Msg-Id"][33:]) in there
    assert len(there) < COUNT


def expect_all_in_a_new_process(server, tmp_path):
    with importing(server, tmp_path) as (_, each):
        each.flush(WAIT)
    assert expect_same(tmp_path / "one", tmp_path / "own", "all") == COUNT


@pytest.mark.usefixtures("source")
@pytest.mark.parametrize("level", ["process", "power", "buffered"])
@pytest.mark.parametrize("deliver", ["immediate", "host"])
def test_a_disk_without_room_slows_it(server, tmp_path, level, deliver):
    """It says so, goes on when there is room, and nothing is lost or twice."""
    with mainstem.Context(deliver=deliver) as context, little_room(500_000) as change:
        context.record(tmp_path / "own", durability=level)
        context.add_type("Tick", int)
        context.add_type("Bulk", bytes)
        types, own = ["Tick", "Bulk"], tmp_path / "own"
        with nats.import_stream(context, "all", types, server.url, journal=own) as each:
            for size in (800_000, 0):
                while each.stats.status != Status.NO_SPACE:
                    context.wait(0.01)
                assert each.stats.state == "waiting"
                assert "no room left for its journal" in each.stats.message
                expect_acknowledged_is_taken(server, tmp_path)
                change(size)
            while each.stats.entries < COUNT:
                context.wait(0.01)
            context.sync_journal()
            each.flush(WAIT)
            assert (each.stats.state, each.stats.entries) == ("running", COUNT)
    assert expect_same(tmp_path / "one", tmp_path / "own", "all") == COUNT


@pytest.mark.usefixtures("source")
def test_a_disk_without_room_does_not_outlive_the_program(server, tmp_path):
    """Closed without room; the next process has some."""
    with little_room(500_000), importing(server, tmp_path) as (context, each):
        while each.stats.status != Status.NO_SPACE:
            context.wait(0.01)
    expect_acknowledged_is_taken(server, tmp_path)
    expect_all_in_a_new_process(server, tmp_path)


class Step(ctypes.Structure):
    """One step of a filter of system calls: struct sock_filter."""

    _fields_ = [
        ("code", ctypes.c_uint16),
        ("yes", ctypes.c_uint8),
        ("no", ctypes.c_uint8),
        ("value", ctypes.c_uint32),
    ]


class Filter(ctypes.Structure):
    """struct sock_fprog."""

    _fields_ = [("count", ctypes.c_uint16), ("steps", ctypes.POINTER(Step))]


CALLS = {"x86_64": {"pwrite": 18, "fdatasync": 75}, "aarch64": {"pwrite": 67, "fdatasync": 83}}
NO_NEW_RIGHTS, SECCOMP, BY_FILTER = 38, 22, 2
FAILS, PASSES = 0x00050000, 0x7FFF0000


def let_fail(call, error):
    """From here on the kernel refuses a call to this thread, and to no other."""
    steps = (Step * 4)(
        Step(0x20, 0, 0, 0),  # Which call it is,
        Step(0x15, 0, 1, CALLS[os.uname().machine][call]),  # and if it is this one,
        Step(0x06, 0, 0, FAILS | error),
        Step(0x06, 0, 0, PASSES),
    )
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.prctl(NO_NEW_RIGHTS, 1, 0, 0, 0) == 0
    assert libc.prctl(SECCOMP, BY_FILTER, ctypes.byref(Filter(4, steps))) == 0


def import_until_it_stops(server, path, level, window, break_it):
    """Returns the status. That the context is closed may tell of its journal, too."""
    status = Status.OK
    with contextlib.suppress(MainstemError), mainstem.Context() as context:
        context.record(path, durability=level)
        context.add_type("Tick", int)
        context.add_type("Bulk", bytes)
        context.observe("Tick")(lambda event: event.value == 701 and break_it())
        types = ["Tick", "Bulk"]
        with nats.import_stream(
            context, "all", types, server.url, journal=path, window=window
        ) as each:
            while each.stats.state != "stopped":
                with contextlib.suppress(MainstemError):
                    context.wait(0.01)
                    context.sync_journal()
            with pytest.raises(MainstemError) as refused:
                each.flush(WAIT)
            assert (each.stats.state, each.stats.status) == ("stopped", refused.value.status)
            assert each.stats.message == "the context's own journal has stopped"
            status = refused.value.status
    return status


@pytest.mark.usefixtures("source")
@pytest.mark.parametrize("window", [1, 10, 100, 0])
@pytest.mark.parametrize(
    ("call", "error", "level", "status"),
    [
        ("pwrite", errno.ENOSPC, "process", Status.NO_SPACE),
        ("pwrite", errno.EIO, "process", Status.IO),
        ("pwrite", errno.EIO, "buffered", Status.IO),
        ("fdatasync", errno.EIO, "power", Status.POISONED),
    ],
)
def test_a_journal_that_has_stopped_stops_it(server, tmp_path, call, error, level, status, window):
    found = []
    in_a_thread(
        lambda: found.append(
            import_until_it_stops(
                server, tmp_path / "own", level, window, lambda: let_fail(call, error)
            )
        )
    )
    assert found == [status]
    expect_acknowledged_is_taken(server, tmp_path)
    expect_all_in_a_new_process(server, tmp_path)


@pytest.mark.usefixtures("source")
def test_a_journal_that_another_program_removes_stops_it(server, tmp_path):
    own = tmp_path / "own"
    assert import_until_it_stops(server, own, "process", 0, own.unlink) == Status.CORRUPT


@pytest.mark.usefixtures("source")
def test_a_context_that_is_closed_on_its_way_loses_nothing(server, tmp_path):
    with importing(server, tmp_path, window=10) as (context, each):
        while each.stats.entries < COUNT // 2:
            context.wait(0.01)
        context.close()
        with pytest.raises(MainstemError, match="STALE"):
            each.flush(WAIT)
    expect_acknowledged_is_taken(server, tmp_path)
    expect_all_in_a_new_process(server, tmp_path)

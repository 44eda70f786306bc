# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""mainstem_nats_fetch as C makes the call: what is refused before a server is asked."""

from __future__ import annotations

import ctypes
import os

import pytest
from mainstem import Status
from mainstem.nats import C
from mainstem.nats import _header as d
from test_calls import CONFLICTS

NOWHERE = b"nats://127.0.0.1:1"


@pytest.fixture
def options():
    """Options at their defaults, for a server that is not there."""
    made = d.Options(size=ctypes.sizeof(d.Options))
    made.url = NOWHERE
    return made


@pytest.fixture
def path(tmp_path):
    """Where nothing is."""
    return os.fsencode(tmp_path / "session")


def fetch(path, options, journal=None, report=None):
    options, report = options and ctypes.byref(options), report and ctypes.byref(report)
    status = C.mainstem_nats_fetch(path, options, journal, 0, report)
    return status, C.mainstem_nats_last_error().decode()


@pytest.mark.parametrize(("fields", "status", "named"), CONFLICTS)
def test_options_that_cannot_be_are_refused(path, options, fields, status, named):
    for field, value in fields.items():
        setattr(options, field, value)
    found, message = fetch(path, options)
    assert found == status
    assert message.startswith("mainstem_nats_fetch: options.") and named in message
    assert "\n" not in message


@pytest.mark.parametrize("field", ["replicas", "window"])
def test_options_of_a_mirror_are_refused(path, options, field):
    setattr(options, field, 1)
    assert fetch(path, options)[0] == Status.INVALID


def test_a_path_that_cannot_be_is_refused(tmp_path, options):
    for path in (None, b"", os.fsencode(tmp_path)):
        status, message = fetch(path, options)
        assert status == Status.INVALID and message.startswith("mainstem_nats_fetch: path: ")
    status, message = fetch(os.fsencode(tmp_path / "my session"), options)
    assert status == Status.INVALID and "options.prefix" in message


@pytest.mark.parametrize("journal", [b"", b"x" * 32, b"0" * 31, b"0" * 33, b"A" * 32, b"0" * 5000])
def test_an_id_that_is_none_is_refused(path, options, journal):
    status, message = fetch(path, options, journal)
    assert status == Status.INVALID and message.startswith("mainstem_nats_fetch: journal: ")


@pytest.mark.parametrize(
    ("size", "status"), [(0, Status.INVALID), (8, Status.INVALID), (999, Status.UNSUPPORTED)]
)
def test_a_report_of_another_size_is_refused(path, options, size, status):
    report = d.FetchReportStruct(size=size)
    assert fetch(path, options, None, report)[0] == status


def test_a_report_is_left_alone_by_a_call_that_is_refused(path, options):
    report = d.FetchReportStruct(size=ctypes.sizeof(d.FetchReportStruct), events=7)
    status, message = fetch(path, options, b"0" * 32, report)
    assert status == Status.IO and message.startswith("mainstem_nats_fetch: no connection to ")
    assert report.events == 7
    assert fetch(path, None)[0] in (Status.IO, Status.INVALID)


def test_a_child_process_of_one_with_bridges_does_not_fetch(path, options):
    assert fetch(path, options)[0] == Status.IO
    child = os.fork()
    if child == 0:
        os._exit(0 if fetch(path, options)[0] == Status.FORKED else 1)
    assert os.waitpid(child, 0)[1] == 0

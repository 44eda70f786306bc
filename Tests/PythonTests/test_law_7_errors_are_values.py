# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 7: errors are values."""

from __future__ import annotations

import ctypes
import json
from ctypes import byref

from mainstem import _declarations as d
from mainstem._declarations import C
from raw import INCOMPLETE, OK


def reports_of(stream):
    """Collects the reports of failures."""
    reports = []
    number = ctypes.c_uint32()
    assert C.mainstem_type_find(stream.handle, b"MainstemFailure", byref(number)) == OK
    stream.observe(number.value, lambda e: reports.append((e.cause, json.loads(e.data))))
    return reports


def test_law_7_a_failing_callback_is_reported_the_1st_2nd_4th_8th_time(stream):
    one = stream.type(b"One")
    reports, others = reports_of(stream), []
    failing = [stream.observe(one, lambda e: C.mainstem_fail(e.address, 1007, b"it broke"))]
    stream.observe(one, lambda e: others.append(e.position))

    positions = []
    for _ in range(20):
        stream.send(one)
        positions.append(others[-1])

    assert [report["count"] for _, report in reports] == [1, 2, 4, 8, 16]
    assert [cause for cause, _ in reports] == [positions[n - 1] for n in (1, 2, 4, 8, 16)]
    assert len(others) == 20
    assert reports[0][1]["type"] == "One"
    assert (reports[0][1]["code"], reports[0][1]["sentence"]) == (1007, "it broke")
    assert stream.stats().failures == 20
    assert C.mainstem_cancel(failing[0]) == OK


def test_law_7_failures_count_per_subscription(stream):
    one = stream.type(b"One")
    reports = reports_of(stream)
    for code in (1001, 1002):
        stream.observe(one, lambda e, code=code: C.mainstem_fail(e.address, code, b""))

    for _ in range(3):
        stream.send(one)

    counts = [(report["code"], report["count"]) for _, report in reports]
    assert sorted(counts) == [(1001, 1), (1001, 2), (1002, 1), (1002, 2)]


def test_law_7_failures_while_handling_a_report_are_only_counted(stream):
    one = stream.type(b"One")
    number = ctypes.c_uint32()
    C.mainstem_type_find(stream.handle, b"MainstemFailure", byref(number))
    reports = []

    def fail_too(event):
        reports.append(event.position)
        C.mainstem_fail(event.address, 1001, b"also here")

    stream.observe(number.value, fail_too)
    stream.observe(one, lambda e: C.mainstem_fail(e.address, 1000, b"it broke"))
    stream.send(one)

    assert len(reports) == 1
    assert stream.stats().events == 2
    assert stream.stats().failures == 2


def test_law_7_a_callback_that_did_not_confirm_has_failed(stream):
    one = stream.type(b"One")
    reports = reports_of(stream)
    stream.observe_with(lambda e: None, types=(one,), flags=d.CONFIRM)
    stream.observe_with(lambda e: C.mainstem_confirm(e.address), types=(one,), flags=d.CONFIRM)
    stream.send(one)

    assert [report["code"] for _, report in reports] == [INCOMPLETE]
    assert stream.stats().failures == 1


def test_law_7_a_failed_response_is_an_event_and_ends_no_observer(asking):
    answers, rounds = [], []

    def answer(event):
        rounds.append(event)
        if len(rounds) == 1:
            C.mainstem_respond_error(event.address, 1001, b"not today")
        else:
            C.mainstem_respond(event.address, b"fine", 4)

    asking.server([(b"RequestA", answer)])
    asking.observe(asking.answer, lambda e: answers.append((e.status, e.text)))
    asking.send(asking.asked)
    asking.send(asking.asked)

    assert answers == [(1001, b"not today"), (OK, b"")]

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Many events with one call, from Python."""

from __future__ import annotations

import ctypes

import mainstem
import pytest
from mainstem import MainstemError, Notice, Status
from mainstem._library import _header as d


@mainstem.event
class Number(Notice):
    value: int


def test_many_events_arrive_in_order_objects_and_names_mixed(context):
    context.add_type("Bytes", bytes)
    seen = []
    context.observe(Number)(lambda number: seen.append(number.value))
    context.observe("Bytes")(lambda event: seen.append(event.data))

    count = context.send_many([Number(value=1), ("Bytes", b"two"), ("Bytes", b""), Number(value=3)])

    assert count == 4
    assert seen == [1, b"two", b"", 3]


def test_any_iterable_will_do_and_an_empty_one_does_nothing(context):
    seen = []
    context.observe(Number)(lambda number: seen.append(number.value))

    assert context.send_many(Number(value=value) for value in range(1000)) == 1000
    assert context.send_many(()) == 0

    assert seen == list(range(1000))


def test_recorded_they_are_written_together_before_the_first_is_seen(tmp_path):
    path = tmp_path / "journal"
    seen = []
    with mainstem.Context(raises=True) as context:
        context.record(path)
        context.add_type("Bytes", bytes)
        context.observe("Bytes")(
            lambda event: seen.append((event.data, context.journal_stats().written))
        )
        context.send_many("Bytes", [b"%d" % number for number in range(1000)])
    with mainstem.Journal(path) as journal:
        kept = [event.data for event in journal]

    assert kept == [data for data, _ in seen] == [b"%d" % number for number in range(1000)]
    assert {written for _, written in seen} == {1000}


def test_one_type_and_the_data_of_each(context):
    context.add_type("Text", str)
    seen = []
    context.observe("Text")(lambda event: seen.append(event.text))

    assert context.send_many("Text", ["one", b"two", "", "a text of more than eight bytes"]) == 4

    assert seen == ["one", "two", "", "a text of more than eight bytes"]


def test_the_first_that_is_refused_ends_it(context):
    context.add_type("Empty", None)
    context.add_type("Bytes", bytes)

    with pytest.raises(MainstemError) as refused:
        context.send_many([("Bytes", b"1"), ("Empty", b"not empty"), ("Bytes", b"2")])

    assert refused.value.status == Status.INVALID
    assert "row 1" in refused.value.message
    assert context.stats().events == 1


def test_what_a_callback_throws_comes_out_of_the_call(context):
    @context.observe(Number)
    def fail(number):
        raise ValueError(number.value)

    with pytest.raises(ValueError, match="7"):
        context.send_many([Number(value=7)])


def test_a_header_is_64_bytes():
    assert ctypes.sizeof(d.EventHeaderStruct) == 64
    assert d.EventHeaderStruct.type.offset == 48

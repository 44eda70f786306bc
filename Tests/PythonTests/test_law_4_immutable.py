# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 4: immutable."""

from __future__ import annotations

import ctypes

from mainstem import _declarations as d
from mainstem._declarations import C
from raw import OK, STALE


def test_law_4_the_bytes_of_an_event_that_waits_are_copied_when_it_is_sent(stream):
    one, two = stream.type(b"One"), stream.type(b"Two")
    buffer = ctypes.create_string_buffer(b"before", 6)
    seen = []

    def send_and_change(event):
        pointer = ctypes.cast(buffer, ctypes.c_char_p)
        C.mainstem_send(stream.handle, two, pointer, 6)
        buffer.raw = b"AFTER!"

    stream.observe(one, send_and_change)
    stream.observe(two, lambda e: seen.append(e.data))
    stream.send(one)

    assert seen == [b"before"]


def test_law_4_a_posted_event_is_copied_when_it_is_posted(stream):
    one = stream.type(b"One")
    buffer = ctypes.create_string_buffer(b"before", 6)
    seen = []
    stream.observe(one, lambda e: seen.append(e.data))

    C.mainstem_post(stream.handle, one, ctypes.cast(buffer, ctypes.c_char_p), 6)
    buffer.raw = b"AFTER!"
    stream.drain()

    assert seen == [b"before"]


def test_law_4_a_retained_event_is_a_copy_that_outlives_its_callback(stream):
    one = stream.type(b"One")
    buffer = ctypes.create_string_buffer(b"before", 6)
    kept = []
    stream.observe(one, lambda e: kept.append((e, stream.retain(e.address))))
    C.mainstem_send(stream.handle, one, ctypes.cast(buffer, ctypes.c_char_p), 6)
    buffer.raw = b"AFTER!"

    seen, retained = kept[0]
    event = d.EventStruct.from_address(stream.kept(retained))
    assert ctypes.string_at(event.data, event.size) == b"before"
    assert (event.position, event.type) == (seen.position, seen.type)
    assert stream.stats().retained == 1
    assert C.mainstem_retained_release(retained) == OK
    assert C.mainstem_retained_release(retained) == STALE
    assert stream.stats().retained == 0

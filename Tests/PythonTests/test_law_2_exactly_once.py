# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 2: exactly once."""

from __future__ import annotations

from mainstem import _declarations as d
from mainstem._declarations import C
from raw import OK, STALE


def test_law_2_an_observer_starts_after_the_last_accepted_position_and_sees_no_hole(stream):
    one = stream.type(b"One")
    for _ in range(3):
        stream.send(one)
    seen = []
    subscription = stream.observe(one, lambda e: seen.append(e.position))

    assert stream.from_(subscription) == 3
    for _ in range(100):
        stream.send(one)
    assert seen == list(range(4, 104))


def test_law_2_an_observer_registered_inside_a_callback_does_not_get_the_current_event(stream):
    one = stream.type(b"One")
    seen, starts = [], []

    def register(event):
        if event.position == 1:
            new = stream.observe(one, lambda e: seen.append(e.position))
            starts.append(stream.from_(new))

    stream.observe(one, register)
    stream.send(one)
    assert starts == [1]
    assert seen == []

    stream.send(one)
    assert seen == [2]


def test_law_2_registered_inside_a_callback_it_sees_what_is_accepted_later_and_no_more(stream):
    one = stream.type(b"One")
    seen, starts = [], []

    def register(event):
        if event.position == 1:
            stream.send(one, b"before")
            new = stream.observe(0, lambda e: seen.append((e.position, e.data)))
            starts.append(stream.from_(new))
            stream.send(one, b"after")

    stream.observe(one, register)
    stream.send(one)

    assert starts == [2]
    assert seen == [(3, b"after")]


def test_law_2_an_observer_of_every_type_sees_types_that_are_registered_later(stream):
    seen = []
    stream.observe(0, lambda e: seen.append(e.type))
    stream.observe_with(lambda e: seen.append(-e.type), role=d.ROLE_NOTICE)

    later = stream.type(b"Later")
    stream.send(later)

    assert seen == [later, -later]


def test_law_2_an_observer_of_the_first_n_gets_exactly_n(stream):
    one = stream.type(b"One")
    seen = []
    subscription = stream.observe_with(lambda e: seen.append(e.position), types=(one,), count=2)

    for _ in range(5):
        stream.send(one)

    assert seen == [1, 2]
    assert C.mainstem_cancel(subscription) == STALE


def note_late(seen):
    """An observer that notes positions, those of late events as negative numbers."""
    return lambda e: seen.append(-e.position if e.flags & d.EVENT_LATE else e.position)


def test_law_2_history_comes_first_merged_over_its_types_then_the_stream(stream):
    one, two = stream.type(b"One"), stream.type(b"Two")
    assert C.mainstem_history_keep(stream.handle, one, 3, 0) == OK
    assert C.mainstem_history_keep(stream.handle, two, 2, 0) == OK
    for number in (one, one, two, one, one, two, two):
        stream.send(number)
    seen = []

    stream.observe(0, note_late(seen))
    assert seen == [-2, -4, -5, -6, -7]
    stream.send(one)
    assert seen == [-2, -4, -5, -6, -7, 8]


def test_law_2_history_never_comes_inside_the_current_event(stream):
    one = stream.type(b"One")
    log, seen = [], []

    def register(event):
        if event.position == 1:
            stream.observe(one, note_late(seen))
            stream.send(one)
            log.append(list(seen))

    stream.observe(one, register)
    stream.observe(one, lambda e: log.append(list(seen)) if e.position == 1 else None)
    assert C.mainstem_history_keep(stream.handle, one, 9, 0) == OK
    stream.send(one)

    assert log == [[], []]
    assert seen == [-1, 2]

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 2: exactly once."""

from __future__ import annotations

from mainstem import _declarations as d
from mainstem._declarations import C
from raw import STALE


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

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 11: same in, same out, as far as there is no journal yet."""

from __future__ import annotations

import ctypes
from ctypes import byref

from mainstem import _declarations as d
from mainstem._declarations import C
from raw import OK, Stream


def draws(handle):
    """Two numbers, an id and the time, as the caller gets them."""
    first, second, time = ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_int64()
    text = ctypes.create_string_buffer(d.ID_SIZE)
    assert C.mainstem_context_random(handle, byref(first)) == OK
    assert C.mainstem_context_id(handle, text) == OK
    assert C.mainstem_context_random(handle, byref(second)) == OK
    assert C.mainstem_context_now(handle, byref(time)) == OK
    assert first.value != second.value
    return first.value, second.value, text.value, time.value


def play(seed, inspected=False):
    """What a program saw that draws, sends and arms timers; and how often the inspector looked."""
    stream = Stream(flags=d.CONTEXT_TIMES, clock=d.CLOCK_VIRTUAL, seed=seed)
    one, two = stream.type(b"One"), stream.type(b"Two")
    seen, looks = [], []

    def send_what_is_drawn(event):
        number = draws(event.context)[0]
        stream.send(two, str(number).encode())
        if event.time < 5000000:
            status = C.mainstem_send_after(stream.handle, one, b"", 0, number % 3 + 1, None)
            assert status == OK

    def write_down(event):
        drawn = draws(event.context)
        assert drawn[3] == event.time
        seen.append((event.position, event.cause, event.type, event.data, drawn))

    def look(event):
        looks.append((stream.stats().events, draws(event.context)))

    stream.observe(one, send_what_is_drawn)
    stream.observe(0, write_down)
    if inspected:
        stream.observe(0, look)
    assert stream.send(one) == OK
    assert C.mainstem_send_every(stream.handle, one, b"", 0, 2, None) == OK
    assert C.mainstem_context_advance(stream.handle, 9) == OK
    seen.append(draws(stream.handle))
    assert stream.close() == OK
    return seen, len(looks)


def test_law_11_one_seed_gives_the_same_in_every_run():
    seen, _ = play(7)
    assert len(seen) > 10
    assert play(7)[0] == seen


def test_law_11_another_seed_gives_something_else():
    assert play(7)[0] != play(8)[0]
    assert play(0)[0] != play(0)[0]


def test_law_11_who_looks_changes_nothing():
    seen, _ = play(7)
    seen_beside, looks = play(7, inspected=True)
    assert looks > 10
    assert seen_beside == seen

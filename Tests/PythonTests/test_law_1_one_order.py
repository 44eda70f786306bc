# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 1: one order."""

from __future__ import annotations

from mainstem._library import _header as d
from raw import OK, Stream, on_thread

VIEW_BIT = 1 << (d.LAYER_VIEW >> 40)


def test_law_1_what_a_callback_and_another_thread_send_in_turn_keeps_its_order():
    stream = Stream(d.THREADS_ANY)
    one = stream.type(b"One")
    seen = []

    def send_in_turn(event):
        if event.position == 1:
            for _ in range(2):
                assert on_thread(lambda: stream.send(one, b"thread")) == OK
                assert stream.send(one, b"callback") == OK

    stream.observe(one, lambda e: seen.append((e.position, e.data)))
    stream.observe(one, send_in_turn)
    stream.send(one)

    assert seen == [
        (1, b""),
        (2, b"thread"),
        (3, b"callback"),
        (4, b"thread"),
        (5, b"callback"),
    ]
    assert stream.close() == OK

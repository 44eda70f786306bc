# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a signal handler in C posts reaches Python's observers."""

from __future__ import annotations

import ctypes

import mainstem
import pytest
from mainstem._library import C
from mainstem._library import _header as d
from raw import BYTES, OK, Stream

UNSUPPORTED, FULL, TOO_BIG = 17, 8, 7


@pytest.fixture
def stream():
    stream = Stream(flags=d.CONTEXT_INTERRUPTS)
    yield stream
    stream.close()
    Stream.let_go()


def test_what_a_handler_posts_is_drained_in_order(stream):
    one = stream.type(b"One", BYTES)
    seen = []
    stream.observe(one, lambda e: seen.append(e.data))

    for number in range(256):
        assert C.mainstem_post_from_interrupt(stream.handle, one, b"%3d" % number, 3) == OK
    assert C.mainstem_post_from_interrupt(stream.handle, one, b"", 0) == FULL
    assert seen == []
    assert C.mainstem_drain(stream.handle, 0, ctypes.byref(ctypes.c_size_t())) == OK

    assert seen == [b"%3d" % number for number in range(256)]


def test_its_payload_is_small(stream):
    one = stream.type(b"One", BYTES)
    size = d.INTERRUPT_PAYLOAD

    assert C.mainstem_post_from_interrupt(stream.handle, one, b"x" * size, size) == OK
    assert C.mainstem_post_from_interrupt(stream.handle, one, b"x" * 49, 49) == TOO_BIG


def test_a_context_that_was_not_made_for_it_takes_nothing():
    with mainstem.Context() as context, mainstem.Context(interrupts=True) as other:
        for each, wanted in ((context, UNSUPPORTED), (other, OK)):
            each.add_type("Signal", str)
            signal = each.catalogue.number_of("Signal")
            assert C.mainstem_post_from_interrupt(each.handle, signal, b"s", 1) == wanted

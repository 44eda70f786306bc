# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 1: one order."""

from __future__ import annotations

from mainstem import _declarations as d
from mainstem._declarations import C
from raw import OK, Stream, on_thread

VIEW_BIT = 1 << (d.LAYER_VIEW >> 40)


def test_law_1_each_accepted_event_gets_the_next_position_whatever_its_type(stream):
    one, two = stream.type(b"One"), stream.type(b"Two")
    seen = []
    stream.observe(0, lambda e: seen.append((e.position, e.type, e.data)))

    for number, data in ((one, b"a"), (two, b"b"), (one, b"c")):
        assert stream.send(number, data) == OK

    assert seen == [(1, one, b"a"), (2, two, b"b"), (3, one, b"c")]


def test_law_1_observers_are_called_in_order_of_registration_whatever_they_filter_by(stream):
    one = stream.type(b"One", d.PAYLOAD_BYTES | d.LAYER_VIEW)
    two = stream.type(b"Two")
    calls = []
    stream.observe(0, lambda e: calls.append("any"))
    stream.observe(one, lambda e: calls.append("one"))
    stream.observe_with(lambda e: calls.append("layer"), layers=VIEW_BIT)
    stream.observe(one, lambda e: calls.append("one again"))
    stream.observe_with(lambda e: calls.append("types"), types=(two, one))
    stream.observe_with(lambda e: calls.append("role"), role=d.ROLE_NOTICE)
    stream.observe(0, lambda e: calls.append("any again"))

    stream.send(one)

    assert calls == ["any", "one", "layer", "one again", "types", "role", "any again"]


def test_law_1_order_of_registration_holds_after_cancels_and_new_observers(stream):
    one = stream.type(b"One")
    calls = []
    first = stream.observe(one, lambda e: calls.append(1))
    stream.observe(0, lambda e: calls.append(2))
    stream.observe(one, lambda e: calls.append(3))
    C.mainstem_cancel(first)
    stream.observe(one, lambda e: calls.append(4))
    stream.observe(0, lambda e: calls.append(5))

    stream.send(one)

    assert calls == [2, 3, 4, 5]


def test_law_1_every_observer_sees_ascending_positions_also_with_sends_inside_callbacks(stream):
    one, two = stream.type(b"One"), stream.type(b"Two")
    seen = {"one": [], "two": [], "any": []}

    def branch(event):
        if event.position < 40:
            stream.send(two)
            stream.send(one)

    stream.observe(0, lambda e: seen["any"].append(e.position))
    stream.observe(one, branch)
    stream.observe(one, lambda e: seen["one"].append(e.position))
    stream.observe(two, lambda e: seen["two"].append(e.position))

    stream.send(one)

    total = stream.stats().events
    assert total > 40
    assert seen["any"] == list(range(1, total + 1))
    assert seen["one"] == sorted(seen["one"])
    assert seen["two"] == sorted(seen["two"])
    assert sorted(seen["one"] + seen["two"]) == seen["any"]


def test_law_1_the_completion_of_a_request_comes_after_all_observers(asking):
    calls = []
    asking.server([(b"RequestA", lambda e: C.mainstem_respond(e.address, b"x", 1))])

    def register_late(event):
        calls.append("observer")

    asking.observe(asking.answer, register_late)
    asking.request(asking.asked, b"", lambda e: calls.append("completion"))
    asking.observe(0, lambda e: calls.append("late"))

    assert calls == ["observer", "completion"]


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

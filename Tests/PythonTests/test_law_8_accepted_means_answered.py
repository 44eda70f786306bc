# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 8: accepted means answered."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_uint64, c_void_p

from mainstem import _declarations as d
from mainstem._declarations import C
from raw import CANCELLED, OK, STALE, TIMEOUT, UNHANDLED, event_fn, on_thread


def test_law_8_a_request_gets_exactly_one_answer_and_a_second_is_refused(asking):
    answers, second = [], []

    def answer_twice(event):
        C.mainstem_respond(event.address, b"first", 5)
        second.append(C.mainstem_respond(event.address, b"second", 6))
        second.append(C.mainstem_respond_error(event.address, 1000, b"third"))

    asking.server([(b"RequestA", answer_twice)])
    pending = asking.request(asking.asked, b"?", lambda e: answers.append((e.data, e.answers)))

    assert answers == [(b"first", 1)]
    assert second == [STALE, STALE]
    assert C.mainstem_pending_cancel(pending) == STALE
    assert asking.stats().requests == 0


def test_law_8_the_first_answer_of_several_servers_counts(asking):
    answers, statuses = [], []
    for name in (b"one", b"two"):
        asking.server(
            [
                (
                    b"RequestA",
                    lambda e, name=name: statuses.append(
                        C.mainstem_respond(e.address, name, len(name))
                    ),
                )
            ],
            name=name,
        )
    asking.request(asking.asked, b"", lambda e: answers.append(e.data))

    assert answers == [b"one"]
    assert statuses == [OK, STALE]


def test_law_8_without_a_server_the_answer_is_unhandled(asking):
    answers, seen = [], []
    asking.observe(asking.answer, lambda e: seen.append(e.status))
    asking.request(asking.asked, b"", lambda e: answers.append((e.status, e.answers, e.type)))

    assert answers == [(UNHANDLED, 1, asking.answer)]
    assert seen == [UNHANDLED]


def test_law_8_an_observer_of_a_request_is_no_server_so_the_answer_is_unhandled(asking):
    answers, seen = [], []
    asking.observe(asking.asked, lambda e: seen.append(e.position))
    asking.request(asking.asked, b"", lambda e: answers.append((e.status, e.cause)))

    assert seen == [1]
    assert answers == [(UNHANDLED, 1)]


def test_law_8_a_request_that_is_only_sent_is_owed_no_answer(asking):
    seen = []
    asking.observe(0, lambda e: seen.append(e.type))
    asking.send(asking.asked)

    assert seen == [asking.asked]


def test_law_8_answers_are_paired_by_answers_in_whatever_order_they_come(asking):
    kept, answers = [], {}
    asking.server([(b"RequestA", lambda e: kept.append(asking.retain(e.address)))])
    for name in ("a", "b", "c"):
        asking.request(
            asking.asked,
            name.encode(),
            lambda e, name=name: answers.setdefault(name, []).append((e.data, e.answers)),
        )
    assert answers == {}
    assert asking.stats().requests == 3

    for index in (2, 0, 1):
        text = f"to {index}".encode()
        assert C.mainstem_respond(asking.kept(kept[index]), text, len(text)) == OK

    assert answers == {"c": [(b"to 2", 3)], "a": [(b"to 0", 1)], "b": [(b"to 1", 2)]}
    assert asking.stats().requests == 0


def test_law_8_when_the_last_server_ends_open_requests_are_cancelled(asking):
    kept, answers = [], []
    first = asking.server([(b"RequestA", lambda e: kept.append(asking.retain(e.address)))])
    last = asking.server([(b"RequestA", lambda e: None)])
    asking.request(asking.asked, b"", lambda e: answers.append(e.status))

    assert C.mainstem_scope_end(first) == OK
    assert answers == []
    assert C.mainstem_scope_end(last) == OK
    assert answers == [CANCELLED]
    assert C.mainstem_respond(asking.kept(kept[0]), b"late", 4) == STALE
    assert answers == [CANCELLED]


def test_law_8_a_server_that_came_later_does_not_keep_what_it_never_got(asking):
    kept, answers = [], []
    first = asking.server([(b"RequestA", lambda e: kept.append(asking.retain(e.address)))])
    asking.request(asking.asked, b"", lambda e: answers.append(e.status))
    asking.server([(b"RequestA", lambda e: None)])

    assert C.mainstem_scope_end(first) == OK
    assert answers == [CANCELLED]
    asking.request(asking.asked, b"", lambda e: answers.append(e.status))
    assert answers == [CANCELLED]


def test_law_8_a_request_given_up_is_cancelled_and_a_late_answer_refused(asking):
    kept, answers = [], []
    asking.server([(b"RequestA", lambda e: kept.append(asking.retain(e.address)))])
    pending = asking.request(asking.asked, b"", lambda e: answers.append(e.status))
    position = c_uint64()
    assert C.mainstem_pending_position(pending, byref(position)) == OK
    assert position.value == 1

    assert C.mainstem_pending_cancel(pending) == OK
    assert answers == [CANCELLED]
    assert C.mainstem_pending_cancel(pending) == STALE
    assert C.mainstem_respond(asking.kept(kept[0]), b"late", 4) == STALE
    assert answers == [CANCELLED]


def test_law_8_an_answer_from_another_thread_counts_and_arrives_at_the_drain(asking):
    kept, answers = [], []
    asking.server([(b"RequestA", lambda e: kept.append(asking.retain(e.address)))])
    pending = asking.request(asking.asked, b"", lambda e: answers.append(e.data))
    event = asking.kept(kept[0])

    assert on_thread(lambda: C.mainstem_respond(event, b"far", 3)) == OK
    assert C.mainstem_respond(event, b"near", 4) == STALE
    assert C.mainstem_pending_cancel(pending) == STALE
    assert answers == []
    asking.drain()

    assert answers == [b"far"]


def test_law_8_progress_comes_before_the_answer_and_is_refused_after_it(asking):
    kept, seen, late = [], [], []
    step = asking.type(b"Step")

    def answer_and_tell(event):
        kept.append(asking.retain(event.address))
        assert C.mainstem_respond_progress(event.address, step, b"half", 4) == OK
        assert C.mainstem_respond(event.address, b"done", 4) == OK
        late.append(C.mainstem_respond_progress(event.address, step, b"late", 4))

    asking.server([(b"RequestA", answer_and_tell)])
    asking.observe(0, lambda e: seen.append((e.type, e.data)))
    asking.request(asking.asked, b"?", lambda e: None)

    assert C.mainstem_respond_progress(asking.kept(kept[0]), step, b"late", 4) == STALE
    assert late == [STALE]
    assert seen == [(asking.asked, b"?"), (step, b"half"), (asking.answer, b"done")]


def test_law_8_the_end_of_the_scope_that_asked_gives_its_requests_up(asking):
    kept, answers = [], []
    asking.server([(b"RequestA", lambda e: kept.append(asking.retain(e.address)))])
    scope = c_void_p()
    assert C.mainstem_scope_add(asking.handle, b"Asker", byref(scope)) == OK
    asking.request(asking.asked, b"", lambda e: answers.append(e.status), through=scope.value)

    assert C.mainstem_scope_end(scope) == OK
    assert answers == [CANCELLED]
    assert C.mainstem_respond(asking.kept(kept[0]), b"late", 4) == STALE
    assert answers == [CANCELLED]


def test_law_8_a_time_out_is_an_answer_and_a_late_one_is_refused(asking):
    kept, answers = [], []
    asking.server([(b"RequestA", lambda e: kept.append(asking.retain(e.address)))])
    fn = event_fn(lambda e: answers.append((e.status, e.answers)))
    options = d.RequestOptions(ctypes.sizeof(d.RequestOptions), 0)
    options.timeout_ms = 1
    assert (
        C.mainstem_request_with(
            asking.handle, asking.asked, b"?", 1, byref(options), fn, None, d.RELEASE_FN(), None
        )
        == OK
    )

    while not answers:
        assert C.mainstem_wait(asking.handle, -1) == OK

    assert answers == [(TIMEOUT, 1)]
    assert asking.stats().requests == 0
    assert C.mainstem_respond(asking.kept(kept[0]), b"late", 4) == STALE
    assert asking.stats().events == 2

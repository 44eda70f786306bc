# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The laws of the stream, each under its number."""

from __future__ import annotations

import ctypes
import json
import os
import threading
from ctypes import byref, c_uint64, c_void_p

import pytest
from mainstem import _declarations as d
from mainstem._declarations import C
from raw import (
    BUSY,
    CANCELLED,
    INCOMPLETE,
    OK,
    STALE,
    UNHANDLED,
    WRONG_KIND,
    WRONG_THREAD,
    Stream,
    event_fn,
    on_thread,
)

VIEW_BIT = 1 << (d.LAYER_VIEW >> 40)


@pytest.fixture
def asking(stream):
    """A stream with a request type and its response."""
    stream.asked = stream.type(b"RequestA", response=b"ResponseA")
    stream.answer = stream.type(b"ResponseA")
    return stream


# Law 1: one order


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


# Law 2: exactly once


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


# Law 3: never nested


def test_law_3_an_event_sent_inside_a_callback_waits_until_all_observers_have_the_current(stream):
    one, two = stream.type(b"One"), stream.type(b"Two")
    log = []

    def first(event):
        log.append("first in")
        assert stream.send(two) == OK
        log.append("first out")

    stream.observe(one, first)
    stream.observe(two, lambda e: log.append(f"two, cause {e.cause}"))
    stream.observe(one, lambda e: log.append("second"))

    stream.send(one)

    assert log == ["first in", "first out", "second", "two, cause 1"]


def test_law_3_no_callback_is_re_entered_at_any_length_of_a_chain(stream):
    one = stream.type(b"One")
    state = {"depth": 0, "deepest": 0, "count": 0}

    def again(event):
        state["depth"] += 1
        state["deepest"] = max(state["deepest"], state["depth"])
        state["count"] += 1
        if state["count"] < 20_000:
            stream.send(one)
        state["depth"] -= 1

    stream.observe(one, again)
    stream.send(one)

    assert state == {"depth": 0, "deepest": 1, "count": 20_000}


def test_law_3_calls_that_wait_are_busy_inside_a_callback_and_change_nothing(stream):
    one = stream.type(b"One")
    statuses = {}
    other = stream.observe(one, lambda e: None)

    def try_all(event):
        statuses["drain"] = C.mainstem_drain(stream.handle, 0, None)
        statuses["wait"] = C.mainstem_wait(stream.handle, 0)
        statuses["flush"] = C.mainstem_flush(stream.handle)
        statuses["cancel_wait"] = C.mainstem_cancel_wait(other)
        statuses["close"] = C.mainstem_context_close(stream.handle)

    stream.observe(one, try_all)
    stream.send(one)

    assert statuses == dict.fromkeys(("drain", "wait", "flush", "cancel_wait", "close"), BUSY)
    assert C.mainstem_cancel(other) == OK
    assert stream.send(one) == OK


# Law 4: immutable


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


# Law 5: cancel is final


def test_law_5_a_later_peer_cancelled_inside_a_callback_does_not_get_the_current_event(stream):
    one = stream.type(b"One")
    calls, peers = [], []
    stream.observe(one, lambda e: calls.append(C.mainstem_cancel(peers[0])))
    peers.append(stream.observe(one, lambda e: calls.append("cancelled peer")))
    stream.observe(one, lambda e: calls.append("last"))

    stream.send(one)

    assert calls == [OK, "last"]


def test_law_5_events_that_wait_for_a_cancelled_observer_are_dropped(stream):
    one, two = stream.type(b"One"), stream.type(b"Two")
    calls = []
    observer = stream.observe(two, lambda e: calls.append("two"))

    def send_then_cancel(event):
        stream.send(two)
        calls.append(C.mainstem_cancel(observer))

    stream.observe(one, send_then_cancel)
    stream.send(one)

    assert calls == [OK]


def test_law_5_an_observer_may_cancel_itself_and_its_hook_runs_before_the_next_call(stream):
    one = stream.type(b"One")
    log, own = [], []

    def once(event):
        log.append(C.mainstem_cancel(own[0]))
        log.append("still running")

    own.append(stream.observe(one, once, release=lambda: log.append("released")))
    stream.observe(one, lambda e: log.append("next"))
    stream.send(one)
    stream.send(one)

    assert log == [OK, "still running", "released", "next", "next"]


def test_law_5_on_an_idle_stream_the_hook_runs_once_inside_cancel(stream):
    one = stream.type(b"One")
    released = []
    subscription = stream.observe(one, lambda e: None, release=lambda: released.append(1))

    assert C.mainstem_cancel(subscription) == OK
    assert released == [1]
    assert C.mainstem_cancel(subscription) == STALE
    assert C.mainstem_cancel_wait(subscription) == STALE
    stream.send(one)
    assert stream.close() == OK
    assert released == [1]


def test_law_5_the_hook_runs_once_when_cancelled_twice_inside_a_callback(stream):
    one = stream.type(b"One")
    released, statuses, peers = [], [], []

    def cancel_twice(event):
        if event.position == 1:
            statuses.append(C.mainstem_cancel(peers[0]))
            statuses.append(C.mainstem_cancel(peers[0]))

    stream.observe(one, cancel_twice)
    peers.append(stream.observe(one, lambda e: None, release=lambda: released.append(1)))
    stream.send(one)
    stream.send(one)

    assert statuses == [OK, STALE]
    assert released == [1]


def test_law_5_cancel_wait_returns_when_the_hook_has_run(stream):
    one = stream.type(b"One")
    released = []
    subscription = stream.observe(one, lambda e: None, release=lambda: released.append(1))

    assert C.mainstem_cancel_wait(subscription) == OK
    assert released == [1]


def test_law_5_cancelled_from_another_thread_no_further_call_is_decided(stream):
    one = stream.type(b"One")
    calls, released = [], []
    subscription = stream.observe(one, calls.append, release=lambda: released.append(1))

    assert on_thread(lambda: C.mainstem_cancel(subscription)) == OK
    stream.send(one)

    assert calls == []
    assert released == [1]


def test_law_5_cancel_wait_waits_for_the_call_that_another_thread_is_running():
    stream = Stream(d.THREADS_ANY)
    one = stream.type(b"One")
    entered, go_on = threading.Event(), threading.Event()
    log = []

    def slow(event):
        entered.set()
        assert go_on.wait(30)
        log.append("call ended")

    subscription = stream.observe(one, slow, release=lambda: log.append("released"))
    sender = threading.Thread(target=stream.send, args=(one,))
    sender.start()
    assert entered.wait(30)
    canceller = threading.Thread(
        target=lambda: log.append((C.mainstem_cancel_wait(subscription), "returned"))
    )
    canceller.start()
    go_on.set()
    canceller.join(30)
    sender.join(30)

    assert log == ["call ended", "released", (OK, "returned")]
    assert stream.close() == OK


def test_law_5_the_end_of_a_scope_cancels_its_observers_last_registered_first(stream):
    one = stream.type(b"One")
    scope = stream.scope()
    calls, released = [], []
    for name in ("a", "b", "c"):
        stream.observe(one, calls.append, release=lambda n=name: released.append(n), through=scope)

    assert C.mainstem_scope_end(scope) == OK
    stream.send(one)

    assert calls == []
    assert released == ["c", "b", "a"]


# Law 6: no surprise thread


def test_law_6_a_context_of_one_thread_refuses_another_and_nothing_changes(stream):
    one = stream.type(b"RequestOne", response=b"ResponseOne")
    stream.type(b"ResponseOne")
    scope = stream.scope()
    seen = []
    subscription = stream.observe(one, seen.append)
    pointer = c_void_p()
    calls = [
        lambda: stream.send(one),
        lambda: C.mainstem_type_add(stream.handle, b"Other", 0, None, byref(ctypes.c_uint32())),
        lambda: C.mainstem_observe(
            stream.handle, one, event_fn(seen.append), None, d.RELEASE_FN(), byref(pointer)
        ),
        lambda: C.mainstem_scope_add(stream.handle, b"Other", byref(pointer)),
        lambda: C.mainstem_scope_end(scope),
        lambda: C.mainstem_request(stream.handle, one, b"", 0, d.EVENT_FN(), None, None),
        lambda: C.mainstem_drain(stream.handle, 0, None),
        lambda: C.mainstem_wait(stream.handle, 0),
        lambda: C.mainstem_flush(stream.handle),
        lambda: C.mainstem_cancel_wait(subscription),
        lambda: C.mainstem_context_close(stream.handle),
    ]

    statuses = on_thread(lambda: [call() for call in calls])

    assert statuses == [WRONG_THREAD] * len(calls)
    assert seen == []
    assert stream.stats().events == 0
    assert stream.stats().scopes == 1


def test_law_6_a_post_from_another_thread_is_delivered_when_the_owner_drains(stream):
    one = stream.type(b"One")
    seen = []
    stream.observe(one, lambda e: seen.append((e.data, threading.get_ident())))

    def post():
        return [stream.post(one, str(number).encode()) for number in range(5)]

    assert on_thread(post) == [OK] * 5
    assert seen == []
    assert stream.stats().waiting == 5
    assert stream.drain(2) == 2
    assert stream.drain() == 3

    assert seen == [(str(number).encode(), threading.get_ident()) for number in range(5)]


def test_law_6_sent_from_many_threads_every_event_is_delivered_in_one_order():
    stream = Stream(d.THREADS_ANY)
    one = stream.type(b"One")
    first, second = [], []
    stream.observe(one, lambda e: first.append((e.position, e.data)))
    stream.observe(0, lambda e: second.append((e.position, e.data)))

    def send(name):
        for number in range(500):
            assert stream.send(one, f"{name}{number}".encode()) == OK

    threads = [threading.Thread(target=send, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert C.mainstem_flush(stream.handle) == OK

    assert [position for position, _ in first] == list(range(1, 2001))
    assert first == second
    for name in b"abcd":
        own = [int(data[1:]) for _, data in first if data[0] == name]
        assert own == list(range(500))
    assert stream.close() == OK


def test_law_6_a_send_while_another_thread_delivers_returns_at_once():
    stream = Stream(d.THREADS_ANY)
    one, two = stream.type(b"One"), stream.type(b"Two")
    entered, go_on = threading.Event(), threading.Event()
    threads = {}

    def hold(event):
        threads["one"] = threading.get_ident()
        entered.set()
        assert go_on.wait(30)

    stream.observe(one, hold)
    stream.observe(two, lambda e: threads.update(two=threading.get_ident()))
    sender = threading.Thread(target=stream.send, args=(one,))
    sender.start()
    assert entered.wait(30)

    assert stream.send(two) == OK
    assert "two" not in threads
    go_on.set()
    sender.join(30)

    assert threads["two"] == threads["one"] == sender.ident
    assert stream.close() == OK


def test_law_6_outside_callbacks_an_event_has_been_delivered_when_send_returns(stream):
    one, two = stream.type(b"One"), stream.type(b"Two")
    seen = []
    stream.observe(one, lambda e: stream.send(two))
    stream.observe(two, lambda e: seen.append((e.position, threading.get_ident())))

    stream.send(one)

    assert seen == [(2, threading.get_ident())]


def test_law_6_the_library_starts_no_thread(stream):
    before = set(os.listdir("/proc/self/task"))
    one = stream.type(b"One")
    stream.observe(one, lambda e: None)
    stream.send(one)
    stream.post(one)
    assert C.mainstem_wait(stream.handle, 0) == OK
    assert C.mainstem_flush(stream.handle) == OK

    assert set(os.listdir("/proc/self/task")) <= before


# Law 7: errors are values


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


# Law 8: accepted means answered


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


# Law 12: closed is closed


def test_law_12_close_inside_a_callback_is_busy_and_changes_nothing(stream):
    one = stream.type(b"One")
    statuses, released = [], []
    stream.observe(
        one,
        lambda e: statuses.append(C.mainstem_context_close(stream.handle)),
        release=lambda: released.append(1),
    )
    stream.send(one)
    stream.send(one)

    assert statuses == [BUSY, BUSY]
    assert released == []
    assert stream.stats().events == 2


def test_law_12_close_inside_a_release_hook_is_busy(stream):
    one = stream.type(b"One")
    statuses = []
    subscription = stream.observe(
        one,
        lambda e: None,
        release=lambda: statuses.append(C.mainstem_context_close(stream.handle)),
    )
    C.mainstem_cancel(subscription)

    assert statuses == [BUSY]
    assert stream.send(one) == OK


def test_law_12_close_takes_in_what_was_posted(stream):
    one = stream.type(b"One")
    seen = []
    stream.observe(one, lambda e: seen.append(e.data))
    stream.post(one, b"posted")

    assert stream.close() == OK
    assert seen == [b"posted"]


def test_law_12_close_cancels_open_requests(asking):
    answers, seen = [], []
    asking.server([(b"RequestA", lambda e: None)])
    asking.observe(asking.answer, lambda e: seen.append((e.status, e.answers)))
    asking.request(asking.asked, b"", lambda e: answers.append(e.status))

    assert asking.close() == OK
    assert answers == [CANCELLED]
    assert seen == [(CANCELLED, 1)]


def test_law_12_hooks_run_once_in_reverse_order_of_registration(stream):
    one = stream.type(b"One")
    stream.type(b"RequestA", response=b"ResponseA")
    scope = stream.scope()
    released = []
    stream.observe(one, lambda e: None, release=lambda: released.append(1))
    stream.observe(one, lambda e: None, release=lambda: released.append(2), through=scope)
    stream.server([(b"RequestA", lambda e: None)], release=lambda: released.append(3))
    stream.observe(one, lambda e: None, release=lambda: released.append(4))

    assert stream.close() == OK
    assert released == [4, 3, 2, 1]
    assert stream.close() == STALE
    assert released == [4, 3, 2, 1]


def test_law_12_after_close_every_handle_is_stale_for_ever(asking):
    kept = []
    scope = asking.scope()
    server = asking.server([(b"RequestA", lambda e: kept.append(asking.retain(e.address)))])
    subscription = asking.observe(0, lambda e: None)
    pending = asking.request(asking.asked, b"", lambda e: None)
    assert asking.close() == OK
    again = Stream()  # may take the slots of the closed one
    again.scope()
    again.observe(0, lambda e: None)

    pointer, position = c_void_p(), c_uint64()
    statuses = [
        asking.send(asking.asked),
        asking.post(asking.asked),
        asking.send(asking.asked, through=scope),
        asking.send(asking.asked, through=server),
        C.mainstem_scope_end(scope),
        C.mainstem_scope_end(server),
        C.mainstem_scope_add(asking.handle, b"x", byref(pointer)),
        C.mainstem_cancel(subscription),
        C.mainstem_subscription_from(subscription, byref(position)),
        C.mainstem_pending_cancel(pending),
        C.mainstem_pending_position(pending, byref(position)),
        C.mainstem_retained_event(kept[0], byref(pointer)),
        C.mainstem_retained_release(kept[0]),
        C.mainstem_drain(asking.handle, 0, None),
        C.mainstem_wait(asking.handle, 0),
        C.mainstem_flush(asking.handle),
        C.mainstem_context_close(asking.handle),
    ]

    assert statuses == [STALE] * len(statuses)
    assert again.stats().events == 0
    assert again.close() == OK


def test_law_12_a_handle_of_another_kind_or_from_nowhere_is_a_status(stream):
    one = stream.type(b"One")
    scope = stream.scope()
    subscription = stream.observe(one, lambda e: None)

    assert C.mainstem_context_close(scope) == WRONG_KIND
    assert C.mainstem_scope_end(stream.handle) == WRONG_KIND
    assert C.mainstem_cancel(scope) == WRONG_KIND
    assert C.mainstem_send(subscription, one, b"", 0) == WRONG_KIND
    assert C.mainstem_send(None, one, b"", 0) != OK
    assert C.mainstem_send(0x1234567890, one, b"", 0) != OK
    assert C.mainstem_cancel(None) == OK
    assert C.mainstem_context_close(None) == OK

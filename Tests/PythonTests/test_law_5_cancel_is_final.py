# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 5: cancel is final."""

from __future__ import annotations

import threading

import mainstem
from greeting import Said
from mainstem import _declarations as d
from mainstem._declarations import C
from raw import OK, STALE, Stream, on_thread


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


def test_law_5_what_waits_for_a_cancelled_observer_is_dropped():
    with mainstem.Context(raises=True) as context:
        seen, others = [], []
        context.observe(Said, others.append, on="host")
        subscription = context.observe(Said, seen.append, on="host")
        for word in "ab":
            context.send(Said(word))
        subscription.cancel()
        assert subscription.released
        assert context.drain() == 2

    assert (seen, others) == ([], [Said("a"), Said("b")])


def test_law_5_a_scheduled_observer_may_cancel_the_next_of_the_same_drain():
    with mainstem.Context(raises=True) as context:
        seen = []
        context.observe(Said, lambda event: subscription.cancel(), on="host")
        subscription = context.observe(Said, seen.append, on="host")
        context.send(Said("a"))
        assert context.drain() == 1
        assert subscription.released

    assert seen == []

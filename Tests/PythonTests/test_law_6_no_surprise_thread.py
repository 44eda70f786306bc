# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 6: no surprise thread."""

from __future__ import annotations

import ctypes
import os
import threading
from ctypes import byref, c_void_p

import mainstem
from greeting import Said, Started
from mainstem import _declarations as d
from mainstem._declarations import C
from raw import NO_RELEASE, OK, WRONG_THREAD, Stream, event_fn, on_thread


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


def test_law_6_a_batch_of_posts_wakes_the_owner_once(stream):
    one = stream.type(b"One")
    calls = []
    hook = d.WAKE_FN(calls.append)
    assert C.mainstem_context_on_wake(stream.handle, hook, None, NO_RELEASE) == OK

    for woken in range(1, 4):
        on_thread(lambda: [stream.post(one) for _ in range(1000)])
        assert len(calls) == woken
        assert stream.drain() == 1000

    assert C.mainstem_context_on_wake(stream.handle, d.WAKE_FN(), None, NO_RELEASE) == OK
    assert len(calls) == 3


def test_law_6_a_host_observer_is_called_inside_a_drain_only():
    with mainstem.Context(raises=True) as context:
        seen, at_once = [], []
        context.observe(Said, seen.append, on="host")
        context.send(Said("a"))
        context.observe(Said, at_once.append)
        context.send(Said("b"))
        assert (seen, at_once) == ([], [Said("b")])

        assert context.drain() == 2
        assert seen == [Said("a"), Said("b")]


def test_law_6_a_serial_observer_is_called_on_its_own_thread_in_order():
    seen, threads, done = [], set(), threading.Event()

    def note(event):
        threads.add(threading.get_ident())
        seen.append(event.event.position)
        if len(seen) == 200:
            done.set()

    with mainstem.Context(raises=True) as context:
        context.observe(Said, note, on=context.serial("worker"))
        for _ in range(200):
            context.send(Said("a"))
        assert done.wait(30)

    assert seen == list(range(1, 201))
    assert len(threads) == 1 and threading.get_ident() not in threads


def test_law_6_opened_to_deliver_on_the_host_a_send_only_accepts():
    with mainstem.Context(deliver="host", raises=True) as context:
        seen = []
        context.observe(Said, seen.append)
        context.send(Said("a"))
        context.send(Said("b"))
        assert seen == []
        assert context.stats().events == 2

        assert context.drain(1) == 1
        assert seen == [Said("a")]
        context.flush()
        assert seen == [Said("a"), Said("b")]


def test_law_6_what_a_host_observer_sends_is_outside_and_keeps_its_cause():
    with mainstem.Context(raises=True) as context:
        seen = []
        context.observe(Said, lambda event: context.send(Started()), on="host")
        context.observe(Started, lambda event: seen.append(event.event))
        context.send(Said("a"))
        context.drain()

    assert [(event.cause, event.outside) for event in seen] == [(1, True)]

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 6, beside the scenarios: threads at once, and that none is started."""

from __future__ import annotations

import os
import threading

from mainstem._library import C
from mainstem._library import _header as d
from raw import OK, Stream


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


def test_law_6_the_library_starts_no_thread(stream):
    before = set(os.listdir("/proc/self/task"))
    one = stream.type(b"One")
    stream.observe(one, lambda e: None)
    stream.send(one)
    stream.post(one)
    assert C.mainstem_wait(stream.handle, 0) == OK
    assert C.mainstem_flush(stream.handle) == OK

    assert set(os.listdir("/proc/self/task")) <= before

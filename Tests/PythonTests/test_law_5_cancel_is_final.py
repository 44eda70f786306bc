# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 5: cancel is final."""

from __future__ import annotations

import threading

from mainstem._library import C
from mainstem._library import _header as d
from raw import OK, Stream, on_thread


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

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 3: never nested."""

from __future__ import annotations

import threading

import mainstem
import pytest
from greeting import Said
from mainstem import MainstemError, Status
from mainstem._declarations import C
from raw import BUSY, OK


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


def test_law_3_a_scheduled_observer_is_not_called_inside_itself():
    log = []

    def again(event):
        log.append(f"{event.words} in")
        if len(event.words) < 3:
            context.send(Said(event.words + "a"))
        for wait in (context.drain, context.flush, lambda: context.wait(0)):
            with pytest.raises(MainstemError) as error:
                wait()
            assert error.value.status == Status.BUSY
        log.append(f"{event.words} out")

    with mainstem.Context(raises=True) as context:
        context.observe(Said, again, on="host")
        context.send(Said("a"))
        while context.drain():
            continue

    assert log == ["a in", "a out", "aa in", "aa out", "aaa in", "aaa out"]


def test_law_3_one_thread_at_a_time_delivers_to_scheduled_observers():
    log, delivered = [], []

    def drain_elsewhere(event):
        log.append(f"{event.words} in")
        if event.words == "a":
            context.send(Said("b"))
            thread = threading.Thread(target=lambda: delivered.append(context.drain()))
            thread.start()
            thread.join(30)
        log.append(f"{event.words} out")

    with mainstem.Context(threads="any", raises=True) as context:
        context.register(Said)
        context.observe(Said, drain_elsewhere, on="host")
        context.send(Said("a"))
        assert context.drain() == 1
        assert (log, delivered) == (["a in", "a out"], [0])
        assert context.drain() == 1

    assert log == ["a in", "a out", "b in", "b out"]

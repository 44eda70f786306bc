# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Observers that are called elsewhere than at once: in a drain, on a thread of their own."""

from __future__ import annotations

import threading

import mainstem
import pytest
from greeting import Said
from mainstem import Gap, MainstemError, Status


@pytest.fixture
def shared():
    with mainstem.Context(threads="any", raises=True) as context:
        yield context


def test_a_host_observer_is_called_in_a_drain(context):
    seen = []
    context.observe(Said, seen.append, on="host")
    context.send(Said("a"))
    assert seen == []
    context.drain()
    assert seen == [Said("a")]


def test_an_observer_on_a_serial_scheduler_is_called_on_its_thread(shared):
    threads = []
    work = shared.serial("Work")
    called = threading.Event()

    @shared.observe(Said, on=work)
    def note(said):
        threads.append((threading.get_ident(), said))
        called.set()

    shared.send(Said("a"))
    assert called.wait(30)
    assert work.name == "Work"
    assert threads[0][0] != threading.get_ident()
    assert threads[0][1] == Said("a")


def test_a_full_queue_refuses_or_loses_as_its_policy_says(context):
    kept = {}
    for policy in ("drop-oldest", "drop-newest", "latest"):
        kept[policy] = []
        context.observe(Said, kept[policy].append, on="host", policy=policy, limit=2)
    for word in "abcd":
        context.send(Said(word))
    context.drain()
    context.send(Said("e"))
    context.drain()
    assert kept["drop-oldest"] == [Gap(1, 2, 2), Said("c"), Said("d"), Said("e")]
    assert kept["drop-newest"] == [Said("a"), Said("b"), Gap(3, 4, 2), Said("e")]
    assert kept["latest"] == [Gap(1, 3, 3), Said("d"), Said("e")]

    context.observe(Said, kept["latest"].append, on="host", limit=1)
    context.send(Said("f"))
    with pytest.raises(MainstemError) as raised:
        context.send(Said("g"))
    assert raised.value.status == Status.FULL
    context.drain()


def test_a_sender_waits_where_the_queue_blocks(shared):
    seen = []
    shared.register(Said)
    shared.observe(Said, seen.append, on="host", policy="block", limit=4)

    def send():
        for number in range(100):
            shared.send(Said(str(number)))

    thread = threading.Thread(target=send)
    thread.start()
    while len(seen) < 100:
        shared.wait(30)
        assert shared.drain() <= 4
    thread.join(30)
    assert seen == [Said(str(number)) for number in range(100)]


def test_the_state_of_one_thread_is_not_that_of_another(shared):
    """A callback in a drain, while another thread is inside one of its own."""
    inside, go_on = threading.Event(), threading.Event()

    def hold(said):
        inside.set()
        assert go_on.wait(30)

    shared.observe(Said, lambda said: shared.thrown.inside(), on="host")
    shared.observe(Said, hold, on=shared.serial("Work"))
    shared.send(Said("a"))
    assert inside.wait(30)
    assert not shared.thrown.inside()
    shared.drain()
    go_on.set()


def test_what_is_no_scheduler_or_policy_is_refused(context):
    for options in (
        {"on": "there"},
        {"on": "host", "policy": "lose"},
        {"policy": "block"},
        {"limit": 3},
    ):
        with pytest.raises(TypeError):
            context.observe(Said, print, **options)
    with pytest.raises(ValueError):
        context.observe(Said, print, on="host", limit=-1)
    with pytest.raises(ValueError):
        context.serial("Work", spin=-1)
    with pytest.raises(MainstemError) as raised:
        context.observe(Said, print, on=mainstem.Scheduler(60, "none"))
    assert raised.value.status == Status.INVALID

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Acceptance tests by their numbers, as a Python host sees them."""

from __future__ import annotations

import gc
import threading

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting, Said, Started, keep_for_ever
from mainstem import Failure, MainstemError, Status


def test_a_01_an_observer_gets_the_same_bytes_with_an_increasing_position(context):
    context.add_type("K", bytes)
    seen = []
    context.observe("K", seen.append)
    for data in (b"one", b"", b"\0\xff"):
        context.send("K", data)

    assert [event.data for event in seen] == [b"one", b"", b"\0\xff"]
    assert [event.position for event in seen] == [1, 2, 3]


def test_a_02_the_answer_of_a_handler_names_its_cause_and_its_chain(context):
    seen = []
    context.observe(ResponseGreeting, seen.append)
    context.serve(RequestGreet, lambda request: ResponseGreeting("x"), name="Greeter")
    context.send(Started())
    context.request(RequestGreet("Ada"))

    assert [(e.cause, e.correlation, e.answers) for e in seen] == [(2, 2, 2)]


def test_a_06_the_same_observer_receives_an_error_and_then_a_success(context):
    seen, broken = [], [True]
    context.register(ResponseGreeting)
    context.observe("ResponseGreeting", seen.append)

    @context.serve(RequestGreet)
    def greet(request):
        if broken.pop() if broken else False:
            raise Failure("STORE", user_message="Not saved.")
        return ResponseGreeting("fine")

    with pytest.raises(Failure):
        context.request(RequestGreet("Ada"))
    context.request(RequestGreet("Ada"))

    assert [event.failed for event in seen] == [True, False]
    assert seen[0].error.user_message == "Not saved."
    assert seen[1].value == ResponseGreeting("fine")


def test_a_09_cancels_and_observes_inside_a_callback_are_safe(context):
    log = []
    scope = context.scope("Owner")

    def first(event):
        own.cancel()
        peer.cancel()
        scope.end()
        context.observe(Said, lambda e: log.append(f"new {e.words}"))
        log.append(f"first {event.words}")

    own = context.observe(Said, first)
    peer = context.observe(Said, lambda e: log.append("peer"))
    scope.observe(Said, lambda e: log.append("owned"))
    context.observe(Said, lambda e: log.append(f"last {e.words}"))
    context.send(Said("a"))
    context.send(Said("b"))

    assert log == ["first a", "last a", "last b", "new b"]
    assert own.released
    assert peer.released


def test_a_14_wrong_arguments_are_statuses(context):
    context.add_type("Text", str)
    wrong = [
        (lambda: context.send(4711), Status.INVALID),
        (lambda: context.send("Text", b"\xff\xfe"), Status.INVALID),
        (lambda: context.send("Unknown"), Status.INVALID),
        (lambda: context.scope("x" * 300), Status.TOO_BIG),
        (lambda: context.scope(""), Status.INVALID),
        (lambda: context.request("Text", "x"), Status.INVALID),
        (lambda: mainstem.Context(borrow=0xDEADBEEF).stats(), None),
    ]
    for call, status in wrong:
        with pytest.raises(MainstemError) as error:
            call()
        assert status is None or error.value.status == status


def test_a_18_close_with_everything_live_brings_all_counters_to_nothing():
    context = mainstem.Context(raises=True)
    subscription = context.observe(Said, lambda event: kept.append(event.retain()))
    kept, answers = [], []
    scope = context.scope("S")
    scope.observe(Said, lambda event: None)
    context.serve(RequestGreet, keep_for_ever, name="Later")
    context.trace(lambda line: None)
    context.send(Said("x"))
    pending = context.request(RequestGreet("x"), then=print, failed=answers.append)
    context.close()

    assert subscription.released
    assert [answer.status for answer in answers] == [Status.CANCELLED]
    assert pending.answered
    with pytest.raises(MainstemError, match="STALE"):
        context.send(Said("y"))
    with pytest.raises(MainstemError, match="STALE"):
        scope.send(Said("y"))


@pytest.mark.parametrize(
    "data",
    [b"", b"\0", b"a\0b\0", "grüße 日本 🦄".encode(), bytes(range(256)), b"\xa5" * (64 << 20)],
    ids=["empty", "zero", "zeros", "utf-8", "all bytes", "64 MB"],
)
def test_a_76_payloads_are_exact_bytes(context, data):
    context.add_type("Raw", bytes)
    context.add_type("Again", bytes)
    seen = []
    context.observe("Raw", lambda event: context.send("Again", event.data))
    context.observe("Again", seen.append)
    context.send("Raw", data)

    assert len(seen) == 1
    assert seen[0].data == data
    assert seen[0].size == len(data)


def test_a_76_buffers_of_other_kinds_are_copied(context):
    context.add_type("Raw", bytes)
    seen = []
    context.observe("Raw", seen.append)
    buffer = bytearray(b"before")
    context.send("Raw", buffer)
    context.post("Raw", memoryview(buffer))
    buffer[:] = b"AFTER!"
    context.drain()

    assert [event.data for event in seen] == [b"before", b"before"]


def test_a_77_callbacks_survive_collection_exceptions_and_threads():
    from mainstem._library import _callbacks

    before = _callbacks.kept()
    caught, seen = [], []
    context = mainstem.Context(threads="any", on_exception=lambda e, event: caught.append(e))

    def odd(event):
        gc.collect()
        if event.position % 2:
            raise ValueError("odd")

    context.observe(Said, odd)
    context.observe(Said, lambda event: seen.append(event.position))
    gc.collect()
    context.send(Said("x"))

    def send():
        for _ in range(20):
            context.send(Said("x"))
            context.observe(Started, lambda event: None).cancel()

    threads = [threading.Thread(target=send) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    context.flush()

    assert len(seen) == 61
    assert seen == sorted(seen)
    assert len(caught) == context.stats().failures >= 1
    context.close()
    gc.collect()
    assert _callbacks.kept() == before


def test_a_79_two_contexts_at_once_have_no_cross_talk():
    with mainstem.Context(raises=True) as one, mainstem.Context(raises=True) as two:
        heard = []
        one.observe(lambda event: heard.append("one"))
        two.observe(lambda event: heard.append("two"))
        one.send(Said("x"))
        one.close()
        two.send(Said("x"))

    assert heard == ["one", "two"]

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Contexts: wait, drain, close, several of them, scopes, traces, the end of the interpreter."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting, Said, Started
from interpreter import child, is_asleep
from mainstem import MainstemError, Status
from raw import on_thread


def test_what_another_thread_posts_is_taken_in_by_drain_wait_and_flush(context):
    context.register(Said)
    seen = []
    context.observe(Said, seen.append)
    assert context.drain() == 0
    assert context.wait(0) is False

    on_thread(lambda: [context.post(Said(word)) for word in "abc"])
    assert seen == []
    assert context.drain(1) == 1
    assert context.wait(1) is True
    on_thread(lambda: context.post(Said("d")))
    context.flush()

    assert seen == [Said(word) for word in "abcd"]
    assert seen[3].outside


def test_inside_a_callback_the_context_knows_its_event(context):
    context.register(Said, Started)
    seen = []
    context.observe(Said, lambda said: seen.append(context.event))
    context.observe(Said, lambda said: seen.append(("host", context.event)), on="host")
    assert context.event == 0

    context.send(Started())
    context.send(Said("x"))
    context.drain()

    assert seen == [2, ("host", 0)]
    context.close()
    with pytest.raises(MainstemError) as caught:
        assert context.event
    assert caught.value.status == Status.STALE


def test_wait_returns_false_when_the_time_is_over(context):
    before = time.monotonic()
    assert context.wait(0.02) is False
    assert time.monotonic() - before >= 0.02


def test_the_file_descriptor_is_readable_while_there_is_something_to_drain(context):
    context.register(Said)
    descriptor = context.fileno()
    assert descriptor > 2
    assert context.fileno() == descriptor
    assert not os.get_inheritable(descriptor)
    assert select.select([descriptor], [], [], 0)[0] == []

    on_thread(lambda: context.post(Said("x")))
    assert select.select([context], [], [], 1)[0] == [context]
    assert select.select([context], [], [], 0)[0] == [context]
    context.drain()
    assert select.select([context], [], [], 0)[0] == []


def test_the_wake_hook_is_called_once_until_the_context_drains(context):
    context.register(Said)
    woken = []
    context.on_wake(lambda: woken.append(threading.current_thread()))
    assert context.next_timeout() is None

    on_thread(lambda: [context.post(Said("x")) for _ in range(1000)])
    assert len(woken) == 1
    assert woken[0] is not threading.main_thread()
    assert context.next_timeout() == 0
    context.drain()
    assert context.next_timeout() is None
    context.on_wake(None)
    context.post(Said("x"))
    assert len(woken) == 1


def test_what_a_wake_hook_raises_goes_to_the_unraisable_hook(context, monkeypatch):
    seen = []
    monkeypatch.setattr(sys, "unraisablehook", seen.append)
    context.register(Said)

    def refuse():
        context.drain()

    context.on_wake(refuse)
    context.post(Said("x"))
    assert [report.exc_value.status for report in seen] == [mainstem.Status.BUSY]


def test_control_c_ends_a_wait(context, interrupt_soon):
    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        context.wait(30)
    context.send(Started())


def test_a_signal_whose_handler_does_not_raise_does_not_end_a_wait(context):
    calls = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: calls.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        assert context.wait(0.1) is False
    finally:
        signal.signal(signal.SIGALRM, before)
    assert calls == [signal.SIGALRM]


def test_control_c_ends_a_program_that_waits_for_ever():
    process = child(
        "import mainstem\n"
        "with mainstem.Context() as context:\n"
        "    print('waiting', flush=True)\n"
        "    context.wait()\n"
    )
    assert process.stdout.readline() == "waiting\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)

    assert "KeyboardInterrupt" in errors
    assert process.returncode != 0


def test_control_c_ends_a_wait_within_200_ms():
    process = child(
        "import mainstem, time\n"
        "with mainstem.Context() as context:\n"
        "    for _ in range(10):\n"
        "        try:\n"
        "            print('waiting', flush=True)\n"
        "            context.wait()\n"
        "        except KeyboardInterrupt:\n"
        "            print(time.monotonic(), flush=True)\n"
    )
    taken = []
    for _ in range(10):
        assert process.stdout.readline() == "waiting\n"
        while not is_asleep(process.pid):
            os.sched_yield()
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        taken.append(float(process.stdout.readline()) - sent)
    process.communicate(timeout=30)
    print(f"Ctrl-C ended a wait after {max(taken) * 1000:.1f} ms at most")

    # A busy machine may be late now and then, not each time.
    assert sorted(taken)[5] < 0.2


def test_calls_that_wait_are_busy_inside_a_callback(context):
    statuses = []

    def try_all(event):
        for call in (context.drain, context.wait, context.flush, context.close):
            try:
                call()
            except MainstemError as error:
                statuses.append(error.status)

    context.observe(Said, try_all)
    context.send(Said("x"))

    assert statuses == [Status.BUSY] * 4
    assert not context.closed


def test_a_closed_context_refuses_with_a_sentence_and_closes_once():
    context = mainstem.Context()
    context.register(Said)
    subscription = context.observe(Said, print)
    context.close()
    context.close()

    assert context.closed
    assert subscription.released
    for call in (
        lambda: context.send(Said("x")),
        lambda: context.post(Said("x")),
        lambda: context.observe(print),
        lambda: context.scope("x"),
        context.stats,
        context.drain,
        context.flush,
    ):
        with pytest.raises(MainstemError) as error:
            call()
        assert error.value.status == Status.STALE
        assert str(error.value).startswith("STALE: ") and "mainstem_" not in str(error.value)
    subscription.cancel()


def test_the_first_error_is_kept_so_that_a_program_checks_once(context):
    assert context.first_error() is None
    with pytest.raises(MainstemError) as first:
        context.add_type("", bytes)
    with pytest.raises(MainstemError):
        context.read_type("NeverRegistered")

    assert context.first_error().status == Status.INVALID
    assert context.first_error().message == first.value.message


def test_two_contexts_do_not_hear_each_other():
    with mainstem.Context(raises=True) as one, mainstem.Context(raises=True) as two:
        seen = {"one": [], "two": []}
        two.register(Started)  # so that the numbers differ
        one.observe(lambda event: seen["one"].append(event.value))
        two.observe(lambda event: seen["two"].append(event.value))
        one.observe(Said, lambda event: two.send(Said(event.words.upper())))
        one.send(Said("a"))
        one.send(Said("b"))
        two.send(Started())

        assert seen == {"one": [Said("a"), Said("b")], "two": [Said("A"), Said("B"), Started()]}
        assert (one.stats().events, two.stats().events) == (2, 3)


def test_another_thread_is_refused_unless_the_context_is_for_any():
    def status_of_send(context):
        try:
            context.send(Said("x"))
        except MainstemError as error:
            assert "other threads use post(…), or a Context(threads=" in error.message
            return error.status
        return Status.OK

    with mainstem.Context() as one, mainstem.Context(threads="any") as any_thread:
        for context in (one, any_thread):
            context.register(Said)
        assert on_thread(lambda: status_of_send(one)) == Status.WRONG_THREAD
        assert on_thread(lambda: status_of_send(any_thread)) == Status.OK
    with pytest.raises(TypeError, match='threads is "one", "any" or "guarded"'):
        mainstem.Context(threads="many")


def test_a_scope_names_what_is_sent_and_ends_what_is_observed(context):
    seen = []
    context.observe(Said, lambda event: seen.append((event.origin, event.words)))
    heard = []
    with context.scope("Outer") as outer:
        inner = outer.scope("Inner")
        inner.observe(Said, heard.append)
        outer.send(Said("a"))
        inner.send(Said("b"))
    context.send(Said("c"))

    assert seen == [("Outer", "a"), ("Inner", "b"), ("", "c")]
    assert heard == [Said("a"), Said("b")]
    with pytest.raises(MainstemError, match="STALE"):
        inner.send(Said("d"))
    outer.end()


def test_a_trace_gives_each_event_as_a_line(context, capsys):
    lines = []
    context.trace(lines.append)
    context.trace()
    with context.scope("Mine") as scope:
        scope.trace(lambda line: lines.append(f"mine {line}"))
        scope.send(Said("a"))
    context.send(Said("b\n"))

    assert lines == ["#1 Said Mine a", "mine #1 Said Mine a", "#2 Said b\\n"]
    assert capsys.readouterr().err == "#1 Said Mine a\n#2 Said b\\n\n"


def test_stats_count_what_lives_and_what_happened(context):
    with context.observe(Said, lambda event: event.retain()), context.scope("x"):
        context.serve(RequestGreet, lambda request: ResponseGreeting("x"), name="Greeter")
        context.send(Said("a"))
        context.request(RequestGreet("b"))
        context.post(Said("c"))
        stats = context.stats()

    assert (stats.events, stats.scopes, stats.waiting, stats.failures) == (3, 2, 1, 0)
    assert (stats.deliveries, stats.requests, stats.retained) == (3, 0, 0)
    with mainstem.Context() as fresh:
        own = fresh.stats().types
    assert (stats.types - own, stats.subscriptions) == (3, 2)


def test_a_context_that_is_left_open_is_closed_when_the_interpreter_ends():
    process = child(
        "import mainstem, greeting\n"
        "context = mainstem.Context()\n"
        "context.observe(greeting.Said, lambda event: print(event))\n"
        "context.post(greeting.Said('at the end'))\n"
    )
    output, errors = process.communicate(timeout=30)

    assert (output, errors, process.returncode) == ("#1 Said at the end\n", "", 0)


def test_the_end_of_an_interpreter_with_threads_that_post_is_quiet():
    process = child(
        "import mainstem, greeting, threading\n"
        "context = mainstem.Context(threads='any')\n"
        "context.observe(greeting.Said, lambda event: None)\n"
        "def post():\n"
        "    try:\n"
        "        while True: context.send(greeting.Said('x'))\n"
        "    except mainstem.MainstemError: pass\n"
        "context.send(greeting.Said('x'))\n"
        "for _ in range(3): threading.Thread(target=post, daemon=True).start()\n"
    )
    output, errors = process.communicate(timeout=60)

    assert (output, errors, process.returncode) == ("", "", 0)


def test_a_context_made_elsewhere_can_be_borrowed(context):
    seen = []
    borrowed = mainstem.Context(borrow=context.handle)
    borrowed.observe(Said, seen.append)
    context.send(Said("x"))
    borrowed.close()
    context.send(Said("y"))

    assert seen == [Said("x"), Said("y")]


def test_a_type_added_by_name_can_be_posted_from_another_thread_at_once():
    with mainstem.Context(raises=True) as context:
        context.add_type("Line", str)
        on_thread(lambda: context.post("Line", "one"))
        seen = []
        context.observe("Line", lambda event: seen.append(event.text))
        context.drain()
    assert seen == ["one"]


@pytest.mark.parametrize("how", ["close", "with"])
def test_what_close_delivers_and_what_with_does(how):
    got = []
    context = mainstem.Context(raises=True)
    context.observe(Said, lambda said: got.append(f"at once: {said.words}"))
    context.observe(Said, lambda said: got.append(f"host: {said.words}"), on="host")
    kept = []

    @context.serve(RequestGreet)
    def greet(asked):
        kept.append(asked.retain())
        return mainstem.LATER

    context.request(RequestGreet("Ada"), then=print, failed=lambda one: got.append(one.status.name))
    context.send_after(0, Said("timer"))
    context.send(Said("sent"))
    on_thread(lambda: context.post(Said("posted")))

    if how == "close":
        context.close()
        assert got == ["at once: sent", "at once: posted", "CANCELLED"]
    else:
        with context:
            pass
        words = ["sent", "timer", "posted"]
        at_once, host = ([f"{who}: {word}" for word in words] for who in ("at once", "host"))
        assert got == [*at_once, *host, "CANCELLED"]

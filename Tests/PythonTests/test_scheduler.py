# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Where observers are called: options, serial schedulers, exceptions, the end of everything."""

from __future__ import annotations

import subprocess
import sys
import threading
import warnings

import mainstem
import pytest
from conftest import PACKAGE
from greeting import RequestGreet, ResponseGreeting, Said, Started
from mainstem import Gap, MainstemError, Scheduler, Status
from mainstem._library import _callbacks


@pytest.fixture
def shared():
    with mainstem.Context(threads="any", raises=True) as context:
        yield context


def test_the_decorator_and_the_call_form_take_a_scheduler(context):
    seen = []

    @context.observe(Said, on="host")
    def one(event):
        seen.append(("one", event))

    with context.observe(Said, lambda event: seen.append(("two", event)), on="host"):
        context.send(Said("a"))
        assert seen == []
        assert context.drain() == 2

    assert seen == [("one", Said("a")), ("two", Said("a"))]
    assert callable(one)


def test_options_that_are_none_are_refused_with_a_sentence(context):
    with pytest.raises(TypeError, match='on is "immediate", "host" or a serial scheduler'):
        context.observe(Said, print, on="nowhere")
    with pytest.raises(TypeError, match="policy is one of reject, block"):
        context.observe(Said, print, on="host", policy="forget")
    with pytest.raises(ValueError, match="limit"):
        context.observe(Said, print, on="host", limit=-1)
    for option in ({"policy": "latest"}, {"limit": 1}, {"limit_bytes": 1}):
        with pytest.raises(TypeError, match="nothing waits for an observer that is called at once"):
            context.observe(Said, print, **option)
    with pytest.raises(MainstemError, match="is not a scheduler") as error:
        context.observe(Said, print, on=Scheduler(9, "nobody"))
    assert error.value.status == Status.INVALID
    with pytest.raises(ValueError, match="spin"):
        context.serial("worker", spin=-1)
    with pytest.raises(TypeError, match='deliver is "immediate" or "host"'):
        mainstem.Context(deliver="later")
    assert context.stats().subscriptions == 0


def test_a_serial_scheduler_has_a_number_and_a_name(context):
    first, second = context.serial("first"), context.serial("second", spin=0.00001)

    assert first.name == "first"
    assert second.number == first.number + 1


def test_an_exception_on_a_serial_scheduler_is_counted_and_reported():
    caught, reports = [], []
    told = threading.Event()

    def broken(event):
        raise ValueError("it broke")

    def keep(exception, event):
        caught.append((repr(exception), event, threading.get_ident()))

    with mainstem.Context(threads="any", on_exception=keep) as context:
        worker = context.serial("worker")
        context.observe(mainstem.MainstemFailure, lambda r: (reports.append(r), told.set()))
        context.observe(Said, broken, on=worker)
        context.send(Said("a"))
        assert told.wait(30)
        assert context.stats().failures == 1

    assert [(text, event) for text, event, _ in caught] == [("ValueError('it broke')", Said("a"))]
    assert caught[0][2] != threading.get_ident()
    assert [report.message for report in reports] == ["ValueError('it broke')"]


def test_a_request_waits_while_a_serial_scheduler_answers_it(context):
    """A callback over there does not make the waiting thread believe that it is inside one."""
    kept, inside, leave = [], threading.Event(), threading.Event()

    def hold(event):
        inside.set()
        assert leave.wait(30)
        kept[0].respond(ResponseGreeting("from there"))

    @context.serve(RequestGreet)
    def later(request):
        kept.append(request.retain())
        leave.set()
        return mainstem.LATER

    context.observe(Said, hold, on=context.serial("worker"))
    context.send(Said("a"))
    assert inside.wait(30)

    assert context.request(RequestGreet("Ada"), timeout=30).text == "from there"


def test_close_waits_for_the_call_on_a_serial_scheduler():
    log = []
    inside = threading.Event()

    def slow(event):
        inside.set()
        while not closing.is_set():
            pass
        log.append("ended")

    closing = threading.Event()
    context = mainstem.Context(raises=True)
    context.observe(Said, slow, on=context.serial("worker"))
    context.send(Said("a"))
    assert inside.wait(30)
    before = _callbacks.kept()
    closing.set()
    context.close()
    log.append("closed")

    assert log == ["ended", "closed"]
    assert _callbacks.kept() == before - 1


def test_what_a_serial_callback_throws_is_raised_by_the_call_that_comes_next():
    done = threading.Event()

    def broken(event):
        done.set()
        raise ValueError("it broke")

    context = mainstem.Context(raises=True)
    context.observe(Said, broken, on=context.serial("worker"))
    # The worker may be through before the send has returned: then the send raises it.
    with pytest.raises(ValueError, match="it broke"):
        context.send(Said("a"))
        assert done.wait(30)
        context.close()
    context.close()


def test_a_gap_is_told_apart_from_events(context):
    seen = []
    context.observe(seen.append, on="host", policy="drop-newest", limit=1, on_gap=seen.append)
    for word in "abc":
        context.send(Said(word))
    context.drain()
    context.send(Started())
    context.drain()

    assert [isinstance(event, Gap) for event in seen] == [False, True, False]
    assert (seen[0].value, seen[1], seen[2].value) == (Said("a"), Gap(2, 3, 2), Started())


def test_a_loss_that_nobody_asked_to_hear_of_is_a_warning_once(context):
    context.observe(Said, print, on="host", policy="drop-newest", limit=1)
    with pytest.warns(RuntimeWarning, match="print> lost events: 2, #2 to #3: .* on_gap=") as told:
        for word in "abc":
            context.send(Said(word))
        context.drain()
        for word in "def":
            context.send(Said(word))
        context.drain()

    assert len(told) == 1


def test_a_warning_that_is_an_error_never_enters_the_stream(monkeypatch):
    reported = []
    monkeypatch.setattr("sys.unraisablehook", reported.append)
    with mainstem.Context() as context, warnings.catch_warnings():
        warnings.simplefilter("error")
        context.observe(Said, print, on="host", policy="drop-newest", limit=1)
        kept = context.mailbox()
        for word in "abc":
            context.send(Said(word))
        context.drain()

        assert [event.name for event in kept.events()] == ["Said"] * 3
        assert context.stats().failures == 0
    assert [type(raised.exc_value) for raised in reported] == [RuntimeWarning]


def test_a_full_queue_refuses_or_loses_as_its_policy_says(context):
    kept = {}
    for policy in ("drop-oldest", "drop-newest", "latest"):
        kept[policy] = []
        note = kept[policy].append
        context.observe(Said, note, on="host", policy=policy, limit=2, on_gap=note)
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


PROGRAM = """
import os, sys, threading
import mainstem

@mainstem.event(payload=str)
class Said(mainstem.Notice):
    words: str

context = mainstem.Context(threads="any")
busy = threading.Event()

def work(event):
    busy.set()
    context.send(Said("again"))

context.observe(Said, work, on=context.serial("worker"))
context.send(Said("a"))
assert busy.wait(30)
{end}
"""


@pytest.mark.parametrize(
    "end, code",
    [("", 0), ("sys.exit(3)", 3), ("raise ValueError('it broke')", 1), ("context.close()", 0)],
)
def test_the_interpreter_ends_while_a_serial_scheduler_is_busy(end, code):
    program = PROGRAM.format(end=end)
    ended = subprocess.run(
        [sys.executable, "-c", program],
        cwd=PACKAGE,
        capture_output=True,
        timeout=60,
    )
    assert ended.returncode == code, ended.stderr

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A scheduler on a context's clock."""

from __future__ import annotations

import datetime
import threading

import mainstem
import pytest
import reactivex
from mainstem import rx
from mainstem.rx import Agenda, Item
from reactivex import operators as op
from searching import Heard, Settled, Typed


@pytest.fixture
def virtual():
    """A context whose time the test moves on."""
    with mainstem.Context(clock="virtual", times=True, raises=True) as made:
        made.register(Typed, Settled)
        yield made


@pytest.fixture
def clock(virtual):
    return rx.ContextScheduler(virtual)


def note(log, what):
    return lambda *_: log.append(what)


def test_it_goes_by_the_contexts_time_exactly(virtual):
    heard = []
    virtual.observe(Settled, lambda settled: heard.append((settled.text, virtual.now())))
    texts = rx.events(virtual, Typed).pipe(op.debounce(0.02), op.map(lambda typed: typed.text))
    run = rx.send(texts, virtual, "Settled")

    virtual.send(Typed("a"))
    virtual.advance(0.015)
    virtual.send(Typed("b"))
    virtual.advance(0.015)
    assert heard == []
    virtual.advance(0.015)

    assert heard == [("b", 0.035)]
    run.dispose()
    assert virtual.stats().timers == 0
    assert virtual.stats().subscriptions == 1


def test_what_is_due_runs_in_order_and_what_is_due_at_once_after_the_action_that_asked(
    virtual, clock
):
    log = []

    def first(*_):
        clock.schedule(note(log, "at once"))
        clock.schedule_relative(0, note(log, "soon"))
        log.append("first")

    clock.schedule_relative(0.02, note(log, "second"))
    clock.schedule_relative(datetime.timedelta(milliseconds=10), first)
    clock.schedule_absolute(0.015, note(log, "between"))
    clock.schedule_absolute(clock.now - datetime.timedelta(1), note(log, "past"))
    clock.schedule(note(log, "now"))
    assert log == ["now"]
    virtual.advance(0.1)

    assert log == ["now", "past", "first", "at once", "soon", "between", "second"]


def test_an_action_sees_the_time_at_which_it_was_due(virtual, clock):
    times = []
    run = clock.schedule_periodic(0.0125, lambda state: times.append(clock.now))

    virtual.advance(0.05)

    # The context counts milliseconds; the actions keep in step.
    begin = datetime.datetime(1970, 1, 1, tzinfo=clock.now.tzinfo)
    passed = [(time - begin) / datetime.timedelta(milliseconds=1) for time in times]
    assert passed == [12.5, 25, 37.5, 50]
    run.dispose()
    assert virtual.stats().timers == 0


def test_what_is_disposed_of_does_not_run_and_sets_no_alarm(virtual, clock):
    log, alarms = [], []
    virtual.observe("SignalAlarm", lambda event: alarms.append(virtual.now()))
    runs = [clock.schedule_relative(0.01 * k, note(log, k)) for k in (1, 2, 3, 4)]
    runs[1].dispose()
    virtual.advance(0)

    runs[2].dispose()
    runs[2].dispose()
    virtual.advance(0.03)
    assert (log, alarms) == ([1], [0, 0.01])
    assert virtual.stats().timers == 1
    runs[3].dispose()
    assert virtual.stats().timers == 0


def test_many_void_actions_take_no_room(virtual, clock):
    def schedule(*_):
        clock.schedule_relative(3600, note([], ""))
        for _ in range(10_000):
            clock.schedule_relative(1800, note([], "")).dispose()

    clock.schedule_relative(0, schedule)
    virtual.advance(0)

    assert len(clock._agenda._items) < 100
    assert virtual.stats().timers == 1


def test_an_action_that_raises_keeps_no_other_from_running(virtual, clock):
    log = []

    def broken(*_):
        clock.schedule(note(log, "begun by it"))
        raise ValueError("broken")

    clock.schedule_relative(0.01, broken)
    clock.schedule_relative(0.01, note(log, "next"))
    clock.schedule_relative(0.02, note(log, "later"))
    with pytest.raises(ValueError, match="broken"):
        virtual.advance(0.01)
    assert log == ["begun by it", "next"]
    assert virtual.stats().failures == 1
    virtual.advance(0.01)
    assert log == ["begun by it", "next", "later"]


def test_a_callback_ends_with_what_it_has_begun(virtual, clock):
    causes = []
    virtual.observe(Settled, lambda settled: causes.append((settled.text, settled.event.cause)))
    source = rx.events(virtual, Typed).pipe(op.flat_map(lambda typed: reactivex.of(typed.text)))
    run = rx.send(source, virtual, "Settled", scheduler=clock)

    # The context is sent to inside an action of the same scheduler.
    Heard(
        reactivex.of("a", "b").pipe(op.do_action(lambda text: virtual.send(Typed(text)))),
        scheduler=clock,
    )

    assert causes == [("a", 1), ("b", 3)]
    run.dispose()


def test_what_other_threads_schedule_runs_in_a_drain(virtual, clock):
    heard, homes = [], set()

    def work(name):
        for number in range(200):
            clock.schedule(lambda *_, it=(name, number): (heard.append(it), home()))
        clock.schedule_relative(0.01, note(heard, (name, "late")))

    def home():
        homes.add(threading.get_ident())

    threads = [threading.Thread(target=work, args=[name]) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert heard == []
    virtual.drain()

    for name in range(4):
        assert [number for one, number in heard if one == name] == list(range(200))
    assert homes == {threading.get_ident()}
    virtual.advance(0.01)
    assert sum(number == "late" for _, number in heard) == 4


def test_values_of_another_thread_are_observed_on_the_contexts(virtual, clock):
    numbers: reactivex.Subject = reactivex.Subject()
    run = rx.send(numbers.pipe(op.observe_on(clock), op.map(str)), virtual, "Settled")
    seen = []
    virtual.observe(Settled, lambda settled: seen.append(settled.text))

    def work():
        for number in range(100):
            numbers.on_next(number)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    virtual.drain()

    assert seen == [str(number) for number in range(100)]
    run.dispose()


def test_after_its_end_and_after_the_close_nothing_is_due(virtual, clock):
    log = []
    clock.schedule_relative(0.01, note(log, "never"))
    clock.end()
    clock.end()
    clock.schedule_relative(0.01, note(log, "never"))
    virtual.advance(1)
    other = rx.ContextScheduler(virtual)
    other.schedule_relative(0.01, note(log, "never"))
    virtual.close()
    other.end()
    assert log == []


def test_a_context_of_any_thread_is_refused():
    with mainstem.Context(threads="any") as context, pytest.raises(ValueError, match="one thread"):
        rx.ContextScheduler(context)


def test_it_goes_by_the_machines_clock_too(context):
    clock = rx.ContextScheduler(context)
    times = []
    reactivex.interval(0.002).pipe(op.take(3)).subscribe(
        lambda _: times.append(clock.now), scheduler=clock
    )
    begin = clock.now

    while len(times) < 3:
        context.wait()

    assert times[1] - times[0] == times[2] - times[1] == datetime.timedelta(milliseconds=2)
    assert begin < times[0] <= clock.now


def test_what_is_left_among_many_that_were_disposed_comes_in_order():
    agenda = Agenda()
    items = [Item(None, None) for _ in range(200)]
    for place, item in enumerate(items):
        item.due = 1000 - place // 2  # Two are due at each time.
        agenda.add(item)
    kept = [199, 198, 101, 100, 7, 0]
    for place in sorted(range(200), key=lambda place: place * 37 % 200):
        if place not in kept:
            assert not agenda.drop(items[place])

    assert not agenda.drop(items[3])
    assert [items.index(item) for item in agenda.due_by(901)] == [198, 199]
    assert [items.index(item) for item in agenda.due_by(949)] == []
    assert [items.index(item) for item in agenda.due_by(1000)] == [100, 101, 7, 0]
    assert agenda.first is None

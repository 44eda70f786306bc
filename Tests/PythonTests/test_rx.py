# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a context has as observables of reactivex, and where observables end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import mainstem
import pytest
import reactivex
from mainstem import Failure, MainstemError, Status, rx
from mainstem.testing import TestContext
from reactivex import operators as op
from reactivex.subject import Subject
from searching import Heard, Librarian, Looked, RequestSearch, ResponseSearch, Settled, Typed

MODULE = Path(mainstem.__file__).resolve().parents[1]


@pytest.fixture
def desk(context):
    made = Librarian()
    context.install(made)
    return made


class Room(mainstem.ViewModel):
    volume: int = mainstem.writable(3)

    @mainstem.shown
    def is_loud(self) -> bool:
        return self.volume > 5


# Sources


def test_events_of_a_class_are_observed_by_each_subscription_until_its_end(context):
    texts = rx.events(context, Typed).pipe(op.map(lambda typed: typed.text))
    before = context.stats().subscriptions
    heard = Heard(texts.pipe(op.take(2)))
    assert context.stats().subscriptions == before + 1

    for text in ["a", "b", "c"]:
        context.send(Typed(text))

    assert heard.all == ["a", "b", "completed"]
    assert context.stats().subscriptions == before


def test_events_by_name_are_events_and_may_be_those_of_one_scope(context):
    context.register(Typed)
    room = context.scope("Room")
    heard = Heard(rx.events(context, "Typed", of=room))

    context.send(Typed("elsewhere"))
    room.send(Typed("here"))

    assert [event.text for event in heard.all] == ["here"]
    heard.run.dispose()


def test_a_history_comes_first_unless_it_is_not_wanted(context):
    context.keep_history(Typed, 2)
    for text in ["a", "b", "c"]:
        context.send(Typed(text))

    late, new = (Heard(rx.events(context, Typed, history=history)) for history in (True, False))

    assert [typed.text for typed in late.all] == ["b", "c"]
    assert new.all == []


def test_a_value_of_a_scope_comes_first_then_each_change(context):
    context.add_type("Todo.title", str, role="value")
    context.add_type("Todo.tags", "json", role="value")
    todo = context.scope("Todo")
    todo.set("Todo.title", "milk")
    titles, tags = (Heard(rx.values(todo, name)) for name in ("title", "tags"))

    for title in ["milk", "oat milk"]:
        todo.set("Todo.title", title)
    todo.set("Todo.tags", '["food"]')

    assert titles.all == ["milk", "oat milk"]
    assert tags.all == [["food"]]
    titles.run.dispose()
    todo.set("Todo.title", "tea")
    assert titles.all == ["milk", "oat milk"]


def test_a_value_of_a_view_model_is_named_as_in_python(context):
    room = context.open(Room())
    view = room.bind()
    heard = [Heard(rx.values(owner, "is_loud")) for owner in (room, view)]

    view.volume = 9

    assert [each.all for each in heard] == [[False, True]] * 2
    (kind, error), *_ = Heard(rx.values(room, "is_lout")).all
    assert kind == "failed"
    assert str(error) == "Room shows no 'is_lout' (did you mean 'is_loud'?)"


def test_a_request_is_asked_by_each_subscription(context, desk):
    source = rx.request(context, RequestSearch("tea"), progress=Looked)
    assert desk.requests == []
    heard = Heard(source)
    other = Heard(rx.request(context, RequestSearch("ten")))

    for request in desk.requests:
        request.progress(Looked(2))
        request.respond(ResponseSearch(("leaf",)))
    context.drain()

    assert heard.all == [Looked(2), ResponseSearch(("leaf",)), "completed"]
    assert other.all == [ResponseSearch(("leaf",)), "completed"]
    assert desk.settled == 0


def test_a_53_after_its_answer_nothing_is_heard_of_a_request(context, desk):
    heard = Heard(rx.request(context, RequestSearch("tea"), progress=Looked))
    (request,) = desk.requests

    request.progress(Looked(1))
    request.respond(ResponseSearch(()))
    for late in (lambda: request.progress(Looked(2)), lambda: request.respond(Failure("LATE"))):
        with pytest.raises(MainstemError) as refused:
            late()
        assert refused.value.status == Status.STALE
    context.drain()

    assert heard.all == [Looked(1), ResponseSearch(()), "completed"]


def test_a_54_shared_three_subscriptions_ask_once_and_the_last_to_leave_cancels(context, desk):
    source = rx.request(context, RequestSearch("tea")).pipe(op.share())
    assert len(desk.requests) == 0
    heard = [Heard(source) for _ in range(3)]
    assert len(desk.requests) == 1

    heard[0].run.dispose()
    heard[2].run.dispose()
    assert desk.settled == 0
    heard[1].run.dispose()

    assert desk.settled == 1
    assert [each.all for each in heard] == [[], [], []]
    shared = [Heard(rx.request(context, RequestSearch("ten"), share=True)) for _ in range(2)]
    assert len(desk.requests) == 2
    for each in shared:
        each.run.dispose()
    assert desk.settled == 2


def test_a_request_that_is_disposed_of_is_cancelled_and_a_failure_fails(context, desk):
    Heard(rx.request(context, RequestSearch("tea"))).run.dispose()
    assert desk.settled == 1
    heard = Heard(rx.request(context, "RequestSearch", '{"text":"ten"}'))
    desk.requests[1].respond(Failure("CLOSED"))
    context.drain()

    assert heard.all == [("failed", Failure("CLOSED"))]


def test_an_answer_at_once_completes_at_once(context):
    context.serve(RequestSearch, lambda search: ResponseSearch((search.text,)), name="Library")

    heard = Heard(rx.request(context, RequestSearch("tea")).pipe(op.repeat(2)))

    assert heard.all == [ResponseSearch(("tea",))] * 2 + ["completed"]


def test_a_timeout_fails_with_the_request(desk, context):
    heard = Heard(rx.request(context, RequestSearch("tea"), timeout=0.001))
    context.wait()

    ((kind, error),) = heard.all
    assert (kind, type(error)) == ("failed", mainstem.RequestTimeout)
    assert desk.settled == 1


# Sinks


def test_a_sink_sends_each_value_and_leaves_nothing():
    with TestContext() as test:
        texts = rx.events(test, Typed).pipe(op.map(lambda typed: typed.text), op.take(2))
        rx.send(texts.pipe(op.map(Settled)), test)
        rx.send(texts.pipe(op.delay(0.5)), test, "Settled")
        test.send(Typed("a"))
        test.send(Typed("b"))
        test.advance(1)

        for text in ["a", "b"]:
            test.expect(Typed(text))
            test.expect(Settled(text))
        test.next("SignalAlarm")
        for text in ["a", "b"]:
            test.expect(Settled(text))


def test_a_sink_sets_a_value(context):
    context.add_type("Room.volume", int, role="value")
    room = context.scope("Room")
    numbers: Subject = Subject()
    lines = []
    context.observe("Room.volume", lambda event: lines.append(event.value))
    run = rx.set_value(numbers, room, "volume")

    for number in (3, 3, 4):
        numbers.on_next(number)
    assert lines == [3, 4]
    run.dispose()
    numbers.on_next(5)
    assert lines == [3, 4]


def test_a_refused_send_ends_a_sink(context):
    room = context.scope("Room")
    texts: Subject = Subject()
    lost = []
    rx.send(texts, room, failed=lost.append)
    rx.send(texts, room)
    room.end()

    with pytest.raises(MainstemError, match="STALE"):
        texts.on_next(Typed("a"))

    assert [error.status for error in lost] == [Status.STALE]
    texts.on_next(Typed("b"))
    assert len(lost) == 1
    assert texts.observers == []


def test_an_error_that_nobody_takes_is_reported(context, desk):
    rx.send(rx.request(context, RequestSearch("tea")), context)

    with pytest.raises(Failure, match="CLOSED"):
        desk.requests[0].respond(Failure("CLOSED"))
    assert context.stats().failures == 1


def test_a_request_that_is_given_up_is_nobodys_mistake(context, desk):
    rx.send(rx.request(context, RequestSearch("tea")), context)
    context.close()
    assert desk.settled == 1


# Without reactivex


def test_the_package_does_not_need_reactivex():
    program = (
        "import sys\n"
        "import mainstem, mainstem.testing\n"
        "assert not any(name.startswith(('reactivex', 'mainstem.rx')) for name in sys.modules)\n"
        "sys.modules['reactivex'] = None\n"
        "import mainstem.rx\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": str(MODULE), "MAINSTEM_LIBRARY": mainstem._library.LIBRARY_PATH},
        stderr=subprocess.PIPE,
        universal_newlines=True,
    )
    assert done.stderr.splitlines()[-1] == (
        "ModuleNotFoundError: mainstem.rx needs the package reactivex:"
        " install it with pip install 'mainstem[rx]'"
    )


def test_an_observable_of_another_kind_is_used_as_it_is(context):
    seen = []
    context.observe(Settled, lambda settled: seen.append(settled.text))

    rx.send(reactivex.of("a", "b").pipe(op.map(Settled)), context)

    assert seen == ["a", "b"]

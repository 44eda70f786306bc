# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Exceptions in callbacks: counted, reported once, never lost, never in C."""

from __future__ import annotations

import asyncio
import sys
import threading

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting, Said, Started
from mainstem import MainstemFailure
from mainstem._library import _interrupts
from mainstem.observers import _subscription as subscription


def broken(event):
    """An observer that fails."""
    raise ValueError("it broke")


def test_an_exception_goes_to_on_exception_with_its_event_and_the_others_get_theirs():
    caught, seen = [], []
    with mainstem.Context(on_exception=lambda e, event: caught.append((repr(e), event))) as context:
        context.observe(Said, broken)
        context.observe(Said, seen.append)
        context.send(Said("a"))
        context.send(Said("b"))
        assert context.stats().failures == 2

    assert caught == [("ValueError('it broke')", Said("a")), ("ValueError('it broke')", Said("b"))]
    assert seen == [Said("a"), Said("b")]


def test_by_default_it_is_unraisable_once_and_names_its_event(monkeypatch):
    reported = []
    monkeypatch.setattr(
        sys, "unraisablehook", lambda u: reported.append((u.exc_value, repr(u.object)))
    )
    with mainstem.Context() as context:
        context.observe(Said, broken)
        context.send(Said("a"))

    ((exception, name),) = reported
    assert repr(exception) == "ValueError('it broke')"
    assert "#1 Said a" in name


def test_a_failure_is_reported_on_the_stream_with_its_sentence():
    reports = []
    with mainstem.Context(on_exception=lambda e, event: None) as context:
        context.observe(MainstemFailure, reports.append)
        context.observe(Said, broken)
        for _ in range(9):
            context.send(Said("a"))

        assert [report.count for report in reports] == [1, 2, 4, 8]
        assert reports[0].message == "ValueError('it broke')"
        assert (reports[0].code, reports[0].cause) == (1000, 1)
        assert reports[0].event.name == "MainstemFailure"


def test_a_context_that_raises_raises_it_from_the_call_that_ran_the_callback(context):
    context.observe(Said, broken)

    with pytest.raises(ValueError, match="it broke"):
        context.send(Said("a"))
    context.post(Said("b"))
    with pytest.raises(ValueError, match="it broke"):
        context.drain()
    context.send(Started())


def test_a_context_that_raises_raises_from_close_what_close_ran():
    context = mainstem.Context(raises=True)
    context.observe(Said, broken)
    context.post(Said("b"))

    with pytest.raises(ValueError, match="it broke"):
        context.close()
    assert context.closed


def test_it_is_not_raised_inside_another_callback(context):
    log = []

    def send_more(event):
        context.send(Started())
        log.append("went on")

    context.observe(Said, broken)
    context.observe(Said, send_more)
    with pytest.raises(ValueError, match="it broke"):
        context.send(Said("a"))

    assert log == ["went on"]


def test_a_keyboard_interrupt_in_a_callback_comes_out_of_the_call():
    seen = []

    def interrupted(event):
        raise KeyboardInterrupt

    with mainstem.Context() as context:
        context.observe(Said, interrupted)
        context.observe(Said, seen.append)
        with pytest.raises(KeyboardInterrupt):
            context.send(Said("a"))
        # It is about the program: the stream does not tell of it.
        assert context.stats().failures == 0

    assert seen == [Said("a")]


def test_an_interrupt_between_our_own_lines_comes_out_of_the_call_too(monkeypatch):
    real, strikes = subscription.Event, [KeyboardInterrupt]

    def interrupted(scope, address):
        if strikes:
            raise strikes.pop()
        return real(scope, address)

    monkeypatch.setattr(subscription, "Event", interrupted)
    seen = []
    with mainstem.Context() as context:
        context.observe(Said, seen.append)
        with pytest.raises(KeyboardInterrupt):
            context.send(Said("a"))
        context.send(Said("b"))
        assert context.stats().failures == 1

    assert seen == [Said("b")]


def test_an_interrupt_before_the_first_line_of_a_callback_comes_out_too(monkeypatch):
    def strike(frame, what, argument):
        if frame.f_code.co_name == "on_event":
            sys.settrace(None)
            raise KeyboardInterrupt

    # As when the module was imported: pytest has put its own in the place.
    monkeypatch.setattr(sys, "unraisablehook", _interrupts._listen)
    with mainstem.Context() as context:
        context.observe(Said, lambda event: None)
        before = sys.gettrace()
        sys.settrace(strike)
        try:
            with pytest.raises(KeyboardInterrupt):
                context.send(Said("a"))
        finally:
            sys.settrace(before)
        context.send(Said("b"))


def test_an_interrupt_where_a_callback_ends_leaves_the_context_outside_of_it():
    strikes = [KeyboardInterrupt]

    class Running:
        depth = property(lambda self: self.kept, lambda self, depth: self.set(depth))
        kept = 0

        def set(self, depth):
            if depth < self.kept and strikes:
                raise strikes.pop()
            self.kept = depth

    with mainstem.Context() as context:
        context.thrown.running = Running()
        context.observe(Said, lambda event: None)
        with pytest.raises(KeyboardInterrupt):
            context.send(Said("a"))
        assert not context.thrown.inside()


def test_no_other_thread_takes_the_interrupt_of_the_main_thread_away():
    with mainstem.Context(threads="any") as context:

        def interrupted(event):
            raise KeyboardInterrupt

        context.register(Started)
        context.observe(Said, interrupted)
        context.observe(Said, lambda event: other.start() or other.join(30))
        other = threading.Thread(target=context.send, args=(Started(),))
        with pytest.raises(KeyboardInterrupt):
            context.send(Said("a"))


def test_a_system_exit_in_a_callback_comes_out_of_the_call():
    caught, seen = [], []
    with mainstem.Context(on_exception=lambda e, event: caught.append(e)) as context:
        context.observe(Said, lambda event: sys.exit(3))
        context.observe(Said, seen.append)
        with pytest.raises(SystemExit) as exited:
            context.send(Said("a"))
        assert context.stats().failures == 1
        context.post(Said("b"))
        with pytest.raises(SystemExit):
            context.drain()
        context.send(Started())

    assert exited.value.code == 3
    assert (caught, seen) == ([], [Said("a"), Said("b")])


def test_a_system_exit_in_a_handler_and_in_a_completion_comes_out_of_the_request():
    with mainstem.Context() as context:
        context.serve(RequestGreet, lambda request: sys.exit(3), name="Leaves")
        with pytest.raises(SystemExit):
            context.request(RequestGreet("Ada"))
        answers = []

        def leave(failure):
            answers.append(failure.code)
            sys.exit(4)

        with pytest.raises(SystemExit) as exited:
            context.request(RequestGreet("Ada"), then=print, failed=leave)

    # The handler's comes first.
    assert (exited.value.code, answers) == (3, [1000])


def test_a_system_exit_on_the_thread_that_sends_ends_that_thread():
    log = []

    def send_and_go_on(context):
        try:
            context.send(Said("a"))
        except SystemExit as ended:
            log.append(ended.code)
            return
        log.append("went on")

    with mainstem.Context(threads="any") as context:
        context.register(Said)
        context.observe(Said, lambda event: sys.exit(5))
        other = threading.Thread(target=send_and_go_on, args=(context,))
        other.start()
        other.join()
        context.send(Started())

    assert log == [5]


def test_a_system_exit_on_the_thread_of_a_scheduler_is_reported_and_ends_nothing():
    caught = []
    with mainstem.Context(threads="any", on_exception=lambda e, event: caught.append(e)) as context:
        serial = context.serial("Beside")
        seen = threading.Semaphore(0)
        context.observe(Said, lambda event: sys.exit(6), on=serial)
        context.observe(Said, lambda event: seen.release(), on=serial)
        for word in "ab":
            context.send(Said(word))
            seen.acquire()

    assert [(type(each), each.code) for each in caught] == [(SystemExit, 6)] * 2


def test_a_call_that_is_refused_raises_what_a_callback_threw_first():
    def interrupted(event):
        raise KeyboardInterrupt

    with mainstem.Context() as context:
        context.observe(Said, interrupted)
        with pytest.raises(KeyboardInterrupt):
            context.send_many([("Said", '{"words":"a"}'), ("Said", b"\xff")])
        context.send(Started())


class Unprintable(Exception):
    """Cannot even be told."""

    def __repr__(self):
        raise RuntimeError("no repr")


THROWN = {
    "no repr": Unprintable,
    "no sentence": lambda: mainstem.Failure(None),
    "half a pair": lambda: mainstem.Failure("\ud800", user_message="\ud800", subject="\0"),
    "too long": lambda: ValueError("x" * 100_000),
    "the code of success": lambda: mainstem.Failure("x", code=0),
    "a code of 41 bits": lambda: mainstem.Failure("x", code=1 << 40),
}


@pytest.mark.parametrize("name", THROWN)
@pytest.mark.parametrize("where", ["handler", "async handler", "another thread"])
def test_whatever_a_handler_throws_whoever_asked_gets_an_answer(name, where):
    def greet(request):
        raise THROWN[name]()

    async def greet_later(request):
        raise THROWN[name]()

    async def main():
        async with mainstem.Context(on_exception=lambda e, event: None) as looped:
            looped.serve(RequestGreet, greet_later)
            with pytest.raises(mainstem.Failure):
                await looped.request(RequestGreet("Ada"))

    if where == "async handler":
        asyncio.run(main())
        return
    limits = mainstem.Limits(payload=1000)
    any_thread = mainstem.Context(threads="any", limits=limits, on_exception=lambda e, event: None)
    with any_thread as context:
        context.serve(RequestGreet, greet)
        failures = []

        def ask():
            with pytest.raises(mainstem.Failure) as failed:
                context.request(RequestGreet("Ada"))
            failures.append(failed.value)

        other = threading.Thread(target=ask if where == "another thread" else lambda: None)
        other.start()
        other.join()
        if where == "handler":
            ask()
    assert len(failures) == 1


def test_an_on_exception_that_fails_itself_is_unraisable(monkeypatch):
    reported = []
    monkeypatch.setattr(sys, "unraisablehook", lambda u: reported.append(repr(u.exc_value)))

    def worse(exception, event):
        raise RuntimeError("worse")

    with mainstem.Context(on_exception=worse) as context:
        context.observe(Said, broken)
        context.send(Said("a"))

    assert reported == ["RuntimeError('worse')"]


def test_a_handler_that_raises_answers_with_an_error_and_is_reported():
    caught, reports = [], []
    with mainstem.Context(on_exception=lambda e, event: caught.append((e, event))) as context:
        context.observe(MainstemFailure, reports.append)

        @context.serve(RequestGreet)
        def greet(request):
            return {}["nothing"]

        with pytest.raises(mainstem.Failure) as raised:
            context.request(RequestGreet("Ada"))
        assert context.stats().failures == 1
        assert [report.message for report in reports] == ["KeyError('nothing')"]

    assert (raised.value.code, raised.value.message) == (1000, "KeyError('nothing')")
    assert [(repr(e), event) for e, event in caught] == [
        ("KeyError('nothing')", RequestGreet("Ada"))
    ]


def test_a_failure_that_a_handler_raises_is_an_answer_and_no_failed_callback(context):
    @context.serve(RequestGreet)
    def greet(request):
        raise mainstem.Failure("NO_NAME")

    with pytest.raises(mainstem.Failure, match="NO_NAME"):
        context.request(RequestGreet(""))
    assert context.stats().failures == 0
    assert issubclass(ResponseGreeting, mainstem.Response)


def test_a_sentence_with_a_zero_byte_or_a_surrogate_arrives_whole():
    with mainstem.Context(on_exception=lambda e, event: None) as context:
        reports = []
        context.observe(MainstemFailure, reports.append)

        def fail(event):
            raise mainstem.Failure(event.words and "a\0b" or "\ud800")

        @context.serve(RequestGreet)
        def greet(request):
            raise mainstem.Failure("a\0b \ud800")

        context.observe(Said, fail)
        context.send(Said("a"))
        context.send(Said(""))
        with pytest.raises(mainstem.Failure) as raised:
            context.request(RequestGreet("x"))

    assert [report.message for report in reports] == ["a\\0b", "?"]
    assert raised.value.message == "a\\0b ?"

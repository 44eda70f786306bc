# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 11 with observables: what they send inside callbacks is output, and verifies."""

from __future__ import annotations

from typing import Any, Callable, List

import mainstem
import pytest
import reactivex
from mainstem import Failure, rx
from reactivex import operators as op
from searching import Looked, RequestSearch, ResponseSearch, Settled, Typed

#: What a program holds on to.
Kept = List[Any]


def library(context: mainstem.Context) -> None:
    tries = {}

    def search(request: RequestSearch) -> ResponseSearch:
        count = tries[request.text] = tries.get(request.text, 0) + 1
        if count == 1:
            raise Failure("CLOSED")
        return ResponseSearch((request.text, str(context.random() % 100)))

    context.serve(RequestSearch, search, name="Library")


def program(context: mainstem.Context, quiet: float = 0.005) -> Kept:
    """Debounces, asks, waits, asks again, flattens what is there at once, and ticks."""
    library(context)
    texts = rx.events(context, Typed).pipe(op.map(lambda typed: typed.text))

    def ask(text: str) -> Any:
        asked = rx.request(context, RequestSearch(text))
        later = reactivex.timer(0.003).pipe(op.flat_map(asked))
        return asked.pipe(
            op.catch(lambda *_: later), op.flat_map(lambda answer: reactivex.from_(answer.found))
        )

    searched = texts.pipe(op.debounce(quiet), op.map(ask), op.switch_latest())
    waiting = texts.pipe(op.delay(0.002), op.map(lambda text: f"{text}?"))
    ticks = reactivex.interval(0.004).pipe(op.take(3), op.map(Looked))
    return [
        rx.send(searched.pipe(op.merge(waiting), op.map(Settled)), context),
        rx.send(ticks, context),
    ]


def views(context: mainstem.Context) -> Kept:
    """What a session has beside its program: it is not there when it is verified."""
    clock = rx.ContextScheduler(context)
    shown: Kept = []
    view = rx.events(context, Settled).pipe(op.throttle_first(0.001), op.delay(0.001))
    return [clock, shown, view.subscribe(shown.append, scheduler=clock)]


def by_the_machine(context: mainstem.Context, seconds: float) -> None:
    begun = context.now()
    while context.now() - begun < seconds:
        context.wait(0.001)


def by_hand(context: mainstem.Context, seconds: float) -> None:
    context.advance(seconds)


def play(context: mainstem.Context, go_on: Callable[[mainstem.Context, float], None]) -> None:
    kept = views(context)
    for text in ["T", "Te"]:
        context.send(Typed(text))
        go_on(context, 0.002)
    # Sent inside an action of reactivex, which waits until the callbacks are done.
    reactivex.of("Tea", "Tea for").pipe(op.map(Typed)).subscribe(context.send)
    go_on(context, 0.02)
    context.send(Typed("Two"))
    kept[-1].dispose()
    go_on(context, 0.02)


@pytest.mark.parametrize("clock, go_on", [("virtual", by_hand), ("monotonic", by_the_machine)])
def test_a_session_with_observables_verifies(tmp_path: Any, clock: Any, go_on: Any) -> None:
    path, lines = str(tmp_path / "session.journal"), []
    with mainstem.Context(clock=clock, raises=True) as context:
        if clock == "virtual":
            context.advance(500)
        context.record(path)
        context.observe(lambda event: lines.append(str(event)))
        kept = program(context)
        play(context, go_on)
        last = context.stats().events
        for run in kept:
            run.dispose()
    assert sum(" Looked " in line for line in lines) == 3
    assert any("Settled" in line and "Tea for" in line for line in lines)
    assert any("ResponseSearch" in line and "CLOSED" in line for line in lines)

    # Where it is verified, it is earlier or later; the machine's clock is later.
    for begin in (0, 1000):
        again: List[str] = []
        with mainstem.Context(clock="virtual", raises=True) as context:
            context.advance(begin)
            with context.replay(path, verify=True) as replay:
                context.observe(lambda event, again=again: again.append(str(event)))
                kept = program(context)
                replay.to_end()
                assert replay.info.verified_until == replay.info.last == last
                assert replay.info.matched > 10
        assert again == lines


def test_a_chain_that_has_changed_differs(tmp_path: Any) -> None:
    path = str(tmp_path / "session.journal")
    with mainstem.Context(clock="virtual") as context:
        context.record(path)
        kept = program(context)
        play(context, by_hand)
    with mainstem.Context(clock="virtual") as context, context.replay(path, verify=True) as replay:
        kept = program(context, quiet=0.001)
        with pytest.raises(mainstem.Different):
            replay.to_end()
    assert len(kept) == 2


def test_a_chain_that_a_callback_starts_verifies(tmp_path: Any) -> None:
    """Its scheduler is made inside the callback, and is found again by its scope's number."""
    path = str(tmp_path / "session.journal")

    def install(context: mainstem.Context) -> None:
        @context.observe(Typed)
        def typed(typed: Typed) -> None:
            late = reactivex.timer(len(typed.text) * 0.01).pipe(op.map(lambda _: typed.text))
            rx.send(late, context, "Settled")

    with mainstem.Context(clock="virtual", raises=True) as context:
        context.record(path)
        context.register(Settled)
        install(context)
        settled: List[str] = []
        context.observe(Settled, lambda event: settled.append(event.text))
        for text in ["late", "on"]:
            context.send(Typed(text))
        context.advance(1)
        assert settled == ["on", "late"]
        assert context.stats().subscriptions == 2
    with mainstem.Context() as context, context.replay(path, verify=True) as replay:
        context.register(Settled)
        install(context)
        replay.to_end()
        assert replay.info.verified_until == replay.info.last == 6


def test_what_other_threads_schedule_is_not_in_the_journal(tmp_path: Any) -> None:
    """What a thread brings is an input if it posts it; the chain observes that."""
    path = str(tmp_path / "session.journal")
    with mainstem.Context(clock="virtual") as context:
        context.record(path)
        install_upper(context)
        context.post(Typed("a"))
        context.drain()
    with mainstem.Context(clock="virtual") as context, context.replay(path, verify=True) as replay:
        install_upper(context)
        replay.to_end()
        assert (replay.info.matched, replay.info.last) == (1, 2)


def install_upper(context: mainstem.Context) -> Any:
    context.register(Typed, Settled)
    texts = rx.events(context, Typed).pipe(op.map(lambda typed: typed.text.upper()))
    return rx.send(texts.pipe(op.map(Settled)), context)

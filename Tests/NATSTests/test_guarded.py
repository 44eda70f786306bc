# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Bridges of guarded contexts: any thread uses them, one at a time. The bridge's own threads call
nobody: every callback runs on the thread that is in."""

from __future__ import annotations

import contextlib
import threading

import mainstem
import pytest
from asking import PATIENCE, Asked, RequestTotal, ResponseTotal, Step, context, until
from imported import expect_same
from importing import WAIT, in_a_thread, mirror, record, ticks
from mainstem import Status, nats


class Strand:
    """What a host has for a guarded context: one thread at a time is in."""

    def __init__(self):
        self._lock, self._owner, self.strangers = threading.Lock(), None, []

    def __enter__(self):
        self._lock.acquire()
        self._owner = threading.get_ident()

    def __exit__(self, *exception):
        self._owner = None
        self._lock.release()

    def look(self):
        """Notes a callback of a thread that is not in."""
        if threading.get_ident() != self._owner:
            self.strangers.append(threading.current_thread().name)


@pytest.fixture
def strand():
    return Strand()


def work_in_turns(work, strand, *contexts):
    """Three threads do it; three more drain."""
    is_over = threading.Event()

    def drain():
        while not is_over.is_set():
            with strand:
                for each in contexts:
                    each.drain()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    drains = [threading.Thread(target=drain) for _ in range(3)]
    for thread in threads + drains:
        thread.start()
    for thread in threads:
        thread.join()
    is_over.set()
    for thread in drains:
        thread.join()


@pytest.mark.parametrize("on", ["host", "serial"])
def test_threads_take_turns_in_asking_and_answering(server, strand, on):
    here, there = context(threads="guarded"), context(threads="guarded")

    def handle(request):
        strand.look()
        request.event.progress(Step(1))
        return ResponseTotal(request.what)

    there.serve(RequestTotal, handle)
    place = here.serial("asking") if on == "serial" else "host"
    asked, steps = [], []

    def ask(number):
        for turn in range(100):
            answered = threading.Event()

            def note(answer, answered=answered):
                strand.look()
                asked.append(answer)
                answered.set()

            def step(event):
                strand.look()
                steps.append(event)

            with strand:
                what = RequestTotal(b"%d %d" % (number, turn))
                pending = here.request(what, then=note, failed=note, progress=step)
                if turn % 7 == 0:
                    pending.cancel()
            assert answered.wait(PATIENCE)

    with here, there, nats.serve(there, RequestTotal, server.url) as serving, nats.forward(
        here, RequestTotal, server.url, on=place
    ) as forward:
        serving.flush(PATIENCE)
        forward.flush(PATIENCE)
        work_in_turns(ask, strand, here, there)
        assert len(asked) == 300 and len(steps) >= 255
        assert sum(isinstance(each, ResponseTotal) for each in asked) == 255
        assert here.first_error() is None and there.first_error() is None
    assert strand.strangers == []


def test_close_from_outside_is_heard_on_both_sides(server, strand):
    """On another thread than the one that began them."""
    for side in ("forward", "serving"):
        here, there = context(threads="guarded"), context(threads="guarded")
        kept = []

        def keep(request, kept=kept):
            strand.look()
            kept.append(request.event.retain())
            return mainstem.LATER

        there.serve(RequestTotal, keep)
        with here, there:
            bridges = {
                "serving": nats.serve(there, RequestTotal, server.url),
                "forward": nats.forward(here, RequestTotal, server.url),
            }
            bridges["serving"].flush(PATIENCE)
            with strand:
                asked = [Asked(here, RequestTotal(b"%d" % number)) for number in range(10)]
                until(lambda kept=kept: len(kept) == 10, here, there)

            def close(bridge=bridges[side]):
                with strand:
                    bridge.close()

            in_a_thread(close)
            with strand:
                until(lambda asked=asked: all(each.answers for each in asked), here, there)
                assert {each.failure.status for each in asked} == {Status.CANCELLED}
                for bridge in bridges.values():
                    bridge.close()
    assert strand.strangers == []


@pytest.mark.parametrize("side", ["forward", "serving"])
@pytest.mark.parametrize("place", ["handler", "answer"])
def test_close_from_inside(server, strand, side, place):
    """In a handler that serves, and in what hears the answer."""
    here, there = context(threads="guarded"), context(threads="guarded")
    bridges, answers = {}, []

    def handle(request):
        strand.look()
        if place == "handler":
            bridges[side].close()
        return ResponseTotal(request.what)

    def note(answer):
        strand.look()
        if place == "answer":
            bridges[side].close()
        answers.append(answer)

    there.serve(RequestTotal, handle)
    with here, there, strand:
        bridges["serving"] = nats.serve(there, RequestTotal, server.url)
        bridges["forward"] = nats.forward(here, RequestTotal, server.url)
        bridges["serving"].flush(PATIENCE)
        here.request(RequestTotal(b"x"), then=note, failed=note)
        until(lambda: answers, here, there)
        (answer,) = answers
        if place == "answer":
            assert answer == ResponseTotal(b"x")
        else:
            assert answer.status == Status.CANCELLED
        for bridge in bridges.values():
            bridge.close()
        for each in (here, there):
            each.drain()
            assert each.stats().scopes == (1 if each is there else 0), each.stats()
    assert strand.strangers == []


def test_an_import_into_a_guarded_context(server, strand, tmp_path):
    """It begins, is drained, flushed and closed on threads that take turns."""
    record(tmp_path / "one", ticks(5000))
    mirror(tmp_path / "one", server, "all")
    bridges = []
    with mainstem.Context(threads="guarded") as own:
        own.record(tmp_path / "own")
        own.add_type("Tick", int)
        own.observe("Tick")(lambda event: strand.look())

        def begin():
            with strand:
                bridges.append(
                    nats.import_stream(
                        own, "all", ["Tick"], server.url, journal=tmp_path / "own", window=100
                    )
                )

        def wait(number):
            while bridges[0].stats.entries < 4000:
                with strand, contextlib.suppress(mainstem.MainstemError):
                    bridges[0].flush(0)

        in_a_thread(begin)
        work_in_turns(wait, strand, own)

        def finish():
            with strand:
                bridges[0].flush(WAIT)
                bridges[0].close()

        in_a_thread(finish)
        assert own.first_error() is None
    assert expect_same(tmp_path / "one", tmp_path / "own", "all") == 5000
    assert strand.strangers == []

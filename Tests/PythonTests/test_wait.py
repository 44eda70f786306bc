# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Waiting on the main thread beside signals."""

from __future__ import annotations

import gc
import os
import signal
import threading

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting, Said
from mainstem._library import _interrupts as _bell
from mainstem.servers import _requests as asking


@pytest.fixture
def listener():
    """A descriptor that heard of signals before, as a loop's does; and SIGUSR1 with a handler."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    os.set_blocking(writer, False)
    struck = []
    handler = signal.signal(signal.SIGUSR1, lambda *_: struck.append("handled"))
    before = signal.set_wakeup_fd(writer)
    yield reader, writer, struck
    assert signal.set_wakeup_fd(before) == writer
    signal.signal(signal.SIGUSR1, handler)
    os.close(reader)
    os.close(writer)


class Struck:
    """The library; a signal arrives between Python's last line and the first wait."""

    def __init__(self, before_wait):
        self.before_wait = before_wait
        self.waits = 0

    def __getattr__(self, name):
        return getattr(mainstem._library.C, name)

    def mainstem_wait_interruptible(self, handle, timeout, descriptor):
        self.waits += 1
        self.before_wait(self.waits)
        return mainstem._library.C.mainstem_wait_interruptible(handle, timeout, descriptor)


def test_a_signal_just_before_the_wait_ends_it(monkeypatch, listener):
    reader, _, _ = listener
    context = mainstem.Context()

    def strike(wait):
        if wait == 1:
            # What the interpreter does at once; the handler in Python has to wait for its turn.
            os.write(_bell.bell().writer, bytes([signal.SIGUSR1]))
        else:
            context.post(Said("a"))

    library = Struck(strike)
    monkeypatch.setattr(asking, "C", library)

    assert context.wait(timeout=30)
    assert library.waits == 2
    assert os.read(reader, 10) == bytes([signal.SIGUSR1])
    context.close()


@pytest.mark.parametrize("threads", ["one", "any"])
def test_a_signal_just_before_a_request_waits_does_not_end_the_request(
    monkeypatch, listener, threads
):
    with mainstem.Context(threads=threads) as context:
        kept = []

        def later(request):
            kept.append(request.event.retain())
            return mainstem.LATER

        context.serve(RequestGreet, later, name="Later")

        def strike(wait):
            if wait == 1:
                os.write(_bell.bell().writer, bytes([signal.SIGUSR1]))
                return
            thread = threading.Thread(target=kept[0].respond, args=(ResponseGreeting("Hi"),))
            thread.start()
            thread.join()

        library = Struck(strike)
        monkeypatch.setattr(asking, "C", library)

        assert context.request(RequestGreet("Ada"), timeout=30) == ResponseGreeting("Hi")
        assert library.waits == 2
        kept[0].release()


def test_a_handler_that_returns_does_not_end_a_wait(listener):
    reader, _, struck = listener
    context = mainstem.Context()
    seen = []
    context.observe(Said, seen.append)

    def kill_and_post():
        signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)
        while not struck:
            pass
        context.post(Said("a"))

    thread = threading.Thread(target=kill_and_post)
    thread.start()
    assert context.wait(timeout=30)
    thread.join()

    assert (seen, struck) == ([Said("a")], ["handled"])
    assert os.read(reader, 10) == bytes([signal.SIGUSR1])
    context.close()


def test_where_there_are_no_signals_a_wait_is_a_wait(monkeypatch):
    """A subinterpreter's main thread may not ask for them."""

    def refuse(*arguments, **options):
        raise ValueError("only works in main thread of the main interpreter")

    with mainstem.Context() as context:
        context.observe(Said, lambda event: None)
        thread = threading.Thread(target=context.post, args=(Said("a"),))
        monkeypatch.setattr(signal, "set_wakeup_fd", refuse)
        assert not context.wait(timeout=0.001)
        thread.start()
        assert context.wait(timeout=30)
        thread.join()


def test_a_listener_that_was_closed_meanwhile_is_forgotten(monkeypatch):
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = signal.set_wakeup_fd(writer)
    context = mainstem.Context()

    def close(wait):
        os.close(reader)
        os.close(writer)

    monkeypatch.setattr(asking, "C", Struck(close))
    assert not context.wait(timeout=0.001)
    assert signal.set_wakeup_fd(before) == -1
    context.close()


def test_a_wait_inside_a_wait_leaves_the_outer_one_listening(monkeypatch, listener):
    outer, inner = mainstem.Context(), mainstem.Context()
    outer.observe(Said, lambda event: inner.wait(timeout=0.001))

    def strike(wait):
        if wait == 1:
            outer.post(Said("a"))

    library = Struck(strike)
    monkeypatch.setattr(asking, "C", library)

    assert outer.wait(timeout=30)
    assert library.waits == 2
    inner.close()
    outer.close()


def test_an_interrupt_before_there_is_a_pipe_leaves_nothing_to_close(monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    unraisable = []
    monkeypatch.setattr("sys.unraisablehook", unraisable.append)
    with monkeypatch.context() as patched:
        patched.setattr(os, "pipe", interrupted)
        with pytest.raises(KeyboardInterrupt):
            _bell.Bell()
    gc.collect()

    assert unraisable == []

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C at any place: nobody waits for ever for what it cut short.

Each program sends itself SIGINT at each line of the library's Python, one line a round, until a
round has no such line: some hundred rounds. A program that hangs is ended by its time-out.
"""

from __future__ import annotations

import os
import signal
import sys
import threading

import pytest
from interpreter import child, is_asleep

BEGIN = """\
import sys, threading, asyncio
import mainstem
from greeting import RequestGreet, ResponseGreeting, Said
from struck import Strikes

rounds = 0
"""

#: Asks on the main thread, which runs the handler and the completion.
REQUEST = """\
for threads in ("one", "any"):
    with mainstem.Context(threads=threads) as context:
        context.serve(RequestGreet, lambda request: ResponseGreeting("Hi " + request.name))
        context.request(RequestGreet("first"))
        for strike in Strikes():
            rounds += 1
            try:
                with strike:
                    context.request(RequestGreet("Ada"), timeout=3600)
            except KeyboardInterrupt:
                pass
            except mainstem.Failure as failure:
                assert "nterrupt" in str(failure), failure
            assert context.request(RequestGreet("Bo")) == ResponseGreeting("Hi Bo")
            assert not context.thrown.inside()
"""

#: The main thread answers what another one waits for: it runs the completion, and is struck.
ANSWER = """\
with mainstem.Context(threads="any") as context:
    kept, asked, answers = [], threading.Semaphore(0), []

    def later(request):
        kept.append(request.event.retain())
        asked.release()
        return mainstem.LATER

    def ask():
        try:
            answers.append(context.request(RequestGreet("Ada")))
        except mainstem.MainstemError as error:
            answers.append(error)

    context.register(RequestGreet)
    context.serve(RequestGreet, later, name="Later")
    for strike in Strikes():
        rounds += 1
        other = threading.Thread(target=ask)
        other.start()
        asked.acquire()
        # Until the other one waits: it asks, and is not the one that delivers any more.
        context.flush()
        is_answered = False
        with strike:
            while not is_answered:
                try:
                    kept[-1].respond(ResponseGreeting("Hi"))
                    is_answered = True
                except KeyboardInterrupt:
                    pass
                except mainstem.MainstemError as error:
                    assert error.status == mainstem.Status.STALE, error
                    is_answered = True
        other.join()
        kept.pop().release()
        assert answers.pop() == ResponseGreeting("Hi")
"""

#: The main thread handles what another one asks.
HANDLE = """\
with mainstem.Context(threads="any", deliver="host") as context:
    answers, sent = [], threading.Semaphore(0)
    context.register(RequestGreet)
    context.serve(RequestGreet, lambda request: ResponseGreeting("Hi"), name="Greeter")

    def answered(answer):
        answers.append(answer)

    for strike in Strikes():
        rounds += 1
        pending = context.request(RequestGreet("Ada"), then=answered)
        with strike:
            while not pending.answered:
                try:
                    context.wait()
                except KeyboardInterrupt:
                    pass
        context.drain()
"""

#: Coroutines on a loop that the program runs again after each interrupt.
LOOP = """\
async def begin():
    context = await mainstem.Context(threads=threads).__aenter__()
    context.serve(RequestGreet, greet)
    return context

async def greet(request):
    await asyncio.sleep(0)
    return ResponseGreeting("Hi")

async def take(events):
    return await events.__anext__()

def until(awaitable):
    task = asyncio.ensure_future(awaitable, loop=loop)
    while True:
        try:
            return loop.run_until_complete(task)
        except KeyboardInterrupt:
            if not task.done() or task.cancelled():
                continue
            if isinstance(task.exception(), KeyboardInterrupt):
                return None

for threads in ("one", "any"):
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    context = loop.run_until_complete(begin())
    events = context.events(Said)
    for strike in Strikes():
        rounds += 1
        answer = None
        with strike:
            try:
                answer = context.request(RequestGreet("Ada"))
            except KeyboardInterrupt:
                pass
            if answer is not None:
                try:
                    until(answer)
                except mainstem.Failure as failure:
                    assert "nterrupt" in str(failure), failure
            taken = loop.create_task(take(events))
            number = "%d" % rounds
            while not taken.done():
                try:
                    loop.run_until_complete(asyncio.sleep(0))
                    context.send(Said(number))
                    until(taken)
                except KeyboardInterrupt:
                    pass
            if taken.exception() is not None:
                assert isinstance(taken.exception(), KeyboardInterrupt)
        while events._waiting:
            events._waiting.popleft()
    for number in range(200):
        context.send(Said("%d" % number))
        assert loop.run_until_complete(take(events)).words == "%d" % number
    loop.run_until_complete(context.__aexit__())
    loop.close()
"""

END = "print(rounds, 'rounds')\n"
PROGRAMS = {"request": REQUEST, "answer": ANSWER, "handle": HANDLE}
# Python 3.11 itself crashes where a trace function raises in a coroutine.
if sys.version_info[:2] != (3, 11):
    PROGRAMS["loop"] = LOOP


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_interrupt_at_any_line_leaves_nobody_waiting(program):
    process = child(BEGIN + PROGRAMS[program] + END)
    try:
        told, errors = process.communicate(timeout=60)
    finally:
        process.kill()

    assert process.returncode == 0, errors[-3000:]
    assert int(told.split()[0]) > 20


SIGNALS = """\
import signal, sys
import mainstem
from greeting import RequestGreet, ResponseGreeting

armed = False

def strike(*_):
    global armed
    if armed:
        armed = False
        raise KeyboardInterrupt

signal.signal(signal.SIGINT, strike)
with mainstem.Context(threads=sys.argv[1]) as context:
    context.serve(RequestGreet, lambda request: ResponseGreeting("Hi"))
    for number in range(400):
        try:
            armed = True
            print(number, flush=True)
            while True:
                try:
                    context.request(RequestGreet("Ada"))
                except mainstem.Failure as failure:
                    assert "nterrupt" in str(failure), failure
        except KeyboardInterrupt:
            pass
print("done", flush=True)
"""


@pytest.mark.parametrize("threads", ["one", "any"])
def test_hundreds_of_signals_from_outside_leave_nobody_waiting(threads):
    process = child(SIGNALS, threads)
    last = ""
    end = threading.Timer(60, process.kill)
    end.start()
    try:
        for line in process.stdout:
            last = line
            if line != "done\n":
                process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        end.cancel()
        process.kill()

    assert last == "done\n", errors[-3000:]


#: The third event waits for room until the observer, which has the first, goes on.
BLOCKED = """\
import sys, threading
import mainstem
from greeting import Said

entered, go_on, ended, heard = threading.Event(), threading.Event(), threading.Event(), []

def slow(said):
    heard.append(said.words)
    entered.set()
    go_on.wait()
    if said.words == "four":
        ended.set()

def until_told():
    with open(sys.argv[1]) as pipe:
        pipe.read()
    go_on.set()

with mainstem.Context() as context:
    context.observe(Said, slow, on=context.serial("slow"), policy="block", limit=1)
    context.send(Said("one"))
    entered.wait()
    context.send(Said("two"))
    threading.Thread(target=until_told).start()
    try:
        print("full", flush=True)
        context.send(Said("three"))
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    context.send(Said("four"))
    ended.wait()
print(*heard, flush=True)
"""


def test_control_c_while_a_send_waits_for_room_is_raised_and_nothing_is_sent_twice(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    process = child(BLOCKED, str(pipe))
    try:
        assert process.stdout.readline() == "full\n"
        while not is_asleep(process.pid):
            os.sched_yield()
        process.send_signal(signal.SIGINT)
        pipe.write_text("go on")
        told, errors = process.communicate(timeout=60)
    finally:
        process.kill()

    # The second, if the signal came before it waited.
    asked = ("interrupted\none two three four\n", "interrupted\none two four\n")
    assert told in asked, errors[-3000:]

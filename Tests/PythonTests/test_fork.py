# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""After a fork: what came from the parent is FORKED, contexts of the child's own work, no hang."""

from __future__ import annotations

import multiprocessing
import os
import signal

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting, Said
from interpreter import child
from mainstem import MainstemError, Status

FORK = multiprocessing.get_context("fork")


def refused(call):
    """The status that a call is refused with."""
    with pytest.raises(MainstemError) as raised:
        call()
    return raised.value.status


def live_anew():
    """What a context of this process' own sees and answers."""
    with mainstem.Context() as own:
        seen = []
        own.observe(Said, lambda said: seen.append(said.words))
        own.serve(RequestGreet, lambda request: ResponseGreeting(request.name.upper()))
        own.send(Said("a"))
        own.post(Said("b"))
        assert own.wait(10)
        return [*seen, own.request(RequestGreet("c")).text]


def in_worker(pipe, context, subscription, seen):
    """Runs in the child: a hang ends by the alarm, which kills it."""
    signal.alarm(30)
    calls = [
        lambda: context.send(Said("y")),
        lambda: context.post(Said("y")),
        lambda: context.request(RequestGreet("y")),
        lambda: context.drain(),
        lambda: context.wait(0),
        lambda: context.flush(),
        lambda: context.stats(),
        lambda: context.fileno(),
        lambda: context.observe(Said, seen.append),
        subscription.cancel,
        subscription.cancel_wait,
        context.close,
    ]
    pipe.send(([refused(call) for call in calls], list(seen), live_anew()))


@pytest.mark.parametrize("threads", ["one", "any"])
def test_a_worker_gets_forked_from_the_parents_context_and_may_have_its_own(threads):
    with mainstem.Context(threads=threads, raises=True) as context:
        seen = []
        subscription = context.observe(Said, lambda said: seen.append(said.words))
        context.register(RequestGreet)
        context.send(Said("x"))
        context.fileno()
        ours, theirs = FORK.Pipe()
        worker = FORK.Process(target=in_worker, args=(theirs, context, subscription, seen))
        worker.start()
        theirs.close()
        statuses, seen_there, lived = ours.recv()
        worker.join(30)

        assert statuses == [Status.FORKED] * 12
        assert seen_there == ["x"]
        assert lived == ["a", "b", "C"]
        assert worker.exitcode == 0
        assert context.wait(0) is False
        context.send(Said("z"))
        assert seen == ["x", "z"]


def test_workers_of_a_pool_have_contexts_of_their_own(context):
    context.send(Said("x"))
    with FORK.Pool(2, initializer=signal.alarm, initargs=(30,)) as pool:
        lived = pool.starmap_async(live_anew, [()] * 20).get(60)

    assert lived == [["a", "b", "C"]] * 20


def test_a_child_that_ends_with_the_parents_context_open_is_quiet():
    process = child(
        "import mainstem, os, sys\n"
        "from greeting import Said\n"
        "context = mainstem.Context()\n"
        "context.observe(Said, lambda said: print(said.words, os.getpid() == parent, flush=True))\n"
        "context.post(Said('once'))\n"
        "parent = os.getpid()\n"
        "pid = os.fork()\n"
        "if pid: sys.exit(os.waitpid(pid, 0)[1])\n"
    )
    output, errors = process.communicate(timeout=60)

    assert (output, errors, process.returncode) == ("once True\n", "", 0)


def test_a_fork_inside_a_callback_leaves_the_child_able_to_begin_anew(context):
    ends = []

    def fork(said):
        pid = os.fork()
        if pid == 0:
            signal.alarm(30)
            code = 1
            try:
                refused(lambda: context.send(Said("y")))
                code = 0 if live_anew() == ["a", "b", "C"] else 2
            finally:
                os._exit(code)
        ends.append(os.waitpid(pid, 0)[1])

    context.observe(Said, fork)
    context.send(Said("x"))

    assert ends == [0]

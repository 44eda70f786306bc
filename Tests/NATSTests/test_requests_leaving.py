# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Who serves and leaves answers what is on its way: nobody waits in vain for a program that ended
in order."""

from __future__ import annotations

import threading

import pytest
from asking import PATIENCE, RequestTotal, context, echo
from mainstem import Status, nats

COUNT = 4000
SUBJECT = "$MAINSTEM.request.mainstem.RequestTotal"


def ask_all(server, answers):
    """Asks as fast as a connection can, and gathers the answers."""
    with server.client() as client:
        client.subscribe("_INBOX.leaving.*")
        for number in range(COUNT):
            client.publish(SUBJECT, b"%d" % number, f"_INBOX.leaving.{number}")
        for _ in range(COUNT):
            answers.append(client.next())


def status_of(answer):
    """OK, or why there is none."""
    if answer.headers.get("Status") == "503":
        return Status.UNHANDLED
    return int(answer.headers.get("Mainstem-Status", 0))


@pytest.mark.parametrize("turn", range(40))
def test_what_is_on_its_way_gets_an_answer(server, turn):
    """Whenever it leaves: the first answer was given, or two hundred."""
    answers = []
    with context() as there:
        there.serve(RequestTotal, echo)
        with nats.serve(there, RequestTotal, server.url) as serving:
            serving.flush(PATIENCE)
            asking = threading.Thread(target=ask_all, args=(server, answers))
            asking.start()
            while serving.stats.entries < turn * 5:
                there.wait(0.01)
        asking.join()
    assert sorted(int(each.subject.rsplit(".", 1)[1]) for each in answers) == list(range(COUNT))
    allowed = {Status.OK, Status.CANCELLED, Status.UNHANDLED}
    assert {status_of(each) for each in answers} <= allowed


def test_another_one_takes_over(server):
    """Of two that share the requests one leaves, again and again: all are answered, and most by the
    other."""
    answers, is_over = [], threading.Event()

    def come_and_leave():
        while not is_over.is_set():
            with context() as there:
                there.serve(RequestTotal, echo)
                with nats.serve(there, RequestTotal, server.url) as each:
                    each.flush(PATIENCE)
                    there.drain()

    with context() as there:
        there.serve(RequestTotal, echo)
        with nats.serve(there, RequestTotal, server.url) as serving:
            serving.flush(PATIENCE)
            leaving = threading.Thread(target=come_and_leave)
            asking = threading.Thread(target=ask_all, args=(server, answers))
            leaving.start()
            asking.start()
            while asking.is_alive():
                there.wait(0.01)
            is_over.set()
            leaving.join()
    assert len(answers) == COUNT
    assert {status_of(each) for each in answers} <= {Status.OK, Status.CANCELLED}

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What is still posted when a program leaves `with`, and what a closing context refuses."""

from __future__ import annotations

import asyncio
import sys

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting, Said, Started
from mainstem import Request, Response


@mainstem.event
class ResponseInner(Response):
    pass


@mainstem.event
class RequestInner(Request[ResponseInner]):
    pass


class Answering:
    """Sends an event for each one it gets."""

    def __init__(self, context):
        self.scope = context.install(self)

    @mainstem.handles(Started)
    def started(self, event):
        self.scope.send(Said("started"))


def reported(monkeypatch):
    """What nobody can catch from now on. No fixture: pytest sets its own hook after them."""
    seen = []
    monkeypatch.setattr(sys, "unraisablehook", lambda report: seen.append(report.exc_value))
    return seen


def session(path):
    with mainstem.Context() as context:
        context.record(path)
        Answering(context)
        context.post(Started())
        context.post(Started())


def test_the_end_of_with_drains_and_the_session_verifies(tmp_path, monkeypatch):
    reports = reported(monkeypatch)
    path = str(tmp_path / "session")
    session(path)

    with mainstem.Context() as context, context.replay(path, verify=True) as replay:
        Answering(context)
        said = []
        context.observe(Said, lambda event: said.append(event.origin))
        replay.to_end()

    assert said == ["Answering"] * 2
    assert reports == []


def test_an_exception_leaves_with_and_what_was_posted_is_handled(monkeypatch):
    reports = reported(monkeypatch)
    said = []
    with pytest.raises(ValueError, match="the end"), mainstem.Context() as context:
        context.observe(Said, said.append)
        Answering(context)
        context.post(Started())
        raise ValueError("the end")

    assert said == [Said("started")]
    assert reports == []


def test_the_context_is_closed_even_if_the_last_drain_raises():
    with pytest.raises(ZeroDivisionError), mainstem.Context(raises=True) as context:
        context.observe(Started, lambda event: 1 / 0)
        context.post(Started())

    assert context.closed


def test_what_a_close_refuses_is_reported_once(monkeypatch):
    reports = reported(monkeypatch)
    context = mainstem.Context()
    Answering(context)
    for _ in range(100):
        context.post(Started())

    context.close()

    assert [report.status for report in reports] == [mainstem.Status.STALE]


def test_the_end_of_with_in_a_replay_feeds_nothing(tmp_path):
    path = str(tmp_path / "session")
    session(path)
    seen = []
    with mainstem.Context() as context:
        context.observe(seen.append)
        context.replay(path).run(speed=0)

    assert seen == []


def test_what_an_async_handler_asks_is_cancelled_with_its_request():
    async def main():
        async with mainstem.Context() as context:
            kept, ended = [], asyncio.Event()

            @context.serve(RequestInner)
            def inner(request):
                kept.append(request.retain())
                request.on_settled(ended.set)
                return mainstem.LATER

            @context.serve(RequestGreet)
            async def greet(request):
                await context.request(RequestInner())
                return ResponseGreeting("never")

            with pytest.raises(mainstem.RequestTimeout):
                await context.request(RequestGreet("Ada"), timeout=0.01)
            await asyncio.wait_for(ended.wait(), 30)
            assert context.request_count() == 0

    asyncio.run(main())

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What several ask at a time is asked once."""

from __future__ import annotations

import asyncio
import gc
import json

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting, Said
from mainstem import Failure, RequestTimeout, Status
from mainstem._library import _callbacks
from mainstem.testing import TestContext
from tool import run


def working(context):
    """A server that keeps its requests, and what it hears."""
    kept, stopped = [], []

    @context.serve(RequestGreet)
    def work(request):
        assert not request.is_shared
        kept.append(request.retain())
        request.on_settled(lambda: stopped.append(request.name))
        return mainstem.LATER

    return kept, stopped


def test_a_54_three_askers_are_one_start(context):
    kept, stopped = working(context)
    answers = []

    for number in range(3):
        context.request(
            RequestGreet("Ada"),
            share=True,
            then=lambda answer, number=number: answers.append((number, answer.text)),
        )
    assert len(kept) == 1
    kept[0].respond(ResponseGreeting("Hello"))

    assert answers == [(0, "Hello"), (1, "Hello"), (2, "Hello")]
    assert stopped == []
    context.request(RequestGreet("Ada"), share=True, then=print)
    assert len(kept) == 2


def test_who_asks_something_else_or_does_not_share_asks_alone(context):
    kept, _ = working(context)

    context.request(RequestGreet("Ada"), share=True, then=print)
    context.request(RequestGreet("Bob"), share=True, then=print)
    context.request(RequestGreet("Ada"), then=print)

    assert [each.value.name for each in kept] == ["Ada", "Bob", "Ada"]


def test_an_observer_tells_each_result_from_its_copies(context):
    kept, _ = working(context)
    seen = []
    context.observe(RequestGreet, ResponseGreeting, lambda event: seen.append(event.is_shared))

    context.request(RequestGreet("Ada"), share=True, then=lambda answer: None)
    kept[0].respond(ResponseGreeting("Hello"))

    assert seen == [True, False, False, True]


def test_progress_and_a_failure_go_to_each(context):
    kept, _ = working(context)
    seen = []
    for number in range(2):
        context.request(
            RequestGreet("Ada"),
            share=True,
            then=print,
            failed=lambda failure, number=number: seen.append((number, failure.message)),
            progress=lambda step, number=number: seen.append((number, step.words)),
        )

    kept[0].progress(Said("half"))
    kept[0].respond(Failure("no more"))

    assert seen == [(0, "half"), (1, "half"), (0, "no more"), (1, "no more")]


def test_each_waits_for_its_own_time():
    with TestContext() as test:
        kept, stopped = working(test)
        with pytest.raises(RequestTimeout):
            test.request(RequestGreet("Ada"), share=True, timeout=0.5)
        test.request(RequestGreet("Bob"), share=True, timeout=2, then=print, failed=lambda _: None)
        with pytest.raises(RequestTimeout):
            test.request(RequestGreet("Bob"), share=True, timeout=0.5)
        assert [each.value.name for each in kept] == ["Ada", "Bob"]
        assert stopped == ["Ada"]
        test.advance(2)
        assert stopped == ["Ada", "Bob"]
        for each in kept:
            each.release()
        test.skip()
        test.keep()


def test_nobody_handles_it(context):
    with pytest.raises(Failure) as failure:
        context.request(RequestGreet("Ada"), share=True)

    assert failure.value.status == Status.UNHANDLED


def test_by_name_and_through_a_scope(context):
    context.add_type("RequestX", str, response="ResponseX")
    context.add_type("ResponseX", str)
    asked = []

    @context.serve("RequestX")
    def answer(request):
        asked.append(request.text)
        return request.text.upper()

    scope = context.scope("View")
    assert scope.request("RequestX", "x", share=True).text == "X"
    assert asked == ["x"]


def test_awaited_they_share_one_task():
    log = []

    async def main():
        async with mainstem.Context(raises=True) as context:

            @context.serve(RequestGreet)
            async def greet(request):
                log.append("began")
                try:
                    await asyncio.sleep(0 if request.name == "Ada" else 3600)
                finally:
                    log.append("over")
                return ResponseGreeting(f"Hello, {request.name}")

            ask = [context.request(RequestGreet("Ada"), share=True) for _ in range(3)]
            texts = [answer.text for answer in await asyncio.gather(*ask)]
            # The last that is cancelled cancels the task.
            ask = [context.request(RequestGreet("Bob"), share=True) for _ in range(2)]
            while log.count("began") < 2:
                await asyncio.sleep(0)
            ask[0].cancel()
            await asyncio.sleep(0)
            assert log.count("over") == 1
            ask[1].cancel()
            while log.count("over") < 2:
                await asyncio.sleep(0)
            return texts

    assert asyncio.run(asyncio.wait_for(main(), 30)) == ["Hello, Ada"] * 3
    assert log == ["began", "over", "began", "over"]


def test_nothing_is_kept():
    kept = _callbacks.kept()
    with mainstem.Context() as context:
        working(context)
        for _ in range(3):
            context.request(RequestGreet("Ada"), share=True, then=print, failed=lambda _: None)

    gc.collect()
    assert _callbacks.kept() == kept


def test_a_journal_tells_what_was_shared(tmp_path):
    path = tmp_path / "shared.journal"
    with mainstem.Context() as context:
        context.record(path)
        kept, _ = working(context)
        for _ in range(2):
            context.request(RequestGreet("Ada"), share=True, then=lambda answer: None)
        kept[0].respond(ResponseGreeting("Hello"))

    status, output, _ = run("dump", "--json", path)
    rows = [json.loads(line) for line in output.splitlines()]

    assert status == 0
    assert ["shared" in row["flags"] for row in rows] == [True, False, True, False, True, True]
    assert [row["cause"] for row in rows] == [0, 1, 0, 0, 4, 4]
    assert [row["answers"] for row in rows] == [0, 0, 0, 2, 1, 3]

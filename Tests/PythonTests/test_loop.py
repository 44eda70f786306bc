# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A context in an asyncio loop: handlers, threads, the end."""

from __future__ import annotations

import asyncio
import os
import threading
import warnings

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting, Said, keep_for_ever
from in_loop import run
from mainstem import Failure, RequestTimeout, Status


def test_an_async_handler_answers_when_it_returns():
    async def main(context):
        @context.serve(RequestGreet)
        async def greet(request):
            await asyncio.sleep(0)
            return ResponseGreeting(f"Hello, {request.name}!")

        answers = await asyncio.gather(
            *(context.request(RequestGreet(name), timeout=10) for name in ("Ada", "Bob"))
        )
        return [answer.text for answer in answers], context.stats()

    texts, stats = run(main)
    assert texts == ["Hello, Ada!", "Hello, Bob!"]
    assert (stats.requests, stats.retained) == (0, 0)


def test_an_async_handler_reports_progress_and_responds_after_an_await():
    async def main(context):
        steps, kept = [], []

        @context.serve(RequestGreet)
        async def greet(request):
            kept.append(request)
            await asyncio.sleep(0)
            request.progress(Said("half"))
            await asyncio.sleep(0)
            request.respond(ResponseGreeting(text=f"Hello, {request.name}!"))

        answer = await context.request(RequestGreet("Ada"), progress=steps.append)
        await asyncio.sleep(0)
        with pytest.raises(RuntimeError, match="it was released: answer it before that"):
            kept[0].respond(answer)
        return answer, steps

    assert run(main) == (ResponseGreeting("Hello, Ada!"), [Said("half")])


def test_an_async_handler_of_a_name_gets_events():
    async def main(context):
        context.register(RequestGreet)

        async def greet(request):
            return ResponseGreeting(f"{type(request).__name__}: {request.value.name}")

        context.serve("RequestGreet", greet)
        return (await context.request(RequestGreet("Ada"))).text

    assert run(main).endswith("Event: Ada")


def test_an_async_handler_is_cancelled_by_the_time_out():
    log = []

    async def main(context):
        @context.serve(RequestGreet)
        async def greet(request):
            log.append("began")
            try:
                await asyncio.Event().wait()
            finally:
                log.append("cancelled")

        with pytest.raises(RequestTimeout):
            await context.request(RequestGreet("Ada"), timeout=0.02)
        while "cancelled" not in log:
            await asyncio.sleep(0)
        return context.stats()

    stats = run(main)
    assert log == ["began", "cancelled"]
    assert (stats.requests, stats.retained) == (0, 0)


def test_an_async_handler_is_cancelled_when_another_server_answers():
    log = []

    async def main(context):
        kept = []

        async def slow(request):
            try:
                await asyncio.Event().wait()
            finally:
                log.append("cancelled")

        def keep(request):
            kept.append(request.retain())
            return mainstem.LATER

        context.serve(RequestGreet, slow, several=True)
        context.serve(RequestGreet, keep, several=True)
        asked = context.request(RequestGreet("Ada"))
        await asyncio.sleep(0)
        kept[0].respond(ResponseGreeting("quick"))
        assert (await asked).text == "quick"
        while not log or context.stats().retained > 1:
            await asyncio.sleep(0)
        assert context.first_error() is None

    run(main)
    assert log == ["cancelled"]


def test_failures_and_exceptions_of_async_handlers_are_error_responses():
    caught = []

    async def main(context):
        context.on_exception = lambda exception, event: caught.append((repr(exception), event))
        context.thrown.raises = False

        @context.serve(RequestGreet)
        async def greet(request):
            if request.name:
                raise ValueError("it broke")
            raise Failure("NO_NAME", user_message="Please.")

        failures = []
        for name in ("", "Ada"):
            with pytest.raises(Failure) as raised:
                await context.request(RequestGreet(name))
            failures.append(raised.value)
        return failures

    assert run(main) == [
        Failure("NO_NAME", user_message="Please."),
        Failure("ValueError('it broke')"),
    ]
    assert caught == [("ValueError('it broke')", RequestGreet("Ada"))]


def test_an_async_handler_that_is_cancelled_or_answers_what_cannot_be_encoded_answers():
    async def main():
        caught = []
        async with mainstem.Context(on_exception=lambda e, event: caught.append(e)) as context:

            async def greet(request):
                if request.name == "cancelled":
                    asyncio.current_task().cancel()
                    await asyncio.sleep(0)
                return ResponseGreeting("\ud800")

            context.serve(RequestGreet, greet)
            for name, code in (("cancelled", Status.CANCELLED), ("half a pair", Status.APP)):
                with pytest.raises(Failure) as failed:
                    await context.request(RequestGreet(name))
                assert failed.value.code == code
        assert [type(each) for each in caught] == [UnicodeEncodeError]

    asyncio.run(main())


def test_cancelling_an_awaited_request_gives_it_up():
    async def main(context):
        statuses = []
        context.observe(ResponseGreeting, lambda event: statuses.append(event.status), failed=True)
        context.serve(RequestGreet, keep_for_ever, name="Never")
        asked = context.request(RequestGreet("Ada"))
        asked.cancel()
        while not statuses:
            await asyncio.sleep(0)
        return statuses

    assert run(main) == [Status.CANCELLED]


def test_a_request_that_nobody_handles_fails_when_awaited():
    async def main(context):
        asked = context.request(RequestGreet("Ada"))
        with pytest.raises(Failure) as raised:
            await asked
        return raised.value.code

    assert run(main) == Status.UNHANDLED


def test_observers_on_the_host_run_in_the_loop():
    async def main():
        async with mainstem.Context(threads="any", deliver="host", raises=True) as context:
            threads = []
            context.register(Said)
            context.observe(Said, lambda event: threads.append(threading.get_ident()))
            context.observe(Said, lambda event: threads.append(threading.get_ident()), on="host")
            thread = threading.Thread(target=context.send, args=(Said("far"),))
            thread.start()
            while len(threads) < 2:
                await asyncio.sleep(0)
            thread.join(30)
        return threads

    assert asyncio.run(main()) == [threading.get_ident()] * 2


def test_what_another_thread_posts_wakes_the_loop():
    async def main(context):
        context.register(Said)
        async with context.events(Said) as said:
            thread = threading.Thread(target=context.post, args=(Said("far"),))
            thread.start()
            event = await said.__anext__()
            thread.join(30)
        return event

    assert run(main) == Said("far")


def test_an_answer_from_another_thread_is_awaited():
    async def main(context):
        kept = []

        @context.serve(RequestGreet)
        def keep(request):
            kept.append(request.retain())
            return mainstem.LATER

        asked = context.request(RequestGreet("Ada"), timeout=10)
        thread = threading.Thread(target=kept[0].respond, args=(ResponseGreeting("far"),))
        thread.start()
        answer = await asked
        thread.join(30)
        return answer

    assert run(main) == ResponseGreeting("far")


def test_an_any_thread_context_may_be_sent_to_from_a_thread_of_its_own():
    async def main():
        async with mainstem.Context(threads="any", raises=True) as context:
            seen = []

            @context.serve(RequestGreet)
            async def greet(request):
                return ResponseGreeting(request.name.upper())

            @context.observe(ResponseGreeting)
            async def see(event):
                seen.append(event)

            async with context.events(ResponseGreeting) as greetings:
                thread = threading.Thread(target=context.send, args=(RequestGreet("a"),))
                thread.start()
                event = await asyncio.wait_for(greetings.__anext__(), 30)
                thread.join(30)
            answer = await context.request(RequestGreet("b"), timeout=10)
            while len(seen) < 2:
                await asyncio.sleep(0)
            return event, answer, seen

    event, answer, seen = asyncio.run(main())
    assert (event.text, answer.text) == ("A", "B")
    assert seen == [ResponseGreeting("A"), ResponseGreeting("B")]


def test_the_end_of_the_context_cancels_tasks_and_open_requests():
    log = []

    async def main():
        async with mainstem.Context(raises=True) as context:

            @context.serve(RequestGreet)
            async def never(request):
                try:
                    await asyncio.Event().wait()
                finally:
                    log.append("cancelled")

            asked = context.request(RequestGreet("Ada"))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        with pytest.raises(Failure) as raised:
            await asked
        return raised.value.code

    assert asyncio.run(main()) == Status.CANCELLED
    assert log == ["cancelled"]


async def left_open(context, leave):
    """Leaves an async context with a task that sleeps; returns what became of it."""
    log = []

    async def sleep(request):
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            log.append("cancelled")
            raise

    try:
        async with context:
            context.serve(RequestGreet, sleep)
            context.request(RequestGreet("Ada")).add_done_callback(asyncio.Future.exception)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            leave()
    except ZeroDivisionError:
        log.append("raised")
    return [*log, context.closed]


def test_a_context_that_the_block_has_closed_ends_with_it():
    context = mainstem.Context()
    assert asyncio.run(left_open(context, context.close)) == ["cancelled", True]


def test_a_last_drain_that_raises_ends_the_tasks_and_closes_the_context():
    context = mainstem.Context(raises=True)
    context.observe(Said, lambda said: 1 // 0, on="host")
    asked = left_open(context, lambda: context.send(Said("last")))
    assert asyncio.run(asked) == ["cancelled", "raised", True]


def test_a_loop_does_not_poll_what_another_file_is_by_now():
    async def main():
        async with mainstem.Context() as context:
            number = context.fileno()
            context.close()
            reader, writer = os.pipe()
            os.dup2(reader, number)
            os.write(writer, b"!")
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            for descriptor in (reader, writer, number):
                os.close(descriptor)

    told = []

    async def watched():
        asyncio.get_running_loop().set_exception_handler(lambda _, what: told.append(what))
        await main()

    asyncio.run(watched())
    assert told == []


def install_async(context, log):
    """A server whose async handler asks and sends; an observer counts its answers."""
    context.add_type("RequestSum", str, response="ResponseSum")
    context.add_type("ResponseSum", str)
    context.add_type("RequestPart", str, response="ResponsePart")
    context.add_type("ResponsePart", str)
    context.add_type("Note", str)

    async def add(request):
        part = await context.request("RequestPart", "p")
        context.send("Note", "asked")
        log.append(request.position)
        return f"sum {part.text}"

    async def follow(event):
        context.send("Note", "followed")

    context.server("Part", {"RequestPart": lambda request: "part"})
    context.server("Sum", {"RequestSum": add})
    context.observe("ResponseSum", lambda event: context.send("Note", f"got {event.text}"))
    context.observe("ResponseSum", follow)


def test_a_session_of_an_async_server_verifies_without_a_traceback(tmp_path, monkeypatch):
    reported, log = [], []
    monkeypatch.setattr("sys.unraisablehook", reported.append)
    path = tmp_path / "async.journal"

    async def record(context):
        context.record(path)
        install_async(context, log)
        for text in ("a", "b"):
            await context.request("RequestSum", text)
        for _ in range(5):
            await asyncio.sleep(0)

    async def verify(context):
        with context.replay(path, verify=True) as replay:
            install_async(context, log)
            replay.step(1)
            for _ in range(5):
                await asyncio.sleep(0)
            replay.to_end()
            for _ in range(5):
                await asyncio.sleep(0)
            return replay.info

    run(record)
    called = list(log)
    assert len(called) == 2
    with pytest.warns(RuntimeWarning) as warned:
        info = run(verify)

    assert info.ended and info.verified_until == info.last
    assert log == called
    assert reported == []
    said = "an async observer cannot send in a replay: the journal has what it sent"
    assert [str(warning.message) for warning in warned] == [said]

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        info = run(verify)

    assert info.ended and info.verified_until == info.last
    assert [str(raised.exc_value) for raised in reported] == [said]


def test_a_replay_of_async_handlers_does_not_warn(tmp_path):
    path = tmp_path / "async.journal"

    async def greet(request):
        return ResponseGreeting(request.name)

    async def record(context):
        context.record(path)
        context.serve(RequestGreet, greet)
        await context.request(RequestGreet("Ada"))

    async def verify(context):
        with context.replay(path, verify=True) as replay:
            context.serve(RequestGreet, greet)
            replay.to_end()
            return replay.info

    run(record)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        info = run(verify)

    assert info.ended and info.verified_until == info.last == 2


def test_a_thread_asks_through_the_loop():
    async def main():
        loop = asyncio.get_running_loop()
        async with mainstem.Context(raises=True) as context:
            context.serve(RequestGreet, lambda asked: ResponseGreeting(asked.name), name="Greeter")

            async def ask(name):
                return await context.request(RequestGreet(name))

            def on_thread():
                return asyncio.run_coroutine_threadsafe(ask("Ada"), loop).result(60)

            return await loop.run_in_executor(None, on_thread)

    assert asyncio.run(main()) == ResponseGreeting("Ada")


def test_a_notebook_ties_a_context_to_the_loop_that_runs():
    async def cells():
        got = []
        context = mainstem.Context(raises=True)
        await context.__aenter__()
        came = asyncio.Event()

        def keep(said):
            got.append(said)
            came.set()

        context.observe(Said, keep, on="host")
        context.send(Said("a"))
        await asyncio.wait_for(came.wait(), 60)
        await context.__aexit__(None, None, None)
        return got

    assert asyncio.run(cells()) == [Said("a")]

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""asyncio: handlers and observers as tasks, awaitable requests, one file descriptor."""

from __future__ import annotations

import asyncio
import threading

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting, Said, Tapped
from mainstem import Failure, Gap, MainstemError, RequestTimeout, Status


def run(main):
    """Runs a coroutine function with an async context; 30 s are more than any needs."""

    async def inner():
        async with mainstem.Context(raises=True) as context:
            return await asyncio.wait_for(main(context), 30)

    return asyncio.run(inner())


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

        context.serve(RequestGreet, slow)
        context.serve(RequestGreet, keep)
        asked = context.request(RequestGreet("Ada"))
        await asyncio.sleep(0)
        kept[0].respond(ResponseGreeting("quick"))
        assert (await asked).text == "quick"
        while not log:
            await asyncio.sleep(0)

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
            raise Failure("NO_NAME", user_text="Please.")

        failures = []
        for name in ("", "Ada"):
            with pytest.raises(Failure) as raised:
                await context.request(RequestGreet(name))
            failures.append(raised.value)
        return failures

    assert run(main) == [Failure("NO_NAME", user_text="Please."), Failure("ValueError('it broke')")]
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
        context.serve(RequestGreet, lambda request: mainstem.LATER, name="Never")
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


def test_events_are_subscribed_from_the_call_on():
    async def main(context):
        context.send(Said("before"))
        seen = []
        async with context.events(Said) as said:
            context.send(Said("a"))
            context.send(Tapped(1))
            context.send(Said("b"))
            async for event in said:
                seen.append((event, str(event)))
                if len(seen) == 2:
                    break
        subscriptions = context.stats().subscriptions
        return seen, subscriptions

    seen, subscriptions = run(main)
    assert seen == [(Said("a"), "#2 Said a"), (Said("b"), "#4 Said b")]
    assert subscriptions == 0


def test_events_are_bounded_and_a_gap_says_what_was_lost():
    async def main(context):
        gaps = []
        said = context.events(Said, limit=2, on_gap=gaps.append)
        for word in "abcde":
            context.send(Said(word))
        return [await said.__anext__() for _ in range(2)] + gaps

    lost = Gap(first=1, last=3, count=3)
    assert run(main) == [Said("d"), Said("e"), lost]


def test_a_loss_that_nobody_asked_to_hear_of_is_a_warning():
    async def main(context):
        said = context.events(Said, limit=2)
        for word in "abcde":
            context.send(Said(word))
        with pytest.warns(RuntimeWarning, match="lost 3 events, #1 to #3: .* Give on_gap="):
            return await said.__anext__()

    assert run(main) == Said("d")


def test_events_end_with_their_count_and_with_the_context():
    async def main(context):
        context.events(Said, count=1)
        return context.events(Said), context.events(Said, once=True)

    async def outer():
        async with mainstem.Context(raises=True) as context:
            open_end, once = await main(context)
            context.send(Said("a"))
            context.send(Said("b"))
            assert [event async for event in once] == [Said("a")]
        assert [event async for event in open_end] == [Said("a"), Said("b")]
        with pytest.raises(TypeError, match="events\\(\\) got an unexpected .* 'colour'"):
            async with mainstem.Context() as other:
                other.events(Said, colour="red")

    asyncio.run(outer())


def test_events_of_a_slow_consumer_wait_in_the_library_and_are_refused_there():
    async def main(context):
        statuses = []
        async with context.events(Said, limit=3, policy="reject") as said:
            for word in "abcde":
                try:
                    context.send(Said(word))
                except MainstemError as error:
                    statuses.append(error.status)
            seen = [await said.__anext__() for _ in range(3)]
        return statuses, seen

    statuses, seen = run(main)
    assert statuses == [Status.FULL, Status.FULL]
    assert seen == [Said("a"), Said("b"), Said("c")]


def test_events_that_nobody_asks_for_keep_to_their_bound_while_the_loop_runs():
    async def main(context):
        others = []
        context.observe(Said, others.append, on="host")
        gaps = []
        said = context.events(Said, limit=2, on_gap=gaps.append)
        for word in "abcde":
            context.send(Said(word))
            while len(others) < "abcde".index(word) + 1:
                await asyncio.sleep(0)
        return [await said.__anext__() for _ in range(2)] + gaps

    assert run(main) == [Said("d"), Said("e"), Gap(first=1, last=3, count=3)]


def test_the_latest_is_what_a_slow_consumer_gets():
    async def main(context):
        seen = []
        async with context.events(Said, policy="latest", on_gap=seen.append) as said:
            for word in "abc":
                context.send(Said(word))
            seen.append(await said.__anext__())
            for word in "def":
                context.send(Said(word))
                await asyncio.sleep(0)
            seen.append(await said.__anext__())
        return seen

    assert run(main) == [Gap(1, 2, 2), Said("c"), Gap(4, 5, 2), Said("f")]


def test_cancelled_events_are_dropped_and_the_iteration_stops():
    async def main(context):
        said = context.events(Said)
        context.send(Said("a"))
        context.send(Said("b"))
        first = await said.__anext__()
        said.cancel()
        return first, [event async for event in said], context.stats().subscriptions

    assert run(main) == (Said("a"), [], 0)


def test_no_event_is_lost_where_another_thread_waits_for_room():
    async def main():
        async with mainstem.Context(threads="any", raises=True) as context:
            context.register(Said)
            async with context.events(Said, limit=16, policy="block") as said:

                def send():
                    for number in range(1000):
                        context.send(Said(str(number)))

                thread = threading.Thread(target=send)
                thread.start()
                seen = [(await said.__anext__()).words for _ in range(1000)]
                thread.join(30)
        return seen

    assert asyncio.run(main()) == [str(number) for number in range(1000)]


def test_async_observers_run_as_tasks_in_order():
    log = []

    async def main(context):
        @context.observe(Said)
        async def slow(event):
            log.append(f"{event.words} in")
            await asyncio.sleep(0)
            log.append(f"{event.words} out")

        for word in "abc":
            context.send(Said(word))
        assert log == []
        while len(log) < 6:
            await asyncio.sleep(0)

    run(main)
    assert log == ["a in", "a out", "b in", "b out", "c in", "c out"]


def test_an_async_observer_that_raises_goes_on_with_the_next_event():
    caught, seen = [], []

    async def main():
        async with mainstem.Context(on_exception=lambda e, event: caught.append(event)) as context:

            @context.observe(Said)
            async def fail_first(event):
                seen.append(event)
                if len(seen) == 1:
                    raise ValueError("it broke")

            context.send(Said("a"))
            context.send(Said("b"))
            while len(seen) < 2:
                await asyncio.sleep(0)

    asyncio.run(main())
    assert caught == [Said("a")]
    assert seen == [Said("a"), Said("b")]


def test_a_cancelled_async_observer_is_not_called_again():
    async def main(context):
        seen = []

        async def see(event):
            seen.append(event)
            subscription.cancel()

        subscription = context.observe(Said, see)
        for word in "abc":
            context.send(Said(word))
        others = context.events(Said)
        context.send(Said("d"))
        await others.__anext__()
        await asyncio.sleep(0)
        return seen, subscription.released

    assert run(main) == ([Said("a")], True)


def test_an_async_observer_gets_as_many_as_it_asked_for():
    async def main(context):
        seen = []

        @context.observe(Said, count=2)
        async def see(event):
            await asyncio.sleep(0)
            seen.append(event)

        for word in "abc":
            context.send(Said(word))
        while len(seen) < 2:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        return seen, context.stats().subscriptions

    assert run(main) == ([Said("a"), Said("b")], 0)


def test_an_async_observer_is_called_in_the_loop_and_nowhere_else():
    async def main(context):
        async def see(event):
            pass

        for on in ("immediate", context.serial("worker")):
            with pytest.raises(TypeError, match="an async def is called in the loop"):
                context.observe(Said, see, on=on)
        with pytest.raises(TypeError, match='on is "host"'):
            context.observe(Said, on="immediate")(see)
        return context.stats().subscriptions

    assert run(main) == 0


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

    assert info.ended and info.proves_until == info.last
    assert log == called
    assert reported == []
    said = sorted(str(warning.message) for warning in warned)
    assert said == [
        "an async observer cannot send in a replay: the journal has what it sent",
        "async handlers are not called in a replay: the journal has their answers",
    ]

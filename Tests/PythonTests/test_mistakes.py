# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The usual mistakes: each gives a message that names it and says what to do."""

from __future__ import annotations

import asyncio
import functools
import threading
from typing import List

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting, Said, keep_for_ever
from mainstem import Context, Failure, MainstemError, Notice, RequestTimeout
from mainstem.testing import TestContext, for_seeds


@mainstem.event
class Measured(Notice):
    values: List[float]


#: The exception and the message of each mistake, by the name of the function that makes it.
MISTAKES = {}


def mistake(kind, message):
    def add(function):
        MISTAKES[function.__name__] = (function, kind, message)
        return function

    return add


def on_another_thread(call):
    """Calls it there, and raises what it raises."""
    raised = []

    def run():
        try:
            call()
        except Exception as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    raise raised[0]


def in_a_callback(context, call):
    context.observe(Said, lambda event: call())
    context.send(Said("a"))


async def asynchronous(work):
    async with Context(raises=True) as context:
        context.serve(RequestGreet, lambda asked: ResponseGreeting(asked.name), name="Greeter")
        return await work(context)


# Names and types


@mistake(MainstemError, r"Sad \(did you mean Said\?\) is not a registered event type")
def a_wrong_name(context):
    context.register(Said)
    context.send("Sad", "x")


@mistake(TypeError, "is not an event: decorate its class with @mainstem.event")
def a_forgotten_decorator(context):
    class Plain(Notice):
        pass

    context.send(Plain())


@mistake(TypeError, r"Said is a class: give an object of it, Said\(…\)")
def a_class_for_an_object(context):
    context.send(Said)


@mistake(TypeError, "this is an object of Said: give the class, Said")
def an_object_for_a_class(context):
    context.observe(Said("a"), print)


@mistake(TypeError, "a dict is not an event: give an object of an event class, or the name of")
def no_event_at_all(context):
    context.send({"words": "a"})


@mistake(ValueError, r"Measured.values\[1\]: inf is no number in JSON: send a finite one, or None")
def a_number_that_json_does_not_have(context):
    context.send(Measured([1.5, float("inf")]))


@mistake(ValueError, "a time is nan: it must be a number of seconds")
def a_time_that_is_no_number(context):
    context.send_after(float("nan"), Said("late"))


@mistake(TypeError, "a time is '3': it must be a number of seconds")
def a_time_as_text(context):
    context.wait("3")


@mistake(TypeError, "RequestGreet.name: expected str, got int")
def a_field_of_a_wrong_type(context):
    context.send(RequestGreet(name=3))


@mistake(AttributeError, "RequestGreet has no 'nam'; its fields: name")
def a_wrong_field(context):
    context.observe(RequestGreet, lambda event: event.nam)
    context.send(RequestGreet("a"))


@mistake(MainstemError, "RequestGreet: its payload is not JSON")
def a_payload_that_is_no_json(context):
    context.observe(RequestGreet, lambda event: event.name)
    context.send("RequestGreet", "a")


@mistake(TypeError, "Said is not a Request: send it instead")
def a_request_that_is_none(context):
    context.request(Said("a"))


@mistake(TypeError, 'Response is no event class: say role="response"')
def a_role_as_a_class(context):
    context.observe(mainstem.Response, print)


# Decorators


@mistake(TypeError, r"say what is served: @context.serve\(RequestGreet\)")
def a_decorator_without_its_argument(context):
    @context.serve
    def greet(asked):
        pass


@mistake(RuntimeWarning, "observe was given no function: use it as a decorator, or give the")
def a_forgotten_function(context):
    with pytest.warns() as warned:
        context.observe(Said)
    raise warned[0].message


@mistake(TypeError, "object: no method is marked with @mainstem.handles")
def a_server_without_handlers(context):
    context.install(object())


# Handlers


@mistake(mainstem.Failure, "no server handles RequestGreet: there is none in this context")
def no_server(context):
    context.request(RequestGreet("a"))


@mistake(
    TypeError, "RequestGreet returned None, not its answer: return a ResponseGreeting, or main"
)
def a_forgotten_return(context):
    context.serve(RequestGreet, lambda asked: None, name="Silent")
    context.request(RequestGreet("a"))


@mistake(TypeError, "expected ResponseGreeting as the answer, got str")
def a_text_for_an_answer(context):
    context.serve(RequestGreet, lambda asked: "Hello", name="Texting")
    context.request(RequestGreet("a"))


@mistake(RequestTimeout, "RequestGreet was not answered within 0.01 s")
def an_answer_that_never_comes(context):
    context.serve(RequestGreet, keep_for_ever, name="Later")
    context.request(RequestGreet("a"), timeout=0.01)


@mistake(Failure, "the handler of RequestGreet in Later returned without an answer: answer it, or")
def a_request_that_is_forgotten(context):
    context.serve(RequestGreet, lambda asked: mainstem.LATER, name="Later")
    context.request(RequestGreet("a"))


@mistake(RuntimeError, r"its callback is over: retain\(\) it there to answer it later")
def a_forgotten_retain(context):
    kept = []
    context.serve(RequestGreet, lambda asked: kept.append(asked) or mainstem.LATER, name="Later")
    context.request(RequestGreet("a"), then=print, failed=print)
    kept[0].event.respond(ResponseGreeting("b"))


# Threads, callbacks, the end


@mistake(MainstemError, r"WRONG_THREAD: .* use post\(…\), or a Context\(threads=\"any\"\)")
def another_thread(context):
    context.register(Said)
    on_another_thread(lambda: context.send(Said("a")))


@mistake(MainstemError, r"Said is not registered yet, .* call context.register\(Said\) there first")
def a_post_of_an_unknown_class(context):
    on_another_thread(lambda: context.post(Said("a")))


@mistake(MainstemError, "BUSY: request: it waits, and this is a callback of the context: use then=")
def a_request_in_a_callback(context):
    in_a_callback(context, lambda: context.request(RequestGreet("a")))


@mistake(MainstemError, "not allowed inside a callback .*: call it when the callback has returned")
def a_drain_in_a_callback(context):
    in_a_callback(context, context.drain)


@mistake(MainstemError, "STALE: send: context: the context is closed")
def a_send_after_the_close(context):
    with Context() as closed:
        closed.send(Said("a"))
    closed.send(Said("b"))


@mistake(MainstemError, "has accepted events: start recording before the first")
def a_late_recording(context):
    context.send(Said("a"))
    context.record("never.journal")


# Options


@mistake(TypeError, r'nothing waits for an observer that is called at once: say on="host" or on=')
def a_policy_without_a_queue(context):
    context.observe(Said, print, policy="block")


@mistake(TypeError, "request: failed= is for then=")
def failed_without_then(context):
    context.request(RequestGreet("a"), failed=print)


# asyncio


@mistake(AttributeError, "the answer has not come yet: await the request to read its 'text'")
def a_forgotten_await(context):
    async def work(loop):
        return loop.request(RequestGreet("a")).text

    asyncio.run(asynchronous(work))


@mistake(RuntimeError, r"async def handler needs `async with mainstem.Context\(\)`: there is no")
def an_async_handler_without_a_loop(context):
    @context.serve(RequestGreet)
    async def greet(asked):
        return ResponseGreeting(asked.name)


@mistake(TypeError, r"events\(\) are awaited: use `async for`")
def a_plain_loop_over_events(context):
    async def work(loop):
        for _ in loop.events(Said):
            pass

    asyncio.run(asynchronous(work))


#: Where a function is called and not awaited, by how it is named.
CALLED = {
    "progress=": lambda context, function: context.request(RequestGreet("a"), progress=function),
    "then=": lambda context, function: context.request(RequestGreet("a"), then=function),
    "failed=": lambda context, function: context.request(
        RequestGreet("a"), then=print, failed=function
    ),
    "on_gap=": lambda context, function: context.observe(Said, print, on="host", on_gap=function),
    "on_gap= of a mailbox": lambda context, function: context.mailbox(Said, on_gap=function),
    "on_exception=": lambda context, function: Context(on_exception=function),
    "on_wake's": lambda context, function: context.on_wake(function),
    "on_durable's": lambda context, function: context.on_durable(function),
    "on_settled's": lambda context, function: settled_in_a_handler(context, function),
    "trace's": lambda context, function: context.trace(function),
    "a stub's": lambda context, function: stubbed_by(function),
    "a test for seeds": lambda context, function: for_seeds(1)(function),
}


def stubbed_by(function):
    with TestContext() as test:
        test.stub(RequestGreet, function)


def settled_in_a_handler(context, function):
    context.serve(RequestGreet, lambda asked: asked.on_settled(function), name="Greeter")
    context.request(RequestGreet("a"))


async def awaited(*_):
    raise AssertionError("nobody awaits it")


class Awaited:
    async def __call__(self, *_):
        await awaited()


async def yielding(*_):
    yield await awaited()


@pytest.mark.parametrize("function", [awaited, functools.partial(awaited, 1), Awaited(), yielding])
@pytest.mark.parametrize("place", CALLED)
def test_an_async_function_is_refused_where_nothing_awaits_it(place, function, context):
    what = place.split(" of ")[0]

    with pytest.raises(TypeError, match=f"{what}.* is called, not awaited: give a plain function"):
        CALLED[place](context, function)


def test_an_object_with_an_async_call_is_a_handler_and_an_observer():
    seen = []

    class Greet:
        async def __call__(self, asked):
            await asyncio.sleep(0)
            seen.append(asked)
            return ResponseGreeting(f"Hello, {asked.name}!")

    async def main():
        async with Context(raises=True) as context:
            context.serve(RequestGreet, Greet(), name="Greeter")
            context.observe(RequestGreet, Greet())
            answer = await context.request(RequestGreet("Ada"))
            for _ in range(5):
                await asyncio.sleep(0)
            return answer

    assert asyncio.run(main()) == ResponseGreeting("Hello, Ada!")
    assert seen == [RequestGreet("Ada")] * 2


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_gets_a_sentence_that_says_what_to_do(name, context):
    function, kind, message = MISTAKES[name]

    with pytest.raises(kind, match=message):
        function(context)


def test_there_are_more_than_twenty():
    assert len(MISTAKES) > 20

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The test kit: what it lets pass, and each way in which it fails."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import mainstem
import pytest
from conftest import PACKAGE
from greeting import RequestGreet, ResponseGreeting, Said, Tapped
from mainstem import LATER, Failure, MainstemError, MainstemFailure
from mainstem.testing import NEVER, After, TestContext, for_seeds

ROOT = Path(__file__).resolve().parents[2]


def greet(request):
    if not request.name:
        raise Failure("NO_NAME", user_message="Please.", code=1001)
    return ResponseGreeting(f"Hello, {request.name}")


@pytest.fixture
def test():
    with TestContext() as made:
        made.register(Said, Tapped, RequestGreet)
        yield made


def told(call, *arguments):
    """What the kit says of a failure."""
    with pytest.raises(AssertionError) as raised:
        call(*arguments)
    return str(raised.value)


def test_what_was_expected_in_order_passes(test):
    test.serve(RequestGreet, greet)
    test.send(Said("one"))
    test.send(RequestGreet("Ada"))
    assert test.request(RequestGreet("Bob")).text == "Hello, Bob"
    with pytest.raises(Failure):
        test.request(RequestGreet(""))

    test.expect(Said("one"))
    test.expect("RequestGreet", b'{"name":"Ada"}')
    assert test.expect(ResponseGreeting("Hello, Ada")).cause == 2
    assert test.next(RequestGreet).name == "Bob"
    assert test.next("ResponseGreeting").answers == 4
    test.expect(RequestGreet(""))
    test.expect(Failure("NO_NAME", user_message="Please.", code=1001))
    test.expect_nothing()
    test.send(Said("what it is not about"))
    test.skip()


def test_another_event_is_a_failure_with_its_causes(test):
    test.serve(RequestGreet, greet)
    test.send(RequestGreet("Ada"))
    assert told(test.expect, RequestGreet("Bob")) == (
        "another event has happened\n"
        "  expected   RequestGreet(name='Bob')\n"
        '  but it was #1 RequestGreet {"name":"Ada"}\n'
        "    name: 'Bob' was expected, and it was 'Ada'"
    )
    assert told(test.expect, Said("Hello, Ada")) == (
        "another event has happened\n"
        "  expected   Said(words='Hello, Ada')\n"
        '  but it was #2 ResponseGreeting ok ← #1 greet {"text":"Hello, Ada"}\n'
        '      caused by #1 RequestGreet {"name":"Ada"}'
    )
    assert told(test.expect, Said("x")) == (
        "nothing more has happened\n"
        "  expected   Said(words='x')\n"
        '  last was   #2 ResponseGreeting ok ← #1 greet {"text":"Hello, Ada"}'
    )


@pytest.mark.parametrize(
    "wanted",
    [
        Failure("NO_NAME", user_message="Please."),
        Failure("NO", user_message="Please.", code=1001),
        Failure("NO_NAME", code=1001),
        Failure("NO_NAME", user_message="Please.", code=1001, subject="name"),
        ResponseGreeting(""),
    ],
)
def test_a_failure_is_expected_with_all_of_its_parts(test, wanted):
    test.serve(RequestGreet, greet)
    test.send(RequestGreet(""))
    test.expect(RequestGreet(""))
    assert "but it was #2 ResponseGreeting 1001" in told(test.expect, wanted)


def test_names_and_bytes_are_compared(test):
    for _ in range(4):
        test.send(Said("a"))
    assert "expected   Said b'b'" in told(test.expect, "Said", "b")
    assert "but it was #2 Said a" in told(test.expect, "Tapped", "a")
    assert "expected   Tapped" in told(test.next, Tapped)
    assert "but it was #4 Said a" in told(test.expect, Failure("a"))


def test_nothing_was_to_happen(test):
    test.send(Said("a"))
    test.send(Said("b"))
    assert told(test.expect_nothing) == (
        "nothing was expected to happen\n  but it did #1 Said a\n  but it did #2 Said b"
    )


def test_what_nobody_expected_fails_at_the_end_with_its_causes():
    test = TestContext()
    test.serve(RequestGreet, greet)
    test.send(RequestGreet("Ada"))
    test.next(RequestGreet)
    assert told(test.close) == (
        "something is left at the end of the test\n"
        '  nobody expected #2 ResponseGreeting ok ← #1 greet {"text":"Hello, Ada"}\n'
        '      caused by #1 RequestGreet {"name":"Ada"}'
    )
    assert test.closed
    test.close()


def test_a_long_chain_is_cut_in_its_middle(test):
    with test.observe(Tapped, lambda tap: tap.x < 20 and test.send(Tapped(tap.x + 1))):
        test.send(Tapped(0))
    said = told(test.expect_nothing)
    assert '  but it did #21 Tapped ← #20 {"x":20,"y":0}\n' in said
    assert '      …\n      caused by #1 Tapped {"x":0,"y":0}' in said


def test_what_is_in_flight_and_subscribed_fails_at_the_end():
    test = TestContext()
    test.register(Said)
    test.observe(Said, print)
    test.send_every(60, Said("kept"))
    test.keep()
    test.stub(RequestGreet, NEVER)
    test.request(RequestGreet("Ada"), then=print)
    test.next(RequestGreet)
    test.post(Said("posted"))
    test.send_after(1, Said("later"))
    test.observe(Said, print)
    assert told(test.close) == (
        "something is left at the end of the test\n"
        '  not answered: #1 RequestGreet {"name":"Ada"}\n'
        "  1 posted and not drained\n"
        "  1 still to come from timers\n"
        "  1 still subscribed (call keep() after the setup)"
    )


def test_what_a_server_observes_ends_with_it():
    with TestContext() as test:
        server = test.server("Server", {RequestGreet: greet})
        server.observe(Said, print)
    test = TestContext()
    test.scope("scope").observe(Said, print)
    assert "1 still subscribed" in told(test.close)


def test_an_error_in_the_block_is_told_alone():
    with pytest.raises(ZeroDivisionError), TestContext() as test:
        test.send(Said("a"))
        raise ZeroDivisionError
    assert test.closed


def test_what_a_callback_raises_is_raised_and_is_in_the_transcript(test):
    with test.observe(Said, lambda said: 1 / 0), pytest.raises(ZeroDivisionError):
        test.send(Said("a"))
    test.expect(Said("a"))
    assert test.next(MainstemFailure).count == 1


def test_a_test_context_has_no_loop():
    context = TestContext()

    async def enter():
        async with context:
            pass

    with pytest.raises(TypeError, match="virtual"):
        enter().send(None)
    context.close()


class Greeter:
    """A service."""

    @mainstem.handles(RequestGreet)
    def greet(self, request: RequestGreet) -> ResponseGreeting:
        return ResponseGreeting(request.name)


SERVERS = {
    "server": lambda test: test.server("S", {RequestGreet: greet}),
    "install": lambda test: test.install(Greeter()),
    "below a scope": lambda test: test.scope("Below").install(Greeter()),
    "service": lambda test: test.service(Greeter),
    "factory": lambda test: (test.factory("Cell", lambda scope, request: None), greeter(test)),
    "navigator": lambda test: (mainstem.Navigator(test).route("a", None), greeter(test)),
    "view model": lambda test: test.open(Serving()),
}


def greeter(test):
    test.install(Greeter())


class Serving(mainstem.ViewModel):
    @mainstem.handles(RequestGreet)
    def greet(self, request: RequestGreet) -> ResponseGreeting:
        return ResponseGreeting(request.name)


@pytest.mark.parametrize("install", SERVERS.values(), ids=SERVERS)
@pytest.mark.parametrize("keeps", ["never", "before", "after", "between", "late"])
def test_servers_may_be_there_whenever_keep_is_called(install, keeps):
    with TestContext() as test:
        if keeps == "before":
            test.keep()
        if keeps == "between":
            test.observe(Said, print)
            test.keep()
        install(test)
        if keeps == "after":
            test.observe(Said, print)
            test.keep()
        assert test.request(RequestGreet("x")).text
        if keeps == "late":
            test.observe(Said, print)
            test.keep()
        test.skip()


@pytest.mark.parametrize("install", SERVERS.values(), ids=SERVERS)
def test_an_observer_beside_a_server_is_told(install):
    test = TestContext()
    install(test)
    test.keep()
    assert test.request(RequestGreet("x")).text
    test.skip()
    test.observe(Said, print)
    assert "1 still subscribed" in told(test.close)


# One failure


def test_after_an_expectation_that_failed_the_end_says_nothing():
    for expect in ("expect", "next", "expect_nothing"):
        test = TestContext()
        test.observe(Said, print)
        test.send(Said("a"))
        test.send(Said("b"))
        given = {"expect": (Said("x"),), "next": (RequestGreet,), "expect_nothing": ()}[expect]
        told(getattr(test, expect), *given)
        test.close()


# Time


def test_time_is_in_the_tests_hands(test):
    with test.observe(Said, lambda said: said.words == "go" and test.send_after(1, Said("then"))):
        test.send_after(90, Said("go"))
        test.advance(90)
        test.expect(Said("go"))
        test.expect_nothing()
        test.advance(1)
        test.expect(Said("then"))
    with pytest.raises(MainstemError):
        test.advance(-1)


def test_a_request_that_waits_moves_time_on(test):
    test.stub(RequestGreet, [After(3600, ResponseGreeting("late")), NEVER, NEVER])
    assert test.request(RequestGreet("Ada")).text == "late"
    assert test.now() == 3600
    with pytest.raises(mainstem.RequestTimeout):
        test.request(RequestGreet("Ada"), timeout=60)
    assert test.now() == 3660
    assert told(test.request, RequestGreet("Bob")) == (
        'nobody answers #5 RequestGreet {"name":"Bob"}, however far time moves on'
    )
    test.skip()


def test_a_request_that_waits_sees_timers_at_their_time(test):
    kept = []
    test.server("Slow", {RequestGreet: lambda request: kept.append(request.retain()) or LATER})
    with test.observe(Said, lambda said: kept.pop().respond(ResponseGreeting(said.words))):
        test.send_after(2, Said("by a timer"))
        assert test.request(RequestGreet("Ada")).text == "by a timer"
    assert test.now() == 2
    test.skip()


def test_a_request_inside_a_callback_is_busy(test):
    ask = test.observe(Said, lambda said: test.request(RequestGreet("Ada")))
    with ask, pytest.raises(MainstemError, match="BUSY"):
        test.send(Said("a"))
    test.skip()


# Stubs


def test_a_stub_answers_in_order_and_knows_what_it_was_asked(test):
    stub = test.stub(RequestGreet, [ResponseGreeting("one"), Failure("NO"), b'{"text":"three"}'])
    for name in "abc":
        test.send(RequestGreet(name))
    test.next(RequestGreet)
    test.expect(ResponseGreeting("one"))
    test.next(RequestGreet)
    test.expect(Failure("NO"))
    test.next(RequestGreet)
    test.expect(ResponseGreeting("three"))
    assert stub.calls == 3
    assert [request.name for request in stub.requests] == ["a", "b", "c"]


def test_delayed_answers_come_in_order_of_their_time(test):
    answers = [After(0.05, ResponseGreeting("slow")), After(0.02, ResponseGreeting("fast"))]
    test.stub(RequestGreet, [*answers, After(0.02, Failure("SAME"))])
    for name in "abc":
        test.send(RequestGreet(name))
    test.skip()
    test.advance(0.019)
    test.expect_nothing()
    test.advance(1)
    assert test.expect(ResponseGreeting("fast")).cause == 0
    test.expect(Failure("SAME"))
    test.expect(ResponseGreeting("slow"))


@pytest.mark.parametrize(
    "asked, said",
    [(0, "was asked 0 times, and has 2 answers left"), (1, "and has 1 answers left"), (2, "")]
    + [(4, "was asked 4 times, 2 more than it has answers")],
)
def test_a_stub_that_is_asked_too_often_or_too_seldom_fails(asked, said):
    test = TestContext()
    test.stub(RequestGreet, [ResponseGreeting("a")] * 2)
    for _ in range(asked):
        test.send(RequestGreet("a"))
    test.skip()
    if said:
        assert f"the stub of RequestGreet {said}"[-len(said) :] in told(test.close)
    else:
        test.close()


def test_a_function_answers_any_number_of_times(test):
    test.stub(RequestGreet, lambda request: ResponseGreeting(request.name * 2))
    assert [test.request(RequestGreet(name)).text for name in "ab"] == ["aa", "bb"]
    test.skip()


# Seeds


def who_is_first(test):
    """Two wait for one event, the host and a worker: which of them gets it first."""
    order = []
    test.observe(Said, lambda said: order.append("host"), on="host")
    test.observe(Said, lambda said: order.append("worker"), on=test.serial("worker"))
    test.keep()
    test.send(Said("a"))
    test.expect(Said("a"))
    return order


def test_seeds_interleave_a_test_in_many_ways():
    seen = []

    @for_seeds(20)
    def both_get_it(test, more):
        order = who_is_first(test)
        test.advance()
        assert sorted(order) == ["host", "worker"]
        seen.append(order[0] + more)

    both_get_it("!")
    assert len(seen) == 20
    assert set(seen) == {"host!", "worker!"}
    assert list(inspect.signature(both_get_it).parameters) == ["more"]


def test_the_seed_that_failed_is_told_and_can_be_run_alone(monkeypatch):
    seeds = []

    @for_seeds(20, threads="any")
    def the_host_is_first(test):
        seeds.append(test.seed)
        order = who_is_first(test)
        test.advance()
        assert order[0] == "host", "the worker was first"

    said = told(the_host_is_first)
    assert said.startswith(f"with seed {seeds[-1]} (MAINSTEM_TEST_SEED={seeds[-1]} runs it alone)")
    assert "the worker was first" in said
    monkeypatch.setenv("MAINSTEM_TEST_SEED", str(seeds[-1]))
    assert told(the_host_is_first) == said
    assert seeds[-1] == seeds[-2]


def test_what_waits_for_a_scheduler_fails_at_the_end():
    test = TestContext()
    who_is_first(test)
    assert told(test.close) == (
        "something is left at the end of the test\n  something waits to be drained: advance()"
    )


def test_seeds_are_some():
    with pytest.raises(ValueError):
        for_seeds(0)


# What is written of it


def test_the_page_shows_what_is_run():
    page = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
    for language, file in (
        ("c", "examples/hello/hello_test.c"),
        ("python", "examples/hello/hello_test.py"),
        ("swift", "Tests/MainstemTests/MainstemTesting/GreeterTests.swift"),
    ):
        program = re.search(rf"```{language}\n(.*?)```", page, re.S).group(1)
        assert program in (ROOT / file).read_text(encoding="utf-8")


def test_the_example_passes_under_pytest():
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "hello_test.py"],
        cwd=ROOT / "examples" / "hello",
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        stdout=subprocess.PIPE,
        universal_newlines=True,
        timeout=60,
        check=False,
    )
    assert "2 passed" in ran.stdout, ran.stdout
    assert ran.returncode == 0

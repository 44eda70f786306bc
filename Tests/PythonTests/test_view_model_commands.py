# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Commands of view models: at once or in steps, one at a time or several, and what views see."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any, Iterator, List

import mainstem
import pytest
from greeting import keep_for_ever
from lookup import Lookup, RequestTimeline, ResponseTimeline, Session, Tweet
from mainstem import Context, Failure, MainstemError, Status
from mainstem._library import _callbacks
from mainstem.testing import After, TestContext


@pytest.fixture
def test() -> Iterator[TestContext]:
    before = _callbacks.kept()
    with TestContext() as test:
        yield test
        test.skip()
    assert _callbacks.kept() == before


class Saver(mainstem.ViewModel):
    """Saves what is written: each command has another policy."""

    done: str = mainstem.shown("")

    @mainstem.command
    async def save(self, text: str) -> str:
        return await self.work(text)

    @mainstem.command(policy="queue")
    async def queue(self, text: str) -> str:
        return await self.work(text)

    @mainstem.command(policy="latest")
    async def latest(self, text: str) -> str:
        return await self.work(text)

    @mainstem.command(policy="concurrent")
    async def both(self, text: str) -> str:
        return await self.work(text)

    async def work(self, text: str) -> str:
        self.done += f"{text}("
        try:
            await self.sleep(0.5)
        finally:
            self.done += f"{text})"
        return text.upper()


def test_a_command_is_enabled_by_a_value(test: TestContext) -> None:
    seen: List[bool] = []
    view = test.open(Lookup()).bind(go_enabled=seen.append)
    with pytest.raises(MainstemError) as refused:
        view.go()
    assert (refused.value.status, view.go.enabled) == (Status.DISABLED, False)
    view.username = "jack"
    assert (seen, view.go.enabled) == ([False, True], True)


def test_a_view_sees_that_a_command_is_executing(test: TestContext) -> None:
    test.stub(RequestTimeline, [After(1, ResponseTimeline((Tweet(1),)))])
    seen: List[bool] = []
    view = test.open(Lookup()).bind(**{"go.executing": seen.append})
    view.username = "jack"
    run = view.go()
    assert (seen, run.is_over, view.go.executing) == ([False, True], False, True)
    with pytest.raises(MainstemError) as refused:
        view.go()
    assert refused.value.status == Status.EXECUTING
    assert run.result() == 1
    assert (seen, test.now()) == ([False, True, False], 1)


def test_an_error_is_the_answer_and_is_shown(test: TestContext) -> None:
    test.stub(RequestTimeline, [Failure("NO_USER", user_message="Who?"), ResponseTimeline(())])
    errors: List[str] = []
    view = test.open(Lookup()).bind(go_error=errors.append)
    view.username = "jack"
    with pytest.raises(Failure, match="NO_USER"):
        view.go().result()
    assert view.go().result() == 0
    assert errors == ["", "Who?", ""]


def test_any_other_exception_is_reported_and_answers_too() -> None:
    told: List[str] = []

    class Broken(mainstem.ViewModel):
        count: int = mainstem.shown(0)

        @mainstem.command
        def at_once(self) -> None:
            self.count += 1
            raise ValueError("at once")

        @mainstem.command
        async def later(self) -> None:
            await self.sleep(0.001)
            self.count += 1
            raise ValueError("later")

    with mainstem.Context(on_exception=lambda error, _: told.append(str(error))) as context:
        view = context.open(Broken()).bind()
        with pytest.raises(Failure, match="at once"):
            view.at_once().result()
        with pytest.raises(Failure, match="later"):
            view.later().result()
        assert (told, view.count) == (["at once", "later"], 2)
        assert context.stats().failures == 2


def test_runs_wait_their_turn(test: TestContext) -> None:
    view = test.open(Saver()).bind()
    runs = [view.queue(text) for text in "abc"]
    assert [run.result() for run in runs] == ["A", "B", "C"]
    assert view.done == "a(a)b(b)c(c)"


def test_the_latest_run_cancels_the_one_before(test: TestContext) -> None:
    view = test.open(Saver()).bind()
    first, second = view.latest("a"), view.latest("b")
    with pytest.raises(Failure) as cancelled:
        first.result()
    assert cancelled.value.status == Status.CANCELLED
    assert second.result() == "B"
    assert view.done == "a(a)b(b)"


def test_runs_go_on_beside_each_other(test: TestContext) -> None:
    view = test.open(Saver()).bind()
    runs = [view.both(text) for text in "ab"]
    assert [run.result() for run in runs] == ["A", "B"]
    assert view.done == "a(b(a)b)"
    assert test.now() == 0.5


def test_a_run_that_is_given_up_stops_what_it_asked_for(test: TestContext) -> None:
    stopped: List[str] = []

    def serve(request: Any) -> Any:
        request.on_settled(lambda: stopped.append(request.username))
        return keep_for_ever(request)

    test.serve(RequestTimeline, serve)
    view = test.open(Lookup()).bind()
    view.username = "jack"
    run = view.go()
    assert run.cancel()
    assert (stopped, view.go.executing, view.go.error) == (["jack"], False, "")


def test_a_command_ends_with_its_view_model(test: TestContext) -> None:
    saver = Saver()
    view = test.open(saver).bind()
    run = view.save("a")
    mainstem.end(saver)
    with pytest.raises(Failure) as ended:
        run.result()
    assert ended.value.status == Status.CANCELLED
    assert saver.done == "a(a)"


def test_a_view_that_goes_leaves_the_run(test: TestContext) -> None:
    saver = test.open(Saver())
    view = saver.bind()
    run = view.save("a")
    mainstem.end(view)
    with pytest.raises(MainstemError):
        run.result()
    test.advance(1)
    assert saver.done == "a(a)"


def test_several_requests_go_on_at_once(test: TestContext) -> None:
    class Both(mainstem.ViewModel):
        count: int = mainstem.shown(0)

        @mainstem.command
        async def ask(self) -> int:
            one = self.request(RequestTimeline("one"))
            two = self.request(RequestTimeline("two"), timeout=5)
            await self.sleep(3)
            self.count = len((await one).tweets) + len((await two).tweets)
            return self.count

    test.stub(RequestTimeline, lambda asked: After(2, ResponseTimeline((Tweet(1),))))
    assert test.open(Both()).bind().ask().result() == 2
    assert test.now() == 3


def test_a_plain_method_asks_and_says_what_then(test: TestContext) -> None:
    class Plain(mainstem.ViewModel):
        name: str = mainstem.writable("")
        told: str = mainstem.shown("")

        @mainstem.on_write("name")
        def look(self, name: str) -> None:
            self.request(RequestTimeline(name), then=self.went, failed=self.sorry)

        def went(self, answer: ResponseTimeline) -> None:
            self.told = f"{len(answer.tweets)} tweets"

        def sorry(self, failure: Failure) -> None:
            self.told = str(failure)

    test.stub(RequestTimeline, [ResponseTimeline((Tweet(1),)), Failure("NO_USER")])
    view = test.open(Plain()).bind()
    view.name = "jack"
    assert view.told == "1 tweets"
    view.name = "jill"
    assert view.told == "NO_USER"


def test_a_command_awaits_that_of_another_view_model(test: TestContext) -> None:
    session = test.open(Session())

    class Login(mainstem.ViewModel):
        title: str = mainstem.shown("")

        @mainstem.command
        async def enter(self, name: str) -> None:
            self.title = await session.log_in(name, days=3)

    view = test.open(Login()).bind()
    view.enter("Ada").result()
    test.shows(view, title="Ada for 3")
    test.shows(session, state="in as Ada")


def test_a_command_goes_on_when_the_other_view_model_ends(test: TestContext) -> None:
    class Ward(mainstem.ViewModel):
        seen: str = mainstem.shown("")

        @mainstem.child
        def saver(self) -> Saver:
            return Saver()

        @mainstem.command
        async def save(self) -> None:
            saver = mainstem.open_child(self, "saver")
            try:
                self.seen = await saver.save("a")
            except Failure as failure:
                self.seen = f"{int(failure.status)}"
                raise

        @mainstem.command
        def close(self) -> None:
            mainstem.end(mainstem.open_child(self, "saver"))

    view = test.open(Ward()).bind()
    run = view.save()
    view.close().result()
    with pytest.raises(Failure):
        run.result()
    test.shows(view, seen=str(int(Status.CANCELLED)))
    for _ in range(2):
        before = _callbacks.kept(), test.stats().subscriptions
        view.save().result()
        view.close().result()
        assert (_callbacks.kept(), test.stats().subscriptions) == before
    test.shows(view, seen="A")


def test_opened_may_ask_and_sleep(test: TestContext) -> None:
    class Clock(mainstem.ViewModel):
        ticks: int = mainstem.shown(0)

        async def opened(self) -> None:
            while self.ticks < 3:
                self.ticks += 1
                await self.sleep(1)

    view = test.open(Clock()).bind()
    assert view.ticks == 1
    test.advance(5)
    assert view.ticks == 3


def test_a_command_is_awaited_in_a_loop() -> None:
    async def main() -> None:
        async with mainstem.Context() as context:

            async def serve(request: RequestTimeline) -> ResponseTimeline:
                await asyncio.sleep(0.001)
                return ResponseTimeline((Tweet(1, request.username),))

            context.serve(RequestTimeline, serve)
            view = context.open(Lookup()).bind()
            view.username = "jack"
            assert await view.go() == 1
            assert view.tweets == (Tweet(1, "jack"),)
            with pytest.raises(RuntimeError, match=r"is awaited: `await view\.go\(\)`"):
                view.go().result()

    asyncio.run(main())


def test_a_factory_opens_view_models_while_a_session_runs() -> None:
    with mainstem.Context(raises=True) as context:
        context.factory(Saver)
        context.factory(Session)
        window = context.scope("Window")
        number = window.open_instance("Saver")
        view = mainstem.view(window, Saver, number)
        assert view.save("a").result() == "A"
        window.end()
        assert context.view_models == {}


class Booking(mainstem.ViewModel):
    booked: str = mainstem.shown("")

    @mainstem.command
    def one(self, *, day: str) -> str:
        self.booked = day
        return day

    @mainstem.command
    def several(self, day: str, *, seats: int, name: str = "Ada") -> str:
        self.booked = f"{day} {seats} {name}"
        return self.booked


def test_a_command_takes_what_is_given_by_name_only():
    with Context(raises=True) as context:
        view = context.open(Booking()).bind()

        assert view.one(day="Monday").result() == "Monday"
        assert view.several("Monday", seats=2).result() == "Monday 2 Ada"
        assert view.several(day="Monday", seats=2, name="Bo").result() == "Monday 2 Bo"
        with pytest.raises(TypeError, match="Booking.several: too many positional arguments"):
            view.several("Monday", 2)
        assert view.booked == "Monday 2 Bo"


class Ticker(mainstem.Reactor):
    @dataclasses.dataclass(frozen=True)
    class State:
        count: int = 0

    state = State()

    @mainstem.action
    def up(self, by: int, *, twice: bool):
        yield by * (2 if twice else 1)

    @staticmethod
    def reduce(state, by: int):
        return Ticker.State(state.count + by)


def test_an_action_takes_what_is_given_by_name_only():
    with Context(raises=True) as context:
        view = context.open(Ticker()).bind()
        view.up(2, twice=True).result()
        assert view.count == 4


class Bell(mainstem.ViewModel):
    is_free: bool = mainstem.shown(False)
    rang = mainstem.pulse(str)
    stopped = mainstem.pulse()

    @mainstem.command(enabled="is_free")
    def ring(self) -> None:
        self.rang("ding")

    @mainstem.command
    def free(self) -> None:
        self.is_free = True


def test_a_command_of_the_view_model_itself_says_whether_it_is_enabled():
    bell = Bell()
    with pytest.raises(AttributeError, match="a command has no 'enabled' here"):
        bell.ring.enabled  # noqa: B018

    with Context(raises=True) as context:
        context.open(bell).bind().free().result()
        assert bell.ring.enabled is True
        with pytest.raises(AttributeError, match="a command has no 'count' here"):
            bell.ring.count  # noqa: B018


def test_a_pulse_says_what_it_tells():
    bell = Bell()
    with pytest.raises(TypeError, match="Bell.rang tells one str, not 0 values"):
        bell.rang()
    with pytest.raises(TypeError, match="Bell.stopped tells nothing, not 1 values"):
        bell.stopped("ding")
    with pytest.raises(TypeError, match="Bell.rang: expected str, got int"):
        bell.rang(5)
    bell.rang("ding")
    bell.stopped()

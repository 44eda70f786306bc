# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Reactors in Python; A-40 is in test_reactor_feed.py. A-36, A-37 and A-40 are played by
test_reactor_script.py, too."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import gc
import weakref
from typing import Any, AsyncIterator, Generic, Iterator, List, Optional, Tuple, TypeVar

import mainstem
import pytest
from mainstem import Failure, Status
from mainstem.testing import TestContext, stub_reactor
from reactors import (
    Alerts,
    Count,
    Counter,
    Feed,
    Loading,
    Page,
    Pages,
    RequestPage,
    ResponsePage,
    Stopwatch,
)


@dataclasses.dataclass(frozen=True)
class Text:
    text: str = "i"


class Staged(mainstem.Reactor):
    """Each stage writes its letter behind the text."""

    state = Text()

    def __init__(self) -> None:
        self.stages: List[str] = []

    @mainstem.action
    def go(self, text: str) -> Iterator[str]:
        self.stages.append("mutate")
        yield f"{text}m"

    @mainstem.action
    def spell(self, letters: str) -> Iterator[str]:
        yield from letters

    @staticmethod
    def reduce(state: Text, text: str) -> Text:
        return Text(f"{text}r")

    def transform_action(self, name: str, given: Tuple[Any, ...]) -> Optional[Tuple[Any, ...]]:
        self.stages.append(f"transform({name})")
        return None if given == ("-",) else (f"{given[0]}A",)

    def transform_mutation(self, text: str) -> Optional[str]:
        self.stages.append("transform(mutation)")
        return None if text == "-" else f"{text}M"

    def transform_state(self, state: Text) -> Text:
        self.stages.append("transform(state)")
        return Text(f"{state.text}S")

    def mutated(self, text: str) -> None:
        self.stages.append(f"reduced {self.state.text}")


def test_a_31_the_stages_have_an_order() -> None:
    with mainstem.Context(raises=True) as context:
        staged = context.open(Staged())
        seen: List[str] = []
        view = staged.bind(text=seen.append)
        assert staged.stages == ["transform(state)"]
        staged.stages.clear()
        view.go("ax")
        stages = ["transform(go)", "mutate", "transform(mutation)", "reduced axAmMr"]
        assert staged.stages == [*stages, "transform(state)"]
        view.go("-")
        assert seen == ["iS", "axAmMrS"]
        assert staged.state == Text("axAmMr")


def test_a_mutation_that_is_left_out_does_not_end_its_action() -> None:
    with mainstem.Context(raises=True) as context:
        staged = context.open(Staged())
        seen: List[str] = []
        view = staged.bind(text=seen.append)
        view.spell("a-b-")
        assert seen == ["iS", "AMrS"]


@pytest.mark.parametrize("name", ["mutate", "opened", "bind"])
def test_a_name_that_a_reactor_has_is_no_field_of_its_state(name: str) -> None:
    state = dataclasses.make_dataclass("State", [(name, int, 0)], frozen=True)
    with pytest.raises(TypeError, match=f"{name}: a reactor has one: take another name"):
        type(
            "Taken", (mainstem.Reactor,), {"state": state(), "reduce": staticmethod(lambda s, m: s)}
        )


class Letters(mainstem.Reactor):
    """Appends each letter by a mutation of its own."""

    state = Text("")

    @mainstem.action
    def append(self, letters: str) -> Iterator[str]:
        for letter in letters:
            yield self.state.text + letter

    @mainstem.action
    def fail(self) -> Iterator[str]:
        yield "kept"
        raise Failure("NO", user_message="Not now.")

    @staticmethod
    def reduce(state: Text, text: str) -> Text:
        if text.endswith("!"):
            raise ValueError("too loud")
        return Text(text)


def test_a_32_and_33_each_mutation_sees_the_one_before_and_a_late_view_the_latest() -> None:
    with mainstem.Context(raises=True) as context:
        letters = context.open(Letters())
        view = letters.bind()
        for text in ("ab", "c", "def"):
            view.append(text)
        seen: List[str] = []
        letters.bind(text=seen.append)
        assert seen == ["abcdef"]


def test_a_35_a_failure_ends_its_run_only() -> None:
    raised: List[BaseException] = []
    with mainstem.Context(on_exception=lambda error, event: raised.append(error)) as context:
        seen: List[str] = []
        view = context.open(Letters()).bind(text=seen.append, fail_error=seen.append)
        with pytest.raises(Failure, match="Not now"):
            view.fail().result()
        with pytest.raises(Failure, match="too loud"):
            view.append("s!t").result()
        view.append("s")
        assert seen == ["", "", "kept", "Not now.", "kepts", "keptss"]
    assert [str(error) for error in raised] == ["too loud"]


def test_a_36_a_stopwatch_stops_at_a_later_action() -> None:
    with mainstem.Context(clock="virtual", raises=True) as context:
        seen: List[int] = []
        view = context.open(Stopwatch()).bind(seconds=seen.append)
        context.advance(1)
        run = view.start()
        context.advance(3.999)
        view.stop()
        context.advance(1.001)
        view.start()
        context.advance(2.999)
        view.stop()
        context.advance(9)
        assert seen == [0, 1, 2, 3, 4, 5]
        with pytest.raises(Failure) as refused:
            run.result()
        assert refused.value.status == Status.CANCELLED


def test_a_37_a_pulse_is_seen_each_time() -> None:
    with mainstem.Context(raises=True) as context:
        seen: List[str] = []
        view = context.open(Alerts()).bind(alert=seen.append)
        for text in ("1", "+", "", "2", "", "+", "", "3", "3"):
            view.tell(text)
        assert seen == ["1", "2", "3", "3"]


def test_a_39_a_stub_shows_what_a_test_says() -> None:
    with TestContext() as test:
        counter = test.open(Counter())
        seen: List[Any] = []
        actions: List[str] = []
        up, down = (
            test.observe(name, lambda event: actions.append(event.name), of=counter.scope)
            for name in ("Counter.up", "Counter.down")
        )
        view = counter.bind(count=seen.append, mutation=seen.append)
        stub_reactor(counter)
        view.up()
        for count in (7, 7, 9):
            stub_reactor(counter, Count(count))
        view.down()
        assert seen == [0, 7, 9]
        assert actions == ["Counter.up", "Counter.down"]
        up.cancel()
        down.cancel()
        test.shows(view, count=9)


def test_xr_04_the_state_is_there_when_a_view_sees_it() -> None:
    with mainstem.Context(raises=True) as context:
        counter = context.open(Counter())
        seen: List[Tuple[int, int]] = []
        view = counter.bind(count=lambda count: seen.append((count, counter.state.count)))
        view.up()
        view.up()
        assert seen == [(0, 0), (1, 1), (2, 2)]


def test_xr_13_a_reactor_that_has_ended_is_let_go() -> None:
    with mainstem.Context(clock="virtual", raises=True) as context:
        watch = context.open(Stopwatch())
        view = watch.bind()
        run = view.start()
        kept = weakref.ref(watch), weakref.ref(view)
        mainstem.end(view)
        watch.scope.end()
        del watch, view, run
        gc.collect()
        assert [ref() for ref in kept] == [None, None]
        assert context.stats().timers == 0


Step = TypeVar("Step")


class Summing(mainstem.Reactor, Generic[Step]):
    """What several reactors have in common: an action that mutates by what it is given."""

    state = Count()

    @mainstem.action
    def add(self, text: str) -> Iterator[Any]:
        yield self.step(text)

    def step(self, text: str) -> Step:
        raise NotImplementedError

    @staticmethod
    def reduce(state: Count, by: Any) -> Count:
        return Count(state.count + int(by))


class Numbers(Summing[int]):
    def step(self, text: str) -> int:
        return int(text)


class Lengths(Summing[int]):
    def step(self, text: str) -> int:
        return len(text)

    @mainstem.action
    def twice(self, text: str) -> Iterator[int]:
        yield from (self.step(text), self.step(text))


def test_xr_a_reactor_is_subclassed() -> None:
    with mainstem.Context(raises=True) as context:
        numbers, lengths = context.open(Numbers()).bind(), context.open(Lengths()).bind()
        numbers.add("40")
        lengths.add("40")
        lengths.twice("four")
        assert (numbers.count, lengths.count) == (40, 10)
        with pytest.raises(AttributeError):
            numbers.twice("four")


def test_a_reactor_is_tested_as_a_value() -> None:
    counter = Counter()
    assert list(counter.up()) == [1]
    assert functools.reduce(Counter.reduce, [1, 1, -1], Count()) == Count(1)
    counter.mutate(5)
    assert counter.count == 5
    assert Feed.reduce(Pages(), Loading(True)).is_loading


def test_mutations_say_what_they_are() -> None:
    with mainstem.Context(raises=True) as context:
        seen: List[Any] = []
        feed = context.open(Feed())
        view = feed.bind(mutation=seen.append)
        lines: List[str] = []
        context.trace(lines.append)
        context.serve(RequestPage, lambda request: Failure("OFFLINE", user_message="Offline."))
        view.refresh()
        assert any(
            "Feed.mutation" in line and '{"loading":{"isOn":true}}' in line for line in lines
        )
        assert seen[0] == Loading(True)
        assert type(feed).__mainstem_model__.rows["mutation"].form.decode(
            b'{"page":{"number":1,"items":"a"}}'
        ) == Page(1, "a")


class Session(mainstem.ViewModel):
    user: str = mainstem.writable("")


class Greeting(mainstem.Reactor):
    """Merges what another view model shows."""

    state = Text("nobody")

    @mainstem.observes(Session, "user")
    def changed(self, user: str) -> None:
        self.mutate(f"Hello, {user}!")

    @mainstem.action
    async def forever(self) -> AsyncIterator[str]:
        try:
            await self.sleep(3600)
            yield "never"
        finally:
            self.mutate("stopped")

    @staticmethod
    def reduce(state: Text, text: str) -> Text:
        return Text(text)


def test_what_comes_from_elsewhere_is_merged() -> None:
    with mainstem.Context(raises=True, clock="virtual") as context:
        session = context.open(Session()).bind()
        seen: List[str] = []
        view = context.open(Greeting()).bind(text=seen.append)
        session.user = "Ada"
        run = view.forever()
        run.cancel()
        assert seen == ["Hello, !", "Hello, Ada!", "stopped"]


def test_only_mutations_change_the_state() -> None:
    with mainstem.Context() as context:
        counter = context.open(Counter())
        with pytest.raises(RuntimeError, match="only mutations"):
            counter.state = Count(7)
        with pytest.raises(RuntimeError, match="outside of its own methods"):
            counter.mutate(1)
        assert counter.count == 0


def test_a_class_that_is_no_reactor_is_refused() -> None:
    with pytest.raises(TypeError, match="no frozen dataclass"):

        class Loose(mainstem.Reactor):
            state = [1]

            @staticmethod
            def reduce(state: List[int], by: int) -> List[int]:
                return [*state, by]

    with pytest.raises(TypeError, match="no command"):

        class Ended(Counter):
            @mainstem.action(cancelled_by="upp")
            def over(self) -> None: ...


def add(context: mainstem.Context) -> Tuple[Feed, Stopwatch]:
    """The program: without its views."""

    def answer(request: RequestPage) -> ResponsePage:
        if context.random() % 4 == 0:
            raise Failure("OFFLINE", user_message="Offline.")
        return ResponsePage("" if request.number > 3 else f"{request.number}")

    context.serve(RequestPage, answer, name="Pages")
    return context.open(Feed()), context.open(Stopwatch())


def test_sessions_of_reactors_verify(tmp_path: Any) -> None:
    path = str(tmp_path / "session.journal")
    lines: List[str] = []
    with mainstem.Context(clock="virtual") as context:
        context.record(path)
        feed, watch = (reactor.bind() for reactor in add(context))
        context.observe(lambda event: lines.append(str(event)))
        for step in range(40):
            run = (feed.refresh, feed.more, watch.start, feed.more, watch.stop)[step % 5]
            with contextlib.suppress(mainstem.MainstemError):
                run()
            context.advance(0.7)
    again: List[str] = []
    with mainstem.Context(clock="virtual") as context:
        with context.replay(path, verify=True) as replay:
            add(context)
            context.observe(lambda event: again.append(str(event)))
            replay.to_end()
        assert again == lines


def test_a_delay_that_is_left_at_the_end_of_a_test_is_explained() -> None:
    test = TestContext()
    stopwatch = test.open(Stopwatch())
    stopwatch.bind().start()
    test.advance(1.5)
    with pytest.raises(AssertionError) as left:
        test.close()
    said = "Stopwatch sleeps for 1 s (`await self.sleep`): advance, or end it"
    assert said in str(left.value) and "timers" not in str(left.value)


def test_a_reactor_that_ends_while_it_sleeps_leaves_nothing() -> None:
    with TestContext() as test:
        stopwatch = test.open(Stopwatch())
        stopwatch.bind().start()
        test.advance(1.5)
        mainstem.end(stopwatch)
        test.advance(3)

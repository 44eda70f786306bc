# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""View models are recorded and verified: what a view writes and runs is in the journal."""

from __future__ import annotations

from typing import Any, List

import mainstem
import pytest
from lookup import Lookup, RequestTimeline, ResponseTimeline, Session, Tweet

TWEETS = (Tweet(1, "one"), Tweet(2, "two"))


class Window(mainstem.ViewModel):
    """Opened by a factory: asks, sleeps, and runs a command of another."""

    title: str = mainstem.shown("")
    closed: int = mainstem.shown(0)

    async def opened(self) -> None:
        await self.sleep(0.01)
        self.title = f"{self.context.random() % 1000}"

    @mainstem.observes(Session, "state")
    def changed(self, state: str) -> None:
        self.title = state

    @mainstem.child
    def dialog(self) -> Lookup:
        return Lookup()

    @mainstem.child_ended("dialog")
    def ended(self, dialog: Lookup) -> None:
        self.closed += 1

    @mainstem.command(policy="latest")
    async def log_in(self, name: str) -> str:
        await self.sleep(0.01)
        session = next(one for one in self.context.view_models.values() if isinstance(one, Session))
        return await session.log_in(name)


def add(context: mainstem.Context, prefix: str = "") -> Lookup:
    """The program: without its views."""

    def answer(request: RequestTimeline) -> ResponseTimeline:
        tweets = (*TWEETS, Tweet(3, prefix + request.username))
        return ResponseTimeline(tweets[len(request.username) % 2 :])

    context.serve(RequestTimeline, answer, name="Twitter")
    context.factory(Window)
    context.open(Session())
    return context.open(Lookup())


def play(context: mainstem.Context, lookup: Lookup, seen: List[Any]) -> None:
    """What users do."""
    view = lookup.bind(username=seen.append, cells=lambda cells: seen.append(len(cells)))
    view.username = " jack"
    view.go().result()
    view.cells[0].bind().like().result()
    view.username = "joe"
    view.go().result()
    with context.scope("Desk") as desk:
        window = mainstem.view(desk, Window, desk.open_instance("Window"), title=seen.append)
        context.advance(0.02)
        first, second = window.log_in("Ada"), window.log_in("Bob")
        context.advance(0.1)
        assert (first.is_over, second.result()) == (True, "Bob for 1")
        dialog = mainstem.open_child(window, "dialog").result()
        dialog.bind().username = "jill"
        dialog.bind().go().result()
        mainstem.end(dialog)
        assert window.closed == 1


def test_a_session_of_view_models_verifies(tmp_path: Any) -> None:
    path, seen, lines = str(tmp_path / "session.journal"), [], []
    with mainstem.Context(clock="virtual", raises=True) as context:
        context.record(path)
        lookup = add(context)
        context.observe(lambda event: lines.append(str(event)))
        play(context, lookup, seen)
        last = context.stats().events
    assert "in as Bob" in seen
    for verify in (True, False):
        again: List[str] = []
        with mainstem.Context(clock="virtual", raises=True) as context:
            with context.replay(path, verify=verify) as replay:
                lookup = add(context)
                context.observe(lambda event, again=again: again.append(str(event)))
                replay.to_end()
                assert replay.info.position == last
            assert again == lines
            if verify:
                assert (lookup.username, lookup.likes) == ("joe", 1)
                assert lookup.bind().likes == 1


def test_a_view_model_that_has_changed_differs(tmp_path: Any) -> None:
    path, seen = str(tmp_path / "session.journal"), []
    with mainstem.Context(clock="virtual") as context:
        context.record(path)
        play(context, add(context), seen)
    with mainstem.Context(clock="virtual") as context, context.replay(path, verify=True) as replay:
        add(context, "other ")
        with pytest.raises(mainstem.Different, match="ResponseTimeline"):
            replay.to_end()


def test_a_view_writes_and_runs_nothing_in_a_replay(tmp_path: Any) -> None:
    path = str(tmp_path / "session.journal")

    def program(context: mainstem.Context) -> Lookup:
        lookup = add(context)
        view = lookup.bind(go_enabled=lambda on: on and view.go())
        view.username = "jack"
        return lookup

    with mainstem.Context() as context:
        context.record(path)
        assert program(context).tweets == TWEETS[:0] + (*TWEETS, Tweet(3, "jack"))
    with mainstem.Context() as context, context.replay(path, verify=True) as replay:
        lookup = program(context)
        with pytest.raises(mainstem.MainstemError, match="replaying: the answer is in the journal"):
            lookup.bind().go().result()
        replay.to_end()
        assert len(lookup.tweets) == 3


class Meter(mainstem.ViewModel):
    """Opened by a factory, so a muted replay does not make it."""

    level: int = mainstem.shown(0)
    alarm = mainstem.pulse(str)

    @mainstem.command
    def up(self) -> None:
        self.level += 1


def metered(path: str) -> List[int]:
    """Records a session of two meters, one after the other. Returns the numbers of their scopes."""
    numbers = []
    with mainstem.Context(clock="virtual", raises=True) as context:
        context.record(path)
        context.factory(Meter)
        for runs in (2, 1):
            with context.scope("Desk") as desk:
                numbers.append(desk.open_instance("Meter"))
                view = mainstem.view(desk, Meter, numbers[-1])
                for _ in range(runs):
                    view.up().result()
    return numbers


def shown_again(context: mainstem.Context, replay: mainstem.Replay, number: int) -> List[Any]:
    """Views a meter from its opening to its end, and returns what was seen."""
    seen: List[Any] = []
    while not (meter := context.find_scope(number)):
        assert replay.step()
    with context.scope("Desk", sends="view", observes=["view", "viewmodel"]) as desk:
        # Nobody was alarmed, so no event of this type is known.
        mainstem.view(desk, Meter, meter, level=seen.append, alarm=seen.append)
        while context.find_scope(number):
            assert replay.step()
        with pytest.raises(mainstem.MainstemError, match="STALE"):
            meter.number  # noqa: B018
    return seen


def test_a_muted_replay_shows_what_views_have_seen(tmp_path: Any) -> None:
    path = str(tmp_path / "session.journal")
    numbers = metered(path)
    context = mainstem.Context(clock="virtual", raises=True)
    with context, context.replay(path) as replay:
        context.factory(Meter)
        assert context.find_scope(numbers[0]) is None
        scopes = context.stats().scopes
        seen = [shown_again(context, replay, number) for number in numbers]
        assert seen == [[0, 1, 2], [0, 1]]
        replay.to_end()
        assert [context.find_scope(number) for number in numbers] == [None, None]
        assert context.stats().scopes == scopes


def test_a_verification_has_no_scopes_but_its_own(tmp_path: Any) -> None:
    path = str(tmp_path / "session.journal")
    numbers = metered(path)
    context = mainstem.Context(clock="virtual", raises=True)
    with context, context.replay(path, verify=True) as replay:
        context.factory(Meter)
        assert context.find_scope(numbers[0]) is None
        replay.to_end()

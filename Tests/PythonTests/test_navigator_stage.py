# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The stage: it answers late, never, with an error, or what it shows is gone meanwhile."""

from __future__ import annotations

import asyncio
import contextlib

import mainstem
import pytest
from mainstem import Failure, Status
from mainstem.testing import NEVER, After, RecordingStage
from navigating import App, opened, session, verified


def test_a_show_may_be_answered_later(tmp_path):
    with session(tmp_path, answers=[None, After(0.3, None)]) as app:
        app.open("home")
        told = app.open("diary/7")
        app.context.advance(0.299)
        assert told == []
        app.context.expect_tree("home")
        app.context.advance(0.001)
        opened(told)
        app.context.expect_tree("home\n  diary/7")


def test_moves_wait_for_the_stage(tmp_path):
    with session(tmp_path, answers=[None, After(1, None), After(1, None)]) as app:
        app.open("home")
        tolds = [app.open("diary/1"), app.open("diary/2"), app.ask(app.nav.pop)]
        # A pop means what is there when it is asked for: nothing is below yet.
        assert tolds == [[], [], [Status.INVALID]]
        app.context.expect_shown("home", "diary/1")
        app.context.advance(1)
        app.context.expect_shown("diary/2")
        opened(tolds[0])
        assert tolds[1] == []
        app.context.advance(1)
        opened(tolds[1])


def test_a_stage_that_fails_is_the_answer_and_a_hide_follows(tmp_path):
    with session(tmp_path, answers=[None, Failure("NO_WINDOW", code=1002)]) as app:
        app.open("home")
        before = app.context.stats()
        assert app.open("diary/7") == [1002]
        app.context.expect_hidden("diary/7")
        app.context.expect_tree("home")
        after = app.context.stats()
        assert (after.scopes, after.subscriptions) == (before.scopes, before.subscriptions)


def test_a_stage_that_never_answers_is_given_up(tmp_path):
    with session(tmp_path, answers=[None, NEVER], show_timeout=2) as app:
        app.open("home")
        told, next_one = app.open("diary/7"), app.open("signin")
        app.context.advance(1.999)
        assert (told, next_one) == ([], [])
        app.context.advance(0.001)
        assert told == [Status.TIMEOUT]
        app.context.advance()
        opened(next_one)
        app.context.expect_hidden("diary/7")
        app.context.expect_tree("home\n  signin")


def test_an_answer_that_is_too_late_changes_nothing(tmp_path):
    with session(tmp_path, answers=[None, After(3, None)], show_timeout=2) as app:
        app.open("home")
        assert app.open("diary/7") == []
        app.context.advance(5)
        app.context.expect_tree("home")
        app.context.expect_shown("home", "diary/7")
        app.context.expect_hidden("diary/7")


def test_shown_answers_for_a_stage_that_kept_nothing(tmp_path):
    with session(tmp_path, answers=[NEVER]) as app:
        told = app.open("home")
        [component] = app.stage.components.values()
        app.nav.shown(component)
        app.context.advance()
        opened(told)
        assert app.nav.tree == [component]


def test_a_gesture_during_a_show_gives_it_up(tmp_path):
    with session(tmp_path, answers=[None, NEVER]) as app:
        app.open("home")
        told = app.open("diary/7")
        *_, number = app.stage.components
        app.nav.gone(number)
        app.context.advance()
        assert told == [Status.CANCELLED]
        app.context.expect_tree("home")
        opened(app.open("diary/8"))


def test_what_it_stands_on_is_gone_during_a_show(tmp_path):
    with session(tmp_path, answers=[None, None, NEVER]) as app:
        app.open("home")
        app.open("diary/1")
        told = app.ask(app.of("diary/1").open, "pick/x")
        app.nav.gone(app.number("diary/1"))
        app.context.advance()
        assert told == [Status.CANCELLED]
        app.context.expect_tree("home")
        app.context.expect_hidden("pick/x")


def test_who_cancels_an_open_takes_it_back(tmp_path):
    with session(tmp_path, answers=[None, NEVER]) as app:
        app.open("home")
        told = []
        pending = app.nav.open(
            "diary/7", then=told.append, failed=lambda one: told.append(one.status)
        )
        app.context.advance()
        assert pending.cancel()
        app.context.advance()
        assert told == [Status.CANCELLED]
        app.context.expect_hidden("diary/7")
        app.context.expect_tree("home")
        told = []
        pending = app.nav.open("diary/8", opened=told.append)
        app.context.advance()
        assert len(told) == 1
        pending.cancel()
        app.context.advance()
        app.context.expect_tree("home\n  diary/8")


@pytest.mark.parametrize("answers", [[None, NEVER], [None, None, NEVER], [NEVER]])
def test_a_session_that_closes_during_a_show_verifies(tmp_path, answers):
    path = str(tmp_path / "session.journal")
    told = []
    with mainstem.Context(clock="virtual", seed=1) as context:
        context.record(path)
        app = App(context, RecordingStage(*answers))
        app.nav.ready()
        for url in ("home", "diary/7", "pick/x"):
            app.nav.open(url, then=told.append, failed=lambda one: told.append(one.status))
        context.drain()
    assert told == [Status.CANCELLED] * 3
    verified(path)


def test_an_exception_of_a_plain_stage_is_its_error():
    class Broken:
        def show(self, component):
            raise ValueError("no window")

        def hide(self, components):
            raise ValueError("no window either")

    caught = []
    with mainstem.Context(on_exception=lambda error, event: caught.append(str(error))) as context:
        app = App(context, Broken())
        told = []
        app.nav.open("home", then=told.append, failed=lambda one: told.append(one.message))
        context.drain()
        assert "no window" in told[0]
        assert app.nav.tree == []
    assert caught == ["no window", "no window either"]


@pytest.mark.parametrize("is_first", [True, False], ids=["added before", "added after"])
def test_a_muted_replay_draws_the_tree(is_first, tmp_path):
    with session(tmp_path) as app:
        app.open("home")
        app.open("diary/7")
        app.ask(app.of("home").open, "users")
        app.open("signin")
        app.nav.gone(app.nav.top)
        app.context.advance()
        app.ask(app.nav.replace_root, "diary")
        drawn = (app.stage.shown, app.stage.hidden)
        left, position = [one.number for one in app.nav.tree], app.context.stats().events
    stage = RecordingStage()
    with mainstem.Context() as context, contextlib.ExitStack() as stack:
        if is_first:
            App(context, stage)
        replay = stack.enter_context(context.replay(str(tmp_path / "session.journal")))
        if not is_first:
            App(context, stage)
        replay.seek(position)
        context.drain()
        assert stage.shown == drawn[0]
        assert list(stage.components) == left
        # What the user has taken away is hidden, too.
        assert stage.hidden == ["signin", *drawn[1]]


def test_an_async_stage_is_drawn_in_a_muted_replay(tmp_path):
    with session(tmp_path) as app:
        app.open("home")
        app.open("diary/7")
        position = app.context.stats().events

    class Stage:
        shown = []

        async def show(self, component):
            self.shown.append(component.url)

        async def hide(self, components):
            self.shown.append(len(components))

    async def main():
        async with mainstem.Context() as context:
            with context.replay(str(tmp_path / "session.journal")) as replay:
                App(context, Stage())
                replay.seek(position)
                await asyncio.sleep(0.01)
                context.drain()
                await asyncio.sleep(0)
                assert Stage.shown == ["home", "diary/7"]

    asyncio.run(main())

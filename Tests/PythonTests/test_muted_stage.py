# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A stage draws a muted replay, and is a stage like any when the program goes on."""

from __future__ import annotations

import asyncio

import mainstem
import pytest
from mainstem import Failure
from mainstem.testing import RecordingStage, TestContext
from navigating import App, session


@pytest.fixture
def recorded(tmp_path):
    """The path of a session with two screens, and the position at which they were there."""
    with session(tmp_path) as app:
        app.open("home")
        app.open("diary/7")
        position = app.context.stats().events
    return str(tmp_path / "session.journal"), position


def gone_on(app):
    """Opens a screen live, and returns what the stage was told since the last time."""
    app.stage.shown.clear()
    app.nav.open("diary/8", then=print, failed=print, opened=print)
    app.context.drain()
    return app.stage.shown


@pytest.mark.parametrize("steps", [0, 1, "all"])
@pytest.mark.parametrize("is_first", [True, False], ids=["added before", "added in it"])
def test_a_stage_goes_on_live(recorded, is_first, steps):
    path, position = recorded
    with mainstem.Context() as context:
        app = App(context, RecordingStage()) if is_first else None
        with context.replay(path) as replay:
            app = app or App(context, RecordingStage())
            replay.seek(position if steps == "all" else steps)
        context.drain()
        assert app.stage.shown == (["home", "diary/7"] if steps == "all" else [])
        assert gone_on(app) == ["diary/8"]
        assert gone_on(app) == ["diary/8"]


def test_an_owner_is_found_while_it_is_drawn(recorded):
    path, position = recorded
    found = []

    class Windows:
        def show(self, component):
            found.append(component.request.scope.context.find_scope(component.owner) is not None)

        def hide(self, components):
            pass

    with mainstem.Context() as context:
        App(context, Windows())
        with context.replay(path) as replay:
            replay.to_end()
        assert found == [True, True]


def expect_stale(answer, *arguments):
    with pytest.raises(mainstem.MainstemError) as raised:
        answer(*arguments)
    assert raised.value.status == mainstem.Status.STALE


def test_what_was_drawn_cannot_be_answered(recorded):
    path, _ = recorded
    kept = []

    class Slow:
        def show(self, component):
            kept.append((component, component.request.retain()))
            return mainstem.LATER

        def hide(self, components):
            pass

    with mainstem.Context() as context:
        app = App(context, Slow())
        with context.replay(path) as replay:
            replay.to_end()
        events = context.stats().events
        assert len(kept) == 2
        for component, request in kept:
            expect_stale(request.respond, b"")
            expect_stale(request.respond, Failure("NO_WINDOW"))
            expect_stale(app.nav.shown, component)
        context.drain()
        assert context.stats().events == events


class Broken:
    def __init__(self, error):
        self.error = error

    def show(self, component):
        raise self.error

    def hide(self, components):
        raise self.error


@pytest.mark.parametrize("error", [ValueError("no glass"), Failure("NO_WINDOW")])
def test_a_stage_that_raises_has_failed(recorded, error):
    path, position = recorded
    caught = []
    with mainstem.Context(on_exception=lambda error, event: caught.append(error)) as context:
        App(context, Broken(error))
        with context.replay(path) as replay:
            replay.seek(position)
            assert caught == [error, error]
            assert context.stats().failures == 2
            assert context.stats().events == position
        assert context.first_error() is None


@pytest.mark.parametrize("error", [ValueError("no glass"), Failure("NO_WINDOW")])
def test_the_kit_raises_what_a_stage_raises_and_nothing_else(recorded, error):
    path, _ = recorded
    with TestContext() as test, test.replay(path) as replay:
        App(test, Broken(error))
        with pytest.raises(type(error)) as raised:
            replay.to_end()
        assert raised.value is error
        test.skip()


@pytest.mark.parametrize("error", [ValueError("no glass"), Failure("NO_WINDOW")])
def test_what_an_async_stage_raises_is_reported(recorded, error):
    path, position = recorded
    caught = []

    class Slow(Broken):
        async def show(self, component):
            await asyncio.sleep(0)
            raise self.error

        async def hide(self, components):
            raise self.error

    async def main():
        async with mainstem.Context(
            on_exception=lambda error, event: caught.append((error, event.name))
        ) as context:
            with context.replay(path) as replay:
                App(context, Slow(error))
                replay.seek(position)
                for _ in range(3):
                    await asyncio.sleep(0)
                assert caught == [(error, "MainstemShow")] * 2

    asyncio.run(main())

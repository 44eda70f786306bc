# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The navigator in a program: waiting, asyncio, and what is refused."""

from __future__ import annotations

import asyncio

import mainstem
import pytest
from mainstem import Failure, MainstemError, Status
from mainstem.testing import TestContext
from navigating import App, Colour, Home

# Waiting ----------------------------------------------------------------------------------------


def test_a_plain_program_waits_for_the_result():
    class Stage:
        def show(self, component):
            if component.url == "pick/colour":
                nav.of(context.find_scope(component.number)).finish(Colour("red"))

        def hide(self, components):
            pass

    with mainstem.Context() as context:
        nav = App(context, Stage()).nav
        assert nav.open("pick/colour") == Colour("red")
        with pytest.raises(Failure) as refused:
            nav.open("nowhere")
        assert refused.value.status == Status.NO_ROUTE


def test_a_move_is_awaited_and_a_stage_may_be_async():
    class Stage:
        def __init__(self):
            self.shown = []

        async def show(self, component):
            await asyncio.sleep(0)
            self.shown.append(component.url)

        async def hide(self, components):
            await asyncio.sleep(0)
            self.shown.append(len(components))

    async def main():
        async with mainstem.Context() as context:
            stage = Stage()
            app = App(context, stage)
            is_shown = asyncio.Event()
            pending = app.nav.open("home", opened=lambda number: is_shown.set())
            await is_shown.wait()
            assert not pending.answered
            future = asyncio.ensure_future(app.nav.open("pick/colour"))
            while len(stage.shown) < 2 or len(app.nav.tree) < 2:
                await asyncio.sleep(0)
            app.of("pick/colour").finish(Colour("red"))
            assert await future == Colour("red")
            with pytest.raises(Failure):
                await app.nav.open("nowhere")
            picking = asyncio.ensure_future(app.nav.open("pick/colour"))
            while len(app.nav.tree) < 2:
                await asyncio.sleep(0)
            app.nav.gone(app.nav.top)
            with pytest.raises(mainstem.Cancelled):
                await picking
            assert stage.shown == ["home", "pick/colour", 1, "pick/colour"]

    asyncio.run(main())


# What is refused --------------------------------------------------------------------------------


def test_what_cannot_be_is_refused():
    with TestContext() as test:
        nav = mainstem.Navigator(test)
        with pytest.raises(MainstemError, match="INVALID"):
            mainstem.Navigator(test)
        with pytest.raises(ValueError, match="kind is 'window'"):
            nav.route("a", None, kind="window")
        with pytest.raises(TypeError, match="say name="):
            nav.route("a", lambda route: None)
        with pytest.raises(MainstemError, match="INVALID"):
            nav.route("a", None, kind="embed")

        async def late(route): ...

        with pytest.raises(TypeError):
            nav.route("a", late)
        nav.route("b", None)
        with pytest.raises(MainstemError, match="INVALID"):
            nav.route("b", None)
        # It has gone already.
        nav.gone(4711)
        test.skip()


def test_a_view_model_goes_nowhere_without_a_navigator_or_from_outside():
    with mainstem.Context(raises=True) as context:
        home = context.open(Home())
        with pytest.raises(RuntimeError, match="outside of its own methods"):
            home.navigator  # noqa: B018
        with pytest.raises(RuntimeError, match="no navigator"):
            home.bind().go("diary").result()

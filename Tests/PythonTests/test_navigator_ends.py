# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The ends of components: with what they stand on, their owners, the context; nothing is left."""

from __future__ import annotations

import mainstem
from mainstem import Status
from mainstem._library import _callbacks
from mainstem.testing import NEVER, RecordingStage, TestContext
from navigating import App, session


def test_what_stands_on_a_component_ends_with_it(tmp_path):
    with session(tmp_path) as app:
        app.open("home")
        tolds = [app.open(url) for url in ("diary/1", "diary/2", "pick/x")]
        app.nav.gone(app.number("diary/1"))
        app.context.advance()
        assert [told[1:] for told in tolds] == [[Status.CANCELLED]] * 3
        app.context.expect_tree("home")
        # What the user has taken away is not hidden; what stood on it is.
        app.context.expect_hidden("pick/x", "diary/2")


def test_an_owner_that_ends_takes_its_component_with_it(tmp_path):
    with session(tmp_path) as app:
        app.open("home")
        told = app.open("diary/7")
        app.context.find_scope(app.nav.top.owner).end()
        app.context.advance()
        assert told[1:] == [Status.CANCELLED]
        app.context.expect_tree("home")
        app.context.expect_hidden("diary/7")


def test_closing_the_context_answers_every_move():
    answers = []
    with mainstem.Context(clock="virtual") as context:
        app = App(context, RecordingStage(None, None, NEVER))
        app.nav.ready()
        for url in ("home", "diary/1", "diary/2", "signin"):
            app.nav.open(url, then=answers.append, failed=lambda one: answers.append(one.status))
        context.drain()
        assert answers == []
    assert answers == [Status.CANCELLED] * 4


def test_a_thousand_times_there_and_back_keeps_nothing():
    with TestContext() as test:
        app = App(test, RecordingStage())
        app.open("home")

        def cycle():
            told = app.open("diary/7")
            app.ask(app.nav.pop)
            assert told[1:] == [Status.CANCELLED]
            app.stage.shown.clear()
            app.stage.hidden.clear()

        for _ in range(20):
            cycle()
        before, kept = test.stats(), _callbacks.kept()
        for _ in range(1000):
            cycle()
        after = test.stats()
        for name in ("types", "scopes", "subscriptions", "requests", "retained", "timers"):
            assert getattr(after, name) == getattr(before, name), name
        assert _callbacks.kept() == kept
        assert len(app.stage.components) == 1
        test.skip()

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The kit's part for navigation: a stage by script, and what a test expects of it."""

from __future__ import annotations

import mainstem
import pytest
from mainstem import Failure, Status
from mainstem.testing import (
    NEVER,
    After,
    RecordingStage,
    TestContext,
    expect_routes,
    for_seeds,
    tree_text,
)
from navigating import App


@for_seeds(5)
def test_a_stage_answers_by_its_script(test: TestContext) -> None:
    app = App(test, RecordingStage(None, Failure("NO_WINDOW"), After(0.5, None), NEVER))
    app.open("home")
    assert app.open("diary/1") == [Status.APP]
    later, never = app.open("diary/2"), app.open("diary/3")
    test.advance(0.5)
    assert (len(later), never) == (1, [])
    test.expect_shown("home", "diary/1", "diary/2", "diary/3")
    test.expect_hidden("diary/1")
    assert tree_text(app.nav) == "home\n  diary/2"


def test_what_differs_is_said():
    with TestContext() as test:
        app = App(test, RecordingStage())
        app.open("home")
        with pytest.raises(AssertionError, match="expected   diary\n  but it was home"):
            test.expect_shown("diary")
        with pytest.raises(AssertionError, match="(?s)the tree is another.*diary.*but it is.*home"):
            test.expect_tree("diary")
        with pytest.raises(AssertionError, match="expected   diary\n  but it was nothing"):
            test.expect_hidden("diary")


def test_the_events_of_navigation_may_be_expected():
    with TestContext() as test:
        app = App(test, RecordingStage())
        app.nav.open("diary", then=lambda result: None)
        test.advance()
        test.next("MainstemMove")
        test.next("MainstemTree")
        test.expect_nothing()


def test_a_table_of_urls():
    with TestContext() as test:
        app = App(test, RecordingStage(), scheme="app")
        table = {
            "diary/7": ("diary/<int:id>", {"id": 7}),
            "app://diary": "diary",
            "diary/x": None,
            "a%2": None,
        }
        expect_routes(app.nav, table)
        with pytest.raises(AssertionError, match="'diary': 'home' was expected, and it takes 'di"):
            expect_routes(app.nav, {"diary": "home"})
    with mainstem.Router() as router:
        router.add("a/<x>")
        expect_routes(router, {"a/b": "a/<x>", "b": None, "a%2": None})


def test_without_a_navigator_there_is_nothing_to_expect():
    with TestContext() as test:
        with pytest.raises(TypeError, match="no navigator"):
            test.expect_tree("")
        mainstem.Navigator(test)
        with pytest.raises(TypeError, match="does not record"):
            test.expect_shown()

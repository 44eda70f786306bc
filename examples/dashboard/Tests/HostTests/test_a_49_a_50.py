# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Acceptance A-49 and A-50, with the stage of the kit that records; in C, too."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Iterator, List, Tuple

import pytest
from dashboards import PROGRAMS, App, Dashboard, UsersWidget, mainstem, run
from http_provider import RequestHttp, ResponseHttp
from mainstem import MainstemError, Status
from mainstem.testing import NEVER, After, Failure, RecordingStage, TestContext

TWO = ResponseHttp('[{"id":1,"name":"Clark Kent","username":"Superman"},{"id":2}]')
ALL = "app?site=s\n  dashboard\n    users"


def test_a_49_a_50_and_a_52_in_c() -> None:
    assert run([str(PROGRAMS / "a49_a50_a52")]) == (0, "A-49, A-50, A-52 passed\n")


@contextmanager
def world(*answers: Any, stage: Any = None) -> Iterator[Tuple[TestContext, App]]:
    """The app in virtual time. What is asked on the way is not what these tests are about."""
    with TestContext() as test:

        def add_network(context: Any) -> Any:
            return context.stub(RequestHttp, *answers) if answers else None

        yield test, App(test, lambda *_: stage or RecordingStage(), add_network)
        test.keep()  # the service lives on
        test.skip()


def test_a_49_started_and_loaded() -> None:
    with world(TWO) as (test, app):
        screen = app.open("s")
        test.expect_shown("dashboard")
        test.expect_tree("app?site=s\n  dashboard")
        app.load(screen)
        test.expect_shown("users")
        test.expect_tree(ALL)
        slots = [(one.kind, one.slot) for one in app.navigator.tree]
        assert slots == [("flow", ""), ("screen", ""), ("embed", "users")]
        app.load(screen)
        test.expect_shown()
        test.expect_tree(ALL)


def test_a_49_a_stage_that_takes_its_time() -> None:
    with world(TWO, stage=RecordingStage(After(0.3, None), After(0.3, None))) as (test, app):
        app.navigator.open("app?site=s", failed=lambda why: None)
        test.advance(0.2)
        test.expect_tree("")
        test.advance(0.2)
        test.expect_tree("app?site=s\n  dashboard")
        app.load(app.navigator.tree[-1].number)
        test.expect_tree("app?site=s\n  dashboard")
        test.advance(0.3)
        test.expect_tree(ALL)


def test_a_failing_start_leaves_nothing() -> None:
    failures: List[Any] = []
    with world(stage=RecordingStage(Failure("no window"))) as (test, app):
        app.navigator.open("app?site=s", failed=failures.append)
        test.advance()
        test.expect_tree("")
        assert [str(failure) for failure in failures] == ["no window"]


@pytest.mark.parametrize("answer", [Failure("no room"), NEVER])
def test_a_widget_that_is_not_shown_leaves_the_screen(answer: Any) -> None:
    with world(TWO, stage=RecordingStage(None, answer)) as (test, app):
        app.load(app.open("s"))
        test.advance(20)
        test.expect_tree("app?site=s\n  dashboard")


def test_a_50_closed_before_the_load() -> None:
    with world() as (test, app):
        closed: List[Any] = []
        screen = app.open("s", closed.append)
        view: Any = mainstem.view(app.window, Dashboard, app.owner(screen))
        app.navigator.gone(screen)
        test.advance()
        assert [failure.status for failure in closed] == [Status.CANCELLED]
        with pytest.raises(MainstemError):
            view.did_load()
        test.advance()
        test.expect_tree("")
        test.expect_shown("dashboard")


def test_a_50_closed_while_the_widget_is_on_its_way() -> None:
    with world(TWO, stage=RecordingStage(None, NEVER)) as (test, app):
        screen = app.open("s")
        app.load(screen)
        app.navigator.gone(screen)
        test.advance()
        test.expect_tree("")
        test.expect_hidden("users")


def test_a_50_closed_before_the_data_comes() -> None:
    with world(After(1, TWO)) as (test, app):
        screen = app.open("s")
        app.load(screen)
        seen: List[str] = []
        view = mainstem.view(app.window, UsersWidget, app.widget(screen), load=seen.append)
        app.navigator.gone(screen)
        test.advance(2)
        assert seen == ["loading"]
        assert view
        test.expect_tree("")

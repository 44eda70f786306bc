# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Acceptance A-51, in C and in Python: the users, who is found, failures, and one call for all."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Iterator

import pytest
from dashboards import PROGRAMS, App, mainstem, run, serve
from mainstem import Failure, MainstemError, Status
from mainstem.testing import RecordingStage
from providers import Held, InC, InPython

#: What is found, query by query.
FOUND = {
    "1": "I found Clark Kent aka Superman",
    "2": "I found Bruce Wayne aka Batman",
    "": "---",
    "9": "User not found",
    "abc": "User not found",
}


def test_a_51_in_c() -> None:
    with serve() as site:
        site.fail()
        assert run([str(PROGRAMS / "a51")], site.url("")) == (0, "A-51 passed\n")
        assert site.asked == ["/users"] * 2


def settle(app: App) -> None:
    """Lets the network answer, until all has come."""
    app.network.gate.set()
    while app.context.request_count("RequestHttp") or app.context.drain():
        app.context.wait(10)


@contextmanager
def app() -> Iterator[App]:
    with mainstem.Context() as context:
        yield App(context, lambda *_: RecordingStage(), Held)


def test_a_51_five_bindings_and_each_query() -> None:
    with serve() as site, app() as opened:
        views = opened.views(site.url(""), 5)
        assert {view.load for view in views} == {"loading"}
        settle(opened)
        assert {view.count for view in views} == {"The system has 2 users"}
        assert {view.load for view in views} == {"loaded"}
        for query, found in FOUND.items():
            views[0].query = query
            assert {(view.query, view.found) for view in views} == {(query, found)}
        assert site.asked == ["/users"]


def test_a_51_an_error_of_the_provider_then_a_retry() -> None:
    with serve() as site, app() as opened:
        site.fail(503)
        (view,) = opened.views(site.url(""))
        assert (view.load, view.is_loading) == ("loading", True)
        settle(opened)
        assert (view.load, view.is_loading, view.count) == ("failed", False, "")
        assert (view.problem, view.is_search_shown) == ("The site is out of order.", False)
        site.fail(500)
        run = view.retry()
        settle(opened)
        with pytest.raises(Failure) as failed:
            run.result()
        assert failed.value.user_message == view.retry.error == "The site is out of order."
        view.retry().result()
        assert (view.load, view.problem, view.retry.error) == ("loaded", "", "")
        assert view.count == "The system has 2 users"
        with pytest.raises(MainstemError) as refused:
            view.retry()
        assert refused.value.status == Status.DISABLED
        for query, found in FOUND.items():
            view.query = query
            assert view.found == found
        assert site.asked == ["/users"] * 3


def test_a_51_the_query_may_come_first() -> None:
    with serve() as site, app() as opened:
        site.fail()
        (view,) = opened.views(site.url(""))
        view.query = "2"
        assert view.found == "---"
        settle(opened)
        assert view.found == "---"
        view.retry().result()
        assert view.found == FOUND["2"]


def test_a_51_five_widgets_and_one_more_are_one_call() -> None:
    with serve() as site, app() as opened:
        views = [view for _ in range(5) for view in opened.views(site.url(""))]
        settle(opened)
        views += opened.views(site.url(""))
        assert {view.count for view in views} == {"The system has 2 users"}
        assert site.asked == ["/users"]


@pytest.mark.parametrize("users", [{}, None, 3, ["Ada"], [{"id": "1"}], [{"id": 1.5}], {"id": 1}])
def test_what_is_no_list_of_users_is_an_error(users: Any) -> None:
    with serve(users) as site, app() as opened:
        (view,) = opened.views(site.url(""))
        settle(opened)
        assert (view.load, view.problem) == ("failed", "The site has answered something else.")


@pytest.mark.parametrize("provider", [InC, InPython])
@pytest.mark.parametrize("site", ["", "no url", "http://127.0.0.1:1", "http://[", "\n", "x" * 9999])
def test_what_is_no_site_is_an_error(site: str, provider: Any) -> None:
    with mainstem.Context() as context:
        opened = App(context, lambda *_: RecordingStage(), provider)
        (view,) = opened.views(site)
        while context.request_count("RequestHttp"):
            opened.network.wait_for(100)
        assert (view.load, view.problem) == ("failed", "The site cannot be reached.")


def test_fields_may_be_missing() -> None:
    users = [{"id": 7, "name": "Ada"}, {"name": "No One"}, {}]
    with serve(users) as site, app() as opened:
        (view,) = opened.views(site.url(""))
        settle(opened)
        assert view.count == "The system has 3 users"
        view.query = "7"
        assert view.found == "I found Ada"
        view.query = "abc"
        assert view.found == "User not found"

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Acceptance A-51, in C and in Python: the users, who is found, failures, and one call for all."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Iterator, List, Tuple

import pytest
from dashboards import PROGRAMS, Http, UsersWidget, install, mainstem, run, serve, settle
from mainstem import Failure, MainstemError, Status
from providers import InC, InPython

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


@contextmanager
def app() -> Iterator[Tuple[mainstem.Context, mainstem.Scope]]:
    with mainstem.Context() as context:
        install(context)
        context.install(Http(), on="host")
        yield context, context.scope("Window")


def bound(window: mainstem.Scope, site: Any, views: int = 1) -> List[Any]:
    """Views of one widget."""
    owner = window.open_owner("UsersWidget", site.url(""))
    return [mainstem.view(window, UsersWidget, owner) for _ in range(views)]


def test_a_51_five_bindings_and_each_query() -> None:
    with serve() as site, app() as (context, window):
        views = bound(window, site, 5)
        assert {view.load for view in views} == {"loading"}
        settle(context)
        assert {view.count for view in views} == {"The system has 2 users"}
        assert {view.load for view in views} == {"loaded"}
        for query, found in FOUND.items():
            views[0].query = query
            assert {(view.query, view.found) for view in views} == {(query, found)}
        assert site.asked == ["/users"]


def test_a_51_an_error_of_the_provider_then_a_retry() -> None:
    with serve() as site, app() as (context, window):
        site.fail(503)
        (view,) = bound(window, site)
        assert (view.load, view.is_loading) == ("loading", True)
        settle(context)
        assert (view.load, view.is_loading, view.count) == ("failed", False, "")
        assert (view.problem, view.is_search_shown) == ("The site is out of order.", False)
        site.fail(500)
        run = view.retry()
        settle(context)
        with pytest.raises(Failure) as failed:
            run.result()
        assert failed.value.user_text == view.retry.error == "The site is out of order."
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
    with serve() as site, app() as (context, window):
        site.fail()
        (view,) = bound(window, site)
        view.query = "2"
        assert view.found == "---"
        settle(context)
        assert view.found == "---"
        view.retry().result()
        assert view.found == FOUND["2"]


def test_a_51_five_widgets_and_one_more_are_one_call() -> None:
    with serve() as site, app() as (context, window):
        views = [view for _ in range(5) for view in bound(window, site)]
        settle(context)
        views += bound(window, site)
        assert {view.count for view in views} == {"The system has 2 users"}
        assert site.asked == ["/users"]


@pytest.mark.parametrize("users", [{}, None, 3, ["Ada"], [{"id": "1"}], [{"id": 1.5}], {"id": 1}])
def test_what_is_no_list_of_users_is_an_error(users: Any) -> None:
    with serve(users) as site, app() as (context, window):
        (view,) = bound(window, site)
        settle(context)
        assert (view.load, view.problem) == ("failed", "The site has answered something else.")


@pytest.mark.parametrize("provider", [InC, InPython])
@pytest.mark.parametrize("site", ["", "no url", "http://127.0.0.1:1", "http://[", "\n", "x" * 9999])
def test_what_is_no_site_is_an_error(site: str, provider: Any) -> None:
    with mainstem.Context() as context:
        install(context)
        network = provider(context)
        window = context.scope("Window")
        owner = window.open_owner("UsersWidget", site)
        view: Any = mainstem.view(window, UsersWidget, owner)
        while context.activity():
            network.wait_for(100)
        assert (view.load, view.problem) == ("failed", "The site cannot be reached.")


def test_fields_may_be_missing() -> None:
    users = [{"id": 7, "name": "Ada"}, {"name": "No One"}, {}]
    with serve(users) as site, app() as (context, window):
        (view,) = bound(window, site)
        settle(context)
        assert view.count == "The system has 3 users"
        view.query = "7"
        assert view.found == "I found Ada"
        view.query = "abc"
        assert view.found == "User not found"

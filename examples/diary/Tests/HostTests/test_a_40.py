# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Acceptance A-40 through the library in C: the list of pages, and who may see what."""

from __future__ import annotations

from typing import Any

import pytest
from diaries import Confirm, DiaryList, DiaryPage, World, ids
from mainstem import MainstemError, Status


def refused(command: Any, *arguments: Any) -> int:
    with pytest.raises(MainstemError) as error:
        command(*arguments)
    return error.value.status


def test_a_40_the_list() -> None:
    with World(entries=25) as world:
        view = world.start()
        assert (ids(view), view.is_loading) == (None, True)
        assert refused(view.more) == Status.DISABLED
        world.answer()
        assert (ids(view), view.is_loading) == (list(range(25, 15, -1)), False)
        view.more()
        assert (view.is_more_loading, view.no_more) == (True, False)
        assert [refused(view.more) for _ in range(4)] == [Status.EXECUTING] * 4
        world.answer()
        assert ids(view) == list(range(25, 5, -1))
        view.more()
        world.answer()
        assert (ids(view), view.no_more) == (list(range(25, 0, -1)), True)
        assert refused(view.more) == Status.DISABLED
        assert world.shelf.asked == ["RequestReadAccount", *["RequestReadEntries"] * 3]


def test_a_40_a_refresh_while_more_is_loading() -> None:
    with World(entries=25) as world:
        view = world.start()
        world.answer()
        view.more()
        world.settle()
        (stale,) = world.shelf.waiting
        view.refresh()
        with pytest.raises(MainstemError):
            stale()
        assert (view.is_loading, view.is_more_loading) == (True, False)
        world.answer()
        assert (ids(view), view.is_loading) == (list(range(25, 15, -1)), False)


def test_a_40_what_the_service_knows_outlives_the_list() -> None:
    with World(entries=12) as world:
        view = world.start()
        world.answer()
        assert view.title == "Ada's diary: 12 entries"
        world.go(world.nav.replace_root, "app")
        view = world.view(DiaryList)
        assert (ids(view), view.title) == (None, "Ada's diary: 12 entries")
        world.answer()
        assert len(view.rows) == 10


def test_a_40_an_alert_is_told_each_time() -> None:
    with World(entries=12) as world:
        world.shelf.mode = "down"
        view, alerts = world.start(), world.screens(DiaryList)[0].told
        world.answer()
        view.refresh()
        world.answer()
        assert (alerts, ids(view), view.is_loading) == (["No disk."] * 2, None, False)
        world.shelf.mode = "up"
        view.refresh()
        world.answer()
        assert (len(alerts), len(view.rows)) == (2, 10)


def test_entries_that_come_change_and_go_are_seen_in_the_list() -> None:
    with World(entries=3) as world:
        view = world.start()
        world.answer()
        view.write()
        world.settle()
        page = world.view(DiaryPage)
        page.text = "New.\nAnd more."
        page.save()
        world.answer()
        assert (ids(view), view.rows[0].title) == ([4, 3, 2, 1], "New.")
        page.text = "Changed."
        page.save()
        world.answer()
        assert (view.rows[0].title, view.title) == ("Changed.", "Ada's diary: 4 entries")
        world.do(page.ask_delete)
        world.do(world.view(Confirm).confirm)
        assert (ids(view), world.tree()) == ([3, 2, 1], ["app", "diary"])


def test_a_view_hears_no_model_and_asks_no_service() -> None:
    with World(entries=3) as world:
        world.start()
        world.answer()
        window = world.screens(DiaryList)[0].window
        for name in ("RequestReloadEntries", "ResponsePage", "RequestReadEntries", "EntryCreated"):
            assert refused(window.observe, name, print) == Status.DENIED
        assert refused(window.request, "RequestDeleteEntry", '{"id":1}') == Status.DENIED
        assert refused(window.open_instance, "Diary") == Status.DENIED
        assert refused(world.nav.of(window).open, "diary/3") == Status.DENIED

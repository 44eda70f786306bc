# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The routes of a navigator: of all modules, in any language."""

from __future__ import annotations

import ctypes

import mainstem
import pytest
from mainstem import Status
from mainstem._library import C
from mainstem._library import _header as d
from mainstem.testing import RecordingStage, TestContext


def test_routes_can_be_listed():
    with TestContext() as context:
        nav = mainstem.Navigator(context)
        assert nav.routes == []
        nav.route("home", None)
        nav.route("pick/<what>", lambda route: None, kind="dialog", name="Picker")
        nav.route("users", None, kind="embed", slot="left")
        nav.group("both", ["users", "home"])
        assert nav.routes == [
            mainstem.NavigatorRoute("home", "screen"),
            mainstem.NavigatorRoute("pick/<what>", "dialog", "Picker"),
            mainstem.NavigatorRoute("users", "embed", "", "left"),
            mainstem.NavigatorRoute("both", "group", "", "users home"),
        ]


def test_a_navigator_may_be_there_already():
    with TestContext() as context:
        rows = (d.RouteRow * 1)(d.RouteRow(b"theirs", None, d.SCREEN))
        assert C.mainstem_routes_add(context.handle, rows, ctypes.sizeof(rows[0]), 1) == Status.OK
        context.keep()
        stage = RecordingStage()
        nav = mainstem.Navigator(context, stage=stage)
        nav.route("ours", None)
        assert [each.pattern for each in nav.routes] == ["theirs", "ours"]
        nav.open("theirs", opened=lambda number: None)
        context.drain()
        assert stage.shown == ["theirs"]
    with TestContext() as context:
        mainstem.Navigator(context)
        with pytest.raises(mainstem.MainstemError) as caught:
            mainstem.Navigator(context, scheme="app")
        assert caught.value.status == Status.INVALID


def test_an_empty_url_is_the_home_page():
    with TestContext() as test:
        stage = RecordingStage()
        nav = mainstem.Navigator(test, stage=stage)
        nav.route("", None)
        nav.ready()
        for move in (nav.open, nav.replace_root, nav.link):
            move("", then=print)
            test.advance()
            test.expect_shown("")


def test_a_guard_may_lead_to_the_home_page():
    with TestContext() as test:
        stage = RecordingStage()
        nav = mainstem.Navigator(test, stage=stage)
        nav.route("", None)
        nav.route("secret", None)
        nav.guard("secret", name="away")(lambda match: mainstem.Redirect(""))
        nav.ready()
        nav.open("secret", then=print)
        test.advance()
        test.expect_shown("")

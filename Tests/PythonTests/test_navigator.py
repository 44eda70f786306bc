# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The navigator: what is opened, and what closes."""

from __future__ import annotations

import pytest
from mainstem import Failure, Status
from mainstem.testing import After, TestContext
from navigating import App, Colour, opened, session

OPENING = ["MainstemMove", "RequestOpen.Page", "ResponseOpen.Page", "MainstemShow"]
OPENING += ["MainstemShown", "MainstemTree", "MainstemOpened"]


def names(app, since):
    """The names of the events since then; those of view models not counted."""
    events = app.context._transcript.events[since:]
    return [event.name for event in events if not event.name.startswith(("Page.", "Picker."))]


def seen(app):
    return len(app.context._transcript.events)


# What is opened ---------------------------------------------------------------------------------


def test_a_url_is_opened_and_shown(tmp_path):
    with session(tmp_path) as app:
        number = opened(app.open("home"))
        opened(app.open("diary/7"))
        app.context.expect_shown("home", "diary/7")
        app.context.expect_tree("home\n  diary/7")
        home, page = app.nav.tree
        assert (home.number, home.parent, home.kind, home.name) == (number, 0, "screen", "Home")
        assert (page.parent, page.slot, page.hidden, home.hidden) == (number, "", False, True)
        assert (page.route["id"], page.route.pattern) == (7, "diary/<int:id>")
        assert (page.view_model.id, home.view_model.picked) == (7, "")
        assert app.nav.top == page


def test_a_push_is_seven_events_and_a_result(tmp_path):
    with session(tmp_path) as app:
        app.open("home")
        before = seen(app)
        told = app.open("diary/7")
        assert names(app, before) == OPENING
        before = seen(app)
        app.ask(app.of("diary/7").pop)
        assert told[1:] == [Status.CANCELLED]
        assert names(app, before)[:3] == ["MainstemMove", "MainstemHide", "MainstemTree"]


def test_what_is_done_takes_few_events(tmp_path):
    with session(tmp_path) as app:
        app.open("home")

        def counted(act):
            before = seen(app)
            act()
            app.context.advance()
            return names(app, before)

        assert counted(lambda: app.open("diary/7")) == OPENING
        embed = counted(lambda: app.ask(app.of("diary/7").open, "users"))
        assert embed == [name for name in OPENING if "Page" not in name]
        told = ["MainstemGone", "MainstemHide", "MainstemTree", "MainstemResult", "MainstemResult"]
        told += ["MainstemEnded", "MainstemEnded", "MainstemEnded", "MainstemHidden"]
        assert counted(lambda: app.nav.gone(app.number("diary/7"))) == told
        counted(lambda: app.open("diary/7"))
        told = ["MainstemGone", "MainstemTree", "MainstemResult", "MainstemEnded", "MainstemEnded"]
        assert counted(lambda: app.nav.gone(app.nav.top)) == told
        counted(lambda: app.open("signin"))
        told = ["MainstemFinish", "MainstemHide", "MainstemTree", "MainstemResult"]
        told += ["MainstemEnded", "MainstemHidden"]
        assert counted(lambda: app.of("signin").finish(Colour("red"))) == told


def test_what_cannot_be_opened_is_answered_with_why(tmp_path):
    with session(tmp_path) as app:
        app.open("home")
        assert app.open("nowhere") == [Status.NO_ROUTE]
        assert app.open("a%2") == [Status.BAD_URL]
        assert app.open("broken") == [1001]
        assert app.open("diary", kind="dialog") == [Status.INVALID]
        assert app.ask(app.nav.open, "users") == [Status.INVALID]
        app.context.expect_shown("home")
        app.context.expect_tree("home")


def test_without_a_stage_nothing_opens():
    with TestContext() as test:
        app = App(test)
        assert app.open("diary") == [Status.UNHANDLED]
        assert app.nav.tree == []
        assert app.nav.top is None
        test.skip()


def test_a_factory_that_fails_leaves_nothing(tmp_path):
    with session(tmp_path) as app:
        app.open("home")
        before = app.context.stats()
        assert app.open("broken") == [1001]
        after = app.context.stats()
        assert (after.scopes, after.subscriptions) == (before.scopes, before.subscriptions)


# What it answers --------------------------------------------------------------------------------


def test_the_result_of_a_component_is_the_answer(tmp_path):
    with session(tmp_path) as app:
        app.open("home")
        told = app.open("pick/colour")
        app.view("pick/colour").choose("red")
        app.context.advance()
        assert told[1:] == [Colour("red")]
        app.context.expect_hidden("pick/colour")
        app.context.expect_tree("home")


def test_a_result_may_be_plain_or_none(tmp_path):
    with session(tmp_path) as app:
        told = app.open("pick/colour")
        app.view("pick/colour").choose_text("blue")
        app.context.advance()
        assert told[1:] == ["blue"]
        told = app.open("diary/7")
        app.view("diary/7").done()
        app.context.advance()
        assert told[1:] == [None]


def test_a_gesture_cancels_once_and_hides_nothing(tmp_path):
    with session(tmp_path) as app:
        app.open("home")
        told = app.open("diary/7")
        before = seen(app)
        number = app.number("diary/7")
        app.nav.gone(number)
        app.context.advance()
        assert told[1:] == [Status.CANCELLED]
        assert names(app, before)[:3] == ["MainstemGone", "MainstemTree", "MainstemResult"]
        assert len([name for name in names(app, before) if name == "MainstemResult"]) == 1
        app.nav.gone(number)
        app.context.advance()
        app.context.expect_hidden()
        app.context.expect_tree("home")


def test_a_view_model_opens_and_awaits_the_result(tmp_path):
    with session(tmp_path) as app:
        app.open("home")
        view = app.view("home")
        run = view.pick()
        app.context.advance()
        app.context.expect_tree("home\n  pick/colour")
        app.view("pick/colour").choose("green")
        app.context.advance()
        assert (run.result(), view.picked) == (None, "green")
        run = view.pick()
        app.context.advance()
        app.nav.gone(app.nav.top)
        app.context.advance()
        assert (run.result(), view.picked) == (None, "none")


def test_one_dialog_opened_from_two_places_has_two_results(tmp_path):
    with session(tmp_path) as app:
        app.open("home")
        first = app.ask(app.of("home").open, "pick/colour")
        app.open("diary/7")
        second = app.ask(app.of("diary/7").open, "pick/colour")
        app.view("pick/colour").choose("red")
        app.context.advance()
        assert (first[1:], second[1:]) == ([], [Colour("red")])
        app.view("pick/colour").choose("blue")
        app.context.advance()
        assert first[1:] == [Colour("blue")]


# Each kind --------------------------------------------------------------------------------------


def test_each_kind_has_its_place(tmp_path):
    with session(tmp_path) as app:
        app.open("home")
        home = app.of("home")
        app.ask(home.open, "users")
        app.ask(home.open, "signin")
        app.ask(home.open, "info")
        app.ask(home.open, "toast")
        app.context.expect_tree("home\n  users\n  signin\n  info\ntoast")
        assert app.nav.tree[1].slot == "users"
        assert app.nav.top.url == "toast"
        kinds = ["screen", "embed", "dialog", "present", "overlay"]
        assert [one.kind for one in app.nav.tree] == kinds
        assert not any(one.hidden for one in app.nav.tree)


@pytest.mark.parametrize(
    "urls, closed, top",
    [
        (["home"], [], "home"),
        (["home", "diary"], [], "diary"),
        (["home", "diary"], ["diary"], "home"),
        (["home", "users"], [], "home"),
        (["home", "signin"], [], "signin"),
        (["home", "signin"], ["signin"], "home"),
        (["home", "info"], [], "info"),
        (["home", "info", "diary"], [], "diary"),
        (["home", "toast"], [], "toast"),
        (["home", "toast", "diary"], [], "diary"),
        (["home", "toast", "diary"], ["diary"], "toast"),
        (["home", "diary", "signin"], ["diary"], "home"),
        (["home", "compose"], [], "home"),
        (["onboarding"], [], None),
        (["onboarding", "diary"], [], "diary"),
        (["onboarding", "diary"], ["diary"], None),
    ],
)
def test_the_topmost_is_the_last_with_a_view_of_its_own(tmp_path, urls, closed, top):
    with session(tmp_path) as app:
        for url in urls:
            app.ask(app.nav.open, url, on=app.nav.tree[-1] if app.nav.tree else None)
        for url in closed:
            app.ask(app.nav.close, app.number(url))
        assert (app.nav.top and app.nav.top.url) == top


def test_an_embed_takes_the_place_of_what_is_there(tmp_path):
    with session(tmp_path) as app:
        app.open("home")
        home = app.of("home")
        first = app.ask(home.open, "users")
        app.ask(home.open, "drawer")
        app.ask(home.open, "toolbar", slot="users")
        app.context.expect_tree("home\n  drawer\n  toolbar")
        assert first[1:] == [Status.CANCELLED]
        app.context.expect_shown("home", "users", "drawer", "toolbar")


def test_a_group_is_shown_and_closed_as_one(tmp_path):
    with session(tmp_path) as app:
        app.open("home")
        told = app.open("compose")
        app.context.expect_tree("home\n  compose\n    drawer\n    toolbar")
        app.context.expect_shown("home", "drawer", "toolbar")
        app.of("toolbar").finish(Colour("red"))
        app.context.advance()
        assert told[1:] == [Colour("red")]
        app.context.expect_hidden("toolbar", "drawer")
        app.context.expect_tree("home")


def test_a_flow_is_not_shown_and_has_components_on_it(tmp_path):
    with session(tmp_path) as app:
        told = app.open("onboarding")
        flow = app.of("onboarding")
        app.ask(flow.open, "diary")
        app.context.expect_tree("onboarding\n  diary")
        app.context.expect_shown("diary")
        flow.finish(Colour("blue"))
        app.context.advance()
        assert told[1:] == [Colour("blue")]
        app.context.expect_hidden("diary")
        assert app.nav.tree == []


def test_moves_close_what_they_name(tmp_path):
    with session(tmp_path) as app:
        app.open("home")
        for id in range(4):
            app.open(f"diary/{id}")
        assert app.ask(app.nav.pop) == [None]
        app.context.expect_tree("home\n  diary/0\n    diary/1\n      diary/2")
        assert app.ask(app.nav.pop_to, app.number("diary/0")) == [None]
        app.context.expect_tree("home\n  diary/0")
        app.context.expect_hidden("diary/3", "diary/2", "diary/1")
        app.open("signin")
        assert app.ask(app.nav.dismiss) == [None]
        app.open("diary/9")
        assert app.ask(app.nav.close, app.number("diary/0")) == [None]
        app.context.expect_tree("home")
        assert app.ask(app.nav.pop) == [Status.INVALID]
        assert app.ask(app.nav.dismiss) == [Status.INVALID]
        assert app.ask(app.nav.replace_root, "diary") == [None]
        assert app.nav.top.url == "diary"
        app.context.expect_tree("diary")


def test_a_second_pop_shares_its_answer(tmp_path):
    with session(tmp_path, answers=[None, None, After(1, None)]) as app:
        for url in ("home", "diary/1", "toast"):
            app.open(url)
        tolds = [app.ask(app.nav.pop), app.ask(app.nav.pop)]
        assert tolds == [[], []]
        app.context.advance(1)
        assert tolds == [[None], [None]]
        app.nav.gone(app.nav.top)
        app.context.expect_tree("home")


def test_replace_root_closes_the_old_when_the_new_is_shown(tmp_path):
    with session(tmp_path) as app:
        app.open("home")
        app.open("diary/1")
        app.stage.script(Failure("NO_WINDOW", code=1002))
        assert app.ask(app.nav.replace_root, "diary") == [1002]
        app.context.expect_tree("home\n  diary/1")
        assert app.ask(app.nav.replace_root, "diary") == [None]
        app.context.expect_tree("diary")
        app.context.expect_hidden("diary", "diary/1", "home")


def test_replace_closes_the_topmost_screen_when_the_new_one_is_shown(tmp_path):
    with session(tmp_path) as app:
        app.open("home")
        first = app.open("diary/1")
        app.stage.script(Failure("NO_WINDOW", code=1002))
        assert app.ask(app.nav.replace, "diary/2") == [1002]
        app.context.expect_tree("home\n  diary/1")
        told = app.ask(app.of("home").replace, "diary/3")
        number = opened(told)
        app.context.expect_tree("home\n  diary/3")
        app.context.expect_hidden("diary/2", "diary/1")
        assert first[1:] == [Status.CANCELLED]
        app.view("diary/3").done()
        app.context.advance()
        assert told == [("opened", number), None]
        app.context.expect_tree("home")


def test_replace_shows_nothing_of_what_is_below(tmp_path):
    with session(tmp_path) as app:
        seen = []
        look = app.context.observe(
            "MainstemTree", lambda event: seen.append(app.nav.tree[0].hidden)
        )
        app.open("home")
        app.open("diary/1")
        seen.clear()
        told = app.of("diary/1").replace("diary/2", then=print, failed=print)
        app.context.advance()
        assert seen == [True, True] and told is not None
        look.cancel()
        app.context.expect_tree("home\n  diary/2")


def test_replace_puts_a_root_in_place_of_a_root_and_keeps_the_others(tmp_path):
    with session(tmp_path) as app:
        app.open("home")
        app.open("toast")
        opened(app.ask(app.nav.replace, "diary"))
        app.context.expect_tree("toast\ndiary")


def test_replace_refuses_what_is_no_screen_and_where_there_is_none(tmp_path):
    with session(tmp_path) as app:
        assert app.ask(app.nav.replace, "diary") == [Status.INVALID]
        app.open("home")
        assert app.ask(app.nav.replace, "signin") == [Status.INVALID]
        assert app.ask(app.nav.replace, "users") == [Status.INVALID]
        app.open("signin")
        assert app.ask(app.of("signin").replace, "diary") == [Status.INVALID]
        app.context.expect_tree("home\n  signin")


# Links ------------------------------------------------------------------------------------------


def test_links_wait_until_the_app_is_ready(tmp_path):
    with session(tmp_path, is_ready=False, scheme="app") as app:
        told = app.ask(app.nav.link, "app://diary/7?tab=all")
        assert told == []
        app.open("home")
        app.open("signin")
        app.context.expect_tree("home\n  signin")
        app.nav.ready()
        app.context.advance()
        app.context.expect_shown("home", "signin", "diary/7?tab=all")
        opened(told)
        app.context.expect_tree("home\n  diary/7?tab=all")
        assert app.nav.top.route.query == {"tab": "all"}


def test_a_link_for_all_flows_is_told(tmp_path):
    with session(tmp_path, scheme="app") as app:
        heard = []
        ear = app.context.observe("MainstemLink", lambda event: heard.append(event.text))
        assert app.ask(app.nav.link, "app://diary/7", all_flows=True) == [None]
        assert heard == ["diary/7"]
        assert app.nav.tree == []
        ear.cancel()

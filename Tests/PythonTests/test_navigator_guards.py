# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Guards: asked before a URL is opened, or closed."""

from __future__ import annotations

import asyncio
import contextlib

import mainstem
import pytest
from mainstem import Failure, OpenFirst, Redirect, Status
from mainstem.testing import RecordingStage, TestContext
from navigating import App, Colour, opened, session


class Guards:
    """Guards that answer as a test says, and note what they were asked."""

    def __init__(self):
        self.asked, self.answers, self.kept = [], {}, []

    def install(self, nav):
        @nav.guard("diary/<path:_>", "pick/<x>")
        def enter(route):
            return self.answer("enter", route)

        @nav.guard("diary/<int:id>")
        def second(route):
            return self.answer("second", route)

        @nav.guard("diary/<int:id>", leaving=True)
        def leave(route):
            return self.answer("leave", route)

    def answer(self, name, route):
        self.asked.append(f"{name} {route.url}")
        # A session that is verified runs the guards again.
        answer = self.answers.get((name, route.url))
        if isinstance(answer, list):
            answer = answer[self.asked.count(f"{name} {route.url}") - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
def guarded(tmp_path):
    """A session with guards; they are asked the same when it is verified."""
    guards = Guards()
    with session(tmp_path, guards.install, after=lambda: checked(guards)) as app:
        app.guards = guards
        app.open("home")
        yield app
    assert guards.asked == guards.before


def checked(guards):
    guards.before, guards.asked = guards.asked, []


def test_all_guards_of_a_url_are_asked_in_their_order(guarded):
    opened(guarded.open("diary/7"))
    opened(guarded.open("signin"))
    assert guarded.guards.asked == ["enter diary/7", "second diary/7"]


@pytest.mark.parametrize("refusal", [False, Failure("NOT_NOW"), ValueError("boom")])
def test_a_guard_that_refuses_denies(guarded, refusal):
    guarded.context.thrown.raises = False
    guarded.context.on_exception = lambda error, event: None
    guarded.guards.answers["second", "diary/7"] = refusal
    assert guarded.open("diary/7") == [Status.DENIED]
    guarded.context.expect_tree("home")
    guarded.context.expect_shown("home")


def test_a_guard_redirects_for_good(guarded):
    guarded.guards.answers["enter", "diary/7"] = Redirect("pick/colour")
    told = guarded.open("diary/7")
    guarded.context.expect_tree("home\n  pick/colour")
    assert guarded.guards.asked == ["enter diary/7", "enter pick/colour"]
    guarded.of("pick/colour").finish(Colour("red"))
    guarded.context.advance()
    assert told[1:] == [Colour("red")]


def test_a_guard_redirects_sixteen_times_at_most(guarded):
    for id in range(1, 20):
        guarded.guards.answers["enter", f"diary/{id}"] = Redirect(f"diary/{id - 1}")
    opened(guarded.open("diary/16"))
    guarded.context.expect_tree("home\n  diary/0")
    assert guarded.open("diary/17") == [Status.LIMIT]


def test_a_guard_opens_something_first(guarded):
    guarded.guards.answers["enter", "diary/7"] = [OpenFirst("signin"), True]
    told = guarded.open("diary/7")
    guarded.context.expect_tree("home\n  signin")
    assert told == []
    guarded.of("signin").finish(Colour("red"))
    guarded.context.advance()
    opened(told)
    guarded.context.expect_tree("home\n  diary/7")
    assert guarded.guards.asked == ["enter diary/7", "enter diary/7", "second diary/7"]


def test_what_was_opened_first_and_cancelled_denies(guarded):
    guarded.guards.answers["enter", "diary/7"] = OpenFirst("signin")
    told = guarded.open("diary/7")
    guarded.nav.gone(guarded.nav.top)
    guarded.context.advance()
    assert told == [Status.DENIED]
    guarded.context.expect_tree("home")


def wait_for_signin(guarded, *urls):
    """Opens URLs, each of which wants the sign-in first."""
    for url in urls:
        guarded.guards.answers["enter", url] = [OpenFirst("signin"), True]
    told = [guarded.ask(guarded.of("home").open, url) for url in urls]
    guarded.context.expect_tree("home\n  signin")
    return told


def test_two_that_want_the_same_first_share_it(guarded):
    first, second = wait_for_signin(guarded, "diary/7", "diary/8")
    guarded.context.expect_shown("home", "signin")
    guarded.of("signin").finish(Colour("red"))
    guarded.context.advance()
    opened(first), opened(second)
    guarded.context.expect_tree("home\n  diary/7\n    diary/8")


def test_what_two_wanted_first_and_cancelled_denies_both(guarded):
    told = wait_for_signin(guarded, "diary/7", "diary/8")
    guarded.nav.gone(guarded.nav.top)
    guarded.context.advance()
    assert told == [[Status.DENIED], [Status.DENIED]]
    guarded.context.expect_tree("home")


def test_who_shares_what_is_first_keeps_it_when_the_other_gives_up(guarded):
    guarded.guards.answers["enter", "diary/7"] = OpenFirst("signin")
    kept = {}
    first = guarded.of("home").open("diary/7", then=kept.update, failed=lambda error: None)
    guarded.context.advance()
    told = wait_for_signin(guarded, "diary/8", "diary/9")
    first.cancel()
    guarded.context.advance()
    guarded.context.expect_tree("home\n  signin")
    guarded.of("signin").finish(Colour("red"))
    guarded.context.advance()
    opened(told[0]), opened(told[1])
    guarded.context.expect_tree("home\n  diary/8\n    diary/9")
    guarded.context.expect_shown("home", "signin", "diary/8", "diary/9")


def test_what_a_user_opens_is_not_shared(guarded):
    guarded.guards.answers["enter", "diary/7"] = [OpenFirst("signin"), True]
    told = [guarded.ask(guarded.of("home").open, url) for url in ("diary/7", "signin")]
    guarded.context.expect_tree("home\n  signin\n  signin")
    guarded.of("signin").finish(Colour("red"))
    guarded.context.advance()
    assert told == [[], [("opened", told[1][0][1]), Colour("red")]]


def test_a_leaving_guard_is_asked_before_a_move_closes(guarded):
    guarded.open("diary/7")
    guarded.guards.asked.clear()
    guarded.guards.answers["leave", "diary/7"] = [False, None]
    assert guarded.ask(guarded.nav.pop) == [Status.DENIED]
    guarded.context.expect_tree("home\n  diary/7")
    assert guarded.ask(guarded.nav.pop) == [None]
    guarded.context.expect_tree("home")
    assert guarded.guards.asked == ["leave diary/7"] * 2
    guarded.guards.asked[:0] = ["enter diary/7", "second diary/7"]


def test_a_gesture_and_a_finish_ask_nobody(guarded):
    guarded.guards.answers["leave", "diary/7"] = False
    guarded.open("diary/7")
    guarded.nav.gone(guarded.nav.top)
    guarded.context.advance()
    guarded.context.expect_tree("home")
    guarded.open("diary/7")
    guarded.view("diary/7").done()
    guarded.context.advance()
    guarded.context.expect_tree("home")
    assert not [one for one in guarded.guards.asked if one.startswith("leave")]


def test_a_guard_says_what_it_may_return(guarded):
    guarded.context.thrown.raises = False
    caught = []
    guarded.context.on_exception = lambda error, event: caught.append(str(error))
    guarded.guards.answers["enter", "diary/7"] = "go"
    assert guarded.open("diary/7") == [Status.DENIED]
    assert "enter returned a str: a guard returns True" in caught[0]


def test_a_leaving_guard_can_only_go(guarded):
    guarded.context.thrown.raises = False
    guarded.context.on_exception = lambda error, event: None
    guarded.guards.answers["leave", "diary/7"] = Redirect("home")
    guarded.open("diary/7")
    assert guarded.ask(guarded.nav.pop) == [Status.DENIED]


def test_a_leaving_guard_is_told_which_component_is_left():
    asked, unsaved = [], set()
    with TestContext() as context:
        app = App(context, RecordingStage())

        @app.nav.guard("diary/<int:id>")
        def enter(route):
            assert route.component is None

        @app.nav.guard("diary/<int:id>", leaving=True)
        def leave(route):
            asked.append((route["id"], route.component.number, route.component.view_model))
            return route.component.number not in unsaved

        for url in ("home", "diary/7", "diary/7"):
            app.open(url)
        first, second = app.nav.tree[1:]
        unsaved.add(first.number)
        assert app.ask(app.nav.pop) == [None]
        assert app.ask(app.nav.pop) == [Status.DENIED]
        assert [one[:2] for one in asked] == [(7, second.number), (7, first.number)]
        assert asked[1][2] is first.view_model is not None
        context.skip()


def test_a_component_that_goes_while_its_guard_thinks_is_none():
    async def main():
        async with mainstem.Context() as context:
            app = App(context, RecordingStage())
            components = []

            @app.nav.guard("diary/<int:id>", leaving=True)
            async def slow(route):
                components.append(route.component)
                return True

            app.nav.ready()
            for url in ("home", "diary/7"):
                shown = asyncio.Event()
                app.nav.open(url, opened=lambda _, shown=shown: shown.set())
                await shown.wait()
            popped = app.nav.pop(then=lambda _: None, failed=components.append)
            app.nav.gone(app.nav.top)
            while not popped.answered:
                await asyncio.sleep(0)
            assert components == [None]

    asyncio.run(main())


def test_a_guard_that_answers_later_holds_nobody():
    async def main():
        async with mainstem.Context() as context:
            app = App(context, RecordingStage())
            go = asyncio.Event()

            @app.nav.guard("diary/<int:id>")
            async def slow(route):
                await go.wait()
                return route["id"] == 7 or OpenFirst("signin")

            app.nav.ready()
            told = []
            app.nav.open("diary/7", opened=told.append)
            app.nav.open("home", opened=told.append)
            while len(told) < 1:
                await asyncio.sleep(0)
            assert app.nav.top.url == "home"
            go.set()
            while len(told) < 2:
                await asyncio.sleep(0)
            assert app.nav.top.url == "diary/7"

    asyncio.run(main())


def test_a_guard_that_answers_though_it_was_cancelled_fails_nowhere():
    thrown = []

    async def main():
        async with mainstem.Context(on_exception=lambda *what: thrown.append(what)) as context:
            app = App(context, RecordingStage())
            begun, done = asyncio.Event(), asyncio.Event()

            @app.nav.guard("diary/<int:id>")
            async def stubborn(route):
                begun.set()
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.Event().wait()
                done.set()
                return True

            app.nav.ready()
            failed = []
            asked = app.nav.open("diary/7", opened=lambda _: None, failed=failed.append)
            await begun.wait()
            asked.cancel()
            await done.wait()
            await asyncio.sleep(0)
            assert [failure.status for failure in failed] == [Status.CANCELLED]

    asyncio.run(main())
    assert thrown == []


def test_a_guard_for_everything_guards_everything(tmp_path):
    urls = ("", "/", "home", "app://help", "app://", "diary/7", "signin", "compose")

    def install(nav):
        nav.route("", None)
        nav.route("app://help", None)
        nav.route("app://", None)
        nav.guard("*", name="nothing")(lambda route: False)

    with session(tmp_path, install) as app:
        for url in urls:
            assert app.ask(app.nav.open, url) == [Status.DENIED], url
        for move in (app.nav.link, app.nav.replace_root):
            assert app.ask(move, "app://help") == [Status.DENIED]
        assert app.nav.tree == []


def test_a_leaving_guard_for_everything_is_asked_about_all_that_closes(tmp_path):
    def install(nav):
        nav.route("app://help", None)
        nav.guard("*", name="stay", leaving=True)(lambda route: False)

    with session(tmp_path, install) as app:
        for url in ("home", "app://help"):
            app.open(url)
        assert app.ask(app.nav.pop) == [Status.DENIED]
        assert app.ask(app.nav.replace, "diary") == [Status.DENIED]
        app.context.expect_tree("home\n  app://help")


def test_a_guard_without_patterns_is_refused():
    with TestContext() as test:
        app = App(test, RecordingStage())
        with pytest.raises(TypeError, match='"\\*" means every URL'):
            app.nav.guard()
        test.skip()


def test_a_guard_that_nobody_answers_for_is_refused_and_names_are_taken_once():
    with TestContext() as test:
        app = App(test, RecordingStage())
        app.nav.guard("home", name="one")(lambda route: True)
        with pytest.raises(TypeError, match="a guard 'one' already"):
            app.nav.guard("diary", name="one")(lambda route: True)
        test.skip()

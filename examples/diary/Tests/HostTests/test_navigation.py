# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Acceptance A-38, A-45, A-47 and A-48 through the library in C: where the app goes."""

from __future__ import annotations

import pytest
from diaries import Confirm, DiaryList, DiaryPage, Drawer, Guide, Idea, SignIn, World, ids
from mainstem import Status


def started(entries: int = 3) -> World:
    world = World(entries=entries)
    world.start()
    world.answer()
    return world


def signed_out() -> World:
    world = World(entries=12)
    world.shelf.session = ""
    world.shelf.account.update(isSignedIn=False, nickname="", hasAgreed=False, hasSeenGuide=False)
    return world


def sign_in(world: World) -> None:
    screen = world.view(SignIn)
    screen.nickname, screen.has_agreed = "Ada", True
    world.do(screen.sign_in)


def confirms(world: World) -> list:
    return [screen.view.text for screen in world.screens(Confirm)]


# The deep link


def test_a_47_a_link_before_the_first_screen_waits_passes_the_guard_and_opens_once() -> None:
    with signed_out() as world:
        told = world.go(world.nav.link, "diary/7")
        world.go(world.nav.open, "app")
        world.answer()
        assert (world.tree(), told) == (["app", "signin", "signin/name"], [])
        world.nav.ready()
        world.answer()
        # The list and the link both want the sign-in first: there is one.
        assert (world.tree(), told) == (["app", "signin", "signin/name"], [])
        sign_in(world)
        assert world.tree() == ["app", "signin", "signin/name", "signin/guide"]
        world.do(world.view(Guide).understand)
        assert (world.tree(), told) == (["app", "diary", "diary/7"], [])
        assert (world.view(DiaryPage).text, len(world.screens(DiaryPage))) == ("Day 7.", 1)
        world.swipe()
        assert told == [Status.CANCELLED]


def test_a_47_a_link_whose_sign_in_is_left_is_denied() -> None:
    with signed_out() as world:
        told = world.go(world.nav.link, "diary/7")
        ended = world.go(world.nav.open, "app")
        world.nav.ready()
        world.answer()
        world.swipe()
        assert (told, ended, world.tree()) == ([Status.DENIED], [Status.CANCELLED], [])


def test_a_47_a_link_that_leads_nowhere_says_so_and_the_app_is_there() -> None:
    with signed_out() as world:
        world.shelf.account.update(isSignedIn=True, nickname="Ada")
        world.shelf.session = "Ada"
        told = world.go(world.nav.link, "diary/seven")
        world.start()
        world.answer()
        assert (told, world.tree()) == ([Status.NO_ROUTE], ["app", "diary"])


def test_a_link_closes_the_dialog_that_is_open() -> None:
    with started() as world:
        world.do(world.view(DiaryList).pick, 3)
        world.do(world.view(DiaryPage).ask_delete)
        world.go(world.nav.link, "diary/2")
        world.answer()
        assert world.tree() == ["app", "diary", "diary/3", "diary/2"]
        assert 3 in world.shelf.kept["Ada"]


# One dialog, many openers; a group


def test_a_48_one_dialog_from_three_places_each_gets_its_own_result() -> None:
    with started() as world:
        world.do(world.view(DiaryList).pick, 3)
        page = world.view(DiaryPage)
        page.text = "Sun."
        world.do(page.ask_delete)
        page.close()
        world.settle()
        assert confirms(world) == ["Delete this entry?", "Leave without saving?"]
        world.do(world.view(Confirm).refuse)
        assert (confirms(world), page.text) == (["Delete this entry?"], "Sun.")
        world.do(world.view(Confirm).confirm)
        assert (world.tree(), sorted(world.shelf.kept["Ada"])) == (["app", "diary"], [1, 2])
        world.do(world.view(DiaryList).menu)
        world.do(world.view(Drawer).sign_out)
        assert confirms(world) == ["Sign out?"]
        world.do(world.view(Confirm).refuse)
        assert (world.tree(), world.shelf.session) == (["app", "diary"], "Ada")


def test_a_48_a_group_is_shown_and_closed_as_one() -> None:
    with started() as world:
        world.do(world.view(DiaryList).write)
        assert world.tree() == ["app", "diary", "compose", "diary/0", "idea"]
        assert [each.kind for each in world.stage.seen] == [DiaryPage, Idea]
        first = world.view(Idea).text
        world.view(Idea).another()
        assert world.view(Idea).text != first
        world.do(world.view(DiaryPage).close)
        assert (world.tree(), len(world.stage.screens)) == (["app", "diary"], 1)
        world.do(world.view(DiaryList).write)
        world.swipe(world.screens(Idea)[0])
        assert world.tree() == ["app", "diary"]


# Dismissed, then presented


def test_a_38_what_is_presented_after_a_dismissal_stays() -> None:
    with started() as world:
        world.do(world.view(DiaryList).menu)
        world.view(Drawer).sign_out()  # closes the drawer; the answer opens the question
        world.settle()
        assert world.tree() == ["app", "diary", "confirm?text=Sign%20out%3F"]
        assert [each.kind for each in world.stage.seen] == [Confirm]
        world.do(world.view(Confirm).confirm)
        assert world.tree() == ["app", "signin", "signin/name"]
        assert [each.kind for each in world.stage.screens.values()] == [SignIn]


# Leaving


@pytest.mark.parametrize("leave", ["close", "pop"])
def test_what_is_not_saved_is_left_only_with_a_yes(leave: str) -> None:
    with started() as world:
        world.do(world.view(DiaryList).write)
        page = world.view(DiaryPage)
        page.text = "New."

        def go() -> None:
            if leave == "close":
                page.close()
            else:
                world.nav.pop(failed=lambda failure: None)
            world.settle()

        go()
        world.do(world.view(Confirm).refuse)
        assert world.tree()[-2:] == ["diary/0", "idea"]
        go()
        world.swipe()  # No answer is a no.
        assert world.tree()[-2:] == ["diary/0", "idea"]
        world.do(page.save)
        go()
        assert (world.tree(), ids(world.view(DiaryList))) == (["app", "diary"], [4, 3, 2, 1])


def test_a_gesture_asks_nobody_and_is_forgotten() -> None:
    with started() as world:
        for text in ("Sun.", "Day 3."):
            world.do(world.view(DiaryList).pick, 3)
            page = world.screens(DiaryPage)[-1]
            page.view.text = text
            if text == "Sun.":
                world.swipe()
            else:
                page.view.close()
            world.settle()
            assert world.tree() == ["app", "diary"]


def test_two_pages_of_an_entry_are_told_apart() -> None:
    with started() as world:
        world.do(world.view(DiaryList).pick, 3)
        world.view(DiaryPage).text = "Sun."
        world.go(world.nav.link, "diary/3")
        world.answer()
        world.swipe()
        world.view(DiaryPage).close()
        world.settle()
        assert confirms(world) == ["Leave without saving?"]


# Signing out, and what cannot be done


def test_after_a_sign_out_nothing_of_the_old_user_is_there() -> None:
    with started() as world:
        world.do(world.view(DiaryList).menu)
        world.do(world.view(Drawer).sign_out)
        world.do(world.view(Confirm).confirm)
        screen = world.view(SignIn)
        assert screen.nickname == "Ada"
        screen.nickname = "Ben"
        world.do(screen.sign_in)
        assert world.tree() == ["app", "diary"]
        assert ids(world.view(DiaryList)) == []


def test_what_the_store_refuses_is_told_in_the_list() -> None:
    with started() as world:
        told = world.screens(DiaryList)[0].told
        world.do(world.view(DiaryList).pick, 3)
        world.shelf.mode = "down"
        world.do(world.view(DiaryPage).ask_delete)
        world.do(world.view(Confirm).confirm)
        assert (told, world.tree()) == (["No disk."], ["app", "diary", "diary/3"])
        world.nav.pop()
        world.do(world.view(DiaryList).menu)
        world.do(world.view(Drawer).sign_out)
        world.do(world.view(Confirm).confirm)
        assert (told, world.tree()) == (["No disk."] * 2, ["app", "diary"])


def test_a_page_whose_entry_goes_closes_wherever_it_is() -> None:
    with started() as world:
        world.do(world.view(DiaryList).pick, 3)
        for id in (2, 3):
            world.go(world.nav.link, f"diary/{id}")
        world.answer()
        assert world.tree() == ["app", "diary", "diary/3", "diary/2", "diary/3"]
        world.do(world.view(DiaryPage).ask_delete)
        world.do(world.view(Confirm).confirm)
        # The first page of the entry closes with what stands on it.
        assert world.tree() == ["app", "diary"]

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A flow hears what its components say, and decides where the app goes."""

from __future__ import annotations

import mainstem
import pytest
from mainstem import Notice, Request, Response
from mainstem.testing import RecordingStage, TestContext


@mainstem.event
class EntryPicked(Notice):
    id: int


@mainstem.event
class DeletePressed(Notice):
    id: int


@mainstem.event
class Saved(Notice):
    text: str


@mainstem.event
class Confirmed(Notice):
    yes: bool


@mainstem.event
class Asked(Response):
    text: str


@mainstem.event
class RequestAsk(Request[Asked]):
    text: str


class DiaryList(mainstem.ViewModel):
    @mainstem.command
    def pick(self, id: int) -> None:
        self.scope.send(EntryPicked(id))


class DiaryPage(mainstem.ViewModel):
    def __init__(self, id):
        self.id = id

    @mainstem.command
    def delete(self) -> None:
        self.scope.send(DeletePressed(self.id))

    @mainstem.command
    def save(self, text: str) -> None:
        self.scope.send(Saved(text))

    @mainstem.command
    def pick(self, id: int) -> None:
        self.scope.send(EntryPicked(id))


class Confirm(mainstem.ViewModel):
    @mainstem.command
    def answer(self, yes: bool) -> None:
        self.finish(Confirmed(yes))


class DiaryFlow(mainstem.ViewModel):
    saved: int = mainstem.shown(0)

    def __init__(self, heard):
        self.heard = heard

    def opened(self) -> None:
        self.navigator.open("diary")

    @mainstem.intent(EntryPicked, of=DiaryList)
    def picked(self, entry: EntryPicked) -> None:
        self.navigator.open(f"diary/{entry.id}")

    @mainstem.intent(DeletePressed)
    async def delete(self, pressed: DeletePressed, page: mainstem.Component) -> None:
        answer = await self.navigator.open("confirm", on=page)
        if answer.yes:
            self.navigator.close(page)

    @mainstem.intent(Saved, of="DiaryPage", when_hidden="queued")
    def has_saved(self, saved: Saved) -> None:
        if not saved.text:
            raise ValueError("no room")
        self.saved += 1
        self.heard.append(saved.text)

    @mainstem.intent("MainstemLink")
    def linked(self, link: mainstem.Event, speaker: object) -> None:
        self.heard.append((link.text, speaker))


class App:
    def __init__(self, test):
        test.register(EntryPicked, DeletePressed, Saved, Confirmed)
        self.heard, self.test = [], test
        self.nav = nav = mainstem.Navigator(test, stage=RecordingStage())

        @nav.flow("app")
        def app(route) -> DiaryFlow:
            return DiaryFlow(self.heard)

        @nav.route("diary")
        def diary(route) -> DiaryList:
            return DiaryList()

        @nav.route("diary/<int:id>")
        def page(route) -> DiaryPage:
            return DiaryPage(route["id"])

        @nav.route("menu", kind="overlay")
        def menu(route) -> DiaryPage:
            return DiaryPage(0)

        @nav.route("confirm", kind="dialog")
        def confirm(route) -> Confirm:
            return Confirm()

        nav.ready()

    def view(self, url):
        found = next(one for one in reversed(self.nav.tree) if one.url == url)
        return found.view_model.bind()

    def run(self, command, *arguments):
        command(*arguments)
        self.test.advance()


@pytest.fixture
def app():
    with TestContext() as test:
        app = App(test)
        app.nav.open("app", then=lambda _: None, failed=lambda _: None)
        test.advance()
        yield app
        test.skip()


def test_an_intent_leads_somewhere(app):
    app.run(app.view("diary").pick, 7)
    app.test.expect_tree(
        """
        app
          diary
            diary/7
        """
    )


def test_what_another_component_says_is_not_heard(app):
    app.run(app.view("diary").pick, 7)
    app.run(app.view("diary/7").pick, 8)
    app.nav.open("diary", then=lambda _: None, failed=lambda _: None)
    app.test.advance()
    app.run(app.nav.tree[-1].view_model.bind().pick, 9)
    assert [one.url for one in app.nav.tree] == ["app", "diary", "diary/7", "diary", "diary/9"]


@pytest.mark.parametrize("is_sure", [True, False])
def test_it_knows_who_speaks_and_goes_on_with_a_result(app, is_sure):
    app.run(app.view("diary").pick, 7)
    app.run(app.view("diary/7").delete)
    assert app.nav.top.url == "confirm"
    assert app.nav.top.parent == app.nav.tree[-2].number
    app.run(app.view("confirm").answer, is_sure)
    assert [one.url for one in app.nav.tree] == ["app", "diary", *([] if is_sure else ["diary/7"])]


def test_a_method_ends_when_what_it_awaits_is_closed(app):
    app.run(app.view("diary").pick, 7)
    app.run(app.view("diary/7").delete)
    app.nav.gone(app.nav.top)
    app.test.advance()
    assert app.nav.top.url == "diary/7"
    assert app.test.stats().failures == 0


def test_what_is_covered_waits_or_is_dropped(app):
    app.run(app.view("diary").pick, 7)
    page, diary = app.view("diary/7"), app.view("diary")
    app.nav.of(app.test.find_scope(app.nav.top.number)).open(
        "diary/8", then=lambda _: None, failed=lambda _: None
    )
    app.test.advance()
    app.run(page.save, "a")
    app.run(diary.pick, 9)
    assert app.heard == []
    app.nav.gone(app.nav.top)
    app.test.advance()
    assert app.heard == ["a"]
    assert app.nav.tree[0].view_model.bind().saved == 1
    assert [one.url for one in app.nav.tree] == ["app", "diary", "diary/7"]


def test_an_overlay_is_heard_by_the_flow_that_opened_it(app):
    flow, diary = app.nav.tree
    for opener, heard in ((diary, ["from diary"]), (None, ["from diary"])):
        moves = app.nav if opener is None else app.nav.of(app.test.find_scope(opener.number))
        moves.open("menu", then=lambda _: None, failed=lambda _: None)
        app.test.advance()
        app.run(app.nav.top.view_model.bind().save, "from diary")
        assert app.heard == heard


def test_a_link_for_all_flows_comes_from_no_component(app):
    app.nav.link("hello", all_flows=True)
    app.test.advance()
    assert app.heard == [("hello", None)]


def test_what_a_method_raises_is_reported(app):
    app.run(app.view("diary").pick, 7)
    with pytest.raises(ValueError, match="no room"):
        app.run(app.view("diary/7").save, "")


# What is refused --------------------------------------------------------------------------------


def refused(make, add):
    """The message that a route with intents is refused with, when it is opened."""
    with mainstem.Context(raises=True) as context:
        context.register(EntryPicked)
        nav = mainstem.Navigator(context, stage=RecordingStage())
        getattr(nav, add)("app", make, name="App")
        with pytest.raises(TypeError) as raised:
            nav.open("app", then=print, failed=print)
        return str(raised.value)


class Hearing(mainstem.ViewModel):
    @mainstem.intent(EntryPicked)
    def picked(self, entry): ...


class Asking(mainstem.ViewModel):
    @mainstem.intent(RequestAsk)
    def asked(self, request): ...


class Plain:
    @mainstem.intent(EntryPicked)
    def picked(self, entry): ...


@pytest.mark.parametrize(
    ("made", "add", "message"),
    [
        (Hearing, "route", "Hearing.picked hears an intent: nav.flow adds its route"),
        (Asking, "flow", "Asking.asked: RequestAsk is a request: say @mainstem.handles"),
        (Plain, "flow", "Plain.picked hears an intent: make Plain a mainstem.ViewModel"),
    ],
)
def test_a_mistake_is_said(made, add, message):
    assert message in refused(lambda route: made(), add)


def test_an_unknown_word_is_refused():
    with pytest.raises(ValueError, match="when_hidden is 'later': it is one of dropped, queued"):
        mainstem.intent(EntryPicked, when_hidden="later")

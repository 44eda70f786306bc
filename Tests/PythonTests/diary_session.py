# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A session of a diary with screens, dialogs, guards and a flow, which the library has recorded."""

from __future__ import annotations

import mainstem
from mainstem import Notice
from mainstem.testing import After, RecordingStage, TestContext


@mainstem.event
class Confirmed(Notice):
    is_sure: bool


class DiaryList(mainstem.ViewModel):
    picked = mainstem.pulse(int)
    secret_pressed = mainstem.pulse(None)

    @mainstem.command
    def pick(self, id: int) -> None:
        self.picked(id)

    @mainstem.command
    def unlock(self) -> None:
        self.secret_pressed()


class DiaryPage(mainstem.ViewModel):
    delete_pressed = mainstem.pulse(None)

    @mainstem.command
    def delete(self) -> None:
        self.delete_pressed()

    @mainstem.command
    def back(self) -> None:
        self.navigator.pop(then=_nothing, failed=_nothing)


class Confirm(mainstem.ViewModel):
    @mainstem.command
    def answer(self, is_sure: bool) -> None:
        self.finish(Confirmed(is_sure))


class SignIn(mainstem.ViewModel):
    @mainstem.command
    def enter(self) -> None:
        self.finish()


def _nothing(_):
    pass


class Diary:
    """The app. Its flow hears what screens say, and opens what comes next on who has said it."""

    def __init__(self, test: TestContext) -> None:
        self.test = test
        self.nav = nav = mainstem.Navigator(
            test, stage=RecordingStage(*[After(0.2, None)] * 30), scheme="diary"
        )
        self.is_signed_in = False
        nav.flow("app", None)
        nav.route("diary", lambda route: DiaryList(), name="DiaryList")
        nav.route("diary/<int:id>", lambda route: DiaryPage(), name="DiaryPage")
        nav.route("confirm", lambda route: Confirm(), kind="dialog", name="Confirm")
        nav.route("signin", lambda route: SignIn(), kind="dialog", name="SignIn")
        nav.route("about", None, kind="overlay")
        nav.route("secret", None)
        nav.route("drawer", None, kind="embed", slot="left")

        @nav.guard("secret")
        def is_signed_in(route: mainstem.Match) -> object:
            return self.is_signed_in or mainstem.OpenFirst("signin")

        @nav.guard("diary/<int:id>")
        def is_written(route: mainstem.Match) -> object:
            return route["id"] < 12 or (route["id"] < 20 and mainstem.Redirect("diary/11"))

        test.register(Confirmed)
        test.observe()(self._hear)

    def _hear(self, event: mainstem.Event) -> None:
        """What the flow does: it opens something on the component that has spoken."""
        urls = {
            "DiaryList.picked": lambda: f"diary/{event.value}",
            "DiaryList.secretPressed": lambda: "secret",
            "DiaryPage.deletePressed": lambda: "confirm",
        }
        if event.name in urls:
            self._open(urls[event.name](), event.name.partition(".")[0])

    def _open(self, url: str, speaker: str) -> None:
        flow = next(one for one in self.nav.tree if one.kind == "flow")
        on = next(one for one in reversed(self.nav.tree) if one.name == speaker)
        moves = self.nav.of(self.test.find_scope(flow.number))
        moves.open(url, on=on, then=_nothing, failed=_nothing)

    def top(self):
        """A view of what is at the top."""
        return self.nav.top.view_model.bind()

    def move(self, verb, *arguments, of=None):
        """Asks for a move, of the app or of a component."""
        moves = self.nav
        if of is not None:
            number = next(one.number for one in reversed(self.nav.tree) if one.url == of)
            moves = self.nav.of(self.test.find_scope(number))
        getattr(moves, verb)(*arguments, then=_nothing, failed=_nothing)


def play(diary: Diary) -> None:
    """What the user does."""

    def do(function, *arguments, **options):
        diary.test.advance(0.5)
        function(*arguments, **options)
        diary.test.advance(0.3)

    do(diary.nav.ready)
    do(diary.move, "open", "app")
    do(diary.move, "open", "diary", of="app")
    do(diary.move, "open", "drawer", of="diary")
    for number, is_sure in ((3, True), (4, False), (15, None), (7, None)):
        do(lambda number=number: diary.top().pick(number))
        do(lambda: diary.top().delete())
        if is_sure is None:
            do(lambda: diary.nav.gone(diary.nav.top.number))
        else:
            do(lambda is_sure=is_sure: diary.top().answer(is_sure))
        do(lambda: diary.top().back())
    do(lambda: diary.top().pick(99))
    do(lambda: diary.top().unlock())
    do(lambda: diary.nav.gone(diary.nav.top.number))
    do(lambda: diary.top().unlock())
    diary.is_signed_in = True
    do(lambda: diary.top().enter())
    do(diary.move, "link", "diary://about")
    do(lambda: diary.nav.gone(diary.nav.top.number))
    do(lambda: diary.move("pop", of="secret"))
    do(lambda: diary.top().pick(7))
    do(lambda: diary.top().delete())


def diary_session(path: str, is_closed: bool = True) -> str:
    """Records it; returns the path."""
    with TestContext() as test:
        test.record(path)
        diary = Diary(test)
        test.keep()
        play(diary)
        test.skip()
    return path


if __name__ == "__main__":
    import sys

    diary_session(sys.argv[1])

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Gates: requests wait for a session, and one refresh serves all (A-69)."""

from __future__ import annotations

import json
import random
from typing import Any, List, Tuple

import mainstem
import pytest
from mainstem import LATER, Context, MainstemError, Request, Response, Status

EXPIRED, CLOSED, BROKEN = 1401, 1402, 1500


@mainstem.event
class ResponseFeed(Response):
    text: str


@mainstem.event
class RequestFeed(Request[ResponseFeed]):
    page: int


@mainstem.event
class RequestSiteFeed(Request[ResponseFeed]):
    page: int


@mainstem.event
class ResponseRefresh(Response):
    pass


@mainstem.event
class RequestRefresh(Request[ResponseRefresh]):
    pass


class Session(mainstem.ViewModel):
    signed_in: bool = mainstem.shown(False)

    @mainstem.command
    def sign(self, is_in: bool) -> None:
        self.signed_in = is_in


class Program:
    """A gate before a site that keeps what it is asked."""

    def __init__(self, refusal: int = 0, record: str = "", replay: str = "", **context: Any):
        self.context = Context(**context)
        if record:
            self.context.record(record)
        if replay:
            self.replay = self.context.replay(replay, verify=True)
        self.view = self.context.open(Session()).bind()
        self.asked: List[Any] = []
        self.refreshes: List[Any] = []
        self.answers: List[Tuple[int, Any]] = []
        self.context.server("Site", {RequestSiteFeed: self.keep, RequestRefresh: self.keep_refresh})
        self.gate = self.context.gate(
            "Gate",
            {RequestFeed: RequestSiteFeed},
            open="Session.signedIn",
            refresh=RequestRefresh,
            expired=EXPIRED,
            refusal=refusal,
        )

    def keep(self, request: Any) -> Any:
        self.asked.append(request.event.retain())
        return LATER

    def keep_refresh(self, request: Any) -> Any:
        self.refreshes.append(request.event.retain())
        return LATER

    def sign(self, is_in: bool) -> None:
        self.view.sign(is_in)

    def ask(self, page: int) -> Any:
        return self.context.request(
            RequestFeed(page),
            then=lambda answer: self.answers.append((page, answer.text)),
            failed=lambda failure: self.answers.append((page, failure.code)),
        )

    def end(self, kept: Any, answer: Any) -> None:
        kept.respond(answer)
        self.context.drain()


@pytest.fixture(params=["one", "any"])
def threads(request):
    return request.param


def failed(code: int) -> mainstem.Failure:
    return mainstem.Failure("failed", code=code)


def test_requests_wait_for_the_session_in_their_order(threads):
    program = Program(threads=threads)
    for page in (1, 2, 3):
        program.ask(page)
    assert program.asked == []

    program.sign(True)
    assert [kept.event.data for kept in program.asked] == [
        b'{"page":1}',
        b'{"page":2}',
        b'{"page":3}',
    ]
    program.end(program.asked[1], ResponseFeed("two"))
    assert program.answers == [(2, "two")]


def test_a_closed_gate_may_refuse():
    program = Program(refusal=CLOSED)
    program.ask(1)
    assert program.answers == [(1, CLOSED)]


def test_a_69_five_expired_requests_share_one_refresh(threads):
    program = Program(threads=threads)
    program.sign(True)
    for page in range(5):
        program.ask(page)
    for kept in tuple(program.asked):
        program.end(kept, failed(EXPIRED))
    assert len(program.refreshes) == 1
    program.ask(5)
    assert len(program.asked) == 5

    program.end(program.refreshes[0], ResponseRefresh())
    assert len(program.asked) == 11
    for kept in program.asked[5:]:
        program.end(kept, ResponseFeed("news"))
    assert program.answers == [(page, "news") for page in range(6)]
    assert len(program.refreshes) == 1


def test_a_69_a_refresh_that_fails_fails_them_all():
    program = Program()
    program.sign(True)
    for page in range(5):
        program.ask(page)
    for kept in tuple(program.asked):
        program.end(kept, failed(EXPIRED))
    program.sign(False)
    program.end(program.refreshes[0], failed(BROKEN))
    assert program.answers == [(page, BROKEN) for page in range(5)]


def test_progress_is_passed_on():
    program = Program()
    program.context.add_type("Step", int)
    program.sign(True)
    steps: List[Any] = []
    program.context.request(
        RequestFeed(1), then=lambda answer: None, progress=lambda step: steps.append(step.data)
    )
    program.asked[0].progress("Step", 7)
    program.context.drain()
    assert steps == [(7).to_bytes(8, "little")]


def test_the_end_of_a_gate_cancels_what_it_keeps():
    program = Program()
    program.ask(1)
    program.sign(True)
    program.ask(2)
    program.gate.end()
    assert program.answers == [(1, Status.CANCELLED), (2, Status.CANCELLED)]


def test_mistakes_are_refused():
    program = Program()
    with pytest.raises(MainstemError, match="has a handler in the server Gate"):
        program.context.gate("B", {RequestFeed: RequestSiteFeed}, open="Session.signedIn")
    with pytest.raises(MainstemError, match="is not a value that is true or false"):
        program.context.gate("B", {RequestFeed: RequestSiteFeed}, open=ResponseFeed)
    with pytest.raises(MainstemError, match="a refresh needs both"):
        program.context.gate(
            "B", {RequestFeed: RequestSiteFeed}, open="Session.signedIn", expired=EXPIRED
        )
    with pytest.raises(ValueError, match="expired is -1: it must not be below 0"):
        program.context.gate(
            "B", {RequestFeed: RequestSiteFeed}, open="Session.signedIn", expired=-1
        )
    with pytest.raises(MainstemError, match="a gate passes on requests"):
        program.context.gate("B", {}, open="Session.signedIn")


def act(program: Program) -> None:
    program.sign(True)
    program.ask(1)
    program.end(program.asked[0], failed(EXPIRED))
    program.end(program.refreshes[0], ResponseRefresh())
    program.end(program.asked[1], ResponseFeed("news"))
    program.ask(2)
    program.sign(False)
    program.ask(3)


def test_a_session_with_a_gate_is_verified(tmp_path):
    path = str(tmp_path / "session.journal")
    program = Program(record=path)
    act(program)
    assert program.answers == [(1, "news")]
    program.context.close()

    program = Program(replay=path)
    with program.context, program.replay as replay:
        replay.to_end()
        assert replay.info.whole


@mainstem.event(secret=True)
class RequestSignIn(Request[ResponseRefresh]):
    password: str


@mainstem.event(secret=True)
class RequestSiteSignIn(Request[ResponseRefresh]):
    password: str


def test_a_secret_behind_a_gate_is_not_recorded(tmp_path):
    path, got = tmp_path / "session.journal", []
    with Context() as context:
        context.record(path)
        view = context.open(Session()).bind()

        @context.serve(RequestSiteSignIn)
        def sign_in(request: RequestSiteSignIn) -> ResponseRefresh:
            got.append(request.password)
            return ResponseRefresh()

        context.gate("Gate", {RequestSignIn: RequestSiteSignIn}, open="Session.signedIn")
        context.request(RequestSignIn("hunter2"), then=lambda answer: None)
        view.sign(True)
        with pytest.raises(MainstemError, match="is not a secret, and the request is one"):
            context.gate("Leak", {RequestSignIn: RequestFeed}, open="Session.signedIn")
    assert got == ["hunter2"]
    assert b"hunter2" not in path.read_bytes()


class Model:
    """What a gate does, said as simply as possible."""

    def __init__(self, refusal: int) -> None:
        self.refusal = refusal
        self.open = self.refreshing = False
        self.session = self.refreshes = 0
        self.passes: List[List[Any]] = []  # page, place in asked or None, repeated, session
        self.asked: List[int] = []
        self.answers: List[Tuple[int, Any]] = []

    def settle(self, one: List[Any], answer: Any) -> None:
        self.passes.remove(one)
        self.answers.append((one[0], answer))

    def move(self) -> None:
        for one in [] if self.refreshing else list(self.passes):
            if one[1] is None and self.open:
                one[1], one[3] = len(self.asked), self.session
                self.asked.append(one[0])
            elif one[1] is None and self.refusal:
                self.settle(one, self.refusal)

    def sign(self, is_in: bool) -> None:
        self.session += is_in and not self.open
        self.open = is_in
        self.move()

    def ask(self, page: int) -> None:
        if not self.open and self.refusal:
            self.answers.append((page, self.refusal))
        else:
            self.passes.append([page, None, False, 0])
            self.move()

    def cancel(self, page: int) -> None:
        for one in self.passes:
            if one[0] == page:
                self.settle(one, Status.CANCELLED)
                return

    def end(self, index: int, answer: Any) -> None:
        one = next((one for one in self.passes if one[1] == index), None)
        if one is None:
            return
        if answer != EXPIRED or one[2]:
            self.settle(one, answer)
            return
        one[1], one[2] = None, True
        if one[3] == self.session and not self.refreshing:
            self.refreshing = True
            self.refreshes += 1
        self.move()

    def refreshed(self, code: int) -> None:
        self.refreshing = False
        if code == 0:
            self.session += 1
        for one in list(self.passes) if code else ():
            if one[1] is None and one[2]:
                self.settle(one, code)
        self.move()


@pytest.mark.parametrize("seed", range(60))
def test_random_sessions_go_as_the_model_says(seed):
    draw = random.Random(seed)
    refusal = draw.choice((0, CLOSED))
    program, model = Program(refusal=refusal), Model(refusal)
    pending: List[Any] = []
    ended = refreshed = 0
    for _ in range(120):
        act = draw.choice("aaaeeeeersc")
        if act == "a":
            pending.append(program.ask(len(pending)))
            model.ask(len(pending) - 1)
        elif act == "e" and ended < len(program.asked):
            code = draw.choice((0, EXPIRED, EXPIRED, BROKEN))
            kept = program.asked[ended]
            if not kept.event.is_settled:
                program.end(kept, failed(code) if code else ResponseFeed("news"))
                model.end(ended, code or "news")
            ended += 1
        elif act == "r" and refreshed < len(program.refreshes):
            code = draw.choice((0, BROKEN))
            program.end(program.refreshes[refreshed], failed(code) if code else ResponseRefresh())
            model.refreshed(code)
            refreshed += 1
        elif act == "s":
            is_in = draw.random() < 0.7
            program.sign(is_in)
            model.sign(is_in)
        elif act == "c" and pending:
            page = draw.randrange(len(pending))
            pending[page].cancel()
            model.cancel(page)
        assert program.answers == model.answers
        assert [json.loads(k.event.data)["page"] for k in program.asked] == model.asked
        assert len(program.refreshes) == model.refreshes
    program.context.close()

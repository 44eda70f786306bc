# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The gate before a site whose tokens expire, tested against that site.

Run it with: python3 -m pytest tokens_test.py
"""

import random
from pathlib import Path
from typing import Any, Dict, List, Tuple

import mainstem
import pytest
from http_provider import UNREACHED
from mainstem import Failure
from tokens import SIGNED_OUT, Pages, RequestNews, RequestSignIn, RequestSiteSignIn, install


class Program:
    """The program, and its site."""

    def __init__(self, context: mainstem.Context, seconds: float = 10.0) -> None:
        self.context = context
        self.pages = Pages()
        self.site = self.pages.serve()
        self.answers: List[Tuple[int, Any]] = []
        install(context, self.site.url(""))

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *_: object) -> None:
        self.site.close()

    def sign_in(self, password: str = "secret") -> None:
        self.context.request(RequestSignIn("Ada", password))

    def may_sign_in(self) -> bool:
        try:
            self.sign_in()
        except Failure:
            return False
        return True

    def ask(self, page: int) -> Any:
        return self.context.request(
            RequestNews(page),
            then=lambda news: self.answers.append((page, news.text)),
            failed=lambda failure: self.answers.append((page, failure.code)),
        )

    def settle(self) -> None:
        """Waits until nothing is open, or only what waits for a session."""
        while self.context.request_count("RequestSiteNews") or self.context.request_count(
            "RequestRefresh"
        ):
            self.context.wait(10)


def asked(program: Program, path: str) -> int:
    return sum(each == path for each in program.site.asked)


def test_requests_wait_until_somebody_is_signed_in() -> None:
    with mainstem.Context() as context, Program(context) as program:
        program.ask(1)
        assert program.site.asked == []
        program.sign_in()
        program.settle()
        assert program.answers == [(1, "page 1")]


def test_five_expired_requests_need_one_refresh() -> None:
    with mainstem.Context() as context, Program(context) as program:
        program.sign_in()
        program.pages.expire()
        for page in range(5):
            program.ask(page)
        program.settle()
        assert sorted(program.answers) == [(page, f"page {page}") for page in range(5)]
        assert asked(program, "/refresh") == 1


def test_a_refresh_that_fails_signs_out() -> None:
    with mainstem.Context() as context, Program(context) as program:
        program.sign_in()
        program.pages.expire()
        program.pages.is_locked = True
        for page in range(3):
            program.ask(page)
        program.settle()
        assert sorted(program.answers) == [(page, SIGNED_OUT) for page in range(3)]

        program.ask(7)  # waits for the next session
        program.settle()
        assert len(program.answers) == 3
        program.pages.is_locked = False
        program.sign_in()
        program.settle()
        assert program.answers[3:] == [(7, "page 7")]


def test_other_failures_are_the_answer() -> None:
    with mainstem.Context() as context, Program(context) as program:
        program.sign_in()
        program.site.fail(503)
        program.ask(1)
        program.settle()
        assert len(program.answers) == 1
        assert program.answers[0][1] not in (SIGNED_OUT, UNREACHED, "page 1")
        assert asked(program, "/refresh") == 0


def test_a_wrong_password_is_said() -> None:
    with mainstem.Context() as context, Program(context) as program:
        with pytest.raises(Failure) as failed:
            program.sign_in("wrong")
        assert failed.value.code == SIGNED_OUT
        program.ask(1)
        program.settle()
        assert program.answers == []


def play(program: Program, seed: int) -> None:
    draw = random.Random(seed)
    pages: Dict[int, Any] = {}
    for step in range(40):
        act = draw.choice("aaaaexlsc")
        if act == "a":
            pages[step] = program.ask(step)
        elif act == "e":
            program.pages.expire()
        elif act == "x":
            program.site.fail(draw.choice((401, 503)))
        elif act == "l":
            program.pages.is_locked = not program.pages.is_locked
        elif act == "c" and pages:
            draw.choice(list(pages.values())).cancel()
        elif act == "s":
            program.may_sign_in()
        program.settle()
    program.pages.is_locked = False
    while not program.may_sign_in():  # the site still owes failures
        pass
    program.settle()
    assert sorted(page for page, _ in program.answers) == sorted(pages)


@pytest.mark.parametrize("seed", range(10))
def test_random_sessions_answer_all_and_verify(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "session.journal"
    with mainstem.Context() as context:
        context.record(path)
        with Program(context) as program:
            play(program, seed)

    data = path.read_bytes()
    assert b"RequestSignIn" in data
    for kept in (b"secret", b"token 0", b"refresh"):
        assert kept not in data.replace(b"RequestSignIn", b"").replace(b"/refresh", b"")

    def known(event: mainstem.Event) -> Any:
        kind = RequestSignIn if event.name == "RequestSignIn" else RequestSiteSignIn
        return kind("Ada", "secret")

    with mainstem.Context() as context, context.replay(path, verify=True, secrets=known) as replay:
        install(context, "")
        replay.to_end()
        assert replay.info.whole

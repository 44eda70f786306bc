# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Replay: what a journal withholds is asked of who knows it."""

import gc

import mainstem
import pytest
from mainstem import Context, Failure, Notice, Request, Response, Secret, Status
from mainstem._library import _callbacks

PASSWORD = "correct horse battery staple"


@mainstem.event(secret=True)
class ResponseSession(Response):
    token: str


@mainstem.event(secret=True)
class RequestSignIn(Request[ResponseSession]):
    password: str


@mainstem.event(secret=True)
class ResponseChecked(Response):
    name: str


@mainstem.event(secret=True)
class RequestCheck(Request[ResponseChecked]):
    password: str


@mainstem.event
class SignedIn(Notice):
    letters: int
    name: str


def install(context, waiting):
    """A server that asks another, which asks the world."""

    @context.serve(RequestSignIn)
    def sign_in(request):
        def signed_in(name):
            context.send(SignedIn(letters=len(request.password), name=name))

        context.request(
            RequestCheck(password=request.password),
            then=lambda answer: signed_in(answer.name),
            failed=lambda failure: signed_in(failure.message),
        )
        return ResponseSession(token="t")

    @context.serve(RequestCheck)
    def check(request):
        if not context.replaying:
            waiting.append(request.event.retain())
        return mainstem.LATER


@pytest.fixture(name="session")
def fixture_session(tmp_path):
    """1 sign in, 2 check, 3 session; 4, 5, 6; the answers: 7 of 5, 8 a notice; 9 of 2, 10."""
    path = str(tmp_path / "session")
    waiting = []
    with Context() as context:
        context.record(path)
        install(context, waiting)
        for _ in range(2):
            context.request(RequestSignIn(password=PASSWORD))
        waiting[1].respond(Failure("no such user", code=1005))
        waiting[0].respond(ResponseChecked(name="Ada"))
        for request in waiting:
            request.release()
    return path


def known(event):
    """Who knows."""
    assert event.status == Status.WITHHELD
    if event.name == "RequestSignIn":
        return RequestSignIn(password=PASSWORD)
    if event.position == 7:
        return Secret(Failure("no such user", code=1005), answers=5)
    assert event.name == "ResponseChecked"
    return '{"name":"Ada"}'


def test_a_program_is_proven_with_the_secrets_of_who_knows(session):
    before = _callbacks.kept()
    context = Context()
    with context.replay(session, verify=True, secrets=known) as replay:
        install(context, [])
        replay.to_end()
        info = replay.info
        assert (info.ended, info.verified_until, info.supplied) == (True, 10, 4)
        assert context.stats().requests == 0
    context.close()
    gc.collect()
    assert _callbacks.kept() == before


def test_a_secret_that_names_no_request_answers_the_oldest(session):
    def named(event):
        found = known(event)
        return Secret(found) if isinstance(found, str) else found

    with Context() as context, context.replay(session, verify=True, secrets=named) as replay:
        install(context, [])
        replay.to_end()
        assert replay.info.verified_until == 10


def test_another_secret_is_found_by_what_comes_of_it_and_not_quoted(session):
    def mistaken(event):
        found = known(event)
        return RequestSignIn(password="hunter2") if event.name == "RequestSignIn" else found

    context = Context()
    with context.replay(session, verify=True, secrets=mistaken) as replay:
        install(context, [])
        with pytest.raises(mainstem.Different) as different:
            replay.to_end()
    assert different.value.difference.position == 8
    assert "hunter2" not in str(different.value)
    context.close()


def test_who_does_not_know_says_none(session):
    context = Context()
    with context.replay(session) as replay:
        seen = []
        replay.on_secret(lambda event: seen.append(event.position))
        replay.to_end()
        assert seen == [1, 2, 3, 4, 5, 6, 7, 9]
        assert replay.info.supplied == 0
    context.close()


@pytest.mark.parametrize(
    "answer, kind",
    [
        (SignedIn(letters=1, name=""), TypeError),
        (b"\xff", mainstem.MainstemError),
        (Failure("no request fails"), mainstem.MainstemError),
        (Secret("{}", answers=1), mainstem.MainstemError),
    ],
)
def test_what_is_no_such_event_is_raised_by_the_call_that_feeds(session, answer, kind):
    caught = []
    context = Context(on_exception=lambda exception, event: caught.append(exception))
    with context.replay(session) as replay:
        replay.on_secret(lambda event: answer)
        replay.step()
        replay.on_secret(None)
        replay.step()
        assert [type(one) for one in caught] == [kind]
        assert replay.info.supplied == 0
    context.close()

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A password in what goes wrong: no exception, report or refusal tells it (E-089, A-30)."""

from __future__ import annotations

import asyncio
import builtins
import sys

import mainstem
import pytest
from mainstem import Failure, MainstemError
from mainstem.testing import TestContext
from password import (
    PASSWORD,
    NoticeAll,
    NoticePacked,
    NoticeText,
    NoticeTyped,
    RequestChange,
    RequestSignIn,
    RequestToken,
    ResponseSession,
    assert_told_nowhere,
)

UNENCODABLE = [
    NoticeTyped(PASSWORD + "\ud800"),
    NoticeTyped(PASSWORD.encode()),
    NoticeText(PASSWORD + "\ud800"),
    NoticeText(PASSWORD.encode()),
    NoticeAll({PASSWORD: "x"}),
    NoticeAll({PASSWORD + "\ud800": 1}),
    NoticeAll({}, PASSWORD),
    NoticeAll({}, None, PASSWORD),
    NoticeAll({PASSWORD: 1}, number=float("nan")),
    NoticePacked(PASSWORD.encode(), 300),
    NoticePacked(PASSWORD, 3),
    ("NoticeText", PASSWORD + "\ud800"),
    ("NoticeText", PASSWORD.encode() + b"\xff"),
    ("NoticeText", [PASSWORD]),
    ("NoticeTyped", PASSWORD + "\ud800"),
]


def ways_out(context):
    """Each call that takes an event, as a function of it."""
    yield from (context.send, context.post, context.request)
    yield lambda *event: context.send_after(1, *event)
    yield lambda *event: context.send_every(1, *event)
    yield lambda *event: context.send_many([event if len(event) > 1 else event[0]])


@pytest.mark.parametrize("event", UNENCODABLE, ids=range(len(UNENCODABLE)))
def test_what_cannot_be_sent_is_told_nowhere(event):
    event = event if isinstance(event, tuple) else (event,)
    with mainstem.Context() as plain:
        plain.register(NoticeTyped, NoticeText, NoticeAll, NoticePacked, RequestSignIn)
        tried = 0
        kept = []
        plain.serve(RequestSignIn, lambda r: kept.append(r.event.retain()) or mainstem.LATER)
        plain.request(RequestSignIn(PASSWORD), then=lambda answer: None)
        calls = [*ways_out(plain), kept[0].progress]
        for call in calls:
            try:
                call(*event)
            except (TypeError, ValueError, MainstemError) as error:
                assert_told_nowhere(error)
                tried += 1
        assert tried == len(calls)
        kept[0].release()


@pytest.mark.parametrize("answer", [ResponseSession(PASSWORD + "\ud800"), PASSWORD + "\ud800", 7])
@pytest.mark.parametrize("how", ["return", "respond", "later", "async"])
def test_an_answer_that_cannot_be_encoded_is_told_nowhere(monkeypatch, answer, how):
    reported, messages, kept = [], [], []
    monkeypatch.setattr(sys, "unraisablehook", lambda u: reported.append(walked(u)))

    def walked(unraisable):
        assert_told_nowhere(unraisable.exc_value)
        assert_told_nowhere(unraisable.object)
        return repr(unraisable.exc_value)

    def sign_in(request):
        if how == "respond":
            request.respond(answer)
        if how == "later":
            kept.append(request.event.retain())
            return mainstem.LATER
        return answer

    async def later(request):
        return answer

    async def main():
        async with mainstem.Context() as context:
            context.observe(mainstem.MainstemFailure, lambda r: messages.append(r.message))
            context.serve(RequestToken, later if how == "async" else sign_in)
            asked = context.request(RequestToken())
            if how == "later":
                with pytest.raises((TypeError, ValueError)) as refused:
                    kept[0].respond(answer)
                assert_told_nowhere(refused.value)
                kept[0].respond(Failure("no"))
                kept.pop().release()
            with pytest.raises(Failure) as failed:
                await asked
            assert_told_nowhere(failed.value)

    asyncio.run(main())
    assert len(reported) == (how != "later")
    assert [each for each in messages + reported if PASSWORD in each] == []


def fail_with_all(event):
    """An exception that has the secret in every place there is."""
    text = event.event.data.decode()
    try:
        try:
            text.encode("ascii") + (text + "\ud800").encode()
        except UnicodeEncodeError as error:
            raise KeyError(text, [text]) from error
    except KeyError as error:
        wrong = ValueError(text, {"of": [text]})
        wrong.quoted = event
        if hasattr(wrong, "add_note"):
            wrong.add_note(text)
            raise builtins.BaseExceptionGroup(text, [wrong, error])  # noqa: B904
        raise wrong  # noqa: B904


@pytest.mark.parametrize("event", [NoticeTyped(PASSWORD), RequestChange(PASSWORD)], ids=str)
def test_what_is_reported_by_default_has_nothing_of_it(monkeypatch, event):
    reported = []

    def hook(unraisable):
        assert_told_nowhere(unraisable.exc_value)
        assert_told_nowhere(unraisable.object)
        traceback = unraisable.exc_value.__traceback__
        places = []
        while traceback is not None:
            # What another reader of frames would show: nothing but that of the hook's caller.
            if traceback.tb_frame.f_code.co_name == "fail_with_all":
                assert traceback.tb_frame.f_locals == {}
            places.append(traceback.tb_frame.f_code.co_name)
            traceback = traceback.tb_next
        reported.append((str(unraisable.exc_value), places[-1], unraisable.object.event))

    monkeypatch.setattr(sys, "unraisablehook", hook)
    with mainstem.Context() as loose:
        loose.register(NoticeTyped)
        if isinstance(event, RequestChange):
            loose.serve(RequestChange, fail_with_all)
            with pytest.raises(Failure) as failed:
                loose.request(event)
            assert_told_nowhere(failed.value)
        else:
            loose.observe(NoticeTyped, fail_with_all)
            loose.send(event)
        kind = "BaseExceptionGroup" if sys.version_info >= (3, 11) else "ValueError"
        kind = "ExceptionGroup" if kind == "BaseExceptionGroup" else kind
        assert [(text, place) for text, place, _ in reported] == [
            (f"{kind}: <secret>", "fail_with_all")
        ]
        kept = reported[0][2]
        assert (kept.position, kept.name, kept.data) == (1, type(event).__name__, b"")
        assert str(kept) == f"#1 {type(event).__name__} <secret>"


def test_an_on_exception_that_fails_is_reported_without_what_it_got(monkeypatch):
    reported = []
    monkeypatch.setattr(sys, "unraisablehook", lambda u: reported.append(u.exc_value))

    def worse(exception, event):
        raise RuntimeError(str(exception)) from exception

    with mainstem.Context(on_exception=worse) as loose:
        loose.observe(NoticeTyped, fail_with_all)
        loose.send(NoticeTyped(PASSWORD))

    assert str(reported[0]) == "RuntimeError: <secret>"
    assert_told_nowhere(reported[0])


def test_a_payload_that_is_no_json_is_told_nowhere(context):
    caught = []

    def read(event):
        for name in ("text", "txt"):
            try:
                getattr(event, name)
            except (MainstemError, AttributeError) as error:
                caught.append(error)

    context.observe(NoticeTyped, read)
    for text in (
        f'"{PASSWORD}"',
        PASSWORD,
        "[" * 100_000 + PASSWORD,
        f'{{"text":{{"{PASSWORD}":1}}}}',
    ):
        context.send("NoticeTyped", text)

    assert len(caught) == 8
    for error in caught:
        assert_told_nowhere(error)


def test_bytes_that_are_no_text_are_told_nowhere(context):
    context.add_type("Raw", bytes, secret=True)
    caught = []

    def read(event):
        try:
            assert event.text is None
        except ValueError as error:
            caught.append(error)

    context.observe("Raw", read)
    context.send("Raw", PASSWORD.encode() + b"\xff")

    assert str(caught[0]) == "#1 Raw: <secret> (UnicodeDecodeError)"
    assert_told_nowhere(caught[0])


@pytest.mark.parametrize("status", ["refused", "callback"])
def test_a_call_that_raises_keeps_no_secret(status):
    with mainstem.Context(limits=mainstem.Limits(payload=4), raises=True) as small:
        small.register(NoticeTyped)
        with pytest.raises(MainstemError) as refused:
            small.send(NoticeTyped(PASSWORD))
        assert_told_nowhere(refused.value)
    with mainstem.Context(raises=True) as context:
        context.observe(NoticeTyped, interrupt)
        with pytest.raises(KeyboardInterrupt) as struck:
            context.send(NoticeTyped(PASSWORD))
        assert_told_nowhere(struck.value)


def interrupt(event):
    raise KeyboardInterrupt


def test_what_a_test_expected_of_a_secret_is_told_nowhere():
    test = TestContext()
    test.catalogue.number_of(NoticeText)
    test.send(NoticeTyped(PASSWORD))
    test.send(NoticeTyped(PASSWORD))
    test.stub(RequestSignIn, Failure(PASSWORD))
    test.request(RequestSignIn("x"), then=print, failed=lambda failure: None)
    for expected in (("NoticeText", PASSWORD), (NoticeTyped("y"),), (RequestSignIn(PASSWORD),)):
        with pytest.raises(AssertionError) as differs:
            test.expect(*expected)
        assert_told_nowhere(differs.value)
    with pytest.raises(AssertionError) as differs:
        test.expect(Failure("not " + PASSWORD))
    assert_told_nowhere(differs.value)
    with pytest.raises(AssertionError) as differs:
        test.expect("NoticeText", PASSWORD)
    assert_told_nowhere(differs.value)
    test.keep()
    test.close()


def test_what_is_supplied_to_a_replay_is_told_nowhere(tmp_path):
    path = tmp_path / "a.journal"
    with mainstem.Context() as recorded:
        recorded.record(path)
        recorded.send(NoticeTyped(PASSWORD))
    for answer in (NoticeTyped(PASSWORD + "\ud800"), PASSWORD + "\ud800", NoticeText(PASSWORD), 7):
        with mainstem.Context(raises=True) as context:
            context.register(NoticeTyped, NoticeText)
            with context.replay(path, secrets=lambda event, answer=answer: answer) as replay:
                with pytest.raises((TypeError, ValueError, MainstemError)) as refused:
                    replay.to_end()
                assert_told_nowhere(refused.value)

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A password goes through a program that shows all it can: it is seen nowhere (E-089, A-30)."""

from __future__ import annotations

from enum import Enum

import mainstem
import pytest
from interpreter import child
from mainstem import Failure, MainstemError, Notice, Status
from mainstem._library._header import EVENT_WITHHELD
from mainstem.journal_file import Journal
from password import PASSWORD, NoticeTyped, RequestChange, RequestSignIn, ResponseSession

SECRETS = ("RequestSignIn", "ResponseSession", "NoticeTyped", "RequestChange")


def test_who_asks_and_who_answers_get_it_whole(context):
    asked = []

    def sign_in(request):
        asked.append(request)
        return ResponseSession(token=request.password[::-1])

    context.serve(RequestSignIn, sign_in)

    answer = context.request(RequestSignIn(PASSWORD))

    assert asked[0].password == PASSWORD
    assert asked[0].secret and answer.secret
    assert answer.token == PASSWORD[::-1]
    assert RequestSignIn(PASSWORD) == RequestSignIn(PASSWORD)


def test_neither_str_nor_repr_show_it(context):
    context.serve(RequestSignIn, lambda request: ResponseSession(request.password), name="Door")
    seen, lines = [], []
    context.trace(lines.append)
    context.observe(seen.append)

    answer = context.request(RequestSignIn(PASSWORD))
    context.send(NoticeTyped(PASSWORD))

    made = RequestSignIn(PASSWORD)
    assert str(made) == repr(made) == "RequestSignIn(<secret>)"
    assert repr(answer) == "ResponseSession(<secret>)"
    assert str(answer) == "#2 ResponseSession ok ← #1 Door <secret>"
    assert [str(event) for event in seen] == lines
    assert lines[2] == "#3 NoticeTyped <secret>"


def test_an_answer_made_of_an_exception_names_its_class_only(context):
    loose = mainstem.Context(on_exception=lambda exception, event: None)

    def refuse(request):
        raise ValueError(f"{request.password} is too short")

    def explain(request):
        raise Failure("TOO_SHORT")

    loose.serve(RequestChange, refuse)
    loose.serve(RequestSignIn, explain)
    with pytest.raises(Failure) as error:
        loose.request(RequestChange(PASSWORD))
    assert error.value.message == "ValueError: <secret>"
    with pytest.raises(Failure) as error:
        loose.request(RequestSignIn(PASSWORD))
    assert error.value.message == "TOO_SHORT"
    loose.close()


def test_a_payload_that_does_not_fit_is_not_quoted(context):
    class Kind(Enum):
        A = "a"

    @mainstem.event(secret=True, name="NoticeKind")
    class NoticeKind(Notice):
        kind: Kind

    caught = []

    def read(event):
        with pytest.raises(MainstemError) as error:
            _ = event.kind
        caught.append(error.value)

    context.observe(NoticeKind, read)
    context.send("NoticeKind", '{"kind":"' + PASSWORD + '"}')

    assert caught[0].message == "#1 NoticeKind: its payload does not fit"
    assert caught[0].__cause__ is caught[0].__context__ is None


def test_a_secret_has_no_history(context):
    with pytest.raises(MainstemError) as error:
        context.keep_history(NoticeTyped, 5)
    assert error.value.status == Status.INVALID


def test_others_are_shown_as_ever(context):
    @mainstem.event
    class NoticeSaid(Notice):
        text: str

    seen = []
    context.observe(NoticeSaid, seen.append)
    context.send(NoticeSaid("hello"))

    assert not seen[0].secret
    assert str(seen[0]) == '#1 NoticeSaid {"text":"hello"}'
    assert repr(NoticeSaid("hello")).endswith("NoticeSaid(text='hello')")


#: Shows on its two outputs all that a program can show of events; the password is its argument.
PROGRAM = """\
import asyncio, sys
import mainstem
from mainstem.testing import TestContext
from password import NoticeTyped, RequestChange, RequestSignIn, ResponseDone, ResponseSession

password, path = sys.argv[1:]
context = mainstem.Context(threads="any")
context.record(path)
context.trace(print)

def show(event):
    print(event, repr(event), [event], event.event, file=sys.stderr)

def fail(event):
    raise ValueError(event.event.data.decode())

def fail_with(event):
    raise mainstem.Failure(event.text, user_message=event.text, subject=event.text)

context.observe(show)
context.observe(NoticeTyped, fail)
context.observe(NoticeTyped, fail_with)
context.observe(NoticeTyped, fail, on="host")
context.observe(mainstem.MainstemFailure, lambda report: print(report, repr(report)))
box = context.mailbox(NoticeTyped)
serial = context.serial("Beside")
context.observe(NoticeTyped, fail, on=serial)
context.serve(RequestChange, fail)
context.serve(RequestSignIn, lambda request: ResponseSession(token=request.password))

context.send(NoticeTyped(password))
context.post(NoticeTyped(password))
context.send_after(0.001, NoticeTyped(password))
context.wait(1)
context.drain()
for event in box.events():
    show(event)
print(context.request(RequestSignIn(password)))
try:
    context.request(RequestChange(password))
except mainstem.Failure as failure:
    print(failure, repr(failure))
for wrong in (b"\\xff" + password.encode(), "x"):
    try:
        context.send("NoticeTyped", wrong)
    except mainstem.MainstemError as error:
        print(error)
print(context.stats(), context.read_type(NoticeTyped))

async def with_tasks():
    async with mainstem.Context() as looped:
        looped.trace(print)

        async def change(request):
            raise ValueError(request.password)

        looped.serve(RequestChange, change)
        try:
            await looped.request(RequestChange(password))
        except mainstem.Failure as failure:
            print(failure, repr(failure))

asyncio.run(with_tasks())

test = TestContext()
test.send(NoticeTyped(password))
try:
    test.expect(NoticeTyped("another"))
except AssertionError as error:
    print(error)
try:
    test.expect(NoticeTyped(password))
except AssertionError as error:
    print(error)
context.close()
print("done")
"""


def test_a_program_that_shows_everything_does_not_show_it(tmp_path):
    path = tmp_path / "journal"
    told, reported = child(PROGRAM, PASSWORD, str(path)).communicate(timeout=60)

    assert told.endswith("done\n"), reported
    for text in (told, reported):
        assert [line for line in text.splitlines() if PASSWORD in line] == []
        assert text.count("<secret>") > 5
    assert "ValueError: <secret>" in reported
    assert PASSWORD.encode() not in path.read_bytes()
    with Journal(str(path)) as journal:
        kept = [event for event in journal.events() if event.name in SECRETS]
        assert journal.ending is not None and journal.ending.kind == "clean"
    assert len(kept) > 5
    for event in kept:
        assert event.flags & EVENT_WITHHELD
        assert (event.data, event.status, event.size) == (b"", 0, 0)

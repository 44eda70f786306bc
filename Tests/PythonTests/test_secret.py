# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A password goes through a program that shows all it can: it is seen nowhere (E-089, A-30)."""

from __future__ import annotations

import asyncio
import builtins
import struct
import sys
from collections import deque
from enum import Enum
from types import FunctionType, ModuleType, TracebackType
from typing import Dict, Literal, Union

import mainstem
import pytest
from interpreter import child
from mainstem import Failure, MainstemError, Notice, Request, Response, Status
from mainstem._constants import EVENT_WITHHELD
from mainstem.journal_file import Journal
from mainstem.testing import TestContext

PASSWORD = "correct-horse-7-battery"
SECRETS = ("RequestSignIn", "ResponseSession", "NoticeTyped", "RequestChange")


@mainstem.event(secret=True)
class ResponseSession(Response):
    token: str


@mainstem.event(secret=True)
class RequestSignIn(Request[ResponseSession]):
    password: str


@mainstem.event(secret=True)
class NoticeTyped(Notice):
    text: str


@mainstem.event
class RequestToken(Request[ResponseSession]):
    pass


@mainstem.event
class ResponseDone(Response):
    pass


@mainstem.event(secret=True)
class RequestChange(Request[ResponseDone]):
    password: str


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
    assert error.value.sentence == "ValueError: <secret>"
    with pytest.raises(Failure) as error:
        loose.request(RequestSignIn(PASSWORD))
    assert error.value.sentence == "TOO_SHORT"
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

    assert caught[0].sentence == "#1 NoticeKind: its payload does not fit"
    assert caught[0].__cause__ is caught[0].__context__ is None


def test_a_secret_has_no_history(context):
    with pytest.raises(MainstemError) as error:
        context.history_keep(NoticeTyped, 5)
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


def told_by(exception):
    """All texts that can be reached from an exception: what reporters of errors could show.

    Not the variables of the program's own frames, which the library gave the event to.
    """
    waiting, seen = [exception], set()
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, (type, ModuleType, FunctionType, mainstem.Scope)):
            continue
        seen.add(id(one))
        if isinstance(one, (str, bytes, bytearray)):
            yield one if isinstance(one, str) else bytes(one).decode("utf-8", "backslashreplace")
        elif isinstance(one, dict):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, (list, tuple, set, frozenset, deque)):
            waiting += list(one)
        elif isinstance(one, TracebackType):
            waiting.append(one.tb_next)
            if one.tb_frame.f_globals.get("__package__") == "mainstem":
                waiting.append(dict(one.tb_frame.f_locals))
        elif not isinstance(one, (int, float, type(None))):
            names = [*getattr(one, "__dict__", {})]
            for kind in type(one).__mro__:
                slots = kind.__dict__.get("__slots__", ())
                names += [slots] if isinstance(slots, str) else slots
            names += ["args", "object", "doc", "obj", "exceptions", "__notes__", "__cause__"]
            names += ["__context__", "__traceback__", "__self__", "exc_value", "exc_traceback"]
            for name in names:
                try:
                    waiting.append(object.__getattribute__(one, name))
                except AttributeError:
                    continue
            yield repr(one)
            yield str(one)


def assert_told_nowhere(exception):
    assert [text for text in told_by(exception) if PASSWORD in text or "7-bat" in text] == []


class Kind(Enum):
    A = "a"


@mainstem.event(secret=True)
class NoticeAll(Notice):
    words: Dict[str, int]
    kind: Union[Kind, None] = None
    choice: Literal["a", "b"] = "a"
    number: float = 0.0


@mainstem.event(secret=True, payload=str)
class NoticeText(Notice):
    text: str


@mainstem.event(secret=True, payload=struct.Struct("8sB"))
class NoticePacked(Notice):
    text: bytes
    number: int


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
    reported, sentences, kept = [], [], []
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
            context.observe(mainstem.MainstemFailure, lambda r: sentences.append(r.sentence))
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
    assert [each for each in sentences + reported if PASSWORD in each] == []


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
    context.type_add("Raw", bytes, secret=True)
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
    test.request(RequestSignIn("x"), then=lambda answer: None)
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


#: Shows on its two outputs all that a program can show of events; the password is its argument.
PROGRAM = """\
import asyncio, sys
import mainstem
from mainstem.testing import TestContext
from test_secret import NoticeTyped, RequestChange, RequestSignIn, ResponseDone, ResponseSession

password, path = sys.argv[1:]
context = mainstem.Context(threads="any")
context.record(path)
context.trace(print)

def show(event):
    print(event, repr(event), [event], event.event, file=sys.stderr)

def fail(event):
    raise ValueError(event.event.data.decode())

def fail_with(event):
    raise mainstem.Failure(event.text, user_text=event.text, subject=event.text)

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
print(context.stats(), context.type_read(NoticeTyped))

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

# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What Python programmers read: the library's messages in their words, and what a user is told."""

from __future__ import annotations

import re

import mainstem
import pytest
from conftest import ROOT
from greeting import RequestGreet, ResponseGreeting, Started
from mainstem import Context, Failure, MainstemError, Status
from mainstem._library import FUNCTIONS, _spoken
from mainstem._library._spoken import NATS_PHRASES, PHRASES, spoken

#: Words of C; the variable of the environment is called the same everywhere.
WORDS = re.compile(
    r"mainstem_|MAINSTEM_(?!RECORD\b)|NULL|\bfn\b|options\.limit|limit_(?:rows|payload)"
)
LITERAL = re.compile(r'"""\n(.*?)"""|"((?:[^"\\\n]|\\.)*)"', re.DOTALL)


def messages():
    """The texts of the core and the door that have words of C in them."""
    for folder in ("MainstemCore", "MainstemC"):
        for path in sorted((ROOT / "Sources" / folder).rglob("*.swift")):
            lines = [
                line
                for line in path.read_text(encoding="utf-8").splitlines()
                if not line.lstrip().startswith(("//", "@"))
            ]
            for many, one in LITERAL.findall("\n".join(lines)):
                text = re.sub(r"\s*\\\n\s*", " ", many).strip() if many else one
                if WORDS.search(text) and (" " in text or "limit_" in text):
                    yield path.name, text


def test_every_message_of_the_library_is_in_words_of_python():
    found = list(messages())
    assert len(found) > 25

    wrong = [each for each in found if WORDS.search(spoken(f"mainstem_send: x: {each[1]}"))]

    assert wrong == []


def messages_of_the_bridge():
    """The texts of mainstem_nats that have words of C in them, with what C puts in front."""
    string = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
    for path in sorted((ROOT / "Sources" / "MainstemNATS").rglob("*.c")):
        text = path.read_text("utf-8")
        code = re.sub(r"(?m)/\*(?s:.*?)\*/|^ *(?://|#include).*", "", text)
        # Adjacent strings are one.
        for text in string.findall(re.sub(r'"\s*"', "", code)):
            is_of_c = WORDS.search(text) or "sizeof" in text
            if is_of_c and (" " in text or text.startswith("mainstem_nats_")):
                yield path.name, text


def said_by_the_bridge(text):
    """A message as C puts it together."""
    if text.startswith("mainstem_nats_"):
        return text if ": " in text else f"{text}: type: is NULL"
    if text.startswith("%s: "):
        return text.replace("%s", "mainstem_nats_mirror", 1)
    return f"mainstem_nats_mirror: options.{text}"


def test_every_message_of_the_bridge_is_in_words_of_python():
    found = [text for _, text in messages_of_the_bridge()]
    assert len(found) > 25

    told = [spoken(said_by_the_bridge(text)) for text in found]

    assert [text for text in told if WORDS.search(text) or "options." in text] == []
    assert [one for one, _ in NATS_PHRASES if one.strip(".: ") not in "\n".join(found)] == [
        "options.url: "
    ]


def test_a_message_of_the_bridge_names_what_python_has():
    outer = "mainstem_nats_mirror: mainstem_journal_open: path: there is no such file"
    assert spoken(outer) == "mirror: path: there is no such file"
    assert spoken("mainstem_nats_import: options.durable: is NULL, but a consumer needs it") == (
        "import_stream: durable: is missing, but a consumer needs it"
    )
    assert spoken("mainstem_nats_mirror: options.url: is no URL") == "mirror: to: is no URL"
    assert spoken("mainstem_nats_close: bridge: has ended") == "close: bridge: has ended"


def test_every_function_of_the_bridge_is_named_as_in_python():
    header = "".join(
        path.read_text("utf-8") for path in (ROOT / "include/mainstem").glob("nats*.h")
    )
    functions = set(re.findall(r"\b(mainstem_nats_[a-z_]+)\(", header)) - {
        "mainstem_nats_last_error"
    }
    source = (ROOT / "Sources/MainstemPython/mainstem/nats/__init__.py").read_text("utf-8")
    public = set(re.findall(r'^    "(\w+)",$', source, re.MULTILINE))
    bridge = re.findall(r"^    def (\w+)", source, re.MULTILINE)
    public.update(bridge, ["options"])

    assert len(functions) >= 8
    assert {spoken(f"{name}: x").split(":")[0] for name in functions} <= public


def test_a_phrase_that_the_library_no_longer_says_goes():
    texts = [text for _, text in messages()]

    assert [one for one, _ in PHRASES if not any(one in text for text in texts)] == []


def test_every_function_is_named_as_in_python():
    names = [spoken(f"{name}: name: is wrong") for name in mainstem._library.FUNCTIONS]

    assert [name for name in names if WORDS.search(name)] == []
    assert spoken("mainstem_binding_run: name: is wrong") == "run: name: is wrong"


def refused(call):
    with pytest.raises(MainstemError) as raised:
        call()
    return str(raised.value)


def test_what_calls_raise_has_no_word_of_c(context, tmp_path):
    closed = Context()
    closed.close()
    scope = context.scope("Part")
    scope.end()
    said = [
        refused(lambda: closed.send(Started())),
        refused(lambda: scope.send(Started())),
        refused(lambda: context.find("Nothing")),
        refused(lambda: context.advance(1)),
        refused(lambda: context.open_instance("Nothing")),
        refused(lambda: context.replay(tmp_path / "none.journal")),
        refused(lambda: context.send("Nothing")),
        refused(lambda: mainstem.Router().add("<unknown:x>", 1)),
        refused(lambda: mainstem.Journal(tmp_path / "none.journal")),
    ]

    assert [text for text in said if WORDS.search(text)] == []
    assert said[0].startswith("STALE: add_type: context: the context is closed")
    assert "STALE: send: context: has ended: use it no longer" in said[1]


def test_the_repr_of_an_error_is_as_the_library_said_it(context):
    """A handler's exception is answered with its repr: journals of before verify."""
    with pytest.raises(MainstemError) as raised:
        context.send("Nothing")

    assert repr(raised.value).startswith("MainstemError(1, ")
    assert "mainstem_type_find: " in repr(raised.value)


def test_journals_have_the_words_of_0_10(context):
    """Each name that has changed since, and the words of messages that named it."""
    ended = context.scope("Scope")
    ended.end()
    with pytest.raises(MainstemError) as raised:
        ended.request_count()

    assert "'mainstem_activity: context: has ended" in repr(raised.value)
    assert str(raised.value).startswith("STALE: request_count: context: has ended")
    declared = {name[9:] for name in FUNCTIONS}
    assert set(_spoken._RECORDED) <= declared
    assert not declared & (set(_spoken._RECORDED.values()) - {"scope_add"})
    for now, then in _spoken._RECORDED.items():
        assert _spoken.recorded(f"mainstem_{now}: rows.cancelled_by: {now}: is so") == (
            f"mainstem_{then}: rows.until: {now}: is so"
        )
    assert _spoken.recorded("what a program says") == "what a program says"


def failure_of(handler, **options):
    told = []
    with Context(on_exception=lambda error, about: told.append(error)) as context:
        context.serve(RequestGreet, handler, name="Greeter")
        with pytest.raises(Failure) as raised:
            context.request(RequestGreet("Ada"))
    return raised.value, told


def test_a_user_is_not_told_what_an_unexpected_exception_says():
    def handler(request):
        raise KeyError("password=hunter2")

    failure, _ = failure_of(handler)

    assert failure.user_message == "Something went wrong."
    assert failure.message == "KeyError('password=hunter2')"
    assert "hunter2" in str(failure)


@pytest.mark.parametrize(
    "message",
    ["ValueError()", "json.Error('a\nb')", "OSError: <secret>", "A, whose repr() raises"],
)
def test_whatever_an_exception_is_like_its_details_are_for_developers(message):
    assert Failure(message).user_message == "Something went wrong."


@pytest.mark.parametrize(
    "message", ["NO_NAME", "no milk", "Too long (at most 5)", "RequestGreet was not answered", ""]
)
def test_what_a_program_says_is_what_a_user_is_told(message):
    assert Failure(message).user_message == message
    assert Failure("KeyError('a')", user_message="Sorry.").user_message == "Sorry."


@mainstem.event
class ResponseOther(mainstem.Response):
    pass


class Greeter:
    @mainstem.handles(RequestGreet)
    def greet(self, request):
        return ResponseOther()


def test_a_wrong_answer_names_the_handler_but_the_error_response_is_as_before():
    failure, told = failure_of(lambda request: ResponseOther())

    assert (
        failure.message == "TypeError('expected ResponseGreeting as the answer, got ResponseOther')"
    )
    assert re.fullmatch(
        r"expected ResponseGreeting as the answer, got ResponseOther:"
        r" test_a_wrong_answer\w+\.<locals>\.<lambda> \(.*test_messages\.py:\d+\) returned it",
        str(told[0]),
    )


@pytest.mark.parametrize("answer", [None, 5, "text"])
def test_whatever_is_no_answer_names_the_handler(answer):
    told = []
    with Context(on_exception=lambda error, about: told.append(error)) as context:
        context.server("Greeter", {RequestGreet: lambda request: answer})
        with pytest.raises(Failure):
            context.request(RequestGreet("Ada"))

    assert isinstance(told[0], TypeError)
    assert "<lambda> (" in str(told[0])


def test_a_method_is_named_with_its_class():
    told = []
    with Context(on_exception=lambda error, about: told.append(error)) as context:
        context.install(Greeter())
        with pytest.raises(Failure):
            context.request(RequestGreet("Ada"))

    assert ": Greeter.greet (" in str(told[0])


def test_an_async_handler_is_named():
    import asyncio

    async def greet(request):
        return ResponseOther()

    async def main():
        told = []
        async with Context(on_exception=lambda error, about: told.append(error)) as context:
            context.serve(RequestGreet, greet)
            with pytest.raises(Failure):
                await context.request(RequestGreet("Ada"))
        return told

    told = asyncio.run(main())

    assert ".greet (" in str(told[0])


def test_a_code_of_the_app_is_a_status():
    status = Failure("MINE", code=1042).status

    assert isinstance(status, Status)
    assert (status, status.name, int(status)) == (1042, "APP_1042", 1042)
    assert Failure("MINE").status is Status.APP
    assert Status(1042) == Status(1042) and hash(Status(1042)) == hash(1042)
    with pytest.raises(ValueError):
        Status("x")


def test_an_answer_of_the_right_class_is_given_after_a_wrong_one():
    with Context(on_exception=lambda *_: None) as context:
        answers = [ResponseOther(), ResponseGreeting("hello")]
        context.serve(RequestGreet, lambda request: answers.pop(0), name="Greeter")
        with pytest.raises(Failure):
            context.request(RequestGreet("Ada"))
        assert context.request(RequestGreet("Ada")) == ResponseGreeting("hello")

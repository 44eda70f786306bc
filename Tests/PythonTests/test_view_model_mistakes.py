# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The usual mistakes with view models: each gets a message that says what to do."""

from __future__ import annotations

import asyncio
from typing import Any, Callable, Dict, List, Tuple

import mainstem
import pytest
from greeting import keep_for_ever
from lookup import Lookup, Profile, RequestTimeline, ResponseTimeline
from mainstem import Context, MainstemError

#: The exception and the message of each mistake, by the name of the function that makes it.
MISTAKES: Dict[str, Tuple[Callable[[Context], object], Any, str]] = {}


def mistake(kind: Any, message: str) -> Callable[[Callable[[Context], object]], None]:
    def add(function: Callable[[Context], object]) -> None:
        MISTAKES[function.__name__] = (function, kind, message)

    return add


# Names


@mistake(TypeError, r"Lookup shows no 'usernme' \(did you mean 'username'\?\)")
def a_misspelt_row(context: Context) -> None:
    context.open(Lookup()).bind(usernme=print)


@mistake(AttributeError, r"Lookup shows no 'tweet' \(did you mean 'tweets'\?\)")
def a_misspelt_value(context: Context) -> None:
    print(context.open(Lookup()).bind().tweet)  # type: ignore[attr-defined]


@mistake(AttributeError, r"Lookup\.likes is not written by views: it has username")
def a_value_that_is_not_written(context: Context) -> None:
    context.open(Lookup()).bind().likes = 3


@mistake(TypeError, r"Lookup has no 'prifile' \(did you mean 'profile'\?\)")
def a_misspelt_child(context: Context) -> None:
    mainstem.open_child(context.open(Lookup()).bind(), "prifile")


@mistake(
    TypeError, r"Door\.open_it: enabled='is_close' is no value of Door \(did you mean 'is_closed'"
)
def a_misspelt_enabled(context: Context) -> None:
    class Door(mainstem.ViewModel):
        is_closed: bool = mainstem.shown(True)

        @mainstem.command(enabled="is_close")
        def open_it(self) -> None: ...


@mistake(TypeError, r"Door\.open_it: enabled='name' is no bool: declare it as one")
def an_enabled_that_is_no_bool(context: Context) -> None:
    class Door(mainstem.ViewModel):
        name: str = mainstem.shown("")

        @mainstem.command(enabled="name")
        def open_it(self) -> None: ...

    context.open(Door())


@mistake(TypeError, r"Door\.heard: Door has no 'name' that is written: it has title")
def a_write_that_nobody_makes(context: Context) -> None:
    class Door(mainstem.ViewModel):
        name: str = mainstem.shown("")
        title: str = mainstem.writable("")

        @mainstem.on_write("name")
        def heard(self, name: str) -> None: ...


@mistake(TypeError, r"Door\.heard: Door has no child 'keys' \(did you mean 'key'\?\)")
def a_child_that_there_is_not(context: Context) -> None:
    class Door(mainstem.ViewModel):
        @mainstem.child
        def key(self) -> Profile:
            return Profile("")

        @mainstem.observes("keys", "name")
        def heard(self, child: Profile, name: str) -> None: ...


@mistake(TypeError, r"Door\.sum: Door has no 'part' \(did you mean 'parts'\?\)")
def a_misspelt_part(context: Context) -> None:
    class Door(mainstem.ViewModel):
        parts: str = mainstem.shown("")

        @mainstem.shown(by="part")
        def sum(self) -> str:
            return self.parts

    context.open(Door())


@mistake(
    TypeError, r'Door\.bind is a name of ViewModel itself: take another, or pin it: name="bind"'
)
def a_name_that_is_taken(context: Context) -> None:
    class Door(mainstem.ViewModel):
        bind: str = mainstem.shown("")  # type: ignore[assignment]


@mistake(TypeError, r"Door\.name has no type: say what it is, as in `name: str`")
def a_value_without_a_type(context: Context) -> None:
    class Door(mainstem.ViewModel):
        name = mainstem.shown("")

    context.open(Door())


@mistake(TypeError, r"Door\.turn\(key\) has no type: say what it is")
def an_argument_without_a_type(context: Context) -> None:
    class Door(mainstem.ViewModel):
        @mainstem.command
        def turn(self, key):  # type: ignore[no-untyped-def]
            pass

    context.open(Door())


@mistake(TypeError, r"Door\.turn: too many positional arguments")
def an_argument_too_many(context: Context) -> None:
    class Door(mainstem.ViewModel):
        @mainstem.command
        def turn(self) -> None: ...

    context.open(Door()).bind().turn(1)  # type: ignore[call-arg]


# What changes, and where


@mistake(TypeError, "a list as a default would be shared by all view models: give a tuple")
def a_default_that_changes(context: Context) -> None:
    class Door(mainstem.ViewModel):
        names: List[str] = mainstem.shown([])


@mistake(
    TypeError, r"Door\.sum is asked again when 'names' has another value, but a list may change"
)
def a_part_that_is_mutated_in_place(context: Context) -> None:
    class Door(mainstem.ViewModel):
        def __init__(self) -> None:
            self.names: List[str] = []

        @mainstem.shown(by="names")
        def sum(self) -> str:
            return ",".join(self.names)

        @mainstem.command
        def add(self) -> None:
            self.names.append("a")

    context.open(Door()).bind().add()


@mistake(
    RuntimeError, r"Lookup\.username is set outside of its own methods: write and run it through"
)
def a_field_that_the_host_sets(context: Context) -> None:
    context.open(Lookup()).username = "jack"


@mistake(RuntimeError, r"Lookup\.request is called outside of its own methods")
def a_request_that_the_host_makes(context: Context) -> None:
    context.open(Lookup()).request(RequestTimeline("jack"))


@mistake(RuntimeError, r"Door\.sum says what there is, and asks nothing: do that in a command")
def a_shown_method_that_asks(context: Context) -> None:
    class Door(mainstem.ViewModel):
        @mainstem.shown
        def sum(self) -> str:
            self.request(RequestTimeline("jack"))
            return ""

    context.open(Door()).bind()


@mistake(RuntimeError, r"Door\.sum says what there is, and sends nothing: do that in a command")
def a_shown_method_that_sends(context: Context) -> None:
    class Door(mainstem.ViewModel):
        @mainstem.shown
        def sum(self) -> str:
            self.scope.send(RequestTimeline("jack"))
            return ""

    context.open(Door()).bind()


@mistake(RuntimeError, r"Door\.sum says what there is, and sets no 'count': do that in a command")
def a_shown_method_that_sets(context: Context) -> None:
    class Door(mainstem.ViewModel):
        @mainstem.shown
        def sum(self) -> str:
            self.count = 1
            return ""

    context.open(Door()).bind()


@mistake(TypeError, r"Door\.count: expected int, got str")
def a_shown_value_of_another_type(context: Context) -> None:
    class Door(mainstem.ViewModel):
        count: int = mainstem.shown("one")  # type: ignore[assignment]

    context.open(Door()).bind()


# Commands


def opened(context: Context, awaited: Callable[[], Any]) -> Any:
    """A view of a view model whose command awaits something."""

    class Door(mainstem.ViewModel):
        @mainstem.command
        async def turn(self) -> None:
            await awaited()

    return context.open(Door()).bind()


async def nothing() -> None: ...


@mistake(RuntimeError, r"Door\.turn awaits the loop: a command awaits only what it asked through")
def a_command_that_sleeps_in_the_loop(context: Context) -> None:
    opened(context, lambda: asyncio.sleep(0)).turn()


@mistake(RuntimeError, r"Door\.turn awaits a Future: a command awaits only what it asked through")
def a_command_that_awaits_a_future(context: Context) -> None:
    loop = asyncio.new_event_loop()
    future = loop.create_future()
    loop.close()
    opened(context, lambda: future).turn()


@mistake(TypeError, r"Door\.turn returned a int, and says no type: declare `-> int`")
def a_command_that_says_no_type(context: Context) -> None:
    class Door(mainstem.ViewModel):
        @mainstem.command
        def turn(self):  # type: ignore[no-untyped-def]
            return 3

    context.open(Door()).bind().turn()


@mistake(TypeError, "policy is one of 'refuse', 'queue', 'latest', 'concurrent', not 'newest'")
def a_wrong_policy(context: Context) -> None:
    mainstem.command(policy="newest")(nothing)  # type: ignore[call-overload]


@mistake(TypeError, "sum, which is shown, is called, not awaited: give a plain function")
def a_shown_method_that_is_awaited(context: Context) -> None:
    class Door(mainstem.ViewModel):
        @mainstem.shown
        async def sum(self) -> str:
            return ""


@mistake(MainstemError, "BUSY: result: it waits, and this is a callback of the context: await it")
def a_run_that_waits_in_a_callback(context: Context) -> None:
    context.serve(RequestTimeline, keep_for_ever, name="Never")
    view = context.open(Lookup()).bind(username=lambda name: name and view.go().result())
    view.username = "jack"


# Opening


@mistake(RuntimeError, r"this Lookup is not open: context\.open\(Lookup\(…\)\) opens it")
def a_view_model_that_is_not_open(context: Context) -> None:
    Lookup().bind()


@mistake(RuntimeError, r"this Lookup is open already: open another one")
def a_view_model_that_is_opened_twice(context: Context) -> None:
    context.open(context.open(Lookup()))


@mistake(TypeError, "a Lookup is no view: `bind` returns one")
def a_view_model_that_is_pointed(context: Context) -> None:
    mainstem.retarget(context.open(Lookup()), None)


@mistake(ValueError, "there is no scope with the number 12")
def a_number_that_is_nobodys(context: Context) -> None:
    mainstem.view(context, Lookup, 12)


@mistake(TypeError, "it is one of Lookup.cells: it ends when its element goes")
def a_child_of_a_list_that_is_ended(context: Context) -> None:
    from lookup import Tweet

    context.serve(RequestTimeline, lambda asked: ResponseTimeline((Tweet(1),)), name="Twitter")
    view = context.open(Lookup()).bind()
    view.username = "jack"
    view.go().result()
    mainstem.end(view.cells[0])


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_gets_a_sentence_that_says_what_to_do(name: str) -> None:
    function, kind, message = MISTAKES[name]

    with Context(raises=True) as context, pytest.raises(kind, match=message):
        function(context)


def test_after_the_first_event_of_a_recorded_session_nothing_is_opened(tmp_path: Any) -> None:
    with Context() as context:
        context.record(str(tmp_path / "session.journal"))
        view = context.open(Lookup()).bind()
        view.username = "jack"
        message = r"BUSY: open: Lookup: this session is recorded and has begun: open view models"
        with pytest.raises(MainstemError, match=message):
            context.open(Lookup())


def test_a_session_that_continues_a_journal_begins_anew(tmp_path: Any) -> None:
    path = str(tmp_path / "session.journal")
    for _ in range(2):
        with Context() as context:
            context.record(path)
            context.open(Lookup()).bind().username = "jack"
            assert context.first_error() is None
    with Context() as context, context.replay(path, verify=True) as replay:
        context.open(Lookup())
        replay.to_end()


def test_where_nothing_is_recorded_view_models_are_opened_at_any_time() -> None:
    with Context() as context:
        context.open(Lookup()).bind().username = "jack"
        context.open(Lookup())
        assert context.first_error() is None
